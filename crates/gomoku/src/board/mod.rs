//! The incremental board a search plays on: stones, the class of every empty cell for both colours, candidates, the
//! evaluation sum and the hash, kept up to date by [`Board::play`] and [`Board::undo`].
//!
//! A stone changes only windows on its four lines, at most 32 cells (40 where the fifth neighbour decides about an
//! overline). Lines are words, so a stone changes four of them and each window is a shift and a look-up away. Undo restores
//! classes from a log instead of looking them up again.
//!
//! A move is played in two steps: [`Board::foresee`] works out what it changes, [`Board::enter`] writes that down. More than
//! half of the moves of a search need only the first: their counts, value and hash already tell that nothing is to be
//! searched below them.

mod ahead;
mod sums;

use crate::color::Color;
use crate::grid::{Cell, Grid};
use crate::lines::Line;
use crate::log::Log;
use crate::plane::{NEAR, Neighborhood, Plane};
use crate::point::{FRAME, MARGIN, Point, STEPS, STRIDE, Size};
use crate::position::Position;
use crate::rows::Rows;
use crate::rules::{Rule, renju};
use crate::tables::{Meaning, SIDE_KEY, Tables};
use crate::threat::Threat;

use ahead::{Ahead, CHANGES, Moved};
use sums::{KINDS, Sums, kind};

/// The four line classes of a cell for both colours (low four bits black) and what they add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CellState {
    /// One byte a direction, the first lowest. Kept as one word, because writing a byte and reading the whole word
    /// right after it stalls.
    lines: u32,
    /// By colour; nothing on occupied cells.
    meanings: [Meaning; 2],
}

const NO_STATE: CellState = CellState { lines: 0, meanings: [Meaning::NONE; 2] };

/// A cell as it was before a stone changed it.
#[derive(Debug, Clone, Copy)]
struct Change {
    cell: u16,
    before: CellState,
}

/// What undoing a move needs besides the changed cells.
#[derive(Debug, Clone, Copy)]
struct Mark {
    point: Point,
    log_length: u32,
    moved_length: u32,
    sums: Sums,
    near: [u32; 2 * NEAR + 1],
}

/// Classes of [`nearness`].
pub const NEARNESS: usize = 7;

/// How near a point is to another: 0 to 3 on one line with it, one to four steps away, 4 within two columns and rows, 5 within
/// four, 6 beyond.
pub fn nearness(a: Point, b: Point) -> usize {
    usize::from(nearness_at(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())))
}

/// [`nearness`] of points so many columns and rows apart.
const fn nearness_at(x: u8, y: u8) -> u8 {
    let far = if x > y { x } else { y };
    match far {
        1..=4 if x == y || x == 0 || y == 0 => far - 1,
        0..=2 => 4,
        3 | 4 => 5,
        _ => 6,
    }
}

/// How much more urgent nearness to the last two moves makes points of a board.
pub(crate) struct Nearness<'a> {
    board: &'a Board,
    last: [Option<Point>; 2],
}

impl Nearness<'_> {
    #[inline]
    pub(crate) fn of(&self, point: Point) -> i32 {
        let one = |back: usize| {
            let class = self.last[back].map_or(NEARNESS - 1, |last| {
                usize::from(NEARNESS_CLASSES[(point.cell() + CENTER - last.cell()) % (2 * CENTER)])
            });
            i32::from(self.board.tables.nearness[back][class % NEARNESS])
        };
        one(0) + one(1)
    }
}

const CENTER: usize = 32 * STRIDE;

/// [`nearness`] by distance in cells, [`CENTER`] being none.
static NEARNESS_CLASSES: [u8; 2 * CENTER] = {
    let mut classes = [NEARNESS as u8 - 1; 2 * CENTER];
    let mut dy = 0;
    while dy < 9 {
        let mut dx = 0;
        while dx < 9 {
            let at = CENTER + dy * STRIDE + dx - 4 * STRIDE - 4;
            classes[at] = nearness_at(dx.abs_diff(4) as u8, dy.abs_diff(4) as u8);
            dx += 1;
        }
        dy += 1;
    }
    classes
};

/// A position to search on. Not aware of five already on the board: who plays a five has won and stops playing on.
#[derive(Clone)]
pub struct Board {
    tables: &'static Tables,
    grid: Grid,
    side: Color,
    empties: u16,
    hash: u64,
    rows: Rows,
    states: Box<[CellState; FRAME]>,
    planes: Box<[[Plane; KINDS]; 2]>,
    sums: Sums,
    /// Cells in the neighbourhood of some stone, occupied or not.
    near: Plane,
    /// The empty points.
    empty: Plane,
    near_masks: [u32; 2 * NEAR + 1],
    log: Log<Change, CHANGES>,
    moved: Log<Moved, { 2 * CHANGES }>,
    marks: Vec<Mark>,
    ahead: Box<Ahead>,
}

