//! Workers that lie are refused, named and shut out, and the run ends with the net that it would have had.

use std::{fs, future::Future, thread::sleep, time::Duration};

use async_nats::{HeaderMap, jetstream};
use sanki::{
    games::rules::{GameId, dobutsu::Dobutsu, shogi::Minishogi},
    net::{Backend, file::program},
    training::{
        remote::{
            GenerationOrder, LEARNERS, ORDER, PLAYED_BY, RUNS, RunManifest, RunSubjects, machine, pack,
        },
        run::RunConfig,
        selfplay::{GameRecord, Plan, PlayedGame, SearchStats},
    },
};
use tokio_stream::StreamExt;

use super::{
    LONGEST, Process, alone,
    checks::{self, games},
    learn,
    server::{NatsServer, streams},
    tiny_run::{essence, finish},
    train, worker,
};

/// Games that shut a worker out.
const MOST_BAD: usize = 3;

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// The first order of the one run on the server.
pub async fn first_order(js: &jetstream::Context) -> (RunSubjects, RunManifest, GenerationOrder) {
    tokio::time::timeout(LONGEST, find_order(js)).await.expect("a run with an order")
}

async fn find_order(js: &jetstream::Context) -> (RunSubjects, RunManifest, GenerationOrder) {
    loop {
        if let Ok(runs) = js.get_key_value(RUNS).await
            && let Ok(mut keys) = runs.keys().await
            && let Some(Ok(run)) = keys.next().await
            && let Ok(Some(bytes)) = runs.get(&run).await
        {
            let entry = RunManifest::read(&bytes).unwrap();
            if let Some(order) = entry.order.clone() {
                return (RunSubjects::of(&run), entry, order);
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn packed(record: GameRecord) -> Vec<u8> {
    pack(&PlayedGame { record, stats: SearchStats::default() }).unwrap()
}

/// What liars send, by name: three messages each.
fn lies(config: &RunConfig, order: &GenerationOrder) -> Vec<(String, Vec<Vec<u8>>)> {
    let plan = Plan { resign_below: order.resign_below, ..checks::plan(config, order.games) };
    let good: Vec<GameRecord> = games::<Dobutsu>(&plan)
        .into_iter()
        .filter(|game| game.candidates.len() > 1 && game.plies.len() > 8)
        .collect();
    assert!(good.len() >= MOST_BAD);
    let mut lies: Vec<(String, Vec<Vec<u8>>)> = Vec::new();
    for (number, (change, _)) in checks::CHANGES.iter().enumerate() {
        let changed = good.iter().filter_map(|game| {
            let mut lie = game.clone();
            change(&mut lie);
            (lie != *game).then(|| packed(lie))
        });
        lies.push((format!("liar-{number}.box"), changed.take(MOST_BAD).collect()));
    }
    let bomb = zstd::encode_all(&vec![0; 1 << 30][..], 1).unwrap();
    lies.push(("bomber.box".into(), vec![bomb; MOST_BAD]));
    lies.push(("babbler.box".into(), vec![b"no game at all".to_vec(); MOST_BAD]));
    let minishogi = checks::config(GameId::Minishogi);
    let others = games::<Minishogi>(&Plan { generation: 1, ..checks::plan(&minishogi, 3) });
    lies.push(("stranger.box".into(), others.into_iter().map(packed).collect()));
    let mut endless = good[0].clone();
    endless.start = "x".repeat(10 << 20);
    lies.push(("windbag.box".into(), vec![packed(endless); MOST_BAD]));
    lies
}

#[test]
fn liars_are_refused_and_named_and_change_nothing() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train("dobutsu", &one, &[]));
    let mut learner = Process::start(learn(&server, "dobutsu", &many, &[]), &folder.path().join("learner"));
    learner.wait_for("folder:");

    let names: Vec<String> = block_on(async {
        let client = server.connect().await;
        let js = streams(client.clone());
        let (run, entry, order) = first_order(&js).await;
        let config = RunConfig::parse(&entry.config, &[]).unwrap();
        let lies = lies(&config, &order);
        let send = async |name: &str, played_by: &str, bytes: Vec<u8>| {
            let mut headers = HeaderMap::new();
            headers.insert(ORDER, order.id.as_str());
            headers.insert(PLAYED_BY, played_by);
            let sent = js.publish_with_headers(run.games_subject(name), headers, bytes.into()).await;
            match sent {
                Ok(sent) => sent.await.map(drop).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            }
        };
        let us = format!("{} on {}", program(), machine(Backend::Native));
        for (name, messages) in &lies {
            for bytes in messages {
                send(name, &us, bytes.clone()).await.unwrap();
            }
        }
        for _ in 0..MOST_BAD {
            send("of-another.version", "sanki 9.9.9 on a typewriter", b"any".to_vec()).await.unwrap();
        }
        // What is too large does not even get to the server.
        let error = send("giant.box", &us, vec![7; 2 << 20]).await.unwrap_err();
        assert!(error.contains("payload"), "{error}");
        lies.into_iter().map(|(name, _)| name).chain(["of-another.version".into()]).collect()
    });
    for name in &names {
        learner.wait_for(&format!("worker {name} is shut out"));
    }
    assert!(learner.said().contains("played by sanki 9.9.9 on a typewriter"), "{}", learner.said());

    let _honest: Vec<Process> =
        (0..2).map(|_| Process::start(worker(&server), &folder.path().join("worker"))).collect();
    assert!(learner.end().success(), "{}", learner.said());
    assert!(essence(&one) == essence(&many), "another net");
    let log = fs::read_to_string(many.join("train.log")).unwrap();
    assert!(names.iter().all(|name| log.contains(name)), "{log}");
    let figures = fs::read_to_string(many.join("metrics.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(figures.lines().next().unwrap()).unwrap();
    assert_eq!(first["workers"]["shut_out"], names.len(), "{first}");
}

/// Garbage under every subject of a run stops nobody.
#[test]
fn noise_stops_nobody() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    // So long that it goes on while there is noise.
    let longer = ["budget.generations=40"];
    finish(train("dobutsu", &one, &longer));
    let mut learner =
        Process::start(learn(&server, "dobutsu", &many, &longer), &folder.path().join("learner"));
    let _honest = block_on(async {
        let client = server.connect().await;
        let js = streams(client.clone());
        let (run, _, _) = first_order(&js).await;
        // Behind the first order, which is gone once the run is.
        let honest = Process::start(worker(&server), &folder.path().join("worker"));
        for subject in [
            run.games_subject("noise.box"),
            run.games_subject("noise"),
            run.work_subject("1"),
            run.work_subject("none"),
            run.sign_subject("noise.box"),
            run.sign_subject("noise"),
            format!("$KV.{LEARNERS}.{}", run.run()),
            "$KV.sanki-runs.noise".to_owned(),
        ] {
            for bytes in [&b""[..], b"{}", &[0xff; 100]] {
                client.publish(subject.clone(), bytes.to_vec().into()).await.unwrap();
            }
        }
        client.flush().await.unwrap();
        honest
    });
    assert!(learner.end().success(), "{}", learner.said());
    sleep(Duration::from_millis(100));
    assert!(essence(&one) == essence(&many), "another net");
}
