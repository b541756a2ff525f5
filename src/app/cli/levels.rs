//! `sanki levels`: the levels of play of a net.

use std::{io::Write, num::NonZero, path::PathBuf};

use anyhow::{Result, ensure};

use super::{CliError, contest::games, interrupt, output::Force, stdout, tell};
use crate::{
    arena::{
        AlphaBetaPlayer, Conditions, Elo, LevelMatch, Levels, LevelsConfig, Player, PlayerBudget, embedded,
        extend_openings, measure_levels,
    },
    games::{encode::Encode, rules::Setup},
    net::{Backend, ModelFile, NetEvaluator, PlayConfig, PlayTable},
    search::Strength,
    with_game,
};

/// Plies after which a game is adjudicated.
const MAX_PLIES: u32 = 400;

/// Measure the levels of play of a net: 19 strengths below its full strength, equally far apart in Elo
///
/// Plays matches between neighbouring strengths, from one that moves almost at random to one that searches some thousand
/// nodes per move. The differences add up to a curve, on which the levels are evenly spaced. Then neighbouring levels play each
/// other, twice: the first time moves the levels, the second time shows how far they are apart. The published nets have
/// levels already.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sanki levels runs/first -o first.sanki
  sanki play --model first.sanki --level 3
  sanki levels checkpoints/shogi.sanki --games 400 --json")]
pub struct LevelsArgs {
    /// A checkpoint, an exported model, or a run's folder for its newest one
    #[arg(value_name = "NET")]
    net: PathBuf,
    /// Games of each match
    #[arg(long, default_value = "200", value_parser = games())]
    games: u32,
    /// The strength of the first level, from 0, which moves almost at random
    #[arg(long, value_name = "STRENGTH", default_value_t = 0.5, value_parser = strength)]
    first: f32,
    /// The greatest strength to measure: 10 searches 1,000 nodes per move, and each next number twice as many
    #[arg(long, value_name = "STRENGTH", default_value_t = 12.0, value_parser = strength)]
    last: f32,
    /// Write the net with its levels to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Threads, each with a game of its own [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<NonZero<usize>>,
    /// The seed of the openings and of the players' random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn strength(text: &str) -> Result<f32, String> {
    let number = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    Strength::new(number).map(|_| number)
}

/// Runs the command.
pub fn run(args: LevelsArgs) -> Result<()> {
    if args.first >= args.last {
        return Err(CliError::usage("--first has to be below --last").into());
    }
    if let Some(output) = &args.output {
        args.force.check(output)?;
    }
    let file = ModelFile::read(&args.net)?;
    with_game!(file.meta.game, G => measure::<G>(&args, file))
}

fn measure<G: Encode>(args: &LevelsArgs, mut file: ModelFile) -> Result<()> {
    file.check::<G>()?;
    let play = PlayConfig { threads: 1, ..file.play(&PlayTable::default()) };
    let net = Backend::Native.load_in(&file.model, play.precision)?;
    let player = |strength: Strength| -> Box<dyn Player<G>> {
        let play = PlayConfig { strength: Some(strength), ..play.clone() };
        let budget = PlayerBudget::Simulations(u32::MAX);
        Box::new(AlphaBetaPlayer::new(&play, budget, || NetEvaluator::new(net.evaluator(G::SHAPE))))
    };
    let pairs = args.games.div_ceil(2) as usize;
    let mut openings = embedded::<G>(file.meta.rules, Setup::Drawn, pairs, args.seed);
    extend_openings(&mut openings, pairs, args.seed);
    let threads = args.threads.unwrap_or_else(super::cores).get();
    let conditions = Conditions { max_plies: MAX_PLIES, seed: args.seed, threads };
    let config = LevelsConfig { first: args.first, last: args.last, games: args.games, conditions };
    let mut told = |played: &LevelMatch| {
        let LevelMatch { low, high, score, .. } = played;
        tell(format!("{high} against {low}: {:.1}%, Elo {}", 100.0 * score, in_words(played)));
    };
    let stop = interrupt::flag();
    let Some(levels) = measure_levels(&config, &openings, &player, stop, &mut told)? else {
        return Err(CliError::interrupted("the measurement was stopped").into());
    };
    ensure!(levels.step > 0.0, "no strength is stronger than the first: the net has not learnt enough");
    // First the file: nobody may read what is printed.
    let written = args.output.as_ref().map_or(Ok(()), |output| {
        file.meta.play.levels = Some(levels.levels);
        args.force.write(output, &file.to_compact()?.to_bytes())
    });
    let printed = report(args, &levels);
    written.and(printed)
}

/// The difference of a match between two strengths.
fn in_words(&LevelMatch { elo, elo_low: low, elo_high: high, .. }: &LevelMatch) -> String {
    format!("{elo:+.0} ({})", Elo { elo, low, high }.interval_in_words())
}

fn report(args: &LevelsArgs, levels: &Levels) -> Result<()> {
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(levels)?)?;
        return Ok(());
    }
    writeln!(out, "{:>5}  {:>8}  {:>6}  over the level below", "level", "strength", "Elo")?;
    for (place, strength) in levels.levels.iter().enumerate() {
        write!(out, "{:>5}  {strength:>8.2}  {:>+6.0}", place + 1, levels.step * place as f64)?;
        let below = place.checked_sub(1).map(|below| levels.levels[below]);
        let played =
            levels.ladder.iter().find(|played| Some(played.low) == below && played.high == *strength);
        if let Some(played) = played {
            write!(out, "  {}", in_words(played))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Elo is relative to level 1; level 20 is full strength")?;
    Ok(())
}
