//! `sanki book`: a book of openings, made by a net's searches.

use std::{
    io::Write,
    num::NonZero,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    CliError,
    book_format::BookFormat,
    interrupt,
    output::Force,
    position::{StartArgs, rule_set_for},
    stdout, tell,
};
use crate::{
    app::engine::{NetChoice, choose_net, net_folders},
    arena::{
        BookBuilder, BookLimits,
        analysis::{AnalysisNet, Effort},
    },
    games::{
        book::Book,
        encode::Encode,
        notation::{Notate, style_in, write_line},
        rules::GameId,
    },
    net::ModelFile,
    with_game,
};

/// Make a book of openings by a net's searches, for the engine to play from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The book grows from the start: good lines are followed far, doubtful ones less. Scores go back from the ends of the \
lines, so moves are compared by what lies behind them. The best move of a position weighs 100, one that is half of \
--margin worse weighs 50. The engine draws by weight (OwnBook, BookFile). Measure a book by a match before you use it. \
`sanki explore` makes books of games instead.

Ctrl-C ends it early, and writes what was found so far. The same net and numbers make the same book.

Examples:
  sanki book --game xiangqi -o xiangqi.book
  sanki book --model runs/first --positions 1000 --nodes 1000000 -o deep.book
  sanki book --game shogi --handicap rook -o rook.book")]
pub struct BookArgs {
    /// The game, if no net is named
    #[arg(long)]
    game: Option<GameId>,
    /// A checkpoint, a run's folder or an exported net [default: the net of the game in `checkpoints`]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The rule set [default: that of the net, or the game's]
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// Positions that are looked at
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
    /// Nodes of alpha-beta for each position
    #[arg(long, value_name = "N", default_value = "200000")]
    nodes: NonZero<u64>,
    /// Plies from the start after which the book ends
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// Moves of a position that are compared
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=100))]
    lines: u32,
    /// How much worse than the best a move of the book may be, as a share of a game: 0.03 is three games of a hundred
    #[arg(long, value_name = "SHARE", default_value = "0.03", value_parser = margin)]
    margin: f32,
    /// Threads, each of which looks at a position of its own [default: one per core]
    #[arg(long, value_parser = super::threads)]
    threads: Option<NonZero<usize>>,
    /// The book, named .book, or .db for one of YaneuraOu (shogi, minishogi)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

fn margin(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(margin) if margin > 0.0 && margin <= 1.0 => Ok(margin),
        _ => Err("a margin is more than 0 and at most 1".to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &BookArgs) -> Result<()> {
    let format = BookFormat::of(&args.output)?;
    args.force.check(&args.output)?;
    let named = args.model.as_deref().map(ModelFile::read).transpose()?;
    let Some(game) = args.game.or(named.as_ref().map(|model| model.meta.game)) else {
        return Err(CliError::usage("which game?").help("--game or --model").into());
    };
    // Better said before the work than after it.
    format.write(&Book::new(game))?;
    with_game!(game, G => make::<G>(args, format, named))
}

fn make<G: Encode + Notate>(args: &BookArgs, format: BookFormat, named: Option<ModelFile>) -> Result<()> {
    let rules = rule_set_for(G::ID, args.rules.as_deref(), named.as_ref().map(|model| &model.meta))?;
    let start: G = args.start.read(rules)?;
    if start.outcome_or_declaration().is_some() {
        return Err(CliError::failed("the game is over at the start").into());
    }
    let model = if let Some(model) = named {
        model
    } else {
        let NetChoice { model, notes, .. } = choose_net(G::ID, rules, None, &net_folders());
        notes.iter().for_each(tell);
        model.ok_or_else(|| {
            CliError::failed(format!("there is no net of {}", G::ID)).help("--model names one")
        })?
    };
    let net = Arc::new(AnalysisNet::<G>::load(Some(&model))?);
    let mut builder = BookBuilder::new(BookLimits {
        positions: args.positions as usize,
        plies: args.plies,
        lines: args.lines as usize,
        margin: args.margin,
        effort: Effort::Nodes(args.nodes.get()),
        threads: args.threads.unwrap_or_else(super::cores),
    });
    let stop = interrupt::flag();
    let bar = ProgressBar::new(args.positions.into());
    bar.set_style(
        ProgressStyle::with_template("{bar:24} {pos}/{len} positions  {elapsed} (left: {eta})")
            .expect("it is fixed"),
    );
    let is_stopped = || stop.load(Ordering::Relaxed);
    builder.grow(&net, &start, &mut |done| bar.set_position(done as u64), &is_stopped);
    bar.finish_and_clear();
    if builder.is_empty() {
        return Err(CliError::interrupted("stopped before the first positions were looked at").into());
    }
    let text = format.write(&builder.book())?;
    args.force.write(&args.output, text.as_bytes())?;
    let printed = say(args, &builder, &start);
    if is_stopped() {
        return Err(CliError::interrupted("stopped early: the book has what was found until then").into());
    }
    printed
}

/// What is in the book, and its main line.
fn say<G: Encode + Notate>(args: &BookArgs, builder: &BookBuilder<G>, start: &G) -> Result<()> {
    let (line, score) = builder.main_line();
    let words = write_line(start, None, &line, style_in::<G>("en"));
    let mut out = stdout();
    writeln!(out, "{}: {} positions", args.output.display(), builder.len())?;
    writeln!(out, "best line: {} ({:.1}% for the side to move)", words.join(" "), 100.0 * score)?;
    Ok(())
}
