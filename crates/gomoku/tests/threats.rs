//! Wins by fours and by threats against the golden rows; every line is replayed with plain rules.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod support;

use gomoku::Neighborhood;
use gomoku::board::Board;
use gomoku::color::Color;
use gomoku::grid::Cell;
use gomoku::point::{Point, RowOne, Size};
use gomoku::position::{Position, Status};
use gomoku::rules::Rule;
use gomoku::threats::{ThreatAnswer, Verdict, vcf, vct};
use support::{after, data, points, table};

fn solve(
    position: &Position,
    limit: u64,
    solver: fn(&mut Board, u64, &dyn Fn() -> bool) -> ThreatAnswer,
) -> ThreatAnswer {
    let mut board = Board::new(position, Neighborhood::Square(2));
    let answer = solver(&mut board, limit, &|| false);
    assert_eq!(board.plies(), 0, "the board comes back as it was");
    answer
}

/// The points on which a colour makes five, by the rules alone.
fn five_points(position: &Position, color: Color) -> Vec<Point> {
    position
        .grid()
        .empty()
        .filter(|&point| position.rule().makes_five(position.grid(), point, color))
        .collect()
}

/// Replays a line: legal throughout, ends in the attacker's five, and before each reply the defender must block.
fn replay_fours(position: &Position, line: &[Point], attacker_moves: u16) {
    let attacker = position.side();
    assert_eq!(line.len(), usize::from(attacker_moves) * 2 - 1);
    let mut now = position.clone();
    for (index, &point) in line.iter().enumerate() {
        assert_eq!(now.status(), Status::InProgress);
        if index % 2 == 1 {
            assert!(five_points(&now, now.side()).is_empty(), "the defender could make five");
            let threats = five_points(&now, attacker);
            let blocks: Vec<&Point> = threats
                .iter()
                .filter(|&&p| now.forbidden(p).is_none() || now.side() == Color::White)
                .collect();
            assert!(!threats.is_empty(), "every move but the last makes a four");
            assert!(threats.len() > 1 || blocks.is_empty() || threats[0] == point, "the reply is forced");
        }
        now = now.play(point).unwrap();
    }
    assert_eq!(now.status(), Status::Won(attacker));
}

fn check_vcf_table(name: &str, rule: Rule) {
    let rows = table(name);
    for row in &rows {
        let position = after(rule, &row["moves"]);
        assert_eq!(position.side().to_string(), row["side"]);
        let answer = solve(&position, 20_000_000, vcf);
        let Verdict::Win { attacker_moves, line } = answer.verdict else {
            panic!("{}: {answer:?}", row["id"])
        };
        assert_eq!(attacker_moves.to_string(), row["n"], "{}", row["id"]);
        assert!(points(&row["wins"]).contains(&line[0]), "{}: {:?}", row["id"], line[0]);
        replay_fours(&position, &line, attacker_moves);
    }
    assert!(rows.len() >= 67);
}

#[test]
fn every_freestyle_four_attack_is_found_at_its_shortest() {
    check_vcf_table("vcf.tsv", Rule::Freestyle);
}

#[test]
fn every_standard_four_attack_is_found_at_its_shortest() {
    check_vcf_table("vcf-standard.tsv", Rule::Standard);
}

#[test]
fn exactly_the_golden_first_moves_win_by_fours() {
    // A first move wins when the forced reply to it leaves a win by fours, or no reply is left.
    for row in table("vcf.tsv").iter().take(25) {
        let position = after(Rule::Freestyle, &row["moves"]);
        let attacker = position.side();
        let mut wins = Vec::new();
        for point in position.legal_moves() {
            let next = position.play(point).unwrap();
            let threats = five_points(&next, attacker);
            let won = match threats[..] {
                _ if !five_points(&next, attacker.other()).is_empty() => false,
                [] => false,
                [only] => {
                    matches!(solve(&next.play(only).unwrap(), 20_000_000, vcf).verdict, Verdict::Win { .. })
                }
                _ => true,
            };
            if won {
                wins.push(point);
            }
        }
        let mut golden = points(&row["wins"]);
        golden.sort_unstable();
        assert_eq!(wins, golden, "{}", row["id"]);
    }
}

