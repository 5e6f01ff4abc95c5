//! The eight symmetries of a square board.

use crate::color::Color;
use crate::grid::Cell;
use crate::point::{Point, Size};
use crate::position::Position;

/// A turn or mirror image of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Bit 0: columns are mirrored; bit 1: rows are; bit 2: columns and rows are exchanged first.
    bits: u8,
}

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self { bits })
    }

    /// Where the symmetry takes a point.
    pub fn apply(self, point: Point, size: Size) -> Point {
        let last = size.get() - 1;
        let (mut x, mut y) = (point.x(), point.y());
        if self.bits & 4 != 0 {
            (x, y) = (y, x);
        }
        if self.bits & 1 != 0 {
            x = last - x;
        }
        if self.bits & 2 != 0 {
            y = last - y;
        }
        Point::new(x, y).expect("a symmetry keeps points on their board")
    }

    /// The symmetry that takes everything back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Mirrors undo themselves; behind an exchange they act on the other axis.
        let bits =
            if self.bits & 4 == 0 { self.bits } else { 4 | (self.bits & 1) << 1 | (self.bits & 2) >> 1 };
        Self { bits }
    }

    /// The position as the symmetry shows it.
    pub fn of_position(self, position: &Position) -> Position {
        let size = position.size();
        let stones: Vec<(Point, Color)> = Color::BOTH
            .into_iter()
            .flat_map(|color| position.grid().stones(color).map(move |point| (point, color)))
            .map(|(point, color)| (self.apply(point, size), color))
            .collect();
        Position::from_stones(size, position.rule(), &stones, position.side())
            .expect("a symmetry of a position is one")
    }

    /// The one of the eight images of a position that stands for all of them, and the symmetry that leads to it.
    pub fn canonical(position: &Position) -> (Position, Self) {
        let size = position.size();
        let code = |cell| match cell {
            Cell::Stone(Color::Black) => 1_u8,
            Cell::Stone(Color::White) => 2,
            Cell::Empty | Cell::Wall => 0,
        };
        let image = |symmetry: Self| -> Vec<u8> {
            let back = symmetry.inverse();
            size.points().map(|point| code(position.grid().get(back.apply(point, size)))).collect()
        };
        let best = Self::all().max_by_key(|&symmetry| (image(symmetry), std::cmp::Reverse(symmetry.bits)));
        let best = best.expect("there are eight");
        (best.of_position(position), best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rule;

    #[test]
    fn every_symmetry_is_undone_by_its_inverse_and_no_two_are_the_same() {
        for size in [5, 6, 15].map(|side| Size::new(side).unwrap()) {
            let mut images = std::collections::HashSet::new();
            for symmetry in Symmetry::all() {
                let image: Vec<Point> = size.points().map(|point| symmetry.apply(point, size)).collect();
                for (point, &moved) in size.points().zip(&image) {
                    assert_eq!(symmetry.inverse().apply(moved, size), point, "{symmetry:?}");
                }
                assert!(images.insert(image), "{symmetry:?}");
            }
        }
    }

    #[test]
    fn all_images_of_a_position_have_the_same_canonical_one() {
        let size = Size::DEFAULT;
        let points = [(7, 7), (8, 9), (3, 4), (0, 14), (9, 9)].map(|(x, y)| Point::new(x, y).unwrap());
        let position = Position::from_moves(size, Rule::Standard, &points).unwrap();
        let (expected, _) = Symmetry::canonical(&position);
        for symmetry in Symmetry::all() {
            let image = symmetry.of_position(&position);
            let (canonical, to) = Symmetry::canonical(&image);
            assert_eq!(canonical, expected);
            assert_eq!(to.of_position(&image), expected);
            assert_eq!(to.inverse().of_position(&canonical), image);
        }
    }
}
