//! Files that another program holds open. On Windows such a file can often be neither opened nor renamed nor removed: a
//! virus scanner, an indexer or a backup looks at what was just written. So these are tried again for a while.

use std::{
    io, thread,
    time::{Duration, Instant},
};

/// How long a file is waited for. Scanners take a second or two.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time until the second try. It doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// The longest time between two tries.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// What Windows answers where another program has opened a file, or a part of it, for itself alone.
const SHARING_VIOLATION: i32 = 32;
const LOCK_VIOLATION: i32 = 33;
/// What it answers to renaming or removing a file that is open, and also where there is no permission.
const ACCESS_DENIED: i32 = 5;

/// Opens a file with `open`, again for five seconds as long as another program has it for itself.
///
/// # Errors
/// Those of `open`; says if another program has held the file all that time.
pub fn retry_open<T>(open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    retry(PATIENCE, held_when_opened, open)
}

/// Renames or removes a file or a folder with `change`, again for five seconds as long as another program holds it open.
///
/// # Errors
/// Those of `change`; says if another program may have held it all that time.
pub fn retry_change<T>(change: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    retry(PATIENCE, held_when_changed, change)
}

/// What to say of an error that means, or may mean, that another program holds the file.
type Held = fn(&io::Error) -> Option<&'static str>;

fn held_when_opened(error: &io::Error) -> Option<&'static str> {
    let is_held = cfg!(windows) && matches!(error.raw_os_error(), Some(SHARING_VIOLATION | LOCK_VIOLATION));
    is_held.then_some("another program holds it open")
}

fn held_when_changed(error: &io::Error) -> Option<&'static str> {
    let is_denied = cfg!(windows) && error.raw_os_error() == Some(ACCESS_DENIED);
    held_when_opened(error)
        .or(is_denied.then_some("there is no permission, or another program holds it open"))
}

fn retry<T>(patience: Duration, held: Held, mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    // Without such an error no clock is read: WebAssembly has none.
    let mut began = None;
    let mut pause = FIRST_PAUSE;
    loop {
        let error = match attempt() {
            Err(error) => error,
            done => return done,
        };
        let Some(said) = held(&error) else { return Err(error) };
        if began.get_or_insert_with(Instant::now).elapsed() >= patience {
            return Err(io::Error::new(error.kind(), format!("{said} ({error})")));
        }
        thread::sleep(pause);
        pause = LONGEST_PAUSE.min(2 * pause);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    /// As on Windows.
    fn held(error: &io::Error) -> Option<&'static str> {
        (error.raw_os_error() == Some(SHARING_VIOLATION)).then_some("held")
    }

    #[test]
    fn a_file_that_becomes_free_is_waited_for() {
        let mut tries = 0;
        let done = retry(PATIENCE, held, || {
            tries += 1;
            if tries < 4 { Err(io::Error::from_raw_os_error(SHARING_VIOLATION)) } else { Ok("done") }
        });
        assert_eq!((done.unwrap(), tries), ("done", 4));
    }

    #[test]
    fn one_that_does_not_is_said_to_be_held() {
        let mut tries = 0;
        let done: io::Result<()> = retry(Duration::from_millis(50), held, || {
            tries += 1;
            Err(io::Error::from_raw_os_error(SHARING_VIOLATION))
        });
        assert!(done.unwrap_err().to_string().starts_with("held (") && tries > 1);
    }

    #[test]
    fn other_errors_come_at_once() {
        let mut tries = 0;
        let missing = retry_open(|| {
            tries += 1;
            File::open("no/such/file")
        });
        assert_eq!((missing.unwrap_err().kind(), tries), (io::ErrorKind::NotFound, 1));
    }

    #[cfg(windows)]
    #[test]
    fn a_file_held_by_another_is_named() {
        use std::os::windows::fs::OpenOptionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("held");
        let _held = File::options().write(true).create(true).share_mode(0).open(&path).unwrap();
        let error = retry(Duration::from_millis(50), held_when_changed, || std::fs::remove_file(&path));
        assert!(error.unwrap_err().to_string().contains("another program holds it open"));
    }
}
