//! Pieces, their letters and their names.

use crate::rules::Side;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// Jiang or shuai, `K`.
    King,
    /// Shi, `A`.
    Guard,
    /// Xiang, the elephant, `B`.
    Bishop,
    /// Ma, the horse, `N`.
    Knight,
    /// Ju, the chariot, `R`.
    Rook,
    /// Pao, `C`.
    Cannon,
    /// Bing or zu, the soldier, `P`.
    Pawn,
}

use PieceKind::*;

/// How many kinds there are.
pub(super) const KINDS: usize = 7;

impl PieceKind {
    /// Every kind, in the order of the discriminants.
    pub const ALL: [PieceKind; KINDS] = [King, Guard, Bishop, Knight, Rook, Cannon, Pawn];

    /// The discriminant, in `0..7`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in FEN, uppercase.
    pub const fn letter(self) -> char {
        b"KABNRCP"[self.index()] as char
    }

    /// The letter in FEN: uppercase for the first player, lowercase for the second.
    pub(super) const fn letter_of(self, side: Side) -> char {
        match side {
            Side::First => self.letter(),
            Side::Second => self.letter().to_ascii_lowercase(),
        }
    }

    /// The kind that is written with this letter, in lower case: those of FEN, and those of the English words
    /// elephant, horse, tank, soldier and general.
    pub(super) const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter {
            'k' | 'g' => King,
            'a' => Guard,
            'b' | 'e' => Bishop,
            'n' | 'h' => Knight,
            'r' | 't' => Rook,
            'c' => Cannon,
            'p' | 's' => Pawn,
            _ => return None,
        })
    }

    /// What it is called in English, the most common name first, in lower case.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            King => &["general", "king"],
            Guard => &["adviser", "guard", "advisor"],
            Bishop => &["elephant", "bishop"],
            Knight => &["horse", "knight"],
            Rook => &["tank", "rook", "chariot"],
            Cannon => &["cannon"],
            Pawn => &["soldier", "pawn"],
        }
    }

    /// The kind that is called so, in either case, or has this character on the piece.
    pub fn from_name(name: &str) -> Option<PieceKind> {
        let is_called = |kind: &PieceKind| {
            kind.names().iter().any(|known| known.eq_ignore_ascii_case(name))
                || [Side::First, Side::Second].iter().any(|&side| name == kind.character(side).to_string())
        };
        PieceKind::ALL.into_iter().find(is_called)
    }

    /// The character on the piece of `side`.
    pub const fn character(self, side: Side) -> char {
        let characters = match self {
            King => ['帥', '將'],
            Guard => ['仕', '士'],
            Bishop => ['相', '象'],
            Knight => ['傌', '馬'],
            Rook => ['俥', '車'],
            Cannon => ['炮', '砲'],
            Pawn => ['兵', '卒'],
        };
        characters[side.index()]
    }
}
