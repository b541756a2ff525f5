//! Connections that say nothing.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use super::served::{Served, game, make_match};

/// How long a connection may say nothing, with some time to notice.
const LIMIT: Duration = Duration::from_secs(30);

fn say(served: &Served, words: &str) -> TcpStream {
    let mut stream = served.connect();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream.write_all(words.as_bytes()).unwrap();
    stream
}

#[test]
fn silent_connections_end_and_streams_of_events_do_not() {
    let served = Served::new();
    let games = make_match(served.folder.path(), "m");
    let known = served.known();
    let events = say(&served, &format!("GET /contests/m/events HTTP/1.1\r\n{known}\r\n"));
    let host = format!("Host: {}\r\n", served.host);
    let silent = [
        ("nothing", String::new()),
        ("half a head", "GET / HTTP/1.1\r\nHost: ".to_owned()),
        ("nothing after an answer", format!("GET / HTTP/1.1\r\n{known}\r\n")),
        ("no body, from a stranger", format!("POST /new HTTP/1.1\r\n{host}Content-Length: 1000\r\n\r\n")),
    ];
    let silent = silent.map(|(what, words)| (what, say(&served, &words)));
    for (what, mut stream) in silent {
        let mut answer = Vec::new();
        assert!(stream.read_to_end(&mut answer).is_ok(), "after {what} the connection is still open");
    }
    let mut events = BufReader::new(events);
    fs::write(&games, game(0) + &game(1)).unwrap();
    let mut line = String::new();
    while !line.contains("data-games=\"2\"") {
        line.clear();
        assert!(events.read_line(&mut line).unwrap() > 0, "the stream of events has ended");
    }
}
