//! `sanki bench`: speeds on this machine, what its threads are worth, and whether behaviour has changed.

mod fingerprint;
mod movegen;
mod net;
mod scale;
mod search;
mod selfplay;
mod train;

use std::{io::Write, num::NonZero};

use anyhow::Result;
use serde::Serialize;

use super::{CliError, stdout};
use crate::{
    games::{encode::Encode, rules::GameId},
    net::{Backend, Model, NetConfig, Sizes},
    training::run::RunConfig,
};

/// Measure speeds on this machine: rules, network, search, self-play, training; and tell whether behaviour changed
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = false)]
#[command(after_help = "\
Examples:
  sanki bench movegen --game shogi
  sanki bench net --net 6x64 --batch 1 --json
  sanki bench search --model checkpoints/minishogi.sanki --threads 2
  sanki bench selfplay --game minishogi --threads 2
  sanki bench train --game dobutsu
  sanki bench scale --config configs/shogi.toml --threads 1,2,4 --svg scale.svg
  sanki bench fingerprint")]
pub struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Perft nodes and random moves per second
    Movegen(movegen::BenchMovegenArgs),
    /// Evaluations per second
    Net(net::BenchNetArgs),
    /// Simulations per second in the search of one game
    Search(search::BenchSearchArgs),
    /// Moves per second in self-play
    Selfplay(selfplay::BenchSelfplayArgs),
    /// Samples per second in learning
    Train(train::BenchTrainArgs),
    /// Whole runs on 1, 2, 4 and more threads: positions per second, idle threads, the serial share
    Scale(scale::BenchScaleArgs),
    /// One number per game for rules, search and learning: another number means that behaviour changed
    Fingerprint(fingerprint::BenchFingerprintArgs),
}

/// What every benchmark is told.
#[derive(Debug, clap::Args)]
struct Common {
    /// The game, which sets the board and the encoding [default: shogi, or the game of --model]
    #[arg(long)]
    game: Option<GameId>,
    /// The number of threads
    #[arg(long, default_value = "1", value_parser = crate::app::cli::threads)]
    threads: NonZero<usize>,
    /// How many seconds to measure
    #[arg(long, default_value = "5", value_parser = seconds)]
    seconds: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Common {
    /// The game where no model names one.
    fn game(&self) -> GameId {
        self.game.unwrap_or(GameId::Shogi)
    }
}

/// A time that can be waited for: more than none, at most a day.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    const DAY: f64 = 86_400.0;
    let seconds: f64 = text.parse().map_err(|_| "it is not a number".to_owned())?;
    if seconds > 0.0 && seconds <= DAY {
        Ok(seconds)
    } else {
        Err(format!("it must be more than 0 and at most {DAY}"))
    }
}

/// The network that is measured: its weights are random, which changes nothing about its speed.
#[derive(Debug, clap::Args)]
struct Net {
    /// The net: a tower, as in 4x32 (blocks x channels), or a sparse net, as in sparse-256-attacks [default: that of the
    /// game's config]
    #[arg(long, value_name = "NET")]
    net: Option<NetConfig>,
    /// What computes the net: native or flex; also wgpu or cuda if they were built in; auto is a GPU if there is one, else native
    #[arg(long, default_value_t, value_parser = crate::app::cli::backend)]
    backend: Backend,
}

impl Net {
    /// Its kind and size: what is asked for, or that of the game's config.
    fn config(&self, game: GameId) -> Result<NetConfig> {
        match &self.net {
            Some(net) => Ok(net.clone()),
            None => Ok(RunConfig::parse(game.facts().config, &[])?.net),
        }
    }

    /// The network with random weights.
    ///
    /// # Errors
    /// When it is too large for the game.
    fn model<G: Encode>(&self) -> Result<Model> {
        let net = self.config(G::ID)?;
        net.check_for(&Sizes::of(&net, &G::SHAPE)).map_err(CliError::usage)?;
        Ok(Model::init(&net, G::SHAPE, 0))
    }
}

/// Runs the command.
pub fn run(args: BenchArgs) -> Result<()> {
    match args.what {
        What::Movegen(args) => movegen::run(&args),
        What::Net(args) => net::run(&args),
        What::Search(args) => search::run(&args),
        What::Selfplay(args) => selfplay::run(&args),
        What::Train(args) => train::run(&args),
        What::Scale(args) => scale::run(&args),
        What::Fingerprint(args) => fingerprint::run(&args),
    }
}

/// Prints figures as JSON, or one a line.
fn print(json: bool, figures: &impl Serialize) -> Result<()> {
    let value = serde_json::to_value(figures)?;
    let mut out = stdout();
    if json {
        writeln!(out, "{value}")?;
    } else if let serde_json::Value::Object(figures) = value {
        for (name, figure) in figures {
            match figure.as_f64().filter(|_| !figure.is_u64()) {
                Some(number) => writeln!(out, "{name:>28}  {number:.3}")?,
                None => writeln!(out, "{name:>28}  {}", figure.to_string().trim_matches('"'))?,
            }
        }
    }
    Ok(())
}
