//! A network in burn, of whatever kind.

use std::sync::Arc;

use burn::{
    module::{Module, ModuleMapper, ModuleVisitor},
    tensor::{DType, Device, Gradients},
};

use super::{
    config::{NetConfig, Sizes},
    conv::ConvNet,
    init::Init,
    input::Batch,
    output::NetworkOutput,
    parameters,
    sparse::SparseNet,
    weights::Layout,
};
use crate::games::encode::Inputs;

/// A network in burn, for inference, or for training where its device is an autodiff one.
#[derive(Clone, Debug)]
pub enum Network {
    /// A residual tower.
    Conv(ConvNet),
    /// Sums of rows.
    Sparse(SparseNet),
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

    /// The same for inference alone, in these numbers.
    pub fn ready(self, dtype: DType) -> Self {
        match self {
            Network::Conv(net) => Network::Conv(net.ready(dtype)),
            Network::Sparse(net) => Network::Sparse(net),
        }
    }

    /// Evaluates `batch` on `device`, where the network is.
    pub fn forward(&self, batch: &Batch, device: &Device) -> NetworkOutput {
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

    /// Shows its parameters to `visitor`, in the order of the layout.
    pub fn visit(&self, visitor: &mut impl ModuleVisitor) {
        match self {
            Network::Conv(net) => net.visit(visitor),
            Network::Sparse(net) => net.visit(visitor),
        }
    }

    /// The same network with parameters that `mapper` makes of these.
    pub fn map(self, mapper: &mut impl ModuleMapper) -> Self {
        match self {
            Network::Conv(net) => Network::Conv(net.map(mapper)),
            Network::Sparse(net) => Network::Sparse(net.map(mapper)),
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
