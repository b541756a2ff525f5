//! A request that the process which holds a directory stops, as a file there: Windows has no signal that one process could
//! send to another one without a common console.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The file.
const STOP_FILE: &str = "stop";

/// The directories that this process holds.
static HELD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn held() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the process that holds `directory` to stop, as Ctrl-C does.
///
/// # Errors
/// When nothing can be written there.
pub fn request_stop(directory: &Path) -> io::Result<()> {
    File::create(directory.join(STOP_FILE)).map(drop)
}

/// Whether this process was asked to stop since the last call, which removes the request.
pub fn is_stop_requested() -> bool {
    held().iter().any(|directory| fs::remove_file(directory.join(STOP_FILE)).is_ok())
}

/// From now on this process holds `directory`. A request that is there already was meant for another one.
pub(super) fn hold(directory: &Path) {
    let _ = fs::remove_file(directory.join(STOP_FILE));
    held().insert(directory.to_owned());
}

/// This process no longer holds `directory`.
pub(super) fn release(directory: &Path) {
    held().remove(directory);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reaches_who_holds_the_directory() {
        let folder = tempfile::tempdir().unwrap();
        request_stop(folder.path()).unwrap();
        hold(folder.path());
        assert!(!is_stop_requested(), "it was meant for another process");
        request_stop(folder.path()).unwrap();
        assert!(is_stop_requested());
        assert!(!is_stop_requested(), "once");
        release(folder.path());
        request_stop(folder.path()).unwrap();
        assert!(!is_stop_requested(), "it is not ours any more");
    }
}
