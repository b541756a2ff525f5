//! Evaluations remembered across games and workers.
//!
//! The key is a hash of all that the network sees, so a hit returns the very numbers that the network would
//! compute: the cache changes speed, never games. Made anew for each net.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use crate::{
    encode::{Encode, Features},
    search::{Evaluation, Evaluator, Query, Wdl},
};

/// Locks to spread over, so that workers rarely wait for each other.
const SHARDS: usize = 64;

#[derive(Clone, Debug, Default)]
struct Entry {
    key: u64,
    wdl: Wdl,
    logits: Vec<f32>,
}

/// A table of fixed size; a new entry replaces the one in its place.
#[derive(Debug)]
pub struct EvaluationCache {
    shards: Vec<Mutex<Vec<Entry>>>,
    lookups: AtomicU64,
    hits: AtomicU64,
}

impl EvaluationCache {
    /// A cache for about `positions` positions.
    pub fn new(positions: usize) -> Self {
        let each = positions.div_ceil(SHARDS);
        let shards = (0..SHARDS).map(|_| Mutex::new(vec![Entry::default(); each])).collect();
        EvaluationCache { shards, lookups: AtomicU64::new(0), hits: AtomicU64::new(0) }
    }

    /// Look-ups so far, and how many of them found their position.
    pub fn counts(&self) -> (u64, u64) {
        (self.lookups.load(Ordering::Relaxed), self.hits.load(Ordering::Relaxed))
    }

    /// Fills `out` if `key` is remembered with `moves` moves.
    fn get(&self, key: u64, moves: usize, out: &mut Evaluation) -> bool {
        self.lookups.fetch_add(1, Ordering::Relaxed);
        let shard = self.shard(key);
        let Some(entry) = shard.get(slot(key, shard.len())) else { return false };
        let found = entry.key == key && entry.logits.len() == moves;
        if found {
            out.wdl = entry.wdl;
            out.logits.clone_from(&entry.logits);
            self.hits.fetch_add(1, Ordering::Relaxed);
        }
        found
    }

    fn put(&self, key: u64, evaluation: &Evaluation) {
        let mut shard = self.shard(key);
        let slot = slot(key, shard.len());
        if let Some(entry) = shard.get_mut(slot) {
            entry.key = key;
            entry.wdl = evaluation.wdl;
            entry.logits.clone_from(&evaluation.logits);
        }
    }

    fn shard(&self, key: u64) -> std::sync::MutexGuard<'_, Vec<Entry>> {
        // A panic elsewhere cannot leave an entry half written that its key would vouch for: the run ends.
        self.shards[key as usize % SHARDS].lock().expect("no worker panicked")
    }
}

/// The shard is chosen by the low bits, the slot by the others.
fn slot(key: u64, slots: usize) -> usize {
    ((key / SHARDS as u64) % slots.max(1) as u64) as usize
}

/// An evaluator behind a shared cache.
#[derive(Debug)]
pub struct Cached<'a, E> {
    cache: &'a EvaluationCache,
    inner: E,
    features: Features,
    keys: Vec<u64>,
    misses: Vec<usize>,
    fresh: Vec<Evaluation>,
}

impl<'a, E> Cached<'a, E> {
    /// Puts `cache` before `inner`.
    pub fn new(cache: &'a EvaluationCache, inner: E) -> Self {
        Cached {
            cache,
            inner,
            features: Features::default(),
            keys: Vec::new(),
            misses: Vec::new(),
            fresh: Vec::new(),
        }
    }
}

impl<G: Encode, E: Evaluator<G>> Evaluator<G> for Cached<'_, E> {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        self.keys.clear();
        self.misses.clear();
        for (i, (query, out)) in queries.iter().zip(out.iter_mut()).enumerate() {
            query.game.features(&mut self.features);
            // Both players' positions can look the same to the mover; their moves then differ in order.
            let key = self.features.hash() ^ (query.game.side_to_move().index() as u64);
            self.keys.push(key);
            if !self.cache.get(key, query.moves.len(), out) {
                self.misses.push(i);
            }
        }
        if self.misses.is_empty() {
            return;
        }
        let missed: Vec<&Query<G>> = self.misses.iter().map(|&i| queries[i]).collect();
        self.fresh.resize_with(self.fresh.len().max(missed.len()), Evaluation::default);
        self.inner.evaluate(&missed, &mut self.fresh[..missed.len()]);
        for (&i, fresh) in self.misses.iter().zip(&mut self.fresh) {
            self.cache.put(self.keys[i], fresh);
            std::mem::swap(&mut out[i], fresh);
        }
    }
}
