//! The board as text, for people.

use std::fmt::Write;

use super::{ShogiKind, ShogiSquare, boards::ShogiBoard, position::Position};
use crate::games::rules::Side;

/// Ranks from the top, each hand on its owner's side, the side to move below.
pub(super) fn draw<B: ShogiBoard>(position: &Position<B>) -> String {
    let files: String = (0..B::FILES).map(|file| format!("  {}", (b'a' + file) as char)).collect();
    let mut text = format!("   in hand: {}\n  {files}\n", hand(position, Side::Second));
    for rank in (0..B::RANKS).rev() {
        write!(text, "{} ", rank + 1).expect("writing to a string");
        for file in 0..B::FILES {
            text.push_str(&cell(position.piece_on(ShogiSquare::new(file, rank))));
        }
        writeln!(text, "  {}", rank + 1).expect("writing to a string");
    }
    let side = match position.side {
        Side::First => "first (uppercase, moving up)",
        Side::Second => "second (lowercase, moving down)",
    };
    text + &format!("  {files}\n   in hand: {}\n   to move: {side}\n", hand(position, Side::First))
}

/// Three characters for a square.
fn cell(piece: Option<(Side, ShogiKind)>) -> String {
    match piece {
        Some((side, kind)) if kind.is_promoted() => format!(" +{}", kind.letter_of(side)),
        Some((side, kind)) => format!("  {}", kind.letter_of(side)),
        None => "  .".to_owned(),
    }
}

/// A hand as players list it, the strongest first: `R B2 P11`; `-` for an empty one.
fn hand<B: ShogiBoard>(position: &Position<B>, side: Side) -> String {
    let held =
        ShogiKind::HAND.into_iter().rev().filter_map(|kind| match position.hands[side.index()].count(kind) {
            0 => None,
            1 => Some(kind.letter_of(side).to_string()),
            count => Some(format!("{}{count}", kind.letter_of(side))),
        });
    let held: Vec<String> = held.collect();
    if held.is_empty() { "-".to_owned() } else { held.join(" ") }
}
