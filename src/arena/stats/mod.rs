//! What results say about strength: pure functions of counts, without players, files or clocks.
//!
//! The unit everywhere is the pair: two games from one opening with the colours swapped. Its games are not
//! independent, so every spread is taken over pairs. Elo is logistic: 400 points are odds of ten to one.

mod difference;
mod logistic;
mod n50;
mod node_search;
mod normal;
mod pairs;
mod ratings;
mod root;
mod spread;
mod sprt;
mod tally;

pub use difference::Elo;
pub use n50::{N50, NodeScore};
pub use node_search::next_nodes;
pub use ratings::{Meeting, Ratings};
pub use sprt::{Hypothesis, ParseSprtError, Sprt};
pub use tally::Tally;
