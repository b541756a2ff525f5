//! Many games at once, every batch full.
//!
//! A worker a core, each with many slots: every slot walks to a leaf, one batch judges them all, every
//! slot backs up; a slot whose search is spent plays its move, or begins the next game, until it has a
//! leaf. A game depends on its seed and the net alone, so the games are the same on one thread and on eight.
//! Writes game records; knows neither tensors nor training.

mod cache;
mod config;
mod cores;
mod game_slot;
mod generation;
mod journal;
mod passing;
mod plain;
mod plan;
mod played;
mod record;
mod resign;
mod seal_task;
mod stats;

pub use cache::{EvaluationCache, evaluator};
pub use config::{HandicapConfig, MOST_SIMULATIONS, ResignConfig, SelfPlayConfig};
pub use cores::{Cores, Workers};
pub use generation::{opening, play, play_all, play_numbers};
pub use journal::{
    BadRecords, Journal, RecordMeta, journal_path, read_sealed, read_sealed_of_any, seal, sealed_path,
};
pub use plain::{PlainFilter, plain_positions};
pub use plan::{GameQueue, Plan};
pub use played::{PlayedGame, Work};
pub(crate) use record::probability;
pub use record::{Candidate, GameRecord, Ply, Resigning, SearchDepth};
pub use resign::{Calibration, Resignations};
pub use seal_task::SealTask;
pub use stats::SearchStats;
