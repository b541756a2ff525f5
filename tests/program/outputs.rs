//! Files are written where the user means it: regular files, none over another without --force, no folder of somebody
//! else.

use crate::tiny_run;

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use tiny_run::{finish, refuse, said, sanki, train};

/// A run of one generation.
fn run() -> &'static str {
    static RUN: LazyLock<String> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        finish(train(&folder, &["budget.generations=1"]));
        folder.into_os_string().into_string().unwrap()
    });
    &RUN
}

/// Every command that writes a file that the user names, but for the name, which is its last argument.
fn writers() -> Vec<Vec<&'static str>> {
    let run = run();
    vec![
        vec!["export", run, "--format", "sanki", "-o"],
        vec!["openings", "--game", "dobutsu", "--count", "2", "-o"],
        vec!["match", "random", "uniform@sims=2", "--game", "dobutsu", "--games", "2", "--html"],
        vec!["ladder", run, "--games", "2", "--checkpoints", "1", "--html"],
        vec!["bench", "net", "--game", "dobutsu", "--net", "1x16", "--seconds", "0.01", "--export"],
    ]
}

/// One of them, with the games of matches in a folder below `folder`.
fn write(folder: &Path, writer: &[&str], path: &Path) -> Command {
    let mut command = sanki(writer);
    command.arg(path).current_dir(folder);
    if ["match", "ladder"].contains(&writer[0]) {
        command.arg("--out").arg(tempfile::tempdir_in(folder).unwrap().keep());
    }
    command
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = tempfile::tempdir().unwrap();
    for writer in writers() {
        let path = folder.path().join(writer[0]);
        finish(write(folder.path(), &writer, &path));
        let written = fs::read(&path).unwrap();
        assert!(!written.is_empty(), "{writer:?}");

        fs::write(&path, "precious").unwrap();
        let error = refuse(write(folder.path(), &writer, &path));
        assert!(error.contains("exists already") && error.contains("help: --force"), "{writer:?}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious", "{writer:?}");

        let mut forced = write(folder.path(), &writer, &path);
        forced.arg("--force");
        finish(forced);
        assert_ne!(fs::read(&path).unwrap(), b"precious", "{writer:?}");
    }
}

/// More commands that write such a file, and what they read in `folder`.
fn readers(folder: &Path) -> Vec<Vec<String>> {
    let moves = folder.join("moves.txt").into_os_string().into_string().unwrap();
    fs::write(&moves, "b2b3 a4a3").unwrap();
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints/dobutsu.sanki");
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let set = ["--set", "selfplay.positions_per_generation=100", "--set", "net.hidden=32"];
    let scale = ["bench", "scale", "--config", config, "--threads", "1", "--positions", "100"];
    let commands = [
        vec!["analyse", &moves, "--game", "dobutsu", "--model", net, "--sims", "1", "--html"],
        vec!["explore", &moves, "--game", "dobutsu", "-o"],
        vec!["levels", net, "--games", "4", "--first", "0", "--last", "1", "-o"],
        vec!["book", "--model", net, "--positions", "1", "--nodes", "100", "-o"],
        [&scale[..], &set, &["--svg"]].concat(),
    ];
    commands.map(|command| command.into_iter().map(str::to_owned).collect()).into()
}

/// Each of the writers and readers with a file of its own, which is named so that every command takes it.
fn all_writers(folder: &Path) -> Vec<(Command, PathBuf)> {
    let readers = readers(folder);
    let readers = readers.iter().map(|command| command.iter().map(String::as_str).collect());
    let commands = writers().into_iter().chain(readers).zip(0..);
    let with_file = |(command, number): (Vec<&str>, u32)| {
        let end = if command[0] == "explore" { "epd" } else { "book" };
        let path = folder.join(format!("{number}.{end}"));
        (write(folder, &command, &path), path)
    };
    commands.map(with_file).collect()
}

