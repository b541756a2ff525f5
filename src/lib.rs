//! Sanki (三棋, "the three games") trains engines for the chess family of East Asia from nothing but
//! their rules: self-play by Monte Carlo tree search makes games, the games train a policy/value
//! network, the network guides the next search.
//!
//! The modules stand in the order of their dependencies; each uses only what stands above it
//! (`tests/program/layers/` holds that direction). What the feature `program` leaves out is all that a game with a trained
//! sparse net does not need.
#![deny(missing_docs)]
// They panic where nobody reads any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]
// Of the system's C library, whose bits differ between machines (src/maths.rs). Tests may compare with it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod rng;

pub mod maths;

pub mod store;

pub mod rules;

pub mod notation;

#[cfg(feature = "program")]
pub mod records;

pub mod encode;

pub mod search;

pub mod net;

pub mod fingerprint;

#[cfg(feature = "program")]
pub mod selfplay;

#[cfg(feature = "program")]
pub mod replay;

#[cfg(feature = "program")]
pub mod arena;

#[cfg(feature = "program")]
pub mod analysis;

#[cfg(feature = "program")]
pub mod report;

pub mod web;

#[cfg(feature = "program")]
pub mod train;

#[cfg(feature = "program")]
pub mod remote;

#[cfg(feature = "program")]
pub mod engine;

#[cfg(feature = "program")]
pub mod terminal;

#[cfg(feature = "program")]
pub mod serve;

#[cfg(feature = "program")]
pub mod cli;
