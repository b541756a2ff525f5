//! The moves of a record, read one after the other.

use std::fmt;

use super::{Convention, Found, Notate, Style, Unread, read_as};
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
/// The text that is no move, or may be several; in the first of those conventions in which most texts are moves. Or the
/// first text that means two moves because all texts fit two conventions: ranks apart, which are counted as in the first
/// that fits, one is preferred only if all texts are those that we write.
///
/// # Panics
/// Without a convention.
pub fn read_all<G: Notate>(
    game: &G,
    texts: &[impl AsRef<str>],
    styles: &[Style],
    conventions: &[Convention],
) -> Result<MoveLine<G>, BadMove> {
    let mut fits: Option<MoveLine<G>> = None;
    let mut worst: Option<Stopped> = None;
    for &convention in conventions {
        if fits.is_some() && !convention.is_foreign() {
            continue;
        }
        match follow(game, texts, styles, convention) {
            Ok(Followed { line, is_spelt: true }) => return Ok(line),
            Ok(Followed { line, .. }) => match &fits {
                Some(first) => first.same_as(&line, texts)?,
                None => fits = Some(line),
            },
            Err(stopped) if worst.as_ref().is_none_or(|worst| stopped.far() > worst.far()) => {
                worst = Some(stopped);
            }
            Err(_) => {}
        }
    }
    fits.ok_or_else(|| worst.expect("one convention at least").bad)
}

impl<G: Notate> MoveLine<G> {
    /// Refuses the first of `texts` that means another move in `other`.
    fn same_as(&self, other: &Self, texts: &[impl AsRef<str>]) -> Result<(), BadMove> {
        let mut pairs = self.moves.iter().zip(&other.moves).zip(texts).zip(1..);
        let Some((((one, two), text), number)) = pairs.find(|(((one, two), _), _)| one != two) else {
            return Ok(());
        };
        let why = format!("all moves fit two notations: in one it is {one}, in the other {two}");
        Err(BadMove { number, error: ParseError::new("move", text.as_ref(), why) })
    }
}

/// Moves that were read, and whether each text is one that we write for its move.
struct Followed<G: Notate> {
    line: MoveLine<G>,
    is_spelt: bool,
}

/// Where reading came to an end.
struct Stopped {
    bad: BadMove,
    /// Whether several moves fit it.
    is_ambiguous: bool,
}

impl Stopped {
    /// How much was read: of a text that may be several moves more than of one that is none.
    fn far(&self) -> (usize, bool) {
        (self.bad.number, self.is_ambiguous)
    }
}

fn follow<G: Notate>(
    game: &G,
    texts: &[impl AsRef<str>],
    styles: &[Style],
    convention: Convention,
) -> Result<Followed<G>, Stopped> {
    let mut line = MoveLine { moves: Vec::with_capacity(texts.len()), game: game.clone(), convention };
    let mut is_spelt = true;
    for (text, number) in texts.iter().map(AsRef::as_ref).zip(1..) {
        let last = line.moves.last().copied();
        let own = |text: &str| match convention {
            Convention::Usual => line.game.parse_move(text.trim()).ok(),
            _ => None,
        };
        let found = match own(text) {
            Some(mv) => Found { mv, is_spelt: true },
            None => read_as(&line.game, last, text, styles, convention)
                .or_else(|_| read_as(&line.game, last, text, G::STYLES, convention))
                .map_err(|Unread { error, is_ambiguous }| Stopped {
                    bad: BadMove { number, error },
                    is_ambiguous,
                })?,
        };
        line.game.play(found.mv);
        line.moves.push(found.mv);
        is_spelt &= found.is_spelt;
    }
    Ok(Followed { line, is_spelt })
}
