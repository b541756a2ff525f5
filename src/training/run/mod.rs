//! The loop of generations: play, learn, evaluate; checkpoints, metrics and settings of a run.
//!
//! Owns a run's folder. Where its games come from is a trait with this machine as the usual one (`source.rs`).

mod bench;
mod branch;
mod change;
mod checkpoint;
mod config;
mod disk;
mod evaluation;
mod figures;
mod fingerprint;
mod generation;
mod health;
mod laps;
mod learning;
mod machine;
mod plan;
mod playing;
mod records;
mod report;
mod scale;
mod settings;
mod source;
mod start;
mod state;
mod stopwatch;
mod summary;
mod tensorboard;
mod trainer;
pub mod trusted;
mod watch;

pub use bench::{Phase, TrainSpeed, train_speed};
pub use branch::Branch;
pub use change::Change;
pub use checkpoint::{Checkpoint, RunDir, saved_config};
pub use config::{Budget, CheckpointConfig, Keep, RecordsConfig, RunConfig, Spent};
pub use disk::{Bytes, DiskFull, DiskUse, FreeBytes, bytes_a_position, free_bytes_near, positions_to_come};
pub use evaluation::{EvaluationConfig, ProgressMatches};
pub use figures::peek as peek_figures;
pub use fingerprint::learning_fingerprint;
pub use health::{Alarm, Health};
pub use laps::{Lap, Laps};
pub use machine::Machine;
pub use plan::{Advice, Rates, advise, net_for, rates};
pub use records::{LostRecords, RecordsLost};
pub use report::{COLUMNS, GenerationReport, WorkerFigures};
pub use scale::{Measured, ScaleRow, amdahl, scale_row, serial_share};
pub use settings::PastSettings;
pub use source::{GameSink, GameSource, GenerationStats, Job, LocalGames};
pub use state::{EloPoint, Idle, RunClock, State};
pub use summary::GameSummary;
pub use trainer::{RunEnd, Trainer};
pub use watch::Observer;
