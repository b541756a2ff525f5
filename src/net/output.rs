//! What networks in burn say.

use burn::{
    module::Param,
    tensor::{Device, Tensor, TensorData},
};

use super::{input::indices, parameters::values_of};

/// Plies that the moves-left head counts as one; keeps its targets near one (untuned).
pub const MOVES_LEFT_UNIT: f32 = 32.0;

/// What a network says about a batch.
pub struct NetworkOutput {
    /// `[batch, 3]`: logits of win, draw and loss for the side to move.
    pub wdl: Tensor<2>,
    /// `[batch, 1]`: plies to the end of the game, in units of [`MOVES_LEFT_UNIT`].
    pub moves_left: Tensor<2>,
    /// One logit for each of the batch's moves; `None` where it has none.
    pub policy: Option<Logits>,
    /// One logit for each of the batch's replies; `None` where it has none.
    pub replies: Option<Logits>,
}

/// One logit for each of some moves.
pub enum Logits {
    /// Only these.
    Picked(Tensor<1>),
    /// Those of more moves, and their places there. On a GPU burn picks quickly, but the gradient of picking is slow:
    /// there it is left out.
    Among(Tensor<1>, Vec<i32>),
}

impl Logits {
    /// Copies them out.
    pub fn values(&self) -> Vec<f32> {
        values_of(match self {
            Logits::Picked(logits) => logits.clone(),
            Logits::Among(all, places) => {
                all.clone().detach().select(0, indices(places.clone(), &all.device()))
            }
        })
    }

    /// Their sum, each times its part of `gradient`.
    pub fn dot(self, gradient: Vec<f32>, device: &Device) -> Tensor<1> {
        match self {
            Logits::Picked(logits) => dot(logits, gradient, device),
            Logits::Among(all, places) => {
                let mut everywhere = vec![0.0; all.dims()[0]];
                places.iter().zip(gradient).for_each(|(&place, part)| everywhere[place as usize] = part);
                dot(all, everywhere, device)
            }
        }
    }
}

/// The sum of `output`, each element times its part of `gradient`.
pub fn dot<const D: usize>(output: Tensor<D>, gradient: Vec<f32>, device: &Device) -> Tensor<1> {
    let gradient = Tensor::from_data(TensorData::new(gradient, output.shape()), device);
    (output * gradient).sum()
}

/// `x * weight + bias`.
pub fn affine(x: Tensor<2>, weight: &Param<Tensor<2>>, bias: &Param<Tensor<1>>) -> Tensor<2> {
    x.matmul(weight.val()) + bias.val().unsqueeze()
}
