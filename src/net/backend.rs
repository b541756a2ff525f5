//! What computes a network's answers.

use std::{fmt, str::FromStr, sync::Arc};

use anyhow::Context;
use burn::tensor::{DType, Device};
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};

#[cfg(any(feature = "wgpu", feature = "cuda"))]
use super::NetConfig;
use super::{
    BurnEvaluator, FeatureEvaluator, Isa, Model, NativeNet, Network, NoPrecision, Precision, fastest::fastest,
};
use crate::games::{encode::Shape, rules::UnknownName};

/// What computes a network's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The forward pass by hand: the fastest on a processor, at any batch size.
    #[default]
    Native,
    /// burn on the processor: the reference.
    Flex,
    /// A GPU through Vulkan, Metal or DX12: our own kernels learn sparse nets, burn does the rest.
    #[cfg(feature = "wgpu")]
    Wgpu,
    /// burn on an NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda,
}

/// A backend has no device to compute on; says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoDevice(String);

impl Backend {
    /// Those that this program was built with.
    pub const ALL: &[Backend] = &[
        Backend::Native,
        Backend::Flex,
        #[cfg(feature = "wgpu")]
        Backend::Wgpu,
        #[cfg(feature = "cuda")]
        Backend::Cuda,
    ];

    /// The name on the command line and in configs.
    pub fn as_str(self) -> &'static str {
        match self {
            Backend::Native => "native",
            Backend::Flex => "flex",
            #[cfg(feature = "wgpu")]
            Backend::Wgpu => "wgpu",
            #[cfg(feature = "cuda")]
            Backend::Cuda => "cuda",
        }
    }

    /// Whether its device is there.
    ///
    /// # Errors
    /// One line that says what is missing.
    pub fn check(self) -> Result<(), NoDevice> {
        match self {
            #[cfg(feature = "wgpu")]
            Backend::Wgpu => super::gpu::Gpu::open().map(|_| ()).map_err(|error| NoDevice(error.to_string())),
            _ => Ok(()),
        }
    }

    /// Where burn computes, which is also where it learns.
    pub fn device(self) -> Device {
        match self {
            Backend::Native | Backend::Flex => Device::flex(),
            #[cfg(feature = "wgpu")]
            Backend::Wgpu => Device::wgpu(Default::default()),
            #[cfg(feature = "cuda")]
            Backend::Cuda => Device::cuda(0),
        }
    }

    /// Makes `model` ready to evaluate in fp32.
    ///
    /// # Panics
    /// As [`NativeNet::new`].
    pub fn load(self, model: &Model) -> LoadedNet {
        self.load_in(model, Precision::Fp32).expect("every backend has fp32")
    }

    /// The precision that `wanted` stands for here: [`Precision::Auto`] is the one in which the native backend
    /// evaluates `model` fastest on this machine, as measured, and with other backends fp32.
    ///
    /// # Panics
    /// As [`NativeNet::new`].
    pub fn precision_of(self, model: &Model, wanted: Precision) -> Precision {
        match (self, wanted) {
            (Backend::Native, Precision::Auto) => {
                fastest(model, Isa::from_env().expect("the choice was checked at the start"))
            }
            (_, Precision::Auto) => Precision::Fp32,
            (_, wanted) => wanted,
        }
    }

    /// Makes `model` ready to evaluate in `precision`.
    ///
    /// # Errors
    /// When this backend, or this kind of net, does not have it.
    ///
    /// # Panics
    /// As [`NativeNet::new`].
    pub fn load_in(self, model: &Model, precision: Precision) -> Result<LoadedNet, NoPrecision> {
        match (self, self.precision_of(model, precision)) {
            (Backend::Native, precision) => NativeNet::new(model, precision).map(LoadedNet::Native),
            (_, Precision::Fp32) => Ok(self.in_burn(model, DType::F32)),
            #[cfg(any(feature = "wgpu", feature = "cuda"))]
            (backend, precision) if backend != Backend::Flex => match self.dtype(model, precision) {
                Some(dtype) => Ok(self.in_burn(model, dtype)),
                None => Err(NoPrecision { who: format!("backend {self}"), precision }),
            },
            (_, precision) => Err(NoPrecision { who: format!("backend {self}"), precision }),
        }
    }
}

impl Backend {
    /// [`Self::load_in`], with the work of it that is shared out on so many threads.
    ///
    /// # Errors
    /// As there, and when the threads cannot be started.
    pub fn load_on(self, threads: usize, model: &Model, precision: Precision) -> anyhow::Result<LoadedNet> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        Ok(pool.install(|| self.load_in(model, precision))?)
    }

    /// `model` in burn, ready to evaluate in these numbers.
    fn in_burn(self, model: &Model, dtype: DType) -> LoadedNet {
        let device = self.device();
        LoadedNet::Burn(Arc::new(model.network(&device).ready(dtype)), device)
    }

    /// The numbers of `precision`, where the device has them and `model` is a tower.
    #[cfg(any(feature = "wgpu", feature = "cuda"))]
    fn dtype(self, model: &Model, precision: Precision) -> Option<DType> {
        let dtype = match (model.net(), precision) {
            (NetConfig::Conv(_), Precision::Fp16) => DType::F16,
            (NetConfig::Conv(_), Precision::Bf16) => DType::BF16,
            _ => return None,
        };
        self.device().supports_dtype(dtype).then_some(dtype)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Backend {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::look_up("backend", name, Backend::ALL, Backend::as_str)
    }
}

/// Weights ready to evaluate, shared by all workers.
#[derive(Clone)]
pub enum LoadedNet {
    /// For the forward pass by hand.
    Native(NativeNet),
    /// In burn, on this device.
    Burn(Arc<Network>, Device),
}

impl LoadedNet {
    /// An evaluator for one worker, on boards of `shape`, which must have the network's sizes.
    pub fn evaluator(&self, shape: Shape) -> Box<dyn FeatureEvaluator> {
        match self {
            LoadedNet::Native(net) => net.evaluator(shape),
            LoadedNet::Burn(net, device) => Box::new(BurnEvaluator::new(net.clone(), device.clone(), shape)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &backend in Backend::ALL {
            assert_eq!(backend.as_str().parse(), Ok(backend));
        }
        assert!("gpu".parse::<Backend>().unwrap_err().to_string().contains("gpu"));
    }
}
