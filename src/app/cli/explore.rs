//! `sanki explore`: what was played in a position, over many games, and how those games ended.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::Serialize;

use super::{
    CliError,
    book_format::BookFormat,
    convert::{self, Found, FoundGame},
    evaluate::Adviser,
    output::Force,
    position::{self, StartArgs},
    stdout, tell,
};
use crate::{
    app::report::side_names,
    arena::{Endings, Explorer, games_path},
    games::{
        book::Book,
        encode::Encode,
        notation::{Notate, style_in, write},
        records::{Format, Record},
        rules::{Game, GameId, Side},
    },
    with_game,
};

/// Look at openings over many games: what was played in a position, how often, and how it ended
#[derive(Debug, clap::Args)]
#[command(after_help = "\
GAMES are files that `sanki convert` reads, the folder of a match, or that of a run, whose games of self-play are \
taken. Ways that lead to the same position are counted together. The games of a match begin at its openings: --fen \
names one.

-o writes what was played at least --min-games times, up to --plies: a .book for the engine (OwnBook, BookFile), \
where the weight of a move is what it has scored; the same as a .db of YaneuraOu (shogi, minishogi); the last positions of all lines as .epd, for --openings; or the \
lines as .pgn (janggi, xiangqi, minixiangqi) or .usi (shogi, minishogi).

Examples:
  sanki explore runs/first
  sanki explore games.pgn --moves \"h3e3 h10g8\" --model checkpoints/xiangqi.sanki
  sanki explore runs/first --plies 12 --min-games 20 -o first.book")]
pub struct ExploreArgs {
    /// Files and folders with games
    #[arg(required = true, value_name = "GAMES")]
    inputs: Vec<PathBuf>,
    /// The game, if the files do not say
    #[arg(long)]
    game: Option<GameId>,
    /// The rule set, if the files do not say
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// Moves to play from that position first, separated by spaces
    #[arg(long)]
    moves: Option<String>,
    /// How many plies of each game count
    #[arg(long, default_value = "24", value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// Leave out moves of fewer games
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// A checkpoint, a run's folder or an exported net: also show what it says of each move
    #[arg(long)]
    model: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write a book, openings or lines
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
pub fn run(args: &ExploreArgs) -> Result<()> {
    let export = args.output.as_deref().map(Export::of).transpose()?;
    if let Some(path) = &args.output {
        args.force.check(path)?;
    }
    let inputs = args.inputs.iter().map(|path| files_of(path)).collect::<Result<Vec<_>>>()?.concat();
    let Found { games, failures } = convert::find(&inputs, args.game, args.rules.as_deref())?;
    for failure in &failures {
        tell(format_args!("warning: left out: {failure:#}"));
    }
    let Some(game) = args.game.or(games.first().map(|found| found.record.game)) else {
        return Err(no_games().into());
    };
    let others = games.iter().filter(|found| found.record.game != game).count();
    if others > 0 {
        tell(format_args!("warning: left out: {others} games that are not of {game}"));
    }
    let games: Vec<FoundGame> = games.into_iter().filter(|found| found.record.game == game).collect();
    with_game!(game, G => explore::<G>(args, &games, export))
}

fn no_games() -> CliError {
    CliError::failed("there are no games to look at")
}

/// The files with games that `path` means: itself, or those of the match or the run whose folder it is.
fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let games = games_path(path);
    if games.exists() {
        return Ok(vec![games]);
    }
    let records = path.join("records");
    let folder = if records.is_dir() { &records } else { path };
    let cannot_read = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in folder.read_dir().with_context(cannot_read)? {
        let file = entry.with_context(cannot_read)?.path();
        if file.extension().is_some_and(|end| end == "records") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = format!("{} is the folder of no match and of no run with games", path.display());
        return Err(CliError::failed(message).into());
    }
    Ok(files)
}

/// What is written to a file.
#[derive(Clone, Copy, Debug)]
enum Export {
    Book(BookFormat),
    Openings,
    Lines(Format),
}

