//! What a worker does beside playing: it follows the run's entry, fetches work, keeps its lease and says that it lives.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use async_nats::jetstream::{AckKind, consumer::PullConsumer};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::{
    message::Item,
    names::WORKERS,
    run_manifest::Heartbeat,
    server::PATIENCE,
    shared::{PAUSE, Shared, give_back},
    streams::{LEASE, SIGN, alive, runs},
    worker_queue::{Known, Unwanted},
};
use crate::{net::file::program, training::run::RunConfig};

/// The entry is asked for when it was not heard of for so long.
const POLL: Duration = Duration::from_secs(5);
/// Whether the connection was lost is looked at this often.
const LOOK: Duration = Duration::from_millis(500);
/// The header of a message that removes an entry from its bucket.
const REMOVED: &str = "KV-Operation";
/// Items that are fetched at once.
const MOST_ITEMS: usize = 64;
/// An item that came too early is given back for so long.
pub(super) const EARLY: Duration = Duration::from_secs(1);

/// Keeps the run's entry up to date: what is said of it is heard, and it is asked for at first, after each connection and
/// when it was quiet for a while.
pub(super) async fn follow(shared: Arc<Shared>) {
    let (run, link) = (shared.names.run(), &shared.link);
    loop {
        let lives = link.lives();
        if let Ok(mut changes) = link.client.subscribe(shared.names.entry_subject()).await
            && ask(&shared, run).await
        {
            let mut heard = Instant::now();
            while link.lives() == lives {
                match timeout(LOOK, changes.next()).await {
                    Ok(Some(change)) => {
                        // A header says that the entry was removed.
                        let headers = change.headers.as_ref();
                        let is_there = headers.is_none_or(|headers| headers.get(REMOVED).is_none());
                        shared.learn(is_there.then_some(&change.payload[..]));
                    }
                    Ok(None) => break,
                    Err(_) if heard.elapsed() < POLL => continue,
                    Err(_) if !ask(&shared, run).await => break,
                    Err(_) => {}
                }
                heard = Instant::now();
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Asks for the run's entry; whether the server answered.
async fn ask(shared: &Shared, run: &str) -> bool {
    let Ok(runs) = runs(&shared.link.js).await else { return false };
    let entry = runs.get(run).await;
    entry.is_ok_and(|bytes| {
        shared.learn(bytes.as_deref());
        true
    })
}

/// Fetches items as long as there is room for them.
pub(super) async fn fetch(shared: Arc<Shared>) {
    let (queue, mut consumer) = (&shared.queue, None);
    loop {
        let room = queue.room();
        if room == 0 {
            // Rung for, or looked at every now and then: that of the rules alone which changes unheard.
            let _ = timeout(LOOK, queue.wants_work.notified()).await;
            continue;
        }
        let item = match queue.known() {
            Known::RunManifest(entry) => entry.order.map_or(1, |order| order.item.max(1)),
            _ => 1,
        };
        let items = room.div_ceil(item as usize).clamp(1, MOST_ITEMS);
        if fetch_items(&shared, &mut consumer, items).await.is_err() {
            consumer = None;
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Fetches up to a number of items; the consumer is looked up if there is none.
async fn fetch_items(shared: &Shared, consumer: &mut Option<PullConsumer>, items: usize) -> Result<()> {
    let consumer = match consumer {
        Some(consumer) => consumer,
        None => {
            let work = shared.names.work();
            consumer.insert(shared.link.js.get_consumer_from_stream(WORKERS, work).await?)
        }
    };
    let mut batch = consumer.batch().max_messages(items).expires(PATIENCE).messages().await?;
    let lives = shared.link.lives();
    let begin = Instant::now();
    while shared.link.lives() == lives && begin.elapsed() < PATIENCE + LOOK {
        let message = match timeout(LOOK, batch.next()).await {
            Err(_) => continue,
            Ok(None) => break,
            Ok(Some(message)) => message.map_err(|error| anyhow!(error))?,
        };
        let (message, acker) = message.split();
        let acker = Arc::new(acker);
        let Ok(item) = Item::read(&message.payload) else {
            let _ = acker.ack_with(AckKind::Term).await;
            continue;
        };
        match shared.queue.add(item.order, item.numbers, acker) {
            Ok(()) => {}
            Err(Unwanted::Done(acker)) => drop(acker.ack().await),
            Err(Unwanted::Early(acker)) => give_back(vec![acker], Some(EARLY)).await,
        }
    }
    Ok(())
}

/// Tells the server that the items which are held are worked at.
pub(super) async fn renew(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(LEASE / 3).await;
        for item in shared.queue.held() {
            let _ = item.ack_with(AckKind::Progress).await;
        }
    }
}

/// Says every few seconds that this worker is there; and keeps its share of the games up to date.
pub(super) async fn say_alive(shared: Arc<Shared>) {
    let key = shared.names.sign(&shared.name);
    let (mut games, mut since) = (0, Instant::now());
    loop {
        // It is the run that says what computes the nets, and so what of the machine matters.
        let Some(machine) = shared.machine.get() else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let now = shared.games.load(Ordering::Relaxed);
        let games_per_s = (now - games) as f64 / since.elapsed().as_secs_f64().max(0.1);
        (games, since) = (now, Instant::now());
        let net_millis = shared.net_millis.load(Ordering::Relaxed);
        let sign = Heartbeat {
            program: program(),
            machine: machine.clone(),
            threads: shared.threads as u32,
            games: now,
            games_per_s,
            net_seconds: (net_millis > 0).then_some(net_millis as f64 / 1000.0),
        };
        let bytes = serde_json::to_vec(&sign).expect("a sign is plain JSON");
        if let Ok(alive) = alive(&shared.link.js).await {
            // The next one follows soon.
            let _ = alive.put(&key, bytes.into()).await;
        }
        if let Known::RunManifest(entry) = shared.queue.known()
            && let Some(order) = &entry.order
            && let Ok(config) = RunConfig::parse(&entry.config, &[])
        {
            shared.queue.set_limit(shared.limit(&entry, order, &config));
        }
        tokio::time::sleep(SIGN).await;
    }
}
