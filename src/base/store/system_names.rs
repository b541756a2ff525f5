//! What systems put into folders by themselves.

use std::ffi::OsStr;

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

#[cfg(test)]
mod tests {
    use super::*;

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
