//! The networks' forward passes by hand, for processors: each kind in a module of its own.

mod dense;
mod lanes;
mod peak;
pub mod sparse;
#[cfg(test)]
mod tests;
mod tower;
mod vector;

use std::sync::Arc;

use burn::tensor::Device;
pub use lanes::Isa;
pub use peak::multiply_add;
pub use sparse::SparseStep;
use sparse::{SparseEvaluator, SparseWeights};
use tower::{Tower, TowerEvaluator};

use super::{FeatureEvaluator, Model, Network};
use crate::encode::Shape;

/// A network's weights as the forward pass by hand wants them. Shared by all workers.
#[derive(Clone, Debug)]
pub enum NativeNet {
    /// Of a residual tower.
    Conv(Arc<Tower>),
    /// Of a sparse net.
    Sparse(Arc<SparseWeights>),
}

impl NativeNet {
    /// Packs `model` for this processor.
    pub fn new(model: &Model) -> Self {
        Self::with_isa(model, Isa::detect())
    }

    /// Packs `model` for `isa`, which this processor must have.
    pub fn with_isa(model: &Model, isa: Isa) -> Self {
        match model.network(&Device::flex()) {
            Network::Conv(net) => NativeNet::Conv(Arc::new(Tower::new(&net, model.sizes(), isa))),
            Network::Sparse(_) => NativeNet::Sparse(Arc::new(SparseWeights::new(model, isa))),
        }
    }

    /// An evaluator for one worker, on boards of `shape`. Positions are judged one by one: a batch would gain
    /// nothing, and so not one bit of an answer depends on what else is asked, nor on the number of threads.
    ///
    /// # Panics
    /// When the network does not fit `shape`.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            NativeNet::Conv(net) => Box::new(TowerEvaluator::new(net.clone(), shape)),
            NativeNet::Sparse(net) => Box::new(SparseEvaluator::new(net.clone(), &shape)),
        }
    }
}
