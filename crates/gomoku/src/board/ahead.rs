//! What a move changes: worked out first, written down when the search goes on below it.

use crate::color::Color;
use crate::lines::HALF;
use crate::plane::NEAR;
use crate::point::{FRAME, Point, STEPS, STRIDE};
use crate::rows::{DIRECTIONS, Through};
use crate::tables::{SIDE_KEY, Tables};
use crate::threat::Threat;

use super::sums::{KINDS, Sums, kind};
use super::{Board, CellState, Change, Mark, NO_STATE};

/// More cells than one stone changes: five each way in four directions. A power of two.
pub(super) const CHANGES: usize = 64;

/// A cell whose kind of threat for one colour became another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub(super) cell: u16,
    pub(super) color: u8,
    pub(super) old: u8,
    pub(super) new: u8,
}

impl Moved {
    pub(super) const NONE: Self = Self { cell: 0, color: 0, old: 0, new: 0 };
}

/// A cell that sees the new stone: where it is, in which of its lines' bits, and the class of that line with the stone.
#[derive(Debug, Clone, Copy)]
struct Seen {
    cell: u16,
    shift: u8,
    line: u8,
}

/// A move that was looked at: what it changes, and the position after it as a whole.
#[derive(Debug, Clone)]
pub(super) struct Ahead {
    point: Point,
    /// The hash of the position before the move, and after it.
    from: u64,
    hash: u64,
    sums: Sums,
    seen: [Seen; CHANGES],
    after: [CellState; CHANGES],
    /// How many of both, below [`CHANGES`].
    count: usize,
    moved: [Moved; 2 * CHANGES],
    moves: usize,
}

impl Ahead {
    pub(super) const NONE: Self = Self {
        point: Point::from_cell(0),
        from: 0,
        hash: 0,
        sums: Sums::NONE,
        seen: [Seen { cell: 0, shift: 0, line: 0 }; CHANGES],
        after: [NO_STATE; CHANGES],
        count: 0,
        moved: [Moved::NONE; 2 * CHANGES],
        moves: 0,
    };
}

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

/// Nearly every class changes with a stone, and branches on that would be hard to foresee, so there are none. Three short loops
/// instead of a long one let the processor work on many cells at once.
impl Ahead {
    /// Finds the empty cells that see the new stone, and the classes of their lines with it.
    #[inline]
    fn see<const REACH: usize>(&mut self, tables: &Tables, through: &[Through; DIRECTIONS], cell: usize) {
        // One bit a cell that sees the stone, ten bits a direction.
        let mut seen = 0_u64;
        for (direction, line) in through.iter().enumerate() {
            seen |= tables.lines.seen_from(line.window(0, REACH)) << (2 * HALF * direction);
        }
        let mut count = 0;
        while seen != 0 {
            let place = seen.trailing_zeros() as usize;
            seen &= seen - 1;
            let (direction, offset, step) = PLACES[place % PLACES.len()];
            let line = tables.lines.get(through[direction % DIRECTIONS].window(offset, REACH));
            let cell = (cell.wrapping_add(step) % FRAME) as u16;
            self.seen[count % CHANGES] = Seen { cell, shift: 8 * direction as u8, line };
            count += 1;
        }
        self.count = count % CHANGES;
    }

    /// Looks up what the four lines of each of these cells mean together.
    #[inline]
    fn judge(&mut self, tables: &Tables, states: &[CellState; FRAME]) {
        for (seen, after) in self.seen[..self.count % CHANGES].iter().zip(&mut self.after) {
            let (shift, line) = (u32::from(seen.shift) & 31, u32::from(seen.line));
            let lines = states[usize::from(seen.cell) % FRAME].lines & !(0xff << shift) | line << shift;
            *after = CellState { lines, meanings: Color::BOTH.map(|color| tables.meaning(lines, color)) };
        }
    }

    /// Adds what has changed to the sums of the position without the new stone's point.
    #[inline]
    fn add_up(&mut self, states: &[CellState; FRAME], mut sums: Sums) {
        let mut moves = 0;
        for (seen, after) in self.seen[..self.count % CHANGES].iter().zip(&self.after) {
            let before = &states[usize::from(seen.cell) % FRAME];
            for side in 0..2 {
                let (old, new) = (before.meanings[side], after.meanings[side]);
                sums.value[side].add(new);
                sums.value[side].subtract(old);
                let (old, new) = (kind(old.threat()), kind(new.threat()));
                self.moved[moves % (2 * CHANGES)] = Moved { cell: seen.cell, color: side as u8, old, new };
                moves += usize::from(old != new);
            }
        }
        self.moves = moves % (2 * CHANGES);
        for moved in &self.moved[..self.moves] {
            let counts = &mut sums.counts[usize::from(moved.color) % 2];
            counts[usize::from(moved.old) % KINDS] -= 1;
            counts[usize::from(moved.new) % KINDS] += 1;
        }
        self.sums = sums;
    }
}

