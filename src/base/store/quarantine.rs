//! Files that cannot be used, or no longer, are kept under another name.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{retry_change, retry_open, sync_file};

/// What the name of a damaged file ends with; others of that name have a number behind it.
const DAMAGED: &str = ".damaged";
/// What the name of a file ends with that another one takes the place of.
const REPLACED: &str = ".replaced";

/// Copies a file of which something cannot be used beside itself, as `NAME.damaged`, and returns where to. The caller
/// then puts what is right in its place.
///
/// # Errors
/// Names the file. Nothing is changed then.
pub fn keep_damaged(path: &Path) -> Result<PathBuf> {
    let copy = || -> io::Result<PathBuf> {
        let mut damaged = retry_open(|| File::open(path))?;
        let (kept, mut file) = free_name(path, DAMAGED)?;
        let copied = io::copy(&mut damaged, &mut file).and_then(|_| sync_file(&file));
        // Windows removes no file that is open.
        drop(file);
        copied.inspect_err(|_| give_up(&kept))?;
        Ok(kept)
    };
    copy().with_context(|| format!("cannot keep a copy of {}, which is damaged", path.display()))
}

/// Renames a file or a folder that another one will take the place of, to `NAME.replaced`, and returns where to.
///
/// # Errors
/// Names the file. Nothing is changed then.
pub fn keep_replaced(path: &Path) -> Result<PathBuf> {
    let rename = || -> io::Result<PathBuf> {
        let (kept, _) = free_name(path, REPLACED)?;
        if path.is_dir() {
            // It takes no file's place.
            retry_change(|| fs::remove_file(&kept))?;
            retry_change(|| fs::rename(path, &kept))?;
        } else {
            retry_change(|| fs::rename(path, &kept)).inspect_err(|_| give_up(&kept))?;
        }
        Ok(kept)
    };
    rename().with_context(|| format!("cannot put {} aside", path.display()))
}

/// An unused name that begins with that of `path` and ends with `ending`, and the empty file of that name.
fn free_name(path: &Path, ending: &str) -> io::Result<(PathBuf, File)> {
    let mut name = OsString::from(path);
    name.push(ending);
    for number in 2.. {
        match File::create_new(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((name.into(), made?)),
        }
        name = OsString::from(path);
        name.push(format!("{ending}-{number}"));
    }
    unreachable!("there is always another number")
}

/// Removes the file of a name that is not needed after all: half a copy looks like a whole one.
fn give_up(kept: &Path) {
    // The error that is told is the one before.
    let _ = retry_change(|| fs::remove_file(kept));
}

/// Removes a file that is no longer needed, if it is there.
///
/// # Errors
/// Names the path.
pub fn remove_if_there(path: &Path) -> Result<()> {
    match retry_change(|| fs::remove_file(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_damaged_file_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        for (text, name) in
            [("one", "games.damaged"), ("two", "games.damaged-2"), ("three", "games.damaged-3")]
        {
            fs::write(&path, text).unwrap();
            assert_eq!(keep_damaged(&path).unwrap(), folder.path().join(name));
        }
        assert_eq!(fs::read_to_string(folder.path().join("games.damaged-2")).unwrap(), "two");
        assert_eq!(keep_replaced(&path).unwrap(), folder.path().join("games.replaced"));
        assert!(!path.exists());
        fs::create_dir(&path).unwrap();
        fs::write(path.join("one"), "first").unwrap();
        let kept = keep_replaced(&path).unwrap();
        assert_eq!(kept, folder.path().join("games.replaced-2"));
        assert_eq!(fs::read_to_string(kept.join("one")).unwrap(), "first");
        remove_if_there(&path).unwrap();
        remove_if_there(&path).unwrap();
        assert!(format!("{:#}", keep_damaged(&path).unwrap_err()).contains("games"));
    }

    #[test]
    fn what_cannot_be_kept_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let [missing, inner] = ["missing", "inner"].map(|name| folder.path().join(name));
        fs::create_dir(&inner).unwrap();
        assert!(keep_damaged(&missing).is_err() && keep_replaced(&missing).is_err());
        assert!(keep_damaged(&inner).is_err(), "a folder is not copied");
        let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        assert_eq!(left.collect::<Vec<_>>(), [inner]);
    }
}
