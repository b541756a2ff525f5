//! Lines of USI: `position startpos|sfen … moves …`, a game each. They tell neither players nor results.

use anyhow::{Context, Result, bail};

use super::{
    Given, Record,
    reading::{Reading, Wrong, shown},
    replay::{Replay, Stated, rules_of, texts},
};
use crate::{
    games::{
        notation::{Notate, Style, sfen},
        rules::{Family, GameId, Reason, Verdict},
    },
    with_game,
};

const SHOGI_START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The line of a game. `startpos` is shogi's; other games say where they start.
pub(super) fn write<G: Notate>(record: &Record) -> Result<String> {
    let (moves, _) = texts::<G>(record, Style::Usi)?;
    let start = sfen(&record.start);
    let start = if start == SHOGI_START { "startpos".to_owned() } else { format!("sfen {start}") };
    let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    Ok(format!("position {start}{moves}\n"))
}

/// The games of all lines but empty ones.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let mut reading = Reading::default();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        if !line.trim().is_empty() {
            let read = read_line(line, given);
            reading.add(read.map_err(|error| Wrong { line: Some(number), error }));
        }
    }
    Ok(reading)
}

fn read_line(line: &str, given: Given) -> Result<Record> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let words = words.strip_prefix(&["position"]).unwrap_or(&words);
    let end = words.iter().position(|&word| word == "moves");
    let (start, moves) = words.split_at(end.unwrap_or(words.len()));
    let moves = moves.get(1..).unwrap_or_default();
    let start = match start {
        ["startpos"] => None,
        ["sfen", fields @ ..] => Some(fields.join(" ")),
        [board, ..] if board.contains('/') => Some(start.join(" ")),
        _ => bail!("'{}': it begins with neither 'position startpos' nor 'position sfen'", shown(line)),
    };
    let game = match (given.game, &start) {
        (Some(game), _) => game,
        (None, None) => GameId::Shogi,
        (None, Some(sfen)) => game_on(sfen)?,
    };
    let rules = rules_of(game, given)?;
    // Engines' answers at the end of a game are no moves.
    let (moves, answer) = match moves.split_last() {
        Some((&answer, before)) if matches!(answer, "resign" | "win") => (before, Some(answer)),
        _ => (moves, None),
    };
    with_game!(game, G => {
        let mut replay = Replay::<G>::new(rules, start.as_deref())?;
        moves.iter().try_for_each(|text| replay.play(text, &[Style::Usi]))?;
        let stated = match answer {
            Some("resign") => Stated::new(Verdict::Win(!replay.side()), Reason::Resignation),
            Some(_) => Stated::new(Verdict::Win(replay.side()), Reason::Declaration),
            None => Stated::default(),
        };
        Ok(replay.into_record(["?".to_owned(), "?".to_owned()], stated))
    })
}

/// The game whose board has as many ranks.
fn game_on(sfen: &str) -> Result<GameId> {
    let ranks = sfen.split_whitespace().next().map_or(0, |board| board.split('/').count());
    Family::Shogi
        .game_of_ranks(ranks)
        .with_context(|| format!("no game of the shogi family has {ranks} ranks"))
}
