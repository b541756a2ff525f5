//! The networks' forward passes by hand, for processors: each kind in a module of its own.

mod arch;
mod bf16;
mod dense;
mod isa;
mod lanes;
mod peak;
#[cfg(test)]
mod tests;
mod tower;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::Arc;

use burn::tensor::Device;
pub use isa::{BadIsa, Isa};
pub use peak::multiply_add;
use tower::{Bf16, Fp32, Tower, TowerEvaluator};

use super::{FeatureEvaluator, Model, Precision};
use crate::encode::Shape;

/// A network's weights as the forward pass by hand wants them. Shared by all workers.
#[derive(Clone, Debug)]
pub enum NativeNet {
    /// Of a residual tower.
    Conv(Arc<Tower<Fp32>>),
    /// Of a residual tower, to be multiplied in bf16.
    ConvBf16(Arc<Tower<Bf16>>),
}

impl NativeNet {
    /// Packs `model` for [`Isa::from_env`].
    ///
    /// # Panics
    /// When that is an error.
    pub fn new(model: &Model, precision: Precision) -> Self {
        let isa = Isa::from_env().expect("the choice was checked at the start");
        Self::with_isa(model, precision, isa)
    }

    /// Packs `model` for `isa`, which this processor must have.
    pub fn with_isa(model: &Model, precision: Precision, isa: Isa) -> Self {
        let (net, sizes) = (model.module(&Device::flex()), model.sizes());
        match precision {
            Precision::Fp32 => NativeNet::Conv(Arc::new(Tower::new(&net, sizes, isa))),
            Precision::Bf16 => NativeNet::ConvBf16(Arc::new(Tower::new(&net, sizes, isa))),
        }
    }

    /// An evaluator for one worker, on boards of `shape`. Positions are judged one by one: a batch would gain
    /// nothing, and so not one bit of an answer depends on what else is asked, nor on the number of threads.
    ///
    /// # Panics
    /// When `shape` does not have the network's sizes.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            NativeNet::Conv(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
            NativeNet::ConvBf16(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
        }
    }
}
