//! The same rules written as plainly as possible: pieces in a map, steps by hand.

use std::collections::BTreeMap;

type Point = (i8, i8);

const FILES: i8 = 3;
const RANKS: i8 = 4;
const STRAIGHT: [Point; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [Point; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// A position. Letters are those of the FEN, the first player's uppercase; a hen is `h`.
#[derive(Clone)]
pub struct Reference {
    pieces: BTreeMap<Point, char>,
    /// In the case of their owner.
    hands: Vec<char>,
    first_to_move: bool,
}

fn name((file, rank): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Reference {
    /// Reads `BOARD[HANDS] SIDE …`.
    pub fn read(fen: &str) -> Reference {
        let (board, rest) = fen.split_once('[').unwrap();
        let (hands, rest) = rest.split_once(']').unwrap();
        let mut pieces = BTreeMap::new();
        for (rank, row) in (0..RANKS).rev().zip(board.split('/')) {
            let (mut file, mut hen) = (0, false);
            for letter in row.chars() {
                match letter {
                    '+' => hen = true,
                    '1'..='3' => file += letter as i8 - '0' as i8,
                    _ => {
                        let letter = match (hen, letter.is_uppercase()) {
                            (true, true) => 'H',
                            (true, false) => 'h',
                            (false, _) => letter,
                        };
                        pieces.insert((file, rank), letter);
                        (file, hen) = (file + 1, false);
                    }
                }
            }
        }
        Reference { pieces, hands: hands.chars().collect(), first_to_move: rest.starts_with(" w") }
    }

    /// Pieces with their squares, and hands, in a fixed order.
    pub fn content(&self) -> Vec<String> {
        let board = self.pieces.iter().map(|(&place, piece)| format!("{piece} {}", name(place)));
        let mut content: Vec<String> = board.chain(self.hands.iter().map(char::to_string)).collect();
        content.sort();
        content
    }

    /// Whether a lion was taken, or stands on its last rank where no enemy reaches it.
    pub fn is_over(&self) -> bool {
        [true, false].into_iter().any(|first| {
            let (lion, home) = if first { ('L', RANKS - 1) } else { ('l', 0) };
            match self.pieces.iter().find(|(_, piece)| **piece == lion) {
                None => true,
                Some((&place, _)) => place.1 == home && !self.is_reached_by(!first, place),
            }
        })
    }

    fn is_reached_by(&self, first: bool, place: Point) -> bool {
        self.pieces.iter().any(|(&from, &piece)| {
            piece.is_uppercase() == first && self.targets(from, piece).contains(&place)
        })
    }

    /// For each piece by its square: 1 if an enemy reaches it, and 2 more if a friend could take it back.
    pub fn statuses(&self) -> BTreeMap<String, u8> {
        let status = |(&place, piece): (&Point, &char)| {
            let mut taken = self.clone();
            taken.pieces.insert(place, if piece.is_uppercase() { 'c' } else { 'C' });
            let attacked = self.is_reached_by(piece.is_lowercase(), place);
            let defended = taken.is_reached_by(piece.is_uppercase(), place);
            (name(place), u8::from(attacked) + 2 * u8::from(defended))
        };
        self.pieces.iter().map(status).collect()
    }

    /// Every legal move as text with the position it leads to, sorted by text; none once the game is over.
    pub fn legal(&self) -> Vec<(String, Reference)> {
        let mut moves = Vec::new();
        if self.is_over() {
            return moves;
        }
        for (&from, &piece) in &self.pieces {
            if piece.is_uppercase() == self.first_to_move {
                moves.extend(self.targets(from, piece).into_iter().map(|to| self.after_step(from, to)));
            }
        }
        let mut held: Vec<usize> =
            (0..self.hands.len()).filter(|&i| self.hands[i].is_uppercase() == self.first_to_move).collect();
        held.dedup_by_key(|i| self.hands[*i]);
        for at in held {
            for file in 0..FILES {
                let free = (0..RANKS).map(|rank| (file, rank)).filter(|to| !self.pieces.contains_key(to));
                moves.extend(free.map(|to| self.after_drop(at, to)));
            }
        }
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves
    }

    fn after_step(&self, from: Point, to: Point) -> (String, Reference) {
        let mut next = self.clone();
        let mut piece = next.pieces.remove(&from).unwrap();
        let home = if self.first_to_move { RANKS - 1 } else { 0 };
        let promotes = piece.eq_ignore_ascii_case(&'c') && to.1 == home;
        if promotes {
            piece = if self.first_to_move { 'H' } else { 'h' };
        }
        if let Some(taken) = next.pieces.insert(to, piece) {
            let kind = if taken.eq_ignore_ascii_case(&'h') { 'c' } else { taken.to_ascii_lowercase() };
            next.hands.push(if self.first_to_move { kind.to_ascii_uppercase() } else { kind });
            next.hands.sort();
        }
        next.first_to_move = !self.first_to_move;
        (format!("{}{}{}", name(from), name(to), if promotes { "+" } else { "" }), next)
    }

    fn after_drop(&self, at: usize, to: Point) -> (String, Reference) {
        let mut next = self.clone();
        let piece = next.hands.remove(at);
        next.pieces.insert(to, piece);
        next.first_to_move = !self.first_to_move;
        (format!("{}@{}", piece.to_ascii_uppercase(), name(to)), next)
    }

    /// The squares to which a piece steps, on the board and not to a friend.
    fn targets(&self, (file, rank): Point, piece: char) -> Vec<Point> {
        let ahead = if piece.is_uppercase() { 1 } else { -1 };
        let steps: Vec<Point> = match piece.to_ascii_lowercase() {
            'c' => vec![(0, ahead)],
            'g' => STRAIGHT.to_vec(),
            'e' => DIAGONAL.to_vec(),
            'l' => [STRAIGHT, DIAGONAL].concat(),
            'h' => STRAIGHT.into_iter().chain([(1, ahead), (-1, ahead)]).collect(),
            _ => unreachable!("no piece of the game"),
        };
        let places = steps.into_iter().map(|(df, dr)| (file + df, rank + dr));
        let on_board = places.filter(|(file, rank)| (0..FILES).contains(file) && (0..RANKS).contains(rank));
        let is_friend = |to: &Point| {
            self.pieces.get(to).is_some_and(|other| other.is_uppercase() == piece.is_uppercase())
        };
        on_board.filter(|to| !is_friend(to)).collect()
    }
}
