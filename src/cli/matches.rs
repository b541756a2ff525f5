//! `sanki match`: two players against each other.

use std::{
    io::{self, Write},
    num::NonZero,
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    CliError, interrupt,
    players::{Entrant, PlayerSpec},
    position::{self, SetupArg},
};
use crate::{
    arena::{MatchConfig, MatchResult, MoveBudget, Tally, openings, play_match},
    encode::Encode,
    net::{Backend, ModelFile},
    rules::{GameId, RuleSet, Setup},
    with_game,
};

/// Play two players against each other, from paired openings with colours swapped
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: random; uniform, the yardstick (a search that knows nothing); a checkpoint; a run's folder.
Each may carry its own budget: @sims=N, @nodes=N or @movetime=MS.

Examples:
  sanki match runs/first uniform --sims 32
  sanki match runs/first/checkpoints/gen-000040.sanki uniform@sims=256 --games 400 --json
  sanki match random uniform@sims=8 --game dobutsu")]
pub struct Args {
    /// The first player: the result is from its view
    #[arg(value_name = "A")]
    a: PlayerSpec,
    /// The second player
    #[arg(value_name = "B")]
    b: PlayerSpec,
    /// The game; by default that of a model among the players
    #[arg(long)]
    game: Option<GameId>,
    /// The rule set; by default that of a model, or the game's first
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
    /// Games, two from each opening
    #[arg(long, default_value = "400")]
    games: NonZero<u32>,
    /// Simulations a move, for players without their own budget [default: 32]
    #[arg(long, group = "budget")]
    sims: Option<NonZero<u32>>,
    /// The same as --sims: a simulation adds one node
    #[arg(long, group = "budget")]
    nodes: Option<NonZero<u32>>,
    /// Milliseconds a move, for players without their own budget
    #[arg(long, group = "budget", value_name = "MS")]
    movetime: Option<NonZero<u32>>,
    /// Of the openings and of the players' ties
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games that last so many plies are adjudicated
    #[arg(long, default_value = "512")]
    max_plies: NonZero<u32>,
    /// Games at once [default: one a core]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// What computes the nets' answers: native or flex, and wgpu or cuda where they were built in
    #[arg(long, default_value_t)]
    backend: Backend,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    fn budget(&self) -> MoveBudget {
        match (self.sims.or(self.nodes), self.movetime) {
            (Some(simulations), _) => MoveBudget::Simulations(simulations.get()),
            (None, Some(time)) => MoveBudget::MoveTime(Duration::from_millis(time.get().into())),
            (None, None) => MoveBudget::Simulations(32),
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let models = [args.a.model()?, args.b.model()?];
    let known = models.iter().flatten().next().map(|model| &model.meta);
    let game = args.game.or(known.map(|model| model.game)).ok_or_else(|| {
        CliError::usage("no game is named").help("add --game, since neither player is a model")
    })?;
    let rules = position::rule_set_for(game, args.rules.as_deref(), known)?;
    let result = with_game!(game, G => play::<G>(&args, rules, &models)?);
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&result)?)?;
    } else {
        write_result(&mut io::stdout().lock(), &result)?;
    }
    if interrupt::flag().load(Ordering::Relaxed) {
        return Err(CliError::interrupted("stopped: the result is that of the games finished").into());
    }
    Ok(())
}

fn play<G: Encode>(args: &Args, rules: RuleSet, models: &[Option<ModelFile>; 2]) -> Result<MatchResult> {
    let a = Entrant::new::<G>(&args.a, models[0].as_ref(), args.budget(), args.backend)?;
    let b = Entrant::new::<G>(&args.b, models[1].as_ref(), args.budget(), args.backend)?;
    let config = MatchConfig {
        games: args.games.get(),
        max_plies: args.max_plies.get(),
        seed: args.seed,
        threads: args.threads.unwrap_or_else(super::cores).get(),
    };
    let openings =
        openings::<G>(rules, args.setup.or::<G>(Setup::Drawn)?, config.games.div_ceil(2) as usize, args.seed);
    let bar = ProgressBar::new(config.games.into());
    bar.set_style(
        ProgressStyle::with_template("{bar:24} {pos}/{len} games  {elapsed} of about {duration}  {msg}")
            .expect("the template is fixed"),
    );
    let progress = |tally: &Tally| {
        bar.set_position(tally.games().into());
        let elo = tally.elo();
        bar.set_message(format!(
            "+{} ={} -{}  Elo {:+.0} [{:+.0}, {:+.0}]",
            tally.wins, tally.draws, tally.losses, elo.elo, elo.low, elo.high
        ));
    };
    let result =
        play_match::<G>(&openings, &config, &|| a.player(), &|| b.player(), &progress, interrupt::flag());
    bar.finish_and_clear();
    Ok(result)
}

fn write_result(out: &mut impl Write, result: &MatchResult) -> io::Result<()> {
    let Tally { wins, draws, losses, pentanomial } = result.tally;
    writeln!(out, "games {} from {} openings: +{wins} ={draws} -{losses}", result.games, result.openings)?;
    writeln!(out, "score {:.1}%", 100.0 * result.score)?;
    writeln!(out, "Elo {:+.1}, 95% interval {:+.1} to {:+.1}", result.elo, result.elo_low, result.elo_high)?;
    writeln!(out, "pairs by points (0, 1/2, 1, 1 1/2, 2): {pentanomial:?}")?;
    let reasons: Vec<String> =
        result.reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
    writeln!(out, "plies a game {:.1}; ended by {}", result.mean_plies, reasons.join(", "))
}
