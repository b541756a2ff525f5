//! The worker's side: it finds a run, plays what it is given, and hands it in.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use async_nats::{HeaderMap, header::NATS_MESSAGE_ID, jetstream::message::PublishMessage};
use tokio::{runtime::Runtime, task::JoinSet, time::timeout};

use super::{
    join::{self, Visited},
    message::{ORDER, PLAYED_BY, pack},
    nets,
    options::WorkOptions,
    run_manifest::{GenerationOrder, RunManifest, machine},
    server::{Link, NatsServer},
    shared::{PAUSE, Shared, give_back, while_wanted},
    streams::alive,
    tasks::{EARLY, fetch, follow, renew, say_alive},
    validate::played_by_us,
    worker_queue::Known,
};
use crate::{
    base::store::printable,
    games::encode::Encode,
    net::{ModelFile, file::program},
    training::{
        run::RunConfig,
        selfplay::{EvaluationCache, Plan, PlayedGame, Workers, evaluator, play_numbers},
    },
    with_game,
};

/// What is on its way when the worker ends has so long to arrive.
const FAREWELL: Duration = Duration::from_secs(3);

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Games handed in.
    pub games: u64,
}

/// Works for the runs of `server` until `stop` is set; `tell` gets a line for people now and then.
///
/// # Errors
/// When the server cannot be reached at first, or the runs that are there do not take this worker.
pub fn work(
    server: &NatsServer,
    options: &WorkOptions,
    stop: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<Worked> {
    let runtime = super::runtime()?;
    let link = runtime.block_on(server.connect(&format!("sanki work {}", options.name)))?;
    runtime.block_on(super::check_streams(&link, server))?;
    let (mut worked, mut visited) = (Worked::default(), Visited::default());
    while let Some(run) = runtime.block_on(join::find(&link, options, &visited, stop, tell))? {
        let session = Session::begin(&runtime, &link, &run, options);
        tell(&format!("joined run {run} as {}", options.worker(&link)));
        let left = session.serve(stop, tell);
        worked.games += session.end();
        let left = match left {
            Ok(left) => left,
            Err(error) if visited.waits_for_another(&run) => {
                let why = printable(&format!("{error:#}")).into_owned();
                tell(&format!("left run {run}, for good: {why}"));
                visited.left_out.insert(run, why);
                continue;
            }
            Err(error) => return Err(error),
        };
        tell(&format!("left run {run}: {left}"));
        visited.away = match left {
            Left::Away => Some(run),
            Left::Because(_) => visited.away.take().filter(|away| *away != run),
        };
    }
    Ok(worked)
}

/// Why a worker leaves a run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Left {
    /// There is nothing to play, and its learner is away.
    Away,
    /// For another reason.
    Because(String),
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Left::Away => f.write_str("its learner is away"),
            Left::Because(why) => f.write_str(why),
        }
    }
}

/// A worker in a run.
struct Session<'a> {
    runtime: &'a Runtime,
    shared: Arc<Shared>,
    tasks: JoinSet<()>,
}

impl<'a> Session<'a> {
    fn begin(runtime: &'a Runtime, link: &Link, run: &str, options: &WorkOptions) -> Self {
        let shared = Arc::new(Shared::new(link, run, options));
        let mut tasks = JoinSet::new();
        tasks.spawn_on(follow(Arc::clone(&shared)), runtime.handle());
        tasks.spawn_on(fetch(Arc::clone(&shared)), runtime.handle());
        tasks.spawn_on(renew(Arc::clone(&shared)), runtime.handle());
        tasks.spawn_on(say_alive(Arc::clone(&shared)), runtime.handle());
        Session { runtime, shared, tasks }
    }

    /// Plays one order after the other until there is no reason to; says what made it end.
    fn serve(&self, stop: &AtomicBool, tell: &dyn Fn(&str)) -> Result<Left> {
        let (queue, mut told) = (&self.shared.queue, false);
        while !stop.load(Ordering::Relaxed) {
            let entry = match queue.known() {
                Known::Away => return Ok(Left::Away),
                Known::Gone(why) => return Ok(Left::Because(why)),
                Known::RunManifest(entry) if entry.order.is_some() => entry,
                _ => {
                    queue.wait_for_change();
                    continue;
                }
            };
            let config = entry.admits(&self.shared.name)?;
            let order = entry.order.as_ref().expect("there is one");
            order.check(&config)?;
            self.shared.limits.check_run(&config, self.shared.threads)?;
            self.shared.limits.check_net(order)?;
            if !told {
                tell(&format!("{} ({}), a {} net", config.game, config.rules, config.net));
                told = true;
            }
            with_game!(config.game, G => self.play::<G>(&entry, order, &config, stop))?;
        }
        Ok(Left::Because("stopped".to_owned()))
    }

