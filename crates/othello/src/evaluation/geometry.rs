//! The sets of squares that the evaluation talks about, on each board size.

use crate::board::Size;

/// Classes of squares that the symmetries of the board map onto each other, except the corner and the middle.
pub const CLASSES: usize = 8;

/// Rings and places of the square classes: the two distances from the nearest borders, smaller first. On smaller
/// boards the same distances name the same kind of square; classes that do not exist there stay empty.
const CLASS_DISTANCES: [(u8, u8); CLASSES] = [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3)];

/// Fixed sets of squares of one board size, as bitboards.
#[derive(Debug)]
pub struct Geometry {
    /// All playable cells.
    pub cells: u64,
    /// The four corners.
    pub corners: u64,
    /// The cells of the outermost rows and columns.
    pub border: u64,
    /// The cells of the first and last column.
    pub side_columns: u64,
    /// The cells of the first and last row.
    pub side_rows: u64,
    /// X squares: the diagonal neighbours of the corners.
    pub x_squares: u64,
    /// C squares: the neighbours of the corners along the border.
    pub c_squares: u64,
    /// The square classes of the positional term: C, A, B, X and four inner ones.
    pub classes: [u64; CLASSES],
}

impl Geometry {
    /// The sets of one board size.
    pub const fn of(size: Size) -> &'static Self {
        match size {
            Size::Four => &FOUR,
            Size::Six => &SIX,
            Size::Eight => &EIGHT,
        }
    }
}

static FOUR: Geometry = geometry(Size::Four);
static SIX: Geometry = geometry(Size::Six);
static EIGHT: Geometry = geometry(Size::Eight);

/// The cells whose distances from the nearest borders are `near` and `far` in either order.
const fn cells_at(size: Size, near: u8, far: u8) -> u64 {
    let side = size.side();
    let mut found = 0;
    let mut index = 0;
    while index < 64 {
        let (row, column) = (index / 8, index % 8);
        if row < side && column < side {
            let vertical = if row < side - 1 - row { row } else { side - 1 - row };
            let horizontal = if column < side - 1 - column { column } else { side - 1 - column };
            if (vertical == near && horizontal == far) || (vertical == far && horizontal == near) {
                found |= 1 << index;
            }
        }
        index += 1;
    }
    found
}

const fn geometry(size: Size) -> Geometry {
    let last = size.side() as u32 - 1;
    let first_column = size.cells() & 0x0101_0101_0101_0101;
    let first_row = size.cells() & 0xFF;
    let side_columns = first_column | first_column << last;
    let side_rows = first_row | first_row << (8 * last);
    let mut classes = [0; CLASSES];
    let mut class = 0;
    while class < CLASSES {
        let (near, far) = CLASS_DISTANCES[class];
        classes[class] = cells_at(size, near, far);
        class += 1;
    }
    Geometry {
        cells: size.cells(),
        corners: cells_at(size, 0, 0),
        border: side_columns | side_rows,
        side_columns,
        side_rows,
        x_squares: cells_at(size, 1, 1),
        c_squares: cells_at(size, 0, 1),
        classes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_corners_and_middle_cover_the_standard_board_once() {
        let mut seen = EIGHT.corners | cells_at(Size::Eight, 3, 3);
        for class in EIGHT.classes {
            assert_eq!(seen & class, 0);
            seen |= class;
        }
        assert_eq!(seen, u64::MAX);
    }

    #[test]
    fn every_set_lies_on_its_board() {
        for size in Size::ALL {
            let geometry = Geometry::of(size);
            let all =
                geometry.classes.into_iter().fold(geometry.border | geometry.corners, |all, set| all | set);
            assert_eq!(all & !size.cells(), 0, "{size:?}");
            assert_eq!(geometry.corners.count_ones(), 4);
            assert_eq!(geometry.border.count_ones(), u32::from(size.side()) * 4 - 4);
        }
    }
}
