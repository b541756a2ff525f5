//! The engine that other programs play with: UCI, USI or UCCI, a line in, lines out.
//!
//! Owns the conversation, which is held in the words of [`crate::protocol`], the options, the game that is asked about and
//! the net that is taken where none is named. A thin shell over [`crate::search`]: it decides when a search ends, never how
//! it goes on.
//!
//! From `go` to `bestmove`: [`Session`] reads lines and is never busy; its `SearchThread` moves the `GameEngine`, which holds
//! position, net and search, to a thread of its own; there the search runs, and an `InfoReporter` observes it, ends it and
//! writes its lines.

mod books;
mod game_engine;
mod game_line;
mod info_reporter;
mod nets;
mod options;
mod output;
mod program;
mod request;
mod search_thread;
mod searcher;
mod session;
mod tree_driver;

pub use nets::{NetChoice, choose_net, net_folders};
pub use program::{EngineArgs, run, run_program};
pub use session::{EngineConfig, Session};
