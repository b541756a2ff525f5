//! One owner for a directory.

use std::{
    fs::{self, File, TryLockError},
    path::Path,
};

use anyhow::{Context, Result, bail};

/// The file in a directory by which it is held.
pub const LOCK: &str = "lock";

/// Holds a directory for one process until it is dropped; the system releases it even after a kill.
#[derive(Debug)]
pub struct DirLock {
    _file: File,
}

impl DirLock {
    /// Makes `directory` where it does not exist and takes it.
    ///
    /// # Errors
    /// When another process holds it, or it cannot be written.
    pub fn acquire(directory: &Path) -> Result<Self> {
        fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        let path = directory.join(LOCK);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot write in {}", directory.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(DirLock { _file: file }),
            Err(TryLockError::WouldBlock) => bail!("another run is using {}", directory.display()),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_owner_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = DirLock::acquire(folder.path()).unwrap();
        assert!(DirLock::acquire(folder.path()).unwrap_err().to_string().contains("another run"));
        drop(held);
        DirLock::acquire(folder.path()).unwrap();
    }
}