impl Board {
    /// A board with the stones and the side to move of a position.
    pub fn new(position: &Position, neighborhood: Neighborhood) -> Self {
        let mut board = Self::empty(position.size(), position.rule(), neighborhood);
        for color in Color::BOTH {
            for point in position.grid().stones(color) {
                board.side = color;
                board.play(point);
            }
        }
        board.log.clear();
        board.moved.clear();
        board.marks.clear();
        if board.side != position.side() {
            board.side = position.side();
        }
        // The hash must not depend on the order in which the stones were put down.
        board.hash = board.hash_from_scratch();
        board
    }

    fn empty(size: Size, rule: Rule, neighborhood: Neighborhood) -> Self {
        let tables = Tables::of(rule);
        let grid = Grid::new(size);
        let mut board = Self {
            tables,
            rows: Rows::of(&grid),
            grid,
            side: Color::Black,
            empties: size.area() as u16,
            hash: 0,
            states: Box::new([NO_STATE; FRAME]),
            planes: Box::new([[Plane::EMPTY; KINDS]; 2]),
            sums: Sums::default(),
            near: Plane::EMPTY,
            empty: Plane::EMPTY,
            near_masks: neighborhood.masks(),
            log: Log::new(Change { cell: 0, before: NO_STATE }),
            moved: Log::new(Moved::NONE),
            marks: Vec::new(),
            ahead: Box::new(Ahead::NONE),
        };
        for point in size.points() {
            board.add_cell(point.cell());
        }
        board
    }

    /// The window of a cell in a direction, read off the grid.
    fn window_from_scratch(&self, cell: usize, step: usize) -> u64 {
        let reach = self.tables.reach;
        let bits = |at: usize| match self.grid.at(at) {
            Cell::Empty => 0,
            Cell::Stone(Color::Black) => 1,
            Cell::Stone(Color::White) => 2,
            Cell::Wall => 3,
        };
        (0..=2 * reach)
            .fold(0, |window, place| window | bits(cell + place * step - reach * step) << (2 * place))
    }

    fn state_from_scratch(&self, cell: usize) -> CellState {
        let lines = STEPS.map(|step| self.tables.lines.get(self.window_from_scratch(cell, step)));
        let lines = u32::from_le_bytes(lines);
        CellState { lines, meanings: Color::BOTH.map(|color| self.tables.meaning(lines, color)) }
    }

    fn hash_from_scratch(&self) -> u64 {
        let mut hash = if self.side == Color::White { SIDE_KEY } else { 0 };
        for color in Color::BOTH {
            for point in self.grid.stones(color) {
                hash ^= self.tables.zobrist[point.cell()][color.index()];
            }
        }
        hash
    }

    /// Adds an empty cell to the planes, counts and sums.
    fn add_cell(&mut self, cell: usize) {
        let state = self.state_from_scratch(cell);
        self.states[cell] = state;
        self.empty.insert(cell);
        for at in 0..2 {
            let kind = usize::from(kind(state.meanings[at].threat()));
            self.planes[at][kind].insert(cell);
            self.sums.add(at, state.meanings[at]);
        }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.tables.rule
    }

