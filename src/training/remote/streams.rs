//! The streams and buckets of a run on the server. All of them are bounded in size and in age.
//!
//! The learner makes them, and makes them again where they are not as they should be. Workers make nothing: a user who may
//! make a consumer can have the server send messages in the name of others.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use async_nats::jetstream::{
    Context as JetStream,
    consumer::{self, AckPolicy, PullConsumer, pull},
    kv,
    object_store::{self, ObjectStore},
    stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream},
};

use super::{
    incoming::TOGETHER,
    message::MOST_BYTES,
    names::{ALIVE, LEARNER, LEARNERS, RUNS, RunSubjects, WORKERS},
    run_manifest::MOST_SIGN,
    server::PATIENCE,
};

/// A worker that has not been heard of for so long has lost its items.
pub const LEASE: Duration = Duration::from_secs(10);
/// The time between two heartbeats, and the time without one after which a worker counts as gone.
pub const SIGN: Duration = Duration::from_secs(3);
pub const FORGET: Duration = Duration::from_secs(15);
/// A game that the learner has been given and not kept comes again after this.
const LEARNER_LEASE: Duration = Duration::from_secs(5);
/// What was not used for this time is given up.
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
/// Messages that one request may ask for.
const MOST_TOGETHER: i64 = TOGETHER as i64;

/// Bytes of a sign of life with all that the server keeps with it, at most.
const SIGN_BYTES: i32 = 2 * MOST_SIGN as i32;

/// The bucket of the runs' entries.
///
/// # Errors
/// Those of the server, and when there is none: no learner was there yet.
pub async fn runs(js: &JetStream) -> Result<kv::Store> {
    js.get_key_value(RUNS).await.with_context(|| format!("there is no bucket {RUNS}"))
}

/// The bucket of the workers' signs of life.
///
/// # Errors
/// As [`runs`].
pub async fn alive(js: &JetStream) -> Result<kv::Store> {
    js.get_key_value(ALIVE).await.with_context(|| format!("there is no bucket {ALIVE}"))
}

/// The bucket of the learners' signs of life.
///
/// # Errors
/// As [`runs`].
pub async fn learners(js: &JetStream) -> Result<kv::Store> {
    js.get_key_value(LEARNERS).await.with_context(|| format!("there is no bucket {LEARNERS}"))
}

/// Makes the buckets that all runs share, where they are missing or not as they should be.
///
/// # Errors
/// Those of the server.
pub async fn make_buckets(js: &JetStream) -> Result<()> {
    let entries = bucket(RUNS, RUN_AGE, RUNS_BYTES, MOST_BYTES as i32);
    // A run that is over removes its entry with all that was there before.
    make_stream(js, Config { allow_rollup: true, ..entries }).await?;
    for name in [ALIVE, LEARNERS] {
        make_stream(js, bucket(name, FORGET, ALIVE_BYTES, SIGN_BYTES)).await?;
    }
    Ok(())
}

/// The stream of a bucket that keeps the newest value of each key. No message can empty it: a key-value bucket of the
/// usual kind can be emptied by any user who may write one of its keys.
fn bucket(name: &str, max_age: Duration, max_bytes: i64, max_message_size: i32) -> Config {
    Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        deny_delete: true,
        allow_direct: true,
        max_age,
        max_bytes,
        max_message_size,
        ..Config::default()
    }
}

/// Makes a stream, or changes it to what it should be; where that cannot be, it is removed and made again.
async fn make_stream(js: &JetStream, wanted: Config) -> Result<Stream> {
    let place = || format!("cannot make the stream {}", wanted.name);
    let stream = js.get_or_create_stream(wanted.clone()).await.with_context(place)?;
    let there = &stream.cached_info().config;
    let mended = Config {
        subjects: wanted.subjects.clone(),
        retention: wanted.retention,
        discard: wanted.discard,
        storage: wanted.storage,
        max_messages_per_subject: wanted.max_messages_per_subject,
        max_age: wanted.max_age,
        max_bytes: wanted.max_bytes,
        max_message_size: wanted.max_message_size,
        allow_rollup: wanted.allow_rollup,
        allow_direct: wanted.allow_direct,
        republish: None,
        mirror: None,
        sources: None,
        ..there.clone()
    };
    if mended == *there {
        return Ok(stream);
    }
    tracing::warn!("the stream {} is not as it should be: it is made anew", wanted.name);
    if js.update_stream(&mended).await.is_err() {
        js.delete_stream(&wanted.name).await.with_context(place)?;
    }
    js.get_or_create_stream(wanted.clone()).await.with_context(place)
}

/// Makes a consumer, or changes it to what it should be; where that cannot be, it is removed and made again.
async fn make_consumer(stream: &Stream, config: pull::Config) -> Result<PullConsumer> {
    let name = config.durable_name.as_deref().unwrap_or_default();
    let place = || format!("cannot make the consumer {name}");
    match stream.create_consumer(config.clone()).await {
        Ok(consumer) => Ok(consumer),
        Err(error) => {
            tracing::warn!("the consumer {name} is not as it should be ({error}): it is made anew");
            stream.delete_consumer(name).await.with_context(place)?;
            stream.create_consumer(config.clone()).await.with_context(place)
        }
    }
}

/// Whether a consumer is what it was when we made it.
///
/// # Errors
/// When it is not, or the server does not answer.
pub async fn looked_at(consumer: &PullConsumer) -> Result<consumer::Info> {
    let now = consumer.get_info().await?;
    let made = consumer.cached_info();
    let is_same = now.created == made.created && now.config == made.config;
    ensure!(is_same, "the consumer {} was changed", now.name);
    Ok(now)
}

/// The streams of a run, as its learner uses them.
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
    /// Makes what is missing or is not as it should be, for nets of `net_bytes` bytes.
    ///
    /// # Errors
    /// Those of the server.
    pub async fn ensure(js: &JetStream, names: &RunSubjects, net_bytes: usize) -> Result<Self> {
        let queue = |name: String, subject: String, max_bytes: i64| Config {
            name,
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            storage: StorageType::File,
            max_messages_per_subject: -1,
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
            max_batch: MOST_TOGETHER,
            max_expires: PATIENCE,
            ..Default::default()
        };
        let work = queue(names.work(), names.work_subject("*"), WORK_BYTES);
        let games = queue(names.games(), names.games_subject("*.*"), GAMES_BYTES);
        make_buckets(js).await?;
        let (work, games) = (make_stream(js, work).await?, make_stream(js, games).await?);
        let work = make_consumer(&work, consumer(WORKERS, LEASE)).await?;
        let games = make_consumer(&games, consumer(LEARNER, LEARNER_LEASE)).await?;
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
        Ok(Streams { work, games, nets })
    }

    /// Removes all of a run.
    pub async fn remove(js: &JetStream, names: &RunSubjects) {
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
