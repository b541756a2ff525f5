//! What people and other programs use: the command line, the engine, the board in the terminal, the pages.

#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "engine")]
pub mod console;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "program")]
pub mod report;
#[cfg(feature = "program")]
pub mod serve;
#[cfg(feature = "program")]
pub mod terminal;
pub mod web;