/// The position after the move that was looked at last.
#[derive(Clone, Copy)]
pub(crate) struct Outlook<'a> {
    board: &'a Board,
}

impl Outlook<'_> {
    /// The move.
    pub(crate) fn point(self) -> Point {
        self.board.ahead.point
    }

    /// The side to move there.
    pub(crate) const fn side(self) -> Color {
        self.board.side.other()
    }

    /// Empty points left there.
    pub(crate) const fn empties(self) -> u16 {
        self.board.empties - 1
    }

    /// As [`Board::hash`].
    pub(crate) fn hash(self) -> u64 {
        self.board.ahead.hash
    }

    /// As [`Board::count`].
    pub(crate) fn count(self, color: Color, threat: Threat) -> u16 {
        self.board.ahead.sums.count(color, threat)
    }

    /// As [`Board::fours`].
    pub(crate) fn fours(self, color: Color) -> u16 {
        self.board.ahead.sums.fours(color)
    }

    /// As [`Board::promise`].
    pub(crate) fn promise(self) -> i32 {
        self.board.ahead.sums.promise(self.side()) + i32::from(self.board.tables.tempo)
    }
}

impl Board {
    /// Puts down a stone of the side to move. The point must be empty.
    pub fn play(&mut self, point: Point) {
        self.foresee(point);
        self.enter();
    }

    /// The [hash](Self::hash) of the position after a stone of the side to move on this point.
    #[inline]
    pub(crate) fn hash_after(&self, point: Point) -> u64 {
        self.hash ^ self.tables.zobrist[point.cell() % FRAME][self.side.index()] ^ SIDE_KEY
    }

    /// Works out what a stone of the side to move on this point, which must be empty, changes.
    pub(crate) fn foresee(&mut self, point: Point) {
        debug_assert!(self.empty.row(point.cell() / STRIDE) >> (point.cell() % STRIDE) & 1 == 1);
        let hash = self.hash_after(point);
        let Self { tables, ahead, states, rows, .. } = self;
        let cell = point.cell();
        let through = std::array::from_fn(|direction| rows.through(direction, cell).with_stone(self.side));
        if tables.reach == 4 {
            ahead.see::<4>(tables, &through, cell)
        } else {
            ahead.see::<5>(tables, &through, cell)
        }
        ahead.judge(tables, states);
        let mut sums = self.sums;
        for (side, meaning) in states[cell % FRAME].meanings.into_iter().enumerate() {
            sums.subtract(side, meaning);
        }
        ahead.add_up(states, sums);
        ahead.point = point;
        ahead.from = self.hash;
        ahead.hash = hash;
    }

    /// The position after that move.
    pub(crate) const fn outlook(&self) -> Outlook<'_> {
        Outlook { board: self }
    }

    /// Plays the move that was looked at last, in this very position.
    pub(crate) fn enter(&mut self) {
        let us = self.side;
        debug_assert_eq!(self.ahead.from, self.hash, "nothing was played since the move was looked at");
        let Self { ahead, states, planes, log, moved, .. } = self;
        let point = ahead.point;
        let cell = point.cell();
        let (row, column) = (cell / STRIDE, cell % STRIDE);
        let mut mark = Mark {
            point,
            log_length: log.len() as u32,
            moved_length: moved.len() as u32,
            sums: self.sums,
            near: [0; 2 * NEAR + 1],
        };
        let own = states[cell % FRAME];
        log.push(Change { cell: cell as u16, before: own });
        for side in 0..2 {
            planes[side][usize::from(kind(own.meanings[side].threat())) % KINDS].remove(cell);
        }
        states[cell % FRAME].meanings = NO_STATE.meanings;
        let count = ahead.count % CHANGES;
        let (room, end) = log.room();
        for ((seen, &after), change) in ahead.seen[..count].iter().zip(&ahead.after).zip(room) {
            let state = &mut states[usize::from(seen.cell) % FRAME];
            *change = Change { cell: seen.cell, before: *state };
            *state = after;
        }
        *end += count;
        let moves = ahead.moves % (2 * CHANGES);
        let (room, end) = moved.room();
        for (&change, logged) in ahead.moved[..moves].iter().zip(room) {
            *logged = change;
            let planes = &mut planes[usize::from(change.color) % 2];
            planes[usize::from(change.old) % KINDS].remove(usize::from(change.cell));
            planes[usize::from(change.new) % KINDS].insert(usize::from(change.cell));
        }
        *end += moves;
        self.sums = ahead.sums;
        self.hash = ahead.hash;
        self.grid.set(point, Some(us));
        self.empty.remove(cell);
        self.rows.flip(cell, us);
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
}
