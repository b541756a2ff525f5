//! Counts of move sequences, for tests of the move generator and for its speed.

use super::{
    XiangqiMove,
    boards::{Black, Board, Mover, Red},
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
                Side::First => bit_counting::perft::<B, Red>(position, &mut lists),
                Side::Second => bit_counting::perft::<B, Black>(position, &mut lists),
            }
        };
    }
    match position.side {
        Side::First => portable::<B, Red>(position, &mut lists),
        Side::Second => portable::<B, Black>(position, &mut lists),
    }
}

/// Counts one ply for each list, the later ones by `deeper`.
#[inline(always)]
fn count<B: Board, M: Mover>(
    position: &Position<B>,
    lists: &mut [Vec<XiangqiMove>],
    deeper: impl Fn(&Position<B>, &mut [Vec<XiangqiMove>]) -> u64,
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

fn portable<B: Board, M: Mover>(position: &Position<B>, lists: &mut [Vec<XiangqiMove>]) -> u64 {
    count::<B, M>(position, lists, portable::<B, M::Enemy>)
}

/// The same code compiled for processors that count and find bits in one instruction, as nearly all do: the
/// baseline of x86-64 lacks them, and perft does little else.
#[cfg(target_arch = "x86_64")]
mod bit_counting {
    use super::{Board, Mover, Position, XiangqiMove, count};

    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn perft<B: Board, M: Mover>(position: &Position<B>, lists: &mut [Vec<XiangqiMove>]) -> u64 {
        count::<B, M>(position, lists, |child, lists| perft::<B, M::Enemy>(child, lists))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::xiangqi::{
        boards::{Nine, Seven},
        fen,
        ruleset::Rules,
    };

    fn compare<B: Board>(text: &str, depth: usize) {
        let position = fen::parse::<B>(Rules::of(B::ID.rule_sets()[0]), text).expect(text).position;
        let mut lists = vec![Vec::new(); depth];
        let plain = match position.side {
            Side::First => portable::<B, Red>(&position, &mut lists),
            Side::Second => portable::<B, Black>(&position, &mut lists),
        };
        assert_eq!(perft(&position, depth as u32), plain, "{text}");
    }

    #[test]
    fn both_compilations_count_alike() {
        compare::<Nine>("1nbakabn1/8r/r3c4/p1p1p3p/6pR1/1C7/P1P3P1c/1C4N2/9/RNBAKAB2 w - - 0 1", 3);
        compare::<Nine>("3a2b2/P2kr4/9/9/9/2B6/9/3C5/4An1p1/N2K2c2 b - - 0 1", 3);
        compare::<Seven>(Seven::START, 4);
    }
}
