//! What a step of learning did, or why it was not made.

use serde::Serialize;

use super::loss::Losses;

/// What a step did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    /// Steps so far, this one included.
    pub steps: u64,
    /// The learning rate it was made with.
    pub learning_rate: f32,
    /// Before the step.
    pub losses: Losses,
    /// Before clipping.
    pub gradient_norm: f64,
}

/// A loss, a gradient or a weight is infinite or not a number; the step was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("step {step}: loss, gradient or weights not finite: gradient norm {gradient_norm}, {losses:?}")]
pub struct NonFinite {
    /// The step that failed.
    pub step: u64,
    /// The losses.
    pub losses: Losses,
    /// The gradient's length.
    pub gradient_norm: f64,
}
