//! `sanki match`: two players against each other.

mod args;
mod node_match;
mod plain;
mod words;

use anyhow::Result;

pub use self::args::MatchArgs;
use super::{CliError, position};
use crate::with_game;

/// Runs the command.
pub fn run(args: MatchArgs) -> Result<()> {
    args.contest.begin_threads()?;
    let models = [args.a.model()?, args.b.model()?];
    let known = models.iter().flatten().next().map(|model| &model.meta);
    let game = args.game.or(known.map(|model| model.game)).ok_or_else(|| {
        CliError::usage("no game is named").help("add --game, since neither player is a model")
    })?;
    let rules = position::rule_set_for(game, args.rules.as_deref(), known)?;
    args.contest.check_html()?;
    if args.find_n50 {
        with_game!(game, G => node_match::run::<G>(&args, rules, &models))
    } else {
        with_game!(game, G => plain::run::<G>(&args, rules, &models))
    }
}
