//! A game in a browser: what the page of `sanki export --format html` asks, and the page itself.
//!
//! The library without the feature `program` is compiled to WebAssembly (`src/app/web/make`), and the module, `sanki.wasm.gz`,
//! is part of the program, which puts it into the page with a net. `docs/web.md` describes both.

#[cfg(target_family = "wasm")]
mod abi;
mod line;
#[cfg(feature = "program")]
mod page;
mod session;

#[cfg(feature = "program")]
pub(crate) use page::{GameData, PLAY_STYLE, SCRIPTS, WORKER_SCRIPT, place, promotion, table};
#[cfg(feature = "program")]
pub use page::{MODULE, PageWords, page};
pub use session::PlaySession;
