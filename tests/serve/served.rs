//! A server to ask.

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind, Lines, Read, Write},
    net::{Shutdown, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// How long the server may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long an answer to a bad request is waited for before the connection is cut.
const MOMENT: Duration = Duration::from_millis(20);

/// A server in a folder of its own.
pub struct Served {
    child: Child,
    /// What it prints: kept, or it could print nothing more.
    _printed: Lines<BufReader<ChildStdout>>,
    /// Where it works.
    pub folder: TempDir,
    /// Its name and port.
    pub host: String,
    /// Where it listens: the same, but behind a proxy.
    pub at: String,
    /// What it wants to know of whoever asks; empty where it printed none.
    pub token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
pub struct Answer {
    /// Its code.
    pub status: u16,
    /// All of it.
    pub text: String,
}

impl Answer {
    /// The value of a header, if it has it.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (head, _) = self.text.split_once("\r\n\r\n")?;
        let mut headers = head.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let status = text.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
        Some(Answer { status, text })
    }
}

impl Served {
    pub fn new() -> Self {
        Served::with(&[])
    }

    /// One that is started with more options.
    pub fn with(options: &[&str]) -> Self {
        Served::start(tempfile::tempdir().unwrap(), options, &[])
    }

    /// One that works in `folder`, with more options and more in its environment.
    pub fn start(folder: TempDir, options: &[&str], environment: &[(&str, &str)]) -> Self {
        Served::of(Path::new(env!("CARGO_BIN_EXE_sanki")), folder, options, environment)
    }

    /// The same of the program in this file.
    pub fn of(program: &Path, folder: TempDir, options: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0"])
            .args(options)
            .envs(environment.iter().copied())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut address =
            || lines.next().unwrap().unwrap().split_once("://").expect("an address").1.to_owned();
        let first = address();
        let (host, rest) = first.split_once('/').unwrap();
        let token = rest.strip_prefix("?token=").unwrap_or_default();
        let at = if options.contains(&"--public-url") { address() } else { host.to_owned() };
        Served { child, _printed: lines, folder, host: host.to_owned(), at, token: token.to_owned() }
    }

    /// Ends it, and starts another one in its folder.
    pub fn again(mut self, options: &[&str]) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        Served::start(folder, options, &[])
    }

    /// Waits until it has ended.
    #[cfg(target_os = "linux")]
    pub fn wait(&mut self) {
        let begin = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The cookie that a browser has after it was let in at `host`.
    pub fn cookie(&self, host: &str) -> String {
        let address = format!("/?token={}", self.token);
        let answer =
            self.ask(&format!("GET {address} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        let cookie = answer.header("set-cookie").unwrap_or_default();
        cookie.split(';').next().unwrap_or_default().to_owned()
    }

    /// The headers of a browser that was let in.
    pub fn known(&self) -> String {
        format!("Host: {}\r\nCookie: {}\r\n", self.host, self.cookie(&self.host))
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.at).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a whole request, and reads what comes.
    pub fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Answer::of(&answer).expect("an answer")
    }

    /// Sends these bytes, which may be no whole request, and reads what comes of it within a moment, which may be nothing.
    pub fn provoke(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // The server may have refused before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        stream.set_read_timeout(Some(MOMENT)).unwrap();
        let _ = stream.read_to_end(&mut answer);
        // Nothing more will come: then the server has to give up as well.
        let _ = stream.shutdown(Shutdown::Write);
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        match stream.read_to_end(&mut answer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                panic!("the server holds on to a connection")
            }
            _ => Answer::of(&answer),
        }
    }

    pub fn get(&self, path: &str) -> Answer {
        let known = self.known();
        let request = format!("GET {path} HTTP/1.1\r\n{known}Connection: close\r\n\r\n");
        self.ask(&request)
    }

    pub fn post(&self, path: &str, form: &str) -> Answer {
        let (host, known, length) = (&self.host, self.known(), form.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\n{known}Origin: http://{host}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}"
        );
        self.ask(&request)
    }

    /// Asks for a page until it has `words`.
    pub fn until(&self, path: &str, words: &str) -> Answer {
        let begin = Instant::now();
        loop {
            let answer = self.get(path);
            if answer.text.contains(words) {
                return answer;
            }
            assert!(begin.elapsed() < PATIENCE, "no {words} in {}", answer.text);
            thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Files and connections that it has open.
    #[cfg(target_os = "linux")]
    pub fn open_files(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// MiB of memory.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    /// Waits until no more than `most` files are open.
    #[cfg(target_os = "linux")]
    pub fn wait_for_files(&self, most: usize) {
        let begin = Instant::now();
        while self.open_files() > most {
            assert!(begin.elapsed() < PATIENCE, "{} files are open, not {most}", self.open_files());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A match in the folder `matches/NAME`, with one game.
pub fn make_match(folder: &Path, name: &str) -> PathBuf {
    let root = folder.join("matches").join(name);
    fs::create_dir_all(&root).unwrap();
    let settings = r#"{"game":"dobutsu","rules":"standard","players":["a","b"],"seed":1,"max_plies":512,"openings":"0"}"#;
    fs::write(root.join("match.json"), settings).unwrap();
    let games = root.join("games.jsonl");
    fs::write(&games, game(0)).unwrap();
    games
}

pub fn game(number: u32) -> String {
    format!(
        "{{\"number\":{number},\"opening\":\"o\",\"first\":\"a\",\"second\":\"<b onload=alert(1)>\",\"start\":\
         \"gle/1c1/1C1/ELG[-] w 0 1\",\"moves\":\"b2b3 c4b3\",\"result\":\"1-0\",\"reason\":\"lion_captured\",\
         \"seconds\":[0.5,0.25]}}\n"
    )
}
