//! A program that runs beside ours, its input and its output as lines.

use std::{
    collections::BTreeSet,
    env,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

#[cfg(windows)]
use super::job;
#[cfg(unix)]
use super::watchdog;
use crate::base::store::{LineRead, printable, read_line};

/// Bytes of a line that are kept: ten times what the longest announcement of an option takes.
const LINE_LIMIT: usize = 1 << 16;
/// Lines that wait to be heard; a program that writes on has to wait.
const BACKLOG: usize = 64;
/// How often a silent program is looked at, whether it still runs: another process may hold its output open.
const CHECK: Duration = Duration::from_millis(100);
/// How long a program may take to end after `quit`, or to say how it ended after its output did.
const GRACE: Duration = Duration::from_millis(500);
/// Where Debian and its kin put programs that play games. It is not on everybody's path.
const GAMES: &str = "/usr/games";
/// How long the last words of a process that has ended are waited for: they are in the pipe, which ends with them unless
/// somebody else holds it open.
const WORDS_TIMEOUT: Duration = Duration::from_secs(2);
/// Characters of the last line on stderr that are kept.
const LAST_WORDS: usize = 400;

/// The programs that run, by their number, which on Unix is that of their process group too.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every engine, and lets none be started any more: for a program that ends at once, whose players are not
/// dropped.
pub fn kill_all_engines() {
    let running = running();
    running.iter().for_each(|&group| kill_group(group));
    std::mem::forget(running);
}

/// Kills the processes of a group.
#[cfg(unix)]
fn kill_group(group: u32) {
    use nix::{
        sys::signal::{Signal, killpg},
        unistd::Pid,
    };
    if let Ok(group) = i32::try_from(group) {
        // It fails where no process is left.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// On Windows the jobs of the engines end with us.
#[cfg(windows)]
fn kill_group(_: u32) {}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// It says nothing in time.
    TimedOut,
    /// It has ended, or closed its output.
    Closed,
}

/// A running program with a process group of its own, so that a Ctrl-C for us is none for it. What it starts ends with
/// it, and all of that with us, however we end (`watchdog.rs`; on Windows `job.rs`). Dropped, it is asked to quit, then
/// killed with its group, and reaped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// What tells the processes that it started from all others.
    #[cfg(unix)]
    mark: String,
    /// What ends it with all that it started; `None` once it has.
    #[cfg(windows)]
    job: Option<win32job::Job>,
    /// Lines for it. A thread writes them, so that a program that does not read cannot keep us waiting.
    input: Option<Sender<String>>,
    /// Lines from it.
    output: Receiver<String>,
    /// Keeps the last line on stderr.
    errors: JoinHandle<()>,
    last_words: Arc<Mutex<String>>,
    has_ended: bool,
}

/// The program that `command` names.
fn program(command: &str) -> PathBuf {
    let is_name = Path::new(command).components().count() == 1;
    let paths = env::var_os("PATH").unwrap_or_default();
    let on_the_path = env::split_paths(&paths).any(|folder| folder.join(command).is_file());
    let game = Path::new(GAMES).join(command);
    if is_name && !on_the_path && game.is_file() { game } else { command.into() }
}

impl Process {
    /// Starts `command`, a program on the path or in the system's folder of games, or the path of one.
    pub(super) fn start(command: &str, arguments: &[String]) -> io::Result<Self> {
        let mut command = Command::new(program(command));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        let mark = watchdog::mark();
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0).env(watchdog::MARK, &mark);
        let mut running = running();
        #[cfg(unix)]
        let mut child = {
            // Before it, so that it has no moment unwatched.
            watchdog::watch(&running);
            command.spawn()?
        };
        #[cfg(windows)]
        let (mut child, job) = job::start(&mut command)?;
        running.insert(child.id());
        #[cfg(unix)]
        watchdog::watch(&running);
        drop(running);
        let (input, lines) = mpsc::channel();
        let stdin = child.stdin.take().expect("piped");
        thread::spawn(move || write_lines(stdin, &lines));
        let (lines, output) = mpsc::sync_channel(BACKLOG);
        let stdout = child.stdout.take().expect("piped");
        thread::spawn(move || for_each_line(stdout, |line| lines.send(line.to_owned()).is_ok()));
        let last_words = Arc::new(Mutex::new(String::new()));
        let words = Arc::clone(&last_words);
        let stderr = child.stderr.take().expect("piped");
        let errors = thread::spawn(move || {
            for_each_line(stderr, |line| {
                if !line.is_empty() {
                    *words.lock().unwrap_or_else(PoisonError::into_inner) =
                        line.chars().take(LAST_WORDS).collect();
                }
                true
            });
        });
        Ok(Process {
            child,
            #[cfg(unix)]
            mark,
            #[cfg(windows)]
            job,
            input: Some(input),
            output,
            errors,
            last_words,
            has_ended: false,
        })
    }

    /// Sends a line. Whether it arrives shows in what comes back.
    pub(super) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// The next line, without its end and the spaces around it, if it comes before `deadline` and the
    /// waiting is not stopped.
    pub(super) fn line(
        &mut self,
        deadline: Instant,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<String, Silence> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || is_stopped() {
                return Err(Silence::TimedOut);
            }
            match self.output.recv_timeout(left.min(CHECK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Closed),
                Err(RecvTimeoutError::Timeout) => {
                    if matches!(self.child.try_wait(), Ok(Some(_))) {
                        // What it said before it ended may still be on the way.
                        return self.output.recv_timeout(CHECK).map_err(|_| Silence::Closed);
                    }
                }
            }
        }
    }

    /// Throws away what it has said.
    pub(super) fn forget_output(&self) {
        self.output.try_iter().take(BACKLOG).for_each(drop);
    }

    /// Kills it with all that it started.
    pub(super) fn kill(&mut self) {
        self.end(Duration::ZERO);
    }

    /// Waits a moment for its end, then kills what is left. How it ended, if it did so by itself.
    pub(super) fn wait(&mut self) -> Option<ExitStatus> {
        self.end(GRACE)
    }

    fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        if self.has_ended {
            return None;
        }
        self.has_ended = true;
        let deadline = Instant::now() + grace;
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(status) => break status,
                Err(_) => break None,
            }
        };
        // Its number may be given away once it is reaped, but not within the next moment; and it is not while
        // a process is left in the group.
        kill_group(self.child.id());
        #[cfg(unix)]
        watchdog::kill_marked(&self.mark);
        #[cfg(windows)]
        drop(self.job.take());
        let mut running = running();
        running.remove(&self.child.id());
        #[cfg(unix)]
        watchdog::watch(&running);
        drop(running);
        let _ = self.child.kill();
        let _ = self.child.wait();
        status
    }

    /// Its last line on stderr, after its end.
    pub(super) fn last_words(&self) -> String {
        let deadline = Instant::now() + WORDS_TIMEOUT;
        while !self.errors.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit".to_owned());
        // Closes its input too, once the thread has written all.
        self.input = None;
        self.end(GRACE);
    }
}

fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Hands on every line, fit to be printed, until the input ends or cannot be read, or `hear` wants no more.
fn for_each_line(input: impl Read, mut hear: impl FnMut(&str) -> bool) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while let Ok(LineRead::Whole | LineRead::Cut) = read_line(&mut input, &mut line, LINE_LIMIT) {
        if !hear(printable(&String::from_utf8_lossy(&line)).trim()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_rest_of_them_is_dropped() {
        let mut text = vec![b'x'; 3 * LINE_LIMIT];
        text.extend_from_slice(b"\n\r\n two \xff\nlast");
        let mut lines = Vec::new();
        for_each_line(text.as_slice(), |line| {
            lines.push(line.to_owned());
            true
        });
        assert_eq!(lines[0].len(), LINE_LIMIT);
        assert_eq!(lines[1..], ["", "two \u{fffd}", "last"]);
    }

    #[test]
    fn whoever_wants_no_more_lines_is_given_none() {
        let mut lines = 0;
        for_each_line(&b"a\nb\nc\n"[..], |_| {
            lines += 1;
            lines < 2
        });
        assert_eq!(lines, 2);
    }
}
