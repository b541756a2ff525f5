//! What computes a network's answers.

#[cfg(feature = "wgpu")]
use std::sync::LazyLock;
use std::{
    fmt,
    str::FromStr,
    sync::{Arc, Once},
};

use burn::tensor::{DType, Device};
use serde::{Deserialize, Serialize};

use super::{LoadedNet, Model, NativeNet, NetConfig, NoPrecision, Precision, fastest::native_precision};
use crate::games::rules::UnknownName;

/// What computes a network's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The forward pass by hand: the fastest on a processor, at any batch size.
    #[default]
    Native,
    /// burn on the processor: the reference.
    Flex,
    /// A GPU through Vulkan, Metal or DX12: our own kernels learn sparse nets, burn does the rest. Needs the feature `wgpu`.
    Wgpu,
    /// burn on an NVIDIA GPU. Needs the feature `cuda`.
    Cuda,
}

/// A backend has no device to compute on; says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoDevice(String);

impl Backend {
    /// All of them. Not every program was built with each.
    pub const ALL: [Backend; 4] = [Backend::Native, Backend::Flex, Backend::Wgpu, Backend::Cuda];

    /// Whether this program was built with it.
    pub const fn is_built(self) -> bool {
        match self {
            Backend::Native | Backend::Flex => true,
            Backend::Wgpu => cfg!(feature = "wgpu"),
            Backend::Cuda => cfg!(feature = "cuda"),
        }
    }

    /// Whether it computes on a graphics card.
    pub const fn is_gpu(self) -> bool {
        matches!(self, Backend::Wgpu | Backend::Cuda)
    }

    /// The name on the command line and in configs.
    pub fn as_str(self) -> &'static str {
        match self {
            Backend::Native => "native",
            Backend::Flex => "flex",
            Backend::Wgpu => "wgpu",
            Backend::Cuda => "cuda",
        }
    }

    /// Whether the program was built with it, and its device is there.
    ///
    /// # Errors
    /// One line that says what is missing.
    pub fn check(self) -> Result<(), NoDevice> {
        match self {
            _ if !self.is_built() => Err(NoDevice(format!(
                "this program was built without GPU support: build it with --features {self}"
            ))),
            #[cfg(feature = "wgpu")]
            Backend::Wgpu => super::gpu::Gpu::open().map(|_| ()).map_err(|error| NoDevice(error.to_string())),
            _ => Ok(()),
        }
    }

    /// The GPU of [`Backend::Wgpu`] as its driver calls it, where the program was built with it and there is one. A processor
    /// that does a GPU's work is none. It is looked for once.
    pub fn gpu_name() -> Option<&'static str> {
        #[cfg(feature = "wgpu")]
        {
            static NAME: LazyLock<Option<String>> = LazyLock::new(|| {
                let first = super::gpu::Gpu::list().into_iter().next();
                first.filter(|gpu| gpu.kind != "processor").map(|gpu| gpu.name)
            });
            NAME.as_deref()
        }
        #[cfg(not(feature = "wgpu"))]
        None
    }

    /// Where burn computes, which is also where it learns.
    ///
    /// # Panics
    /// When the program was built without it.
    pub fn device(self) -> Device {
        match self {
            Backend::Native | Backend::Flex => Device::flex(),
            #[cfg(feature = "wgpu")]
            Backend::Wgpu => Device::wgpu(Default::default()),
            #[cfg(feature = "cuda")]
            Backend::Cuda => Device::cuda(0),
            #[cfg(not(all(feature = "wgpu", feature = "cuda")))]
            unbuilt => panic!("the program was built without {unbuilt}"),
        }
    }

    /// What plays the games of a run with such a net: a sparse net plays far faster on the processor than on a graphics
    /// card, which then only learns.
    #[must_use]
    pub fn for_play(self, net: &NetConfig) -> Backend {
        match net {
            NetConfig::Sparse(_) if self.is_gpu() => Backend::Native,
            NetConfig::Sparse(_) | NetConfig::Conv(_) => self,
        }
    }

    /// Makes `model` ready to evaluate in fp32.
    ///
    /// # Panics
    /// As [`LoadedNet::native`].
    pub fn load(self, model: &Model) -> LoadedNet {
        self.load_in(model, Precision::Fp32).expect("every backend has fp32")
    }

    /// The precision that `wanted` stands for here: [`Precision::Auto`] is the one in which the native backend
    /// evaluates `model` fastest on this machine, as measured, and with other backends fp32. The others also take fp32 for
    /// [`Precision::Int16`], in which sparse nets usually play: they do not have it.
    ///
    /// # Panics
    /// As [`LoadedNet::native`].
    pub fn precision_of(self, model: &Model, wanted: Precision) -> Precision {
        match self {
            Backend::Native => native_precision(model, wanted),
            _ => burn_precision(model.net(), wanted),
        }
    }

    /// Whether it can evaluate such a net in `precision`.
    ///
    /// # Errors
    /// When this backend, or this kind of net, does not have it.
    pub fn check_precision(self, net: &NetConfig, precision: Precision) -> Result<(), NoPrecision> {
        match self {
            Backend::Native => NativeNet::check_precision(net, precision),
            _ => self.dtype(net, precision).map(|_| ()),
        }
    }

    /// Makes `model` ready to evaluate in `precision`.
    ///
    /// # Errors
    /// When this backend, or this kind of net, does not have it.
    ///
    /// # Panics
    /// As [`LoadedNet::native`].
    pub fn load_in(self, model: &Model, precision: Precision) -> Result<LoadedNet, NoPrecision> {
        match (self, self.precision_of(model, precision)) {
            (Backend::Native, precision) => LoadedNet::native(model, precision),
            (_, precision) => Ok(self.in_burn(model, self.dtype(model.net(), precision)?)),
        }
    }
}

