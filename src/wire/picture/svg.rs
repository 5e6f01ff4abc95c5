//! The drawing: one SVG document that needs nothing from elsewhere. Exact values stand bold; estimates are lighter and
//! dotted underneath, so that the two differ without colour.

use std::fmt::Write;

use super::{Cell, Certainty, Ground, Label, Look, Picture, Stone, Theme};

/// One cell in units of the drawing.
const CELL: i32 = 100;

/// The edge around the board: with coordinates, and bare.
const EDGE: (i32, i32) = (56, 20);

/// The colours of one theme on one ground.
struct Palette {
    frame: &'static str,
    felt: &'static str,
    line: &'static str,
    name: &'static str,
    value: &'static str,
    best: &'static str,
    black: &'static str,
    white: &'static str,
}

const LAST: &str = "#e5484d";

impl Palette {
    const fn of(ground: Ground, theme: Theme) -> Self {
        match (ground, theme) {
            (Ground::Squares, Theme::Light) => Self {
                frame: "#1b4b39",
                felt: "#2c7a5c",
                line: "#1c5a43",
                name: "#e3eee9",
                value: "#ffffff",
                best: "#ffd76a",
                black: "#161c19",
                white: "#f8f7f2",
            },
            (Ground::Squares, Theme::Dark) => Self {
                frame: "#174132",
                felt: "#266a50",
                line: "#174736",
                name: "#cfded7",
                value: "#ffffff",
                best: "#ffd76a",
                black: "#0c100e",
                white: "#efeee8",
            },
            (Ground::Crossings, Theme::Light) => Self {
                frame: "#c9a566",
                felt: "#e8c98f",
                line: "#8a6a36",
                name: "#2b1d08",
                value: "#2b1d08",
                best: "#176a50",
                black: "#161c19",
                white: "#f8f7f2",
            },
            (Ground::Crossings, Theme::Dark) => Self {
                frame: "#9a7845",
                felt: "#b8935a",
                line: "#5c4522",
                name: "#1a1204",
                value: "#1a1204",
                best: "#0d4d38",
                black: "#0c100e",
                white: "#efeee8",
            },
        }
    }
}

/// Draws a picture.
pub fn draw(picture: &Picture) -> String {
    let mut drawing = Drawing::new(picture);
    drawing.open(picture);
    drawing.grid(picture);
    if picture.look.coordinates {
        drawing.names();
    }
    for &(cell, stone) in &picture.stones {
        drawing.stone(cell, stone);
    }
    if let Some(cell) = picture.last {
        let (x, y) = drawing.middle(cell);
        drawing.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="11" fill="{LAST}"/>"#));
    }
    let labelled = |cell: &&Cell| !picture.labels.iter().any(|label| label.cell == **cell);
    let dot = drawing.palette.line;
    for &cell in picture.legal.iter().filter(labelled) {
        let (x, y) = drawing.middle(cell);
        drawing.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="9" fill="{dot}"/>"#));
    }
    for (rank, label) in picture.labels.iter().enumerate() {
        drawing.label(label, rank);
    }
    drawing.text.push_str("</svg>\n");
    drawing.text
}

/// A document being written.
struct Drawing {
    text: String,
    palette: Palette,
    ground: Ground,
    side: i32,
    edge: i32,
    look: Look,
}

impl Drawing {
    fn new(picture: &Picture) -> Self {
        let edge = if picture.look.coordinates { EDGE.0 } else { EDGE.1 };
        Self {
            text: String::with_capacity(1 << 14),
            palette: Palette::of(picture.ground, picture.look.theme),
            ground: picture.ground,
            side: i32::from(picture.side),
            edge,
            look: picture.look,
        }
    }

    fn add(&mut self, part: std::fmt::Arguments<'_>) {
        self.text.write_fmt(part).expect("a text takes everything");
        self.text.push('\n');
    }

    /// Units along one side.
    fn whole(&self) -> i32 {
        self.side * CELL + 2 * self.edge
    }

    /// Where the middle of a cell is drawn.
    fn middle(&self, cell: Cell) -> (i32, i32) {
        let turned = |at: u8| if self.look.flip { self.side - 1 - i32::from(at) } else { i32::from(at) };
        let place = |at: u8| self.edge + turned(at) * CELL + CELL / 2;
        (place(cell.column), place(cell.row))
    }

