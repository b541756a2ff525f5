//! Win/draw/loss beliefs and the point of view they are held from.

use serde::{Deserialize, Serialize};

use crate::{
    base::maths::log10,
    games::rules::{Side, Verdict},
};

/// Probabilities of winning, drawing and losing, **for the side to move**. They sum to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wdl {
    /// Of winning.
    pub win: f32,
    /// Of drawing.
    pub draw: f32,
    /// Of losing.
    pub loss: f32,
}

impl Wdl {
    /// A won position.
    pub const WIN: Wdl = Wdl { win: 1.0, draw: 0.0, loss: 0.0 };
    /// A drawn position.
    pub const DRAW: Wdl = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
    /// A lost position.
    pub const LOSS: Wdl = Wdl { win: 0.0, draw: 0.0, loss: 1.0 };

    /// `verdict` as `side` sees it.
    pub fn of(verdict: Verdict, side: Side) -> Wdl {
        match verdict {
            Verdict::Draw => Wdl::DRAW,
            Verdict::Win(winner) if winner == side => Wdl::WIN,
            Verdict::Win(_) => Wdl::LOSS,
        }
    }

    /// The same belief seen by the opponent. The only way a value crosses an edge of the tree.
    pub fn flip(self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Expected score in `-1.0..=1.0`.
    pub fn q(self) -> f32 {
        self.win - self.loss
    }
}

/// The odds to win that an expected score in `-1.0..=1.0` stands for; at most 1999 to 1.
pub fn odds(q: f32) -> f64 {
    let score = (0.5 + 0.5 * f64::from(q)).clamp(0.0005, 0.9995);
    score / (1.0 - score)
}

/// An expected score in `-1.0..=1.0` as the difference in Elo that stands for it: 400 times the decimal logarithm of
/// the odds. What UCI calls centipawns.
pub fn centipawns(q: f32) -> i32 {
    (400.0 * log10(odds(q))).round() as i32
}

impl std::ops::AddAssign for Wdl {
    fn add_assign(&mut self, rhs: Wdl) {
        self.win += rhs.win;
        self.draw += rhs.draw;
        self.loss += rhs.loss;
    }
}

impl std::ops::Mul<f32> for Wdl {
    type Output = Wdl;

    fn mul(self, by: f32) -> Wdl {
        Wdl { win: self.win * by, draw: self.draw * by, loss: self.loss * by }
    }
}

impl std::ops::Add for Wdl {
    type Output = Wdl;

    fn add(mut self, rhs: Wdl) -> Wdl {
        self += rhs;
        self
    }
}
