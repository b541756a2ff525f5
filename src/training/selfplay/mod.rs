//! Many games at once, every batch full.
//!
//! A worker a core, each with many tables: every table walks to a leaf, one batch judges them all, every
//! table backs up; a table whose search is spent plays its move, or begins the next game, until it has a
//! leaf. A game depends on its seed and the net alone, so the games are the same on one thread and on eight.
//! Writes game records; knows neither tensors nor training.

mod cache;
mod config;
mod generation;
mod journal;
mod passing;
mod plain;
mod plan;
mod played;
mod record;
mod resign;
mod sealing;
mod stats;
mod table;

pub use cache::{EvaluationCache, evaluator};
pub use config::{ResignConfig, SelfPlayConfig};
pub use generation::{opening, play, play_numbers};
pub use journal::{
    BadRecords, Journal, RecordMeta, journal_path, read_sealed, read_sealed_of_any, seal, sealed_path,
};
pub use plain::{PlainFilter, plain_positions};
pub use plan::{Numbers, Plan};
pub use played::{PlayedGame, Work};
pub(crate) use record::probability;
pub use record::{Candidate, GameRecord, Ply, Resigning, SearchKind};
pub use resign::{Calibration, Resignations};
pub use sealing::Sealing;
pub use stats::SearchStats;
