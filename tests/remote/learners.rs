//! Learners of one name, at the same time and one after the other.

use std::{path::Path, sync::atomic::AtomicBool, time::Duration};

use anyhow::Result;
use async_nats::jetstream;
use sanki::{
    games::{
        encode::Encode,
        rules::{GameId, dobutsu::Dobutsu},
    },
    net::{Backend, Model, ModelFile},
    training::{
        remote::{self, LEARNERS, RUNS, RemoteGames, RemoteOptions, RunManifest, RunSubjects},
        run::{GameSink, GameSource, Job},
        selfplay::{GameRecord, RecordMeta, Workers},
    },
};

use super::{
    LONGEST, Process, alone, checks,
    hostile::{block_on, first_order},
    learn,
    server::{NatsServer, streams},
    worker,
};

/// A run of one generation, in numbers that all backends have.
const SHORT: [&str; 3] = ["budget.generations=1", "selfplay.precision=fp32", "play.precision=fp32"];

/// Keeps nothing.
struct Nowhere;

impl GameSink for Nowhere {
    fn keep(&mut self, _: GameRecord) -> Result<()> {
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        Ok(())
    }

    fn say(&mut self, _: &str) {}
}

/// The entry of a run on the server.
fn entry(server: &NatsServer, run: &str) -> RunManifest {
    block_on(async {
        let runs = streams(server.connect().await).get_key_value(RUNS).await.unwrap();
        RunManifest::read(&runs.get(run).await.unwrap().expect("an entry")).unwrap()
    })
}

#[test]
fn of_two_learners_the_later_goes_on() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let (config, run) = (checks::config(GameId::Dobutsu), "dobutsu-twice");
    let net = ModelFile::untrained::<Dobutsu>(config.rules, Model::init(&config.net, Dobutsu::SHAPE, 1));
    let meta = RecordMeta::new(config.game, config.rules, 1, config.seed, config.fingerprint());
    let (plan, workers) = (checks::plan(&config, 4), Workers::all(1));
    let job = Job { plan: &plan, config: &config, net: &net, meta: &meta, progress: 0.0, workers: &workers };
    let options = RemoteOptions { run: run.into(), backend: Backend::Native, others: false, threads: 0 };
    let address = remote::NatsServer::new(&server.url(), None, None).unwrap();
    let games = RemoteGames::open(&address, options).unwrap();
    // Says what is to be played, and waits for no game.
    let play = || GameSource::<Dobutsu>::play(&games, &job, &AtomicBool::new(true), &mut Nowhere);
    play().unwrap();
    play().unwrap();

    let later = RunManifest { session: "later".into(), ..entry(&server, run) };
    block_on(async {
        let runs = streams(server.connect().await).get_key_value(RUNS).await.unwrap();
        runs.put(run, serde_json::to_vec(&later).unwrap().into()).await.unwrap();
    });
    let error = format!("{:#}", play().expect_err("the other one goes on"));
    assert!(error.contains("another learner (later) has taken over"), "{error}");
    GameSource::<Dobutsu>::finish(&games);
    assert_eq!(entry(&server, run), later, "the earlier one writes nothing");

    // What the server has lost is another matter.
    block_on(async {
        let runs = streams(server.connect().await).get_key_value(RUNS).await.unwrap();
        runs.purge(run).await.unwrap();
    });
    play().unwrap();
    assert_ne!(entry(&server, run).session, "later");
}

/// A learner that dies as soon as its games are given out, and a worker that then plays all of them: they lie at the
/// server.
fn die_before_the_games_come(server: &NatsServer, folder: &Path) -> (RunSubjects, Process) {
    let mut learner =
        Process::start(learn(server, "dobutsu", &folder.join("run"), &SHORT), &folder.join("learner"));
    let run = block_on(async {
        let js = streams(server.connect().await);
        let (run, ..) = first_order(&js).await;
        wait_until(async || js.get_stream(run.work()).await.is_ok_and(|work| lie(&work) > 3)).await;
        wait_until(async || match js.get_key_value(LEARNERS).await {
            Ok(signs) => signs.get(run.run()).await.is_ok_and(|sign| sign.is_some()),
            Err(_) => false,
        })
        .await;
        run
    });
    learner.kill();
    let mut worker = Process::start(worker(server), &folder.join("worker"));
    worker.wait_for("joined run");
    block_on(async {
        let js = streams(server.connect().await);
        wait_until(async || js.get_stream(run.work()).await.is_ok_and(|work| lie(&work) == 0)).await;
        let games = js.get_stream(run.games()).await.unwrap();
        assert!(lie(&games) > 3, "{} games", lie(&games));
    });
    (run, worker)
}

/// How many messages lie in a stream.
fn lie(stream: &jetstream::stream::Stream) -> u64 {
    stream.cached_info().state.messages
}

async fn wait_until(mut is_so: impl AsyncFnMut() -> bool) {
    let all = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LONGEST, all).await.expect("it is so, sooner or later");
}

/// The worker has them in mind as handed in.
#[test]
fn games_that_the_server_loses_are_played_again_by_the_worker_that_played_them() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (run, _worker) = die_before_the_games_come(&server, folder.path());
    block_on(async {
        let js = streams(server.connect().await);
        js.get_stream(run.games()).await.unwrap().purge().await.unwrap();
    });
    let again = learn(&server, "dobutsu", &folder.path().join("run"), &SHORT);
    let mut learner = Process::start(again, &folder.path().join("learner"));
    assert!(learner.end().success(), "{}", learner.said());
}

/// What was played for the backend of before is of another order.
#[test]
fn a_learner_that_comes_back_with_another_backend_refuses_no_games() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, worker) = die_before_the_games_come(&server, folder.path());
    let mut again = learn(&server, "dobutsu", &folder.path().join("run"), &SHORT);
    again.args(["--backend", "flex"]);
    let mut learner = Process::start(again, &folder.path().join("learner"));
    assert!(learner.end().success(), "{}", learner.said());
    assert!(!learner.said().contains("is refused"), "{}", learner.said());
    assert!(!worker.said().contains("shut this worker out"), "{}", worker.said());
}
