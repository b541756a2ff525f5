//! `sanki analysis`: JSON lines in and out, on stdin and over a port.

use std::{
    collections::{HashMap, HashSet},
    env,
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::skipped::skipped;

/// More simulations than anybody waits for.
const ENDLESS: u32 = u32::MAX;
/// Games whose nets are small.
const GAMES: [&str; 3] = ["dobutsu", "minishogi", "minixiangqi"];

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_sanki"))
        .arg("analysis")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

/// Asks all of `requests` on stdin, which then ends.
fn run(args: &[&str], requests: &str) -> Output {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    let requests = requests.to_owned();
    let writer = thread::spawn(move || stdin.write_all(requests.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

fn lines(requests: &[Value]) -> String {
    requests.iter().map(|request| format!("{request}\n")).collect()
}

fn read(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// What is answered on stdout.
fn answers(args: &[&str], requests: &[Value]) -> Vec<Value> {
    read(&String::from_utf8(run(args, &lines(requests)).stdout).unwrap())
}

/// The one answer to one request.
fn answer(request: Value) -> Value {
    let mut answers = answers(&[], &[request]);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

/// A server on a port of its own, which ends with it.
struct Server {
    child: Child,
    address: String,
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut child = start(&[&["--port", "0"], args].concat());
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").expect(&line).to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Server { child, address, _stdout: stdout }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Asks all of `requests` over a connection of its own, and reads until the end.
    fn answers(&self, requests: &str) -> Vec<Value> {
        let mut stream = self.connect();
        let mut reader = stream.try_clone().unwrap();
        let read_all = thread::spawn(move || {
            let mut text = String::new();
            reader.read_to_string(&mut text).map(|_| text)
        });
        stream.write_all(requests.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        read(&read_all.join().unwrap().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Hundreds of requests with priorities, and their cancels, some of which come in time.
fn many() -> Vec<Value> {
    let mut requests = Vec::new();
    for number in 0..300 {
        let game = GAMES[number % GAMES.len()];
        requests.push(json!({
            "id": format!("r{number}"), "game": game, "moves": opening(game), "turns": [0, 2, 1],
            "sims": 20 + number % 50, "priority": number as i64 % 5 - 2,
        }));
        if number % 7 == 6 {
            requests.push(json!({"cancel": format!("r{}", number - number % 5)}));
        }
    }
    requests
}

fn opening(game: &str) -> &'static str {
    match game {
        "dobutsu" => "b2b3 c4b3",
        "minishogi" => "a2a3 e4e3",
        _ => "c2c3 c6c5",
    }
}

/// Every turn of every request is answered once, unless the request was cancelled; every cancel is answered once.
fn check_many(requests: &[Value], answers: &[Value]) {
    let (mut turns, mut cancels) = (HashMap::<&str, HashSet<u64>>::new(), HashMap::<&str, Vec<bool>>::new());
    for answer in answers {
        let id = answer["id"].as_str().expect("an id");
        match (answer["turn"].as_u64(), answer["cancelled"].as_bool()) {
            (Some(turn), None) => {
                assert!(!cancels.get(id).is_some_and(|all| all.contains(&true)), "{answer} comes too late");
                assert!(answer["best"].is_string() && answer["lines"][0]["visits"].is_u64(), "{answer}");
                assert!(turns.entry(id).or_default().insert(turn), "{answer} comes twice");
            }
            (None, Some(cancelled)) => cancels.entry(id).or_default().push(cancelled),
            _ => panic!("{answer}"),
        }
    }
    let mut dropped = 0;
    for request in requests {
        if let Some(id) = request["cancel"].as_str() {
            assert_eq!(cancels[id].len(), 1, "{id}");
            continue;
        }
        let id = request["id"].as_str().unwrap();
        let answered = turns.get(id).map_or(0, HashSet::len);
        let is_dropped = cancels.get(id).is_some_and(|all| all.contains(&true));
        assert!(if is_dropped { answered < 3 } else { answered == 3 }, "{id}: {answered}");
        dropped += u32::from(is_dropped);
    }
    assert!(dropped > 0, "some are cancelled in time");
}

#[test]
fn hundreds_of_requests_are_answered_once() {
    let requests = many();
    check_many(&requests, &answers(&["--threads", "2"], &requests));
    let server = Server::start(&["--threads", "2"]);
    // Two at once, with the same ids.
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| check_many(&requests, &server.answers(&lines(&requests))));
        }
    });
}

#[test]
fn the_urgent_come_first() {
    // The most urgent, so that it is begun first whenever the thread wakes.
    let mut requests = vec![json!({"id": "long", "game": "minishogi", "sims": ENDLESS, "priority": 9})];
    let priorities = [0, 3, -1, 3, 0, 7, -1];
    for (number, priority) in priorities.iter().enumerate() {
        let id = number.to_string();
        requests.push(json!({"id": id, "game": "minishogi", "sims": 10, "priority": priority}));
    }
    // Until here the thread was busy, so that all of them waited.
    requests.push(json!({"cancel": "long"}));
    let answers = answers(&["--threads", "1"], &requests);
    let order: Vec<&str> = answers.iter().map(|answer| answer["id"].as_str().unwrap()).collect();
    assert_eq!(order, ["long", "5", "1", "3", "0", "4", "2", "6"]);
    assert_eq!(answers[0], json!({"id": "long", "cancelled": true}));
}

#[test]
fn what_is_wrong_is_answered_and_the_next_line_is_read() {
    let good = r#"{"id":"good","game":"dobutsu","sims":5}"#;
    let long = format!(r#"{{"id":"x","moves":"{}"}}"#, "a".repeat(1 << 20));
    for (bad, id, error) in [
        ("nonsense", Value::Null, "unreadable request"),
        (&*long, Value::Null, "more than 1048576 bytes"),
        (r#"{"game":"dobutsu"}"#, Value::Null, "id is missing"),
        (r#"{"id":"a"}"#, "a".into(), "game is missing"),
        (r#"{"id":"a","game":"chess"}"#, "a".into(), "'chess'"),
        (r#"{"id":"a","game":"shogi","rules":"axf"}"#, "a".into(), "'axf'"),
        (r#"{"id":"a","game":"dobutsu","start":"x y"}"#, "a".into(), "bad "),
        (r#"{"id":"a","game":"dobutsu","moves":"b2b3 b2b3"}"#, "a".into(), "move 2: bad move 'b2b3'"),
        (r#"{"id":"a","game":"dobutsu","moves":"b2b3 a4a3 b3b4+ b1b2"}"#, "a".into(), "move 4"),
        (r#"{"id":"a","game":"dobutsu","turns":[3]}"#, "a".into(), "3 is not in 0..=0"),
        (r#"{"id":"a","game":"dobutsu","sims":-5}"#, "a".into(), "sims: invalid value: integer `-5`"),
        (r#"{"id":"a","game":"dobutsu","sims":5,"nodes":5}"#, "a".into(), "only one of them"),
    ] {
        let output = String::from_utf8(run(&[], &format!("{bad}\n\n{good}\n")).stdout).unwrap();
        let answers = read(&output);
        assert_eq!((answers.len(), &answers[0]["id"]), (2, &id), "{output}");
        let said = answers[0]["error"].as_str().expect(&output);
        assert!(said.contains(error) && said.len() < 3000, "{said}");
        assert_eq!((&answers[1]["id"], &answers[1]["turn"]), (&"good".into(), &0.into()));
    }
    let twice = json!({"id": "a", "game": "minishogi", "sims": ENDLESS});
    let answers = answers(&[], &[twice.clone(), twice, json!({"cancel": "a"}), json!({"cancel": "a"})]);
    assert!(answers[0]["error"].as_str().unwrap().contains("another request is called 'a'"), "{answers:?}");
    assert_eq!(answers[1..], [true, false].map(|cancelled| json!({"id": "a", "cancelled": cancelled})));
}

#[test]
fn unknown_fields_are_named_in_a_warning() {
    let request = json!({"id": "a", "game": "dobutsu", "sims": 5, "visits": 9, "komi": 6.5});
    let answers = answers(&[], &[request]);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], json!({"id": "a", "warning": "unknown fields 'komi', 'visits'"}));
    assert!(answers[1]["best"].is_string(), "{answers:?}");
}

#[test]
fn allow_avoid_and_lines_are_heeded() {
    for (budget, spent) in [("sims", 200), ("nodes", 2000)] {
        let ask = |more: Value| {
            let mut request = json!({"id": "a", "game": "dobutsu", budget: spent});
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            answer(request)
        };
        let moves = |answer: &Value| -> Vec<String> {
            let lines = answer["lines"].as_array().unwrap();
            assert!(lines.iter().all(|line| line["pv"][0] == line["move"]), "{answer}");
            assert_eq!((&answer["best"], &answer["score"]), (&lines[0]["move"], &lines[0]["score"]));
            assert_eq!(lines[0]["visits"].is_u64(), budget == "sims", "{answer}");
            lines.iter().map(|line| line["move"].as_str().unwrap().to_owned()).collect()
        };
        let all = moves(&ask(json!({"lines": 9})));
        assert_eq!(all.len(), 4, "{all:?}");
        assert_eq!(moves(&ask(json!({}))).len(), 1);
        let only = moves(&ask(json!({"lines": 9, "allow": [all[3], all[1]]})));
        assert_eq!(only.iter().collect::<HashSet<_>>(), HashSet::from([&all[1], &all[3]]));
        assert_eq!(moves(&ask(json!({"allow": all[2]}))), all[2..3]);
        let avoided = ask(json!({"lines": 9, "avoid": format!("{} a9a9", all[0])}));
        assert!(moves(&avoided).len() == 3 && !moves(&avoided).contains(&all[0]), "{avoided}");
        assert_eq!(avoided["ignored"], json!(["a9a9"]));
        let none = ask(json!({"avoid": all}));
        assert_eq!((&none["turn"], none["error"].is_string()), (&0.into(), true), "{none}");
    }
}

#[test]
fn a_game_that_is_over_has_its_outcome_in_place_of_a_move() {
    let moves = "b2b3 a4a3 b3b4+";
    let request = json!({"id": "a", "game": "dobutsu", "moves": moves, "turns": [3, 2], "sims": 50});
    let mut answers = answers(&[], &[request]);
    answers.sort_by_key(|answer| answer["turn"].as_u64());
    assert_eq!((&answers[0]["best"], &answers[0]["score"]), (&"b3b4+".into(), &1.0.into()));
    assert_eq!(answers[0]["lines"][0]["certain"], json!({"result": "1-0", "plies": 1}));
    let end = json!({
        "id": "a", "turn": 3, "side": "second", "score": 1.0, "lines": [],
        "outcome": {"result": "1-0", "reason": "lion_captured"},
    });
    assert_eq!(answers[1], end);
    // Without turns it is the last position.
    assert_eq!(answer(json!({"id": "a", "game": "dobutsu", "moves": moves})), end);
}

#[test]
fn answers_do_not_depend_on_the_threads() {
    let mut requests = Vec::new();
    for number in 0..24 {
        let game = GAMES[number % GAMES.len()];
        let (budget, spent) = [("sims", 150), ("nodes", 3000)][number % 2];
        requests.push(json!({
            "id": number.to_string(), "game": game, "moves": opening(game), "turns": [0, 1, 2], budget: spent,
            "lines": 3,
        }));
    }
    let sorted = |threads| {
        let output = String::from_utf8(run(&["--threads", threads], &lines(&requests)).stdout).unwrap();
        let mut lines: Vec<String> = output.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let one = sorted("1");
    assert_eq!(one.len(), 72);
    assert_eq!(one, sorted("2"));
}

#[test]
fn a_start_and_rules_of_ones_own_are_read() {
    let fen = "3k5/R8/9/9/9/r8/9/9/7r1/4K4 w - - 0 1";
    let ask = |rules| json!({"id": "a", "game": "xiangqi", "rules": rules, "start": fen, "moves": ["a9a5"], "sims": 20});
    assert_eq!(
        (&answer(ask("wang1994"))["turn"], &answer(ask("axf"))["side"]),
        (&1.into(), &"second".into())
    );
    let sfen = "rbsgk/4p/5/P4/KGSBR b - 1";
    let minishogi = answer(json!({"id": "a", "game": "minishogi", "start": sfen, "movetime": 20}));
    assert!(minishogi["simulations"].as_u64().unwrap() > 0, "{minishogi}");
}

#[test]
fn a_connection_that_is_gone_is_forgotten() {
    let server = Server::start(&["--threads", "1"]);
    let mut gone = server.connect();
    gone.write_all(lines(&[json!({"id": "a", "game": "minishogi", "sims": ENDLESS})]).as_bytes()).unwrap();
    drop(gone);
    let answers = server.answers(&lines(&[json!({"id": "b", "game": "minishogi", "sims": 10})]));
    assert_eq!((answers.len(), &answers[0]["id"]), (1, &"b".into()), "{answers:?}");
}

#[test]
fn browsers_and_crowds_are_sent_away() {
    let server = Server::start(&[]);
    let answers = server.answers("POST / HTTP/1.1\r\n\r\n{\"id\":\"a\",\"game\":\"dobutsu\"}\n");
    assert_eq!(answers.len(), 1, "what stands behind is not read");
    assert!(answers[0]["error"].as_str().unwrap().contains("no web server"), "{answers:?}");
    let open: Vec<TcpStream> = (0..16).map(|_| server.connect()).collect();
    let mut said = String::new();
    server.connect().read_to_string(&mut said).unwrap();
    assert!(said.contains("connections are open already"), "{said}");
    drop(open);
    let taken = server.address.rsplit(':').next().unwrap();
    let output = start(&["--port", taken]).wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true));
    assert!(stderr.starts_with(&format!("error: cannot listen on port {taken}")), "{stderr}");
}

#[test]
fn the_example_of_the_docs_runs() {
    let docs = include_str!("../../docs/analysis.md");
    let example =
        docs.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let ours = Path::new(env!("CARGO_BIN_EXE_sanki")).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([ours].into_iter().chain(env::split_paths(&path))).unwrap();
    let Ok(output) = Command::new("python3").args(["-c", example]).env("PATH", path).output() else {
        return skipped("there is no python3 to run the example");
    };
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.lines().count() == 8 && stdout.lines().all(|line| line.contains("best was")), "{stdout}");
}

#[test]
fn the_help_lists_every_field_of_a_request() {
    let docs = include_str!("../../docs/analysis.md");
    let requests = docs.split("## Requests").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let field = |line: &'static str| line.strip_prefix("| `")?.split('`').next();
    let fields: Vec<&str> = requests.lines().filter_map(field).collect();
    assert!(fields.contains(&"handicap") && fields.contains(&"priority"), "{fields:?}");
    let help = String::from_utf8(start(&["--help"]).wait_with_output().unwrap().stdout).unwrap();
    for field in fields {
        let has_line = help.lines().any(|line| line.split_whitespace().next() == Some(field));
        assert!(has_line, "{field} in {help}");
    }
}

#[cfg(unix)]
#[test]
fn control_c_ends_at_once() {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().unwrap();
    let requests = [
        json!({"id": "a", "game": "dobutsu", "sims": 1}),
        json!({"id": "b", "game": "shogi", "sims": ENDLESS}),
    ];
    stdin.write_all(lines(&requests).as_bytes()).unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let asked = Instant::now();
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}
