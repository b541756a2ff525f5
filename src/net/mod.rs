//! The network, three times: by hand on processors, which plays both kinds of net and learns sparse ones; by hand on a GPU,
//! which learns sparse nets; and in burn, the reference of both, which trains towers.
//!
//! Owns weights and how they become evaluations. Knows shapes, features and policy indices; no rules.

#[cfg(feature = "engine")]
mod any_evaluator;
#[cfg(feature = "program")]
mod backend;
#[cfg(feature = "program")]
pub mod bench;
#[cfg(feature = "program")]
mod burn_evaluator;
#[cfg(feature = "program")]
mod burn_gradient;
#[cfg(feature = "program")]
mod burn_learner;
pub mod config;
#[cfg(feature = "program")]
mod conv;
mod evaluate;
#[cfg(feature = "engine")]
mod fastest;
pub mod file;
pub mod fingerprint;
#[cfg(feature = "wgpu")]
pub mod gpu;
#[cfg(feature = "program")]
pub mod gradient;
#[cfg(feature = "program")]
mod init;
#[cfg(feature = "program")]
mod input;
mod layout;
#[cfg(feature = "engine")]
mod loaded;
#[cfg(feature = "program")]
mod mean;
mod model;
pub mod native;
#[cfg(feature = "program")]
mod network;
#[cfg(feature = "program")]
mod on_device;
#[cfg(feature = "program")]
pub mod onnx;
#[cfg(feature = "program")]
mod output;
#[cfg(feature = "program")]
mod parameters;
mod play;
mod precision;
#[cfg(feature = "program")]
mod sparse;
#[cfg(test)]
pub mod testing;
#[cfg(feature = "program")]
pub mod trust;
pub mod weights;
#[cfg(feature = "program")]
mod widen;

#[cfg(feature = "engine")]
pub use any_evaluator::AnyEvaluator;
#[cfg(feature = "program")]
pub use backend::{Backend, NoDevice};
#[cfg(feature = "program")]
pub use burn_evaluator::BurnEvaluator;
#[cfg(feature = "program")]
pub use burn_gradient::{BurnGradient, Outputs};
#[cfg(feature = "program")]
pub use burn_learner::BurnLearner;
pub use config::{BadNet, ConvConfig, MOST_PARAMETERS, NetConfig, Sizes, SparseConfig};
#[cfg(feature = "program")]
pub use conv::ConvNet;
pub use evaluate::{EncodedQuery, FeatureEvaluator, NetEvaluator};
pub use file::{ModelFile, ModelMeta};
#[cfg(feature = "program")]
pub use input::Batch;
#[cfg(feature = "engine")]
pub use loaded::LoadedNet;
pub use model::Model;
pub use native::{BadIsa, Isa, NativeNet};
#[cfg(feature = "program")]
pub use native::{SparseBatch, SparseGradient};
#[cfg(feature = "program")]
pub use network::Network;
#[cfg(feature = "program")]
pub use on_device::{LearningConstants, OptimizerState, StepRates};
#[cfg(feature = "program")]
pub use output::{MOVES_LEFT_UNIT, NetworkOutput};
pub use play::{LEVELS, LIMITED_LEVELS, MOST_MEMORY, MOST_THREADS, PlayConfig, PlaySearch, PlayTable};
pub use precision::{NoPrecision, Precision};
#[cfg(feature = "program")]
pub use sparse::SparseNet;
