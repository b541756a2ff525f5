//! A board of shogi or minishogi cell by cell, as KIF and CSA draw it.

use crate::games::{notation::Piece, rules::Side};

/// Files and ranks of shogi's board.
pub(super) const SIZE: usize = 9;
/// The pieces of a hand, the greatest first.
pub(super) const HAND: [char; 7] = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];
/// How many of each, in the order of [`HAND`], a set has.
const SET: [u8; 7] = [2, 2, 4, 4, 4, 4, 18];
/// Pieces of a kind that a hand can hold: all pawns of a set.
const MOST: u8 = 18;
/// The start.
pub(super) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w";

/// Cells, hands and whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Diagram {
    /// The ranks from the top, each from the left: from file 9 to 1.
    pub(super) cells: Vec<Vec<Option<(Side, Piece)>>>,
    /// By side, the numbers of the pieces in [`HAND`].
    pub(super) hands: [[u8; 7]; 2],
    pub(super) side: Side,
}

impl Diagram {
    /// An empty board of `size` files and ranks.
    pub(super) fn empty(size: usize) -> Self {
        Diagram { cells: vec![vec![None; size]; size], hands: [[0; 7]; 2], side: Side::First }
    }

    /// Files and ranks.
    pub(super) fn size(&self) -> usize {
        self.cells.len()
    }

    /// That of a FEN that we wrote.
    pub(super) fn of_fen(fen: &str) -> Self {
        let (board, rest) = fen.split_once('[').expect("a FEN of shogi has hands");
        let (hands, rest) = rest.split_once(']').expect("hands end");
        let mut diagram = Diagram::empty(board.split('/').count());
        for (row, rank) in diagram.cells.iter_mut().zip(board.split('/')) {
            let (mut file, mut promoted) = (0, false);
            for letter in rank.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None if letter == '+' => promoted = true,
                    None => {
                        let piece = Piece { letter: letter.to_ascii_uppercase(), promoted };
                        row[file] = Some((side_of(letter), piece));
                        (file, promoted) = (file + 1, false);
                    }
                }
            }
        }
        for letter in hands.chars() {
            if let Some(kind) = kind_of(letter.to_ascii_uppercase()) {
                diagram.hands[side_of(letter).index()][kind] += 1;
            }
        }
        diagram.side = if rest.trim_start().starts_with('b') { Side::Second } else { Side::First };
        diagram
    }

    /// As a FEN.
    pub(super) fn fen(&self) -> String {
        let mut ranks = Vec::new();
        for row in &self.cells {
            let mut rank = String::new();
            let mut empty = 0;
            for cell in row.iter().map(Some).chain([None]) {
                if let Some(None) = cell {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    rank += &empty.to_string();
                    empty = 0;
                }
                if let Some(Some((side, piece))) = cell {
                    rank += if piece.promoted { "+" } else { "" };
                    rank.push(letter_of(*side, piece.letter));
                }
            }
            ranks.push(rank);
        }
        let mut hands = String::new();
        for side in [Side::First, Side::Second] {
            for (letter, &count) in HAND.iter().zip(&self.hands[side.index()]) {
                (0..count).for_each(|_| hands.push(letter_of(side, *letter)));
            }
        }
        let side = if self.side == Side::First { 'w' } else { 'b' };
        format!("{}[{hands}] {side} - - 0 1", ranks.join("/"))
    }

    /// The cell on `file` and `rank`, both from 1 at the first player's right and from the top.
    pub(super) fn cell(&mut self, file: usize, rank: usize) -> Option<&mut Option<(Side, Piece)>> {
        let size = self.size();
        self.cells.get_mut(rank.checked_sub(1)?)?.get_mut(size.checked_sub(file)?)
    }

    /// Adds `count` pieces of a kind to a hand. False if that kind, or that many of it, cannot be held.
    #[must_use]
    pub(super) fn hold(&mut self, side: Side, letter: char, count: u8) -> bool {
        let Some(kind) = kind_of(letter) else { return false };
        let held = &mut self.hands[side.index()][kind];
        *held = held.saturating_add(count);
        // Whether a position has too many altogether is for the rules to say.
        *held <= MOST
    }

    /// Gives `side` what is neither on the board nor in a hand.
    pub(super) fn hold_rest(&mut self, side: Side) {
        for (kind, &letter) in HAND.iter().enumerate() {
            let cells = self.cells.iter().flatten().flatten();
            let used = cells.filter(|(_, piece)| piece.letter == letter).count() as u8;
            let held = self.hands[0][kind] + self.hands[1][kind];
            self.hands[side.index()][kind] += SET[kind].saturating_sub(used.saturating_add(held));
        }
    }
}

fn kind_of(letter: char) -> Option<usize> {
    HAND.iter().position(|&kind| kind == letter)
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

fn letter_of(side: Side, letter: char) -> char {
    if side == Side::First { letter } else { letter.to_ascii_lowercase() }
}
