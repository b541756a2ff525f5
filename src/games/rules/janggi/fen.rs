//! Positions as text: Fairy-Stockfish's FEN.

use super::{
    PalaceKind, Set,
    piece::{SET, from_letter},
    position::{PassEnd, Position},
    ruleset::Rules,
    tables::PALACES,
};
use crate::games::rules::{
    ParseError, Side,
    palace::{
        Pieces,
        fen::{self, Setting},
    },
};

/// Files and ranks.
const SIZE: (u8, u8) = (9, 10);

/// Reads `BOARD w|b [- -] [CLOCK [MOVE]]`.
pub(super) fn parse(rules: &'static Rules, text: &str) -> Result<Setting<Position>, ParseError> {
    let Setting { position: pieces, clock, plies } = fen::parse(text, SIZE, from_letter)?;
    for side in [Side::First, Side::Second] {
        check_side(&pieces, side).map_err(|why| ParseError::new("board", text, why))?;
    }
    let mut position = Position::new(pieces, rules);
    // Looked at from the other side.
    let mut other = position;
    other.pieces.pass();
    if other.checkers().is_empty() {
        return Ok(Setting { position, clock, plies });
    }
    if !position.offers_bikjang() {
        return Err(ParseError::new("FEN", text, "the side that is not to move is in check"));
    }
    // A pass has accepted the facing, and so ended the game.
    position.passed = true;
    position.pass_ended = Some(PassEnd::Bikjang);
    Ok(Setting { position, clock, plies })
}

/// One king, no more pieces altogether than a set has, king and guards in their palace; else what is wrong.
fn check_side(pieces: &Pieces, side: Side) -> Result<(), String> {
    let all: u32 = PalaceKind::ALL.into_iter().map(|kind| pieces.of(side, kind).count()).sum();
    let most: u32 = SET.iter().sum();
    if all > most {
        return Err(format!("a side has {all} pieces, more than {most}"));
    }
    for kind in PalaceKind::ALL {
        let (squares, letter) = (pieces.of(side, kind), kind.letter_of(side));
        let count = squares.count();
        if kind == PalaceKind::King && count != 1 {
            return Err(format!("it has {count} of '{letter}', not 1"));
        }
        let outside: Set = squares & !PALACES[side.index()];
        if matches!(kind, PalaceKind::King | PalaceKind::Guard) && !outside.is_empty() {
            return Err(format!("'{letter}' on {} is not in its palace", outside.first()));
        }
    }
    Ok(())
}

/// What no game from the start can lead to, in words.
pub(super) fn unusual(pieces: &Pieces) -> Option<String> {
    let kinds =
        || [Side::First, Side::Second].into_iter().flat_map(|side| PalaceKind::ALL.map(|kind| (side, kind)));
    kinds().find_map(|(side, kind)| {
        let (count, set) = (pieces.of(side, kind).count(), SET[kind.index()]);
        (count > set).then(|| format!("it has {count} of '{}', a set has {set}", kind.letter_of(side)))
    })
}

/// Writes a FEN, `plies` after the start of the game.
pub(super) fn write(position: &Position, clock: u32, plies: u32) -> String {
    fen::write(SIZE, &position.pieces, clock, plies)
}
