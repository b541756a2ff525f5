//! Counts of move sequences, for tests of the move generator and for its speed.

use super::{
    ShogiMove,
    boards::{Board, Gote, Mover, Sente},
    position::Position,
};
use crate::rules::Side;

/// How many sequences of `depth` legal moves there are; the moves of the last ply are counted, not made.
pub(super) fn perft<B: Board>(position: &Position<B>, depth: u32) -> u64 {
    let mut lists = vec![Vec::new(); depth as usize];
    match position.side {
        Side::First => perft_as::<B, Sente>(position, &mut lists),
        Side::Second => perft_as::<B, Gote>(position, &mut lists),
    }
}

/// One ply for each list.
fn perft_as<B: Board, M: Mover>(position: &Position<B>, lists: &mut [Vec<ShogiMove>]) -> u64 {
    match lists {
        [] => 1,
        [_] => position.count_moves::<M>(),
        [moves, deeper @ ..] => {
            moves.clear();
            position.list_moves(moves);
            let children = moves.iter().map(|&mv| {
                let mut child = *position;
                child.play_as::<M>(mv);
                perft_as::<B, M::Enemy>(&child, deeper)
            });
            children.sum()
        }
    }
}
