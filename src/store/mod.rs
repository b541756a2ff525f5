//! Files that survive: atomic writes, containers that notice damage, and one owner for a directory.
//!
//! Knows bytes and paths, not what is in them. Every file here is written under a temporary name, synced
//! and renamed, so that a reader sees the old file or the new one and never half of either.

mod atomic;
mod container;
mod lock;

pub use atomic::{UNFINISHED, write_atomic};
pub use container::Container;
pub use lock::DirLock;
