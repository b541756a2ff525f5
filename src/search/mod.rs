//! The tree search.
//!
//! Owns selection, expansion and backup. Depends on [`crate::rules`] alone: it knows neither the network
//! nor policy indices; both are behind [`Evaluator`].

mod config;
mod driver;
mod evaluate;
mod gumbel;
mod noise;
mod puct;
mod root;
mod tree;
mod wdl;

pub use config::{BadSetting, GumbelConfig, Noise, PuctConfig, SearchConfig};
pub use driver::{Search, run, run_while};
pub use evaluate::{Evaluation, Evaluator, Query};
pub use root::RootMove;
pub use wdl::Wdl;
