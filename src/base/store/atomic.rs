//! Writing a file whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};
use tempfile::{Builder, NamedTempFile, PersistError};

use super::{retry_change, sync::sync_folder, sync_file};

/// What the name of a file begins with that is not finished; a kill may leave some behind.
pub const UNFINISHED: &str = ".writing-";

/// What every Unix answers where the disk fails.
const EIO: i32 = 5;

/// Writes `bytes` to `path`: to a temporary name in the same folder first, synced, then renamed. A regular file that
/// was there is replaced.
///
/// # Errors
/// Names `path`. What was there is then unchanged (full disk, no permission, no folder), and so is what is no regular
/// file, such as a device or a link. Only where the disk fails in syncing the folder, which comes last, does the new file
/// stand there; a power cut may bring back the old one.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = |file: &mut NamedTempFile| Ok(file.write_all(bytes)?);
    write_with(path, Existing::Replaced, write)
}

/// As [`write_atomic`], where there is nothing yet. On file systems that can name a file in no other way, an empty file
/// takes the name first; a kill may leave that.
///
/// # Errors
/// Names `path`, also where there is something.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = |file: &mut NamedTempFile| Ok(file.write_all(bytes)?);
    write_with(path, Existing::Kept, write)
}

/// What becomes of a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is written.
    Kept,
    /// It is replaced.
    Replaced,
}

/// Writes what `write` writes to `path`, which may be more than memory holds: to a temporary name in the same folder
/// first, synced, then renamed.
///
/// # Errors
/// Those of `write`: nothing is then written, and what was there is unchanged. Those of [`write_atomic`] or, where what
/// exists is kept, of [`write_new`].
pub fn write_with<T>(
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&mut NamedTempFile) -> Result<T>,
) -> Result<T> {
    let folder = folder_of(path);
    let write = || -> Result<T> {
        check_regular(path)?;
        let mut file = unfinished(folder)?;
        let written = write(&mut file)?;
        sync_file(file.as_file())?;
        if existing == Existing::Replaced {
            check_regular(path)?;
        }
        name(file, path, existing)?;
        sync_folder(folder)?;
        Ok(written)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Gives a finished file its name.
fn name(file: NamedTempFile, path: &Path, existing: Existing) -> io::Result<()> {
    let mut unnamed = Some(file);
    retry_change(|| {
        let file = unnamed.take().expect("what failed has left it here");
        let named = match existing {
            Existing::Kept => name_new(file, path),
            Existing::Replaced => file.persist(path),
        };
        named.map(drop).map_err(|PersistError { error, file }| {
            unnamed = Some(file);
            error
        })
    })
}

/// Gives a finished file a name that nothing has yet.
fn name_new(file: NamedTempFile, path: &Path) -> Result<File, PersistError> {
    match file.persist_noclobber(path) {
        Err(PersistError { error, file }) if may_be_unsupported(&error) => name_reserved(file, path),
        named => named,
    }
}

/// Whether the file system may know neither a rename that replaces nothing nor a second name of a file. Windows always
/// has such a rename.
fn may_be_unsupported(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, QuotaExceeded, StorageFull};
    let is_clear = matches!(error.kind(), AlreadyExists | QuotaExceeded | StorageFull);
    cfg!(unix) && !is_clear && error.raw_os_error() != Some(EIO)
}

/// As [`name_new`], in two steps: an empty file takes the name, then the finished one its place.
fn name_reserved(file: NamedTempFile, path: &Path) -> Result<File, PersistError> {
    if let Err(error) = File::create_new(path) {
        return Err(PersistError { error, file });
    }
    file.persist(path).inspect_err(|_| _ = fs::remove_file(path))
}

/// Whether `path` is a regular file or nothing at all.
///
/// # Errors
/// Says that it is neither.
pub fn check_regular(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => {
            let what = if found.is_symlink() { "it is a link" } else { "it is no regular file" };
            Err(io::Error::other(what))
        }
        _ => Ok(()),
    }
}

/// Whether a file can be made at `path`: one is made beside it, and removed.
///
/// # Errors
/// Says why it cannot; names no file.
pub fn check_writable(path: &Path) -> io::Result<()> {
    check_regular(path)?;
    unfinished(folder_of(path)).and_then(NamedTempFile::close).map_err(without_name)
}

/// The error without the name of a temporary file, which means nothing to a user.
fn without_name(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((what, _)) => io::Error::new(error.kind(), what),
        None => error,
    }
}

/// The folder in which `path` lies; `.` where it names none.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A new file with the permissions that any program gives its files: all but those that the user's umask takes away.
#[cfg(unix)]
fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::Permissions::from_mode(0o666);
    Builder::new().prefix(UNFINISHED).permissions(permissions).tempfile_in(folder)
}

#[cfg(not(unix))]
fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(UNFINISHED).tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(folder: &Path) -> NamedTempFile {
        let mut file = unfinished(folder).unwrap();
        file.write_all(b"new").unwrap();
        file
    }

    #[test]
    fn a_name_is_reserved_only_where_there_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["one", "other"].map(|name| folder.path().join(name));
        name_reserved(finished(folder.path()), &path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");

        fs::write(&path, "old").unwrap();
        let refused = name_reserved(finished(folder.path()), &path).unwrap_err();
        assert_eq!(refused.error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");

        let lost = finished(folder.path());
        fs::remove_file(lost.path()).unwrap();
        assert!(name_reserved(lost, &other).is_err());
        assert!(!other.exists(), "an empty file is left");
    }
}
