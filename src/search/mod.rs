//! The tree search.
//!
//! Owns selection, expansion and backup. Depends on [`crate::rules`] alone: it knows neither the network
//! nor policy indices; both are behind [`Evaluator`].

mod alphabeta;
mod answers;
mod chunks;
mod config;
mod driver;
mod edge;
mod evaluate;
mod gumbel;
mod mate;
#[cfg(loom)]
pub mod model;
mod node;
mod noise;
mod parallel;
mod puct;
mod recycle;
mod root;
mod softmax;
mod sync;
mod tree;
mod variations;
mod walk;
mod wdl;

pub use alphabeta::{AlphaBeta, PvLine, SearchLimits, SearchObserver, SearchResult};
pub use answers::RootMove;
pub use config::{BadSetting, GumbelConfig, Noise, PuctConfig, SearchConfig};
pub use driver::{DEFAULT_MEMORY, Search, Step, run, run_while};
pub use evaluate::{Evaluation, Evaluator, PolicyAsked, Query};
pub use parallel::run_together;
pub use variations::{Certain, Variation};
pub use wdl::{Wdl, centipawns, odds};
