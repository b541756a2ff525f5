//! The learner's side: work is given out, finished games are fetched and, as `collection.rs` says, checked and kept.
//!
//! What the learner has on its disk is all that counts. Streams only carry: what the server or a worker loses is
//! given out again.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use tokio::{runtime::Runtime, time::timeout};

use super::{
    collection::Generation,
    dispatcher::Queue,
    heartbeats::Heartbeats,
    incoming::Incoming,
    ledger::{Every, Ledger},
    local::LocalWorker,
    message::Item,
    names::{RunSubjects, draw_name},
    nets,
    run_manifest::{LearnerHeartbeat, PROTOCOL, RunManifest, machine},
    server::{Link, NatsServer, PATIENCE},
    streams::{Streams, looked_at, runs},
};
use crate::{
    games::encode::Encode,
    net::{Backend, file::program},
    training::run::{GameSink, GameSource, GenerationStats, Job},
};

/// How often it is asked what lies at the server.
const LOOK: Duration = Duration::from_millis(250);
/// After a fault of the server.
const PAUSE: Duration = Duration::from_millis(500);
/// Items that are published together.
const PUBLISHED: usize = 64;

/// How a run lets others play.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    /// The run's name on the server.
    pub run: String,
    /// What computes the net's answers.
    pub backend: Backend,
    /// Whether programs and machines of other kinds may take part.
    pub others: bool,
    /// Threads of this process that play as well.
    pub threads: usize,
}

/// What went wrong while games were collected.
enum Fault {
    /// At the server, or on the way there: tried again.
    NatsServer(anyhow::Error),
    /// On this side.
    Own(anyhow::Error),
}

impl Fault {
    fn server(error: impl Into<anyhow::Error>) -> Self {
        Fault::NatsServer(error.into())
    }
}

/// Games that workers play, who find their work on a server: of one generation at a time.
pub struct RemoteGames(Mutex<Collector>);

/// What collects them.
struct Collector {
    runtime: Arc<Runtime>,
    link: Link,
    names: RunSubjects,
    session: String,
    /// Whether the server has had an entry of this session: then one of another session is a later learner's.
    has_announced: bool,
    options: RemoteOptions,
    heartbeats: Heartbeats,
    ledger: Ledger,
    _local: Option<LocalWorker>,
}

impl RemoteGames {
    /// Connects to `server`.
    ///
    /// # Errors
    /// When that fails, or the server has no JetStream.
    pub fn open(server: &NatsServer, options: RemoteOptions) -> Result<Self> {
        Ok(RemoteGames(Mutex::new(Collector::open(server, options)?)))
    }

    fn collector(&self) -> MutexGuard<'_, Collector> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector {
    fn open(server: &NatsServer, options: RemoteOptions) -> Result<Self> {
        let runtime = Arc::new(super::runtime()?);
        let names = RunSubjects::of(&options.run);
        let session = draw_name();
        let link = runtime.block_on(server.connect(&format!("sanki train {}", options.run)))?;
        runtime.block_on(super::check_streams(&link, server))?;
        let sign = LearnerHeartbeat { session: session.clone(), ..LearnerHeartbeat::default() };
        let heartbeats = Heartbeats::start(&runtime, &link, &names, sign);
        let local = (options.threads > 0).then(|| LocalWorker::start(server, &options.run, options.threads));
        let (_local, ledger) = (local.transpose()?, Ledger::default());
        let has_announced = false;
        Ok(Collector { runtime, link, names, session, has_announced, options, heartbeats, ledger, _local })
    }

