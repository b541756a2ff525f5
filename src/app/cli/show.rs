//! `sanki show`: a position, its legal moves and its result.

use std::{
    io::{self, BufRead, Write},
    num::NonZero,
    path::PathBuf,
};

use serde::{Deserialize, Serialize};

use super::{
    CliError,
    evaluate::{Adviser, Opinion},
    features::Encoded,
    position::{self, End, Moves, SetupArg, StartArgs},
    stdout,
};
use crate::{
    base::store::{LineRead, read_line},
    games::{
        encode::Encode,
        notation::Notate,
        rules::{Declaration, Game, GameId, RuleSet, Side},
    },
    net::ModelMeta,
    with_game,
};

/// Show a position: board, side to move, legal moves, check, and the result with the rule that decided it
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("as_json").args(["json", "stdin"]).multiple(true))]
#[command(after_help = "\
With --model it also shows what the net says. In JSON these are the keys \"wdl\":[win,draw,loss] for the \
side to move and \"policy\":{move:probability}; with --sims also \"visits\":{move:number}, \"best\" and \
\"search_wdl\".

With --features it also prints the input of a net, under the key \
\"features\":{\"active\",\"scalars\",\"moves\",\"shape\",\"encoding_version\"}: \"active\" lists \
{\"plane\",\"status\",\"square\"}, and \"moves\" has the policy index of each legal move. docs/nets.md \
explains them.

When the game is over, all these keys are absent.

Examples:
  sanki show --game dobutsu --moves \"b2b3 c4b3\"
  sanki show --game minishogi --fen \"4k/5/5/5/K4[R] w - - 0 1\" --json
  sanki show --model runs/first --moves \"b2b3 c4b3\" --sims 400
  echo '{\"game\":\"dobutsu\",\"moves\":\"b2b3\"}' | sanki show --stdin
  sanki show --game minishogi --features --json")]
pub struct ShowArgs {
    /// The game: janggi, xiangqi, shogi, minixiangqi, minishogi or dobutsu [default: that of the model]
    #[arg(long, required_unless_present_any = ["stdin", "model"])]
    game: Option<GameId>,
    /// The rule set [default: that of the model, else the game's first]
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// Moves to play from that position, separated by spaces
    #[arg(long)]
    moves: Option<String>,
    /// A checkpoint, or a run's folder for its newest one: also show what its net says
    #[arg(long)]
    model: Option<PathBuf>,
    /// Also search with that net, with this many simulations
    #[arg(long, requires = "model")]
    sims: Option<NonZero<u32>>,
    /// Also print the input of a net for the position, and the policy index of each legal move
    #[arg(long, requires = "as_json")]
    features: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Read one JSON request per line, {"game","rules"?,"fen"?,"moves"?}, and print one JSON object for each
    #[arg(long, conflicts_with_all = ["game", "rules", "fen", "setup", "handicap", "moves"])]
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
    #[serde(skip)]
    setup: SetupArg,
}

/// What is said about a position; the keys of the JSON object.
#[derive(Debug, Serialize)]
struct Report {
    fen: String,
    side: Side,
    check: bool,
    /// What no game from the start can lead to.
    #[serde(skip_serializing_if = "Option::is_none")]
    unusual: Option<String>,
    legal: Vec<String>,
    outcome: Option<End>,
    ended_at: Option<u32>,
    /// In shogi only.
    #[serde(skip_serializing_if = "Option::is_none")]
    declare: Option<Option<&'static str>>,
    /// Of a model, where one was asked and the game goes on.
    #[serde(flatten)]
    opinion: Option<Opinion>,
    /// For a net, where that was asked and the game goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Encoded>,
}

/// What is asked about every position.
struct Questions {
    /// For an opinion.
    adviser: Option<Adviser>,
    /// Whether its features are wanted.
    features: bool,
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
            unusual: game.unusual(),
            legal: position::legal_moves(game),
            outcome: game.outcome().map(End::from),
            ended_at,
            declare: G::ID.facts().has_declarations.then_some(declaration),
            opinion: None,
            features: None,
        }
    }
}