#[test]
fn files_are_written_where_nobody_reads_the_output() {
    let folder = tempfile::tempdir().unwrap();
    for (mut command, path) in all_writers(folder.path()) {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        command.stdout(writer);
        let shown = format!("{command:?}");
        finish(command);
        assert!(fs::metadata(&path).is_ok_and(|file| file.len() > 0), "{shown}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (mut command, path) in all_writers(folder.path()) {
        if command.get_args().any(|argument| argument == "openings") {
            // It prints nothing.
            continue;
        }
        command.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
        let shown = format!("{command:?}");
        let error = refuse(command);
        assert!(error.contains("cannot write the output: No space left"), "{shown}: {error}");
        assert!(fs::metadata(&path).is_ok_and(|file| file.len() > 0), "{shown}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_no_utf_8_is_reported() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let folder = tempfile::tempdir().unwrap();
    for format in ["sanki", "plain"] {
        let mut export = sanki(&["export", run(), "--format", format, "--json", "-o"]);
        let name = [b"a\xff.", format.as_bytes()].concat();
        export.arg(OsStr::from_bytes(&name)).current_dir(folder.path());
        let report: serde_json::Value = serde_json::from_slice(&finish(export).stdout).unwrap();
        assert_eq!(report["file"], format!("a\u{fffd}.{format}"));
    }
}

#[test]
fn a_run_that_cannot_begin_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints/shogi.sanki");
    let mut command = sanki(&["train", "--game", "dobutsu", "--init-from", net]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let says = said(&output);
    assert!(
        says.contains("the model plays shogi, the run dobutsu") && says.contains("--game shogi"),
        "{says}"
    );
    assert_eq!(fs::read_dir(folder.path().join("runs")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_replaced() {
    use std::os::unix::{fs::symlink, net::UnixListener};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("target"), "precious").unwrap();
    symlink(path("target"), path("link")).unwrap();
    symlink(path("missing"), path("dangling")).unwrap();
    let _listener = UnixListener::bind(path("socket")).unwrap();
    fs::create_dir(path("folder")).unwrap();
    for writer in writers() {
        for name in ["link", "dangling", "socket", "folder"] {
            let mut command = write(folder.path(), &writer, &path(name));
            command.arg("--force");
            let error = refuse(command);
            assert!(error.contains("cannot write") && error.contains(name), "{writer:?} {name}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(path("target")).unwrap(), "precious");
    assert!(path("link").is_symlink() && path("dangling").is_symlink() && !path("missing").exists());
    assert!(path("socket").exists() && path("folder").is_dir());
}

#[cfg(unix)]
#[test]
fn the_umask_is_respected() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    for (umask, mode) in [("077", 0o600), ("022", 0o644), ("002", 0o664)] {
        let path = folder.path().join(umask);
        let export = sanki(&["export", run(), "--format", "sanki", "-o"]);
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("umask {umask}; exec \"$0\" \"$@\"")]);
        shell.arg(export.get_program()).args(export.get_args()).arg(&path);
        finish(shell);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode, "umask {umask}");
    }
}

/// The names and contents of the files in a folder.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

#[test]
fn folders_of_others_are_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine");
    fs::create_dir_all(mine.join("checkpoints")).unwrap();
    fs::write(mine.join("config.toml"), "[server]\nport = 80\n").unwrap();
    fs::write(mine.join("checkpoints/model.pt"), "weights").unwrap();
    let before = files(&mine);

    let mut match_there = sanki(&["match", "random", "uniform@sims=2", "--game", "dobutsu", "--games", "2"]);
    match_there.arg("--out").arg(&mine);
    for command in [train(&mine, &[]), match_there] {
        let error = refuse(command);
        assert!(error.contains("mine"), "{error}");
        assert!(files(&mine) == before, "{error}");
    }
    // What a killed run leaves at its beginning, or the user or the system puts there, is none of others.
    let ours = folder.path().join("ours");
    ["records", "checkpoints", "lost+found"]
        .iter()
        .for_each(|part| fs::create_dir_all(ours.join(part)).unwrap());
    for name in [".DS_Store", "._config.toml", "records/Thumbs.db", "checkpoints/desktop.ini"] {
        fs::write(ours.join(name), "").unwrap();
    }
    fs::write(ours.join("lock"), "").unwrap();
    fs::write(ours.join("config.toml"), include_str!("../../configs/dobutsu.toml")).unwrap();
    finish(train(&ours, &["budget.generations=1"]));
    assert!(ours.join("latest").exists());
}
