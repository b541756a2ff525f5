//! The log: warnings to stderr, all else to a run's file.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context, Result};
use tracing::Level;
use tracing_subscriber::{
    Layer, filter::LevelFilter, fmt, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt,
};

use super::colours;
use crate::base::store::retry_open;

/// Where a run's log goes.
enum Log {
    /// What was reported before the run's folder was known to be ours.
    Waiting(Vec<u8>),
    File(File),
}

static LOG: Mutex<Log> = Mutex::new(Log::Waiting(Vec::new()));

fn log() -> MutexGuard<'static, Log> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to [`LOG`].
struct ToLog;

impl Write for ToLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *log() {
            Log::Waiting(text) => text.write(bytes),
            Log::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for ToLog {
    type Writer = ToLog;

    fn make_writer(&'a self) -> ToLog {
        ToLog
    }
}

/// Shows this program's warnings on stderr from now on, and remembers what it reports for [`to_file`].
pub fn begin() {
    // What cannot be written it would say on stderr, and panic where that is closed.
    let to_file = fmt::layer()
        .with_writer(ToLog)
        .with_ansi(false)
        .log_internal_errors(false)
        .with_target(false)
        .with_filter(LevelFilter::from_level(Level::INFO));
    let to_stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(colours::are_shown(&io::stderr()))
        .log_internal_errors(false)
        .without_time()
        .with_target(false)
        .with_filter(LevelFilter::from_level(Level::WARN));
    // A log that the caller set up before stays.
    let _ = tracing_subscriber::registry().with(to_file).with(to_stderr).try_init();
}

/// Appends what this program reports to `path`, from its beginning.
///
/// # Errors
/// Names the file that cannot be written.
pub fn to_file(path: &Path) -> Result<()> {
    let open = || -> io::Result<File> {
        let mut file = retry_open(|| File::options().create(true).append(true).open(path))?;
        if let Log::Waiting(text) = &*log() {
            file.write_all(text)?;
        }
        Ok(file)
    };
    let file = open().with_context(|| format!("cannot write {}", path.display()))?;
    *log() = Log::File(file);
    Ok(())
}

#[cfg(all(test, windows))]
mod tests {
    use std::{os::windows::fs::OpenOptionsExt, thread, time::Duration};

    use super::*;

    #[test]
    fn a_log_that_another_program_holds_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("train.log");
        let held = File::options().write(true).create(true).share_mode(0).open(&path).unwrap();
        let scanner = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            drop(held);
        });
        to_file(&path).unwrap();
        scanner.join().unwrap();
    }
}
