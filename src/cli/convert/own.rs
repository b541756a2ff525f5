//! Our own records: the games of matches and of self-play.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::CliError;
use crate::{
    arena::MatchGame,
    records::{Record, guess},
    rules::{Game, GameId, Move, Outcome, RuleSet},
    selfplay::{self, GameRecord},
    with_game,
};

/// What a match's folder says of its games.
#[derive(Deserialize)]
struct Settings {
    game: GameId,
    rules: RuleSet,
}

/// The games of a log in `bytes`, which was read at `path`: of `game`, or of what the folder says, or of the one that
/// they can be.
pub(super) fn read_games(
    path: &Path,
    bytes: &[u8],
    game: Option<GameId>,
    rules: impl Fn(GameId) -> Result<Option<RuleSet>, CliError>,
) -> Result<Vec<Record>> {
    let text = std::str::from_utf8(bytes).context("it is no UTF-8")?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let read = |(line, number): (&str, u32)| {
        serde_json::from_str::<MatchGame>(line).with_context(|| format!("line {number} is no game"))
    };
    let games: Vec<MatchGame> = lines.map(read).collect::<Result<_>>()?;
    let Some(first) = games.first() else { return Ok(Vec::new()) };
    let settings = path.parent().and_then(settings);
    let found = game.or(settings.as_ref().map(|settings| settings.game)).or_else(|| {
        let moves: Vec<String> = first.moves.split_whitespace().map(str::to_owned).collect();
        guess(&first.start, &moves)
    });
    let Some(game) = found else {
        return Err(CliError::failed("the games do not say of what game they are")
            .help("--game NAME")
            .into());
    };
    let known = settings.filter(|settings| settings.game == game).map(|settings| settings.rules);
    let rules = rules(game)?.or(known).unwrap_or(game.rule_sets()[0]);
    let mut records: Vec<Record> = games.into_iter().map(|played| record(game, rules, played)).collect();
    // They stand in the order in which they ended.
    records.sort_by_key(|record| record.number);
    Ok(records)
}

/// What is beside the games in their folder.
fn settings(folder: &Path) -> Option<Settings> {
    serde_json::from_slice(&fs::read(folder.join("match.json")).ok()?).ok()
}

fn record(game: GameId, rules: RuleSet, played: MatchGame) -> Record {
    Record {
        game,
        rules,
        number: played.number.saturating_add(1),
        opening: Some(played.opening).filter(|opening| !opening.is_empty()),
        players: [played.first, played.second],
        start: played.start,
        moves: played.moves.split_whitespace().map(str::to_owned).collect(),
        outcome: Some(Outcome { verdict: played.result, reason: played.reason, points: played.points }),
    }
}

/// The line of a log.
pub(super) fn line(record: &Record) -> Result<Vec<u8>> {
    let Some(Outcome { verdict, reason, points }) = record.outcome else {
        return Err(CliError::failed("it has no result").help("a line of games.jsonl needs one").into());
    };
    let [first, second] = record.players.clone();
    let game = MatchGame {
        number: record.number.saturating_sub(1),
        opening: record.opening.clone().unwrap_or_default(),
        first,
        second,
        start: record.start.clone(),
        moves: record.moves.join(" "),
        result: verdict,
        reason,
        points,
        seconds: [0.0; 2],
        note: None,
    };
    let mut line = serde_json::to_vec(&game).context("a game does not serialise")?;
    line.push(b'\n');
    Ok(line)
}

/// The games of a generation.
pub(super) fn read_sealed(path: &Path) -> Result<Vec<Record>> {
    Ok(selfplay::read_sealed_of_any(path)?.into_iter().map(of_self_play).collect())
}

fn of_self_play(game: GameRecord) -> Record {
    let text = |bits: u16| with_game!(game.game, G => <G as Game>::Move::from_bits(bits).to_string());
    let player = format!("generation {}", game.generation);
    Record {
        game: game.game,
        rules: game.rules,
        number: game.index.saturating_add(1),
        opening: None,
        players: [player.clone(), player],
        moves: game.plies.iter().map(|ply| text(ply.mv)).collect(),
        outcome: Some(game.outcome()),
        start: game.start,
    }
}
