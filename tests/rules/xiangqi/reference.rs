//! The same rules written as plainly as possible: pieces in a map, every move tried on a copy of the board.

use std::collections::BTreeMap;

type Point = (i8, i8);

/// A position of xiangqi or minixiangqi. Letters are those of the FEN; the first player's are uppercase.
#[derive(Clone)]
pub struct Reference {
    files: i8,
    ranks: i8,
    pieces: BTreeMap<Point, char>,
    first_to_move: bool,
}

const ORTHOGONALS: [Point; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONALS: [Point; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

fn name((file, rank): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Reference {
    /// Reads `BOARD SIDE …`.
    pub fn read(fen: &str) -> Reference {
        let mut fields = fen.split(' ');
        let rows: Vec<&str> = fields.next().unwrap().split('/').collect();
        let mut pieces = BTreeMap::new();
        let mut files = 0;
        for (rank, row) in rows.iter().rev().enumerate() {
            files = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => files += empty as i8,
                    None => {
                        pieces.insert((files, rank as i8), letter);
                        files += 1;
                    }
                }
            }
        }
        let first_to_move = fields.next() == Some("w");
        Reference { files, ranks: rows.len() as i8, pieces, first_to_move }
    }

    pub fn is_check(&self) -> bool {
        self.king_attacked(self.first_to_move)
    }

    /// Every legal move as text with the position it leads to, sorted by text.
    pub fn legal(&self) -> Vec<(String, Reference)> {
        let mut moves = Vec::new();
        for (&from, &piece) in &self.pieces {
            if piece.is_uppercase() == self.first_to_move {
                moves.extend(self.targets(from, piece).into_iter().map(|to| self.after(from, to)));
            }
        }
        moves.retain(|(_, next)| !next.king_attacked(self.first_to_move) && !next.kings_face());
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves
    }

    /// The pieces in the order of their squares.
    pub fn content(&self) -> Vec<(char, String)> {
        self.pieces.iter().map(|(&place, &piece)| (piece, name(place))).collect()
    }

    /// For each piece by its square: 1 if an enemy reaches it, and 2 more if a friend could take it back.
    pub fn statuses(&self) -> BTreeMap<String, u8> {
        let reached = |board: &Reference, by_first: bool, place: &Point| {
            let mut pieces = board.pieces.iter().filter(|(_, piece)| piece.is_uppercase() == by_first);
            pieces.any(|(&from, &piece)| board.targets(from, piece).contains(place))
        };
        let status = |(place, piece): (&Point, &char)| {
            let mut taken = self.clone();
            taken.pieces.insert(*place, if piece.is_uppercase() { 'p' } else { 'P' });
            let attacked = reached(self, piece.is_lowercase(), place);
            let defended = reached(&taken, piece.is_uppercase(), place);
            (name(*place), u8::from(attacked) + 2 * u8::from(defended))
        };
        self.pieces.iter().map(status).collect()
    }

    fn after(&self, from: Point, to: Point) -> (String, Reference) {
        let mut next = self.clone();
        let piece = next.pieces.remove(&from).unwrap();
        next.pieces.insert(to, piece);
        next.first_to_move = !self.first_to_move;
        (name(from) + &name(to), next)
    }

    fn is_on_board(&self, (file, rank): Point) -> bool {
        (0..self.files).contains(&file) && (0..self.ranks).contains(&rank)
    }

    /// The rank as the piece's owner counts it.
    fn rank_for(&self, piece: char, (_, rank): Point) -> i8 {
        if piece.is_uppercase() { rank } else { self.ranks - 1 - rank }
    }

    fn in_palace(&self, piece: char, place: Point) -> bool {
        (place.0 - self.files / 2).abs() <= 1 && self.rank_for(piece, place) <= 2
    }

    /// Minixiangqi has no river: everything is beyond it.
    fn is_across(&self, piece: char, place: Point) -> bool {
        self.ranks == 7 || self.rank_for(piece, place) >= 5
    }

    fn targets(&self, from: Point, piece: char) -> Vec<Point> {
        let ahead = if piece.is_uppercase() { 1 } else { -1 };
        let add = |a: Point, b: Point| (a.0 + b.0, a.1 + b.1);
        let is_empty = |place: &Point| !self.pieces.contains_key(place);
        let mut targets = Vec::new();
        match piece.to_ascii_uppercase() {
            'K' => targets.extend(ORTHOGONALS.map(|step| add(from, step))),
            'A' => targets.extend(DIAGONALS.map(|step| add(from, step))),
            'B' => {
                let open = DIAGONALS.into_iter().filter(|&step| is_empty(&add(from, step)));
                targets.extend(open.map(|step| add(add(from, step), step)));
                targets.retain(|&to| !self.is_across(piece, to));
            }
            'N' => {
                for leg in ORTHOGONALS.into_iter().filter(|&leg| is_empty(&add(from, leg))) {
                    let outward = DIAGONALS.into_iter().filter(|step| step.0 * leg.0 + step.1 * leg.1 > 0);
                    targets.extend(outward.map(|step| add(add(from, leg), step)));
                }
            }
            'P' => {
                targets.push(add(from, (0, ahead)));
                if self.is_across(piece, from) {
                    targets.extend([add(from, (1, 0)), add(from, (-1, 0))]);
                }
            }
            letter => {
                for step in ORTHOGONALS {
                    targets.extend(self.slide(from, step, letter == 'C'));
                }
            }
        }
        if "KA".contains(piece.to_ascii_uppercase()) {
            targets.retain(|&to| self.in_palace(piece, to));
        }
        targets.retain(|&to| self.is_on_board(to));
        let own = |other: &char| other.is_uppercase() == piece.is_uppercase();
        targets.retain(|to| !self.pieces.get(to).is_some_and(own));
        targets
    }

    /// Along one direction: a rook stops at the first piece, a cannon takes the second.
    fn slide(&self, from: Point, step: Point, jumps: bool) -> Vec<Point> {
        let mut targets = Vec::new();
        let mut passed = 0;
        let mut place = (from.0 + step.0, from.1 + step.1);
        while self.is_on_board(place) {
            let occupied = self.pieces.contains_key(&place);
            passed += i32::from(occupied);
            let goes = if jumps {
                !occupied && passed == 0 || occupied && passed == 2
            } else {
                passed == i32::from(occupied)
            };
            if goes {
                targets.push(place);
            }
            place = (place.0 + step.0, place.1 + step.1);
        }
        targets
    }

    fn king(&self, of_first: bool) -> Point {
        let letter = if of_first { 'K' } else { 'k' };
        *self.pieces.iter().find(|(_, piece)| **piece == letter).unwrap().0
    }

    fn king_attacked(&self, of_first: bool) -> bool {
        let king = self.king(of_first);
        let mut enemies = self.pieces.iter().filter(|(_, piece)| piece.is_uppercase() != of_first);
        enemies.any(|(&from, &piece)| self.targets(from, piece).contains(&king))
    }

    fn kings_face(&self) -> bool {
        let (low, high) = (self.king(true), self.king(false));
        low.0 == high.0 && !(low.1 + 1..high.1).any(|rank| self.pieces.contains_key(&(low.0, rank)))
    }
}
