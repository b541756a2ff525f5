//! Our own records: the games of matches and of self-play.

use std::path::Path;

use anyhow::{Context, Error, Result};

use super::{
    super::{
        position::{self, SetupArg},
        record::{listed_moves, record_of_list},
    },
    CliError,
};
use crate::{
    arena::{GamesOf, MatchGame, SavedGame},
    base::store::without_mark,
    games::{
        notation::{Convention, read_all},
        records::{Failure, Reading, Record, guess},
        rules::{Game, GameId, RuleSet},
    },
    training::selfplay::{self, GameRecord},
    with_game,
};

/// The games of a log in `bytes`, which was read at `path`: of `game`, or of what the folder says, or of the one that
/// they can be.
pub(super) fn read_games(
    path: &Path,
    bytes: &[u8],
    game: Option<GameId>,
    rules: impl Fn(GameId) -> Result<Option<RuleSet>, CliError>,
) -> Result<Reading> {
    let text = without_mark(std::str::from_utf8(bytes).context("it is no UTF-8")?);
    let (mut games, mut failures) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        match serde_json::from_str::<MatchGame>(line) {
            Ok(game) => games.push(game),
            Err(error) => {
                let error = Error::new(error).context("it is no game of a match");
                failures.push(Failure {
                    game: (games.len() + failures.len()) as u32 + 1,
                    line: Some(number),
                    error,
                });
            }
        }
    }
    let Some(first) = games.first() else { return Ok(Reading { failures, ..Reading::default() }) };
    let settings = path.parent().and_then(GamesOf::of);
    let found = game.or(settings.as_ref().map(|settings| settings.game)).or_else(|| {
        let moves: Vec<String> = first.moves.split_whitespace().map(str::to_owned).collect();
        guess(&first.start, &moves)
    });
    let Some(game) = found else {
        return Err(CliError::failed("the file does not say which game was played")
            .help("add --game NAME")
            .into());
    };
    let known = settings.filter(|settings| settings.game == game).map(|settings| settings.rules);
    let rules = rules(game)?.or(known).unwrap_or(game.rule_sets()[0]);
    let mut records: Vec<Record> = games.iter().map(|played| played.to_record(game, rules)).collect();
    // They stand in the order in which they ended.
    records.sort_by_key(|record| record.number);
    Ok(Reading { records, failures, ..Reading::default() })
}

/// The game that `bytes` are, if they are one as `sanki play` saves it: one object in JSON with a game and its moves.
///
/// # Errors
/// Says what is wrong with it.
pub(super) fn saved_game(bytes: &[u8]) -> Option<Result<SavedGame>> {
    let text = without_mark(std::str::from_utf8(bytes).ok()?).trim_start();
    if !text.starts_with('{') {
        return None;
    }
    let object: serde_json::Value = serde_json::from_str(text).ok()?;
    (object["game"].is_string() && object["moves"].is_string()).then(|| {
        let saved: SavedGame = serde_json::from_str(text)?;
        // What cannot have been played is no game.
        saved.check()?;
        Ok(saved)
    })
}

/// The game whose moves from the start `text` lists, in any notation of the game's players.
///
/// # Errors
/// The move that is none.
pub(super) fn read_list(text: &str, game: GameId, rules: RuleSet) -> Result<Reading> {
    let moves = listed_moves(text);
    let (start, moves) = with_game!(game, G => {
        let start: G = position::read(rules, None, &SetupArg::default())?;
        let line = read_all(&start, &moves, &[], &Convention::all::<G>())?;
        (start.fen(), line.moves.iter().map(ToString::to_string).collect())
    });
    let record = record_of_list(game, rules, start, moves);
    Ok(Reading { records: vec![record], ..Reading::default() })
}

/// The line of a log.
pub(super) fn line(record: &Record) -> Result<Vec<u8>> {
    let Some(game) = MatchGame::of_record(record) else {
        return Err(CliError::failed("it has no result").help("a line of games.jsonl needs one").into());
    };
    let mut line = serde_json::to_vec(&game).context("a game does not serialise")?;
    line.push(b'\n');
    Ok(line)
}

/// The games of a generation.
pub(super) fn read_sealed(path: &Path) -> Result<Vec<Record>> {
    Ok(selfplay::read_sealed_of_any(path)?.iter().map(GameRecord::to_record).collect())
}
