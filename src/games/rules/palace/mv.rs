//! Moves.

use std::fmt;

use super::{PalaceSquare, SQUARES};
use crate::games::rules::Move;

/// A move of janggi or xiangqi: a piece from one point to another; in janggi also a pass, which is the king's move
/// to its own point.
///
/// Bits 0 to 6 hold the target, bits 7 to 13 the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PalaceMove(u16);

const ORIGIN: u32 = 7;
const TARGET: u16 = 0x7f;

impl PalaceMove {
    /// The move from one point to another; a pass where they are the same.
    #[inline(always)]
    pub fn new(from: PalaceSquare, to: PalaceSquare) -> PalaceMove {
        PalaceMove((from.index() as u16) << ORIGIN | to.index() as u16)
    }

    /// Where the piece comes from.
    #[inline(always)]
    pub fn from(self) -> PalaceSquare {
        PalaceSquare::from_index(usize::from(self.0 >> ORIGIN))
    }

    /// Where the piece goes.
    #[inline(always)]
    pub fn to(self) -> PalaceSquare {
        PalaceSquare::from_index(usize::from(self.0 & TARGET))
    }

    /// Whether it leaves every piece where it is.
    #[inline(always)]
    pub fn is_pass(self) -> bool {
        self.from() == self.to()
    }

    /// The move that takes the piece back.
    pub fn reversed(self) -> PalaceMove {
        PalaceMove::new(self.to(), self.from())
    }
}

impl fmt::Display for PalaceMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl Move for PalaceMove {
    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Self {
        let is_one = [bits >> ORIGIN, bits & TARGET].iter().all(|&index| usize::from(index) < SQUARES);
        // From the corner to itself: no pass, as no king stands there.
        if is_one { PalaceMove(bits) } else { PalaceMove(0) }
    }
}