    /// Collects until nothing is missing or `stop` is set.
    async fn collect<G: Encode>(
        &mut self,
        generation: &mut Generation<'_, '_>,
        stop: &AtomicBool,
        sink: &mut dyn GameSink,
    ) -> Result<()> {
        let mut is_told = false;
        loop {
            let error = match self.collect_connected::<G>(generation, stop, sink).await {
                Ok(()) => return Ok(()),
                Err(Fault::Own(error)) => return Err(error),
                Err(Fault::NatsServer(error)) => error,
            };
            if !is_told {
                tracing::warn!("{error:#}; trying again");
                is_told = true;
            }
            sink.say(", the server does not answer");
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The same, until the server fails.
    async fn collect_connected<G: Encode>(
        &mut self,
        generation: &mut Generation<'_, '_>,
        stop: &AtomicBool,
        sink: &mut dyn GameSink,
    ) -> Result<(), Fault> {
        let lives = self.link.lives();
        let streams = self.prepare(generation).await?;
        let (mut look, mut incoming) = (Every::new(LOOK), Incoming::default());
        while !generation.dispatcher.is_done() && !stop.load(Ordering::Relaxed) {
            if self.link.lives() != lives {
                return Err(Fault::NatsServer(anyhow!("the connection was lost")));
            }
            if look.is_due() {
                if !self.has_entry().await? {
                    return Err(Fault::NatsServer(anyhow!("the run's entry is gone")));
                }
                self.give_out(generation, &streams).await?;
                let (workers, threads) = self.heartbeats.count();
                (generation.entry.threads, generation.figures.workers) = (threads, workers);
                generation.entry.shut_out = self.ledger.shut_out().iter().cloned().collect();
                self.announce(generation).await?;
                sink.say(&self.telling(generation));
            }
            let messages = incoming.next(&streams.games).await.map_err(Fault::NatsServer)?;
            if messages.is_empty() {
                continue;
            }
            generation.take::<G>(&messages, &mut self.ledger, sink).map_err(Fault::Own)?;
            for message in &messages {
                message.ack().await.map_err(|error| Fault::NatsServer(anyhow!(error)))?;
            }
        }
        Ok(())
    }

    /// Sees to it that the server has all that workers need for this generation, and nothing of an earlier one.
    async fn prepare(&mut self, generation: &mut Generation<'_, '_>) -> Result<Streams, Fault> {
        let js = &self.link.js;
        let streams = Streams::ensure(js, &self.names, generation.net.len()).await.map_err(Fault::server)?;
        self.check_session().await?;
        if !generation.is_alone {
            // What lies there is of an earlier generation, or of an earlier life of this one.
            let work = js.get_stream_no_info(self.names.work()).await.map_err(Fault::server)?;
            work.purge().await.map_err(Fault::server)?;
            generation.is_alone = true;
        }
        nets::put(&streams.nets, &generation.order, &generation.net).await.map_err(Fault::server)?;
        // The server may have lost it.
        generation.announced = None;
        self.announce(generation).await?;
        Ok(streams)
    }

    /// Gives out what is due.
    async fn give_out(&self, generation: &mut Generation<'_, '_>, streams: &Streams) -> Result<(), Fault> {
        let info = looked_at(&streams.work).await.map_err(Fault::NatsServer)?;
        let (held, idle) = (info.num_ack_pending as u64, info.num_waiting as u64);
        let unseen = looked_at(&streams.games).await.map_err(Fault::NatsServer)?.num_pending;
        generation.figures.waiting = generation.figures.waiting.max(unseen);
        let queue = Queue { waiting: info.num_pending, held, idle, unseen };
        let subject = self.names.work_subject(&generation.order.meta.generation.to_string());
        for items in generation.dispatcher.due(Instant::now(), queue).chunks(PUBLISHED) {
            let mut published = Vec::new();
            for numbers in items {
                let item = Item { order: generation.order.id.clone(), numbers: numbers.clone() };
                let sent = self.link.js.publish(subject.clone(), item.to_bytes().into()).await;
                published.push((numbers, sent.map_err(Fault::server)?));
            }
            for (numbers, published) in published {
                published.await.map_err(Fault::server)?;
                generation.dispatcher.given(numbers, Instant::now());
            }
        }
        Ok(())
    }

    /// Writes the run's entry, where it has changed.
    async fn announce(&mut self, generation: &mut Generation<'_, '_>) -> Result<(), Fault> {
        if generation.announced.as_ref() == Some(&generation.entry) {
            return Ok(());
        }
        self.check_session().await?;
        let runs = runs(&self.link.js).await.map_err(Fault::NatsServer)?;
        let bytes = serde_json::to_vec(&generation.entry).expect("an entry is plain JSON");
        runs.put(self.names.run(), bytes.into()).await.map_err(Fault::server)?;
        generation.announced = Some(generation.entry.clone());
        self.has_announced = true;
        Ok(())
    }

    /// Whether this learner may write to the server: always with its first entry, and later if nobody else has.
    ///
    /// # Errors
    /// As [`Collector::has_entry`].
    async fn check_session(&self) -> Result<(), Fault> {
        if self.has_announced {
            self.has_entry().await?;
        }
        Ok(())
    }

    /// Whether the server has the entry of this learner.
    ///
    /// # Errors
    /// When another learner has taken the run over: of two with one name only the later goes on.
    async fn has_entry(&self) -> Result<bool, Fault> {
        let runs = runs(&self.link.js).await.map_err(Fault::NatsServer)?;
        let Some(bytes) = runs.get(self.names.run()).await.map_err(Fault::server)? else { return Ok(false) };
        let other = RunManifest::read(&bytes).map_err(Fault::Own)?.session;
        let is_ours = other == self.session;
        let error = || anyhow!("another learner ({other}) has taken over the run {}", self.names.run());
        if is_ours { Ok(true) } else { Err(Fault::Own(error())) }
    }

    /// What a person is told, and the workers as well.
    fn telling(&self, generation: &Generation) -> String {
        let wanted = generation.job.plan.games;
        let kept: u64 = self.ledger.kept().values().sum();
        let rate = kept as f64 / generation.begin.elapsed().as_secs_f64();
        let sign = LearnerHeartbeat {
            session: self.session.clone(),
            generation: generation.job.plan.generation,
            games: wanted - generation.dispatcher.missing() as u32,
            wanted,
            progress: generation.job.progress,
            refused: self.ledger.refused(),
        };
        self.heartbeats.set(sign);
        let refused = match self.ledger.refused() {
            0 => String::new(),
            refused => format!(", {refused} refused"),
        };
        format!(" from {} workers, {rate:.0} per second{refused}", generation.figures.workers)
    }

    fn play<G: Encode>(
        &mut self,
        job: &Job,
        stop: &AtomicBool,
        sink: &mut dyn GameSink,
    ) -> Result<GenerationStats> {
        let entry = RunManifest {
            protocol: PROTOCOL,
            program: program(),
            machine: machine(self.options.backend),
            others: self.options.others,
            session: self.session.clone(),
            game: G::ID,
            encoding: G::ENCODING_VERSION,
            backend: self.options.backend,
            config: job.config.to_toml(),
            shut_out: self.ledger.shut_out().iter().cloned().collect(),
            threads: self.heartbeats.count().1,
            order: None,
        };
        self.ledger.begin();
        let mut generation = Generation::begin(job, entry);
        let runtime = Arc::clone(&self.runtime);
        runtime.block_on(async {
            self.collect::<G>(&mut generation, stop, sink).await?;
            // Until the next generation nothing is wanted. Should this not arrive, workers play games for nothing.
            generation.entry.order = None;
            let _ = timeout(PATIENCE, self.announce(&mut generation)).await;
            anyhow::Ok(())
        })?;
        Ok(generation.stats(&self.ledger, self.heartbeats.net_seconds()))
    }

    fn finish(&self) {
        self.runtime.block_on(async {
            let removed = async {
                if let Err(Fault::Own(error)) = self.check_session().await {
                    return tracing::warn!("{error:#}: what is on the server stays there");
                }
                if let Ok(runs) = runs(&self.link.js).await
                    && let Err(error) = runs.purge(self.names.run()).await
                {
                    tracing::info!("cannot remove the run's entry: {error}");
                }
                Streams::remove(&self.link.js, &self.names).await;
            };
            if timeout(2 * PATIENCE, removed).await.is_err() {
                tracing::warn!("the server does not answer: the run's streams stay there");
            }
        });
    }
}

impl<G: Encode> GameSource<G> for RemoteGames {
    fn play(&self, job: &Job, stop: &AtomicBool, sink: &mut dyn GameSink) -> Result<GenerationStats> {
        self.collector().play::<G>(job, stop, sink)
    }

    fn finish(&self) {
        self.collector().finish();
    }
}
