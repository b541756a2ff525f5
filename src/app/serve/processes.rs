//! What the page starts and stops: `sanki` itself, as a person would start it in the terminal.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Context, Result, ensure};

use crate::base::store::{Holder, LOCK, printable};

/// Bytes of what a process said before it failed, at most.
const LAST_WORDS: u64 = 4096;
/// How the line of an error begins.
const ERROR: &str = "error: ";
/// How long a process that is to be stopped may take to begin, and how often it is looked for.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(20);
/// The signal that ends a process at once, and the one that asks it to end (POSIX, kill).
const SIGKILL: i32 = 9;
const SIGTERM: i32 = 15;

/// With a console of its own that nobody sees (Windows' CreateProcess).
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// The processes that were started here, by the folders that they work in.
#[derive(Debug)]
pub(super) struct Processes {
    /// The file of `sanki`.
    program: PathBuf,
    started: Arc<Mutex<HashMap<PathBuf, Stage>>>,
}

/// How far a process has come.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Alive,
    /// It could not do what it was asked for.
    Failed {
        /// Its own words.
        words: String,
        /// When the folder was taken last: a later time is that of somebody who has worked there since.
        taken: Option<SystemTime>,
    },
}

impl Stage {
    /// That of a process in `folder` that has just failed.
    fn failed(folder: &Path, words: String) -> Self {
        Stage::Failed { words, taken: last_taken(folder) }
    }
}

/// When `folder` was last taken or left by a process.
fn last_taken(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder.join(LOCK)).and_then(|found| found.modified()).ok()
}

/// What goes on in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Activity {
    /// Nothing.
    Idle,
    /// A process was started and has not yet taken the folder.
    Starting,
    /// A process works in it.
    Running,
    /// What was started here has failed, and said this.
    Failed(String),
}

impl Activity {
    /// Whether a process is there.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Activity::Starting | Activity::Running)
    }
}

impl Processes {
    /// For those of `program`, the file of `sanki`. It is found once, when the server begins: where the file is replaced,
    /// Linux gives another name to the one that runs, under which there is nothing to start.
    pub(super) fn new(program: PathBuf) -> Self {
        Processes { program, started: Arc::default() }
    }

    /// Starts `sanki` with `arguments`, which work in `folder`. It goes on when we end.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(&self, folder: &Path, arguments: &[OsString]) -> Result<()> {
        self.start_with(folder, arguments, ())
    }

    /// As [`Processes::start`]; `kept` is dropped when the process has ended: a file that it reads.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start_with(
        &self,
        folder: &Path,
        arguments: &[OsString],
        kept: impl Send + 'static,
    ) -> Result<()> {
        let mut words = tempfile::tempfile().context("cannot make a temporary file")?;
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(words.try_clone().context("cannot use a temporary file")?);
        // Ctrl-C in our terminal is not meant for it, nor that our console closes.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NO_WINDOW);
        let mut child = command.spawn().context("cannot start sanki")?;
        self.stages().insert(folder.to_owned(), Stage::Alive);
        let (started, folder) = (Arc::clone(&self.started), folder.to_owned());
        let wait = move || {
            let ended = child.wait();
            drop(kept);
            let said = match ended {
                Ok(status) if is_done(status) => None,
                Ok(status) => Some(failure(&last_words(&mut words), status)),
                Err(error) => Some(error.to_string()),
            };
            let mut stages = lock(&started);
            match said {
                None => stages.remove(&folder),
                Some(words) => {
                    let failed = Stage::failed(&folder, words);
                    stages.insert(folder, failed)
                }
            };
        };
        thread::Builder::new().name("child".to_owned()).spawn(wait).context("cannot start a thread")?;
        Ok(())
    }

    /// What goes on in `folder`, started here or elsewhere.
    pub(super) fn activity(&self, folder: &Path) -> Activity {
        let is_held = Holder::of(folder).is_some();
        let mut stages = self.stages();
        // Whoever works there, or has since, could go on.
        if let Some(Stage::Failed { taken, .. }) = stages.get(folder)
            && (is_held || *taken != last_taken(folder))
        {
            stages.remove(folder);
        }
        match stages.get(folder) {
            _ if is_held => Activity::Running,
            Some(Stage::Alive) => Activity::Starting,
            Some(Stage::Failed { words, .. }) => Activity::Failed(words.clone()),
            None => Activity::Idle,
        }
    }

    /// Asks the process that works in `folder`, if there is one, to end, as Ctrl-C does: it saves everything first. One
    /// that is only starting is waited for: before it has taken the folder it is not known to whoever looks there.
    ///
    /// # Errors
    /// When it is not ours to stop, its process is not known for certain, or it does not begin.
    pub(super) fn stop(&self, folder: &Path) -> Result<()> {
        self.stop_by(folder, interrupt)
    }

    fn stop_by(&self, folder: &Path, interrupt: impl FnOnce(&Path, Holder) -> Result<()>) -> Result<()> {
        let begin = Instant::now();
        while self.activity(folder) == Activity::Starting {
            ensure!(begin.elapsed() < PATIENCE, "it is still starting: stop it once it works");
            thread::sleep(LOOK);
        }
        match Holder::of(folder) {
            Some(holder) => interrupt(folder, holder),
            None => Ok(()),
        }
    }

    fn stages(&self) -> MutexGuard<'_, HashMap<PathBuf, Stage>> {
        lock(&self.started)
    }
}

