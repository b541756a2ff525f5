//! Positions as text: Fairy-Stockfish's FEN.

use super::{PieceKind, Set, Square, position::Position, ruleset::Rules, tables::PALACES};
use crate::rules::{ParseError, Side, palace::fen};

/// Files and ranks.
const SIZE: (u8, u8) = (9, 10);

/// A position with the counters of its FEN.
pub(super) struct Setting {
    pub(super) position: Position,
    /// Plies since the last capture.
    pub(super) clock: u32,
    /// Plies before the position, as its move number tells.
    pub(super) plies: u32,
}

/// Reads `BOARD w|b [- -] [CLOCK [MOVE]]`.
pub(super) fn parse(rules: &'static Rules, text: &str) -> Result<Setting, ParseError> {
    let fen::Setting { pieces, side, clock, plies } = fen::parse(text, SIZE, PieceKind::from_letter)?;
    let mut position = Position::empty(rules);
    for (side, kind, square) in pieces {
        position.put(side, kind, square);
    }
    for side in [Side::First, Side::Second] {
        check_side(&position, side).map_err(|why| ParseError::new("board", text, why))?;
    }
    // Looked at from the other side.
    position.set_side_to_move(!side);
    let left_in_check = !position.checkers().is_empty();
    position.set_side_to_move(side);
    if left_in_check && !position.accept_facing() {
        return Err(ParseError::new("FEN", text, "the side that is not to move is in check"));
    }
    Ok(Setting { position, clock, plies })
}

/// One king, no more of any kind than a set has, king and guards in their palace; else what is wrong.
fn check_side(position: &Position, side: Side) -> Result<(), String> {
    for kind in PieceKind::ALL {
        let (pieces, letter) = (position.pieces_of(side, kind), kind.letter_of(side));
        let (count, most) = (pieces.count(), kind.set());
        if count > most || kind == PieceKind::King && count < 1 {
            return Err(format!("it has {count} of '{letter}', not {most}"));
        }
        let outside: Set = pieces & !PALACES[side.index()];
        if matches!(kind, PieceKind::King | PieceKind::Guard) && !outside.is_empty() {
            return Err(format!("'{letter}' on {} is not in its palace", outside.first()));
        }
    }
    Ok(())
}

/// Writes a FEN, `plies` after the start of the game.
pub(super) fn write(position: &Position, clock: u32, plies: u32) -> String {
    let letter = |square: Square| position.piece_on(square).map(|(side, kind)| kind.letter_of(side));
    fen::write(SIZE, letter, position.side, clock, plies)
}
