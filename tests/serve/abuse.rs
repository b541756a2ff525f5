//! Requests that nobody should make: by default some thousands, and with `SANKI_HOSTILE=full` 100,000.

use std::{env, fs, thread};

use super::served::{Served, make_match};

/// Bad requests before memory is measured, and how many send them at once.
const WARM_UP: usize = 1600;
const CLIENTS: u64 = 8;

/// Numbers that are the same in every run (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }
}

const ADDRESSES: [&str; 18] = [
    "/",
    "/new",
    "/runs/first",
    "/runs/first/game",
    "/runs/first/take",
    "/runs/first/events",
    "/play",
    "/review",
    "/games/one",
    "/review/matches/m/openings",
    "/review/runs/first/openings",
    "/contests",
    "/contests/m",
    "/contests/m/report",
    "/take/run:first@1",
    "/nets/run:first@1",
    "/assets/0/board.js",
    "/language/en",
];
const BROKEN: [&str; 18] = [
    "..",
    "../..",
    "%2e%2e",
    "%2e%2e%2f%2e%2e",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "a%00b",
    "%ff%fe",
    "%",
    "%zz",
    "\\..\\",
    "....//",
    "run:../../x",
    "published:../x",
    "//evil.example",
    "-o",
    "a%0d%0aSet-Cookie:b",
    "%25%32%65",
];
const METHODS: [&str; 10] =
    ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "BREW"];
const HOSTS: [&str; 9] = [
    "evil.example",
    "evil.example:80",
    "localhost",
    "127.0.0.1",
    "127.0.0.1:1",
    "a@127.0.0.1",
    "[::1",
    "",
    "\u{fe}",
];
const ORIGINS: [&str; 6] =
    ["http://evil.example", "null", "https://localhost", "file://", "http://127.0.0.1:1", "\u{fe}"];
const FORMS: [&str; 8] = [
    "games=-1",
    "games=99999999999999999999",
    "a=x&a=y&a=z",
    "%ff=%ff",
    "{",
    "[[[[[[[[",
    "run=..%2f..",
    "a=engine&a_command=uci:%0a&b=random",
];

/// A request that nobody should make. It may be one that is answered all the same.
fn bad_request(numbers: &mut Numbers, host: &str, cookie: &str) -> Vec<u8> {
    let address = numbers.of(&ADDRESSES);
    // Some know the token, and get further.
    let cookie = numbers.of(&[cookie, cookie, cookie, "sanki-token-7777=0"]);
    let ours = format!("Host: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nConnection: close\r\n");
    match numbers.below(12) {
        0 => format!("GET {address}/{} HTTP/1.1\r\n{ours}\r\n", numbers.of(&BROKEN)).into(),
        1 => format!("GET /contests/{}/events HTTP/1.1\r\n{ours}\r\n", numbers.of(&BROKEN)).into(),
        2 => {
            let long = "x".repeat(numbers.below(20_000));
            format!("GET {address}/{long}?{long} HTTP/1.1\r\n{ours}\r\n").into()
        }
        3 => format!("{} {address} HTTP/1.1\r\nHost: {}\r\n\r\n", numbers.of(&METHODS), numbers.of(&HOSTS)).into(),
        4 => format!(
            "POST {address}/stop HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nOrigin: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            numbers.of(&ORIGINS)
        )
        .into(),
        5 => format!("{} {address} HTTP/1.1\r\n{ours}Content-Length: 0\r\n\r\n", numbers.of(&METHODS)).into(),
        6 => {
            // More than is said, less than is said, and what is no text.
            let (length, said) = (numbers.below(5000), numbers.below(5000));
            let head = format!(
                "{} {address} HTTP/1.1\r\n{ours}Content-Type: application/json\r\nContent-Length: {said}\r\n\r\n",
                numbers.of(&["POST", "PUT"])
            );
            [head.as_bytes(), &numbers.bytes(length)].concat()
        }
        7 => {
            let form = numbers.of(&FORMS);
            let address = numbers.of(&["/contests/match", "/contests/ladder", "/contests/m/go-on", "/contests/m/stop"]);
            format!(
                "POST {address} HTTP/1.1\r\n{ours}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
                form.len()
            )
            .into()
        }
        8 => {
            let headers: String = (0..numbers.below(200)).map(|number| format!("X-{number}: {number}\r\n")).collect();
            format!("GET {address} HTTP/1.1\r\n{ours}{headers}Cookie: token=%; language=xx\r\nLast-Event-ID: \u{1}\r\n\r\n")
                .into()
        }
        9 => {
            let whole = format!("GET {address} HTTP/1.1\r\n{ours}\r\n");
            whole.as_bytes()[..numbers.below(whole.len())].to_vec()
        }
        10 => {
            let length = numbers.below(300);
            numbers.bytes(length)
        }
        _ => format!(
            "POST {address} HTTP/1.1\r\n{ours}Transfer-Encoding: chunked\r\n\r\n{}\r\nx\r\n",
            numbers.of(&["ffffffffffffffff", "-1", "5", "zz", "0"])
        )
        .into(),
    }
}

/// Sends so many bad requests, and a good one after each hundred.
fn abuse(served: &Served, seed: u64, count: usize) {
    let mut numbers = Numbers(seed);
    let cookie = served.cookie(&served.host);
    for number in 1..=count {
        let request = bad_request(&mut numbers, &served.host, &cookie);
        let answer = served.provoke(&request);
        let shown = String::from_utf8_lossy(&request[..request.len().min(300)]).into_owned();
        assert!(answer.is_none_or(|answer| answer.status < 500), "{shown}");
        if number % 100 == 0 {
            assert_eq!(served.get("/contests/m").status, 200, "after {number} bad requests, {shown}");
        }
    }
}

/// The same by several at once, whose requests begin with `seed`.
fn together(served: &Served, seed: u64, count: usize) {
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            scope.spawn(move || abuse(served, seed + client, count / CLIENTS as usize));
        }
    });
}

#[test]
fn bad_requests_cost_nothing() {
    let count = match env::var("SANKI_HOSTILE").as_deref() {
        Ok("full") => 100_000,
        Ok(other) => panic!("SANKI_HOSTILE={other}: full is all that it can be"),
        Err(_) => 3_000,
    };
    let served = Served::new();
    make_match(served.folder.path(), "m");
    together(&served, 0, WARM_UP);
    #[cfg(target_os = "linux")]
    let (files, memory) = (served.open_files(), served.memory());
    together(&served, CLIENTS, count - WARM_UP);
    #[cfg(target_os = "linux")]
    {
        served.wait_for_files(files + 2);
        let after = served.memory();
        println!("{count} bad requests: {memory} MiB after the first {WARM_UP}, {after} MiB after all");
        assert!(after <= memory + 24, "{memory} MiB, then {after} MiB");
    }
    let mut names: Vec<String> = fs::read_dir(served.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.retain(|name| !["games", "runs"].contains(&&name[..]));
    assert_eq!(names, ["matches"], "nothing is written elsewhere");
    let contests = fs::read_dir(served.path("matches")).unwrap().count();
    assert_eq!(contests, 1, "and no match was begun");
}
