//! Engines that are programs of their own, driven over UCI, USI or UCCI.
//!
//! Owns their processes, what the dialects say and how positions and moves are written there. An engine is never
//! trusted: whatever it does, or fails to do, costs it the game and nothing else, and no process outlives its
//! player.

mod dialect;
mod engine;
mod limits;
mod notation;
mod options;
mod overheard;
mod player;
mod process;
mod spec;
mod variant;
#[cfg(unix)]
mod watchdog;

pub use dialect::Dialect;
pub use limits::Limits;
pub use notation::Notation;
#[doc(hidden)]
pub use overheard::overheard;
pub use player::{ExternalPlayer, check};
pub use process::kill_all_engines;
pub use spec::{EngineOption, EngineSpec};
