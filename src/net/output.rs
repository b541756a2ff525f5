//! What networks in burn say.

use burn::{module::Param, tensor::Tensor};

/// Plies that the moves-left head counts as one; keeps its targets near one (untuned).
pub const MOVES_LEFT_UNIT: f32 = 32.0;

/// What a network says about a batch.
pub struct Output {
    /// `[batch, 3]`: logits of win, draw and loss for the side to move.
    pub wdl: Tensor<2>,
    /// `[batch, 1]`: plies to the end of the game, in units of [`MOVES_LEFT_UNIT`].
    pub moves_left: Tensor<2>,
    /// One logit for each of the batch's moves; `None` where it has none.
    pub policy: Option<Tensor<1>>,
    /// One logit for each of the batch's replies; `None` where it has none.
    pub replies: Option<Tensor<1>>,
}

/// `x * weight + bias`.
pub fn affine(x: Tensor<2>, weight: &Param<Tensor<2>>, bias: &Param<Tensor<1>>) -> Tensor<2> {
    x.matmul(weight.val()) + bias.val().unsqueeze()
}
