//! Atomic numbers, and a hint for those who wait for one. Under `--cfg loom` they are those of the crate `loom`, which
//! tries every order in which threads may act and see each other's writes (`model.rs`).

#[cfg(loom)]
pub(super) use loom::{hint, sync::atomic};
#[cfg(not(loom))]
pub(super) use std::{hint, sync::atomic};