/// Runs the command.
pub fn run(args: ShowArgs) -> anyhow::Result<()> {
    let mut out = stdout();
    let adviser = args.model.as_deref().map(|path| Adviser::read(path, args.sims)).transpose()?;
    let questions = Questions { adviser, features: args.features };
    if args.stdin {
        return answer_lines(&questions, io::stdin().lock(), &mut out);
    }
    let game = args.game.or(questions.meta().map(|meta| meta.game));
    let game = game.expect("clap asks for --game without --model");
    let moves = args.moves.map(Moves::Text);
    let StartArgs { fen, setup } = args.start;
    let request = Request { game, rules: args.rules, fen, moves, setup };
    let (report, board) = questions.answer(&request)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        write_report(&mut out, &report, &board)?;
    }
    Ok(())
}

impl Questions {
    /// What the adviser's model is.
    fn meta(&self) -> Option<&ModelMeta> {
        self.adviser.as_ref().map(Adviser::meta)
    }

    /// The report and the drawn board.
    fn answer(&self, request: &Request) -> Result<(Report, String), CliError> {
        let rules = position::rule_set_for(request.game, request.rules.as_deref(), self.meta())?;
        with_game!(request.game, G => self.answer_for::<G>(rules, request))
    }

    fn answer_for<G: Encode + Notate>(
        &self,
        rules: RuleSet,
        request: &Request,
    ) -> Result<(Report, String), CliError> {
        let mut game: G = position::read(rules, request.fen.as_deref(), &request.setup)?;
        let moves = request.moves.as_ref().map(Moves::texts).unwrap_or_default();
        let ended_at = position::play(&mut game, &moves)?;
        let opinion = self.adviser.as_ref().map(|adviser| adviser.opinion(&game)).transpose()?.flatten();
        let features = if self.features { Encoded::of(&game) } else { None };
        Ok((Report { opinion, features, ..Report::of(&game, ended_at) }, game.board()))
    }
}

/// Answers the requests in `input` as `sanki show --stdin` does without other arguments.
///
/// # Errors
/// Those of the input and the output.
pub fn answer_requests(input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    answer_lines(&Questions { adviser: None, features: true }, input, out)
}

/// Bytes of a request at most: thousands of moves.
const LONGEST_REQUEST: usize = 1 << 20;

/// One line out for each line in; a bad one is answered with its error.
fn answer_lines(questions: &Questions, mut input: impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    let mut line = Vec::new();
    loop {
        let request = match read_line(&mut input, &mut line, LONGEST_REQUEST)? {
            LineRead::End => return Ok(()),
            LineRead::Cut => Err(format!("unreadable request: it has more than {LONGEST_REQUEST} bytes")),
            LineRead::Whole => serde_json::from_slice(position::without_mark(&line))
                .map_err(|error| format!("unreadable request: {error}")),
        };
        let answer =
            request.and_then(|request| questions.answer(&request).map_err(|error| error.to_string()));
        let text = match answer {
            Ok((report, _)) => serde_json::to_string(&report)?,
            Err(error) => serde_json::json!({ "error": error }).to_string(),
        };
        writeln!(out, "{text}")?;
    }
}

fn write_report(out: &mut impl Write, report: &Report, board: &str) -> io::Result<()> {
    writeln!(out, "{}\n\nfen: {}", board.trim_end(), report.fen)?;
    writeln!(out, "check: {}", if report.check { "yes" } else { "no" })?;
    if let Some(why) = &report.unusual {
        writeln!(out, "unusual: {why}")?;
    }
    if let Some(Some(declare)) = report.declare {
        writeln!(out, "declaration: {declare}")?;
    }
    match (&report.outcome, report.ended_at) {
        (Some(end), Some(ply)) => {
            write!(out, "result: {} by {}, after {ply} moves", end.result, end.reason)?;
            if let Some([first, second]) = end.points {
                write!(out, ", points {first} to {second}")?;
            }
            writeln!(out)?;
        }
        _ => writeln!(out, "legal moves ({}): {}", report.legal.len(), report.legal.join(" "))?,
    }
    report.opinion.as_ref().map_or(Ok(()), |opinion| opinion.write(out))
}
