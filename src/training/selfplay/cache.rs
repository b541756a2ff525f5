//! Evaluations remembered across games and workers.
//!
//! The key is a hash of all that the network sees, so a hit returns the very numbers that the network would
//! compute: the cache changes speed, never games. Made anew for each net.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use crate::{
    games::encode::Encode,
    net::{EncodedQuery, FeatureEvaluator, NetEvaluator},
    search::{Evaluation, Evaluator, PolicyAsked, Query, Wdl},
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
    /// A cache for about `positions` positions; none for none.
    pub fn new(positions: usize) -> Option<Self> {
        if positions == 0 {
            return None;
        }
        let each = positions.div_ceil(SHARDS);
        let shards = (0..SHARDS).map(|_| Mutex::new(vec![Entry::default(); each])).collect();
        Some(EvaluationCache { shards, lookups: AtomicU64::new(0), hits: AtomicU64::new(0) })
    }

    /// The share of the look-ups so far that found their position.
    pub fn hit_rate(&self) -> f64 {
        self.hits.load(Ordering::Relaxed) as f64 / self.lookups.load(Ordering::Relaxed).max(1) as f64
    }

    /// Fills `out` if `key` is remembered with `moves` moves.
    fn get(&self, key: u64, moves: usize, out: &mut Evaluation) -> bool {
        self.lookups.fetch_add(1, Ordering::Relaxed);
        let shard = self.shard(key);
        let entry = &shard[slot(key, shard.len())];
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
        let entry = &mut shard[slot];
        entry.key = key;
        entry.wdl = evaluation.wdl;
        entry.logits.clone_from(&evaluation.logits);
    }

    fn shard(&self, key: u64) -> std::sync::MutexGuard<'_, Vec<Entry>> {
        // A panic elsewhere cannot leave an entry half written that its key would vouch for: the run ends.
        self.shards[key as usize % SHARDS].lock().expect("no worker panicked")
    }
}

/// The shard is chosen by the low bits, the slot by the others.
fn slot(key: u64, slots: usize) -> usize {
    ((key / SHARDS as u64) % slots as u64) as usize
}

/// How the mover sees the board: up to four positions look the same to it, but their moves differ in order.
fn orientation<G: Encode>(game: &G) -> u64 {
    let is_mirrored = game.is_mirrored().unwrap_or(false);
    game.side_to_move().index() as u64 + 2 * u64::from(is_mirrored)
}

/// The evaluator of a search on top of `inner`, behind `cache` if there is one.
pub fn evaluator<'a, G: Encode>(
    cache: Option<&'a EvaluationCache>,
    inner: Box<dyn FeatureEvaluator>,
) -> Box<dyn Evaluator<G> + 'a> {
    match cache {
        Some(cache) => {
            Box::new(Cached { cache, inner, encoded: Vec::new(), misses: Vec::new(), fresh: Vec::new() })
        }
        None => Box::new(NetEvaluator::new(inner)),
    }
}

/// A network behind a shared cache.
///
/// It does not pass [`Evaluator::policy_asked`] on: in every case a search asks for value and policy
/// together. An entry answers for both; of an answer for the policy alone it would keep a value that means nothing.
struct Cached<'a> {
    cache: &'a EvaluationCache,
    inner: Box<dyn FeatureEvaluator>,
    /// The positions that were not in the cache, and after them one that was.
    encoded: Vec<EncodedQuery>,
    /// Of those positions: the place in the batch, and the key.
    misses: Vec<(usize, u64)>,
    fresh: Vec<Evaluation>,
}

impl<G: Encode> Evaluator<G> for Cached<'_> {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        if self.encoded.len() < queries.len() {
            self.encoded.resize_with(queries.len(), EncodedQuery::default);
            self.fresh.resize_with(queries.len(), Evaluation::default);
        }
        self.misses.clear();
        let inputs = self.inner.inputs();
        for (i, (query, out)) in queries.iter().zip(out.iter_mut()).enumerate() {
            assert!(!query.policy_only, "what is remembered has a value");
            let encoded = &mut self.encoded[self.misses.len()];
            encoded.set(query, inputs);
            let key = encoded.features.hash() ^ orientation(&query.game);
            if !self.cache.get(key, encoded.moves.len(), out) {
                self.misses.push((i, key));
            }
        }
        let missed = self.misses.len();
        self.inner.evaluate_encoded(&self.encoded[..missed], &mut self.fresh[..missed]);
        for (&(i, key), fresh) in self.misses.iter().zip(&mut self.fresh) {
            self.cache.put(key, fresh);
            std::mem::swap(&mut out[i], fresh);
        }
    }

    fn policy_asked(&self) -> PolicyAsked {
        PolicyAsked::WithValue
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::{
            encode::Inputs,
            rules::{Game, Setup, dobutsu::Dobutsu},
        },
        search::{Noise, PuctConfig, Search, SearchConfig, run},
    };

    /// Prefers to be asked for policies later, as sparse nets do; its values are none where only a policy is wanted.
    struct Later;

    impl FeatureEvaluator for Later {
        fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]) {
            for (encoded, out) in encoded.iter().zip(out) {
                let wdl =
                    if encoded.policy_only { Wdl { win: f32::NAN, draw: 0.0, loss: 0.0 } } else { Wdl::DRAW };
                *out = Evaluation { wdl, logits: vec![0.0; encoded.moves.len()] };
            }
        }

        fn inputs(&self) -> Inputs {
            Inputs::Pieces
        }

        fn policy_asked(&self) -> PolicyAsked {
            PolicyAsked::OnReturn
        }
    }

    #[test]
    fn what_is_remembered_has_a_value_and_a_policy() {
        let cache = EvaluationCache::new(1000).expect("a cache");
        let uncached = evaluator::<Dobutsu>(None, Box::new(Later));
        assert_eq!(uncached.policy_asked(), PolicyAsked::OnReturn);
        let mut cached = evaluator::<Dobutsu>(Some(&cache), Box::new(Later));
        assert_eq!(cached.policy_asked(), PolicyAsked::WithValue);

        let mut rng = Rng::seed_from_u64(0);
        let game = Dobutsu::start(Dobutsu::ID.rule_sets()[0], Setup::Standard, &mut rng);
        let mut search = Search::new(SearchConfig::Puct(PuctConfig::default()));
        search.start(&game, 200, Noise::None, &mut rng);
        run(&mut search, &mut cached);
        let kept = cache.shards.iter().flat_map(|shard| shard.lock().expect("nobody panicked").clone());
        let kept: Vec<Entry> = kept.filter(|entry| entry.key != 0).collect();
        assert!(kept.len() > 50, "{}", kept.len());
        assert!(kept.iter().all(|entry| entry.wdl == Wdl::DRAW && !entry.logits.is_empty()));
    }
}
