//! `sanki perft`: counts the leaves of the tree of legal moves.

use std::{
    io::{self, Write},
    time::Instant,
};

use serde_json::json;

use super::{
    position::{self, StartArgs},
    stdout,
};
use crate::{
    games::rules::{Game, GameId, RuleSet, divide},
    with_game,
};

/// The greatest depth that can be asked for.
const MAX_DEPTH: i64 = 64;

/// Count the positions after every sequence of N moves, to check the move generator against known counts
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sanki perft --game dobutsu --depth 8 --divide
  sanki perft --game minishogi --fen \"4k/5/5/5/K4[R] w - - 0 1\" --depth 3")]
pub struct PerftArgs {
    /// The game: janggi, xiangqi, shogi, minixiangqi, minishogi or dobutsu
    #[arg(long)]
    game: GameId,
    /// The rule set [default: the game's first]
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// How many moves deep
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MAX_DEPTH))]
    depth: u32,
    /// Also print the count of each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object: nodes, seconds, mnps (millions of nodes per second) and divide, if asked for
    #[arg(long)]
    json: bool,
}

/// Counts of the first moves, by the move's text.
type Divided = Vec<(String, u64)>;

/// Runs the command.
pub fn run(args: PerftArgs) -> anyhow::Result<()> {
    let rules = position::rule_set(args.game, args.rules.as_deref())?;
    with_game!(args.game, G => count::<G>(rules, &args))
}

fn count<G: Game>(rules: RuleSet, args: &PerftArgs) -> anyhow::Result<()> {
    let game: G = args.start.read(rules)?;
    let start = Instant::now();
    let divided = (args.divide && args.depth > 0).then(|| divided(&game, args.depth));
    let nodes = match &divided {
        Some(counts) => counts.iter().map(|(_, nodes)| nodes).sum(),
        None => game.perft(args.depth),
    };
    // A clock that did not move would make the rate infinite, which JSON cannot say.
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let mnps = nodes as f64 / seconds / 1e6;

    let mut out = stdout();
    if args.json {
        let mut object = json!({ "nodes": nodes, "seconds": seconds, "mnps": mnps });
        if let Some(counts) = divided {
            object["divide"] = counts.into_iter().map(|(mv, nodes)| (mv, json!(nodes))).collect();
        }
        writeln!(out, "{object}")?;
    } else {
        write_counts(&mut out, &divided.unwrap_or_default())?;
        writeln!(out, "{nodes} nodes in {seconds:.3} s, {mnps:.1} million a second, 1 thread")?;
    }
    Ok(())
}

fn divided<G: Game>(game: &G, depth: u32) -> Divided {
    let counts = divide(game, depth, &|| false).expect("nothing stops it");
    let mut counts: Divided = counts.into_iter().map(|(mv, nodes)| (mv.to_string(), nodes)).collect();
    counts.sort_unstable();
    counts
}

fn write_counts(out: &mut impl Write, counts: &[(String, u64)]) -> io::Result<()> {
    counts.iter().try_for_each(|(mv, nodes)| writeln!(out, "{mv}: {nodes}"))
}
