//! A net that is trained further by itself and never gets worse: cycles of training at a low rate, each followed by matches
//! that decide whether the best net so far is replaced.
//!
//! Owns a folder with the best net, a log of the cycles and what the present cycle makes. Two runs of a cycle train from the
//! best net, or from one that only looked better in the cycle before; their mean, and the mean of them and the best net,
//! play against the best net. Rates fall and nets widen by what earlier cycles gained.

mod cycle;
mod folder;
mod improver;
mod judge;
mod match_clock;
mod plan;
mod runs;

pub use cycle::{COLUMNS as CYCLE_COLUMNS, CandidateResult, CycleReport, Kept};
pub use folder::BegunImprovement;
pub use improver::{ImproveObserver, Improver};
pub use plan::{ImproveConfig, Step};
