//! Learning: samples a second.

use std::{collections::HashSet, io::Write, num::NonZero};

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net};
use crate::{
    app::cli::{CliError, stdout},
    games::encode::Encode,
    net::{Backend, Model, NetConfig, Precision},
    training::{
        learner::{Learner, LearnerConfig},
        replay::Window,
        run::{RunConfig, TrainSpeed, train_speed},
        selfplay::{Plan, SelfPlayConfig, play_all},
    },
    with_game,
};

#[derive(Debug, clap::Args)]
pub struct BenchTrainArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    net: Net,
    /// Samples per step [default: 256 for a tower, those of the game's config for a sparse net]
    #[arg(long)]
    batch: Option<NonZero<usize>>,
    /// For a tower: samples in one forward and backward pass [default: a quarter of the batch]
    #[arg(long)]
    shard: Option<NonZero<usize>>,
}

#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    speed: TrainSpeed,
    shard: usize,
    net: String,
}

/// Batches of positions in the window that is learnt.
const BATCHES: usize = 6;
/// Games that are played at a time, until there are enough.
const GAMES: u32 = 16;
/// Simulations of their searches: the games are no better than the random weights, but as varied as others.
const SIMULATIONS: u32 = 8;

pub fn run(args: &BenchTrainArgs) -> Result<()> {
    let config = config(args)?;
    let speed = with_game!(args.common.game(), G => measure::<G>(args, &config)?);
    let figures = Figures { speed, shard: config.learner.shard, net: config.net.to_string() };
    if args.common.json {
        return super::print(true, &figures);
    }
    let Figures { speed, net, .. } = figures;
    let mut out = stdout();
    writeln!(
        out,
        "{net}, batches of {}, {} threads, {} positions",
        speed.batch, speed.threads, speed.positions
    )?;
    writeln!(out, "{:>28}  {:.0}", "samples/s", speed.samples_per_s)?;
    writeln!(out, "{:>28}  {:.2}", "processor s/million samples", speed.cpu_seconds_per_million)?;
    writeln!(out, "{:>28}  {:>17}  {:>12}", "phase", "s/million samples", "busy threads")?;
    for (name, phase) in &speed.phases {
        writeln!(out, "{name:>28}  {:>17.3}  {:>12.2}", phase.seconds, phase.threads)?;
    }
    Ok(())
}

/// The game's config with the net and the sizes that are asked for.
fn config(args: &BenchTrainArgs) -> Result<RunConfig> {
    let config = RunConfig::parse(args.common.game().facts().config, &[])?;
    let net = args.net.config(config.game)?;
    let best = match net {
        NetConfig::Conv(_) => 256,
        NetConfig::Sparse(_) => config.learner.batch,
    };
    let batch = args.batch.map_or(best, NonZero::get);
    let shard = args.shard.map_or(batch.div_ceil(4), NonZero::get);
    let learner = LearnerConfig { batch, shard, ..config.learner };
    learner.validate().map_err(CliError::usage)?;
    let replay = config.replay.holding(positions_wanted(&learner));
    Ok(RunConfig { net, learner, replay, ..config })
}

/// Positions in the window that is learnt, at least.
fn positions_wanted(learner: &LearnerConfig) -> u64 {
    (BATCHES * learner.batch) as u64
}

fn measure<G: Encode>(args: &BenchTrainArgs, config: &RunConfig) -> Result<TrainSpeed> {
    let model = args.net.model::<G>()?;
    let threads = args.common.threads.get();
    let window = window::<G>(args.net.backend, &model, config, threads)?;
    let mut learner = Learner::new(config.learner.clone(), &model, G::SHAPE, args.net.backend, threads);
    train_speed::<G>(&mut learner, config, &window, args.common.seconds)
}

/// A window of games of `model` with itself.
fn window<G: Encode>(backend: Backend, model: &Model, config: &RunConfig, threads: usize) -> Result<Window> {
    let precision = match &config.net {
        NetConfig::Sparse(_) => Precision::Int16,
        NetConfig::Conv(_) => Precision::Fp32,
    };
    let net = backend.for_play(&config.net).load_in(model, precision).map_err(CliError::usage)?;
    let selfplay = SelfPlayConfig { simulations: SIMULATIONS, full_share: 1.0, ..config.selfplay.clone() };
    let mut window = Window::new(config.replay.clone(), config.net.inputs());
    let mut generation = 0;
    while window.positions() < positions_wanted(&config.learner) {
        generation += 1;
        let plan = Plan {
            config: &selfplay,
            rules: config.rules,
            seed: config.seed,
            generation,
            games: GAMES,
            done: HashSet::new(),
            resign_below: None,
        };
        let (games, _) = play_all::<G>(&plan, &net, threads);
        window.add::<G>(games);
    }
    Ok(window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::GameId;

    fn args(game: GameId, batch: usize) -> BenchTrainArgs {
        let threads = NonZero::<usize>::MIN;
        BenchTrainArgs {
            common: Common { game: Some(game), threads, seconds: 1.0, json: true },
            net: Net { net: Some("sparse-128-attacks".parse().unwrap()), backend: Backend::Native },
            batch: NonZero::new(batch),
            shard: None,
        }
    }

    #[test]
    fn the_window_holds_what_is_wanted_of_it() {
        for game in GameId::ALL {
            for batch in [16, 1024, 32_768, 1 << 20] {
                let config = config(&args(game, batch)).unwrap();
                assert_eq!((config.game, config.learner.batch), (game, batch));
                for positions in [batch as u64, positions_wanted(&config.learner)] {
                    assert_eq!(config.replay.window(positions), positions, "{game}, batches of {batch}");
                }
            }
        }
    }

    #[test]
    fn a_batch_that_no_config_may_have_is_refused() {
        let error = config(&args(GameId::Dobutsu, usize::MAX)).unwrap_err().to_string();
        assert!(error.contains("learner.batch"), "{error}");
    }
}
