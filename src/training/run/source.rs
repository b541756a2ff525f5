//! Where the games of a run come from.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use anyhow::{Context, Result};
use rayon::ThreadPool;

use super::{config::RunConfig, machine::Machine, report::WorkerFigures};
use crate::{
    games::encode::Encode,
    net::ModelFile,
    training::selfplay::{
        EvaluationCache, GameRecord, Plan, RecordMeta, SearchStats, Work, Workers, evaluator, play,
    },
};

/// The games that a generation wants.
#[derive(Debug)]
pub struct Job<'a> {
    /// Which.
    pub plan: &'a Plan<'a>,
    /// The run's settings, of which the plan has those of self-play.
    pub config: &'a RunConfig,
    /// The net that plays.
    pub net: &'a ModelFile,
    /// Whose records they will be.
    pub meta: &'a RecordMeta,
    /// How far the run is, in `0.0..=1.0`.
    pub progress: f64,
    /// The threads of this machine that play.
    pub workers: &'a Workers,
}

/// Keeps the games of a generation as they come.
pub trait GameSink {
    /// Keeps a game. A kill of this process does not lose it, a power cut may.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&mut self, game: GameRecord) -> Result<()>;

    /// Waits until the disk has all games that were kept.
    ///
    /// # Errors
    /// When it cannot be written.
    fn sync(&mut self) -> Result<()>;

    /// What the observer is told beside the count of games.
    fn say(&mut self, doing: &str);
}

/// How the games of a generation were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenerationStats {
    /// What the searches did.
    pub stats: SearchStats,
    /// The share of the evaluations that the cache answered, if that is known.
    pub cache_hits: Option<f64>,
    /// Seconds in which the net was made ready.
    pub load_seconds: f64,
    /// Seconds of processor time of the threads that played, if that is known.
    pub cpu_seconds: Option<f64>,
    /// What other machines did, if they could take part.
    pub workers: Option<WorkerFigures>,
}

/// What makes the games of a run. Which games come out is decided by the job alone: its net, its seed, and the number
/// of each game.
pub trait GameSource<G: Encode>: Send + Sync {
    /// Makes the games of `job` and gives each to `sink`, once, in no particular order. Returns early when `stop` is
    /// set.
    ///
    /// # Errors
    /// When no more games can be made, or the sink fails.
    fn play(&self, job: &Job, stop: &AtomicBool, sink: &mut dyn GameSink) -> Result<GenerationStats>;

    /// Whether it plays on the cores that also learn. Then it plays two generations at a time: the later one on the cores that
    /// the earlier one leaves.
    fn plays_here(&self) -> bool {
        false
    }

    /// No more games will be wanted: the run is done.
    fn finish(&self) {}
}

/// Plays them on this machine.
#[derive(Debug)]
pub struct LocalGames {
    machine: Machine,
    /// Makes nets ready.
    pool: Arc<ThreadPool>,
}

impl LocalGames {
    /// Plays them on `machine`; nets are made ready on the threads of `pool`.
    pub fn new(machine: Machine, pool: Arc<ThreadPool>) -> Self {
        LocalGames { machine, pool }
    }
}

impl<G: Encode> GameSource<G> for LocalGames {
    fn play(&self, job: &Job, stop: &AtomicBool, sink: &mut dyn GameSink) -> Result<GenerationStats> {
        let LocalGames { machine, pool } = self;
        let (config, begin) = (job.plan.config, Instant::now());
        let net = pool.install(|| machine.load(&job.net.model, config.precision));
        let net = net.context("selfplay.precision")?;
        let load_seconds = begin.elapsed().as_secs_f64();
        let cache = EvaluationCache::new(config.cache_positions);
        let searcher = || evaluator::<G>(cache.as_ref(), net.evaluator(G::SHAPE));
        let Work { stats, cpu_seconds } =
            play::<G, _>(job.plan, job.workers, searcher, stop, |game| sink.keep(game))?;
        let cache_hits = cache.as_ref().map(EvaluationCache::hit_rate);
        Ok(GenerationStats { stats, cache_hits, load_seconds, cpu_seconds: Some(cpu_seconds), workers: None })
    }

    fn plays_here(&self) -> bool {
        true
    }
}
