//! Many machines, one run: learners, workers and a NATS server of the test's own, on 127.0.0.1, and what happens when
//! any of them dies, stops, lies or is of another kind. `SANKI_REMOTE=full` makes as many faults as `docs/robustness.md`
//! says. Without nats-server nothing is tested here.
#![cfg(target_os = "linux")]

mod attacks;
mod checks;
mod faults;
mod hostile;
mod learners;
mod limits;
mod load;
mod refusals;
mod same;
mod server;
#[path = "../support/skipped.rs"]
mod skipped;
mod slow;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/tiny_run.rs"]
mod tiny_run;
mod trust;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use server::NatsServer;
use tiny_run::{generations, sanki};

/// Each test has the machine for itself: what is measured here is time, too.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The patience of the tests: no run here takes a tenth of it.
const LONGEST: Duration = Duration::from_secs(300);

/// A process that ends with the test, and what it says.
pub struct Process {
    child: Child,
    said: PathBuf,
}

impl Process {
    /// Starts it; its stderr goes to `said`, at whose end it is added.
    pub fn start(mut command: Command, said: &Path) -> Self {
        let file = File::options().create(true).append(true).open(said).unwrap();
        let child = command.stdout(Stdio::null()).stderr(file).spawn().expect("the program starts");
        Process { child, said: said.to_owned() }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn said(&self) -> String {
        fs::read_to_string(&self.said).unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        // A process that has just ended gets none.
        let _ = kill(Pid::from_raw(self.id() as i32), signal);
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }

    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Waits for its end.
    pub fn end(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.ended() {
                return status;
            }
            assert!(begin.elapsed() < LONGEST, "it does not end: {}", self.said());
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until it has said `text`.
    pub fn wait_for(&mut self, text: &str) {
        let begin = Instant::now();
        while !self.said().contains(text) {
            assert!(self.ended().is_none(), "it ended without '{text}': {}", self.said());
            assert!(begin.elapsed() < LONGEST, "it does not say '{text}': {}", self.said());
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until this learner has done so many generations of the run in `folder`.
    pub fn wait_for_generations(&mut self, folder: &Path, count: usize) {
        let begin = Instant::now();
        while generations(folder) < count {
            assert!(self.ended().is_none(), "it ended before generation {count}: {}", self.said());
            assert!(begin.elapsed() < LONGEST, "no generation {count}: {}", self.said());
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A run of `game` with everything at its smallest.
pub fn train(game: &str, folder: &Path, settings: &[&str]) -> Command {
    let config = format!("{}/configs/{game}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut command = sanki(&["train", "--config", &config, "--threads", "1", "--out"]);
    command.arg(folder);
    for setting in tiny_run::SETTINGS.iter().chain(settings) {
        command.args(["--set", setting]);
    }
    command
}

/// The same, on the games that workers of `server` play.
pub fn learn(server: &NatsServer, game: &str, folder: &Path, settings: &[&str]) -> Command {
    let mut command = train(game, folder, settings);
    command.args(["--nats", &server.url(), "--workers", "0"]);
    command
}

/// A worker with one thread.
pub fn worker(server: &NatsServer) -> Command {
    worker_at(&server.worker_url())
}

/// The same for a server that is reached at `url`.
pub fn worker_at(url: &str) -> Command {
    sanki(&["work", "--threads", "1", "--nats", url])
}

/// How many faults a test makes: few, or as many as the documentation says.
pub fn faults(few: u32, all: u32) -> u32 {
    if std::env::var("SANKI_REMOTE").is_ok_and(|value| value == "full") { all } else { few }
}
