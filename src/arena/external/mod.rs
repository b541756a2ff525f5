//! Engines that are programs of their own, driven over UCI, USI or UCCI.
//!
//! Owns their processes and the conversation with them, in the words of [`crate::protocol`]. An engine is never trusted:
//! whatever it does, or fails to do, costs it the game and nothing else, and no process outlives its player.

mod engine;
#[cfg(windows)]
mod job;
mod options;
mod overheard;
mod player;
mod process;
mod spec;
mod timeouts;
mod variant;
#[cfg(unix)]
mod watchdog;

#[doc(hidden)]
pub use overheard::overheard;
pub use player::{ExternalPlayer, check};
pub use process::kill_all_engines;
pub use spec::EngineSpec;
pub use timeouts::EngineTimeouts;
