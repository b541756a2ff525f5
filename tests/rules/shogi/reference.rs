//! The same rules written as plainly as possible: pieces in a map, every move tried on a copy of the board.

use std::collections::BTreeMap;

use sanki::games::rules::Side;

type Point = (i8, i8);

#[derive(Clone, Copy)]
struct Piece {
    side: Side,
    /// Uppercase.
    letter: char,
    promoted: bool,
}

/// A position of shogi or minishogi.
#[derive(Clone)]
pub struct Reference {
    files: i8,
    ranks: i8,
    /// Ranks of the promotion zone.
    zone: i8,
    pieces: BTreeMap<Point, Piece>,
    /// One letter for each piece held, uppercase.
    hands: [Vec<char>; 2],
    side: Side,
}

const DIAGONALS: [Point; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const ORTHOGONALS: [Point; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// Single steps and directions of sliding, as `(file, rank)` away from the owner's side.
fn movement(letter: char, promoted: bool) -> (Vec<Point>, Vec<Point>) {
    let gold = vec![(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)];
    match (letter, promoted) {
        ('P', false) => (vec![(0, 1)], vec![]),
        ('L', false) => (vec![], vec![(0, 1)]),
        ('N', false) => (vec![(-1, 2), (1, 2)], vec![]),
        ('S', false) => (vec![(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)], vec![]),
        ('B', false) => (vec![], DIAGONALS.to_vec()),
        ('R', false) => (vec![], ORTHOGONALS.to_vec()),
        ('B', true) => (ORTHOGONALS.to_vec(), DIAGONALS.to_vec()),
        ('R', true) => (DIAGONALS.to_vec(), ORTHOGONALS.to_vec()),
        ('K', _) => ([DIAGONALS, ORTHOGONALS].concat(), vec![]),
        _ => (gold, vec![]),
    }
}

fn name((file, rank): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Reference {
    /// Reads `BOARD[HANDS] SIDE …`.
    pub fn read(fen: &str) -> Reference {
        let (board, rest) = fen.split_once('[').unwrap();
        let (hands, rest) = rest.split_once("] ").unwrap();
        let ranks: Vec<&str> = board.split('/').collect();
        let mut pieces = BTreeMap::new();
        for (row, text) in ranks.iter().rev().enumerate() {
            let (mut file, mut promoted) = (0, false);
            for c in text.chars() {
                if c == '+' {
                    promoted = true;
                } else if let Some(empty) = c.to_digit(10) {
                    file += empty as i8;
                } else {
                    let piece = Piece { side: owner(c), letter: c.to_ascii_uppercase(), promoted };
                    pieces.insert((file, row as i8), piece);
                    (file, promoted) = (file + 1, false);
                }
            }
        }
        let mut held = [Vec::new(), Vec::new()];
        for c in hands.chars() {
            held[owner(c).index()].push(c.to_ascii_uppercase());
        }
        let size = ranks.len() as i8;
        let side = if rest.starts_with('w') { Side::First } else { Side::Second };
        let zone = if size == 9 { 3 } else { 1 };
        Reference { files: size, ranks: size, zone, pieces, hands: held, side }
    }

    pub fn is_check(&self) -> bool {
        self.king_attacked(self.side)
    }

    /// Every legal move as text with the position it leads to, sorted by text.
    pub fn legal(&self) -> Vec<(String, Reference)> {
        let mut moves: Vec<_> = self.board_moves().into_iter().chain(self.drops()).collect();
        moves.retain(|(_, next)| !next.king_attacked(self.side));
        moves.retain(|(text, next)| !text.starts_with("P@") || !next.is_check() || !next.legal().is_empty());
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves
    }

    fn targets(&self, from: Point, piece: Piece) -> Vec<Point> {
        let (steps, slides) = movement(piece.letter, piece.promoted);
        let mut targets = Vec::new();
        let longest = self.files.max(self.ranks);
        for (moves, reach) in [(steps, 1), (slides, longest)] {
            for (file, rank) in moves {
                let ahead = if piece.side == Side::First { 1 } else { -1 };
                for distance in 1..=reach {
                    let to = (from.0 + file * distance, from.1 + rank * distance * ahead);
                    if !(0..self.files).contains(&to.0) || !(0..self.ranks).contains(&to.1) {
                        break;
                    }
                    match self.pieces.get(&to) {
                        Some(other) if other.side == piece.side => break,
                        Some(_) => {
                            targets.push(to);
                            break;
                        }
                        None => targets.push(to),
                    }
                }
            }
        }
        targets
    }

    fn king_attacked(&self, side: Side) -> bool {
        let king = self.pieces.iter().find(|(_, piece)| piece.side == side && piece.letter == 'K');
        king.is_some_and(|(place, _)| self.is_reached_by(!side, place))
    }

    fn is_reached_by(&self, side: Side, place: &Point) -> bool {
        let mut pieces = self.pieces.iter().filter(|(_, piece)| piece.side == side);
        pieces.any(|(&from, &piece)| self.targets(from, piece).contains(place))
    }

    /// For each piece by its square: 1 if an enemy reaches it, and 2 more if a friend could take it back.
    pub fn statuses(&self) -> BTreeMap<String, u8> {
        let status = |(place, piece): (&Point, &Piece)| {
            let mut taken = self.clone();
            taken.pieces.insert(*place, Piece { side: !piece.side, ..*piece });
            let attacked = self.is_reached_by(!piece.side, place);
            let defended = taken.is_reached_by(piece.side, place);
            (name(*place), u8::from(attacked) + 2 * u8::from(defended))
        };
        self.pieces.iter().map(status).collect()
    }

    /// Ranks still ahead of a piece of the side to move.
    fn ranks_ahead(&self, place: Point) -> i8 {
        if self.side == Side::First { self.ranks - 1 - place.1 } else { place.1 }
    }

    /// Whether an unpromoted piece could move on from there.
    fn may_stand(&self, letter: char, place: Point) -> bool {
        let needed = match letter {
            'P' | 'L' => 1,
            'N' => 2,
            _ => 0,
        };
        self.ranks_ahead(place) >= needed
    }

    fn board_moves(&self) -> Vec<(String, Reference)> {
        let mut moves = Vec::new();
        for (&from, &piece) in self.pieces.iter().filter(|(_, piece)| piece.side == self.side) {
            for to in self.targets(from, piece) {
                let text = name(from) + &name(to);
                let in_zone = self.ranks_ahead(from) < self.zone || self.ranks_ahead(to) < self.zone;
                if in_zone && !piece.promoted && "PLNSBR".contains(piece.letter) {
                    moves.push((text.clone() + "+", self.after(from, to, true)));
                }
                if piece.promoted || self.may_stand(piece.letter, to) {
                    moves.push((text, self.after(from, to, piece.promoted)));
                }
            }
        }
        moves
    }

    fn after(&self, from: Point, to: Point, promoted: bool) -> Reference {
        let mut next = self.clone();
        let piece = next.pieces.remove(&from).unwrap();
        if let Some(taken) = next.pieces.insert(to, Piece { promoted, ..piece }) {
            next.hands[self.side.index()].push(taken.letter);
        }
        next.side = !self.side;
        next
    }

    fn drops(&self) -> Vec<(String, Reference)> {
        let mut moves = Vec::new();
        let mut kinds = self.hands[self.side.index()].clone();
        kinds.sort();
        kinds.dedup();
        for letter in kinds {
            for to in (0..self.files).flat_map(|file| (0..self.ranks).map(move |rank| (file, rank))) {
                let second_pawn = letter == 'P' && self.has_pawn(to.0);
                if self.pieces.contains_key(&to) || !self.may_stand(letter, to) || second_pawn {
                    continue;
                }
                let mut next = self.clone();
                next.pieces.insert(to, Piece { side: self.side, letter, promoted: false });
                let held = &mut next.hands[self.side.index()];
                held.remove(held.iter().position(|&held| held == letter).unwrap());
                next.side = !self.side;
                moves.push((format!("{letter}@{}", name(to)), next));
            }
        }
        moves
    }

    fn has_pawn(&self, file: i8) -> bool {
        let mut own = self.pieces.iter().filter(|(place, piece)| place.0 == file && piece.side == self.side);
        own.any(|(_, piece)| piece.letter == 'P' && !piece.promoted)
    }

    /// The pieces in the order of a FEN: board, then hands, sorted.
    pub fn content(&self) -> (Vec<String>, [String; 2]) {
        let pieces = self.pieces.iter().map(|(&place, piece)| {
            let promotion = if piece.promoted { "+" } else { "" };
            format!("{:?} {promotion}{} {}", piece.side, piece.letter, name(place))
        });
        let hands = self.hands.clone().map(|mut hand| {
            hand.sort();
            hand.into_iter().collect()
        });
        (pieces.collect(), hands)
    }
}

fn owner(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}
