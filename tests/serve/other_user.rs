//! What another user of this machine can do. Run by root, the tests become one where that is allowed; else they try the
//! same as themselves.

use std::{
    fs::{self, File},
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::LazyLock,
    thread,
    time::Duration,
};

use super::{
    served::{Served, make_match},
    skipped::skipped,
};

/// The user `nobody`, and its group.
const NOBODY: u32 = 65_534;

/// Whether we can become another user, one who gets into our temporary folders; says so once if not. Root may be denied
/// it too, in a container.
pub fn can_become_another() -> bool {
    static CAN: LazyLock<bool> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        open_to_others(folder.path());
        let is_root = fs::metadata(folder.path()).unwrap().uid() == 0;
        let mut look = as_nobody("test");
        let can =
            is_root && look.arg("-x").arg(folder.path()).output().is_ok_and(|output| output.status.success());
        if !can {
            skipped("we cannot become another user: what one would try is tried by the same user");
        }
        can
    });
    *CAN
}

/// A command of the user `nobody`.
fn as_nobody(program: &str) -> Command {
    let mut command = Command::new(program);
    command.uid(NOBODY).gid(NOBODY).current_dir("/");
    command
}

/// Whether there is a `flock`; says so if not.
fn has_flock() -> bool {
    let has = Command::new("flock").arg("--version").output().is_ok();
    if !has {
        skipped("there is no flock to lock files with");
    }
    has
}

/// A command of another user, if that can be.
pub fn other_users(program: &str) -> Command {
    if can_become_another() { as_nobody(program) } else { Command::new(program) }
}

/// Makes a folder one that others may look into.
fn open_to_others(folder: &Path) {
    fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
}

/// A process that does nothing, until it is dropped.
struct Idle(Child);

impl Drop for Idle {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask_as_another(served: &Served, request: &str) -> Output {
    let script = "exec 3<>\"/dev/tcp/${1%:*}/${1##*:}\"; printf '%b' \"$2\" >&3; cat <&3";
    other_users("bash").args(["-c", script, "bash", &served.at, request]).output().unwrap()
}

#[test]
fn another_user_runs_nothing() {
    let served = Served::new();
    let trace = served.path("trace");
    let engine = served.path("engine");
    fs::write(&engine, format!("#!/bin/sh\nid -u > {}\n", trace.display())).unwrap();
    fs::set_permissions(&engine, PermissionsExt::from_mode(0o755)).unwrap();
    let form = format!(
        "a=random&b=engine&b_command=uci:{}&game=dobutsu&amount=2&unit=sims&games=2&cores=1",
        engine.display()
    );
    let host = &served.host;
    let requests = [
        format!(
            "POST /contests/match HTTP/1.1\\r\\nHost: {host}\\r\\nOrigin: http://{host}\\r\\nConnection: close\\r\\n\
             Content-Type: application/x-www-form-urlencoded\\r\\nContent-Length: {}\\r\\n\\r\\n{form}",
            form.len()
        ),
        format!("GET / HTTP/1.1\\r\\nHost: {host}\\r\\nConnection: close\\r\\n\\r\\n"),
        format!("GET /?token= HTTP/1.1\\r\\nHost: {host}\\r\\nConnection: close\\r\\n\\r\\n"),
        format!(
            "GET / HTTP/1.1\\r\\nHost: {host}\\r\\nCookie: sanki-token-7777=\\r\\nConnection: close\\r\\n\\r\\n"
        ),
    ];
    for request in requests {
        let output = ask_as_another(&served, &request);
        let answer = String::from_utf8_lossy(&output.stdout);
        assert!(answer.starts_with("HTTP/1.1 403"), "{request}: {answer}");
    }
    thread::sleep(Duration::from_millis(500));
    assert!(!trace.exists() && !served.path("matches").exists());
}

#[test]
fn another_user_locks_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    open_to_others(folder.path());
    let root = folder.path().join("m");
    let played = Command::new(env!("CARGO_BIN_EXE_sanki"))
        .args(["match", "random", "random", "--game", "dobutsu", "--games", "2", "--out"])
        .arg(&root)
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let lock = root.join("lock");
    assert_eq!(fs::metadata(&lock).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_to_string(&lock).unwrap(), "", "nobody works there any more");
    if !can_become_another() {
        return skipped("there is no other user to try to lock the folder");
    }
    let can = |program: &str, path: &Path| other_users(program).arg(path).output().unwrap().status.success();
    assert!(can("cat", &root.join("games.jsonl")), "others may read the games");
    assert!(!can("cat", &lock));
    if !has_flock() {
        return;
    }
    let locks = other_users("flock").args(["-n".as_ref(), lock.as_os_str()]).arg("true").output().unwrap();
    assert!(!locks.status.success(), "but not lock the folder");
}

#[test]
fn stop_ends_no_process_that_a_stale_lock_names() {
    if !has_flock() {
        return;
    }
    let served = Served::new();
    open_to_others(served.folder.path());
    make_match(served.folder.path(), "m");
    let lock = served.path("matches/m/lock");
    let mut idle = Idle(Command::new("sleep").arg("60").spawn().unwrap());
    for text in [format!("{}", idle.0.id()), format!("{} 1", idle.0.id())] {
        fs::write(&lock, text).unwrap();
        // As an earlier version left it: others may open it.
        fs::set_permissions(&lock, PermissionsExt::from_mode(0o644)).unwrap();
        let mut locks = other_users("flock");
        let held = locks.arg(&lock).args(["sh", "-c", "echo held; exec sleep 60"]).process_group(0);
        let mut held = Idle(held.stdout(Stdio::piped()).spawn().unwrap());
        let mut word = [0; 4];
        std::io::Read::read_exact(held.0.stdout.as_mut().unwrap(), &mut word).unwrap();
        assert!(File::open(&lock).unwrap().try_lock().is_err(), "somebody else has locked it");
        let answer = served.post("/contests/m/stop", "");
        assert_eq!(answer.status, 400, "{}", answer.text);
        thread::sleep(Duration::from_millis(200));
        assert!(idle.0.try_wait().unwrap().is_none(), "a process that has nothing to do with it was ended");
        // The command that it has started holds the lock too.
        let group = nix::unistd::Pid::from_raw(held.0.id().try_into().unwrap());
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
}
