//! Positions and games judged by a search.
//!
//! Owns what a search says to people and programs: expected scores from one point of view, what is certain, the lines,
//! and what each move of a game cost; and the queue by which many threads judge many positions. Knows nothing of pages,
//! terminals and connections.

mod analyst;
mod assessment;
mod judged;
mod many;
mod queue;

pub use analyst::{AnalysisNet, Analyst, Effort, Look, LookLimits, LookLine};
pub use assessment::Assessment;
pub use judged::{ACCURACY, Analysis, JudgedMove, MISSED_WIN, NOISE, TURNING_POINTS, analyse};
pub use many::{AnalysisOrders, look_at_all};
pub use queue::{AnalysisDesk, AnalysisJob, AnalysisQueue, QueuePlace};
