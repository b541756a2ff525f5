//! The page of `sanki serve`: train, watch, measure and play in a browser.
//!
//! Folders are the only interface to what is done: runs, matches and ladders are processes of their own, which the page
//! starts as a person would in the terminal. So what was started there shows here, and a page that is closed, or a
//! server that is killed, costs nothing. Games against a net are played in the browser, by the module of
//! [`web`](crate::app::web).
//!
//! What comes from outside is checked in one place: who asks in `guard`, names in `folders`, engines of other programs
//! in `engines`, where a browser is sent on to in `local`. What is to be said to the person is in `texts`.

mod assets;
mod auth;
mod cores;
mod download;
mod engines;
mod error;
mod explore;
mod folders;
mod games;
mod language;
mod layout;
mod listen;
mod local;
mod matches;
mod names;
mod nets;
mod new_run;
mod numbers;
mod play;
mod processes;
mod review;
mod run;
mod run_order;
mod runs;
mod server;
mod sources;
mod sparkline;
mod speed;
mod sse;
mod start;
mod state;
mod texts;
mod uploads;
mod viewer;

pub use auth::Origin;
pub use engines::Engines;
pub use folders::Folders;
pub use server::{PageServer, ServerOptions};
pub use texts::{Language, Texts};
