//! `sanki show`: a position, its legal moves and its result.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use super::{CliError, position};
use crate::{
    rules::{Declaration, Game, GameId, Outcome, Reason, RuleSet, Side},
    with_game,
};

/// Show a position: board, side to move, legal moves, check, and the result with the rule that decided it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sanki show --game dobutsu --moves \"b2b3 c4b3\"
  sanki show --game minishogi --fen \"4k/5/5/5/K4[R] w - - 0 1\" --json
  echo '{\"game\":\"dobutsu\",\"moves\":\"b2b3\"}' | sanki show --stdin")]
pub struct Args {
    /// The game: shogi, minishogi or dobutsu
    #[arg(long, required_unless_present = "stdin")]
    game: Option<GameId>,
    /// The rule set; the game's first by default
    #[arg(long)]
    rules: Option<String>,
    /// The position, as a FEN or an SFEN; the start by default
    #[arg(long)]
    fen: Option<String>,
    /// Moves to play from there, with spaces between
    #[arg(long)]
    moves: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Read one JSON request a line, {"game","rules"?,"fen"?,"moves"?}, and print one JSON object for each
    #[arg(long, conflicts_with_all = ["game", "rules", "fen", "moves"])]
    stdin: bool,
}

/// One position asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    game: GameId,
    rules: Option<String>,
    fen: Option<String>,
    moves: Option<Moves>,
}

/// Moves in one text, with spaces between, or in a list.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "moves must be a text or a list of texts")]
enum Moves {
    Text(String),
    List(Vec<String>),
}

impl Moves {
    fn texts(&self) -> Vec<&str> {
        match self {
            Moves::Text(text) => text.split_whitespace().collect(),
            Moves::List(texts) => texts.iter().map(String::as_str).collect(),
        }
    }
}

/// What is said about a position; the keys of the JSON object.
#[derive(Debug, Serialize)]
struct Report {
    fen: String,
    side: Side,
    check: bool,
    legal: Vec<String>,
    outcome: Option<End>,
    ended_at: Option<u32>,
    /// In shogi only.
    #[serde(skip_serializing_if = "Option::is_none")]
    declare: Option<Option<&'static str>>,
}

/// An outcome as JSON.
#[derive(Debug, Serialize)]
struct End {
    result: &'static str,
    reason: Reason,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<[f32; 2]>,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        End { result: outcome.verdict.as_str(), reason: outcome.reason, points: outcome.points }
    }
}

impl Report {
    fn of<G: Game>(game: &G, ended_at: Option<u32>) -> Self {
        let declaration = game.declaration().map(|declaration| match declaration {
            Declaration::Win => "win",
            Declaration::Draw => "draw",
        });
        Report {
            fen: game.fen(),
            side: game.side_to_move(),
            check: game.is_check(),
            legal: position::legal_moves(game),
            outcome: game.outcome().map(End::from),
            ended_at,
            declare: (G::ID == GameId::Shogi).then_some(declaration),
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match args.game {
        None => answer_lines(io::stdin().lock(), &mut out)?,
        Some(game) => {
            let request =
                Request { game, rules: args.rules, fen: args.fen, moves: args.moves.map(Moves::Text) };
            let (report, board) = answer(&request)?;
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&report)?)?;
            } else {
                write_report(&mut out, &report, &board)?;
            }
        }
    }
    Ok(())
}

/// The report and the drawn board.
fn answer(request: &Request) -> Result<(Report, String), CliError> {
    let rules = position::rule_set(request.game, request.rules.as_deref())?;
    with_game!(request.game, G => answer_for::<G>(rules, request))
}

fn answer_for<G: Game>(rules: RuleSet, request: &Request) -> Result<(Report, String), CliError> {
    let mut game: G = position::read(rules, request.fen.as_deref())?;
    let ended_at = position::play(&mut game, &request.moves.as_ref().map(Moves::texts).unwrap_or_default())?;
    Ok((Report::of(&game, ended_at), game.board()))
}

/// One line out for each line in; a bad one is answered with its error.
fn answer_lines(mut input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let answer = serde_json::from_slice(&line)
            .map_err(|error| format!("unreadable request: {error}"))
            .and_then(|request| answer(&request).map_err(|error| error.to_string()));
        let text = match answer {
            Ok((report, _)) => serde_json::to_string(&report)?,
            Err(error) => serde_json::json!({ "error": error }).to_string(),
        };
        writeln!(out, "{text}")?;
        line.clear();
    }
    Ok(())
}

fn write_report(out: &mut impl Write, report: &Report, board: &str) -> io::Result<()> {
    writeln!(out, "{board}\n\nfen: {}", report.fen)?;
    writeln!(out, "check: {}", if report.check { "yes" } else { "no" })?;
    if let Some(Some(declare)) = report.declare {
        writeln!(out, "declaration: {declare}")?;
    }
    match (&report.outcome, report.ended_at) {
        (Some(end), Some(ply)) => {
            write!(out, "result: {} by {}, after {ply} moves", end.result, end.reason)?;
            if let Some([first, second]) = end.points {
                write!(out, ", points {first} to {second}")?;
            }
            writeln!(out)
        }
        _ => writeln!(out, "legal moves ({}): {}", report.legal.len(), report.legal.join(" ")),
    }
}
