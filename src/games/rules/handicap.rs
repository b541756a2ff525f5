//! Handicaps: starts without some pieces of the stronger player, who gives them to the weaker one.

use super::outcome::Side;

/// The handicaps that players of a game know by name, and what they have in common.
#[derive(Debug)]
pub struct Handicaps {
    /// The side of the stronger player, whose pieces are missing.
    pub giver: Side,
    /// The side that moves first.
    pub mover: Side,
    /// Each of them, the smallest first; empty where a game has none.
    pub list: &'static [Handicap],
}

impl Handicaps {
    /// Of a game that has none.
    pub const NONE: Handicaps = Handicaps { giver: Side::Second, mover: Side::First, list: &[] };
}

/// One of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The name on the command line and in addresses.
    pub name: &'static str,
    /// The name in the game's own language, which is read as well.
    pub native: &'static str,
    /// The missing pieces, by their small letters in FEN: those from the giver's left.
    pub left: &'static str,
    /// Those from the giver's right.
    pub right: &'static str,
}

impl Handicap {
    /// One whose pieces are missing from the giver's left, or stand once only.
    pub(super) const fn left(name: &'static str, native: &'static str, pieces: &'static str) -> Handicap {
        Handicap { name, native, left: pieces, right: "" }
    }

    /// One with pieces missing from both of the giver's sides.
    pub(super) const fn both(
        name: &'static str,
        native: &'static str,
        left: &'static str,
        right: &'static str,
    ) -> Handicap {
        Handicap { name, native, left, right }
    }

    /// The FEN of a game's start without these pieces, of the side `giver`; `mover` moves first.
    ///
    /// # Panics
    /// If `start` has not got them: it is none of the game's starts.
    pub(super) fn taken_from(&self, start: &str, giver: Side, mover: Side) -> String {
        let mut fields: Vec<&str> = start.split(' ').collect();
        let mut board: Vec<u8> = fields[0].bytes().collect();
        // The second player sits at the top: its left is the end of a rank.
        let (left, right) = match giver {
            Side::First => (self.left, self.right),
            Side::Second => (self.right, self.left),
        };
        for piece in left.bytes() {
            let square = board.iter().position(|&letter| letter == letter_of(piece, giver));
            board[square.expect("a start has the piece")] = b'1';
        }
        for piece in right.bytes() {
            let square = board.iter().rposition(|&letter| letter == letter_of(piece, giver));
            board[square.expect("a start has the piece")] = b'1';
        }
        let board = String::from_utf8(board).expect("letters and digits");
        fields[0] = &board;
        fields[1] = if mover == Side::First { "w" } else { "b" };
        fields.join(" ")
    }
}

/// The letter of a piece of `side` in FEN.
fn letter_of(piece: u8, side: Side) -> u8 {
    match side {
        Side::First => piece.to_ascii_uppercase(),
        Side::Second => piece,
    }
}