#[test]
fn positions_without_a_four_attack_are_proven_to_have_none() {
    let rows = table("no-vcf.tsv");
    for row in &rows {
        let position = after(Rule::from_name(&row["rule"]).unwrap(), &row["moves"]);
        assert_eq!(position.side().to_string(), row["side"]);
        assert_eq!(solve(&position, 20_000_000, vcf).verdict, Verdict::None, "{}", row["id"]);
    }
    assert_eq!(rows.len(), 43);
}

#[derive(serde::Deserialize)]
struct RenjuCase {
    id: String,
    board: String,
    to_move: String,
    one_winning_line: Vec<String>,
}

#[test]
fn renju_four_attacks_are_found_and_avoid_forbidden_points() {
    for line in data("vcf.jsonl").lines() {
        let case: RenjuCase = serde_json::from_str(line).unwrap();
        let side = if case.to_move == "black" { Color::Black } else { Color::White };
        let position = support::board(Rule::Renju, &case.board, side);
        // The given line says how row numbers run: its first move must be a legal four.
        let first = Point::parse(&case.one_winning_line[0], Size::DEFAULT, RowOne::Bottom).unwrap();
        assert!(position.check(first).is_ok());
        let answer = solve(&position, 30_000_000, vcf);
        let Verdict::Win { attacker_moves, line } = answer.verdict else { panic!("{}: {answer:?}", case.id) };
        assert!(usize::from(attacker_moves) * 2 - 1 <= case.one_winning_line.len() + 2);
        replay_fours(&position, &line, attacker_moves);
    }
}

#[test]
fn the_seed_four_attacks_have_their_golden_length() {
    let tactics: serde_json::Value = serde_json::from_str(&data("gomoku_tactics.json")).unwrap();
    let position = |case: &serde_json::Value| {
        let side = if case["side"] == "X" { Color::Black } else { Color::White };
        support::board(Rule::Freestyle, case["board"].as_str().unwrap(), side)
    };
    for case in tactics["vcf"].as_array().unwrap() {
        let answer = solve(&position(case), 10_000_000, vcf);
        let Verdict::Win { attacker_moves, line } = answer.verdict else { panic!("{case}") };
        assert_eq!(u64::from(attacker_moves), case["attacker_moves"].as_u64().unwrap());
        let first = serde_json::json!([line[0].y(), line[0].x()]);
        assert!(case["first_moves"].as_array().unwrap().contains(&first), "{case}");
    }
    for case in tactics["no_vcf"].as_array().unwrap() {
        assert_eq!(solve(&position(case), 10_000_000, vcf).verdict, Verdict::None, "{case}");
    }
}

#[test]
fn every_golden_threat_attack_is_won() {
    let rows = table("vct.tsv");
    for row in &rows {
        let position = after(Rule::Freestyle, &row["moves"]);
        assert_eq!(solve(&position, 20_000_000, vcf).verdict, Verdict::None, "{}", row["id"]);
        let answer = solve(&position, 3_000_000, vct);
        let Verdict::Win { attacker_moves, line } = answer.verdict else {
            panic!("{}: not won in {} nodes", row["id"], answer.nodes)
        };
        let mut now = position.clone();
        for &point in &line {
            now = now.play(point).unwrap();
        }
        assert_eq!(now.status(), Status::Won(position.side()), "{}", row["id"]);
        assert_eq!(line.len(), usize::from(attacker_moves) * 2 - 1);
    }
    assert_eq!(rows.len(), 32);
}

/// A literal threat search on a small board: the attacker plays every stone that makes a four or an open three along a
/// line through it, the defender every reply.
struct Literal {
    side: usize,
    /// 0 empty, 1 the attacker's, 2 the defender's.
    cells: Vec<u8>,
}

impl Literal {
    fn of(position: &Position) -> Self {
        let cell = |point| match position.grid().get(point) {
            Cell::Stone(color) if color == position.side() => 1,
            Cell::Stone(_) => 2,
            _ => 0,
        };
        Self { side: usize::from(position.size().get()), cells: position.size().points().map(cell).collect() }
    }

    /// The points of a line through `at` from end to end.
    fn line(&self, at: usize, (dx, dy): (i32, i32)) -> Vec<usize> {
        let side = self.side as i32;
        let (x, y) = (at as i32 % side, at as i32 / side);
        (-side..=side)
            .map(|k| (x + k * dx, y + k * dy))
            .filter(|&(x, y)| (0..side).contains(&x) && (0..side).contains(&y))
            .map(|(x, y)| (y * side + x) as usize)
            .collect()
    }

