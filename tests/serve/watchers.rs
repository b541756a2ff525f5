//! Many who watch at once.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
};

use super::served::{Served, game, make_match};

/// Reads a stream of events until one has `words`.
fn read_until(stream: &mut BufReader<TcpStream>, words: &str) {
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended before {words}");
    }
}

#[test]
fn two_hundred_watch_at_once() {
    let served = Served::new();
    let games = make_match(served.folder.path(), "m");
    assert_eq!(served.get("/contests/m").status, 200);
    #[cfg(target_os = "linux")]
    let (files, memory) = (served.open_files(), served.memory());
    let request = format!("GET /contests/m/events HTTP/1.1\r\n{}\r\n", served.known());
    let open = || {
        let mut stream = served.connect();
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream)
    };
    for _ in 0..3 {
        fs::write(&games, game(0)).unwrap();
        let mut streams: Vec<_> = (0..200).map(|_| open()).collect();
        for stream in &mut streams {
            read_until(stream, "HTTP/1.1 200");
            read_until(stream, "id: ");
            read_until(stream, "data-games=\"1\"");
        }
        fs::write(&games, game(0) + &game(1)).unwrap();
        streams.iter_mut().for_each(|stream| read_until(stream, "data-games=\"2\""));
        assert_eq!(served.get("/contests/m").status, 200, "others are answered meanwhile");
        // There is an end to it.
        streams.extend((0..56).map(|_| open()));
        streams[200..].iter_mut().for_each(|stream| read_until(stream, "id: "));
        read_until(&mut open(), "HTTP/1.1 503");
        drop(streams);
        #[cfg(target_os = "linux")]
        served.wait_for_files(files + 2);
    }
    #[cfg(target_os = "linux")]
    assert!(served.memory() <= memory + 24, "{memory} MiB, then {} MiB", served.memory());
}
