//! How a network learns, as a config says it.

use serde::{Deserialize, Serialize};

use super::{loss::LossWeights, optimizer::AdamWConfig, schedule::Schedule};
use crate::net::Backend;

/// Samples of a step at most: they are in memory at once.
pub const MOST_SAMPLES: usize = 1 << 20;

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// What learns, where that is not what plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<Backend>,
    /// Samples a step.
    pub batch: usize,
    /// Samples of one forward and backward pass in burn, where a tower learns; the batch's shards are spread over the
    /// threads. The sums of their gradients depend on this, but not on the number of threads. A batch should hold a
    /// multiple of `shard * threads`. A sparse net, or a GPU, learns a batch as one, and this means nothing to it.
    pub shard: usize,
    /// The gradient of a step is scaled down to this length.
    pub max_gradient_norm: f32,
    /// How slowly the averaged weights, which play, follow the learned ones: about `1 / (1 - decay)` steps.
    pub average_decay: f32,
    /// The learning rate over the run.
    pub schedule: Schedule,
    /// The optimizer.
    pub adamw: AdamWConfig,
    /// What each loss counts.
    pub loss: LossWeights,
}

impl Default for LearnerConfig {
    /// Untuned, but for `shard`: on two cores 64 gave 0 to 10% more samples a second than 32.
    fn default() -> Self {
        LearnerConfig {
            backend: None,
            batch: 256,
            shard: 64,
            max_gradient_norm: 3.0,
            average_decay: 0.995,
            schedule: Schedule::default(),
            adamw: AdamWConfig::default(),
            loss: LossWeights::default(),
        }
    }
}

impl LearnerConfig {
    /// Whether every value is in its range.
    ///
    /// # Errors
    /// Names the key and its range.
    pub fn validate(&self) -> Result<(), String> {
        let LearnerConfig { batch, shard, max_gradient_norm, average_decay, schedule, adamw, loss, .. } =
            self;
        let check = |ok: bool, key: &str, value: f64, range: &str| {
            if ok { Ok(()) } else { Err(format!("learner.{key} = {value}: must {range}")) }
        };
        let positive = |key: &str, value: f32| {
            check(value > 0.0 && value.is_finite(), key, value.into(), "be above 0, and finite")
        };
        let not_negative = |key: &str, value: f32| {
            check(value >= 0.0 && value.is_finite(), key, value.into(), "be 0 or more, and finite")
        };
        let share =
            |key: &str, value: f32| check((0.0..1.0).contains(&value), key, value.into(), "lie in 0..1");
        check(*batch > 0, "batch", *batch as f64, "be at least 1")?;
        check(*shard > 0, "shard", *shard as f64, "be at least 1")?;
        check(*batch <= MOST_SAMPLES, "batch", *batch as f64, "be at most 1048576")?;
        check(*shard <= MOST_SAMPLES, "shard", *shard as f64, "be at most 1048576")?;
        positive("max_gradient_norm", *max_gradient_norm)?;
        share("average_decay", *average_decay)?;
        positive("schedule.peak", schedule.peak)?;
        let decay_from = schedule.decay_from;
        check((0.0..=1.0).contains(&decay_from), "schedule.decay_from", decay_from.into(), "lie in 0..1")?;
        check(
            (0.0..=1.0).contains(&schedule.last_fraction),
            "schedule.last_fraction",
            schedule.last_fraction.into(),
            "lie in 0..1",
        )?;
        share("adamw.beta1", adamw.beta1)?;
        // Of a root of zero nothing can be caught up with.
        check((0.5..1.0).contains(&adamw.beta2), "adamw.beta2", adamw.beta2.into(), "lie in 0.5..1")?;
        positive("adamw.epsilon", adamw.epsilon)?;
        let decay = adamw.weight_decay;
        check((0.0..=10.0).contains(&decay), "adamw.weight_decay", decay.into(), "lie in 0..10")?;
        not_negative("loss.value", loss.value)?;
        not_negative("loss.reply", loss.reply)?;
        not_negative("loss.moves_left", loss.moves_left)
    }
}
