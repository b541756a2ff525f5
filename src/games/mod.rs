//! The games: their rules, positions as a net sees them, moves as people write them, books, and records of games.
//!
//! Knows no tensors and no clock, and cannot fail but in reading text.

pub mod book;
pub mod encode;
pub mod notation;
#[cfg(feature = "program")]
pub mod records;
pub mod rules;
