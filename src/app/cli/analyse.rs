//! `sanki analyse`: a game judged, move by move.

use std::{
    io::{self, Write},
    num::NonZero,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{CliError, interrupt, output::Force, position, record::RecordArgs, stdout};
use crate::{
    app::{
        engine::{NetChoice, choose_net, net_folders},
        report::{AnalysisPage, analysis_page, side_names},
    },
    arena::analysis::{Analysis, AnalysisNet, AnalysisOrders, Effort, JudgedMove, analyse},
    base::store::printable,
    games::{
        encode::Encode,
        notation::Notate,
        records::Record,
        rules::{GameId, Outcome, Reason, RuleSet, Side},
    },
    net::ModelFile,
    with_game,
};

/// Judge the moves of a game: a curve of the score, what each move lost, and what was better
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A score is the expected result of the first player: 1 for a win, 0 for a loss, 0.5 for a draw or an even \
game. The loss of a move is how much the expected result of its side fell, from the best move to the one \
played. The accuracy of a side is the mean over its moves: 100% for a move that lost nothing, 64% for one that lost a \
tenth of a game, 9% for one that lost half of it. The turning points are the three moves that lost most.

Examples:
  sanki analyse game.json --html game.html
  sanki analyse matches/first/games.jsonl --game-number 12 --sims 2000
  echo \"b2b3 a4a3\" > moves.txt; sanki analyse moves.txt --game dobutsu --json")]
pub struct AnalyseArgs {
    #[command(flatten)]
    record: RecordArgs,
    /// A checkpoint, a run's folder or an exported model [default: the net of the game in `checkpoints`]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Simulations per position [default: 800]
    #[arg(long, group = "budget")]
    sims: Option<NonZero<u32>>,
    /// Milliseconds per position, in place of simulations
    #[arg(long, group = "budget", value_name = "MS")]
    movetime: Option<NonZero<u32>>,
    /// Nodes of alpha-beta per position, in place of simulations
    #[arg(long, group = "budget", value_name = "N")]
    nodes: Option<NonZero<u64>>,
    /// Threads, each of which looks at a position of its own [default: one per core]
    #[arg(long, value_parser = super::threads)]
    threads: Option<NonZero<usize>>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write a page with the curve, the game on a board and all moves
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Moves that lost most, in JSON.
const WORST: usize = 5;
/// Moves of a line that are shown.
const LINE: usize = 8;

/// Runs the command.
pub fn run(args: &AnalyseArgs) -> Result<()> {
    if let Some(path) = &args.html {
        args.force.check(path)?;
    }
    let record = args.record.read()?;
    with_game!(record.game, G => judge::<G>(args, &record))
}

fn judge<G: Encode + Notate>(args: &AnalyseArgs, record: &Record) -> Result<()> {
    let (start, moves, outcome) = args.record.replay::<G>(record)?;
    let (model, net) = model(args, record)?;
    let effort = match (args.sims, args.movetime, args.nodes) {
        (Some(simulations), ..) => Effort::Simulations(simulations.get()),
        (_, Some(time), _) => Effort::Time(Duration::from_millis(time.get().into())),
        (.., Some(nodes)) => Effort::Nodes(nodes.get()),
        (None, None, None) => Effort::default(),
    };
    let loaded = Arc::new(AnalysisNet::<G>::load(model.as_ref())?);
    let stop = interrupt::flag();
    let bar = ProgressBar::new(moves.len() as u64 + 1);
    bar.set_style(
        ProgressStyle::with_template("{bar:24} {pos}/{len} positions  {elapsed}").expect("it is fixed"),
    );
    let orders = AnalysisOrders {
        effort,
        threads: args.threads.unwrap_or_else(super::cores),
        on_position: &mut |done| bar.set_position(done as u64),
        is_stopped: &|| stop.load(Ordering::Relaxed),
    };
    let analysis = analyse(&loaded, &start, &moves, orders);
    bar.finish_and_clear();
    let Some(analysis) = analysis else {
        return Err(CliError::interrupted("stopped before the analysis was complete").into());
    };
    let judged =
        Judged { record, analysis: &analysis, outcome, judge: format!("{net}, {effort}"), net, effort };
    // First the page: nobody may read what is printed.
    let written = args.html.as_ref().map_or(Ok(()), |path| {
        let title = format!("Analysis of {}", printable(&args.record.name()));
        args.force.write(path, judged.page(&title, &start.fen())?.as_bytes())
    });
    let mut out = stdout();
    if args.json {
        let printed = writeln!(out, "{}", judged.json()?);
        return written.and(Ok(printed?));
    }
    let printed = judged.write(&mut out);
    written.and(printed)?;
    if let Some(path) = &args.html {
        writeln!(out, "wrote {}; open it in a browser", path.display())?;
    }
    Ok(())
}

/// The net that judges, and its name.
fn model(args: &AnalyseArgs, record: &Record) -> Result<(Option<ModelFile>, String)> {
    if let Some(path) = &args.model {
        let model = ModelFile::read(path)?;
        position::check_game(record.game, &model.meta)?;
        return Ok((Some(model), printable(&path.display().to_string()).into_owned()));
    }
    let NetChoice { model, path, notes } = choose_net(record.game, record.rules, None, &net_folders());
    notes.iter().for_each(super::tell);
    let name = path.map_or_else(
        || "the rules alone".to_owned(),
        |path| printable(&path.display().to_string()).into_owned(),
    );
    Ok((model, name))
}

/// A game and what was found of it.
struct Judged<'a> {
    record: &'a Record,
    analysis: &'a Analysis,
    outcome: Option<Outcome>,
    /// Who judged and how long, in words.
    judge: String,
    net: String,
    effort: Effort,
}