    /// The stones.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.grid.size()
    }

    /// The side to move.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Empty points left.
    pub const fn empties(&self) -> u16 {
        self.empties
    }

    /// A hash of the stones and the side to move, the same in every process.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Moves played since this board was made.
    pub fn plies(&self) -> usize {
        self.marks.len()
    }

    /// The move played last, if any was since the board was made; `back` moves before that.
    pub fn last_move(&self, back: usize) -> Option<Point> {
        self.marks.len().checked_sub(back + 1).map(|at| self.marks[at].point)
    }

    /// What a stone of `color` on this empty point would make; quiet when the point is occupied.
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        Threat::from_index(self.states[point.cell()].meanings[color.index()].threat())
    }

    /// The class of each line through this empty point for a stone of `color`: to the right, down, down-right,
    /// down-left.
    pub fn lines(&self, point: Point, color: Color) -> [Line; 4] {
        self.states[point.cell()]
            .lines
            .to_le_bytes()
            .map(|both| Line::ALL[usize::from(both >> (4 * color.index()) & 15)])
    }

    /// The number of the combination of the four line classes of this empty point for a stone of `color`, below
    /// [`COMBINATIONS`](crate::evaluation::COMBINATIONS): what the trained weights are indexed by.
    pub fn combination(&self, point: Point, color: Color) -> usize {
        usize::from(self.tables.code(self.states[point.cell()].lines, color))
    }

    /// How many empty points are of this kind for a colour. Kinds weaker than an open three are not told apart.
    pub const fn count(&self, color: Color, threat: Threat) -> u16 {
        self.sums.count(color, threat)
    }

    /// How many empty points make a four (and no five) for a colour.
    pub fn fours(&self, color: Color) -> u16 {
        self.sums.fours(color)
    }

    /// The empty points of this kind for a colour, row by row. Kinds weaker than an open three are not told apart.
    pub fn points(&self, color: Color, threat: Threat) -> impl Iterator<Item = Point> + '_ {
        self.plane(color, threat).points()
    }

    pub(crate) fn plane(&self, color: Color, threat: Threat) -> &Plane {
        &self.planes[color.index()][usize::from(kind(threat as u8))]
    }

    /// What all empty cells and being on move are worth to the side to move, in [`PARTS`](crate::weights::PARTS) of a unit.
    pub(crate) fn promise(&self) -> i32 {
        self.sums.promise(self.side) + i32::from(self.tables.tempo)
    }

    /// How urgent this empty point is for the side to move, judged on patterns alone.
    pub fn urgency(&self, point: Point) -> i32 {
        let lines = self.states[point.cell() % FRAME].lines;
        let (us, them) = (self.side, self.side.other());
        i32::from(self.tables.urgency(lines, us).attack) + i32::from(self.tables.urgency(lines, them).defence)
    }

    /// How much more urgent nearness to the last two moves makes points. Moves before the board was made do not count.
    pub(crate) fn nearness(&self) -> Nearness<'_> {
        Nearness { board: self, last: [self.last_move(0), self.last_move(1)] }
    }

    /// Whether the point is forbidden to a stone of `color`. The point must be empty.
    pub fn is_forbidden(&mut self, point: Point, color: Color) -> bool {
        if self.tables.rule != Rule::Renju || color == Color::White {
            return false;
        }
        let state = self.states[point.cell()];
        let meaning = state.meanings[0];
        match Threat::from_index(meaning.threat()) {
            Threat::Five => false,
            Threat::Foul => true,
            _ => meaning.asks_judge() && renju::forbidden(&mut self.grid, point).is_some(),
        }
    }

    /// Calls `each` with the empty points near stones, row by row; with the centre of an empty board, or any empty point when
    /// none is near.
    pub(crate) fn each_candidate(&self, mut each: impl FnMut(Point)) {
        let mut any = false;
        for row in MARGIN..STRIDE - MARGIN {
            let mut bits = self.near.row(row) & self.empty.row(row);
            any |= bits != 0;
            while bits != 0 {
                each(Point::from_cell(row * STRIDE + bits.trailing_zeros() as usize));
                bits &= bits - 1;
            }
        }
        if !any {
            let center = self.size().center();
            let central = (self.grid.get(center) == Cell::Empty).then_some(center);
            central.or_else(|| self.grid.empty().next()).into_iter().for_each(each);
        }
    }

    /// The same points as a list.
    pub fn candidates(&self) -> Vec<Point> {
        let mut points = Vec::new();
        self.each_candidate(|point| points.push(point));
        points
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// When no move was played since the board was made.
    pub fn undo(&mut self) {
        let mark = self.marks.pop().expect("undo follows a play");
        let cell = mark.point.cell();
        let us = self.side.other();
        self.side = us;
        self.empties += 1;
        self.grid.set(mark.point, None);
        self.empty.insert(cell);
        self.rows.flip(cell, us);
        let Self { log, moved, states, planes, .. } = self;
        for change in log.since(mark.log_length as usize) {
            states[usize::from(change.cell) % FRAME] = change.before;
        }
        for &Moved { cell, color, old, new } in moved.since(mark.moved_length as usize) {
            let planes = &mut planes[usize::from(color) % 2];
            planes[usize::from(new) % KINDS].remove(usize::from(cell));
            planes[usize::from(old) % KINDS].insert(usize::from(cell));
        }
        let own = states[cell % FRAME];
        for side in 0..2 {
            planes[side][usize::from(kind(own.meanings[side].threat())) % KINDS].insert(cell);
        }
        moved.truncate(mark.moved_length as usize);
        log.truncate(mark.log_length as usize);
        self.sums = mark.sums;
        self.hash ^= self.tables.zobrist[cell % FRAME][us.index()] ^ SIDE_KEY;
        let row = cell / STRIDE;
        for (k, before) in mark.near.into_iter().enumerate() {
            self.near.set_row(row + k - NEAR, before);
        }
    }

    /// Compares everything kept incrementally with a computation from the stones alone. For tests.
    ///
    /// # Errors
    /// Names the first difference.
    pub fn verify(&self) -> Result<(), String> {
        let mut planes = [[Plane::EMPTY; KINDS]; 2];
        let mut sums = Sums::default();
        let mut empties = 0;
        let mut empty = Plane::EMPTY;
        for point in self.grid.empty() {
            let cell = point.cell();
            empties += 1;
            let state = self.state_from_scratch(cell);
            if state != self.states[cell] {
                return Err(format!("state of {point:?}"));
            }
            empty.insert(cell);
            for ((side, meaning), planes) in state.meanings.into_iter().enumerate().zip(&mut planes) {
                planes[usize::from(kind(meaning.threat()))].insert(cell);
                sums.add(side, meaning);
            }
        }
        let checks = [
            ("planes", planes == *self.planes),
            ("sums", sums == self.sums),
            ("empties", empties == self.empties && empty == self.empty),
            ("hash", self.hash == self.hash_from_scratch()),
        ];
        checks.iter().try_for_each(|(what, same)| if *same { Ok(()) } else { Err((*what).to_owned()) })
    }
}
