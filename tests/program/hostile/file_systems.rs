//! File systems that lack what others have.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    strace,
    tiny_run::{finish, refuse, sanki},
};

/// `sanki convert` of a game in `folder`, and the file that it makes there.
fn convert(folder: &Path) -> (Command, PathBuf) {
    let [game, made] = ["game.usi", "game.kif"].map(|name| folder.join(name));
    fs::write(&game, "startpos moves 7g7f 3c3d\n").unwrap();
    let mut command = sanki(&["convert"]);
    command.arg(&game).arg("-o").arg(&made);
    (command, made)
}

/// Whether the file is there, whole, and nothing unfinished beside it.
fn is_made(made: &Path) -> bool {
    let is_whole = fs::metadata(made).is_ok_and(|file| file.len() > 0);
    is_whole && fs::read_dir(made.parent().unwrap()).unwrap().count() == 2
}

#[test]
fn a_folder_that_cannot_be_synced_costs_nothing() {
    if !strace::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (command, made) = convert(folder.path());
    // The first sync is that of the file.
    let failing = |error: &str| strace::failing(&command, &[&format!("fsync:error={error}:when=2")]);
    for error in ["EINVAL", "EBADF", "EOPNOTSUPP"] {
        finish(failing(error));
        assert!(is_made(&made), "{error}");
        fs::remove_file(&made).unwrap();
    }
    for error in ["EIO", "ENOSPC"] {
        assert!(refuse(failing(error)).contains("cannot write"), "{error}");
        fs::remove_file(&made).unwrap();
    }
    // The folder is what is opened last: one may write in it, and not list it.
    let calls = strace::calls(&command, folder.path());
    let opened = calls.iter().rfind(|call| call.name == "openat").expect("the folder is opened");
    fs::remove_file(&made).unwrap();
    finish(strace::inject(&command, opened, "error=EACCES", Path::new("/dev/null")));
    assert!(is_made(&made));
}

#[test]
fn a_file_is_named_without_a_rename_that_replaces_nothing_and_without_links() {
    if !strace::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (command, made) = convert(folder.path());
    let failing = |error: &str| {
        let rename = format!("renameat2:error={error}");
        strace::failing(&command, &[&rename, "?link,linkat:error=EPERM"])
    };
    for error in ["EINVAL", "ENOSYS", "EPERM", "EOPNOTSUPP"] {
        finish(failing(error));
        assert!(is_made(&made), "{error}");
        fs::remove_file(&made).unwrap();
    }
    for error in ["EIO", "ENOSPC", "EDQUOT", "EEXIST"] {
        assert!(refuse(failing(error)).contains("cannot write"), "{error}");
        assert!(!made.exists(), "{error}");
    }
}
