//! The board as text, for people.

use super::{PalaceKind, PalaceSquare, boards::XiangqiBoard, piece::NAMES, position::Position};
use crate::games::rules::Side;

/// Lines between the points of a rank and the next lower one, without those of the palace.
const FILES_BETWEEN: &str = "   ";

/// Ranks from the top, the lines between the points, palaces and river, the side to move, and the names of the
/// pieces.
pub(super) fn draw<B: XiangqiBoard>(position: &Position<B>) -> String {
    let files: String = (0..B::FILES).map(|file| format!("   {}", (b'a' + file) as char)).collect();
    let mut text = format!(" {files}\n");
    for rank in (0..B::RANKS).rev() {
        let points: Vec<String> = (0..B::FILES)
            .map(|file| point(position.pieces.on(PalaceSquare::new(file, rank))).to_string())
            .collect();
        text += &format!("{:>3} {}  {}\n", rank + 1, points.join("---"), rank + 1);
        if rank > 0 {
            text += &format!("    {}\n", between::<B>(rank));
        }
    }
    let side = match position.pieces.side {
        Side::First => "first (Red, uppercase, moving up)",
        Side::Second => "second (Black, lowercase, moving down)",
    };
    text + &format!(" {files}\n    to move: {side}\n{}", legend::<B>())
}

/// A point of the board.
fn point(piece: Option<(Side, PalaceKind)>) -> char {
    piece.map_or('+', |(side, kind)| kind.letter_of(side))
}

/// What is drawn between `rank` and the one below: the river, the diagonals of the palaces, files.
fn between<B: XiangqiBoard>(rank: u8) -> String {
    if B::ID.facts().has_river && rank == B::RANKS / 2 {
        let width = 4 * usize::from(B::FILES) - 5;
        return format!("|{:^width$}|", "R I V E R");
    }
    let middle = B::FILES / 2;
    let (down, up) = (" \\ ", " / ");
    let diagonals = match rank {
        _ if rank == B::RANKS - 1 || rank == 2 => Some((down, up)),
        _ if rank == B::RANKS - 2 || rank == 1 => Some((up, down)),
        _ => None,
    };
    let mut text = String::from("|");
    for file in 1..B::FILES {
        text += match diagonals {
            Some((left, _)) if file == middle => left,
            Some((_, right)) if file == middle + 1 => right,
            _ => FILES_BETWEEN,
        };
        text.push('|');
    }
    text
}

/// The pieces of this board with their letters, characters and names.
fn legend<B: XiangqiBoard>() -> String {
    let kinds = PalaceKind::ALL.into_iter().filter(|kind| B::SET[kind.index()] > 0);
    let line = |kind: PalaceKind| {
        let [first, second] = [Side::First, Side::Second].map(|side| NAMES.character(kind, side));
        format!("    {} {first} {second}  {}\n", kind.letter(), NAMES.of(kind).join(", "))
    };
    kinds.map(line).collect()
}
