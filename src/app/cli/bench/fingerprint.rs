//! Whether behaviour has changed: a number a game for rules, search and learning.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, json};

use crate::{
    app::cli::stdout,
    games::rules::GameId,
    net::{Isa, fingerprint},
    training::run::learning_fingerprint,
};

/// What is asked.
#[derive(Debug, clap::Args)]
pub struct BenchFingerprintArgs {
    /// Only this game [default: every game]
    #[arg(long)]
    game: Option<GameId>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Checksums in hexadecimal.
#[derive(Serialize)]
struct Numbers {
    rules: String,
    search: String,
    learning: String,
}

impl Numbers {
    fn of(game: GameId) -> Self {
        let [rules, search, learning] =
            [fingerprint::rules(game), fingerprint::search(game), learning_fingerprint(game)]
                .map(|number| format!("{number:08x}"));
        Numbers { rules, search, learning }
    }
}

pub fn run(args: &BenchFingerprintArgs) -> Result<()> {
    let games = args.game.map_or(GameId::ALL.to_vec(), |game| vec![game]);
    let isa = Isa::from_env()?;
    let mut out = stdout();
    if args.json {
        let mut all = Map::new();
        for game in games {
            all.insert(game.to_string(), serde_json::to_value(Numbers::of(game))?);
        }
        writeln!(out, "{}", json!({ "isa": isa, "games": all }))?;
        return Ok(());
    }
    writeln!(out, "{:<12}  {:>8}  {:>8}  {:>8}", "", "rules", "search", "learning")?;
    for game in games {
        let Numbers { rules, search, learning } = Numbers::of(game);
        writeln!(out, "{:<12}  {rules:>8}  {search:>8}  {learning:>8}", game.as_str())?;
    }
    writeln!(out, "(learning with the instruction set {isa})")?;
    Ok(())
}
