//! Sanki (三棋, "the three games") trains engines for the chess family of East Asia from nothing but
//! their rules: self-play by Monte Carlo tree search makes games, the games train a policy/value
//! network, the network guides the next search.
//!
//! The modules are layers in the order of their dependencies; each uses only what stands above it
//! (`tests/program/layers/` holds that direction). Without features there is what a game with a trained sparse net
//! needs; `engine` adds the program `sanki-engine`, and `program` all else.
#![deny(missing_docs)]
// They panic where the reader is gone.
#![deny(clippy::print_stdout, clippy::print_stderr)]
// Of the system's C library, whose bits differ between machines (src/base/maths.rs). Tests may compare with it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod base;

pub mod games;

pub mod search;

pub mod net;

#[cfg(feature = "engine")]
pub mod protocol;

#[cfg(feature = "program")]
pub mod arena;

#[cfg(feature = "program")]
pub mod training;

pub mod app;
