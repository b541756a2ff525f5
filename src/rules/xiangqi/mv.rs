//! Moves.

use std::fmt;

use super::Square;
use crate::rules::Move;

/// A move of xiangqi or minixiangqi: bits 0 to 6 hold the target square, bits 7 to 13 the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct XiangqiMove(u16);

const ORIGIN: u32 = 7;
const FIELD: u16 = 0x7f;

impl XiangqiMove {
    #[inline(always)]
    pub(super) fn new(from: Square, to: Square) -> XiangqiMove {
        XiangqiMove((from.index() as u16) << ORIGIN | to.index() as u16)
    }

    /// Where the piece comes from.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square::from_index(usize::from(self.0 >> ORIGIN))
    }

    /// Where it goes.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::from_index(usize::from(self.0 & FIELD))
    }
}

impl fmt::Display for XiangqiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl Move for XiangqiMove {
    fn bits(self) -> u16 {
        self.0
    }
}
