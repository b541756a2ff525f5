//! The kinds of pieces.

use crate::games::rules::Side;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PalaceKind {
    /// In janggi wang or jang, in xiangqi jiang or shuai; `K`.
    King,
    /// Sa or shi, `A`.
    Guard,
    /// Sang or xiang, the elephant, `B`.
    Bishop,
    /// Ma, the horse, `N`.
    Knight,
    /// Cha or ju, the chariot, `R`.
    Rook,
    /// Po or pao, `C`.
    Cannon,
    /// The soldier, `P`: byeong (Han) or jol (Cho), bing or zu.
    Pawn,
}

use PalaceKind::*;

/// How many kinds there are.
pub const KINDS: usize = 7;

impl PalaceKind {
    /// Every kind, in the order of the discriminants.
    pub const ALL: [PalaceKind; KINDS] = [King, Guard, Bishop, Knight, Rook, Cannon, Pawn];

    /// The discriminant, in `0..7`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in FEN, uppercase.
    pub const fn letter(self) -> char {
        b"KABNRCP"[self.index()] as char
    }

    /// The letter in FEN: uppercase for the first player, lowercase for the second.
    pub const fn letter_of(self, side: Side) -> char {
        match side {
            Side::First => self.letter(),
            Side::Second => self.letter().to_ascii_lowercase(),
        }
    }
}

/// What the players of a game call its pieces, by kind.
#[derive(Debug)]
pub struct PieceNames {
    /// The words, in lowercase, the usual one first.
    pub words: [&'static [&'static str]; KINDS],
    /// The characters on the pieces of the first and of the second player.
    pub characters: [[char; 2]; KINDS],
}

impl PieceNames {
    /// The words for a kind.
    pub fn of(&self, kind: PalaceKind) -> &'static [&'static str] {
        self.words[kind.index()]
    }

    /// The character on the piece of `side`.
    pub fn character(&self, kind: PalaceKind, side: Side) -> char {
        self.characters[kind.index()][side.index()]
    }

    /// The kind that is called so, in either case, or has this character on a piece.
    pub fn kind(&self, name: &str) -> Option<PalaceKind> {
        let is_called = |kind: &PalaceKind| {
            self.of(*kind).iter().any(|word| word.eq_ignore_ascii_case(name))
                || self.characters[kind.index()].iter().any(|character| name == character.to_string())
        };
        PalaceKind::ALL.into_iter().find(is_called)
    }
}
