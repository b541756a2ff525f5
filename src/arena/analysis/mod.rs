//! Positions and games judged by a search.
//!
//! Owns what a search says to people: expected scores from one point of view, what is certain, the line, and what each move
//! of a game cost. Knows nothing of pages and terminals.

mod analyst;
mod assessment;
mod judged;

pub use analyst::{Analyst, Effort, Look};
pub use assessment::Assessment;
pub use judged::{Analysis, JudgedMove, analyse};
