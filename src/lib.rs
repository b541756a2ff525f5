//! Sanki (三棋, "the three games") trains engines for the chess family of East Asia from nothing but
//! their rules: self-play by Monte Carlo tree search makes games, the games train a policy/value
//! network, the network guides the next search.
//!
//! The modules stand in the order of their dependencies; each uses only what stands above it
//! (`tests/layers.rs` holds that direction).
#![deny(missing_docs)]
// They panic where nobody reads any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod rng;

pub mod rules;

pub mod notation;

pub mod records;

pub mod encode;

pub mod search;

pub mod store;

pub mod net;

pub mod selfplay;

pub mod replay;

pub mod arena;

pub mod report;

pub mod train;

pub mod engine;

pub mod cli;
