//! How fast a network learns.

use std::time::Instant;

use serde::Serialize;

use super::{Learner, NonFinite};
use crate::replay::Sample;

/// What [`train_speed`] measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainSpeed {
    /// Samples a second.
    pub samples_per_s: f64,
    /// Samples a step.
    pub batch: usize,
    /// Threads of the learner.
    pub threads: usize,
    /// Bytes of memory on a GPU, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_bytes: Option<u64>,
}

/// Makes `learner` learn a batch of `samples` over and over for about `seconds`.
///
/// # Errors
/// When a step fails.
pub fn train_speed(learner: &mut Learner, samples: &[Sample], seconds: f64) -> Result<TrainSpeed, NonFinite> {
    let batch = &learner.batch_of(samples);
    learner.step(batch, 0.0)?;
    let start = Instant::now();
    let mut learnt = 0;
    loop {
        learner.learn(batch, 0.0)?;
        learnt += samples.len();
        if start.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    // A GPU is behind.
    learner.finish()?;
    Ok(TrainSpeed {
        samples_per_s: learnt as f64 / start.elapsed().as_secs_f64(),
        batch: samples.len(),
        threads: learner.threads(),
        device_bytes: learner.device_bytes(),
    })
}
