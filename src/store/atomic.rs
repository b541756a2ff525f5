//! Writing a file whole or not at all.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// What the name of a file begins with that is not finished; a kill may leave some behind.
pub const UNFINISHED: &str = ".writing-";

/// Writes `bytes` to `path`: to a temporary name in the same folder first, synced, then renamed.
///
/// # Errors
/// Names `path`. A file that was there is then unchanged (full disk, no permission, no folder).
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let write = || -> std::io::Result<()> {
        let mut file = NamedTempFile::with_prefix_in(UNFINISHED, folder)?;
        file.write_all(bytes)?;
        readable_by_all(file.as_file())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        sync_folder(folder)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Temporary files are made private; what we keep has a file's usual permissions.
#[cfg(unix)]
fn readable_by_all(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &File) -> std::io::Result<()> {
    Ok(())
}

/// Makes a rename in `folder` survive a power cut. Only Unix can and needs to.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
