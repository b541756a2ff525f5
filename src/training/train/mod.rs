//! Learning: the learner's step, the loop of generations, checkpoints and metrics.
//!
//! Owns a run's folder. Where its games come from is a trait with this machine as the usual one (`source.rs`).

mod bench;
mod branch;
mod checkpoint;
mod config;
mod disk;
mod evaluation;
mod figures;
mod fingerprint;
mod generation;
#[cfg(all(test, feature = "wgpu"))]
mod gpu_tests;
mod gradient_backend;
mod health;
mod laps;
mod learner;
mod learner_config;
#[cfg(test)]
mod learner_tests;
mod learning;
mod loss;
mod machine;
#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(dead_code, unreachable_code, unused_variables, reason = "without a GPU no net learns elsewhere")
)]
mod on_device;
mod optimizer;
mod plan;
mod playing;
mod prepared;
mod records;
mod report;
mod rows;
mod run;
mod scale;
mod schedule;
mod settings;
mod shard;
mod source;
mod state;
mod step;
mod stopwatch;
mod summary;
mod tensorboard;
pub mod trusted;
mod watch;

pub use bench::{Phase, TrainSpeed, train_speed};
pub use branch::Branch;
pub use checkpoint::{Checkpoint, RunDir, saved_config};
pub use config::{Budget, Change, CheckpointConfig, Keep, RecordsConfig, RunConfig, Spent};
pub use disk::{Bytes, DiskFull, DiskUse, FreeBytes, bytes_a_position, free_bytes_near, positions_to_come};
pub use evaluation::{EvaluationConfig, ProgressMatches};
pub use figures::peek as peek_figures;
pub use fingerprint::learning_fingerprint;
pub use health::{Alarm, Health};
pub use laps::{Lap, Laps};
pub use learner::Learner;
pub use learner_config::LearnerConfig;
pub use loss::{LossWeights, Losses};
pub use machine::Machine;
pub use optimizer::AdamWConfig;
pub use plan::{Advice, Rates, advise, net_for, rates};
pub use prepared::PreparedBatch;
pub use records::{LostRecords, RecordsLost};
pub use report::{COLUMNS, GenerationReport, WorkerFigures};
pub use run::{RunEnd, Trainer};
pub use scale::{Measured, ScaleRow, amdahl, scale_row, serial_share};
pub use schedule::Schedule;
pub use settings::PastSettings;
pub use source::{GameSink, GameSource, GenerationStats, Job, LocalGames};
pub use state::{EloPoint, Idle, RunClock, State};
pub use step::{NonFinite, StepReport};
pub use summary::GameSummary;
pub use watch::Observer;
