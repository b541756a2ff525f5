//! Files of openings: FEN, SFEN or EPD, a position a line.

use std::{collections::HashSet, path::Path};

use anyhow::{Context, Result, bail, ensure};
use rand::SeedableRng;

use super::Opening;
use crate::{
    base::{
        rng::Rng,
        store::{decode, read_at_most},
    },
    games::{
        notation::{Convention, Notate, read_all},
        rules::{Family, Game, RuleSet, Setup},
    },
};

/// Bytes of a file of openings at most: millions of positions.
const MOST_BYTES: u64 = 1 << 28;

/// Reads a file of openings. A line is a position as [`Game::from_fen`] reads it, and may go on in one of two ways:
/// with EPD's operations, each ended by `;`, of which `id "NAME";` names the opening and the others are skipped;
/// or with `moves` and moves, and the opening is the position after them. `position`, `fen` or `sfen` may stand
/// before it, and `startpos` in its place. Moves are read in every notation of the game. Empty lines and those that begin with `#` are skipped. Positions that
/// stood before are dropped, and how many is logged.
///
/// # Errors
/// Names the file, and the line where one is no position, or one where the game is over, or where a move is not
/// legal; refuses a file without positions.
pub fn read_openings<G: Notate>(rules: RuleSet, path: &Path) -> Result<Vec<Opening<G>>> {
    let cannot_read = || format!("cannot read {}", path.display());
    let bytes = read_at_most(path, MOST_BYTES).with_context(cannot_read)?;
    let text = decode(&bytes).with_context(cannot_read)?;
    let follow = |game: &G, moves: &[&str]| -> Result<G> {
        Ok(read_all(game, moves, &[], &Convention::all::<G>())?.game)
    };
    let (mut openings, mut keys, mut dropped) = (Vec::new(), HashSet::new(), 0);
    for (number, line) in positions(&text) {
        let place = || format!("{}, line {number}", path.display());
        let Some(mut opening) = parse_line::<G>(rules, line, follow).with_context(place)? else {
            bail!("{}: the game is over there", place());
        };
        if opening.id.is_empty() {
            opening.id = format!("line {number}");
        }
        if keys.insert(opening.game.key()) {
            openings.push(opening);
        } else {
            dropped += 1;
        }
    }
    ensure!(!openings.is_empty(), "{}: no positions", path.display());
    if dropped > 0 {
        tracing::warn!("{}: {dropped} positions that stood before are dropped", path.display());
    }
    Ok(openings)
}

/// The lines with a position, and their numbers from 1.
pub(super) fn positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The opening on a line of a set that we made.
pub(super) fn parse_own<G: Game>(rules: RuleSet, line: &str) -> Result<Option<Opening<G>>> {
    parse_line(rules, line, |game: &G, moves: &[&str]| {
        let mut game = game.clone();
        for mv in moves {
            let mv = game.parse_move(mv)?;
            game.play(mv);
        }
        Ok(game)
    })
}

/// The opening on `line`, without a name where none is given; `None` where the game is over. `follow` plays moves.
fn parse_line<G: Game>(
    rules: RuleSet,
    line: &str,
    follow: impl Fn(&G, &[&str]) -> Result<G>,
) -> Result<Option<Opening<G>>> {
    let line = strip_word(line, "position").unwrap_or(line);
    let (position, rest) = split_position::<G>(line);
    let mut game = if position == ["startpos"] {
        // The standard set-up draws nothing from the generator.
        G::start(rules, Setup::Standard, &mut Rng::seed_from_u64(0))
    } else {
        G::from_fen(rules, &position.join(" "))?
    };
    let mut id = String::new();
    match strip_word(rest, "moves") {
        Some(moves) => {
            game = follow(&game, &moves.split_whitespace().collect::<Vec<_>>())?;
            // What was before the opening does not count in the game.
            game = G::from_fen(rules, &game.fen())?;
        }
        None => id = name(rest)?,
    }
    Ok(game.outcome_or_declaration().is_none().then_some(Opening { id, game }))
}

/// What follows `word`, if `text` begins with it.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = split_word(text);
    (first == word).then_some(rest)
}

/// The first word and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The fields of the position at the beginning of `line`, and what follows.
fn split_position<G: Game>(line: &str) -> (Vec<&str>, &str) {
    let mut rest = strip_word(line, "fen").or_else(|| strip_word(line, "sfen")).unwrap_or(line);
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        let belongs = match fields[..] {
            [] => true,
            ["startpos"] => false,
            [_] => word != "moves" && !word.starts_with("id"),
            [board, _] if is_sfen::<G>(board) => word != "moves",
            _ => word == "-" || word.bytes().all(|byte| byte.is_ascii_digit()),
        };
        if !belongs {
            break;
        }
        fields.push(word);
        rest = after;
    }
    (fields, rest)
}

/// Whether the hands are a field of their own.
fn is_sfen<G: Game>(board: &str) -> bool {
    G::ID.facts().family == Family::Shogi && !board.contains('[')
}

/// The name that EPD's operations give, or none.
fn name(operations: &str) -> Result<String> {
    if operations.is_empty() {
        return Ok(String::new());
    }
    let Some(operations) = operations.trim_end().strip_suffix(';') else {
        bail!("'{operations}' is neither EPD's operations, which end in ';', nor 'moves' and moves");
    };
    let name = operations.split(';').find_map(|operation| strip_word(operation.trim(), "id"));
    Ok(name.map(|name| name.trim_matches('"').to_owned()).unwrap_or_default())
}
