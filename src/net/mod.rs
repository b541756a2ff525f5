//! The network: in burn for training, by hand for play on a processor.
//!
//! Owns weights and how they become evaluations. Knows shapes, features and policy indices; no rules.

mod backend;
pub mod bench;
mod burn_evaluator;
pub mod config;
mod conv;
mod evaluate;
pub mod file;
pub mod gradient;
mod init;
mod input;
mod judge;
mod model;
pub mod native;
mod network;
pub mod onnx;
mod play;
mod precision;
mod sparse;
#[cfg(test)]
pub mod testing;
mod trainee;
pub mod weights;
mod widen;

pub use backend::{Backend, LoadedNet, NoPrecision};
pub use burn_evaluator::BurnEvaluator;
pub use config::{BadNet, ConvConfig, NetConfig, Sizes, SparseConfig};
pub use conv::ConvNet;
pub use evaluate::{Encoded, FeatureEvaluator, NetEvaluator};
pub use file::{ModelFile, ModelMeta};
pub use input::Batch;
pub use judge::Judge;
pub use model::Model;
pub use native::{BadIsa, Isa, NativeNet, SparseTrainee};
pub use network::{MOVES_LEFT_UNIT, Network, Output};
pub use play::{PlayConfig, PlayTable, SearchKind, TreeUse};
pub use precision::Precision;
pub use sparse::SparseNet;
pub use trainee::{Outputs, Trainee};
