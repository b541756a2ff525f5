//! Moves as players write them, with the name of the piece.

use super::{PalaceMove, PieceKind, position::Position};
use crate::rules::ParseError;

/// The one move among `moves` that `text` writes as a piece's name and the points it goes from and to, or the
/// latter alone: `horse b1c3`, `ma c3`; or `pass`.
pub(super) fn parse(position: &Position, moves: &[PalaceMove], text: &str) -> Result<PalaceMove, ParseError> {
    let bad = |why: &str| ParseError::new("move", text, why);
    let mut meant = moves.iter().copied().filter(|&mv| is_meant(position, mv, text));
    match (meant.next(), meant.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(bad("several pieces can go there")),
        (None, _) if moves.is_empty() => Err(bad("the game is over")),
        (None, _) => Err(bad("it is not legal here")),
    }
}

fn is_meant(position: &Position, mv: PalaceMove, text: &str) -> bool {
    if text == "pass" || text == mv.to_string() {
        return mv.is_pass() || text != "pass";
    }
    let Some((name, points)) = text.rsplit_once(' ') else { return false };
    PieceKind::from_name(name) == Some(position.kind_on(mv.from()))
        && (points == mv.to_string() || points == mv.to().to_string())
}
