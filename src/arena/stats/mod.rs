//! What results say about strength: pure functions of counts, without players, files or clocks.
//!
//! The unit everywhere is the pair: two games from one opening with the colours swapped. Its games are not
//! independent, so every spread is taken over pairs. Elo is logistic: 400 points are odds of ten to one.

mod dose;
mod logistic;
mod n50;
mod normal;
mod pairs;
mod ratings;
mod root;
mod spread;
mod sprt;
mod tally;

pub use dose::next_dose;
pub use logistic::MOST_ELO;
pub use n50::{Dose, N50};
pub use ratings::{Meeting, Ratings};
pub use sprt::{Hypothesis, ParseSprtError, Sprt};
pub use tally::{Elo, Tally};
