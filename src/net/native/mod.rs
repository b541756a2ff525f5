//! The networks' forward passes by hand, for processors: each kind in a module of its own.

mod arch;
mod arithmetic;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bf16;
mod dense;
mod format;
mod int16_lanes;
mod isa;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod parallel;
#[cfg(feature = "program")]
mod peak;
pub(super) mod sparse;
#[cfg(test)]
mod tests;
#[cfg(feature = "program")]
mod tower;

use std::sync::Arc;

#[cfg(feature = "program")]
use burn::tensor::Device;
#[cfg(feature = "program")]
use format::{Bf16, Fp32};
pub use isa::{BadIsa, Isa};
#[cfg(feature = "program")]
pub use peak::multiply_add;
use sparse::{FeatureTable, Int16Table, SparseEvaluator, SparseWeights};
#[cfg(feature = "program")]
pub use sparse::{SparseBatch, SparseGradient};
#[cfg(feature = "program")]
use tower::{Tower, TowerEvaluator};

#[cfg(feature = "program")]
use super::Network;
use super::{FeatureEvaluator, Model, NetConfig, NoPrecision, Precision};
use crate::games::encode::Shape;

/// A network's weights as the forward pass by hand wants them. Shared by all workers.
#[derive(Clone, Debug)]
pub enum NativeNet {
    /// Of a residual tower.
    #[cfg(feature = "program")]
    Conv(Arc<Tower<Fp32>>),
    /// Of a residual tower, to be multiplied in bf16.
    #[cfg(feature = "program")]
    ConvBf16(Arc<Tower<Bf16>>),
    /// Of a sparse net.
    Sparse(Arc<SparseWeights<FeatureTable>>),
    /// Of a sparse net, in 16-bit numbers.
    SparseInt16(Arc<SparseWeights<Int16Table>>),
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

    /// Whether such a net can be evaluated by hand in `precision`.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check_precision(net: &NetConfig, precision: Precision) -> Result<(), NoPrecision> {
        if !net.has(precision) || precision == Precision::Fp16 {
            return Err(NoPrecision { who: format!("a {net} net"), precision });
        }
        Ok(())
    }

    /// Packs `model` for `isa`, which this processor must have.
    ///
    /// # Errors
    /// When this kind of net does not have the precision.
    pub fn with_isa(model: &Model, precision: Precision, isa: Isa) -> Result<Self, NoPrecision> {
        Self::check_precision(model.net(), precision)?;
        let precision = match (precision, model.net()) {
            // Without a clock: what is mostly faster. The program measures (`Backend::precision_of`).
            (Precision::Auto, NetConfig::Sparse(_)) => Precision::Int16,
            (Precision::Auto, NetConfig::Conv(_)) => Precision::Fp32,
            (given, _) => given,
        };
        match model.net() {
            NetConfig::Sparse(_) => Ok(match precision {
                Precision::Int16 => NativeNet::SparseInt16(Arc::new(SparseWeights::new(model, isa))),
                _ => NativeNet::Sparse(Arc::new(SparseWeights::new(model, isa))),
            }),
            NetConfig::Conv(_) => Ok(Self::tower(model, precision, isa)),
        }
    }

    #[cfg(feature = "program")]
    fn tower(model: &Model, precision: Precision, isa: Isa) -> Self {
        let Network::Conv(net) = model.network(&Device::flex()) else {
            unreachable!("a tower's config makes a tower")
        };
        match precision {
            Precision::Bf16 => NativeNet::ConvBf16(Arc::new(Tower::new(&net, model.sizes(), isa))),
            _ => NativeNet::Conv(Arc::new(Tower::new(&net, model.sizes(), isa))),
        }
    }

    #[cfg(not(feature = "program"))]
    fn tower(_: &Model, _: Precision, _: Isa) -> Self {
        unreachable!("without burn no tower is read")
    }

    /// An evaluator for one worker, on boards of `shape`. Positions are evaluated one by one: a batch would gain
    /// nothing, and so not one bit of an evaluation depends on what else is evaluated, nor on the number of threads.
    ///
    /// # Panics
    /// When the network does not fit `shape`.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            #[cfg(feature = "program")]
            NativeNet::Conv(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
            #[cfg(feature = "program")]
            NativeNet::ConvBf16(tower) => Box::new(TowerEvaluator::new(tower.clone(), shape)),
            NativeNet::Sparse(net) => Box::new(SparseEvaluator::new(net.clone(), &shape)),
            NativeNet::SparseInt16(net) => Box::new(SparseEvaluator::new(net.clone(), &shape)),
        }
    }
}
