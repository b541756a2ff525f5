//! Moves as players write them, with the name of the piece.

use super::{PalaceMove, PieceNames, Pieces};
use crate::games::rules::ParseError;

/// The one move among `moves`, the legal ones, that `text` means: the squares it goes from and to (`b1c3`), or the
/// piece's name before them or before the latter alone (`horse b1c3`, `horse c3`); or `pass`. Capitals count only in two
/// squares alone: `B1c3` may be the move of an elephant.
pub fn parse(
    moves: &[PalaceMove],
    pieces: &Pieces,
    names: &PieceNames,
    text: &str,
) -> Result<PalaceMove, ParseError> {
    let bad = |why: &str| ParseError::new("move", text, why);
    let is_meant = |mv: PalaceMove| match text.rsplit_once(' ') {
        Some((name, squares)) => {
            [mv.to_string(), mv.to().to_string()].iter().any(|own| squares.eq_ignore_ascii_case(own))
                && names.kind(name) == Some(pieces.kind_on(mv.from()))
        }
        None => text == mv.to_string() || text.eq_ignore_ascii_case("pass") && mv.is_pass(),
    };
    let mut meant = moves.iter().copied().filter(|&mv| is_meant(mv));
    match (meant.next(), meant.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(bad("several pieces can go there")),
        (None, _) if moves.is_empty() => Err(bad("the game is over")),
        (None, _) => Err(bad("it is not legal here")),
    }
}
