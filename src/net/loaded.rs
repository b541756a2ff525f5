//! A network that is ready to evaluate, whatever computes it.

#[cfg(feature = "program")]
use std::sync::Arc;

#[cfg(feature = "engine")]
use anyhow::Context;
#[cfg(feature = "program")]
use burn::tensor::Device;
#[cfg(feature = "engine")]
use rayon::ThreadPoolBuilder;

#[cfg(feature = "program")]
use super::{BurnEvaluator, Network};
use super::{FeatureEvaluator, Model, NativeNet, NoPrecision, Precision, fastest::native_precision};
use crate::games::encode::Shape;

/// Weights ready to evaluate, shared by all workers.
#[derive(Clone)]
pub enum LoadedNet {
    /// For the forward pass by hand.
    Native(NativeNet),
    /// In burn, on this device.
    #[cfg(feature = "program")]
    Burn(Arc<Network>, Device),
}

impl LoadedNet {
    /// Makes `model` ready for the forward pass by hand; [`Precision::Auto`] is the precision that is fastest on this
    /// machine, as measured.
    ///
    /// # Errors
    /// When this kind of net does not have the precision.
    ///
    /// # Panics
    /// As [`NativeNet::new`].
    pub fn native(model: &Model, precision: Precision) -> Result<Self, NoPrecision> {
        NativeNet::new(model, native_precision(model, precision)).map(LoadedNet::Native)
    }

    /// [`LoadedNet::native`], with the work of it shared out on so many threads.
    ///
    /// # Errors
    /// As there, and when the threads cannot be started.
    #[cfg(feature = "engine")]
    pub fn native_on(threads: usize, model: &Model, precision: Precision) -> anyhow::Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        Ok(pool.install(|| LoadedNet::native(model, precision))?)
    }

    /// An evaluator for one worker, on boards of `shape`, which must have the network's sizes.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            LoadedNet::Native(net) => net.evaluator(shape),
            #[cfg(feature = "program")]
            LoadedNet::Burn(net, device) => Box::new(BurnEvaluator::new(net.clone(), device.clone(), shape)),
        }
    }
}