impl Export {
    /// That which the name of a file asks for.
    fn of(path: &Path) -> Result<Export, CliError> {
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            Some("book") => Ok(Export::Book(BookFormat::Own)),
            Some("db") => Ok(Export::Book(BookFormat::YaneuraOu)),
            Some("epd") => Ok(Export::Openings),
            Some("pgn") => Ok(Export::Lines(Format::Pgn)),
            Some("usi") => Ok(Export::Lines(Format::Usi)),
            _ => {
                let message = format!("{}: its extension names nothing that can be written", path.display());
                Err(CliError::usage(message).help("known: book, db, epd, pgn, usi"))
            }
        }
    }
}

fn explore<G: Encode + Notate>(
    args: &ExploreArgs,
    games: &[FoundGame],
    export: Option<Export>,
) -> Result<()> {
    let rules = match (&args.rules, games.first()) {
        (None, Some(found)) => found.record.rules,
        _ => position::rule_set(G::ID, args.rules.as_deref())?,
    };
    let start: G = args.start.read(rules)?;
    let moves: Vec<&str> = args.moves.as_deref().unwrap_or_default().split_whitespace().collect();
    let line = position::follow(&start, &moves)?;
    let mut explorer = Explorer::<G>::default();
    for found in games {
        if let Err(error) = explorer.add_record(&found.record, args.plies as usize) {
            tell(format_args!("warning: left out: {:#}", found.failure(error.into())));
        }
    }
    if explorer.games() == 0 {
        return Err(no_games().into());
    }
    let last = line.moves.last().copied();
    let report = Report::of(&explorer, &line.game, last, args)?;
    // First the file: nobody may read what is printed.
    let written = match (export, &args.output) {
        (Some(export), Some(path)) => write_export(export, path, &explorer, &line.game, args),
        _ => Ok(()),
    };
    let mut out = stdout();
    let mut printed = if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)
    } else {
        report.write(&mut out, &line.game)
    };
    let is_elsewhere = report.here == 0 && args.start.fen.is_none() && !explorer.begins_at(&start);
    if is_elsewhere && !args.json && printed.is_ok() {
        printed = writeln!(out, "all {} games begin elsewhere; --fen names the position", report.games);
    }
    written?;
    Ok(printed?)
}

/// Writes the file that the user names, and says what is in it.
fn write_export<G: Notate>(
    export: Export,
    path: &Path,
    explorer: &Explorer<G>,
    start: &G,
    args: &ExploreArgs,
) -> Result<()> {
    let (text, count, what) = make(export, explorer, start, args)?;
    if count == 0 {
        let message = format!("there is nothing to write to {}", path.display());
        let help =
            "try another position (--fen) or fewer games (--min-games); a book needs games with results";
        return Err(CliError::failed(message).help(help).into());
    }
    args.force.write(path, text.as_bytes())?;
    tell(format_args!("{}: {count} {what}", path.display()));
    Ok(())
}

/// The text of a file, and how many of what are in it. Openings are positions in which the game goes on.
fn make<G: Notate>(
    export: Export,
    explorer: &Explorer<G>,
    start: &G,
    args: &ExploreArgs,
) -> Result<(String, usize, &'static str)> {
    if let Export::Book(format) = export {
        let book = explorer.book(args.min_games);
        return Ok((format.write(&book)?, book.len(), "positions"));
    }
    let mut lines = explorer.lines(start, args.plies as usize, args.min_games);
    if matches!(export, Export::Openings) {
        lines.retain(|line| goes_on(&end::<G>(start, line)));
    }
    let mut text = String::new();
    for (line, number) in lines.iter().zip(1..) {
        match export {
            Export::Lines(format) => {
                let record = Record {
                    game: G::ID,
                    rules: start.rules(),
                    number,
                    opening: None,
                    tags: Vec::new(),
                    players: ["?", "?"].map(str::to_owned),
                    start: start.fen(),
                    moves: line.iter().map(ToString::to_string).collect(),
                    outcome: None,
                };
                if !format.games().contains(&G::ID) {
                    let message = format!("{} cannot be written in this format", G::ID);
                    return Err(CliError::usage(message).help(known_for(G::ID)).into());
                }
                text += &format.write(&record)?;
            }
            Export::Openings | Export::Book(_) => {
                text += &format!("{} id \"{number}\";\n", end::<G>(start, line).fen());
            }
        }
    }
    Ok((text, lines.len(), "lines"))
}

