//! The games that are learnt from: a window over the newest, drawn from in random order.
//!
//! Encodes each position of a record once and makes samples of it; knows neither the network nor the learner. Memory is
//! bounded by the window, not by the run's length.

mod check;
mod encoded;
mod encoder;
mod sample;
mod window;

use serde::{Deserialize, Serialize};

use crate::base::maths::pow;

pub use check::check_record;
pub use encoded::EncodedGame;
pub use encoder::Encoder;
pub use sample::{MoveWeight, Sample};
pub use window::{Window, WindowIndex};

/// Positions of a window at most: hundreds of gigabytes.
const MOST_POSITIONS: u64 = 1_000_000_000;

/// How positions are drawn for learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayConfig {
    /// The number of positions up to which the window holds all of them.
    pub window_start: u64,
    /// From then on it grows as this power of all positions, in `0.0..=1.0`; KataGo (Wu 2019) takes 0.65.
    pub window_exponent: f64,
    /// It never holds more positions than this, which bounds the memory of a run.
    pub window_max: u64,
    /// How often each position is learnt, on average over its life in the window.
    pub reuse: f64,
    /// Share of the search's own value in the value target, beside the game's result, in `0.0..=1.0`.
    pub value_mix: f32,
}

impl ReplayConfig {
    /// Positions that the window holds after `seen` of them: all, then a power of them, up to the most.
    pub fn window(&self, seen: u64) -> u64 {
        let start = self.window_start as f64;
        if seen <= self.window_start {
            return seen;
        }
        ((start * pow(seen as f64 / start, self.window_exponent)) as u64).min(self.window_max)
    }

    /// The same settings, but the window keeps all of the first `positions`, or of the first `window_max` if those are more:
    /// for measurements.
    #[must_use]
    pub fn holding(&self, positions: u64) -> Self {
        let window_max = self.window_max.max(positions);
        ReplayConfig { window_start: window_max, window_max, ..self.clone() }
    }

    /// Whether every value is in its range.
    ///
    /// # Errors
    /// Names the key and its range.
    pub fn validate(&self) -> Result<(), String> {
        let check = |ok: bool, key: &str, value: f64, range: &str| {
            if ok { Ok(()) } else { Err(format!("replay.{key} = {value}: must {range}")) }
        };
        check(self.window_start > 0, "window_start", self.window_start as f64, "be at least 1")?;
        let most = self.window_max;
        check(most >= self.window_start, "window_max", most as f64, "be at least window_start")?;
        check(most <= MOST_POSITIONS, "window_max", most as f64, "be at most 1000000000")?;
        let exponent = self.window_exponent;
        check((0.0..=1.0).contains(&exponent), "window_exponent", exponent, "lie in 0..1")?;
        check(self.reuse > 0.0 && self.reuse <= 100.0, "reuse", self.reuse, "be above 0 and at most 100")?;
        let mix = self.value_mix;
        check((0.0..=1.0).contains(&mix), "value_mix", mix.into(), "lie in 0..1")
    }
}