    /// The head of the document, with what it shows in words, and the frame.
    fn open(&mut self, picture: &Picture) {
        let count = |wanted| picture.stones.iter().filter(|(_, stone)| *stone == wanted).count();
        let (width, whole) = (self.look.width, self.whole());
        self.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{width}" viewBox="0 0 {whole} {whole}" role="img" font-family="system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" text-anchor="middle">"#
        ));
        let game = match self.ground {
            Ground::Squares => "Othello",
            Ground::Crossings => "Gomoku",
        };
        let (black, white) = (count(Stone::Black), count(Stone::White));
        self.add(format_args!("<title>{game} position: black {black}, white {white}</title>"));
        let frame = self.palette.frame;
        self.add(format_args!(r#"<rect width="{whole}" height="{whole}" rx="18" fill="{frame}"/>"#));
    }

    fn grid(&mut self, picture: &Picture) {
        let (edge, end) = (self.edge, self.side * CELL);
        let (felt, line) = (self.palette.felt, self.palette.line);
        self.add(format_args!(
            r#"<rect x="{edge}" y="{edge}" width="{end}" height="{end}" rx="4" fill="{felt}"/>"#
        ));
        let (offset, lines) = match self.ground {
            Ground::Squares => (0, 1..self.side),
            Ground::Crossings => (CELL / 2, 0..self.side),
        };
        let mut path = String::new();
        for index in lines {
            let at = edge + index * CELL + offset;
            let (from, to) = (edge + offset, edge + end - offset);
            write!(path, "M{at} {from}V{to}M{from} {at}H{to}").expect("a text takes everything");
        }
        self.add(format_args!(r#"<path d="{path}" fill="none" stroke="{line}" stroke-width="3"/>"#));
        for (x, y) in marks(self.ground, picture.side) {
            let (x, y) = (edge + x * CELL + offset, edge + y * CELL + offset);
            self.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="8" fill="{line}"/>"#));
        }
    }

    fn names(&mut self) {
        let fill = self.palette.name;
        for index in 0..self.side {
            let shown = if self.look.flip { self.side - 1 - index } else { index };
            let letter = char::from(b'a' + u8::try_from(shown).expect("boards have at most 20 columns"));
            let (at, near) = (self.edge + index * CELL + CELL / 2, self.edge / 2);
            let row = shown + 1;
            self.add(format_args!(
                r#"<text x="{at}" y="{near}" font-size="30" fill="{fill}" dominant-baseline="central">{letter}</text><text x="{near}" y="{at}" font-size="30" fill="{fill}" dominant-baseline="central">{row}</text>"#
            ));
        }
    }

    fn stone(&mut self, cell: Cell, stone: Stone) {
        let (x, y) = self.middle(cell);
        let fill = match stone {
            Stone::Black => self.palette.black,
            Stone::White => self.palette.white,
        };
        let radius = match self.ground {
            Ground::Squares => 41,
            Ground::Crossings => 45,
        };
        self.add(format_args!(
            r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="#000" stroke-opacity=".3" stroke-width="2"/>"##
        ));
    }

    fn label(&mut self, label: &Label, rank: usize) {
        let (x, y) = self.middle(label.cell);
        let Label { text, certainty, .. } = label;
        let (best, felt) = (self.palette.best, self.palette.felt);
        if self.ground == Ground::Crossings {
            self.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="44" fill="{felt}"/>"#));
        }
        if rank == 0 {
            self.add(format_args!(
                r#"<circle cx="{x}" cy="{y}" r="43" fill="none" stroke="{best}" stroke-width="5"/>"#
            ));
        }
        let fill = if rank == 0 { best } else { self.palette.value };
        let length = i32::try_from(text.chars().count()).expect("values are short");
        let (size, weight) =
            (if length > 4 { 27 } else { 33 }, if *certainty == Certainty::Exact { 750 } else { 400 });
        self.add(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}" dominant-baseline="central">{text}</text>"#
        ));
        if *certainty == Certainty::Estimate {
            let (half, under) = ((length * 9).min(42), y + 24);
            let (from, to) = (x - half, x + half);
            self.add(format_args!(
                r#"<path d="M{from} {under}H{to}" stroke="{fill}" stroke-width="3" stroke-linecap="round" stroke-dasharray="0.1 7"/>"#
            ));
        }
    }
}

/// The dots that help the eye, as crossings of lines counted from the top left.
fn marks(ground: Ground, side: u8) -> Vec<(i32, i32)> {
    match (ground, side) {
        (Ground::Squares, 8) => vec![(2, 2), (6, 2), (2, 6), (6, 6)],
        (Ground::Crossings, 15) => vec![(3, 3), (11, 3), (3, 11), (11, 11), (7, 7)],
        (Ground::Crossings, 19) => vec![(3, 3), (15, 3), (3, 15), (15, 15), (9, 9)],
        _ => Vec::new(),
    }
}
