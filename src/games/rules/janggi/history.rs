//! What the rules ask of a game's past.

use super::{PalaceKind, PalaceMove, PalaceSquare, position::Position};
use crate::games::rules::palace::history::PalaceHistory;

/// Whether the side to move, and whether the other side, has been in check whenever it was to move since the
/// first occurrence of the current position.
pub(super) fn perpetually_checked(history: &PalaceHistory) -> [bool; 2] {
    let past = history.unbroken();
    let current = past.last().map(|ply| ply.key);
    let first = past.iter().position(|ply| Some(ply.key) == current).unwrap_or(0);
    [first, first + 1].map(|from| past[from..].iter().step_by(2).all(|ply| ply.check))
}

/// Whether the side that has just moved has moved one piece to and fro, neither king nor guard, so that it
/// stands on one point for the third time: it came, went, came, went and came, all that without a capture in
/// the last `clock` plies and without a check to that side before its moves. One pass is overlooked where it
/// was the side's last turn but one.
///
/// This is the rule of Fairy-Stockfish's `janggimodern`, to which it also belongs that a piece on a1 at the
/// start of the game has come there, and no other has. A null move is no start of the game.
pub(super) fn is_to_and_fro(position: &Position, history: &PalaceHistory, clock: u32) -> bool {
    let plies = || history.unbroken().iter().rev();
    let mut moves = plies().step_by(2).map(|ply| ply.mv).peekable();
    let Some(last) = moves.next().flatten() else { return false };
    if last.is_pass() || matches!(position.pieces.kind_on(last.to()), PalaceKind::King | PalaceKind::Guard) {
        return false;
    }
    let passed = moves.next_if(|mv| mv.is_some_and(PalaceMove::is_pass)).is_some();
    let [Some(went), Some(came), Some(first_went), Some(first_came)] = [(); 4].map(|()| moves.next()) else {
        return false;
    };
    let played = history.unbroken().len() - 1;
    let window = played.min(if passed { 11 } else { 9 });
    let first_point = match first_came {
        Some(mv) => mv.to(),
        None if history.has_skip() => return false,
        None => PalaceSquare::new(0, 0),
    };
    went == Some(last.reversed())
        && came == Some(last)
        && first_went == went
        && first_point == last.to()
        && clock as usize >= window
        && plies().take(window + 1).skip(1).step_by(2).all(|ply| !ply.check)
}

/// Whether [`is_to_and_fro`] may hold after `mv`, the next ply of this history: whether it went and came before.
pub(super) fn may_be_to_and_fro(history: &PalaceHistory, mv: PalaceMove) -> bool {
    let mut own = history.past().iter().rev().skip(1).step_by(2).map(|ply| ply.mv).peekable();
    own.next_if(|mv| mv.is_some_and(PalaceMove::is_pass));
    own.next().flatten() == Some(mv.reversed()) && own.next().flatten() == Some(mv)
}

/// Whether each time that the piece of [`is_to_and_fro`] came and went it gave check.
pub(super) fn checks_to_and_fro(history: &PalaceHistory) -> bool {
    history.past().iter().rev().step_by(2).take(5).all(|ply| ply.check)
}