/// What can be written of `game`, by the ends of names.
fn known_for(game: GameId) -> String {
    let is_for = [
        ("book", true),
        ("db", Book::has_yaneuraou(game)),
        ("epd", true),
        ("pgn", Format::Pgn.games().contains(&game)),
        ("usi", Format::Usi.games().contains(&game)),
    ];
    let known: Vec<&str> = is_for.iter().filter(|(_, is_for)| *is_for).map(|(end, _)| *end).collect();
    format!("known for {game}: {}", known.join(", "))
}

/// The position after `line`.
fn end<G: Game>(start: &G, line: &[G::Move]) -> G {
    let mut game = start.clone();
    line.iter().for_each(|&mv| game.play(mv));
    game
}

/// Whether a match can begin where `game` stands, without the moves before it.
fn goes_on<G: Game>(game: &G) -> bool {
    G::from_fen(game.rules(), &game.fen()).is_ok_and(|game| game.outcome_or_declaration().is_none())
}

/// What is said of a position; the keys of the JSON object.
#[derive(Serialize)]
struct Report {
    fen: String,
    /// Of all games, and of those in which something was played here.
    games: u32,
    here: u32,
    moves: Vec<MoveRow>,
}

/// A move, from the view of the side that played it.
#[derive(Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    mv: String,
    written: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// The mean of the games with a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// What the net's policy gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<f32>,
}

impl Report {
    fn of<G: Encode + Notate>(
        explorer: &Explorer<G>,
        game: &G,
        last: Option<G::Move>,
        args: &ExploreArgs,
    ) -> Result<Self> {
        let adviser = args.model.as_deref().map(|path| Adviser::read(path, None)).transpose()?;
        if let Some(adviser) = &adviser {
            position::check_game(G::ID, adviser.meta())?;
        }
        let opinion = match &adviser {
            Some(adviser) => adviser.opinion(game)?,
            None => None,
        };
        let (side, style) = (game.side_to_move(), style_in::<G>("en"));
        let played = explorer.moves(game);
        let here = played.iter().map(|(_, endings)| endings.games()).sum();
        let kept = played.into_iter().filter(|(_, endings)| endings.games() >= args.min_games);
        let row = |(mv, endings): (G::Move, Endings)| MoveRow {
            mv: mv.to_string(),
            written: write(game, last, mv, style),
            games: endings.games(),
            wins: endings.wins[side.index()],
            draws: endings.draws,
            losses: endings.wins[(!side).index()],
            score: endings.score(side),
            policy: opinion.as_ref().and_then(|opinion| opinion.policy_of(&mv.to_string())),
        };
        let moves = kept.map(row).collect();
        Ok(Report { fen: game.fen(), games: explorer.games(), here, moves })
    }

    fn write<G: Notate>(&self, out: &mut impl Write, game: &G) -> io::Result<()> {
        let side = side_names(G::ID)[usize::from(game.side_to_move() == Side::Second)];
        writeln!(out, "{}\n", self.fen)?;
        writeln!(out, "{} of {} games, {side} to move", self.here, self.games)?;
        if self.moves.is_empty() {
            return writeln!(out, "nothing was played here");
        }
        let has_net = self.moves.iter().any(|row| row.policy.is_some());
        let net = if has_net { "     net" } else { "" };
        writeln!(
            out,
            "\n{:<8}{:<10}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{net}",
            "move", "", "games", "share", "won", "drawn", "lost", "score"
        )?;
        for row in &self.moves {
            let percent = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
            let decided = row.wins + row.draws + row.losses;
            let [won, drawn, lost] = [row.wins, row.draws, row.losses].map(|part| percent(part, decided));
            let score = row.score.map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", 100.0 * score));
            let net = row.policy.map_or_else(String::new, |policy| format!("{:>7.1}%", 100.0 * policy));
            writeln!(
                out,
                "{:<8}{:<10}{:>8}{:>7.1}%{won:>7.1}%{drawn:>7.1}%{lost:>7.1}%{score:>8}{net}",
                row.mv,
                row.written,
                row.games,
                percent(row.games, self.here),
            )?;
        }
        Ok(())
    }
}