    /// Plays until the order is over.
    fn play<G: Encode>(
        &self,
        entry: &RunManifest,
        order: &GenerationOrder,
        config: &RunConfig,
        stop: &AtomicBool,
    ) -> Result<()> {
        let begin = Instant::now();
        let Shared { queue, threads, .. } = &*self.shared;
        let played_by = played_by_us(&program(), &machine(entry.backend));
        let early = queue.begin(&order.id, self.shared.limit(entry, order, config));
        self.runtime.block_on(give_back(early, Some(EARLY)));
        let Some(net) = self.net(order, stop) else {
            queue.end();
            return Ok(());
        };
        net.check::<G>()?;
        self.shared.limits.check_model(&net)?;
        let loaded = entry.backend.load_in(&net.model, config.selfplay.precision);
        let loaded = loaded.context("selfplay.precision")?;
        self.shared.net_millis.store(begin.elapsed().as_millis() as u64, Ordering::Relaxed);
        let plan = Plan {
            config: &config.selfplay,
            rules: config.rules,
            seed: config.seed,
            generation: order.meta.generation,
            games: order.games,
            done: Default::default(),
            resign_below: order.resign_below,
        };
        let cache = EvaluationCache::new(config.selfplay.cache_positions);
        let searcher = || evaluator::<G>(cache.as_ref(), loaded.evaluator(G::SHAPE));
        let halt = || stop.load(Ordering::Relaxed) || queue.is_over();
        play_numbers::<G, _>(&plan, queue, &Workers::all(*threads), searcher, halt, |game| {
            queue.finished();
            self.hand_in(&order.id, &played_by, &game)
        })?;
        if !stop.load(Ordering::Relaxed) {
            queue.end();
        }
        Ok(())
    }

    /// The net of an order; `None` when it is wanted no more.
    fn net(&self, order: &GenerationOrder, stop: &AtomicBool) -> Option<ModelFile> {
        let Shared { link, names, queue, .. } = &*self.shared;
        let (mut is_told, bucket) = (false, names.nets());
        let is_wanted = || !stop.load(Ordering::Relaxed) && !queue.is_over();
        while is_wanted() {
            let lives = link.lives();
            // What was asked for before the connection was lost does not come.
            let goes_on = || is_wanted() && link.lives() == lives;
            match self.runtime.block_on(while_wanted(goes_on, nets::get(&link.js, &bucket, order))) {
                None => continue,
                Some(Ok(net)) => return Some(net),
                Some(Err(error)) if !is_told => tracing::warn!("{error:#}; trying again"),
                Some(Err(_)) => {}
            }
            is_told = true;
            std::thread::sleep(PAUSE);
        }
        None
    }

    /// Sends a game, again and again until the server has it.
    fn hand_in(&self, order: &str, played_by: &str, game: &PlayedGame) -> Result<()> {
        let (number, bytes) = (game.record.index, pack(game)?);
        let (shared, order) = (Arc::clone(&self.shared), order.to_owned());
        let mut headers = HeaderMap::new();
        // To the server, a message that is sent twice is one. The number is drawn: nobody else can name it, and a game that
        // is played again is another message.
        headers.insert(NATS_MESSAGE_ID, format!("{:032x}/{order}/{number}", rand::random::<u128>()));
        headers.insert(ORDER, order.as_str());
        headers.insert(PLAYED_BY, played_by);
        shared.under_way.fetch_add(1, Ordering::Relaxed);
        self.runtime.spawn(async move {
            if send(&shared, &order, headers, bytes).await {
                shared.games.fetch_add(1, Ordering::Relaxed);
                for item in shared.queue.handed_in(&order, number) {
                    // Should this be lost, the item comes again, and is acknowledged then.
                    let _ = item.ack().await;
                }
            }
            shared.under_way.fetch_sub(1, Ordering::Relaxed);
        });
        Ok(())
    }

    /// Gives back what was not played. Returns how many games were handed in.
    fn end(mut self) -> u64 {
        let shared = &self.shared;
        self.tasks.abort_all();
        self.runtime.block_on(async {
            let farewell = async {
                while shared.under_way.load(Ordering::Relaxed) > 0 {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                shared.queue.end();
                give_back(shared.queue.clear(), None).await;
                if let Ok(alive) = alive(&shared.link.js).await {
                    let _ = alive.delete(shared.names.sign(&shared.name)).await;
                }
                let _ = shared.link.client.flush().await;
            };
            // A server that does not answer finds out by itself.
            let _ = timeout(FAREWELL, farewell).await;
        });
        shared.games.load(Ordering::Relaxed)
    }
}

/// Sends a game until the server has it, or the order is over. Whether it has.
async fn send(shared: &Shared, order: &str, headers: HeaderMap, bytes: Vec<u8>) -> bool {
    let subject = shared.names.games_subject(&shared.name);
    let message = PublishMessage::build().payload(bytes.into()).headers(headers);
    loop {
        if let Ok(sent) = shared.link.js.send_publish(subject.clone(), message.clone()).await
            && sent.await.is_ok()
        {
            return true;
        }
        if !shared.queue.wants(order) {
            return false;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
