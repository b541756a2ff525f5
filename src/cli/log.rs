//! The log: warnings to stderr, all else to a run's file.

use std::{fs::File, path::Path, sync::Mutex};

use anyhow::{Context, Result};
use tracing::Level;
use tracing_subscriber::{Layer, filter::LevelFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Appends what this program reports to `path`, and shows its warnings on stderr.
///
/// # Errors
/// Names the file that cannot be written.
pub fn to_file(path: &Path) -> Result<()> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    let to_file = fmt::layer()
        .with_writer(Mutex::new(file))
        .with_ansi(false)
        // It would say so on stderr, and panic where that is closed.
        .log_internal_errors(false)
        .with_target(false)
        .with_filter(LevelFilter::from_level(Level::INFO));
    let to_stderr = fmt::layer()
        .with_writer(std::io::stderr)
        .log_internal_errors(false)
        .without_time()
        .with_target(false)
        .with_filter(LevelFilter::from_level(Level::WARN));
    tracing_subscriber::registry().with(to_file).with(to_stderr).try_init().context("the log was begun twice")
}
