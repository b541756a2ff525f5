//! The moves of a record, read one after the other.

use std::fmt;

use super::{Convention, Notate, Style, read_as};
use crate::games::rules::ParseError;

/// Moves that were read, and the game after them.
#[derive(Clone, Debug)]
pub struct MoveLine<G: Notate> {
    /// The moves.
    pub moves: Vec<G::Move>,
    /// The game after them.
    pub game: G,
    /// How they are written.
    pub convention: Convention,
}

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMove {
    /// Its place, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: ParseError,
}

impl fmt::Display for BadMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.number, self.error)
    }
}

impl std::error::Error for BadMove {}

/// Reads `texts` as the moves from `game` on, in the first of `conventions` in which all of them are moves: in one of
/// `styles`, or else in any of the game's.
///
/// # Errors
/// The text that is no move; in the first of those conventions in which most texts are moves.
///
/// # Panics
/// Without a convention.
pub fn read_all<G: Notate>(
    game: &G,
    texts: &[impl AsRef<str>],
    styles: &[Style],
    conventions: &[Convention],
) -> Result<MoveLine<G>, BadMove> {
    let mut worst: Option<BadMove> = None;
    for &convention in conventions {
        match follow(game, texts, styles, convention) {
            Ok(line) => return Ok(line),
            Err(bad) if worst.as_ref().is_none_or(|worst| bad.number > worst.number) => worst = Some(bad),
            Err(_) => {}
        }
    }
    Err(worst.expect("one convention at least"))
}

fn follow<G: Notate>(
    game: &G,
    texts: &[impl AsRef<str>],
    styles: &[Style],
    convention: Convention,
) -> Result<MoveLine<G>, BadMove> {
    let mut line = MoveLine { moves: Vec::with_capacity(texts.len()), game: game.clone(), convention };
    for (text, number) in texts.iter().map(AsRef::as_ref).zip(1..) {
        let last = line.moves.last().copied();
        let own = |text: &str| match convention {
            Convention::Usual => line.game.parse_move(text.trim()).ok(),
            _ => None,
        };
        let mv = match own(text) {
            Some(mv) => mv,
            None => read_as(&line.game, last, text, styles, convention)
                .or_else(|_| read_as(&line.game, last, text, G::STYLES, convention))
                .map_err(|error| BadMove { number, error })?,
        };
        line.game.play(mv);
        line.moves.push(mv);
    }
    Ok(line)
}
