//! Learning: the learner's step, the loop of generations, checkpoints and metrics.
//!
//! Owns a run's folder. Uses every module above it; only the command line uses it.

mod bench;
mod branch;
mod checkpoint;
mod config;
mod evaluation;
mod figures;
mod generation;
mod health;
mod learner;
#[cfg(test)]
mod learner_tests;
mod loss;
mod optimizer;
mod records;
mod report;
mod run;
mod schedule;
mod settings;
mod shard;
mod state;
mod stopwatch;
mod summary;
mod teacher;
mod tensorboard;

pub use bench::{TrainSpeed, train_speed};
pub use branch::Branch;
pub use checkpoint::{Checkpoint, RunDir, saved_config};
pub use config::{Budget, Change, CheckpointConfig, RunConfig, Spent};
pub use evaluation::{EvaluationConfig, ProgressMatches};
pub use figures::peek as peek_figures;
pub use health::{Alarm, Health};
pub use learner::{Learner, LearnerConfig, NonFinite, StepReport};
pub use loss::{LossWeights, Losses};
pub use optimizer::AdamWConfig;
pub use records::{LostRecords, RecordsLost};
pub use report::{COLUMNS, GenerationReport};
pub use run::{Ending, Machine, Observer, Trainer};
pub use schedule::Schedule;
pub use settings::PastSettings;
pub use state::{Clock, EloPoint, State};
pub use summary::GameSummary;
