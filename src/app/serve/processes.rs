//! What the page starts and stops: `sanki` itself, as a person would start it in the terminal.

use std::{
    collections::HashMap,
    env,
    ffi::OsString,
    fs,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use anyhow::{Context, Result};

use crate::base::store::{Holder, printable};

/// Bytes of what a process said before it failed, at most.
const LAST_WORDS: u64 = 4096;

/// With a console of its own that nobody sees (Windows' CreateProcess).
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// The processes that were started here, by the folders that they work in.
#[derive(Debug, Default)]
pub(super) struct Processes {
    started: Arc<Mutex<HashMap<PathBuf, Stage>>>,
}

/// How far a process has come.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Alive,
    /// It could not do what it was asked for; its own words.
    Failed(String),
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
        let program = env::current_exe().context("cannot find the program itself")?;
        let mut words = tempfile::tempfile().context("cannot make a temporary file")?;
        let mut command = Command::new(program);
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
            let is_done = ended.is_ok_and(|status| status.success() || status.code() == Some(130));
            let mut stages = lock(&started);
            if is_done {
                stages.remove(&folder);
            } else {
                stages.insert(folder, Stage::Failed(last_words(&mut words)));
            }
        };
        thread::Builder::new().name("child".to_owned()).spawn(wait).context("cannot start a thread")?;
        Ok(())
    }

    /// What goes on in `folder`, started here or elsewhere.
    pub(super) fn activity(&self, folder: &Path) -> Activity {
        if Holder::of(folder).is_some() {
            return Activity::Running;
        }
        match self.stages().get(folder) {
            Some(Stage::Alive) => Activity::Starting,
            Some(Stage::Failed(words)) => Activity::Failed(words.clone()),
            None => Activity::Idle,
        }
    }

    fn stages(&self) -> MutexGuard<'_, HashMap<PathBuf, Stage>> {
        lock(&self.started)
    }
}

fn lock(stages: &Mutex<HashMap<PathBuf, Stage>>) -> MutexGuard<'_, HashMap<PathBuf, Stage>> {
    stages.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of what a process wrote: its error, without what is on the lines before.
fn last_words(words: &mut fs::File) -> String {
    let mut text = Vec::new();
    let length = words.seek(SeekFrom::End(0)).unwrap_or(0);
    let begin = SeekFrom::Start(length.saturating_sub(LAST_WORDS));
    if words.seek(begin).is_ok() {
        // What cannot be read is not shown.
        let _ = words.take(LAST_WORDS).read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    let error = text.rfind("error: ").map_or(&text[..], |begin| &text[begin..]);
    printable(error.trim()).into_owned()
}

/// Asks the process that works in `folder`, if there is one, to end, as Ctrl-C does: it saves everything first.
///
/// # Errors
/// When it is not ours to stop, or its process is not known for certain.
pub(super) fn stop(folder: &Path) -> Result<()> {
    match Holder::of(folder) {
        Some(holder) => interrupt(folder, holder),
        None => Ok(()),
    }
}

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

#[cfg(windows)]
fn interrupt(folder: &Path, _: Holder) -> Result<()> {
    crate::base::store::request_stop(folder).with_context(|| format!("cannot write in {}", folder.display()))
}
