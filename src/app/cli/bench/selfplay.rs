//! Self-play: moves and evaluations a second, and where the time goes.

use std::{
    collections::HashSet,
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net};
use crate::{
    app::cli::{CliError, position},
    games::encode::{Encode, Inputs},
    net::{EncodedQuery, FeatureEvaluator, NetConfig, Precision},
    search::{Evaluation, GumbelConfig, PolicyAsked, SearchConfig},
    training::selfplay::{
        EvaluationCache, HandicapConfig, Plan, ResignConfig, SelfPlayConfig, Workers, evaluator, play,
    },
    with_game,
};

#[derive(Debug, clap::Args)]
pub struct BenchSelfplayArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    net: Net,
    /// The number format in which the net computes: fp32; for a tower also bf16, for a sparse net also int16; auto is the
    /// faster one, as measured
    #[arg(long, default_value_t)]
    precision: Precision,
    /// Simulations per move
    #[arg(long, default_value = "32")]
    sims: NonZero<u32>,
    /// Simulations of a quick search [default: a quarter of --sims]
    #[arg(long, value_name = "N")]
    quick_sims: Option<NonZero<u32>>,
    /// Share of the moves that get a full search, 0 to 1 [default: 1, or 0.25 with --as-trained]
    #[arg(long, value_name = "SHARE")]
    full_share: Option<f32>,
    /// Positions whose evaluations are remembered; 0: none [default: 0, or with --as-trained 200000 for a tower]
    #[arg(long, value_name = "N")]
    cache_positions: Option<usize>,
    /// Games that each thread plays at the same time [default: 8 for a tower, 1 for a sparse net]
    #[arg(long)]
    games_per_worker: Option<NonZero<usize>>,
    /// Nearly as in training: quick searches for three of four moves and, for a tower, the evaluation cache
    #[arg(long)]
    as_trained: bool,
}

#[derive(Serialize)]
struct Figures {
    moves_per_s: f64,
    evals_per_s: f64,
    /// Share of the threads' time spent in the network.
    net_share: f64,
    /// Microseconds of a thread for a simulation, the network apart.
    other_us_per_simulation: f64,
    threads: usize,
    net: String,
    precision: Precision,
}

pub fn run(args: &BenchSelfplayArgs) -> Result<()> {
    let figures = with_game!(args.common.game(), G => measure::<G>(args)?);
    super::print(args.common.json, &figures)
}

/// The settings of the games: from middle-game positions, and if nothing else is asked for every move a full search.
fn config(args: &BenchSelfplayArgs, net: &NetConfig) -> Result<SelfPlayConfig, CliError> {
    let (best, cache_positions) = match net {
        NetConfig::Conv(_) => (8, 200_000),
        // Nothing is shared between the positions of a batch, and the rows of one game's tree stay in the cache. To
        // remember its answers takes longer than to find them again, but on the smallest board.
        NetConfig::Sparse(_) => (1, 0),
    };
    let (full_share, cache_positions) = if args.as_trained { (0.25, cache_positions) } else { (1.0, 0) };
    let config = SelfPlayConfig {
        positions_per_generation: 1,
        lag: 0,
        games_per_worker: args.games_per_worker.map_or(best, NonZero::get),
        simulations: args.sims.get(),
        quick_simulations: args.quick_sims.map_or(args.sims.get().div_ceil(4), NonZero::get),
        full_share: args.full_share.unwrap_or(full_share),
        opening_plies: 40,
        max_plies: 512,
        cache_positions: args.cache_positions.unwrap_or(cache_positions),
        precision: args.precision,
        handicap: HandicapConfig::default(),
        resign: ResignConfig { max_error: 0.0, played_out: 0.0, min_measured: 1 },
        search: SearchConfig::Gumbel(GumbelConfig::default()),
    };
    config.validate().map_err(CliError::usage)?;
    Ok(config)
}

fn measure<G: Encode>(args: &BenchSelfplayArgs) -> Result<Figures> {
    let model = args.net.model::<G>()?;
    let config = config(args, model.net())?;
    let threads = args.common.threads.get();
    let precision = args.net.backend.precision_of(&model, args.precision);
    let net = args.net.backend.load_in(&model, precision).map_err(CliError::usage)?;
    let plan = Plan {
        config: &config,
        rules: position::rule_set(G::ID, None)?,
        seed: 0,
        generation: 0,
        games: u32::MAX,
        done: HashSet::new(),
        resign_below: None,
    };
    let in_net = Arc::new(AtomicU64::new(0));
    let cache = EvaluationCache::new(config.cache_positions);
    let stop = AtomicBool::new(false);
    let begin = Instant::now();
    let work = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_secs_f64(args.common.seconds));
            stop.store(true, Ordering::Relaxed);
        });
        let timed = || Box::new(Timed::new(net.evaluator(G::SHAPE), &in_net));
        play::<G, _>(&plan, &Workers::all(threads), || evaluator(cache.as_ref(), timed()), &stop, |_| Ok(()))
    })?;
    let (seconds, stats) = (begin.elapsed().as_secs_f64(), work.stats);
    let busy = seconds * threads as f64;
    let in_net = in_net.load(Ordering::Relaxed) as f64 / 1e9;
    Ok(Figures {
        moves_per_s: stats.searches as f64 / seconds,
        evals_per_s: stats.evaluations as f64 / seconds,
        net_share: in_net / busy,
        other_us_per_simulation: 1e6 * (busy - in_net) / stats.simulations.max(1) as f64,
        threads,
        net: model.net().to_string(),
        precision,
    })
}

/// Adds up the time that a network takes.
struct Timed {
    inner: Box<dyn FeatureEvaluator>,
    nanoseconds: u64,
    total: Arc<AtomicU64>,
}

impl Timed {
    fn new(inner: Box<dyn FeatureEvaluator>, total: &Arc<AtomicU64>) -> Self {
        Timed { inner, nanoseconds: 0, total: total.clone() }
    }
}

impl FeatureEvaluator for Timed {
    fn inputs(&self) -> Inputs {
        self.inner.inputs()
    }

    fn policy_asked(&self) -> PolicyAsked {
        self.inner.policy_asked()
    }

    fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]) {
        let begin = Instant::now();
        self.inner.evaluate_encoded(encoded, out);
        self.nanoseconds += begin.elapsed().as_nanos() as u64;
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        self.total.fetch_add(self.nanoseconds, Ordering::Relaxed);
    }
}
