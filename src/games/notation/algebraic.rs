//! The short algebraic notation of PGN, with the letters of Fairy-Stockfish.

use super::{MoveInfo, Notate, candidates::Candidates};
use crate::games::rules::Point;

/// The piece, as much of its origin as tells it from others, `x` for a capture, and where it goes: with `H` and `E` for
/// the horse and the elephant, as Fairy-Stockfish writes, and then with the letters of FEN.
pub(super) fn san<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Vec<String> {
    let origin = move_info.from.map_or(String::new(), |from| origin(from, &candidates.rivals(move_info)));
    let takes = if move_info.captures { "x" } else { "" };
    let with = |letter: char| format!("{letter}{origin}{takes}{}", square(move_info.to));
    match move_info.piece.letter {
        'N' => vec![with('H'), with('N')],
        'B' => vec![with('E'), with('B')],
        letter => vec![with(letter)],
    }
}

/// The file if no rival stands on it, else the rank if none stands on that, else both.
fn origin(from: Point, rivals: &[Point]) -> String {
    let own_file = rivals.iter().all(|rival| rival.file != from.file);
    let own_rank = rivals.iter().all(|rival| rival.rank != from.rank);
    match (own_file, own_rank) {
        _ if rivals.is_empty() => String::new(),
        (true, _) => file(from).to_string(),
        (false, true) => (from.rank + 1).to_string(),
        (false, false) => square(from),
    }
}

fn file(point: Point) -> char {
    char::from(b'a' + point.file)
}

fn square(point: Point) -> String {
    format!("{}{}", file(point), point.rank + 1)
}
