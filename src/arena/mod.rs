//! Matches between players, and what their results are worth.
//!
//! Owns players, openings, the frozen yardstick and the statistics of matches. Knows nothing of training.

mod matches;
mod openings;
mod player;
mod stats;
mod uniform;

pub use matches::{Factory, MatchConfig, MatchResult, play_match};
pub use openings::openings;
pub use player::{MoveBudget, Player, RandomPlayer, SearchPlayer};
pub use stats::{Dose, Elo, Hypothesis, Meeting, N50, ParseSprtError, Ratings, Sprt, Tally, next_dose};
pub use uniform::UniformPlayer;
