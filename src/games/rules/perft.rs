//! Counts of move sequences, for tests of the move generators and for their speed.

use super::mover::BySide;

/// How many sequences of `depth` legal moves there are; the moves of the last ply are counted, not made.
pub fn perft<P: BySide>(position: &P, depth: u32) -> u64 {
    let mut lists = vec![Vec::new(); depth as usize];
    #[cfg(target_arch = "x86_64")]
    if bit_counting::is_available() {
        // SAFETY: the processor has the instructions, as was just asked.
        return unsafe { bit_counting::perft(position, &mut lists) };
    }
    portable(position, &mut lists)
}

/// Counts one ply for each list, the later ones by `deeper`.
#[inline(always)]
fn count<P: BySide>(
    position: &P,
    lists: &mut [Vec<P::Move>],
    deeper: impl Fn(&P, &mut [Vec<P::Move>]) -> u64,
) -> u64 {
    match lists {
        [] => 1,
        [_] => position.count_moves(),
        [moves, lists @ ..] => {
            moves.clear();
            position.list_moves(moves);
            let mut nodes = 0;
            for &mv in moves.iter() {
                let mut child = *position;
                child.play(mv);
                nodes += deeper(&child, lists);
            }
            nodes
        }
    }
}

fn portable<P: BySide>(position: &P, lists: &mut [Vec<P::Move>]) -> u64 {
    count(position, lists, portable)
}

/// The same code compiled for processors that count and find bits in one instruction, as nearly all do: the
/// baseline of x86-64 lacks them, and perft does little else. Half as fast again.
#[cfg(target_arch = "x86_64")]
mod bit_counting {
    use super::{BySide, count};

    pub(super) fn is_available() -> bool {
        is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn perft<P: BySide>(position: &P, lists: &mut [Vec<P::Move>]) -> u64 {
        count(position, lists, |child, lists| perft(child, lists))
    }
}

/// Panics unless both compilations count `position` alike.
#[cfg(test)]
pub fn assert_both_count_alike<P: BySide>(position: &P, depth: u32) {
    let plain = portable(position, &mut vec![Vec::new(); depth as usize]);
    assert_eq!(perft(position, depth), plain);
}
