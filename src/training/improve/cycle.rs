//! What a cycle did.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::arena::{Elo, MatchResult};

/// The net that is the best one after a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// The same as before.
    #[default]
    Best,
    /// The mean of what the cycle's runs trained.
    Trained,
    /// The mean of these and the best one before.
    Mean,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Kept::Best => "-",
            Kept::Trained => "trained",
            Kept::Mean => "mean",
        })
    }
}

/// What a candidate scored against the best net, from the candidate's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CandidateResult {
    /// Games played.
    pub games: u32,
    /// Share of the points, in `0.0..=1.0`.
    pub score: f64,
    /// The difference in Elo.
    pub elo: f64,
    /// Lower end of its 95% interval.
    pub elo_low: f64,
    /// Upper end of its 95% interval.
    pub elo_high: f64,
}

impl From<&MatchResult> for CandidateResult {
    fn from(result: &MatchResult) -> Self {
        let &MatchResult { games, score, elo, elo_low, elo_high, .. } = result;
        CandidateResult { games, score, elo, elo_low, elo_high }
    }
}

impl fmt::Display for CandidateResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let &CandidateResult { elo, elo_low: low, elo_high: high, .. } = self;
        f.pad(&Elo { elo, low, high }.in_brackets())
    }
}

/// A finished cycle: a line of the log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleReport {
    /// Its number, from 1.
    pub cycle: u32,
    /// The net that learnt, such as `sparse-256-attacks`.
    pub net: String,
    /// Whether that is wider than the best one before.
    pub widened: bool,
    /// The highest learning rate.
    pub rate: f64,
    /// Positions of self-play, of all its runs.
    pub positions: u64,
    /// Seconds of self-play, learning and matches.
    pub seconds: f64,
    /// What the mean of the trained nets scored against the best one before.
    pub trained: CandidateResult,
    /// What the mean of them and the best one before scored; nothing of nets of two sizes.
    pub mean: Option<CandidateResult>,
    /// The best net from then on.
    pub kept: Kept,
    /// The net that the next cycle trains, where it is not the best one: it scored more than half against that, but not
    /// enough to take its place.
    #[serde(default)]
    pub promising: Option<Kept>,
    /// Elo of the best net from then on, summed over the cycles; the start has 0.
    pub elo: f64,
}

/// The heading of the lines that [`CycleReport`] prints.
pub const COLUMNS: &str = "cycle  net                       rate   positions             trained                mean      kept    Elo";

impl CycleReport {
    /// What the cycle led to, in a word: the net that it kept, or in brackets the one that the next cycle trains, or `-`.
    pub fn outcome(&self) -> String {
        match self.promising {
            Some(net) => format!("({net})"),
            None => self.kept.to_string(),
        }
    }
}

impl fmt::Display for CycleReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let CycleReport { cycle, net, rate, positions, trained, mean, elo, .. } = self;
        let (mean, kept) = (mean.map_or("-".to_owned(), |mean| mean.to_string()), self.outcome());
        write!(
            f,
            "{cycle:5}  {net:20} {rate:9.6} {positions:11} {trained:>19} {mean:>19} {kept:>9} {elo:+6.0}"
        )
    }
}
