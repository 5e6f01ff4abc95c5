//! The incremental board a search plays on: stones, the class of every empty cell for both colours, candidates, the
//! evaluation sum and the hash, kept up to date by [`Board::play`] and [`Board::undo`].
//!
//! A stone changes only windows on its four lines, at most 32 cells (40 where the fifth neighbour decides about an
//! overline). Lines are words, so a stone changes four of them and each window is a shift and a look-up away; cells whose
//! class stays are left at once. Undo restores classes from a log instead of looking them up again.

use crate::color::Color;
use crate::grid::{Cell, Grid};
use crate::lines::{HALF, Line};
use crate::log::Log;
use crate::plane::{NEAR, Neighborhood, Plane};
use crate::point::{FRAME, MARGIN, Point, STEPS, STRIDE, Size};
use crate::position::Position;
use crate::rows::{DIRECTIONS, Rows, Through};
use crate::rules::{Rule, renju};
use crate::tables::{SIDE_KEY, Tables};
use crate::threat::Threat;
use crate::weights::{Sum, Worth};

/// [`Threat::COUNT`] rounded up, so that a kind can be masked instead of checked.
const KINDS: usize = 16;

/// The four line classes of a cell for both colours (low four bits black) and what they add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CellState {
    /// One byte a direction, the first lowest. Kept as one word, because writing a byte and reading the whole word
    /// right after it stalls.
    lines: u32,
    /// By colour, as [`Threat`] indices; quiet on occupied cells.
    threats: [u8; 2],
    /// By colour, what the cell is worth in the evaluation.
    values: [Worth; 2],
}

const NO_STATE: CellState = CellState { lines: 0, threats: [0; 2], values: [Worth::NONE; 2] };

/// A cell as it was before a stone changed it.
#[derive(Debug, Clone, Copy)]
struct Change {
    cell: u16,
    before: CellState,
}

/// A cell whose threat for one colour became another.
#[derive(Debug, Clone, Copy)]
struct Moved {
    cell: u16,
    color: u8,
    old: u8,
    new: u8,
}

/// More cells than one stone changes: five each way in four directions. A power of two.
const CHANGES: usize = 64;

/// By bit of what [`LineTable::seen_from`](crate::lines::LineTable::seen_from) tells, ten bits a direction: the
/// direction, places along it and cells in the frame from the stone to the cell, both counted with wrapping.
const PLACES: [(usize, usize, usize); 64] = {
    let mut places = [(0, 0, 0); 64];
    let mut bit = 0;
    while bit < 2 * HALF * DIRECTIONS {
        let (direction, k) = (bit / (2 * HALF), bit % (2 * HALF));
        let offset = if k < HALF { k + 1 } else { (k - HALF + 1).wrapping_neg() };
        places[bit] = (direction, offset, offset.wrapping_mul(STEPS[direction]));
        bit += 1;
    }
    places
};

/// What undoing a move needs besides the changed cells.
#[derive(Debug, Clone, Copy)]
struct Mark {
    point: Point,
    log_length: u32,
    moved_length: u32,
    value: [Sum; 2],
    counts: [[u16; KINDS]; 2],
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
    counts: [[u16; KINDS]; 2],
    value: [Sum; 2],
    /// Cells in the neighbourhood of some stone, occupied or not.
    near: Plane,
    /// The empty points.
    empty: Plane,
    near_masks: [u32; 2 * NEAR + 1],
    log: Log<Change, CHANGES>,
    moved: Log<Moved, { 2 * CHANGES }>,
    marks: Vec<Mark>,
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
            counts: [[0; KINDS]; 2],
            value: [Sum::default(); 2],
            near: Plane::EMPTY,
            empty: Plane::EMPTY,
            near_masks: neighborhood.masks(),
            log: Log::new(Change { cell: 0, before: NO_STATE }),
            moved: Log::new(Moved { cell: 0, color: 0, old: 0, new: 0 }),
            marks: Vec::new(),
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
        let meaning = Color::BOTH.map(|color| self.tables.meaning(lines, color));
        CellState {
            lines,
            threats: meaning.map(|meaning| meaning.threat as u8),
            values: meaning.map(|meaning| meaning.worth),
        }
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
            self.planes[at][usize::from(state.threats[at])].insert(cell);
            self.counts[at][usize::from(state.threats[at])] += 1;
            self.value[at].add(state.values[at]);
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
        Threat::from_index(self.states[point.cell()].threats[color.index()])
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

