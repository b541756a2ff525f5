//! What a browser sends to `sanki serve`: addresses, headers, forms and files.
//!
//! Nothing is sent that would start a program: forms always have a number that is none, or a name that is none.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, TcpStream},
    sync::LazyLock,
    thread,
    time::Duration,
};

use sanki::app::serve::{Engines, Folders, PageServer, ServerOptions};

use super::folder;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server in this process.
struct Page {
    host: String,
    /// What it gave to whoever opened its address.
    cookies: String,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let below = |name: &str| folder().join("page").join(name);
    let folders = Folders { runs: below("runs"), matches: below("matches"), games: below("games") };
    let address = "127.0.0.1:0".parse().expect("an address");
    let options = ServerOptions { address, public: None, engines: Engines::default(), folders };
    let server = PageServer::new(options).expect("a free port");
    let address = server.address();
    thread::spawn(|| server.run(std::future::pending()));
    let (host, path) = address.trim_start_matches("http://").split_once('/').expect("an address");
    let mut page = Page { host: host.to_owned(), cookies: String::new() };
    let welcome = page.ask(&page.request("GET", &format!("/{path}"), "", b""));
    let given = welcome.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("set-cookie")
            .then(|| value.split(';').next().unwrap_or_default().to_owned())
    });
    page.cookies = given.collect::<Vec<_>>().join("; ");
    let start = page.ask(&page.request("GET", "/", "", b""));
    assert!(start.starts_with("HTTP/1.1 200"), "we are let in: {start}");
    page
});

impl Page {
    /// A request with these lines among its headers.
    fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
        let (host, length) = (&self.host, body.len());
        let cookies =
            if self.cookies.is_empty() { String::new() } else { format!("Cookie: {}\r\n", self.cookies) };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n{cookies}{headers}\r\n"
        );
        [head.as_bytes(), body].concat()
    }

    /// Sends what may be no whole request. What is answered to that shows in the next request alone.
    fn provoke(&self, bytes: &[u8]) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        stream.set_read_timeout(Some(PATIENCE)).expect("not zero");
        if let Err(error) = stream.read_to_end(&mut Vec::new()) {
            assert!(error.kind() != ErrorKind::WouldBlock, "the server holds on to a connection");
        }
    }

    /// Sends a request, and returns the answer; nothing if the server has closed the connection.
    fn ask(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("not zero");
        // The server may have refused before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                panic!("the server holds on to a connection")
            }
            _ => String::from_utf8_lossy(&answer).into_owned(),
        }
    }
}

/// What of `bytes` may stand in a line of a head.
fn line(bytes: &[u8]) -> String {
    let plain = |&byte: &u8| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { ' ' };
    bytes.iter().map(plain).collect()
}

/// What of `bytes` may stand in an address.
fn path(bytes: &[u8]) -> String {
    let plain = |&byte: &u8| match byte {
        b'!'..=b'~' if !b"\"#<>\\^`{|}".contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    bytes.iter().map(plain).collect()
}

/// A request: the first byte says of which kind, the first line is what stands in its address.
pub fn page(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let (place, body) = (path(&rest[..end]), rest.get(end + 1..).unwrap_or_default());
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let with = |end: &str| [body, end.as_bytes()].concat();
    let request = match first.wrapping_sub(b'0') % 8 {
        // A benchmark is no reader.
        0 if !place.contains("xpect") && !place.contains('%') => {
            PAGE.request("GET", &format!("/{place}"), "", b"")
        }
        1 => PAGE.request(
            "GET",
            &format!("/review/games/{place}"),
            &format!("Accept-Language: {}\r\n", line(body)),
            b"",
        ),
        2 => PAGE.request("POST", &format!("/review/files?{place}"), "", body),
        3 => PAGE.request("PUT", &format!("/games/{place}"), "Content-Type: application/json\r\n", body),
        4 => PAGE.request("POST", "/new", form, &with("&name=..%2Fx")),
        5 => PAGE.request("POST", "/contests/match", form, &with("&games=x")),
        6 => PAGE.request("GET", &format!("/language/{place}"), &format!("Cookie: {}\r\n", line(body)), b""),
        // Anything at all, as long as it changes nothing.
        7 if !rest.windows(4).any(|word| word == b"POST" || word == b"xpec") => return PAGE.provoke(rest),
        _ => return,
    };
    let answer = PAGE.ask(&request);
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    assert!(!answer.starts_with("HTTP/1.1 5"), "{answer}");
}
