//! The pattern shapes and where their instances lie on the board.

use crate::square::Square;

/// Pattern instances on the board.
pub const INSTANCES: usize = 50;
/// Shapes: instances of one shape share rows.
pub const SHAPES: usize = 12;

/// The cells of each shape in one orientation, as columns a..h and rows 1..8, lowest digit first.
const SHAPE_CELLS: [&[u8]; SHAPES] = [
    // Edge.
    &[0, 1, 2, 3, 4, 5, 6, 7],
    // Edge ends with both X squares: a1 b1 c1 f1 g1 h1 b2 g2.
    &[0, 1, 2, 5, 6, 7, 9, 14],
    // Rows 2, 3 and 4.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // Corner block of 3x3.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // Corner block of 4x2.
    &[0, 1, 2, 3, 8, 9, 10, 11],
    // Diagonals of 8, 7, 6, 5 and 4 cells.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// One instance of a shape.
#[derive(Debug, Clone, Copy)]
pub struct Instance {
    /// Index of its shape.
    pub shape: usize,
    /// Its cells; only the first `length` count.
    pub cells: [u8; 9],
    /// Number of cells.
    pub length: usize,
}

/// The number of rows of each shape: 3 to the power of its cells.
pub fn rows_of(shape: usize) -> usize {
    3usize.pow(SHAPE_CELLS[shape].len() as u32)
}

/// Where each shape's rows start when all rows stand one after another; the last entry is the number of all rows.
pub fn row_offsets() -> [usize; SHAPES + 1] {
    let mut offsets = [0; SHAPES + 1];
    for shape in 0..SHAPES {
        offsets[shape + 1] = offsets[shape] + rows_of(shape);
    }
    offsets
}

/// All instances: every image of every shape under the eight symmetries that covers another set of cells.
pub fn instances() -> Vec<Instance> {
    let mut found: Vec<Instance> = Vec::with_capacity(INSTANCES);
    for (shape, cells) in SHAPE_CELLS.iter().enumerate() {
        let mut covered: Vec<u64> = Vec::new();
        for symmetry in 0..8 {
            let image: Vec<u8> = cells.iter().map(|&cell| transform(symmetry, cell)).collect();
            let mask = image.iter().fold(0u64, |mask, &cell| mask | 1 << cell);
            if covered.contains(&mask) {
                continue;
            }
            covered.push(mask);
            let mut padded = [0; 9];
            padded[..image.len()].copy_from_slice(&image);
            found.push(Instance { shape, cells: padded, length: image.len() });
        }
    }
    debug_assert_eq!(found.len(), INSTANCES);
    found
}

/// For every row of a shape, the row that stands for it: the smaller of the row itself and its mirror image, for
/// shapes that some symmetry of the board maps onto themselves. Rows that stand for themselves are the trained ones.
pub fn canonical_rows(shape: usize) -> Vec<u32> {
    let cells = SHAPE_CELLS[shape];
    let permutation = (1..8).find_map(|symmetry| {
        let image: Option<Vec<usize>> = cells
            .iter()
            .map(|&cell| {
                let target = transform(symmetry, cell);
                cells.iter().position(|&other| other == target)
            })
            .collect();
        image.filter(|image| image.iter().enumerate().any(|(from, &to)| from != to))
    });
    (0..rows_of(shape) as u32)
        .map(|row| match &permutation {
            None => row,
            Some(permutation) => row.min(mirrored(row, permutation)),
        })
        .collect()
}

/// The row in which digit `permutation[i]` is what digit `i` is in `row`.
fn mirrored(row: u32, permutation: &[usize]) -> u32 {
    let mut rest = row;
    permutation
        .iter()
        .map(|&to| {
            let digit = rest % 3;
            rest /= 3;
            digit * 3u32.pow(to as u32)
        })
        .sum()
}

/// The image of a cell under one of the eight symmetries: bit 0 transposes, bit 1 mirrors columns, bit 2 rows.
fn transform(symmetry: u8, cell: u8) -> u8 {
    let (mut row, mut column) = (cell / 8, cell % 8);
    if symmetry & 1 != 0 {
        (row, column) = (column, row);
    }
    if symmetry & 2 != 0 {
        column = 7 - column;
    }
    if symmetry & 4 != 0 {
        row = 7 - row;
    }
    row * 8 + column
}

/// The instances that contain each square, with the weight of the square's digit.
pub fn digits_of(square: Square) -> impl Iterator<Item = (usize, u16)> {
    instances().into_iter().enumerate().filter_map(move |(number, instance)| {
        let place = instance.cells[..instance.length].iter().position(|&cell| cell == square.index())?;
        Some((number, 3u16.pow(place as u32)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_cover_every_square_at_least_three_times() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert!(digits_of(square).count() >= 3, "{square}");
        }
        assert_eq!(instances().len(), INSTANCES);
        assert_eq!(row_offsets()[SHAPES], 68_850);
    }

    #[test]
    fn mirror_images_share_a_row() {
        for shape in 0..SHAPES {
            let canonical = canonical_rows(shape);
            for &row in &canonical {
                assert_eq!(canonical[row as usize], row, "shape {shape}: the standing row stands for itself");
            }
        }
        // Only the 4x2 corner block has no symmetry of its own.
        let own = (0..SHAPES).filter(|&shape| {
            canonical_rows(shape).iter().enumerate().all(|(row, &standing)| row as u32 == standing)
        });
        assert_eq!(own.collect::<Vec<_>>(), [6]);
    }
}
