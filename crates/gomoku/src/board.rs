//! The incremental board a search plays on: stones, the class of every empty cell for both colours, candidates, the
//! evaluation sum and the hash, kept up to date by [`Board::play`] and [`Board::undo`].
//!
//! A stone changes only windows on its four lines, at most 32 cells (40 where the fifth neighbour decides about an
//! overline). Each cell keeps the key of its four windows, so a change is one exclusive-or and one look-up, and cells
//! whose class stays are left at once. Undo restores classes from a log instead of looking them up again.

use crate::color::Color;
use crate::grid::{Cell, Grid};
use crate::lines::Line;
use crate::plane::{NEAR, Neighborhood, Plane};
use crate::point::{FRAME, Point, STEPS, STRIDE, Size};
use crate::position::Position;
use crate::rules::{Rule, renju};
use crate::tables::{SIDE_KEY, Tables};
use crate::threat::Threat;

/// [`Threat::COUNT`] rounded up, so that a kind can be masked instead of checked.
const KINDS: usize = 16;

/// The four line classes of a cell for both colours (low four bits black) and what they add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CellState {
    /// One byte a direction, the first lowest. Kept as one word, because writing a byte and reading the whole word
    /// right after it stalls.
    lines: u32,
    /// Numbers of the combinations, by colour.
    codes: [u16; 2],
    /// By colour, as [`Threat`] indices; quiet on occupied cells.
    threats: [u8; 2],
}

const NO_STATE: CellState = CellState { lines: 0, codes: [0; 2], threats: [0; 2] };

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
    value: [i32; 2],
    counts: [[u16; KINDS]; 2],
    near: [u32; 2 * NEAR + 1],
}