    /// Whether there are five of `who` in a row along the line, with `with` among them.
    fn five(&self, line: &[usize], who: u8, with: usize) -> bool {
        line.windows(5).any(|five| five.contains(&with) && five.iter().all(|&at| self.cells[at] == who))
    }

    /// The points of the line where one more stone makes five with `with`.
    fn five_points(&mut self, line: &[usize], who: u8, with: usize) -> Vec<usize> {
        let empty: Vec<usize> = line.iter().copied().filter(|&at| self.cells[at] == 0).collect();
        let makes = |this: &mut Self, at: usize| {
            this.cells[at] = who;
            let five = this.five(line, who, with);
            this.cells[at] = 0;
            five
        };
        empty.into_iter().filter(|&at| makes(self, at)).collect()
    }

    fn all_five_points(&mut self, who: u8) -> Vec<usize> {
        let empty: Vec<usize> = (0..self.cells.len()).filter(|&at| self.cells[at] == 0).collect();
        let makes = |this: &mut Self, at: usize| {
            this.cells[at] = who;
            let five = DIRECTIONS.iter().any(|&direction| this.five(&this.line(at, direction), who, at));
            this.cells[at] = 0;
            five
        };
        empty.into_iter().filter(|&at| makes(self, at)).collect()
    }

    /// Whether the attacker's stone on `at` makes a four or an open three.
    fn is_threat(&mut self, at: usize) -> bool {
        DIRECTIONS.iter().any(|&direction| {
            let line = self.line(at, direction);
            let empty: Vec<usize> = line.iter().copied().filter(|&at| self.cells[at] == 0).collect();
            !self.five_points(&line, 1, at).is_empty()
                || empty.into_iter().any(|second| {
                    self.cells[second] = 1;
                    let open_four = self.five_points(&line, 1, at).len() >= 2;
                    self.cells[second] = 0;
                    open_four
                })
        })
    }

    /// Whether the attacker, to move, wins within so many of its moves.
    fn wins(&mut self, moves: u8) -> bool {
        if !self.all_five_points(1).is_empty() {
            return true;
        }
        let blocks = self.all_five_points(2);
        if moves <= 1 || blocks.len() > 1 {
            return false;
        }
        let tries: Vec<usize> = if blocks.is_empty() {
            (0..self.cells.len()).filter(|&at| self.cells[at] == 0).collect()
        } else {
            blocks
        };
        tries.into_iter().any(|at| {
            self.cells[at] = 1;
            let won = self.is_threat(at) && self.loses(moves - 1);
            self.cells[at] = 0;
            won
        })
    }

    fn loses(&mut self, moves: u8) -> bool {
        if !self.all_five_points(2).is_empty() {
            return false;
        }
        let fives = self.all_five_points(1);
        let replies: Vec<usize> = match fives.len() {
            0 => (0..self.cells.len()).filter(|&at| self.cells[at] == 0).collect(),
            1 => fives,
            _ => return true,
        };
        replies.into_iter().all(|at| {
            self.cells[at] = 2;
            let won = self.wins(moves);
            self.cells[at] = 0;
            won
        })
    }
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

#[test]
fn no_win_by_threats_is_denied_that_a_literal_search_finds() {
    let mut random = support::Random(20_26);
    let size = Size::new(7).unwrap();
    let (mut denied, mut won) = (0, 0);
    for _ in 0..250 {
        let mut position = Position::empty(size, Rule::Freestyle);
        for _ in 0..10 + 2 * random.below(4) {
            let legal = position.legal_moves();
            // A game that is over has none.
            if !legal.is_empty() {
                position = position.play(legal[random.below(legal.len())]).unwrap();
            }
        }
        if position.status() != Status::InProgress {
            continue;
        }
        match solve(&position, 100_000, vct).verdict {
            Verdict::None => {
                denied += 1;
                assert!(!Literal::of(&position).wins(3), "{:?}", position.grid());
            }
            Verdict::Win { attacker_moves, .. } => {
                won += 1;
                assert!(attacker_moves > 3 || Literal::of(&position).wins(3), "{:?}", position.grid());
            }
            Verdict::Unknown => {}
        }
    }
    assert!(denied > 40 && won > 20, "{denied} {won}");
}
