//! The rules of the six games, held against oracles, other engines and `Game`'s own comments.

mod contract;
mod dobutsu;
mod endings;
mod guest;
mod handicaps;
mod janggi;
#[path = "../support/mirror.rs"]
mod mirror;
#[path = "../support/property.rs"]
mod property;
mod referee;
mod shogi;
#[path = "../support/skipped.rs"]
mod skipped;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/verdicts.rs"]
mod verdicts;
mod xiangqi;
