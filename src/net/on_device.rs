//! The parameters of the optimizer on a GPU, where weights, moments and average stay on the device.

/// The constants of the optimizer (AdamW) and of the loss.
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
    /// Weight of the value's loss; the policy's is one.
    pub value: f32,
    /// Weight of the reply's loss.
    pub reply: f32,
    /// Weight of the loss of the moves left.
    pub moves_left: f32,
}

/// What changes from step to step.
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

/// Four numbers for each weight: the weights, their average, and the two moments.
pub type OptimizerState = [Vec<f32>; 4];
