//! The root moves, those that lead to the same position up to symmetry put together.

use crate::board::{Board, Size};
use crate::position::{Position, Status};
use crate::square::{Move, Squares};
use crate::symmetry::Symmetry;

/// Root moves whose positions are images of one another. They are searched once.
#[derive(Debug)]
pub(super) struct Group {
    /// The position after the first of the moves, in the orientation that is searched, seen from the side to move
    /// there.
    pub(super) child: Board,
    /// Whether the group's move is a pass, which takes no ply.
    pub(super) is_pass: bool,
    members: Vec<Member>,
}

/// One move of a group.
#[derive(Debug)]
struct Member {
    /// The move as the question sees it.
    mv: Move,
    /// What leads from the searched line to this move's line in the orientation of the question: applied in order.
    images: [Symmetry; 2],
}

impl Group {
    /// How many root moves share this group's value.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// The moves of the group with the searched line (which starts after the move) as each of them sees it, in
    /// ascending order of squares.
    pub(super) fn lines<'g>(
        &'g self,
        line: &'g [Move],
        size: Size,
    ) -> impl Iterator<Item = (Move, Vec<Move>)> + 'g {
        self.members.iter().map(move |member| {
            let image = |&mv: &Move| member.images.iter().fold(mv, |mv, symmetry| symmetry.mv(mv, size));
            (member.mv, std::iter::once(member.mv).chain(line.iter().map(image)).collect())
        })
    }
}

/// The groups of the asked root moves (all legal ones when `asked` is `None`), in the order of their first squares in
/// the canonical orientation. A forced pass is one group; a finished game has none.
pub(super) fn groups(position: Position, asked: Option<u64>) -> Vec<Group> {
    let size = position.size();
    let (root, to_canonical) = Symmetry::canonical(position.board(), size);
    let back = to_canonical.inverse();
    match position.status() {
        Status::Finished => return Vec::new(),
        Status::MustPass => {
            let members = vec![Member { mv: Move::Pass, images: [Symmetry::IDENTITY, back] }];
            return vec![Group { child: root.pass(), is_pass: true, members }];
        }
        Status::InProgress => {}
    }
    let asked = to_canonical.set(asked.unwrap_or(u64::MAX) & size.cells(), size);
    let mut groups: Vec<Group> = Vec::new();
    for square in Squares(root.moves(size) & asked) {
        let child = root.after(square.bit(), root.flips(square));
        let mv = Move::Place(back.square(square, size));
        let known = groups.iter_mut().find_map(|group| Some((image(group.child, child, size)?, group)));
        match known {
            Some((symmetry, group)) => group.members.push(Member { mv, images: [symmetry, back] }),
            None => {
                let members = vec![Member { mv, images: [Symmetry::IDENTITY, back] }];
                groups.push(Group { child, is_pass: false, members });
            }
        }
    }
    for group in &mut groups {
        group.members.sort_by_key(|member| member.mv);
    }
    groups
}

/// The symmetry that leads from one board to the other, if there is one.
fn image(from: Board, to: Board, size: Size) -> Option<Symmetry> {
    Symmetry::ALL.into_iter().find(|symmetry| symmetry.board(from, size) == to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Square;

    /// The squares of a list of moves, passes left out.
    fn squares(moves: impl Iterator<Item = Move>) -> Vec<Square> {
        moves.filter_map(|mv| if let Move::Place(square) = mv { Some(square) } else { None }).collect()
    }

    #[test]
    fn the_four_first_moves_are_one_group() {
        for size in Size::ALL {
            let groups = groups(Position::start(size), None);
            assert_eq!(groups.len(), 1, "{size:?}");
            let moves = squares(groups[0].lines(&[], size).map(|(mv, _)| mv));
            let legal: Vec<Square> = Squares(Position::start(size).moves()).collect();
            assert_eq!(moves, legal);
        }
    }

    #[test]
    fn each_member_sees_a_legal_image_of_the_searched_line() {
        let start = Position::start(Size::Eight);
        let groups = groups(start, None);
        let group = &groups[0];
        // The line is searched behind the group's own child, so its first reply is legal there.
        let reply = Squares(group.child.moves(Size::Eight)).last().unwrap();
        for (mv, line) in group.lines(&[Move::Place(reply)], Size::Eight) {
            assert_eq!(line[0], mv);
            let after = line.iter().try_fold(start, |position, &mv| position.play(mv));
            assert!(after.is_ok(), "{line:?}");
        }
    }

    #[test]
    fn only_the_asked_moves_are_kept() {
        let start = Position::start(Size::Eight);
        let first = Squares(start.moves()).next().unwrap();
        let groups = groups(start, Some(first.bit()));
        assert_eq!(squares(groups[0].lines(&[], Size::Eight).map(|(mv, _)| mv)), [first]);
    }
}
