//! `sanki convert`: records from one format to another.

mod own;

use std::{
    collections::HashSet,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use encoding_rs::SHIFT_JIS;
use serde::Serialize;

use super::{CliError, output::Force, position};
use crate::{
    records::{Format, Given, Record},
    rules::GameId,
    store::{printable, read_at_most},
};

/// Convert records of games: Sanki's own to those of other programs, and back
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file extensions choose the formats: .jsonl (a match's games.jsonl), .records (self-play; only read), \
.pgn (janggi, xiangqi, minixiangqi), .kif, .kifu and .csa (shogi, one game per file), .usi (shogi, minishogi \
and dobutsu, one line per game, without results).

Examples:
  sanki convert matches/first/games.jsonl -o first.pgn
  sanki convert games.jsonl --game shogi -o 'kif/{}.kif'
  sanki convert runs/first/records/gen-000010.records -o ten.jsonl
  sanki convert a.kif b.csa -o both.usi")]
pub struct Args {
    /// The files to read
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// The file to write; with {} in its name, each game has its own file, and {} is the number of the game
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// The game, if a file does not say
    #[arg(long)]
    game: Option<GameId>,
    /// The rule set, if a file does not say
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object: games, files
    #[arg(long)]
    json: bool,
}

/// What a file's name says of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Games of a match.
    Games,
    /// Self-play.
    Sealed,
    /// A text of other programs; in Shift JIS where that is so by custom.
    Text(Format, Encoding),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    ShiftJis,
}

impl Kind {
    fn of(path: &Path) -> Result<Kind, CliError> {
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        Ok(match end.as_deref() {
            Some("jsonl") => Kind::Games,
            Some("records") => Kind::Sealed,
            Some("pgn") => Kind::Text(Format::Pgn, Encoding::Utf8),
            Some("kif") => Kind::Text(Format::Kif, Encoding::ShiftJis),
            Some("kifu") => Kind::Text(Format::Kif, Encoding::Utf8),
            Some("csa") => Kind::Text(Format::Csa, Encoding::Utf8),
            Some("usi") => Kind::Text(Format::Usi, Encoding::Utf8),
            _ => {
                let message = format!("{} has no extension that names a format", path.display());
                return Err(CliError::usage(message).help("known: jsonl, records, pgn, kif, kifu, csa, usi"));
            }
        })
    }
}

/// Bytes of a file at most: a million games.
const MOST_BYTES: u64 = 1 << 30;

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let kind = Kind::of(&args.output)?;
    if kind == Kind::Sealed {
        return Err(CliError::usage("records of self-play (.records) can only be read").into());
    }
    let mut records = Vec::new();
    for path in &args.inputs {
        records.extend(read(path, &args)?);
    }
    // Games of several files, or of none that counts, would share a number.
    let numbers: HashSet<u32> = records.iter().map(|record| record.number).collect();
    if numbers.len() < records.len() {
        (1..).zip(&mut records).for_each(|(number, record)| record.number = number);
    }
    let files = write(kind, &records, &args)?;
    report(&args, records.len(), files)
}

fn read(path: &Path, args: &Args) -> Result<Vec<Record>> {
    let kind = Kind::of(path)?;
    if kind == Kind::Sealed {
        return own::read_sealed(path);
    }
    let bytes = read_at_most(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let rules =
        |game: GameId| args.rules.as_deref().map(|name| position::rule_set(game, Some(name))).transpose();
    let place = || format!("cannot use {}", path.display());
    match kind {
        Kind::Text(format, _) => {
            let text = format.decode(&bytes).with_context(place)?;
            // Records without a game of their own are all of one, which has the rule set.
            let rules = match (args.game, args.rules.as_deref()) {
                (Some(game), _) => rules(game)?,
                (None, Some(_)) => {
                    return Err(CliError::usage("--rules without --game").help("add --game NAME").into());
                }
                (None, None) => None,
            };
            format.read(&text, Given { game: args.game, rules }).with_context(place)
        }
        _ => own::read_games(path, &bytes, args.game, rules).with_context(place),
    }
}

/// What stands for a game's number in a name.
const PLACE: &str = "{}";

/// Writes all, and returns how many files.
fn write(kind: Kind, records: &[Record], args: &Args) -> Result<usize> {
    let name = args.output.to_string_lossy();
    let one_each = name.contains(PLACE);
    if records.is_empty() {
        return Err(CliError::failed("there are no games to convert").into());
    }
    if let Kind::Text(format, _) = kind
        && !one_each
        && !format.holds_several()
        && records.len() > 1
    {
        let message = format!("{} holds one game, not {}", args.output.display(), records.len());
        return Err(CliError::usage(message)
            .help("{} in the name, as in 'games/{}.kif', gives each game its own file")
            .into());
    }
    let groups: Vec<(PathBuf, &[Record])> = if one_each {
        let path = |record: &Record| PathBuf::from(name.replace(PLACE, &format!("{:04}", record.number)));
        records.iter().map(|record| (path(record), std::slice::from_ref(record))).collect()
    } else {
        vec![(args.output.clone(), records)]
    };
    for (path, _) in &groups {
        args.force.check(path)?;
    }
    for (path, records) in &groups {
        let mut bytes = Vec::new();
        for record in *records {
            let game = || format!("game {}", record.number);
            bytes.extend(encode(kind, record).with_context(game)?);
        }
        args.force.write(path, &bytes)?;
    }
    Ok(groups.len())
}

fn encode(kind: Kind, record: &Record) -> Result<Vec<u8>> {
    let Kind::Text(format, encoding) = kind else { return own::line(record) };
    if !format.games().contains(&record.game) {
        let games: Vec<&str> = format.games().iter().map(|game| game.as_str()).collect();
        let message = format!("{} cannot be written in this format", record.game);
        return Err(CliError::failed(message).help(format!("the format is for {}", games.join(", "))).into());
    }
    let plain = |text: &String| printable(text).into_owned();
    let record = Record {
        players: [plain(&record.players[0]), plain(&record.players[1])],
        opening: record.opening.as_ref().map(plain),
        ..record.clone()
    };
    let text = format.write(&record)?;
    Ok(match encoding {
        Encoding::Utf8 => text.into_bytes(),
        Encoding::ShiftJis => SHIFT_JIS.encode(&text).0.into_owned(),
    })
}

/// What was done.
#[derive(Debug, Serialize)]
struct Report {
    games: usize,
    files: usize,
}

fn report(args: &Args, games: usize, files: usize) -> Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&Report { games, files })?)?;
    } else {
        let output = args.output.display().to_string();
        let word = if files == 1 { "file" } else { "files" };
        writeln!(out, "{}: {games} games in {files} {word}", printable(&output))?;
    }
    Ok(())
}
