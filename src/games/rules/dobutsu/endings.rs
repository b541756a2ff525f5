//! Which moves end the game, without playing them all.

use super::{
    Dobutsu, DobutsuMove, Kind, MoveOrigin, Position,
    tables::{self, Bitboard, LAST_RANK},
};
use crate::games::rules::{
    Ending, Verdict,
    endings::{QuickVerdict, collect},
};

/// Appends the `moves` that end the game.
pub(super) fn list(game: &Dobutsu, moves: &[DobutsuMove], endings: &mut Vec<Ending>) {
    let position = game.position();
    let (origins, targets) = ending_squares(position);
    let times = game.drawing_occurrence() - 1;
    let may_repeat = game.history.has_repeated(times);
    let may_end = |mv: DobutsuMove| {
        targets >> mv.to() & 1 != 0
            || matches!(mv.from(), MoveOrigin::Square(from) if origins >> from & 1 != 0)
            || may_repeat
    };
    collect(game, moves, endings, may_end, |mv| {
        let after = position.after(mv);
        match after.end() {
            Some(outcome) => QuickVerdict::Ends(outcome.verdict),
            None if game.history.has_stood(after.key(), times) => QuickVerdict::Ends(Verdict::Draw),
            None => QuickVerdict::GoesOn,
        }
    });
}

/// From where, and to where, a move may end the game if no repetition does.
fn ending_squares(position: &Position) -> (Bitboard, Bitboard) {
    let (us, them) = (position.side(), !position.side());
    let lions = [position.pieces(us, Kind::Lion), position.pieces(them, Kind::Lion)];
    let is_home = (lions[0] & LAST_RANK[us.index()]) | (lions[1] & LAST_RANK[them.index()]) != 0;
    let movable = position.movable(them);
    let holds = Kind::DROPPABLE.into_iter().any(|kind| position.hand(them, kind) > 0);
    // One move takes one of them at most.
    let can_be_stopped = !holds && movable.count_ones() < 2;
    if is_home || can_be_stopped { (tables::ALL, tables::ALL) } else { (lions[0], lions[1]) }
}
