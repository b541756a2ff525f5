//! One owner for a directory.

use std::{
    fs::{self, File, TryLockError},
    io::Write,
    path::Path,
    process, thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};

/// The file in a directory by which it is held.
pub const LOCK: &str = "lock";

/// How often a lock is tried in all: whoever only looks has it for a moment.
const TRIES: u32 = 5;
/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(10);

/// Holds a directory for one process until it is dropped; the system releases it even after a kill. The file says
/// which process that is.
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
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot write in {}", directory.display()))?;
        match patiently(&file) {
            Ok(()) => {
                let sign = |file: &mut File| file.set_len(0).and_then(|()| write!(file, "{}", process::id()));
                sign(&mut file).with_context(|| format!("cannot write {}", path.display()))?;
                Ok(DirLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => bail!("another run is using {}", directory.display()),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}

/// Takes the lock, also where somebody looks at it just now.
fn patiently(file: &File) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            other => return other,
        }
    }
    file.try_lock()
}

/// The process that holds a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its number; `None` where the system does not let others read what is locked.
    pub process: Option<u32>,
}

impl Holder {
    /// Who holds `directory`, if anybody does.
    pub fn of(directory: &Path) -> Option<Self> {
        let path = directory.join(LOCK);
        let process = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
        // Looking takes the lock for a moment: only where somebody may hold it.
        if process.is_some_and(|process| !may_live(process)) {
            return None;
        }
        let file = File::open(&path).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then_some(Holder { process })
    }
}

/// Whether there can be such a process.
fn may_live(process: u32) -> bool {
    !cfg!(target_os = "linux") || Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_owner_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = DirLock::acquire(folder.path()).unwrap();
        assert!(DirLock::acquire(folder.path()).unwrap_err().to_string().contains("another run"));
        assert_eq!(Holder::of(folder.path()), Some(Holder { process: Some(process::id()) }));
        drop(held);
        assert_eq!(Holder::of(folder.path()), None);
        DirLock::acquire(folder.path()).unwrap();
    }
}
