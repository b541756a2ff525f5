//! The moves of dobutsu shogi in sixteen bits.

use std::fmt;

use super::{Kind, tables::FILES};
use crate::games::rules::Move;

/// A move on the board or a drop.
///
/// Bits 0-3 the square it ends on, bits 4-7 the square it starts on, or 12 and the piece's kind for a
/// drop, bit 8 a promotion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DobutsuMove(u16);

const DROP: u16 = 12;
const PROMOTION: u16 = 1 << 8;

/// Where a move starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOrigin {
    /// A square of the board.
    Square(usize),
    /// The hand: a piece of this kind is dropped.
    Hand(Kind),
}

impl DobutsuMove {
    /// The piece on square `from` goes to square `to`.
    pub(super) fn step(from: usize, to: usize) -> Self {
        DobutsuMove((from as u16) << 4 | to as u16)
    }

    /// The same, and the chick becomes a hen.
    pub(super) fn promotion(from: usize, to: usize) -> Self {
        DobutsuMove(PROMOTION | (from as u16) << 4 | to as u16)
    }

    /// A `kind` (chick, elephant or giraffe) goes from the hand to square `to`.
    pub(super) fn drop(kind: Kind, to: usize) -> Self {
        DobutsuMove((DROP + kind as u16) << 4 | to as u16)
    }

    /// Where it starts.
    pub fn from(self) -> MoveOrigin {
        match self.0 >> 4 & 15 {
            square @ 0..DROP => MoveOrigin::Square(usize::from(square)),
            kind => MoveOrigin::Hand(Kind::ALL[usize::from(kind - DROP)]),
        }
    }

    /// The square it ends on, in `0..12`.
    pub fn to(self) -> usize {
        usize::from(self.0 & 15)
    }

    /// Whether a chick becomes a hen.
    pub fn is_promotion(self) -> bool {
        self.0 & PROMOTION != 0
    }
}

impl Move for DobutsuMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        DobutsuMove(bits)
    }
}

/// A square's name: file letter and rank from the first player's side.
struct Name(usize);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + (self.0 % FILES) as u8), self.0 / FILES + 1)
    }
}

impl fmt::Display for DobutsuMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from() {
            MoveOrigin::Square(from) => write!(f, "{}{}", Name(from), Name(self.to()))?,
            MoveOrigin::Hand(kind) => write!(f, "{}@{}", kind.letter(), Name(self.to()))?,
        }
        if self.is_promotion() { f.write_str("+") } else { Ok(()) }
    }
}

impl fmt::Debug for DobutsuMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
