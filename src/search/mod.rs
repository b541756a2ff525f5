//! The tree search.
//!
//! Owns selection, expansion and backup. Depends on [`crate::rules`] alone: it knows neither the network
//! nor policy indices; both are behind [`Evaluator`].

mod evaluate;
mod wdl;

pub use evaluate::{Evaluation, Evaluator, Query};
pub use wdl::Wdl;
