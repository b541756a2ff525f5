//! The streams and buckets of a run on the server. All of them are bounded in size and in age.

use std::time::Duration;

use anyhow::{Context, Result};
use async_nats::jetstream::{
    Context as JetStream,
    consumer::{AckPolicy, PullConsumer, pull},
    kv,
    object_store::{self, ObjectStore},
    stream::{Config, DiscardPolicy, RetentionPolicy, StorageType},
};

use super::{
    message::MOST_BYTES,
    names::{ALIVE, LEARNER, Names, RUNS, WORKERS},
};

/// A worker that has not been heard of for so long has lost its items.
pub const LEASE: Duration = Duration::from_secs(10);
/// Whoever is alive says so this often, and is forgotten after the second time.
pub const SIGN: Duration = Duration::from_secs(3);
pub const FORGET: Duration = Duration::from_secs(15);
/// A game that the learner has been given and not kept comes again after this.
const LEARNER_LEASE: Duration = Duration::from_secs(5);
/// What nobody has touched for so long is given up.
const WORK_AGE: Duration = Duration::from_secs(24 * 3600);
const RUN_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// A message that is published again within this is known.
const KNOWN: Duration = Duration::from_secs(120);

const WORK_BYTES: i64 = 16 << 20;
const GAMES_BYTES: i64 = 256 << 20;
const RUNS_BYTES: i64 = 64 << 20;
const ALIVE_BYTES: i64 = 16 << 20;
/// Room in the bucket of nets beside two nets and the one that is being written.
const NETS_ROOM: i64 = 1 << 20;
/// Requests that may wait, and messages that may be under way, for one consumer.
const MOST_WAITING: i64 = 20_000;
const MOST_UNDER_WAY: i64 = 100_000;

/// The bucket of the runs' entries, made where it is missing.
///
/// # Errors
/// Those of the server.
pub async fn runs(js: &JetStream) -> Result<kv::Store> {
    bucket(js, RUNS, RUN_AGE, RUNS_BYTES).await
}

/// The bucket of signs of life, made where it is missing.
///
/// # Errors
/// Those of the server.
pub async fn alive(js: &JetStream) -> Result<kv::Store> {
    bucket(js, ALIVE, FORGET, ALIVE_BYTES).await
}

async fn bucket(js: &JetStream, name: &str, max_age: Duration, max_bytes: i64) -> Result<kv::Store> {
    if let Ok(store) = js.get_key_value(name).await {
        return Ok(store);
    }
    let config = kv::Config { bucket: name.to_owned(), history: 1, max_age, max_bytes, ..Default::default() };
    js.create_key_value(config).await.with_context(|| format!("cannot make the bucket {name}"))
}

/// The streams of a run, made where they are missing, as its learner uses them.
#[derive(Clone)]
pub struct Streams {
    /// The workers' consumer of items.
    pub work: PullConsumer,
    /// The learner's consumer of games.
    pub games: PullConsumer,
    /// The nets.
    pub nets: ObjectStore,
}

impl Streams {
    /// Makes what is missing; nets have so many bytes.
    ///
    /// # Errors
    /// Those of the server.
    pub async fn ensure(js: &JetStream, names: &Names, net_bytes: usize) -> Result<Self> {
        let queue = |name: String, subject: String, max_bytes: i64| Config {
            name,
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            storage: StorageType::File,
            max_age: WORK_AGE,
            max_bytes,
            max_message_size: MOST_BYTES as i32,
            duplicate_window: KNOWN,
            ..Config::default()
        };
        let consumer = |name: &str, ack_wait: Duration| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: MOST_UNDER_WAY,
            max_waiting: MOST_WAITING,
            ..Default::default()
        };
        let work = queue(names.work(), names.work_subject("*"), WORK_BYTES);
        let games = queue(names.games(), names.games_subject("*"), GAMES_BYTES);
        let work = js.get_or_create_stream(work).await.context("cannot make the stream of work")?;
        let games = js.get_or_create_stream(games).await.context("cannot make the stream of games")?;
        let work = work.get_or_create_consumer(WORKERS, consumer(WORKERS, LEASE)).await;
        let games = games.get_or_create_consumer(LEARNER, consumer(LEARNER, LEARNER_LEASE)).await;
        let nets = match js.get_object_store(&names.nets()).await {
            Ok(store) => store,
            Err(_) => {
                let config = object_store::Config {
                    bucket: names.nets(),
                    max_age: RUN_AGE,
                    max_bytes: 4 * net_bytes as i64 + NETS_ROOM,
                    ..Default::default()
                };
                js.create_object_store(config).await.context("cannot make the bucket of nets")?
            }
        };
        let (work, games) = (work.context("no consumer of work")?, games.context("no consumer of games")?);
        Ok(Streams { work, games, nets })
    }

    /// Removes all of a run.
    pub async fn remove(js: &JetStream, names: &Names) {
        for stream in [names.work(), names.games()] {
            if let Err(error) = js.delete_stream(&stream).await {
                tracing::info!("cannot remove the stream {stream}: {error}");
            }
        }
        if let Err(error) = js.delete_object_store(names.nets()).await {
            tracing::info!("cannot remove the bucket {}: {error}", names.nets());
        }
    }
}
