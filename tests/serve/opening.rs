//! `sanki serve --open`.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::{Pid, getpgid},
};

use super::{
    other_user::{can_become_another, other_users},
    served::Served,
};

/// How long the browser may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the browser waits for; it ends with the test.
struct Wait(Pid);

impl Drop for Wait {
    fn drop(&mut self) {
        let _ = kill(self.0, Signal::SIGTERM);
    }
}

/// Waits until `look` finds something.
fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_browser_is_opened_without_a_token_in_sight() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let opened = folder.path().join("opened");
    // A browser that shows what it was started with until the test ends its `sleep`, whose number is the second line.
    let programs = folder.path().join("bin");
    fs::create_dir(&programs).unwrap();
    let browser = programs.join("xdg-open");
    fs::write(
        &browser,
        "#!/bin/sh\nsleep 60 &\nprintf '%s\\n' \"$1\" $! > \"$OPENED.part\"\nmv \"$OPENED.part\" \"$OPENED\"\nwait\n",
    )
    .unwrap();
    fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let environment = [("PATH", &path[..]), ("OPENED", opened.to_str().unwrap())];
    let mut served = Served::start(folder, &["--open"], &environment);

    let file = until("no browser was started", || fs::read_to_string(&opened).ok());
    let (file, number) = file.trim().split_once('\n').expect("two lines");
    let wait = Wait(Pid::from_raw(number.parse().expect("a number")));
    let file = PathBuf::from(file);
    let page = fs::read_to_string(&file).expect("it is given a file");
    let (_, code) = page.split_once("?code=").expect("the file has a code");
    let code = &code[..32];
    // What every user sees of every process.
    let list = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '";
    let seen = other_users("sh").args(["-c", list]).output().unwrap();
    let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
    assert!(seen.contains(file.to_str().unwrap()), "the browser is seen");
    let server = Pid::from_raw(served.process().try_into().unwrap());
    let group = |process| getpgid(Some(process)).unwrap();
    let browser = group(wait.0);
    assert_ne!(browser, group(server), "Ctrl-C for the server would end the browser too");
    drop(wait);
    let process = PathBuf::from(format!("/proc/{browser}"));
    until("the browser has ended and stays as a zombie", || (!process.exists()).then_some(()));
    assert!(!served.token.is_empty() && !seen.contains(&served.token) && !seen.contains(code));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    if can_become_another() {
        assert!(!other_users("cat").arg(&file).output().unwrap().status.success(), "others cannot read it");
    }

    assert!(!page.contains(&served.token));
    let visit = |address: &str| {
        served.ask(&format!("GET {address} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host))
    };
    let answer = visit(&format!("/?code={code}"));
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
    assert!(answer.header("set-cookie").unwrap().contains(&served.token));
    assert_eq!(visit(&format!("/?code={code}")).status, 403, "it works once");

    kill(server, Signal::SIGTERM).unwrap();
    served.wait();
    assert!(!file.exists(), "it goes with the server");
}
