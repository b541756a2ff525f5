//! What a worker does beside playing: it follows the run's entry, fetches work, keeps its lease and says that it lives.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use async_nats::jetstream::{AckKind, Message, consumer::PullConsumer};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::{
    message::Item,
    names::WORKERS,
    run_manifest::{Heartbeat, LearnerHeartbeat, machine},
    server::PATIENCE,
    shared::{PAUSE, Shared, give_back},
    streams::{FORGET, LEASE, SIGN, alive, learners, runs},
    worker_queue::{Delivery, Known, Unwanted},
};
use crate::{net::file::program, training::run::RunConfig};

/// The entry is asked for when it was not heard of for so long.
const POLL: Duration = Duration::from_secs(5);
/// A learner is away when the server has had no sign of it for so long; a sign is there for as long after it was given.
const AWAY: Duration = FORGET;
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
    let link = &shared.link;
    loop {
        let (lives, mut absence) = (link.lives(), Absence::default());
        if let Ok(mut changes) = link.client.subscribe(shared.names.entry_subject()).await
            && ask(&shared, &mut absence).await.is_ok()
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
                    Err(_) if ask(&shared, &mut absence).await.is_err() => break,
                    Err(_) => {}
                }
                heard = Instant::now();
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Asks for the run's entry, and where nothing is played whether its learner is there.
async fn ask(shared: &Shared, absence: &mut Absence) -> Result<()> {
    let (run, js) = (shared.names.run(), &shared.link.js);
    let entry = runs(js).await?.get(run).await?;
    shared.learn(entry.as_deref());
    let Some(entry) = entry.filter(|_| shared.queue.is_idle()) else {
        *absence = Absence::default();
        return Ok(());
    };
    let sign = learners(js).await?.get(run).await?;
    let sign = sign.and_then(|sign| LearnerHeartbeat::read_for(&entry, &sign));
    if absence.is_long(sign.as_ref(), Instant::now()) {
        shared.queue.learner_is_away();
    }
    Ok(())
}

/// Since when the server has had no sign of the run's learner.
#[derive(Debug, Default)]
struct Absence(Option<Instant>);

impl Absence {
    /// Whether the learner is away by now, where this is its sign at the server.
    fn is_long(&mut self, sign: Option<&LearnerHeartbeat>, now: Instant) -> bool {
        self.0 = if sign.is_some() { None } else { self.0.or(Some(now)) };
        self.0.is_some_and(|since| now.duration_since(since) >= AWAY)
    }
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
        let delivery = delivery(&message);
        let (message, acker) = message.split();
        let acker = Arc::new(acker);
        let Ok(item) = Item::read(&message.payload) else {
            let _ = acker.ack_with(AckKind::Term).await;
            continue;
        };
        match shared.queue.add(item.order, item.numbers, delivery, acker) {
            Ok(()) => {}
            Err(Unwanted::Done(acker)) => drop(acker.ack().await),
            Err(Unwanted::Early(acker)) => give_back(vec![acker], Some(EARLY)).await,
        }
    }
    Ok(())
}

/// Whether the server gives out this very message for the first time.
fn delivery(message: &Message) -> Delivery {
    match message.info() {
        Ok(info) if info.delivered == 1 => Delivery::First,
        _ => Delivery::Repeated,
    }
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
        let Known::RunManifest(entry) = shared.queue.known() else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let now = shared.games.load(Ordering::Relaxed);
        let games_per_s = (now - games) as f64 / since.elapsed().as_secs_f64().max(0.1);
        (games, since) = (now, Instant::now());
        let net_millis = shared.net_millis.load(Ordering::Relaxed);
        let sign = Heartbeat {
            program: program(),
            machine: machine(entry.backend),
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
        if let Some(order) = &entry.order
            && let Ok(config) = RunConfig::parse(&entry.config, &[])
        {
            shared.queue.set_limit(shared.limit(&entry, order, &config));
        }
        tokio::time::sleep(SIGN).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_learner_without_a_sign_is_away_after_a_while() {
        let (mut absence, sign, begin) = (Absence::default(), LearnerHeartbeat::default(), Instant::now());
        let mut is_long = |sign, seconds| absence.is_long(sign, begin + Duration::from_secs(seconds));
        let seen = [(Some(&sign), 0), (None, 5), (None, 19), (Some(&sign), 20), (None, 25), (None, 39)];
        assert!(seen.into_iter().all(|(sign, seconds)| !is_long(sign, seconds)));
        assert!(is_long(None, 40) && is_long(None, 45), "fifteen seconds after it was missed");
        assert!(!is_long(Some(&sign), 50), "it is back");
    }
}
