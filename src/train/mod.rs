//! Training: what turns samples into better weights.

mod bench;
mod learner;
#[cfg(test)]
mod learner_tests;
mod loss;
mod optimizer;
mod sample;
mod schedule;
mod shard;

pub use bench::{TrainSpeed, train_speed};
pub use learner::{BadValue, Learner, LearnerConfig, NonFinite, StepReport};
pub use loss::{LossWeights, Losses};
pub use optimizer::AdamWConfig;
pub use sample::{MoveWeight, Sample};
pub use schedule::Schedule;
