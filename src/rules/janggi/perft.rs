//! Counts of move sequences, for tests of the move generator and for its speed.

use super::{
    JanggiMove,
    mover::{Cho, Han, Mover},
    position::Position,
};
use crate::rules::Side;

/// How many sequences of `depth` legal moves there are; the moves of the last ply are counted, not made.
/// Ends by a pass are applied.
pub(super) fn perft(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![Vec::new(); depth as usize];
    #[cfg(target_arch = "x86_64")]
    if bit_counting::is_available() {
        // SAFETY: the processor has the instructions, as was just asked.
        return unsafe {
            match position.side {
                Side::First => bit_counting::perft::<Cho>(position, &mut lists),
                Side::Second => bit_counting::perft::<Han>(position, &mut lists),
            }
        };
    }
    match position.side {
        Side::First => portable::<Cho>(position, &mut lists),
        Side::Second => portable::<Han>(position, &mut lists),
    }
}

/// Counts one ply for each list, the later ones by `deeper`.
#[inline(always)]
fn count<M: Mover>(
    position: &Position,
    lists: &mut [Vec<JanggiMove>],
    deeper: impl Fn(&Position, &mut [Vec<JanggiMove>]) -> u64,
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

fn portable<M: Mover>(position: &Position, lists: &mut [Vec<JanggiMove>]) -> u64 {
    count::<M>(position, lists, portable::<M::Enemy>)
}

/// The same code compiled for processors that count and find bits in one instruction, as nearly all do: the
/// baseline of x86-64 lacks them.
#[cfg(target_arch = "x86_64")]
mod bit_counting {
    use super::{JanggiMove, Mover, Position, count};

    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn perft<M: Mover>(position: &Position, lists: &mut [Vec<JanggiMove>]) -> u64 {
        count::<M>(position, lists, |child, lists| perft::<M::Enemy>(child, lists))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        GameId,
        janggi::{fen, ruleset::Rules},
    };

    #[test]
    fn both_compilations_count_alike() {
        let middle_game = "r2a3r1/4k1n2/1c1b1a3/bpp1nC3/4pp3/2P1N4/P3BP1PP/3KA2C1/c8/3RANB1R w - - 29 41";
        for &rules in GameId::Janggi.rule_sets() {
            let position = fen::parse(Rules::of(rules), middle_game).expect(middle_game).position;
            let mut lists = vec![Vec::new(); 3];
            assert_eq!(perft(&position, 3), portable::<Cho>(&position, &mut lists), "{rules}");
        }
    }
}