fn lock(stages: &Mutex<HashMap<PathBuf, Stage>>) -> MutexGuard<'_, HashMap<PathBuf, Stage>> {
    stages.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a process has ended as it should: by itself, or since it was asked to. It may not have listened for signals yet
/// when it was asked.
fn is_done(ended: ExitStatus) -> bool {
    ended.success() || ended.code() == Some(130) || signal_of(ended) == Some(SIGTERM)
}

/// The signal that has ended a process.
#[cfg(unix)]
fn signal_of(ended: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&ended)
}

/// Elsewhere there are none.
#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// What a process that wrote `text` says of its failure: its error, without what is on the lines before. Of one without
/// an error it is told how it ended.
fn failure(text: &str, ended: ExitStatus) -> String {
    // An error may tell of another one, so the word counts only where a line begins.
    let begins = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    let error = text.rmatch_indices(ERROR).map(|(at, _)| at).find(begins);
    match (error, signal_of(ended)) {
        (Some(at), _) => printable(text[at..].trim()).into_owned(),
        (None, Some(SIGKILL)) => {
            format!("sanki was ended by signal {SIGKILL}: the system does that where memory runs out")
        }
        (None, Some(signal)) => format!("sanki was ended by signal {signal}"),
        (None, None) if text.trim().is_empty() => format!("sanki ended without a word ({ended})"),
        (None, None) => printable(text.trim()).into_owned(),
    }
}

/// The end of what a process wrote.
fn last_words(words: &mut fs::File) -> String {
    let mut text = Vec::new();
    let length = words.seek(SeekFrom::End(0)).unwrap_or(0);
    let begin = SeekFrom::Start(length.saturating_sub(LAST_WORDS));
    if words.seek(begin).is_ok() {
        // What cannot be read is not shown.
        let _ = words.take(LAST_WORDS).read_to_end(&mut text);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Asks the process that holds a folder to end.
#[cfg(unix)]
fn interrupt(_: &Path, holder: Holder) -> Result<()> {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };

    let process = holder
        .process
        .context("stop it where it was started: from here it is not certain which process it is")?;
    let process = Pid::from_raw(process.try_into().context("no process has such a number")?);
    kill(process, Signal::SIGTERM).context("cannot stop the process")
}

/// Asks the process that holds `folder` to end.
#[cfg(windows)]
fn interrupt(folder: &Path, _: Holder) -> Result<()> {
    crate::base::store::request_stop(folder).with_context(|| format!("cannot write in {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::store::DirLock;

    fn processes() -> Processes {
        Processes::new("no/such/sanki".into())
    }

    #[test]
    fn a_failure_is_told_until_somebody_works_in_the_folder() {
        let root = tempfile::tempdir().unwrap();
        let (folder, processes) = (root.path(), processes());
        let fail = || {
            processes.stages().insert(folder.to_owned(), Stage::failed(folder, "no room".to_owned()));
            let failed = Activity::Failed("no room".to_owned());
            assert_eq!([processes.activity(folder), processes.activity(folder)], [failed.clone(), failed]);
        };
        fail();
        let held = DirLock::acquire(folder).unwrap();
        assert_eq!(processes.activity(folder), Activity::Running);
        drop(held);
        assert_eq!(processes.activity(folder), Activity::Idle);

        // Somebody does while nobody looks.
        fail();
        // The system's times may be no finer than this.
        thread::sleep(Duration::from_millis(50));
        drop(DirLock::acquire(folder).unwrap());
        assert_eq!(processes.activity(folder), Activity::Idle);
    }

    #[test]
    fn what_is_only_starting_is_stopped_once_it_works() {
        let root = tempfile::tempdir().unwrap();
        let (folder, processes) = (root.path(), processes());
        processes.stages().insert(folder.to_owned(), Stage::Alive);
        thread::scope(|scope| {
            let begun = scope.spawn(|| {
                thread::sleep(3 * LOOK);
                DirLock::acquire(folder).unwrap()
            });
            let mut stopped = None;
            let stop = |_: &Path, holder: Holder| -> Result<()> {
                stopped = Some(holder);
                Ok(())
            };
            processes.stop_by(folder, stop).unwrap();
            assert!(stopped.is_some(), "it goes on");
            drop(begun.join().unwrap());
        });
        // What has ended before it worked is not waited for.
        processes.stages().clear();
        processes.stop(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_process_is_told_of_by_its_error_or_by_how_it_ended() {
        use std::os::unix::process::ExitStatusExt;

        let told = |text: &str, ended| failure(text, ExitStatus::from_raw(ended));
        let failed = 1 << 8;
        let text = "folder: a\nerror: cannot read b: error: no \u{1b}such file\nhelp: look there\n";
        assert_eq!(told(text, failed), "error: cannot read b: error: no \u{fffd}such file help: look there");
        assert_eq!(told("error: a\nerror: b\n", failed), "error: b");
        assert_eq!(
            told("thread 'main' has no error: it panics\n", failed),
            "thread 'main' has no error: it panics"
        );
        assert!(told("", failed).contains("exit status: 1"));
        assert!(told("disk: 1 MB\n", 9).contains("signal 9: "), "{}", told("", 9));
        assert!(told("", 11).ends_with("signal 11"));
        assert!([0, 130 << 8, 15].map(ExitStatus::from_raw).into_iter().all(is_done));
        assert!(![failed, 9].map(ExitStatus::from_raw).into_iter().any(is_done));
    }
}
