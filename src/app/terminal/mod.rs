//! A game in the terminal: people and programs at one board.
//!
//! Owns what is drawn, what is typed and what is said about it. The caller makes the players and the two ends of the
//! terminal; nothing here knows of files beside the games that are saved and loaded.

mod board;
mod command;
mod game_loop;
mod input;
mod messages;
mod moves;
mod names;
mod setup;
mod turns;

pub use board::{BoardView, Colours, Legend, PieceStyle};
pub use game_loop::{Begin, Commentary, Ends, GameLoop, GameLoopConfig, Left, Playable, PlayerSeat};
pub use input::TerminalInput;
