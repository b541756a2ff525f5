//! A rating list.

use serde::Serialize;

/// A place in a rating list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderRung {
    /// Who has it, as the games name him.
    pub name: String,
    /// The rating, finite.
    pub elo: f64,
    /// The lower end of its interval, finite.
    #[serde(rename = "elo_low")]
    pub low: f64,
    /// The upper end of its interval, finite.
    #[serde(rename = "elo_high")]
    pub high: f64,
    /// Games it rests on.
    pub games: u32,
    /// Share of their points, in `0.0..=1.0`.
    pub score: f64,
    /// How far training had come, where it is a run's checkpoint.
    #[serde(flatten)]
    pub checkpoint: Option<Progress>,
}

/// How far a training had come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// The generation.
    pub generation: u32,
    /// Positions played until then.
    pub positions: u64,
    /// Seconds of wall time until then.
    pub seconds: f64,
}
