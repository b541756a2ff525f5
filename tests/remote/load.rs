//! How much one server and one learner sustain: workers that only replay recorded games, as many as are wanted.
//!
//! ```sh
//! SANKI_LOAD_WORKERS=1000 SANKI_LOAD_SECONDS=600 SANKI_LOAD_PLIES=12 SANKI_LOAD_POSITIONS=2000000 \
//!     SANKI_LOAD_GENERATIONS=10 cargo test --release --test remote load -- --ignored --nocapture
//! ```
//!
//! Short games (`SANKI_LOAD_PLIES`) cost the server most, position for position.

use std::{
    collections::HashMap,
    env, fs,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_nats::{
    HeaderMap,
    jetstream::{consumer::PullConsumer, stream::Stream},
};
use sanki::{
    net::{Backend, file::program},
    training::{
        remote::{Heartbeat, Item, ORDER, PLAYED_BY, RUNS, RunManifest, RunSubjects, machine, pack},
        run::{GenerationReport, RunDir},
        selfplay::{PlayedGame, SearchStats, read_sealed_of_any, sealed_path},
    },
};
use tokio_stream::StreamExt;

use super::{
    LONGEST, Process, alone, learn, sanki,
    server::{NatsServer, streams},
    tiny_run::{essence, finish},
    train,
};

fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// Processor seconds and resident MiB of a process (proc(5)).
fn cost(pid: u32) -> (f64, f64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<f64> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .filter_map(|field| field.parse().ok())
        .collect();
    // The state, a letter, is left out: user and system time are the 11th and 12th number.
    let ticks = fields.get(10).unwrap_or(&0.0) + fields.get(11).unwrap_or(&0.0);
    let pages = fields.get(20).unwrap_or(&0.0);
    (ticks / 100.0, pages * 4096.0 / f64::from(1 << 20))
}

/// The messages of a generation's recorded games, by number.
fn recorded(run: &Path, generation: u32) -> HashMap<u32, Vec<u8>> {
    let path = sealed_path(&RunDir::at(run).records(), generation);
    let games = read_sealed_of_any(&path).unwrap().into_iter();
    games
        .map(|record| (record.index, pack(&PlayedGame { record, stats: SearchStats::default() }).unwrap()))
        .collect()
}

/// A worker that plays nothing: it hands in what was recorded.
async fn replay(
    client: async_nats::Client,
    name: String,
    run: RunSubjects,
    games: Arc<HashMap<String, HashMap<u32, Vec<u8>>>>,
    count: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
) {
    let js = streams(client);
    let played_by = format!("{} on {}", program(), machine(Backend::Native));
    while !stop.load(Ordering::Relaxed) {
        let Ok(work) = js.get_stream_no_info(run.work()).await as Result<Stream<()>, _> else { return };
        let consumer: Result<PullConsumer, _> = work.get_consumer("workers").await;
        let Ok(consumer) = consumer else { return };
        let batch = consumer.batch().max_messages(4).expires(Duration::from_secs(5)).messages().await;
        let Ok(mut batch) = batch else { return };
        while let Some(Ok(message)) = batch.next().await {
            let item = Item::read(&message.payload).unwrap();
            let generation = item.order.split('-').next().unwrap_or_default().to_owned();
            for number in &item.numbers {
                let mut headers = HeaderMap::new();
                headers.insert("Nats-Msg-Id", format!("{}/{number}/{name}", item.order));
                headers.insert(ORDER, item.order.as_str());
                headers.insert(PLAYED_BY, played_by.as_str());
                let Some(bytes) = games.get(&generation).and_then(|games| games.get(number)) else {
                    continue;
                };
                if let Ok(sent) =
                    js.publish_with_headers(run.games_subject(&name), headers, bytes.clone().into()).await
                    && sent.await.is_ok()
                {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            let _ = message.ack().await;
        }
    }
}

/// A run whose games are recorded and then replayed.
struct Replayed<'a> {
    /// The folder of the run on one machine, which has the games.
    one: &'a Path,
    /// The learner's command line.
    learner: Command,
    /// Where it says what it does.
    log: &'a Path,
    generations: u32,
    workers: u64,
    /// The longest time.
    seconds: u64,
}

/// What was handed in, and what that took.
struct Served {
    games: u64,
    seconds: f64,
    /// Processor time of the server, in seconds.
    server: f64,
    /// Whether the learner came to its end.
    ended: bool,
}

impl Replayed<'_> {
    /// Has the games handed in until the learner has all of them, or the time is over.
    fn serve(self, server: &NatsServer) -> Served {
        let Replayed { one, learner, log, generations, workers, seconds } = self;
        let games: HashMap<String, HashMap<u32, Vec<u8>>> =
            (1..=generations).map(|generation| (generation.to_string(), recorded(one, generation))).collect();
        let (all, bytes) =
            games.values().flat_map(HashMap::values).fold((0, 0), |(n, b), game| (n + 1, b + game.len()));
        println!("{all} games of {:.0} bytes", bytes as f64 / f64::from(all));
        let games = Arc::new(games);

        let mut learner = Process::start(learner, log);
        learner.wait_for("folder:");
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (count, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let begin = Instant::now();
        runtime.block_on(async {
            let client = server.connect().await;
            let names = announced(&client).await;
            for number in 0..workers {
                let client = server.connect().await;
                let name = format!("replay.box-{number}");
                let sign = serde_json::to_vec(&Heartbeat { threads: 1, ..Heartbeat::default() }).unwrap();
                client.publish(names.sign_subject(&name), sign.into()).await.unwrap();
                let (games, count, stop) = (games.clone(), count.clone(), stop.clone());
                tokio::spawn(replay(client, name, names.clone(), games, count, stop));
            }
            println!("{workers} workers after {:.1} s", begin.elapsed().as_secs_f64());
            let (mut before, mut then) = (0, Instant::now());
            while learner.ended().is_none() && begin.elapsed() < Duration::from_secs(seconds) {
                if then.elapsed() < Duration::from_secs(5) {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                let now = count.load(Ordering::Relaxed);
                let (server, learner) = (cost(server.id()), cost(learner.id()));
                println!(
                    "{:.0} s: {:.0} games/s; server {:.1} s, {:.0} MiB; learner {:.1} s, {:.0} MiB",
                    begin.elapsed().as_secs_f64(),
                    (now - before) as f64 / then.elapsed().as_secs_f64(),
                    server.0,
                    server.1,
                    learner.0,
                    learner.1
                );
                (before, then) = (now, Instant::now());
            }
            stop.store(true, Ordering::Relaxed);
        });
        let served = Served {
            games: count.load(Ordering::Relaxed),
            seconds: begin.elapsed().as_secs_f64(),
            server: cost(server.id()).0,
            ended: learner.ended().is_some_and(|status| status.success()),
        };
        let a_game = 1000.0 / served.games as f64;
        println!(
            "{} games in {:.1} s; server {:.3} ms a game",
            served.games,
            served.seconds,
            a_game * served.server
        );
        served
    }
}

/// The subjects of the run that a learner has announced, as soon as it has.
async fn announced(client: &async_nats::Client) -> RunSubjects {
    tokio::time::timeout(LONGEST, find_announced(client)).await.expect("a run")
}

async fn find_announced(client: &async_nats::Client) -> RunSubjects {
    let js = streams(client.clone());
    loop {
        if let Ok(runs) = js.get_key_value(RUNS).await
            && let Some(Ok(run)) = runs.keys().await.unwrap().next().await
        {
            let entry = RunManifest::read(&runs.get(&run).await.unwrap().unwrap()).unwrap();
            println!("a run of {}", entry.game);
            return RunSubjects::of(&run);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
#[ignore = "minutes: see above"]
fn a_thousand_workers() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let positions = format!("selfplay.positions_per_generation={}", number("SANKI_LOAD_POSITIONS", 300_000));
    let generations = number("SANKI_LOAD_GENERATIONS", 4) as u32;
    let ends = format!("budget.generations={generations}");
    let plies = format!("selfplay.max_plies={}", number("SANKI_LOAD_PLIES", 60));
    // Nearly nothing is learnt: what is measured is the way of the games.
    let settings = [
        &positions[..],
        &ends,
        &plies,
        "budget.positions=none",
        "selfplay.simulations=2",
        "replay.reuse=0.01",
        "evaluation.every=1000000",
    ];
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train("dobutsu", &one, &settings));
    let replayed = Replayed {
        one: &one,
        learner: learn(&server, "dobutsu", &many, &settings),
        log: &folder.path().join("learner"),
        generations,
        workers: number("SANKI_LOAD_WORKERS", 1000),
        seconds: number("SANKI_LOAD_SECONDS", 60),
    };
    if replayed.serve(&server).ended {
        assert!(essence(&one) == essence(&many), "another net");
        println!("the same net, bit for bit");
    }
}

/// How many worker cores one learner feeds with the recipe of a config:
///
/// ```sh
/// SANKI_LOAD_CONFIG=quickstart SANKI_LOAD_SET="replay.reuse=1 selfplay.simulations=263" SANKI_LOAD_GENERATIONS=6 \
///     cargo test --release --test remote load::a_recipe -- --ignored --nocapture
/// ```
#[test]
#[ignore = "minutes: see above"]
fn a_recipe() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let generations = number("SANKI_LOAD_GENERATIONS", 6) as u32;
    let config = env::var("SANKI_LOAD_CONFIG").unwrap_or_else(|_| "quickstart".to_owned());
    let set = env::var("SANKI_LOAD_SET").unwrap_or_default();
    let run = |out: &Path| {
        let path = format!("{}/configs/{config}.toml", env!("CARGO_MANIFEST_DIR"));
        let threads = number("SANKI_LOAD_THREADS", 2).to_string();
        let mut command = sanki(&["train", "--config", &path, "--threads", &threads, "--out"]);
        command.arg(out);
        let others = ["positions", "minutes", "cpu_minutes"].map(|key| format!("budget.{key}=none"));
        let usual = ["evaluation.games=2", "records.keep=all"].map(str::to_owned);
        let ends = [format!("budget.generations={generations}")];
        for setting in
            others.into_iter().chain(usual).chain(ends).chain(set.split_whitespace().map(str::to_owned))
        {
            command.args(["--set", &setting]);
        }
        command
    };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(run(&one));
    let played: f64 = reports(&one).iter().filter_map(|report| report.selfplay_cpu_seconds).sum();
    let mut learner = run(&many);
    learner.args(["--nats", &server.url(), "--workers", "0"]);
    let replayed = Replayed {
        one: &one,
        learner,
        log: &folder.path().join("learner"),
        generations,
        workers: number("SANKI_LOAD_WORKERS", 100),
        seconds: number("SANKI_LOAD_SECONDS", 600),
    };
    let Served { games, seconds, ended, .. } = replayed.serve(&server);
    assert!(ended, "the learner did not come to its end");
    assert!(essence(&one) == essence(&many), "another net");
    let learnt = reports(&many).last().expect("a generation").cpu_seconds;
    let [worker, learner] = [played, learnt].map(|seconds| 1000.0 * seconds / games as f64);
    println!("a game: a worker {worker:.2} ms of processor time, the learner {learner:.2} ms");
    println!(
        "games of {:.1} worker cores were learnt while they were handed in",
        worker / 1000.0 * games as f64 / seconds
    );
}

/// The figures of each generation of a run.
fn reports(run: &Path) -> Vec<GenerationReport> {
    let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
