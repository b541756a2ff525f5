//! The value of a position as a node keeps it: a proof, or a sum over its visits.

use super::Wdl;
use crate::games::rules::{Side, Verdict};

/// What is known for certain, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Proof {
    Loss = 1,
    Draw = 2,
    Win = 3,
}

impl Proof {
    /// `verdict` as `side` sees it.
    pub fn of(verdict: Verdict, side: Side) -> Proof {
        match verdict {
            Verdict::Draw => Proof::Draw,
            Verdict::Win(winner) if winner == side => Proof::Win,
            Verdict::Win(_) => Proof::Loss,
        }
    }

    pub fn wdl(self) -> Wdl {
        match self {
            Proof::Win => Wdl::WIN,
            Proof::Draw => Wdl::DRAW,
            Proof::Loss => Wdl::LOSS,
        }
    }

    pub fn from_byte(byte: u8) -> Option<Proof> {
        match byte {
            1 => Some(Proof::Loss),
            2 => Some(Proof::Draw),
            3 => Some(Proof::Win),
            _ => None,
        }
    }
}

/// A proof and how far the end is: the side that wins goes the shortest way it knows, the other the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proven {
    pub proof: Proof,
    /// Plies to the end of the game; it says nothing of a draw.
    pub plies: u16,
}

/// A win and a loss as whole numbers, so that a sum of any number of them is exact and does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    pub win: u64,
    pub loss: u64,
}

/// What certainty counts in a [`Value`]: sums of 2^32 visits stay below 2^63.
pub(super) const ONE: u64 = 1 << 31;

impl Value {
    const DRAW: Value = Value { win: 0, loss: 0 };

    pub fn of(wdl: Wdl) -> Value {
        let fixed = |probability: f32| (f64::from(probability) * ONE as f64).round() as u64;
        Value { win: fixed(wdl.win), loss: fixed(wdl.loss) }
    }

    /// The same as the opponent sees it.
    pub fn flip(self) -> Value {
        Value { win: self.loss, loss: self.win }
    }

    /// The same, but no worse than a draw.
    pub fn at_least_a_draw(self) -> Value {
        if self.win < self.loss { Value::DRAW } else { self }
    }
}
