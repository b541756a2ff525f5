//! A network in burn, of whatever kind.

use std::sync::Arc;

use burn::{
    module::Param,
    tensor::{Device, Gradients, Tensor},
};

use super::{
    config::{NetConfig, Sizes},
    conv::ConvNet,
    init::Init,
    input::Batch,
    parameters,
    sparse::SparseNet,
    weights::Layout,
};
use crate::encode::Inputs;

/// Plies that the moves-left head counts as one; keeps its targets near one (untuned).
pub const MOVES_LEFT_UNIT: f32 = 32.0;

/// A network in burn, for inference, or for training where its device is an autodiff one.
#[derive(Clone, Debug)]
pub enum Network {
    /// A residual tower.
    Conv(ConvNet),
    /// Sums of rows.
    Sparse(SparseNet),
}

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
pub(super) fn affine(x: Tensor<2>, weight: &Param<Tensor<2>>, bias: &Param<Tensor<1>>) -> Tensor<2> {
    x.matmul(weight.val()) + bias.val().unsqueeze()
}

impl Network {
    /// A new network of a valid config.
    pub(super) fn new(net: &NetConfig, sizes: Sizes, mut init: Init) -> Self {
        match net {
            NetConfig::Conv(conv) => Network::Conv(ConvNet::new(conv, sizes, &mut init)),
            NetConfig::Sparse(sparse) => Network::Sparse(SparseNet::new(sparse, sizes, &mut init)),
        }
    }

    /// What positions are to be encoded with.
    pub fn inputs(&self) -> Inputs {
        match self {
            Network::Conv(_) => Inputs::Pieces,
            Network::Sparse(net) => net.inputs(),
        }
    }

    /// Judges `batch` on `device`, where the network is.
    pub fn forward(&self, batch: &Batch, device: &Device) -> Output {
        match self {
            Network::Conv(net) => net.forward(batch, device),
            Network::Sparse(net) => net.forward(batch, device),
        }
    }

    /// Names and shapes of its parameters.
    pub fn layout(&self) -> Arc<Layout> {
        match self {
            Network::Conv(net) => Layout::of(net),
            Network::Sparse(net) => Layout::of(net),
        }
    }

    /// Its parameters, in the order of the layout.
    pub fn weights(&self) -> Vec<f32> {
        match self {
            Network::Conv(net) => parameters::flatten(net),
            Network::Sparse(net) => parameters::flatten(net),
        }
    }

    /// The same network with other parameters, in the order of the layout.
    ///
    /// # Panics
    /// When there are fewer than the layout holds.
    pub fn with_weights(self, values: &[f32]) -> Self {
        match self {
            Network::Conv(net) => Network::Conv(parameters::unflatten(net, values)),
            Network::Sparse(net) => Network::Sparse(parameters::unflatten(net, values)),
        }
    }

    /// Takes the gradients of its parameters out, in the order of the layout.
    pub fn gradients(&self, gradients: &mut Gradients) -> Vec<f32> {
        match self {
            Network::Conv(net) => parameters::gradients(net, gradients),
            Network::Sparse(net) => parameters::gradients(net, gradients),
        }
    }
}
