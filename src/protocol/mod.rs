//! UCI, USI and UCCI: the lines that an engine and the program that plays with it write to each other.
//!
//! Owns what the dialects say and how they write positions and moves, both ways where both are needed: `arena` asks
//! other engines in these words, and the engine answers other programs in them. Knows neither processes nor threads.

mod answer;
mod clocks;
mod command;
mod dialect;
mod go;
mod info;
mod notation;
mod options;
mod position;

pub use answer::{BestMove, MateAnswer};
pub use clocks::GoClocks;
pub use command::{EngineCommand, is_position};
pub use dialect::Dialect;
pub use go::{GoCommand, MateLimit};
pub use info::{Info, InfoScore};
pub use notation::Notation;
pub use options::{OptionDeclaration, OptionSetting};
pub use position::{PositionText, StartText};
