//! The same rules written as plainly as possible: pieces in a map, every move tried on a copy of the board.

use std::collections::BTreeMap;

use sanki::games::rules::{RuleSet, Side};

type Point = (i8, i8);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Piece {
    side: Side,
    /// Uppercase.
    letter: char,
}

/// A position of janggi under a rule set, without a history.
#[derive(Clone)]
pub struct Reference {
    pieces: BTreeMap<Point, Piece>,
    side: Side,
    rules: RuleSet,
}

const ORTHOGONALS: [Point; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

fn is_on_board((file, rank): Point) -> bool {
    (0..9).contains(&file) && (0..10).contains(&rank)
}

/// The middle of the palace that the point is in.
fn palace((file, rank): Point) -> Option<Point> {
    [(4, 1), (4, 8)].into_iter().find(|middle| (file - middle.0).abs() <= 1 && (rank - middle.1).abs() <= 1)
}

fn home(side: Side) -> Point {
    if side == Side::First { (4, 1) } else { (4, 8) }
}

/// The directions of the lines drawn from a point, the diagonals of the palaces included.
fn lines(from: Point) -> Vec<Point> {
    let mut lines = ORTHOGONALS.to_vec();
    if let Some(middle) = palace(from) {
        let (file, rank) = (from.0 - middle.0, from.1 - middle.1);
        if (file == 0) == (rank == 0) {
            let diagonals = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
            // They end at the edge of the palace.
            lines.extend(
                diagonals.into_iter().filter(|d| palace((from.0 + d.0, from.1 + d.1)) == Some(middle)),
            );
        }
    }
    lines
}

/// The points of the line from a point in a direction that `lines` gives, nearest first.
fn along(from: Point, (file, rank): Point) -> Vec<Point> {
    let points = (1..10).map(|n| (from.0 + n * file, from.1 + n * rank)).take_while(|&to| is_on_board(to));
    if file != 0 && rank != 0 {
        points.take_while(|&to| palace(to) == palace(from)).collect()
    } else {
        points.collect()
    }
}

fn name((file, rank): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Reference {
    /// Reads `BOARD SIDE …`.
    pub fn read(rules: RuleSet, fen: &str) -> Reference {
        let mut fields = fen.split(' ');
        let mut pieces = BTreeMap::new();
        for (text, rank) in fields.next().unwrap().split('/').zip((0..10).rev()) {
            let mut file = 0;
            for c in text.chars() {
                if let Some(empty) = c.to_digit(10) {
                    file += empty as i8;
                } else {
                    let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
                    pieces.insert((file, rank), Piece { side, letter: c.to_ascii_uppercase() });
                    file += 1;
                }
            }
        }
        let side = if fields.next() == Some("w") { Side::First } else { Side::Second };
        Reference { pieces, side, rules }
    }

    /// The pieces as `Second R a10`, in the order of their points.
    pub fn content(&self) -> Vec<String> {
        let texts =
            self.pieces.iter().map(|(&at, piece)| format!("{:?} {} {}", piece.side, piece.letter, name(at)));
        texts.collect()
    }

    pub fn kings_face(&self) -> bool {
        let [first, second] = [Side::First, Side::Second].map(|side| self.king(side));
        first.0 == second.0 && (first.1 + 1..second.1).all(|rank| !self.pieces.contains_key(&(first.0, rank)))
    }

    /// Whether the side to move is in check, as its rules have it.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.side) || self.rules == RuleSet::Martin1995 && self.kings_face()
    }

    /// Every legal move as text with the position it leads to, sorted by text.
    pub fn legal(&self) -> Vec<(String, Reference)> {
        let mut moves: Vec<_> =
            self.moves_of(self.side).into_iter().map(|(from, to)| self.after(from, to)).collect();
        moves.retain(|(_, next)| !(next.is_attacked(self.side) || self.must_hide() && next.kings_face()));
        let king = self.king(self.side);
        let may_pass = match self.rules {
            RuleSet::Points | RuleSet::Traditional => !self.is_check() || self.kings_face(),
            RuleSet::Martin1995 => !self.is_check() && moves.is_empty(),
            _ => !self.is_check(),
        };
        if may_pass {
            moves.push((name(king) + &name(king), Reference { side: !self.side, ..self.clone() }));
        }
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves
    }

    fn must_hide(&self) -> bool {
        match self.rules {
            RuleSet::Points | RuleSet::Traditional => self.kings_face(),
            RuleSet::Martin1995 => self.is_check(),
            _ => false,
        }
    }

    fn after(&self, from: Point, to: Point) -> (String, Reference) {
        let mut next = self.clone();
        let piece = next.pieces.remove(&from).unwrap();
        next.pieces.insert(to, piece);
        next.side = !self.side;
        (name(from) + &name(to), next)
    }

    fn king(&self, side: Side) -> Point {
        let king = Piece { side, letter: 'K' };
        self.pieces.iter().find(|(_, piece)| **piece == king).map(|(&at, _)| at).unwrap()
    }

    fn is_attacked(&self, side: Side) -> bool {
        let king = self.king(side);
        self.moves_of(!side).iter().any(|&(_, to)| to == king)
    }

    /// For each piece by its square: 1 if an enemy reaches it, and 2 more if a friend could take it back.
    pub fn statuses(&self) -> BTreeMap<String, u8> {
        let is_reached_by = |side: Side, place: &Point| {
            let mut pieces = self.pieces.iter().filter(|(_, piece)| piece.side == side);
            pieces.any(|(&from, &piece)| self.targets(from, piece).contains(place))
        };
        let status = |(place, piece): (&Point, &Piece)| {
            let (attacked, defended) = (is_reached_by(!piece.side, place), is_reached_by(piece.side, place));
            (name(*place), u8::from(attacked) + 2 * u8::from(defended))
        };
        self.pieces.iter().map(status).collect()
    }

    /// The moves of a side, checks left aside.
    fn moves_of(&self, side: Side) -> Vec<(Point, Point)> {
        let own = self.pieces.iter().filter(|(_, piece)| piece.side == side);
        let targets = |(&from, &piece)| self.targets(from, piece).into_iter().map(move |to| (from, to));
        own.flat_map(targets)
            .filter(|(_, to)| self.pieces.get(to).is_none_or(|there| there.side != side))
            .collect()
    }

    /// Where a piece goes, its own pieces not excluded.
    fn targets(&self, from: Point, piece: Piece) -> Vec<Point> {
        let is_empty = |at: &Point| is_on_board(*at) && !self.pieces.contains_key(at);
        let step = |(file, rank): Point| (from.0 + file, from.1 + rank);
        match piece.letter {
            'K' | 'A' => {
                lines(from).into_iter().map(step).filter(|&to| palace(to) == Some(home(piece.side))).collect()
            }
            'R' => lines(from).into_iter().flat_map(|line| self.until_piece(along(from, line))).collect(),
            'C' => lines(from).into_iter().flat_map(|line| self.jumps(along(from, line))).collect(),
            'P' => {
                let ahead = if piece.side == Side::First { 1 } else { -1 };
                let is_enemy_palace = palace(from) == Some(home(!piece.side));
                let forward =
                    |&(file, rank): &Point| rank == ahead && (file == 0 || is_enemy_palace) || rank == 0;
                lines(from).into_iter().filter(forward).map(step).filter(|&to| is_on_board(to)).collect()
            }
            // A step, then one or two diagonally outward; all points on the way are empty.
            letter => {
                let mut targets = Vec::new();
                for (file, rank) in ORTHOGONALS {
                    for turn in [-1, 1] {
                        let (side_file, side_rank) = (turn * rank, turn * file);
                        let way: Vec<Point> = (0..if letter == 'N' { 2 } else { 3 })
                            .map(|n| step((file * (n + 1) + side_file * n, rank * (n + 1) + side_rank * n)))
                            .collect();
                        let (to, between) = way.split_last().unwrap();
                        if is_on_board(*to) && between.iter().all(is_empty) {
                            targets.push(*to);
                        }
                    }
                }
                targets
            }
        }
    }

    fn until_piece(&self, points: Vec<Point>) -> Vec<Point> {
        let free = points.iter().take_while(|at| !self.pieces.contains_key(at)).count();
        points.into_iter().take(free + 1).collect()
    }

    /// Where a cannon lands on a line: behind the first piece, if that is no cannon, and on no cannon.
    fn jumps(&self, points: Vec<Point>) -> Vec<Point> {
        let is_cannon = |at: &Point| self.pieces.get(at).is_some_and(|piece| piece.letter == 'C');
        let Some(screen) = points.iter().position(|at| self.pieces.contains_key(at)) else {
            return Vec::new();
        };
        if is_cannon(&points[screen]) {
            return Vec::new();
        }
        self.until_piece(points[screen + 1..].to_vec()).into_iter().filter(|at| !is_cannon(at)).collect()
    }
}
