//! The network: in burn for training, by hand for play on a processor.
//!
//! Owns weights and how they become evaluations. Knows shapes, features and policy indices; no rules.

pub mod config;
mod conv;
mod init;
mod input;
mod model;
#[cfg(test)]
pub mod testing;
pub mod weights;

pub use config::{BadNet, ConvConfig, NetConfig, Sizes};
pub use conv::{ConvNet, Hidden, MOVES_LEFT_UNIT, Output};
pub use input::{Input, Moves};
pub use model::Model;
