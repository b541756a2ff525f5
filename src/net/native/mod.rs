//! The networks' forward passes by hand, for processors: each kind in a module of its own.

mod dense;
mod lanes;
mod peak;
#[cfg(test)]
mod tests;
mod tower;

use std::sync::Arc;

use burn::tensor::Device;
pub use lanes::Isa;
pub use peak::multiply_add;
use tower::{Tower, TowerEvaluator};

use super::{FeatureEvaluator, Model};
use crate::encode::Shape;

/// A network's weights as the forward pass by hand wants them. Shared by all workers.
#[derive(Clone, Debug)]
pub enum NativeNet {
    /// Of a residual tower.
    Conv(Arc<Tower>),
}

impl NativeNet {
    /// Packs `model` for this processor.
    pub fn new(model: &Model) -> Self {
        Self::with_isa(model, Isa::detect())
    }

    /// Packs `model` for `isa`, which this processor must have.
    pub fn with_isa(model: &Model, isa: Isa) -> Self {
        let net = model.module(&Device::flex());
        NativeNet::Conv(Arc::new(Tower::new(&net, model.sizes(), isa)))
    }

    /// An evaluator for one worker, on boards of `shape`. Positions are judged one by one: a batch would gain
    /// nothing, and so not one bit of an answer depends on what else is asked, nor on the number of threads.
    ///
    /// # Panics
    /// When `shape` does not have the network's sizes.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            NativeNet::Conv(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
        }
    }
}
