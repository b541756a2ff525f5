//! `sanki convert`: records from one format to another.

mod found;
mod own;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::Serialize;

use self::found::about;
pub(super) use self::found::{Found, FoundGame};
use super::{CliError, output::Force, position, record::rules_alone, stdout, tell};
use crate::{
    base::store::{decode, folder_of, printable, read_at_most},
    games::{
        records::{Encoding, Format, Given, Reading, Record},
        rules::GameId,
    },
};

/// Convert records of games: Sanki's own to those of other programs, and back
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file extensions choose the formats: .jsonl (a match's games.jsonl), .records (self-play; only read), \
.json (a game that `sanki play` or the page has saved; only read), \
.pgn (janggi, xiangqi, minixiangqi), .gib (janggi), .kif, .kifu, .ki2 and .ki2u (shogi and minishogi, one game \
per file; .kif and .ki2 in Shift JIS), .bod (a position, only read), .csa (shogi, one game per file), .usi (shogi, \
minishogi and dobutsu, one line per game, without results), .wxf and .ubb (xiangqi; only read). A file to read may have \
any other extension: what stands in it tells its format. A text without a format of its own is a plain list of moves, if \
--game is given.

A game that cannot be read or written is named, with its file, its number and its line, and left out; the others \
are converted, and the exit code is 1.

Examples:
  sanki convert matches/first/games.jsonl -o first.pgn
  sanki convert games.jsonl --game shogi -o 'kif/{}.kif'
  sanki convert runs/first/records/gen-000010.records -o ten.jsonl
  sanki convert a.kif b.csa -o both.usi
  sanki convert master.gib -o master.pgn")]
pub struct ConvertArgs {
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
    /// Print one JSON object: games, files, left_out
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
    /// A text to be read: a format of other programs, which its name or its content tells.
    ByContent,
    /// The same to be written, encoded as is the custom.
    Text(Format, Encoding),
}

impl Kind {
    /// That of a file to write.
    fn of_output(path: &Path) -> Result<Kind, CliError> {
        match &*end_of(path) {
            "jsonl" => Ok(Kind::Games),
            "records" => Err(CliError::usage("records of self-play (.records) can only be read")),
            "bod" => Err(CliError::usage("positions (.bod) can only be read").help("write .kif or .kifu")),
            end => match Format::called(end) {
                Some((format, _)) if format.games().is_empty() => {
                    let message = format!("{} is of a format that can only be read", path.display());
                    Err(CliError::usage(message).help("write .pgn"))
                }
                Some((format, encoding)) => Ok(Kind::Text(format, encoding)),
                None => {
                    let message = format!("{} has no extension that names a format", path.display());
                    Err(CliError::usage(message).help(KNOWN))
                }
            },
        }
    }

    /// That of a file to read: what stands in it tells where its name does not.
    fn of_input(path: &Path) -> Result<Kind, CliError> {
        match &*end_of(path) {
            // A saved game, or the games of a match.
            "json" | "jsonl" => Ok(Kind::Games),
            "records" => Ok(Kind::Sealed),
            "xqf" | "cbl" | "cbr" => {
                let message = format!("{} is of a binary format, which is not read", path.display());
                Err(CliError::usage(message).help("save it as PGN in the program that it comes from"))
            }
            _ => Ok(Kind::ByContent),
        }
    }
}

/// The extension of a file's name, without its dot.
fn end_of(path: &Path) -> String {
    path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

const KNOWN: &str =
    "known: jsonl, pgn, gib, kif, kifu, ki2, ki2u, csa, usi; to read also json, records, wxf, ubb and bod";

/// Bytes of a file at most: a million games.
const MOST_BYTES: u64 = 1 << 30;

/// Runs the command.
pub fn run(args: ConvertArgs) -> Result<()> {
    let kind = Kind::of_output(&args.output)?;
    let mut found = find(&args.inputs, args.game, args.rules.as_deref())?;
    found.number();
    let groups = groups(kind, found.games, &args, &mut found.failures)?;
    for (path, _, _) in &groups {
        if is_one_each(&args.output) {
            let folder = folder_of(path);
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        args.force.check(path)?;
    }
    for (path, bytes, _) in &groups {
        args.force.write(path, bytes)?;
    }
    let games = groups.iter().map(|(_, _, games)| games).sum();
    let printed = report(&args, &Report { games, files: groups.len(), left_out: found.failures.len() });
    // What was left out is told even where nobody reads the report.
    found::conclude(games, found.failures)?;
    printed
}

/// The games of `inputs`, of `game` and by `rules` where a file does not say; and why games, or whole files, were left out.
///
/// # Errors
/// Those of arguments that make no sense, before any file is read.
pub(super) fn find(inputs: &[PathBuf], game: Option<GameId>, rules: Option<&str>) -> Result<Found> {
    // What makes no sense is said before any file is read.
    let kinds: Vec<Kind> = inputs.iter().map(|path| Kind::of_input(path)).collect::<Result<_, _>>()?;
    if let Some(game) = game {
        position::rule_set(game, rules)?;
    } else if let Some(name) = rules {
        rules_alone(name)?;
    }
    let mut found = Found::default();
    for (path, kind) in inputs.iter().zip(kinds) {
        found.add(path, read(path, kind, game, rules))?;
    }
    Ok(found)
}

fn read(path: &Path, kind: Kind, game: Option<GameId>, rules: Option<&str>) -> Result<Reading> {
    if kind == Kind::Sealed {
        return Ok(Reading { records: own::read_sealed(path)?, ..Reading::default() });
    }
    let bytes = read_at_most(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let rules_of = |game: GameId| rules.map(|name| position::rule_set(game, Some(name))).transpose();
    let place = || format!("cannot use {}", path.display());
    // Whatever its name: it could once be saved under any.
    if let Some(saved) = own::saved_game(&bytes) {
        let record = saved.and_then(|saved| saved.to_record()).with_context(place)?;
        return Ok(Reading { records: vec![record], ..Reading::default() });
    }
    if kind == Kind::Games {
        return own::read_games(path, &bytes, game, rules_of).map_err(|error| about(error, place()));
    }
    let Some(format) = Format::of(&path.to_string_lossy(), &bytes) else {
        let Some(game) = game else {
            let message = format!("nothing in {} tells its format", path.display());
            return Err(CliError::failed(message).help("for a plain list of moves, add --game NAME").into());
        };
        let rules = position::rule_set(game, rules)?;
        let text = decode(&bytes).with_context(place)?;
        return own::read_list(&text, game, rules).map_err(|error| about(error, place()));
    };
    let text = format.decode(&bytes).with_context(place)?;
    // Records without a game of their own are all of one, which has the rule set.
    let rules = match game {
        Some(game) => rules_of(game)?,
        None => rules.map(rules_alone).transpose()?,
    };
    format.read_each(&text, Given { game, rules }).with_context(place)
}

/// What stands for a game's number in a name.
const PLACE: &str = "{}";

/// Whether each game is to have a file of its own.
fn is_one_each(output: &Path) -> bool {
    output.to_string_lossy().contains(PLACE)
}

/// The file for the game with this number.
///
/// # Errors
/// When the number belongs into a name that is no UTF-8.
fn file_for(output: &Path, number: u32) -> Result<PathBuf, CliError> {
    if !is_one_each(output) {
        return Ok(output.to_owned());
    }
    let name = output.to_str().ok_or_else(|| {
        let message = format!("{} is no UTF-8, so no number can take the place of {PLACE}", output.display());
        CliError::usage(message)
    })?;
    Ok(name.replace(PLACE, &format!("{number:04}")).into())
}

/// The files to write, with their bytes and the number of their games. Games that cannot be written are added to
/// `failures`.
fn groups(
    kind: Kind,
    games: Vec<FoundGame>,
    args: &ConvertArgs,
    failures: &mut Vec<anyhow::Error>,
) -> Result<Vec<(PathBuf, Vec<u8>, usize)>> {
    let one_each = is_one_each(&args.output);
    if games.is_empty() && failures.is_empty() {
        return Err(CliError::failed("there are no games to convert").into());
    }
    if let Kind::Text(format, _) = kind
        && let Some(first) = games.first()
        && !games.iter().any(|game| format.games().contains(&game.record.game))
    {
        // What else was left out is told beside it.
        failures.drain(..).for_each(|failure| tell(format!("error: {failure:#}")));
        let error = not_written(format, first.record.game).into();
        return Err(if games.len() == 1 { first.failure(error) } else { error });
    }
    if let Kind::Text(format, _) = kind
        && !one_each
        && !format.holds_several()
        && games.len() > 1
    {
        let message = format!("{} holds one game, not {}", args.output.display(), games.len());
        return Err(CliError::usage(message)
            .help("{} in the name, as in 'games/{}.kif', gives each game its own file")
            .into());
    }
    let mut groups: Vec<(PathBuf, Vec<u8>, usize)> = Vec::new();
    for game in games {
        let bytes = match encode(kind, &game.record) {
            Ok(bytes) => bytes,
            Err(error) => {
                failures.push(game.failure(error));
                continue;
            }
        };
        match groups.last_mut() {
            Some((_, all, count)) if !one_each => {
                all.extend(bytes);
                *count += 1;
            }
            _ => groups.push((file_for(&args.output, game.record.number)?, bytes, 1)),
        }
    }
    Ok(groups)
}

fn not_written(format: Format, game: GameId) -> CliError {
    let games: Vec<&str> = format.games().iter().map(|game| game.as_str()).collect();
    let message = format!("{game} cannot be written in this format");
    CliError::failed(message).help(format!("the format is for {}", games.join(", ")))
}

fn encode(kind: Kind, record: &Record) -> Result<Vec<u8>> {
    let Kind::Text(format, encoding) = kind else { return own::line(record) };
    if !format.games().contains(&record.game) {
        return Err(not_written(format, record.game).into());
    }
    let (bytes, missing) = encoding.encode(&format.write(record)?);
    if !missing.is_empty() {
        let missing: Vec<String> = missing.iter().map(char::to_string).collect();
        let other =
            if format == Format::Gib { "" } else { "; .kifu and .ki2u, in UTF-8, have all characters" };
        let missing = missing.join(" ");
        tell(format!(
            "warning: game {}: 〓 stands for {missing}, which {encoding} lacks{other}",
            record.number
        ));
    }
    Ok(bytes)
}

/// What was done.
#[derive(Debug, Serialize)]
struct Report {
    games: usize,
    files: usize,
    /// Games, or whole files, that could not be read or written.
    left_out: usize,
}

fn report(args: &ConvertArgs, report: &Report) -> Result<()> {
    let Report { games, files, .. } = *report;
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
    } else if games > 0 {
        let output = args.output.display().to_string();
        let [of_games, of_files] = [games, files].map(|count| if count == 1 { "" } else { "s" });
        writeln!(out, "{}: {games} game{of_games} in {files} file{of_files}", printable(&output))?;
    }
    Ok(())
}
