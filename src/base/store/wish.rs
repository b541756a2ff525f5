//! A wish that the process which holds a directory ends, as a file there: Windows has no signal that one process could
//! send to another one without a common console.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The file.
const WISH: &str = "stop";

/// The directories that this process holds.
static HELD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn held() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the process that holds `directory` to end, as Ctrl-C does.
///
/// # Errors
/// When nothing can be written there.
pub fn ask_to_end(directory: &Path) -> io::Result<()> {
    File::create(directory.join(WISH)).map(drop)
}

/// Whether this process was asked to end since the last question.
pub fn is_asked_to_end() -> bool {
    held().iter().any(|directory| fs::remove_file(directory.join(WISH)).is_ok())
}

/// From now on this process holds `directory`. A wish that is there already was meant for another one.
pub(super) fn begin(directory: &Path) {
    let _ = fs::remove_file(directory.join(WISH));
    held().insert(directory.to_owned());
}

/// This process no longer holds `directory`.
pub(super) fn end(directory: &Path) {
    held().remove(directory);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_reaches_who_holds_the_directory() {
        let folder = tempfile::tempdir().unwrap();
        ask_to_end(folder.path()).unwrap();
        begin(folder.path());
        assert!(!is_asked_to_end(), "it was meant for another process");
        ask_to_end(folder.path()).unwrap();
        assert!(is_asked_to_end());
        assert!(!is_asked_to_end(), "once");
        end(folder.path());
        ask_to_end(folder.path()).unwrap();
        assert!(!is_asked_to_end(), "it is not ours any more");
    }
}
