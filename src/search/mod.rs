//! The searches: the tree search, alpha-beta, play of limited strength; and how long a search takes.
//!
//! Depends on [`crate::games::rules`] and `base` alone: it knows neither the network nor policy indices; both are behind
//! [`Evaluator`].

mod alphabeta;
mod arena_alloc;
mod config;
mod descent;
mod edge;
mod evaluate;
mod game_search;
mod gumbel;
mod mate;
mod mcts;
#[cfg(loom)]
pub mod model;
mod node;
mod noise;
mod parallel;
mod prune;
mod puct;
mod root;
mod root_stats;
mod softmax;
mod strength;
mod sync;
mod time;
mod tree;
mod value;
mod variations;
mod wdl;

pub use alphabeta::{AlphaBeta, PvLine, SearchLimits, SearchObserver, SearchResult};
pub use config::{BadSetting, GumbelConfig, Noise, PuctConfig, SearchConfig};
pub use evaluate::{Evaluation, Evaluator, PolicyAsked, Query};
pub use game_search::{GameSearch, TreeUse};
pub use mcts::{DEFAULT_MEMORY, Search, SearchStep, run, run_while};
pub use parallel::run_together;
pub use root_stats::RootMove;
pub use strength::{Strength, search_limited};
pub use time::{BestMoveStats, ClockState, TimeBudget, TimeLimit, TimeManager, TimeReserve};
pub use variations::{Certain, Variation};
pub use wdl::{Wdl, centipawns, odds};
