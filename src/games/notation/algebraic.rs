//! The short algebraic notation of PGN, with the letters of Fairy-Stockfish.

use super::{Notate, Point, Step, scene::Scene};

/// The piece, as much of its origin as tells it from others, `x` for a capture, and where it goes: with `H` and `E` for
/// the horse and the elephant, as Fairy-Stockfish writes, and then with the letters of FEN.
pub(super) fn san<G: Notate>(scene: &Scene<G>, step: &Step) -> Vec<String> {
    let origin = step.from.map_or(String::new(), |from| origin(from, &scene.rivals(step)));
    let takes = if step.captures { "x" } else { "" };
    let with = |letter: char| format!("{letter}{origin}{takes}{}", square(step.to));
    match step.piece.letter {
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
