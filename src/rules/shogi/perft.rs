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
    #[cfg(target_arch = "x86_64")]
    if bit_counting::is_available() {
        // SAFETY: the processor has the instructions, as was just asked.
        return unsafe {
            match position.side {
                Side::First => bit_counting::perft::<B, Sente>(position, &mut lists),
                Side::Second => bit_counting::perft::<B, Gote>(position, &mut lists),
            }
        };
    }
    match position.side {
        Side::First => portable::<B, Sente>(position, &mut lists),
        Side::Second => portable::<B, Gote>(position, &mut lists),
    }
}

/// Counts one ply for each list, the later ones by `deeper`.
#[inline(always)]
fn count<B: Board, M: Mover>(
    position: &Position<B>,
    lists: &mut [Vec<ShogiMove>],
    deeper: impl Fn(&Position<B>, &mut [Vec<ShogiMove>]) -> u64,
) -> u64 {
    match lists {
        [] => 1,
        [_] => position.count_moves::<M>(),
        [moves, lists @ ..] => {
            moves.clear();
            position.list_moves(moves);
            let mut nodes = 0;
            for &mv in moves.iter() {
                let mut child = *position;
                child.play_as::<M>(mv);
                nodes += deeper(&child, lists);
            }
            nodes
        }
    }
}

fn portable<B: Board, M: Mover>(position: &Position<B>, lists: &mut [Vec<ShogiMove>]) -> u64 {
    count::<B, M>(position, lists, portable::<B, M::Enemy>)
}

/// The same code compiled for processors that count and find bits in one instruction, as nearly all do: the
/// baseline of x86-64 lacks them, and perft does little else. Half as fast again.
#[cfg(target_arch = "x86_64")]
mod bit_counting {
    use super::{Board, Mover, Position, ShogiMove, count};

    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn perft<B: Board, M: Mover>(position: &Position<B>, lists: &mut [Vec<ShogiMove>]) -> u64 {
        count::<B, M>(position, lists, |child, lists| perft::<B, M::Enemy>(child, lists))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shogi::{
        boards::{Five, Nine},
        fen,
    };

    fn compare<B: Board>(text: &str, depth: usize) {
        let position = fen::parse::<B>(text).expect(text).position;
        let mut lists = vec![Vec::new(); depth];
        let plain = match position.side {
            Side::First => portable::<B, Sente>(&position, &mut lists),
            Side::Second => portable::<B, Gote>(&position, &mut lists),
        };
        assert_eq!(perft(&position, depth as u32), plain, "{text}");
    }

    #[test]
    fn both_compilations_count_alike() {
        compare::<Nine>("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3);
        compare::<Nine>("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L b Sbgn3p 1", 2);
        compare::<Five>(Five::START, 4);
    }
}
