//! What systems put into folders by themselves, and folders that hold nothing else.

use std::{ffi::OsStr, fs, io, path::Path};

use super::{LOCK, UNFINISHED};

/// Its names: how a folder is shown, and what belongs to a drive as a whole.
const NAMES: [&str; 9] = [
    ".DS_Store",
    ".fseventsd",
    ".Spotlight-V100",
    ".Trashes",
    "$RECYCLE.BIN",
    "System Volume Information",
    "Thumbs.db",
    "desktop.ini",
    "lost+found",
];
/// What other names of it begin with: the attributes of files on drives that have none, and files that were removed while
/// they were open.
const BEGINNINGS: [&str; 2] = ["._", ".nfs"];

/// Whether something of this `name` comes from the system. A folder with nothing else in it is as good as an empty one.
pub fn is_of_system(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(&name))
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether a folder is not there, or holds nothing but the files named `begun`, what a write or a lock left that was
/// killed, and what comes from the system.
///
/// # Errors
/// When it cannot be read, or is no folder.
pub fn is_free(folder: &Path, begun: &[&str]) -> io::Result<bool> {
    let is_left = |name: &str| name == LOCK || name.starts_with(UNFINISHED) || begun.contains(&name);
    let is_nothing = |name: &OsStr| is_of_system(name) || name.to_str().is_some_and(is_left);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        entries => entries?,
    };
    for entry in entries {
        if !is_nothing(&entry?.file_name()) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_free_in_spite_of_what_a_kill_or_the_system_left() {
        let folder = tempfile::tempdir().unwrap();
        let is_free = || is_free(folder.path(), &["config.toml"]).unwrap();
        assert!(is_free() && super::is_free(&folder.path().join("missing"), &[]).unwrap());
        for name in [LOCK, ".DS_Store", "desktop.ini", "._config.toml", "config.toml"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::write(folder.path().join(format!("{UNFINISHED}1")), "").unwrap();
        fs::create_dir(folder.path().join("lost+found")).unwrap();
        assert!(is_free() && !super::is_free(folder.path(), &[]).unwrap());
        fs::write(folder.path().join("letter.txt"), "hello").unwrap();
        assert!(!is_free());
        super::is_free(&folder.path().join("letter.txt"), &[]).expect_err("it is no folder");
    }

    #[test]
    fn files_of_people_are_not_of_the_system() {
        for name in
            [".DS_Store", "Desktop.ini", "thumbs.db", "lost+found", "._letter.txt", ".nfs000000000001"]
        {
            assert!(is_of_system(OsStr::new(name)), "{name}");
        }
        for name in ["letter.txt", "my desktop.ini", "lost", "records", ".hidden", "_", ""] {
            assert!(!is_of_system(OsStr::new(name)), "{name}");
        }
    }
}
