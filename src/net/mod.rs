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
mod init;
mod input;
mod model;
pub mod native;
mod precision;
#[cfg(test)]
pub mod testing;
pub mod weights;

pub use backend::{Backend, LoadedNet, NoPrecision};
pub use burn_evaluator::BurnEvaluator;
pub use config::{BadNet, ConvConfig, NetConfig, Sizes};
pub use conv::{ConvNet, Hidden, MOVES_LEFT_UNIT, Output};
pub use evaluate::{Encoded, FeatureEvaluator, NetEvaluator};
pub use file::{ModelFile, ModelMeta};
pub use input::{Input, Moves};
pub use model::Model;
pub use native::{BadIsa, Isa, NativeNet};
pub use precision::Precision;