/// The JSON object.
#[derive(Serialize)]
struct Json<'a> {
    game: GameId,
    rules: RuleSet,
    first: &'a str,
    second: &'a str,
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetime: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    result: Option<&'static str>,
    reason: Option<Reason>,
    /// At the start and after each move.
    scores: Vec<f32>,
    mean_loss: [Option<f32>; 2],
    accuracy: [Option<f32>; 2],
    /// The plies that lost most, the worst first.
    worst: Vec<usize>,
    /// The plies that changed the likely result most, in their order.
    turning_points: Vec<usize>,
    moves: Vec<JsonMove<'a>>,
}

#[derive(Serialize)]
struct JsonMove<'a> {
    ply: usize,
    side: Side,
    #[serde(rename = "move")]
    mv: &'a str,
    /// After the move.
    score: f32,
    words: String,
    loss: f32,
    best: &'a str,
    line: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    simulations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

impl Judged<'_> {
    fn names(&self) -> [&'static str; 2] {
        side_names(self.record.game)
    }

    fn json(&self) -> Result<String> {
        let (analysis, names) = (self.analysis, self.names());
        let (simulations, movetime, nodes) = match self.effort {
            Effort::Simulations(simulations) => (Some(simulations), None, None),
            Effort::Time(time) => (None, Some(time.as_millis() as u64), None),
            Effort::Nodes(nodes) => (None, None, Some(nodes)),
        };
        let mv = |mv| -> JsonMove<'_> {
            let JudgedMove { ply, side, mv, after, loss, best, spent, .. }: &JudgedMove = mv;
            JsonMove {
                ply: *ply,
                side: *side,
                mv,
                score: after.score,
                words: after.words(names),
                loss: *loss,
                best: &best[0],
                line: best,
                simulations: nodes.is_none().then_some(*spent),
                nodes: nodes.is_some().then_some(*spent),
            }
        };
        Ok(serde_json::to_string(&Json {
            game: self.record.game,
            rules: self.record.rules,
            first: &self.record.players[0],
            second: &self.record.players[1],
            model: &self.net,
            simulations,
            movetime,
            nodes,
            result: self.outcome.map(|outcome| outcome.verdict.as_str()),
            reason: self.outcome.map(|outcome| outcome.reason),
            scores: analysis.scores().collect(),
            mean_loss: [Side::First, Side::Second].map(|side| analysis.mean_loss(side)),
            accuracy: [Side::First, Side::Second].map(|side| analysis.accuracy(side)),
            worst: analysis.worst(WORST).iter().map(|mv| mv.ply).collect(),
            turning_points: analysis.turning_points().iter().map(|mv| mv.ply).collect(),
            moves: analysis.moves.iter().map(mv).collect(),
        })?)
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        let (analysis, names) = (self.analysis, self.names());
        let [first, second] = self.record.players.each_ref().map(|name| printable(name));
        let game = self.record.game;
        writeln!(out, "{game} ({}): {} {first}, {} {second}", self.record.rules, names[0], names[1])?;
        writeln!(out, "judged by {}", self.judge)?;
        writeln!(out, "scores are those of {}, the first player: 1 a win, 0 a loss\n", names[0])?;
        writeln!(
            out,
            "{:>4}  {:<7}{:<9}{:>6}{:>7}  {:<9}position after",
            "ply", "side", "move", "score", "lost", "best"
        )?;
        for mv in &analysis.moves {
            let lost = if mv.loss > 0.0 { format!("{:.2}", mv.loss) } else { String::new() };
            let best = if mv.best[0] == mv.mv { "" } else { &*mv.best[0] };
            writeln!(
                out,
                "{:>4}  {:<7}{:<9}{:>6.2}{lost:>7}  {best:<9}{}",
                mv.ply,
                names[mv.side.index()],
                mv.mv,
                mv.after.score,
                mv.after.words(names)
            )?;
        }
        self.write_turning_points(out)?;
        for side in [Side::First, Side::Second] {
            if let (Some(accuracy), Some(loss)) = (analysis.accuracy(side), analysis.mean_loss(side)) {
                let (name, percent) = (names[side.index()], 100.0 * accuracy);
                writeln!(out, "{name}: accuracy {percent:.0}%, lost {loss:.3} of a point a move on average")?;
            }
        }
        if let Some(outcome) = &self.outcome {
            writeln!(out, "result: {} by {}", outcome.verdict.as_str(), outcome.reason)?;
        }
        Ok(())
    }

    fn write_turning_points(&self, out: &mut impl Write) -> io::Result<()> {
        let names = self.names();
        let points = self.analysis.turning_points();
        if points.is_empty() {
            return writeln!(out, "\nno move lost anything to speak of");
        }
        writeln!(out, "\nturning points, the moves that lost most:")?;
        for mv in points {
            let line = mv.best.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" ");
            let side = names[mv.side.index()];
            let (before, after) = (mv.before.words(names), mv.after.words(names));
            writeln!(out, "{:>4}  {side} {} lost {:.2} ({before}; then {after})", mv.ply, mv.mv, mv.loss)?;
            writeln!(out, "      better: {line}")?;
        }
        Ok(())
    }

    fn page(&self, title: &str, start: &str) -> Result<String> {
        analysis_page(&AnalysisPage {
            title,
            game: self.record.game,
            rules: self.record.rules,
            players: self.record.players.each_ref().map(String::as_str),
            start,
            outcome: self.outcome,
            judge: &self.judge,
            analysis: self.analysis,
        })
    }
}
