//! A run on many machines ends with the net of a run on one, bit for bit.

use nix::sys::signal::Signal;

use super::{Process, alone, learn, server::NatsServer, tiny_run::essence, tiny_run::finish, train, worker};

const WORKERS: usize = 4;

fn four_workers_and_one_process(game: &str, settings: &[&str]) {
    // Each worker plays for a moment before the last one has joined: a short run could end in these.
    let settings = &[&["budget.generations=40"][..], settings].concat();
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train(game, &one, settings));
    let mut learner = Process::start(learn(&server, game, &many, settings), &folder.path().join("learner"));
    // Each stands still from when it has joined until all have, or the run could end before the last one looks for it.
    let workers: Vec<Process> = (0..WORKERS)
        .map(|number| {
            let mut worker = Process::start(worker(&server), &folder.path().join(format!("worker-{number}")));
            worker.wait_for("joined run");
            worker.signal(Signal::SIGSTOP);
            worker
        })
        .collect();
    for worker in &workers {
        worker.signal(Signal::SIGCONT);
    }
    assert!(learner.end().success(), "{}", learner.said());
    assert!(essence(&one) == essence(&many), "{game}: another net");
}

#[test]
fn four_workers_make_the_net_of_dobutsu_that_one_process_makes() {
    four_workers_and_one_process("dobutsu", &[]);
}

#[test]
fn four_workers_make_the_net_of_minishogi_that_one_process_makes() {
    four_workers_and_one_process("minishogi", &[]);
}

/// Workers play while the learner learns.
#[test]
fn four_workers_ahead_of_the_learner_make_the_net_that_one_process_makes() {
    four_workers_and_one_process("dobutsu", &["selfplay.lag=1"]);
}

/// The learner's own threads take items like others.
#[test]
fn a_learner_that_plays_alone_on_a_server_makes_the_same_net() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train("dobutsu", &one, &[]));
    let mut command = train("dobutsu", &many, &[]);
    command.args(["--nats", &server.url(), "--workers", "2"]);
    finish(command);
    assert!(essence(&one) == essence(&many));
}
