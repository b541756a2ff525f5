//! The tree search and alpha-beta.

#[cfg(not(loom))]
mod alphabeta;
#[cfg(not(loom))]
mod golden;
#[cfg(not(loom))]
mod lines;
#[cfg(loom)]
mod model;
#[cfg(all(not(loom), feature = "program"))]
mod sight;
#[cfg(not(loom))]
mod strength;
#[cfg(not(loom))]
#[path = "../support/mod.rs"]
mod support;
#[cfg(not(loom))]
mod tree_search;
