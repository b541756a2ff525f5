//! Who does not belong is refused by name, and passwords are shown to nobody.

use std::{
    path::Path,
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;
use sanki::{
    net::Backend,
    training::remote::{Heartbeat, machine},
};
use tokio_stream::StreamExt;

use super::{
    LONGEST, Process, alone,
    hostile::block_on,
    learn,
    server::{NatsServer, PASSWORD},
    skipped::skipped,
    tiny_run::{contents, finish, said, sanki},
    worker,
};

/// A run that is not done soon.
const LONG: [&str; 1] = ["budget.generations=100000"];

fn running(server: &NatsServer, folder: &Path, more: &[&str]) -> Process {
    let mut command = learn(server, "dobutsu", &folder.join("run"), &LONG);
    command.args(more);
    let mut learner = Process::start(command, &folder.join("learner"));
    learner.wait_for("folder:");
    learner
}

#[test]
fn a_machine_that_would_play_other_games_is_refused_by_name() {
    if machine(Backend::Native).contains("portable") {
        return skipped("this processor has only the portable code: there is no other machine");
    }
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let _learner = running(&server, folder.path(), &[]);
    let mut other = worker(&server);
    other.env("SANKI_ISA", "portable");
    let mut other = Process::start(other, &folder.path().join("worker"));
    assert_eq!(other.end().code(), Some(1), "{}", other.said());
    let error = other.said();
    let line = error.lines().find(|line| line.starts_with("error: ")).expect("an error");
    assert!(line.contains("portable") && line.contains("does not take this worker"), "{error}");
    assert!(line.contains("dobutsu-"), "{error}");
}

#[test]
fn with_leave_it_plays_and_the_run_says_that_it_is_not_repeatable() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut learner = running(&server, folder.path(), &["--allow-other-machines"]);
    assert!(learner.said().contains("not repeatable"), "{}", learner.said());
    let mut other = worker(&server);
    other.env("SANKI_ISA", "portable");
    let mut other = Process::start(other, &folder.path().join("worker"));
    other.wait_for("joined run");
    // Nobody else plays.
    learner.wait_for_generations(&folder.path().join("run"), 2);
}

#[test]
fn the_status_shows_runs_and_workers() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let status = |more: &[&str]| {
        let mut command = sanki(&["work", "--status", "--nats", &server.url()]);
        command.args(more);
        String::from_utf8(finish(command).stdout).unwrap()
    };
    assert_eq!(status(&[]), "no run is there\n");
    let mut learner = running(&server, folder.path(), &[]);
    let mut one = Process::start(worker(&server), &folder.path().join("worker"));
    one.wait_for("joined run");
    learner.wait_for_generations(&folder.path().join("run"), 4);
    let text = status(&[]);
    assert!(text.contains("dobutsu-") && text.contains("generation") && text.contains("1 threads"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&status(&["--json"])).unwrap();
    assert_eq!(json["runs"][0]["game"], "dobutsu");
    assert_eq!(json["runs"][0]["workers"][0]["threads"], 1);

    // Ctrl-C gives the items back, and the worker is gone.
    one.signal(Signal::SIGINT);
    assert_eq!(one.end().code(), Some(130), "{}", one.said());
    assert!(one.said().contains("games were handed in"), "{}", one.said());
    let begin = Instant::now();
    let workers = || {
        let json: serde_json::Value = serde_json::from_str(&status(&["--json"])).unwrap();
        json["runs"][0]["workers"].as_array().map(Vec::len)
    };
    while workers() != Some(0) {
        assert!(begin.elapsed() < LONGEST, "the worker is still there");
        sleep(Duration::from_millis(50));
    }
    drop(learner);
}

/// The run says what computes the nets, so that a worker can tell before it has played.
#[test]
fn the_first_sign_of_a_worker_says_which_machine_it_is() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let _learner = running(&server, folder.path(), &[]);
    let first = block_on(async {
        let client = server.connect().await;
        let mut signs = client.subscribe("$KV.sanki-alive.>").await.unwrap();
        client.flush().await.unwrap();
        let _worker = Process::start(worker(&server), &folder.path().join("worker"));
        let sign = tokio::time::timeout(Duration::from_secs(60), signs.next()).await;
        Heartbeat::read(&sign.expect("a sign").expect("a connection").payload).unwrap()
    });
    assert_eq!(first.machine, machine(Backend::Native));
}

#[test]
fn the_password_is_shown_to_nobody() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut learner = Process::start(
        learn(&server, "dobutsu", &folder.path().join("run"), &["budget.generations=2"]),
        &folder.path().join("learner"),
    );
    let mut one = Process::start(worker(&server), &folder.path().join("worker"));
    assert!(learner.end().success(), "{}", learner.said());
    one.signal(Signal::SIGINT);
    one.end();
    let mut texts = vec![learner.said(), one.said()];
    // What goes wrong names the server, and not how to enter it.
    let port = server.url().rsplit(':').next().unwrap().to_owned();
    for url in [
        format!("nats://learner:{PASSWORD}@127.0.0.1:1"),
        format!("nats://mallory:{PASSWORD}@127.0.0.1:{port}"),
        format!("ws://ali:{PASSWORD}@127.0.0.1:{port}"),
        format!("nats://learner:{PASSWORD}@no host"),
    ] {
        for more in [&[][..], &["--status"]] {
            let mut command = sanki(&["work", "--nats", &url]);
            command.args(more);
            let output = command.output().unwrap();
            assert!(matches!(output.status.code(), Some(1 | 2)), "{}", said(&output));
            assert!(said(&output).lines().any(|line| line.starts_with("error: ")), "{}", said(&output));
            texts.push(said(&output));
        }
    }
    let output = sanki(&["work", &format!("nats://learner:{PASSWORD}@127.0.0.1:1")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    texts.push(said(&output));
    for text in texts {
        assert!(!text.contains(PASSWORD), "{text}");
    }
    for (path, bytes) in contents(&folder.path().join("run")) {
        let found = bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
        assert!(!found, "{} has the password", path.display());
    }
}

#[test]
fn without_a_server_nothing_of_it_starts() {
    let error = refuse_usage(sanki(&["work"]));
    assert!(error.contains("no server is named"), "{error}");
    let error = refuse_usage(sanki(&["train", "--workers", "2"]));
    assert!(error.contains("--nats"), "{error}");
}

fn refuse_usage(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    said(&output)
}
