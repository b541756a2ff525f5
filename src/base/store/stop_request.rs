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

/// From now on this process holds `directory`, whose lock it has taken; `sign` tells others so. A request that is there
/// already was meant for another process, one that comes once it is signed is meant for this one.
///
/// # Errors
/// Those of `sign`: this process does not hold it then.
pub(super) fn hold(directory: &Path, sign: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let _ = fs::remove_file(directory.join(STOP_FILE));
    sign()?;
    held().insert(directory.to_owned());
    Ok(())
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
        hold(folder.path(), || Ok(())).unwrap();
        assert!(!is_stop_requested(), "it was meant for another process");
        request_stop(folder.path()).unwrap();
        assert!(is_stop_requested());
        assert!(!is_stop_requested(), "once");
        release(folder.path());
        request_stop(folder.path()).unwrap();
        assert!(!is_stop_requested(), "it is not ours any more");

        // One that comes as soon as others can see who holds it.
        hold(folder.path(), || request_stop(folder.path())).unwrap();
        assert!(is_stop_requested(), "it was meant for this process");
        release(folder.path());
    }
}
