//! One owner for a directory.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::Path,
    process, thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};

#[cfg(windows)]
use super::stop_request;
use super::{check_regular, process::began, retry_open};

/// The file in a directory by which it is held.
pub const LOCK: &str = "lock";

/// Attempts to take a lock. A process that only looks at it holds it for a moment.
const TRIES: u32 = 5;
/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(10);
/// The permissions of the file: another user who could open it could lock it, and keep its owner out.
#[cfg(unix)]
const MODE: u32 = 0o600;

/// Holds a directory for one process until it is dropped; the system releases it even after a kill. Meanwhile the file
/// says which process that is, and when it began: numbers of processes are used again.
#[derive(Debug)]
pub struct DirLock {
    file: File,
    #[cfg(windows)]
    directory: std::path::PathBuf,
}

impl DirLock {
    /// Makes `directory` where it does not exist and takes it.
    ///
    /// # Errors
    /// When another process holds it, or it cannot be written.
    pub fn acquire(directory: &Path) -> Result<Self> {
        fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        let path = directory.join(LOCK);
        let mut file = open(&path).with_context(|| format!("cannot write in {}", directory.display()))?;
        match patiently(&file) {
            Ok(()) => {
                hold(&mut file, directory).with_context(|| format!("cannot write {}", path.display()))?;
                Ok(DirLock {
                    file,
                    #[cfg(windows)]
                    directory: directory.to_owned(),
                })
            }
            Err(TryLockError::WouldBlock) => bail!("another run is using {}", directory.display()),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }
}

impl Drop for DirLock {
    fn drop(&mut self) {
        // What cannot be cleared is found to be stale: the process is then another one, or none.
        let _ = self.file.set_len(0);
        #[cfg(windows)]
        stop_request::release(&self.directory);
        // A process that another thread is just starting has a copy of the file for a moment, and holds it as long.
        let _ = self.file.unlock();
    }
}

/// Opens the file, which is made where it does not exist. A link is not followed: it may lead to a file of the owner's.
fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(MODE).custom_flags(nix::libc::O_NOFOLLOW);
    }
    let file = retry_open(|| options.open(path))?;
    close_to_others(&file);
    Ok(file)
}

/// Restricts the permissions of a file that an earlier version made. The file of another user stays as it is.
#[cfg(unix)]
fn close_to_others(file: &File) {
    let _ = file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(MODE));
}

#[cfg(not(unix))]
fn close_to_others(_: &File) {}

/// Writes who we are, and hears of requests to stop from then on.
#[cfg(windows)]
fn hold(file: &mut File, directory: &Path) -> io::Result<()> {
    stop_request::hold(directory, || sign(file))
}

#[cfg(not(windows))]
fn hold(file: &mut File, _: &Path) -> io::Result<()> {
    sign(file)
}

/// Writes who we are.
fn sign(file: &mut File) -> io::Result<()> {
    let number = process::id();
    // In one piece, for who reads it meanwhile.
    let text = match began(number) {
        Some(time) => format!("{number} {time}"),
        None => number.to_string(),
    };
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

/// Takes the lock, also if another process looks at it just now.
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
    /// Its number; `None` where it is not certain: the file is another process's or an old one, that process runs on
    /// another machine or in another container, or the system does not let others read what is locked.
    pub process: Option<u32>,
}

impl Holder {
    /// Who holds `directory`, if anybody does and we may know.
    pub fn of(directory: &Path) -> Option<Self> {
        let path = directory.join(LOCK);
        let text = fs::read_to_string(&path).ok();
        // Looking takes the lock for a moment, so look only if a process may hold it.
        if text.as_ref().is_some_and(String::is_empty) {
            return None;
        }
        let file = File::open(&path).ok()?;
        let is_held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        is_held.then(|| Holder { process: text.as_deref().and_then(signed) })
    }
}

/// The process that has written `text`, if it still runs.
fn signed(text: &str) -> Option<u32> {
    let (number, time) = text.split_once(' ')?;
    let number = number.parse().ok()?;
    (began(number)? == time).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_owner_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let held = DirLock::acquire(folder.path()).unwrap();
        assert!(DirLock::acquire(folder.path()).unwrap_err().to_string().contains("another run"));
        let process = cfg!(unix).then(process::id);
        assert_eq!(Holder::of(folder.path()), Some(Holder { process }));
        drop(held);
        assert_eq!(Holder::of(folder.path()), None);
        assert_eq!(fs::read_to_string(folder.path().join(LOCK)).unwrap(), "");
        DirLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn a_number_alone_names_no_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        let me = process::id();
        for text in [format!("{me}"), format!("{me} 1"), "0 0".to_owned(), "-1 5".to_owned(), " ".to_owned()]
        {
            fs::write(&path, text).unwrap();
            assert_eq!(Holder::of(folder.path()), None, "nobody holds it");
            let file = File::open(&path).unwrap();
            file.lock().unwrap();
            assert_eq!(Holder::of(folder.path()), Some(Holder { process: None }));
            file.unlock().unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_open_it() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        drop(DirLock::acquire(folder.path()).unwrap());
        assert_eq!(mode(), MODE);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        drop(DirLock::acquire(folder.path()).unwrap());
        assert_eq!(mode(), MODE, "one of an earlier version");

        let other = folder.path().join("other");
        fs::write(&other, "kept").unwrap();
        fs::remove_file(&path).unwrap();
        symlink(&other, &path).unwrap();
        assert!(DirLock::acquire(folder.path()).is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "kept");
    }
}
