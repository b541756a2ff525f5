//! What a server, a run and a worker may ask of each other at most.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    thread::{self, sleep},
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;

use super::{
    LONGEST, Process, alone,
    hostile::{block_on, first_order},
    learn,
    server::{NatsServer, streams},
    tiny_run::{essence, finish, refuse, said, sanki},
    train, worker,
};

/// A run that is not done soon.
const LONG: &str = "budget.generations=1000";

fn run_of(server: &NatsServer) -> String {
    block_on(async { first_order(&streams(server.connect().await)).await.0.run().to_owned() })
}

#[test]
fn a_worker_plays_for_the_runs_that_it_names_only() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let _learner = Process::start(
        learn(&server, "dobutsu", &folder.path().join("run"), &[LONG]),
        &folder.path().join("learner"),
    );
    let run = run_of(&server);
    let start = |names: &[&str], said: &str| {
        let mut command = worker(&server);
        for name in names {
            command.args(["--run", name]);
        }
        Process::start(command, &folder.path().join(said))
    };
    let mut other = start(&["of-somebody-else"], "other");
    other.wait_for("no run is there");
    let mut ours = start(&["of-somebody-else", &run], "ours");
    ours.wait_for(&format!("joined run {run}"));
    assert!(!other.said().contains("joined"), "{}", other.said());

    let output = sanki(&["work", "--nats", &server.url(), "--run", "a.b"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn a_run_that_asks_for_too_much_is_refused_by_name() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = [LONG, "net.hidden=8192", "selfplay.cache_positions=100000"];
    let _learner = Process::start(
        learn(&server, "dobutsu", &folder.path().join("run"), &settings),
        &folder.path().join("learner"),
    );
    let run = run_of(&server);
    for (option, asked) in [("--max-memory", "MiB of memory"), ("--max-net", "its net takes")] {
        let mut command = worker(&server);
        command.args([option, "1"]);
        let error = refuse(command);
        let line = error.lines().find(|line| line.starts_with("error: ")).expect("an error");
        assert!(line.contains(&run) && line.contains(asked) && line.contains(option), "{error}");
    }
    let mut free = Process::start(worker(&server), &folder.path().join("worker"));
    free.wait_for("joined run");
}

#[test]
fn a_password_goes_to_another_machine_encrypted_only() {
    // An address of documentation (RFC 5737), where nobody is.
    let url = "nats://anna:open-sesame@192.0.2.1";
    for command in [&["work"][..], &["work", "--status"], &["train"]] {
        let output = sanki(command).args(["--nats", url]).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("would go to nats://192.0.2.1 unencrypted"), "{text}");
        assert!(text.contains("help: ") && text.contains("--nats-insecure"), "{text}");
        assert!(!text.contains("sesame"), "{text}");
    }
    let mut asked_for = sanki(&["work", "--status", "--nats", url, "--nats-insecure"]);
    let error = said(&asked_for.output().unwrap());
    assert!(error.contains("cannot connect to nats://192.0.2.1"), "{error}");
}

/// Greets one client as a server of this version; the address.
fn greet(version: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let info = format!(
            "INFO {{\"server_id\":\"x\",\"version\":\"{version}\",\"headers\":true,\"max_payload\":1048576,\"proto\":1}}\r\n"
        );
        stream.write_all(info.as_bytes()).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        for line in reader.lines().map_while(Result::ok) {
            if line == "PING" {
                stream.write_all(b"PONG\r\n").unwrap();
            }
        }
    });
    address
}

#[test]
fn a_server_with_a_known_hole_is_refused_by_name() {
    for (version, why) in [
        ("2.9.25", "2.10.27 or later is needed"),
        ("2.10.26", "CVE-2025-30215"),
        ("2.11.0", "CVE-2025-30215"),
    ] {
        let error = refuse(sanki(&["work", "--nats", &greet(version)]));
        assert!(error.contains(&format!("nats-server {version}")) && error.contains(why), "{error}");
    }
}

/// The most MiB that a process had in memory (proc(5)); nothing when it has ended.
fn most_memory(process: &Process) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10)
}

#[test]
fn a_learner_takes_no_more_bytes_together_than_it_can_hold() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train("dobutsu", &one, &[]));
    let mut learner = Process::start(learn(&server, "dobutsu", &many, &[]), &folder.path().join("learner"));
    let before = block_on(async {
        let client = server.connect_as("anna").await;
        let js = streams(client.clone());
        let (run, ..) = first_order(&streams(server.connect().await)).await;
        let before = most_memory(&learner).expect("it runs");
        // While it sleeps, they come to lie at the server: nearly all that the stream holds.
        learner.signal(Signal::SIGSTOP);
        for _ in 0..240 {
            let bytes = vec![7; (1 << 20) - 1000];
            js.publish(run.games_subject("anna.windbag"), bytes.into()).await.unwrap().await.unwrap();
        }
        learner.signal(Signal::SIGCONT);
        before
    });
    let _honest = Process::start(worker(&server), &folder.path().join("worker"));
    let (mut most, begin) = (before, Instant::now());
    while learner.ended().is_none() {
        most = most.max(most_memory(&learner).unwrap_or_default());
        assert!(begin.elapsed() < LONGEST, "it does not end: {}", learner.said());
        sleep(Duration::from_millis(20));
    }
    assert!(learner.end().success(), "{}", learner.said());
    assert!(essence(&one) == essence(&many), "another net");
    println!("{before} MiB before, {most} MiB at most");
    assert!(most < before + 120, "{before} MiB before, {most} MiB at most");
}
