//! The learner: from samples to a step of the optimizer, on processors and GPUs.
//!
//! Owns the weights that learn, their moments and their average. Knows no games, files or clocks.

#[cfg(all(test, feature = "wgpu"))]
mod gpu_tests;
mod gradient_backend;
mod learn;
mod learner_config;
#[cfg(test)]
mod learner_tests;
mod loss;
#[cfg_attr(
    not(any(feature = "wgpu", feature = "cuda")),
    allow(dead_code, unreachable_code, unused_variables, reason = "without a GPU no net learns elsewhere")
)]
mod on_device;
mod optimizer;
mod prepared;
mod rows;
mod schedule;
mod shard;
mod step;

pub use learn::Learner;
pub use learner_config::{LearnerConfig, MOST_SAMPLES};
pub use loss::{LossWeights, Losses};
pub use optimizer::AdamWConfig;
pub use prepared::PreparedBatch;
pub use schedule::Schedule;
pub use step::{NonFinite, StepReport};
