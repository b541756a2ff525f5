//! One game's search: simulations a second, and what the tree takes.

use std::{
    num::NonZero,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net, movegen::middle_game};
use crate::{
    app::cli::{CliError, position},
    base::rng::{self, Purpose},
    games::encode::Encode,
    net::{LoadedNet, ModelFile, NetEvaluator, PlayConfig, PlaySearch, PlayTable},
    search::{Evaluation, Evaluator, Noise, PolicyAsked, Query, Search, run_together},
    with_game,
};

#[derive(Debug, clap::Args)]
pub struct BenchSearchArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    net: Net,
    /// A checkpoint, a run's folder or an exported model, in place of the untrained --net
    #[arg(long)]
    model: Option<PathBuf>,
    /// Settings of play, written as for a player of a match: temperature=2&memory=64
    #[arg(long, value_parser = PlayTable::parse, default_value = "search=puct")]
    play: PlayTable,
    /// How many positions are searched, one after another
    #[arg(long, default_value = "8")]
    positions: NonZero<u32>,
    /// Simulations per position, in place of an equal share of the seconds
    #[arg(long)]
    sims: Option<NonZero<u32>>,
}

#[derive(Serialize)]
struct Figures {
    simulations_per_s: f64,
    /// Answers of the net. A simulation that ends at a position whose value is known needs none; a position that is visited
    /// again may need a second one, for its policy.
    evaluations_per_s: f64,
    /// Nodes of the last tree.
    nodes: u32,
    /// Memory that the tree holds.
    mib: f64,
    /// How long after its time the latest search came back, in milliseconds.
    late_ms: f64,
    positions: u32,
    threads: usize,
    net: String,
}

pub fn run(args: &BenchSearchArgs) -> Result<()> {
    check_play(&args.play)?;
    let model = args.model.as_deref().map(ModelFile::read).transpose()?;
    let of_model = model.as_ref().map(|model| model.meta.game);
    let game = args.common.game.or(of_model).unwrap_or_else(|| args.common.game());
    let figures = with_game!(game, G => measure::<G>(args, model)?);
    super::print(args.common.json, &figures)
}

/// Refuses settings of play that this would not heed.
fn check_play(play: &PlayTable) -> Result<(), CliError> {
    if play.threads.is_some() {
        return Err(CliError::usage("--play names threads, but --threads says how many there are"));
    }
    if play.search == Some(PlaySearch::AlphaBeta) || play.level.is_some() || play.strength.is_some() {
        return Err(CliError::usage("--play asks for alpha-beta, but this measures the search of a tree")
            .help("search=puct or search=gumbel, without a level or a strength"));
    }
    Ok(())
}

fn measure<G: Encode>(args: &BenchSearchArgs, model: Option<ModelFile>) -> Result<Figures> {
    let rules = position::rule_set(G::ID, None)?;
    let file = match model {
        Some(model) => model,
        None => ModelFile::untrained::<G>(rules, args.net.model::<G>()?),
    };
    file.check::<G>()?;
    let threads = args.common.threads.get();
    let play = PlayConfig { threads, ..file.play(&args.play) };
    let net = args.net.backend.load_in(&file.model, play.precision).map_err(CliError::usage)?;
    let mut bench = Bench::<G>::new(play, &net);
    let positions = args.positions.get();
    let share = Duration::from_secs_f64(args.common.seconds / f64::from(positions));
    let (mut simulations, mut seconds, mut latest) = (0, 0.0, Duration::ZERO);
    for number in 0..positions {
        let game: G = middle_game(rules, u64::from(number) % 8, u64::from(number) / 8);
        let begin = Instant::now();
        simulations += u64::from(bench.search(&game, args.sims, begin + share));
        let time = begin.elapsed();
        seconds += time.as_secs_f64();
        latest = latest.max(time.saturating_sub(share));
    }
    Ok(Figures {
        simulations_per_s: simulations as f64 / seconds,
        evaluations_per_s: bench.evaluations() as f64 / seconds,
        nodes: bench.search.nodes(),
        mib: bench.search.bytes() as f64 / f64::from(1 << 20),
        late_ms: 1e3 * latest.as_secs_f64(),
        positions,
        threads,
        net: file.meta.net,
    })
}

struct Bench<G: Encode> {
    search: Search<G>,
    evaluators: Vec<Counted>,
    batch: usize,
}

/// A net that counts its answers.
struct Counted {
    net: NetEvaluator,
    answers: u64,
}

impl<G: Encode> Evaluator<G> for Counted {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        self.answers += queries.len() as u64;
        self.net.evaluate(queries, out);
    }

    fn policy_asked(&self) -> PolicyAsked {
        Evaluator::<G>::policy_asked(&self.net)
    }
}

impl<G: Encode> Bench<G> {
    fn new(play: PlayConfig, net: &LoadedNet) -> Self {
        let evaluator = |_| Counted { net: NetEvaluator::new(net.evaluator(G::SHAPE)), answers: 0 };
        let evaluators = (0..play.threads).map(evaluator).collect();
        Bench { search: Search::with_memory(play.search, play.memory), evaluators, batch: play.batch }
    }

    /// Answers of the net in all searches.
    fn evaluations(&self) -> u64 {
        self.evaluators.iter().map(|evaluator| evaluator.answers).sum()
    }

    /// Searches `game` for this many simulations, or else until `end`; the simulations done.
    fn search(&mut self, game: &G, simulations: Option<NonZero<u32>>, end: Instant) -> u32 {
        let mut rng = rng::stream(0, Purpose::Evaluation, &[]);
        self.search.start(game, simulations.map_or(u32::MAX, NonZero::get), Noise::None, &mut rng);
        let more = || simulations.is_some() || Instant::now() < end;
        run_together(&mut self.search, &mut self.evaluators, self.batch, &more);
        self.search.simulations()
    }
}