/// A position to search on. Not aware of five already on the board: who plays a five has won and stops playing on.
#[derive(Clone)]
pub struct Board {
    tables: &'static Tables,
    grid: Grid,
    side: Color,
    empties: u16,
    hash: u64,
    /// By cell. Keys of occupied cells and walls follow along, but nothing reads them.
    keys: Box<[[u32; 4]; FRAME]>,
    states: Box<[CellState; FRAME]>,
    planes: Box<[[Plane; KINDS]; 2]>,
    counts: [[u16; KINDS]; 2],
    value: [i32; 2],
    /// Cells in the neighbourhood of some stone, occupied or not.
    near: Plane,
    near_masks: [u32; 2 * NEAR + 1],
    log: Vec<Change>,
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
        let mut board = Self {
            tables,
            grid: Grid::new(size),
            side: Color::Black,
            empties: size.area() as u16,
            hash: 0,
            keys: Box::new([[0; 4]; FRAME]),
            states: Box::new([NO_STATE; FRAME]),
            planes: Box::new([[Plane::EMPTY; KINDS]; 2]),
            counts: [[0; KINDS]; 2],
            value: [0; 2],
            near: Plane::EMPTY,
            near_masks: neighborhood.masks(),
            log: Vec::new(),
            marks: Vec::new(),
        };
        for point in size.points() {
            let cell = point.cell();
            board.keys[cell] = STEPS.map(|step| board.key_from_scratch(cell, step));
            board.add_cell(cell);
        }
        board
    }

    /// The key of a window read off the grid.
    fn key_from_scratch(&self, cell: usize, step: usize) -> u32 {
        let reach = self.tables.reach;
        let bits = |at: usize| match self.grid.at(at) {
            Cell::Empty => 0,
            Cell::Stone(Color::Black) => 1,
            Cell::Stone(Color::White) => 2,
            Cell::Wall => 3,
        };
        let mut key = 0;
        for k in 1..=reach {
            key |= bits(cell - k * step) << (2 * (reach - k));
            key |= bits(cell + k * step) << (2 * (reach + k - 1));
        }
        key
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

    fn state_from_keys(&self, cell: usize) -> CellState {
        self.state_of(u32::from_le_bytes(self.keys[cell].map(|key| self.tables.lines.get(key))))
    }

    fn state_of(&self, lines: u32) -> CellState {
        let mut state = CellState { lines, ..NO_STATE };
        for color in Color::BOTH {
            let code = self.tables.code(lines, color);
            state.codes[color.index()] = code;
            state.threats[color.index()] = self.tables.meaning(color, code).threat as u8;
        }
        state
    }

    /// Adds an empty cell to the planes, counts and sums.
    fn add_cell(&mut self, cell: usize) {
        let state = self.state_from_keys(cell);
        self.states[cell] = state;
        for color in Color::BOTH {
            let at = color.index();
            self.planes[at][usize::from(state.threats[at])].insert(cell);
            self.counts[at][usize::from(state.threats[at])] += 1;
            self.value[at] += i32::from(self.tables.meaning(color, state.codes[at]).value);
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
        usize::from(self.states[point.cell()].codes[color.index()])
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

    /// The evaluation sums: what all empty cells are worth to the side to move, and to the other side.
    pub(crate) fn values(&self) -> (i32, i32) {
        (self.value[self.side.index()], self.value[self.side.other().index()])
    }

    /// The same sums before the last move, still seen from the side to move now.
    pub(crate) fn values_before(&self) -> Option<(i32, i32)> {
        let before = self.marks.last()?.value;
        Some((before[self.side.index()], before[self.side.other().index()]))
    }

    pub(crate) fn tempo(&self) -> &[[i16; Threat::COUNT]; 2] {
        &self.tables.tempo
    }

    /// How urgent this empty point is for the side to move, judged on patterns alone.
    pub fn urgency(&self, point: Point) -> i32 {
        let codes = self.states[point.cell()].codes;
        let (us, them) = (self.side, self.side.other());
        i32::from(self.tables.urgency(us, codes[us.index()]).attack)
            + i32::from(self.tables.urgency(them, codes[them.index()]).defence)
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
                self.tables.meaning(Color::Black, state.codes[0]).ask_judge
                    && renju::forbidden(&mut self.grid, point).is_some()
            }
        }
    }

    /// The empty points near stones, row by row; the centre of an empty board, or any empty point when none is near.
    pub fn candidates(&self) -> Vec<Point> {
        let near: Vec<Point> =
            self.near.points().filter(|&point| self.grid.get(point) == Cell::Empty).collect();
        if !near.is_empty() {
            return near;
        }
        let center = self.size().center();
        if self.grid.get(center) == Cell::Empty {
            return vec![center];
        }
        self.grid.empty().take(1).collect()
    }

    /// Puts down a stone of the side to move. The point must be empty.
    pub fn play(&mut self, point: Point) {
        debug_assert_eq!(self.grid.get(point), Cell::Empty);
        let cell = point.cell();
        let us = self.side;
        let mut mark = Mark {
            point,
            log_length: self.log.len() as u32,
            value: self.value,
            counts: self.counts,
            near: [0; 2 * NEAR + 1],
        };
        self.take_cell(cell);
        self.grid.set(point, Some(us));
        self.hash ^= self.tables.zobrist[cell][us.index()] ^ SIDE_KEY;
        let tables = self.tables;
        let reach = tables.reach;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for k in 1..=reach {
                let forward = (us as u32 + 1) << (2 * (reach - k));
                self.touch(cell + k * step, direction, forward);
                let backward = (us as u32 + 1) << (2 * (reach + k - 1));
                self.touch(cell - k * step, direction, backward);
            }
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
        let reach = self.tables.reach;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for k in 1..=reach {
                let forward = (us as u32 + 1) << (2 * (reach - k));
                self.keys[(cell + k * step) % FRAME][direction] ^= forward;
                let backward = (us as u32 + 1) << (2 * (reach + k - 1));
                self.keys[(cell - k * step) % FRAME][direction] ^= backward;
            }
        }
        self.grid.set(mark.point, None);
        while self.log.len() > mark.log_length as usize {
            let Some(change) = self.log.pop() else { break };
            let cell = usize::from(change.cell);
            let now = self.states[cell % FRAME];
            // The stone's own cell is in no plane; taking it out of the plane of its quiet class changes nothing.
            for at in 0..2 {
                self.planes[at][usize::from(now.threats[at]) % KINDS].remove(cell);
                self.planes[at][usize::from(change.before.threats[at]) % KINDS].insert(cell);
            }
            self.states[cell] = change.before;
        }
        self.counts = mark.counts;
        self.value = mark.value;
        self.hash ^= self.tables.zobrist[cell][us.index()] ^ SIDE_KEY;
        let row = cell / STRIDE;
        for (k, before) in mark.near.into_iter().enumerate() {
            self.near.set_row(row + k - NEAR, before);
        }
    }

    /// Takes a cell that becomes occupied out of planes, counts and sums.
    fn take_cell(&mut self, cell: usize) {
        let state = self.states[cell];
        self.log.push(Change { cell: cell as u16, before: state });
        for color in Color::BOTH {
            let at = color.index();
            self.planes[at][usize::from(state.threats[at])].remove(cell);
            self.counts[at][usize::from(state.threats[at])] -= 1;
            self.value[at] -= i32::from(self.tables.meaning(color, state.codes[at]).value);
        }
        self.states[cell].threats = [0; 2];
    }

    /// Updates one window of a cell in which a stone appeared.
    #[inline]
    fn touch(&mut self, cell: usize, direction: usize, bits: u32) {
        let tables = self.tables;
        let key = &mut self.keys[cell % FRAME][direction];
        *key ^= bits;
        let line = tables.lines.get(*key);
        let state = &mut self.states[cell % FRAME];
        let shift = 8 * direction as u32;
        if line == (state.lines >> shift) as u8 || self.grid.at(cell) != Cell::Empty {
            return;
        }
        let before = *state;
        self.log.push(Change { cell: cell as u16, before });
        let lines = before.lines & !(0xff << shift) | u32::from(line) << shift;
        state.lines = lines;
        for color in Color::BOTH {
            let at = color.index();
            let code = tables.code(lines, color);
            let meaning = tables.meaning(color, code);
            self.value[at] +=
                i32::from(meaning.value) - i32::from(tables.meaning(color, before.codes[at]).value);
            state.codes[at] = code;
            state.threats[at] = meaning.threat as u8;
            let (old, new) = (usize::from(before.threats[at]), meaning.threat as usize);
            // Done also when the kind stays, which is cheaper than a branch that is hard to foresee.
            self.planes[at][old % KINDS].remove(cell);
            self.planes[at][new % KINDS].insert(cell);
            self.counts[at][old % KINDS] -= 1;
            self.counts[at][new % KINDS] += 1;
        }
    }

    /// Compares everything kept incrementally with a computation from the stones alone. For tests.
    ///
    /// # Errors
    /// Names the first difference.
    pub fn verify(&self) -> Result<(), String> {
        let mut planes = [[Plane::EMPTY; KINDS]; 2];
        let mut counts = [[0_u16; KINDS]; 2];
        let mut value = [0_i32; 2];
        let mut empties = 0;
        for point in self.grid.empty() {
            let cell = point.cell();
            empties += 1;
            let keys = STEPS.map(|step| self.key_from_scratch(cell, step));
            if keys != self.keys[cell] {
                return Err(format!("keys of {point:?}"));
            }
            let state = self.state_of(u32::from_le_bytes(keys.map(|key| self.tables.lines.get(key))));
            if state != self.states[cell] {
                return Err(format!("state of {point:?}"));
            }
            for color in Color::BOTH {
                let at = color.index();
                planes[at][usize::from(state.threats[at])].insert(cell);
                counts[at][usize::from(state.threats[at])] += 1;
                value[at] += i32::from(self.tables.meaning(color, state.codes[at]).value);
            }
        }
        let checks = [
            ("planes", planes == *self.planes),
            ("counts", counts == self.counts),
            ("value", value == self.value),
            ("empties", empties == self.empties),
            ("hash", self.hash == self.hash_from_scratch()),
        ];
        checks.iter().try_for_each(|(what, same)| if *same { Ok(()) } else { Err((*what).to_owned()) })
    }
}