impl Backend {
    /// `model` in burn, ready to evaluate in these numbers.
    fn in_burn(self, model: &Model, dtype: DType) -> LoadedNet {
        let device = self.device();
        LoadedNet::Burn(Arc::new(model.network(&device).ready(dtype)), device)
    }

    /// The numbers in which burn evaluates such a net where `precision` is asked for. Only towers on a device that has them
    /// are evaluated in others than single ones.
    fn dtype(self, net: &NetConfig, precision: Precision) -> Result<DType, NoPrecision> {
        let has = |dtype: DType| self.is_gpu() && self.is_built() && self.device().supports_dtype(dtype);
        match (net, burn_precision(net, precision)) {
            (_, Precision::Fp32) => Ok(DType::F32),
            (NetConfig::Conv(_), Precision::Fp16) if has(DType::F16) => Ok(DType::F16),
            (NetConfig::Conv(_), Precision::Bf16) if has(DType::BF16) => Ok(DType::BF16),
            _ => Err(NoPrecision { who: format!("backend {self}"), precision }),
        }
    }
}

/// The precision that `wanted` stands for in burn.
fn burn_precision(net: &NetConfig, wanted: Precision) -> Precision {
    static TOLD: Once = Once::new();
    match (net, wanted) {
        (_, Precision::Auto) => Precision::Fp32,
        (NetConfig::Sparse(_), Precision::Int16) => {
            TOLD.call_once(|| tracing::info!("only the native backend has int16: others take fp32 for it"));
            Precision::Fp32
        }
        (_, wanted) => wanted,
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
        UnknownName::look_up("backend", name, &Backend::ALL, Backend::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::testing;

    const PRECISIONS: [Precision; 5] =
        [Precision::Auto, Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Int16];

    #[test]
    fn where_there_is_no_int16_a_sparse_net_takes_fp32() {
        let model = testing::model("sparse-32", &testing::shape(4, 3), 1);
        let taken = |backend: Backend| backend.precision_of(&model, Precision::Int16);
        assert_eq!(taken(Backend::Native), Precision::Int16);
        for backend in [Backend::Flex, Backend::Wgpu, Backend::Cuda] {
            assert_eq!(taken(backend), Precision::Fp32, "{backend}");
            assert!(backend.check_precision(model.net(), Precision::Int16).is_ok(), "{backend}");
        }
        assert!(Backend::Flex.load_in(&model, Precision::Int16).is_ok());
    }

    #[test]
    fn the_check_says_what_loading_says() {
        for net in ["sparse-32", "1x16"] {
            let model = testing::model(net, &testing::shape(4, 3), 1);
            for backend in [Backend::Native, Backend::Flex] {
                for precision in PRECISIONS {
                    let loaded = backend.load_in(&model, precision).map(|_| ());
                    assert_eq!(backend.check_precision(model.net(), precision), loaded);
                }
            }
            assert!(Backend::Flex.load_in(&model, Precision::Bf16).is_err(), "{net}");
        }
    }

    #[test]
    fn a_card_plays_towers_and_leaves_sparse_nets_to_the_processor() {
        let plays = |net: &str| Backend::ALL.map(|backend| backend.for_play(&net.parse().unwrap()));
        assert_eq!(plays("1x16"), Backend::ALL);
        assert_eq!(plays("sparse-32"), [Backend::Native, Backend::Flex, Backend::Native, Backend::Native]);
    }

    #[test]
    fn names_round_trip() {
        for backend in Backend::ALL {
            assert_eq!(backend.as_str().parse(), Ok(backend));
        }
        assert!("gpu".parse::<Backend>().unwrap_err().to_string().contains("gpu"));
    }

    /// A config that names it is read all the same: a run that learned on a GPU can be looked at anywhere.
    #[test]
    fn what_the_program_was_built_without_is_named_when_it_is_used() {
        for backend in Backend::ALL {
            let text = format!("\"{backend}\"");
            assert_eq!(serde_json::from_str::<Backend>(&text).unwrap(), backend);
            if !backend.is_built() {
                let error = backend.check().unwrap_err().to_string();
                assert!(error.ends_with(&format!("--features {backend}")), "{error}");
            }
        }
    }
}
