//! What nets that learn on a device of their own are told.

/// What does not change from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LearningConstants {
    /// Decay of the mean of the gradient.
    pub beta1: f32,
    /// Decay of the mean of its square.
    pub beta2: f32,
    /// Added to the root of the mean square.
    pub epsilon: f32,
    /// The gradient is scaled down to this length.
    pub max_norm: f32,
    /// What the value's loss counts; the policy's counts one.
    pub value: f32,
    /// What the reply's counts.
    pub reply: f32,
    /// What that of the moves left counts.
    pub moves_left: f32,
}

/// What a step is made with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepRates {
    /// The learning rate.
    pub rate: f32,
    /// `1 / (1 - beta^step)` of both moments.
    pub unbias: [f32; 2],
    /// The rate times the weight decay.
    pub decay: f32,
    /// How slowly the average follows.
    pub average_decay: f32,
}

/// Four numbers a weight: weights, average, and the moments.
pub type OptimizerState = [Vec<f32>; 4];
