//! Ctrl-C: once ends cleanly, twice at once.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

use crate::arena::kill_all_engines;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Set by the first Ctrl-C (or termination signal); the second ends the process with code 130.
pub fn flag() -> &'static AtomicBool {
    HANDLER.call_once(|| {
        let handler = || {
            if STOP.swap(true, Ordering::Relaxed) {
                kill_all_engines();
                std::process::exit(130);
            }
            eprintln!("stopping; once more to end at once");
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            tracing::warn!("Ctrl-C will end the program at once: {error}");
        }
    });
    &STOP
}
