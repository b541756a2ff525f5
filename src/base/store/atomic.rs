//! Writing a file whole or not at all.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};
use tempfile::{Builder, NamedTempFile, PersistError};

use super::retry_change;

/// What the name of a file begins with that is not finished; a kill may leave some behind.
pub const UNFINISHED: &str = ".writing-";

/// Writes `bytes` to `path`: to a temporary name in the same folder first, synced, then renamed. A regular file that
/// was there is replaced.
///
/// # Errors
/// Names `path`. What was there is then unchanged (full disk, no permission, no folder), and so is what is no regular
/// file, such as a device or a link.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = |file: &mut NamedTempFile| Ok(file.write_all(bytes)?);
    write_with(path, Existing::Replaced, write)
}

/// As [`write_atomic`], where there is nothing yet.
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
/// Those of `write`, and those of [`write_atomic`] or, where what exists is kept, of [`write_new`]. Nothing is then
/// written, and what was there is unchanged.
pub fn write_with<T>(
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&mut NamedTempFile) -> Result<T>,
) -> Result<T> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let write = || -> Result<T> {
        check_regular(path)?;
        let mut file = unfinished(folder)?;
        let written = write(&mut file)?;
        file.as_file().sync_all()?;
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
            Existing::Kept => file.persist_noclobber(path),
            Existing::Replaced => file.persist(path),
        };
        named.map(drop).map_err(|PersistError { error, file }| {
            unnamed = Some(file);
            error
        })
    })
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

/// Makes a rename in `folder` survive a power cut. Only Unix can and needs to.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
