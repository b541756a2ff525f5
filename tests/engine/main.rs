//! The engine as other programs meet it: the program `sanki-engine` over its pipes, and a session line by line.
//!
//! `SANKI_TESTED_ENGINE` names another program to test in its place: one that was built without burn
//! (`tests/windows/run --engine`, `tests/aarch64/run --engine`).

mod answers;
mod books;
mod handshakes;
mod limits;
mod nonsense;
mod problems;
mod refusals;
mod searches;
mod towers;

use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader, Read, Seek, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The variable that names another program to test.
const OTHER: &str = "SANKI_TESTED_ENGINE";

/// The program `sanki-engine`: the one that `SANKI_TESTED_ENGINE` names, which was built without burn, or the usual one.
fn program() -> PathBuf {
    env::var_os(OTHER).unwrap_or_else(|| env!("CARGO_BIN_EXE_sanki-engine").into()).into()
}

/// Whether the program was built with burn.
fn has_burn() -> bool {
    env::var_os(OTHER).is_none()
}

/// A running engine.
struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What it says to people.
    notes: File,
}

impl Engine {
    /// Starts the bare program.
    fn start() -> Self {
        Self::of(&mut Command::new(program()))
    }

    /// Starts it and greets it.
    fn greeted(dialect: &str) -> Self {
        let mut engine = Self::start();
        engine.say(dialect);
        engine.until(&format!("{dialect}ok"));
        engine
    }

    /// Starts it in UCI with this variant.
    fn playing(variant: &str) -> Self {
        let mut engine = Self::greeted("uci");
        engine.say(&format!("setoption name UCI_Variant value {variant}"));
        engine
    }

    fn of(command: &mut Command) -> Self {
        let notes = tempfile::tempfile().expect("a file");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(notes.try_clone().expect("the same file"))
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Engine { stdin: child.stdin.take(), child, lines, notes }
    }

    fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("it was not told to quit");
        if let Err(error) = writeln!(stdin, "{line}").and_then(|()| stdin.flush()) {
            panic!("it does not read '{line}': {error}, {}", self.state());
        }
    }

    /// Whether it runs, the notes that it has written, and how often the system was out of memory: why it does not do
    /// what it should.
    fn state(&mut self) -> String {
        // Its end may come a moment after that of its output.
        thread::sleep(Duration::from_millis(200));
        let state = match self.child.try_wait() {
            Ok(None) => "it runs".to_owned(),
            Ok(Some(status)) => format!("it has ended with {status}"),
            Err(error) => format!("it is not known whether it runs ({error})"),
        };
        let mut notes = Vec::new();
        let read = self.notes.rewind().and_then(|()| self.notes.read_to_end(&mut notes));
        let notes = String::from_utf8_lossy(&notes);
        let counts = fs::read_to_string("/proc/vmstat").unwrap_or_default();
        let killed = counts.lines().find(|line| line.starts_with("oom_kill ")).unwrap_or("oom_kill unknown");
        format!("{state}, and its notes are '{notes}' ({read:?}); {killed} since the system began")
    }

    /// The lines up to the next that begins with `last`, which is the last of them.
    fn until(&mut self, last: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("no '{last}': {error}, but {heard:#?}; {}", self.state()),
            }
            if heard[heard.len() - 1].starts_with(last) {
                return heard;
            }
        }
    }

    /// The words of the answer to `go`.
    fn answer(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        words(self.until("bestmove").last().expect("an answer"))
    }

    /// Whether nothing is said for a while.
    fn is_silent(&mut self) -> bool {
        let end = Instant::now() + Duration::from_millis(150);
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Ok(line) if !line.starts_with("info") => return false,
                _ => {}
            }
        }
        true
    }

    /// Lets it quit, which it does at once and as if all was well; what it said at last.
    fn quit(mut self) -> Vec<String> {
        self.say("quit");
        self.end()
    }

    fn end(mut self) -> Vec<String> {
        drop(self.stdin.take());
        // ShogiHome kills after five seconds. Those in which we did not run ourselves do not count.
        let mut waited = Duration::ZERO;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a process") {
                break status;
            }
            assert!(waited < Duration::from_secs(5), "it does not end: {}", self.state());
            let begin = Instant::now();
            thread::sleep(Duration::from_millis(2));
            waited += begin.elapsed().min(Duration::from_millis(50));
        };
        assert!(status.success(), "{status}: {}", self.state());
        self.lines.iter().collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Where a test failed; else it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// The word behind `key` in a line.
fn after<'a>(line: &'a str, key: &str) -> &'a str {
    let mut words = line.split_whitespace();
    words.find(|word| *word == key).unwrap_or_else(|| panic!("no '{key}' in '{line}'"));
    words.next().unwrap_or_default()
}
