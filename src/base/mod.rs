//! What everything stands on: random numbers by seed and purpose, mathematics with the same bits on every machine, and
//! files that are written whole or not at all.

pub mod maths;
pub mod rng;
pub mod splitmix;
pub mod store;
