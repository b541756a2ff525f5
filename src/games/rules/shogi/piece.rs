//! Pieces and hands.

use crate::games::rules::Side;

/// What a piece is, promoted or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ShogiKind {
    /// Fuhyo, `P`.
    Pawn,
    /// Kyosha, `L`.
    Lance,
    /// Keima, `N`.
    Knight,
    /// Ginsho, `S`.
    Silver,
    /// Kinsho, `G`.
    Gold,
    /// Kakugyo, `B`.
    Bishop,
    /// Hisha, `R`.
    Rook,
    /// Osho, `K`.
    King,
    /// The promoted pawn, `+P`.
    Tokin,
    /// `+L`.
    PromotedLance,
    /// `+N`.
    PromotedKnight,
    /// `+S`.
    PromotedSilver,
    /// The promoted bishop, `+B`.
    Horse,
    /// The promoted rook, `+R`.
    Dragon,
}

use ShogiKind::*;

/// How many kinds a hand can hold.
pub(super) const HAND_KINDS: usize = 7;
/// How many kinds there are before promotion: those of a hand, and the king.
pub(super) const BASE_KINDS: usize = 8;

impl ShogiKind {
    /// Every kind, in the order of the discriminants.
    pub const ALL: [ShogiKind; 14] = [
        Pawn,
        Lance,
        Knight,
        Silver,
        Gold,
        Bishop,
        Rook,
        King,
        Tokin,
        PromotedLance,
        PromotedKnight,
        PromotedSilver,
        Horse,
        Dragon,
    ];

    /// The kinds that a hand can hold, in the order of the discriminants.
    pub const HAND: [ShogiKind; HAND_KINDS] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// The discriminant, in `0..14`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What it becomes by promotion.
    pub const fn promoted(self) -> Option<ShogiKind> {
        Some(match self {
            Pawn => Tokin,
            Lance => PromotedLance,
            Knight => PromotedKnight,
            Silver => PromotedSilver,
            Bishop => Horse,
            Rook => Dragon,
            _ => return None,
        })
    }

    /// What it is without its promotion.
    pub const fn base(self) -> ShogiKind {
        match self {
            Tokin => Pawn,
            PromotedLance => Lance,
            PromotedKnight => Knight,
            PromotedSilver => Silver,
            Horse => Bishop,
            Dragon => Rook,
            unpromoted => unpromoted,
        }
    }

    /// Whether it is a promoted one.
    pub const fn is_promoted(self) -> bool {
        self as u8 > King as u8
    }

    /// The letter of the unpromoted piece in FEN, uppercase.
    pub const fn letter(self) -> char {
        b"PLNSGBRK"[self.base().index()] as char
    }

    /// The unpromoted kind with that letter, of either case.
    pub(super) fn from_letter(letter: char) -> Option<ShogiKind> {
        let letter = letter.to_ascii_uppercase();
        ShogiKind::ALL[..BASE_KINDS].iter().copied().find(|kind| kind.letter() == letter)
    }

    /// The letter of the unpromoted piece: uppercase for the first player, lowercase for the second.
    pub(super) const fn letter_of(self, side: Side) -> char {
        match side {
            Side::First => self.letter(),
            Side::Second => self.letter().to_ascii_lowercase(),
        }
    }
}

/// The pieces that one side holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hand([u8; HAND_KINDS]);

impl Hand {
    /// How many of `kind`, an unpromoted one.
    #[inline(always)]
    pub(super) fn count(&self, kind: ShogiKind) -> u8 {
        self.0.get(kind.index()).copied().unwrap_or(0)
    }

    /// Sets how many of `kind`, which a hand can hold.
    #[inline(always)]
    pub(super) fn set(&mut self, kind: ShogiKind, count: u8) {
        self.0[kind.index()] = count;
    }

    /// Whether it holds nothing.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; HAND_KINDS]
    }
}
