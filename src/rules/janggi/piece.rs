//! The pieces, what they count, and what players call them.

use crate::rules::Side;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// Wang or jang, `K`.
    King,
    /// Sa, `A`.
    Guard,
    /// Sang, the elephant, `B`.
    Bishop,
    /// Ma, the horse, `N`.
    Knight,
    /// Cha, the chariot, `R`.
    Rook,
    /// Po, `C`.
    Cannon,
    /// Byeong (Han) or jol (Cho), the soldier, `P`.
    Pawn,
}

use PieceKind::*;

impl PieceKind {
    /// Every kind, in the order of the discriminants.
    pub const ALL: [PieceKind; 7] = [King, Guard, Bishop, Knight, Rook, Cannon, Pawn];

    /// The discriminant, in `0..7`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of them a side starts with, which is also the most that it can have.
    pub(super) const fn set(self) -> u32 {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }

    /// What it counts where points decide: 13 for a rook, 7 for a cannon, 5 for a knight, 3 for a bishop or a
    /// guard, 2 for a pawn, nothing for the king.
    pub const fn points(self) -> u32 {
        [0, 3, 3, 5, 13, 7, 2][self as usize]
    }

    /// The letter in FEN, uppercase.
    pub const fn letter(self) -> char {
        b"KABNRCP"[self as usize] as char
    }

    /// The letter in FEN: uppercase for the first player (Cho), lowercase for the second (Han).
    pub(super) const fn letter_of(self, side: Side) -> char {
        match side {
            Side::First => self.letter(),
            Side::Second => self.letter().to_ascii_lowercase(),
        }
    }

    /// The kind with that letter, of either case; `e`, `h` and `g`, which others write for elephant, horse and
    /// guard, are read too.
    pub(super) fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'E' => Bishop,
            'H' => Knight,
            'G' => Guard,
            letter => PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter)?,
        })
    }

    /// The character on the piece: `漢` and `楚` for the kings, `兵` and `卒` for the pawns of Han and Cho.
    pub const fn character(self, side: Side) -> char {
        match (self, side) {
            (King, Side::First) => '楚',
            (King, Side::Second) => '漢',
            (Guard, _) => '士',
            (Bishop, _) => '象',
            (Knight, _) => '馬',
            (Rook, _) => '車',
            (Cannon, _) => '包',
            (Pawn, Side::First) => '卒',
            (Pawn, Side::Second) => '兵',
        }
    }

    /// Its names in English, the usual one first, then in Korean, in lowercase. The pawn of Cho is jol, that
    /// of Han byung.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            King => &["king", "general", "emperor", "jang", "wang", "koung", "tyang", "tjyang"],
            Guard => &["guard", "advisor", "counsellor", "sa"],
            Bishop => &["bishop", "elephant", "minister", "prime minister", "sang", "syang"],
            Knight => &["knight", "horse", "ma"],
            Rook => &["rook", "chariot", "car", "tank", "cha", "tcha"],
            Cannon => &["cannon", "catapult", "po", "hpo"],
            Pawn => &["pawn", "soldier", "foot soldier", "byung", "pyeng", "jol", "tjol"],
        }
    }

    /// The kind that players call so, in English or Korean, in either case, or by the character on the piece
    /// (`相`, which sets for xiangqi have for Han's bishop, included).
    pub fn from_name(name: &str) -> Option<PieceKind> {
        let called = |kind: &PieceKind| {
            kind.names().iter().any(|known| known.eq_ignore_ascii_case(name))
                || [Side::First, Side::Second].iter().any(|&side| name == kind.character(side).to_string())
        };
        if name == "相" { Some(Bishop) } else { PieceKind::ALL.into_iter().find(called) }
    }

    /// What Korean players call it, romanised.
    pub(super) const fn korean(self, side: Side) -> &'static str {
        match (self, side) {
            (King, _) => "wang",
            (Guard, _) => "sa",
            (Bishop, _) => "sang",
            (Knight, _) => "ma",
            (Rook, _) => "cha",
            (Cannon, _) => "po",
            (Pawn, Side::First) => "jol",
            (Pawn, Side::Second) => "byung",
        }
    }
}
