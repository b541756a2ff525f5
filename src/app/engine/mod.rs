//! The engine that other programs play with: UCI, USI or UCCI, a line in, lines out.
//!
//! Owns what is said in the three dialects, the options, positions as other programs write them, the time for a move and
//! the net that is taken where none is named. A thin shell over [`crate::search`]: it decides when a search ends, never how
//! it goes on.
//!
//! A line is read by `command` and carried out by [`Session`], which is never busy: a `Thinker` searches on a thread of its
//! own and says the answer itself.

mod answer;
mod clock;
mod command;
mod deepening;
mod desk;
mod nets;
mod options;
mod perft;
mod position;
mod seat;
mod session;
mod stage;
mod task;
mod tree;

use self::desk::Thinker;

pub use nets::{Choice as NetChoice, choose as choose_net, folders as net_folders};
pub use session::{EngineConfig, Flow, Session};
