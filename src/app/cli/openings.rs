//! `sanki openings`: makes a set of openings.

use std::{fmt::Write as _, io::Write as _, path::PathBuf};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::{CliError, interrupt, output::Force, position, stdout};
use crate::{
    arena::{GeneratorConfig, generate},
    games::rules::{Game, GameId, RuleSet},
    with_game,
};

/// Make a set of openings: random positions that a search without a net judges to be even
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints EPD, one position per line. For a large board, 512 openings take minutes on all cores. The same seed \
gives the same set.

Examples:
  sanki openings --game dobutsu --count 20
  sanki openings --game janggi --count 1600 --seed 7 -o janggi.epd")]
pub struct OpeningsArgs {
    /// The game: janggi, xiangqi, shogi, minixiangqi, minishogi or dobutsu
    #[arg(long)]
    game: GameId,
    /// The rule set [default: the game's first]
    #[arg(long)]
    rules: Option<String>,
    /// How many openings; there are fewer if the game does not have so many
    #[arg(long, default_value = "512", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
pub fn run(args: OpeningsArgs) -> Result<()> {
    let rules = position::rule_set(args.game, args.rules.as_deref())?;
    if let Some(path) = &args.output {
        args.force.check(path)?;
    }
    let epd = with_game!(args.game, G => make::<G>(rules, &args))
        .ok_or_else(|| CliError::interrupted("stopped: nothing was written"))?;
    match &args.output {
        Some(path) => args.force.write(path, epd.as_bytes())?,
        None => stdout().write_all(epd.as_bytes())?,
    }
    Ok(())
}

/// The set as EPD; `None` when interrupted.
fn make<G: Game>(rules: RuleSet, args: &OpeningsArgs) -> Option<String> {
    let config = GeneratorConfig { rules, count: args.count as usize, seed: args.seed };
    let bar = ProgressBar::new(config.count as u64);
    bar.set_style(
        ProgressStyle::with_template("{bar:24} {pos}/{len} openings  {elapsed} of about {duration}")
            .expect("the template is fixed"),
    );
    let openings = generate::<G>(&config, &|| bar.inc(1), interrupt::flag());
    bar.finish_and_clear();
    let mut epd = format!(
        "# sanki openings --game {} --rules {rules} --count {} --seed {}: a few random plies from the start, \
         judged even by a search that knows only the rules, no position or mirror image twice\n",
        G::ID,
        config.count,
        config.seed
    );
    for opening in openings? {
        writeln!(epd, "{} id \"{}\";", opening.game.fen(), opening.id).expect("writing to a string");
    }
    Some(epd)
}
