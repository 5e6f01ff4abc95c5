//! Othello played on an array of cells, one cell at a time, and solved by plain alpha-beta in the order of the squares:
//! slow, and written without a look at the bitboards.

use othello::board::{Board, Size};
use othello::position::EmptiesRule;

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Empty,
    Mover,
    Other,
}

/// A board as rows of cells, seen from the mover.
#[derive(Clone)]
pub struct Grid {
    cells: Vec<Vec<Cell>>,
    rule: EmptiesRule,
}

impl Grid {
    pub fn new(board: Board, size: Size, rule: EmptiesRule) -> Self {
        let side = usize::from(size.side());
        let cell = |row: usize, column: usize| {
            let bit = row * 8 + column;
            match (board.player >> bit & 1, board.opponent >> bit & 1) {
                (1, _) => Cell::Mover,
                (_, 1) => Cell::Other,
                _ => Cell::Empty,
            }
        };
        Self {
            cells: (0..side).map(|row| (0..side).map(|column| cell(row, column)).collect()).collect(),
            rule,
        }
    }

    /// The score of perfect play for the mover.
    pub fn solve(&self) -> i32 {
        self.search(-100, 100, false)
    }

    fn search(&self, mut alpha: i32, beta: i32, passed: bool) -> i32 {
        let side = self.cells.len();
        let mut best = None;
        for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
            let Some(next) = self.place(row, column) else { continue };
            let score = -next.search(-beta, -alpha, false);
            best = best.max(Some(score));
            alpha = alpha.max(score);
            if alpha >= beta {
                return score;
            }
        }
        match best {
            Some(score) => score,
            None if passed => self.count(),
            None => -self.swapped().search(-beta, -alpha, true),
        }
    }

    fn place(&self, row: usize, column: usize) -> Option<Self> {
        if self.cells[row][column] != Cell::Empty {
            return None;
        }
        let mut turned = Vec::new();
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut run = Vec::new();
            let (mut y, mut x) = (row as isize + down, column as isize + right);
            while self.at(y, x) == Some(Cell::Other) {
                run.push((y as usize, x as usize));
                (y, x) = (y + down, x + right);
            }
            if self.at(y, x) == Some(Cell::Mover) {
                turned.extend(run);
            }
        }
        if turned.is_empty() {
            return None;
        }
        let mut next = self.clone();
        next.cells[row][column] = Cell::Mover;
        for (y, x) in turned {
            next.cells[y][x] = Cell::Mover;
        }
        Some(next.swapped())
    }

    fn at(&self, row: isize, column: isize) -> Option<Cell> {
        let row = self.cells.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    fn swapped(&self) -> Self {
        let mut grid = self.clone();
        for cell in grid.cells.iter_mut().flatten() {
            *cell = match *cell {
                Cell::Empty => Cell::Empty,
                Cell::Mover => Cell::Other,
                Cell::Other => Cell::Mover,
            };
        }
        grid
    }

    fn count(&self) -> i32 {
        let count = |wanted: Cell| self.cells.iter().flatten().filter(|&&cell| cell == wanted).count() as i32;
        let (own, other, empty) = (count(Cell::Mover), count(Cell::Other), count(Cell::Empty));
        match (self.rule, own.cmp(&other)) {
            (EmptiesRule::Nobody, _) | (_, std::cmp::Ordering::Equal) => own - other,
            (EmptiesRule::Winner, std::cmp::Ordering::Greater) => own - other + empty,
            (EmptiesRule::Winner, std::cmp::Ordering::Less) => own - other - empty,
        }
    }
}