    /// How many empty points are of this kind for a colour.
    pub const fn count(&self, color: Color, threat: Threat) -> u16 {
        self.counts[color.index()][threat as usize]
    }

    /// How many empty points make a four (and no five) for a colour.
    pub fn fours(&self, color: Color) -> u16 {
        Threat::FOURS.iter().map(|&threat| self.count(color, threat)).sum()
    }

    /// The empty points of this kind for a colour, row by row.
    pub fn points(&self, color: Color, threat: Threat) -> impl Iterator<Item = Point> + '_ {
        self.plane(color, threat).points()
    }

    pub(crate) fn plane(&self, color: Color, threat: Threat) -> &Plane {
        &self.planes[color.index()][threat as usize]
    }

    /// What all empty cells and being on move are worth to the side to move, in [`PARTS`](crate::weights::PARTS) of a unit.
    pub(crate) fn promise(&self) -> i32 {
        let (us, them) = (self.side.index(), self.side.other().index());
        self.value[us].on_move - self.value[them].waiting + i32::from(self.tables.tempo)
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
        match Threat::from_index(state.threats[0]) {
            Threat::Five => false,
            Threat::Foul => true,
            _ => {
                self.tables.meaning(state.lines, Color::Black).ask_judge
                    && renju::forbidden(&mut self.grid, point).is_some()
            }
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

    /// Puts down a stone of the side to move. The point must be empty.
    pub fn play(&mut self, point: Point) {
        debug_assert_eq!(self.grid.get(point), Cell::Empty);
        let cell = point.cell();
        let us = self.side;
        let mut mark = Mark {
            point,
            log_length: self.log.len() as u32,
            moved_length: self.moved.len() as u32,
            value: self.value,
            counts: self.counts,
            near: [0; 2 * NEAR + 1],
        };
        self.take_cell(cell);
        self.grid.set(point, Some(us));
        self.empty.remove(cell);
        self.rows.flip(cell, us);
        self.hash ^= self.tables.zobrist[cell % FRAME][us.index()] ^ SIDE_KEY;
        if self.tables.reach == 4 {
            self.update::<4>(cell)
        } else {
            self.update::<5>(cell)
        }
        let (row, column) = (cell / STRIDE, cell % STRIDE);
        for (k, mask) in self.near_masks.into_iter().enumerate() {
            let at = row + k - NEAR;
            let before = self.near.row(at);
            mark.near[k] = before;
            self.near.set_row(at, before | mask << (column - NEAR));
        }
        self.marks.push(mark);
        self.empties -= 1;
        self.side = us.other();
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
            planes[side][usize::from(own.threats[side]) % KINDS].insert(cell);
        }
        moved.truncate(mark.moved_length as usize);
        log.truncate(mark.log_length as usize);
        self.counts = mark.counts;
        self.value = mark.value;
        self.hash ^= self.tables.zobrist[cell % FRAME][us.index()] ^ SIDE_KEY;
        let row = cell / STRIDE;
        for (k, before) in mark.near.into_iter().enumerate() {
            self.near.set_row(row + k - NEAR, before);
        }
    }

    /// Takes a cell that becomes occupied out of planes, counts and sums.
    fn take_cell(&mut self, cell: usize) {
        let state = self.states[cell];
        self.log.push(Change { cell: cell as u16, before: state });
        for at in 0..2 {
            self.planes[at][usize::from(state.threats[at])].remove(cell);
            self.counts[at][usize::from(state.threats[at])] -= 1;
            self.value[at].subtract(state.values[at]);
        }
        self.states[cell].threats = [0; 2];
    }

    /// Looks at the windows of all empty cells that see the new stone on `cell`, and changes those whose class is another.
    #[inline]
    fn update<const REACH: usize>(&mut self, cell: usize) {
        let tables = self.tables;
        let through: [Through; DIRECTIONS] =
            std::array::from_fn(|direction| self.rows.through(direction, cell));
        // One bit a cell that sees the stone, ten bits a direction.
        let mut seen = 0_u64;
        for (direction, line) in through.iter().enumerate() {
            seen |= tables.lines.seen_from(line.window(0, REACH)) << (2 * HALF * direction);
        }
        // Branches here would be hard to foresee, so what changes is gathered without any: first the windows whose class
        // is another, then the cells whose threat is.
        let mut changed = [(0_u16, 0_u8, 0_u8); CHANGES];
        let mut count = 0;
        while seen != 0 {
            let place = seen.trailing_zeros() as usize;
            seen &= seen - 1;
            let (direction, offset, step) = PLACES[place % PLACES.len()];
            let line = tables.lines.get(through[direction % DIRECTIONS].window(offset, REACH));
            let at = cell.wrapping_add(step) % FRAME;
            changed[count % CHANGES] = (at as u16, 8 * direction as u8, line);
            count += usize::from((self.states[at].lines >> (8 * direction)) as u8 != line);
        }
        let (log, log_end) = self.log.room();
        let (moved, moved_end) = self.moved.room();
        let mut moves = 0;
        let mut value = self.value;
        let count = count.min(CHANGES);
        for (&(cell, shift, line), change) in changed[..count].iter().zip(log) {
            let state = &mut self.states[usize::from(cell) % FRAME];
            let before = *state;
            *change = Change { cell, before };
            state.lines = before.lines & !(0xff << (shift & 31)) | u32::from(line) << (shift & 31);
            for color in Color::BOTH {
                let side = color.index();
                let meaning = tables.meaning(state.lines, color);
                value[side].add(meaning.worth);
                value[side].subtract(before.values[side]);
                let (old, new) = (before.threats[side], meaning.threat as u8);
                state.threats[side] = new;
                state.values[side] = meaning.worth;
                moved[moves % (2 * CHANGES)] = Moved { cell, color: side as u8, old, new };
                moves += usize::from(old != new);
            }
        }
        self.value = value;
        *log_end += count;
        let moves = moves.min(2 * CHANGES);
        *moved_end += moves;
        for &Moved { cell, color, old, new } in &moved[..moves] {
            let (side, cell) = (usize::from(color) % 2, usize::from(cell));
            let (old, new) = (usize::from(old) % KINDS, usize::from(new) % KINDS);
            self.planes[side][old].remove(cell);
            self.planes[side][new].insert(cell);
            self.counts[side][old] -= 1;
            self.counts[side][new] += 1;
        }
    }

    /// Compares everything kept incrementally with a computation from the stones alone. For tests.
    ///
    /// # Errors
    /// Names the first difference.
    pub fn verify(&self) -> Result<(), String> {
        let mut planes = [[Plane::EMPTY; KINDS]; 2];
        let mut counts = [[0_u16; KINDS]; 2];
        let mut value = [Sum::default(); 2];
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
            for at in 0..2 {
                planes[at][usize::from(state.threats[at])].insert(cell);
                counts[at][usize::from(state.threats[at])] += 1;
                value[at].add(state.values[at]);
            }
        }
        let checks = [
            ("planes", planes == *self.planes),
            ("counts", counts == self.counts),
            ("value", value == self.value),
            ("empties", empties == self.empties && empty == self.empty),
            ("hash", self.hash == self.hash_from_scratch()),
        ];
        checks.iter().try_for_each(|(what, same)| if *same { Ok(()) } else { Err((*what).to_owned()) })
    }
}
