//! The networks' forward passes by hand, for processors: each kind in a module of its own.

mod arch;
mod bf16;
mod dense;
mod format;
mod isa;
mod lanes;
mod peak;
pub(super) mod sparse;
#[cfg(test)]
mod tests;
mod tower;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::Arc;

use burn::tensor::Device;
use format::{Bf16, Fp32};
pub use isa::{BadIsa, Isa};
pub use peak::multiply_add;
pub use sparse::SparseTrainee;
use sparse::{FeatureTable, SparseEvaluator, SparseWeights, WordTable};
use tower::{Tower, TowerEvaluator};

use super::{FeatureEvaluator, Model, NetConfig, Network, NoPrecision, Precision};
use crate::encode::Shape;

/// A network's weights as the forward pass by hand wants them. Shared by all workers.
#[derive(Clone, Debug)]
pub enum NativeNet {
    /// Of a residual tower.
    Conv(Arc<Tower<Fp32>>),
    /// Of a residual tower, to be multiplied in bf16.
    ConvBf16(Arc<Tower<Bf16>>),
    /// Of a sparse net.
    Sparse(Arc<SparseWeights<FeatureTable>>),
    /// Of a sparse net, in 16-bit numbers.
    SparseInt16(Arc<SparseWeights<WordTable>>),
}

impl NativeNet {
    /// Packs `model` for [`Isa::from_env`].
    ///
    /// # Errors
    /// When this kind of net does not have the precision.
    ///
    /// # Panics
    /// When the instruction set is an error.
    pub fn new(model: &Model, precision: Precision) -> Result<Self, NoPrecision> {
        let isa = Isa::from_env().expect("the choice was checked at the start");
        Self::with_isa(model, precision, isa)
    }

    /// Packs `model` for `isa`, which this processor must have.
    ///
    /// # Errors
    /// When this kind of net does not have the precision.
    pub fn with_isa(model: &Model, precision: Precision, isa: Isa) -> Result<Self, NoPrecision> {
        if !model.net().has(precision) {
            return Err(NoPrecision { who: format!("a {} net", model.net()), precision });
        }
        if let NetConfig::Sparse(_) = model.net() {
            return Ok(match precision {
                Precision::Int16 => NativeNet::SparseInt16(Arc::new(SparseWeights::new(model, isa))),
                _ => NativeNet::Sparse(Arc::new(SparseWeights::new(model, isa))),
            });
        }
        let Network::Conv(net) = model.network(&Device::flex()) else {
            unreachable!("a tower's config makes a tower")
        };
        Ok(match precision {
            Precision::Bf16 => NativeNet::ConvBf16(Arc::new(Tower::new(&net, model.sizes(), isa))),
            _ => NativeNet::Conv(Arc::new(Tower::new(&net, model.sizes(), isa))),
        })
    }

    /// An evaluator for one worker, on boards of `shape`. Positions are judged one by one: a batch would gain
    /// nothing, and so not one bit of an answer depends on what else is asked, nor on the number of threads.
    ///
    /// # Panics
    /// When the network does not fit `shape`.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            NativeNet::Conv(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
            NativeNet::ConvBf16(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
            NativeNet::Sparse(net) => Box::new(SparseEvaluator::new(net.clone(), &shape)),
            NativeNet::SparseInt16(net) => Box::new(SparseEvaluator::new(net.clone(), &shape)),
        }
    }
}
