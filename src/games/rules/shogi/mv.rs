//! Moves.

use std::fmt;

use super::{ShogiKind, ShogiSquare, square::SQUARES};
use crate::games::rules::Move;

/// A move of shogi or minishogi: a piece from one square to another, or a drop.
///
/// Bits 0 to 6 hold the target square, bits 7 to 13 the origin or the kind dropped, bit 14 marks a
/// promotion, bit 15 a drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShogiMove(u16);

const ORIGIN: u32 = 7;
const FIELD: u16 = 0x7f;
const PROMOTION: u16 = 1 << 14;
const DROP: u16 = 1 << 15;

impl ShogiMove {
    /// A move on the board without promotion.
    #[inline(always)]
    pub(super) fn plain(from: ShogiSquare, to: ShogiSquare) -> ShogiMove {
        ShogiMove((from.index() as u16) << ORIGIN | to.index() as u16)
    }

    /// A move on the board with promotion.
    #[inline(always)]
    pub(super) fn promoting(from: ShogiSquare, to: ShogiSquare) -> ShogiMove {
        ShogiMove(ShogiMove::plain(from, to).0 | PROMOTION)
    }

    /// A drop of `kind`.
    #[inline(always)]
    pub(super) fn drop(kind: ShogiKind, to: ShogiSquare) -> ShogiMove {
        ShogiMove(DROP | (kind.index() as u16) << ORIGIN | to.index() as u16)
    }

    /// The origin's square, or the kind dropped, by index.
    #[inline(always)]
    pub(super) fn origin(self) -> usize {
        usize::from(self.0 >> ORIGIN & FIELD)
    }

    /// Where the piece goes.
    #[inline(always)]
    pub fn to(self) -> ShogiSquare {
        ShogiSquare::from_index(usize::from(self.0 & FIELD))
    }

    /// Where the piece comes from; `None` for a drop.
    #[inline(always)]
    pub fn from(self) -> Option<ShogiSquare> {
        (self.0 & DROP == 0).then(|| ShogiSquare::from_index(self.origin()))
    }

    /// The kind dropped; `None` for a move on the board.
    #[inline(always)]
    pub fn dropped(self) -> Option<ShogiKind> {
        (self.0 & DROP != 0).then(|| ShogiKind::HAND[self.origin()])
    }

    /// Whether the piece promotes.
    #[inline(always)]
    pub fn promotes(self) -> bool {
        self.0 & PROMOTION != 0
    }
}

impl fmt::Display for ShogiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kind) = self.dropped() {
            write!(f, "{}@", kind.letter())?;
        }
        if let Some(from) = self.from() {
            write!(f, "{from}")?;
        }
        let promotion = if self.promotes() { "+" } else { "" };
        write!(f, "{}{promotion}", self.to())
    }
}

impl Move for ShogiMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        let read = ShogiMove(bits);
        let origins = if bits & DROP != 0 { ShogiKind::HAND.len() } else { SQUARES };
        let is_one = read.origin() < origins && usize::from(bits & FIELD) < SQUARES;
        // From a square to itself: no move of shogi.
        if is_one { read } else { ShogiMove(0) }
    }
}
