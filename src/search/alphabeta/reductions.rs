//! Late moves: pruned, or searched less deeply (late-move reductions). Untuned where nothing is said.

use std::sync::LazyLock;

use super::pruning::{Improving, LMP_DEPTH};
use crate::base::maths::ln;

/// What the reduction of a move depends on, which is not the first of its node.
#[derive(Clone, Copy, Debug)]
pub struct LmrContext {
    /// The depth of the node.
    pub depth: i32,
    /// How many moves of the node come before it.
    pub searched: usize,
    /// What policy, history and killers say of it, in nats below the policy's favourite.
    pub rank: f32,
    /// That of the node.
    pub improving: Improving,
    /// Whether the node is searched in a whole window, as on the principal variation.
    pub is_pv: bool,
    /// Whether the move takes, promotes or gives check.
    pub is_forcing: bool,
}

impl LmrContext {
    /// Whether late-move pruning leaves the move out, if it is quiet.
    pub fn is_late_move_pruned(&self) -> bool {
        let &LmrContext { depth, searched, rank, improving, .. } = self;
        let most = 3 + depth * depth;
        let most = if improving == Improving::Yes { most } else { most / 2 + 1 };
        depth <= LMP_DEPTH && searched as i32 >= most && rank < -1.0 - 0.5 * depth as f32
    }

    /// Plies by which its search is shortened. A base of 1.0 in the place of 0.4 gained 56 Elo [3, 112] in 100 games of
    /// minishogi with some 4,500 nodes a move, one of 1.7 no more than that.
    pub fn reduction(&self) -> i32 {
        if self.depth < 2 {
            return 0;
        }
        let late = logarithm(self.depth as usize) * logarithm(1 + self.searched) / 2.4;
        let unlikely = 0.12 * ((-self.rank).clamp(0.0, 12.0) - 3.0);
        let improving = if self.improving == Improving::Yes { 0.3 } else { 0.0 };
        let spared = if self.is_pv { 1.0 } else { 0.0 } + if self.is_forcing { 0.5 } else { 0.0 };
        ((1.2 + late + unlikely - improving - spared).max(0.0) as i32).min(self.depth - 1)
    }
}

/// The natural logarithm of a depth or of a number of moves, from a table: every late move needs two.
fn logarithm(number: usize) -> f32 {
    static TABLE: LazyLock<[f32; 1024]> = LazyLock::new(|| std::array::from_fn(|number| ln(number as f32)));
    TABLE[number.min(TABLE.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_unlikelier_moves_are_reduced_more() {
        let late = |searched, rank| LmrContext {
            depth: 9,
            searched,
            rank,
            improving: Improving::No,
            is_pv: false,
            is_forcing: false,
        };
        assert!(late(1, 0.0).reduction() < late(20, 0.0).reduction());
        assert!(late(5, 0.0).reduction() < late(5, -12.0).reduction());
        let spared = LmrContext { is_pv: true, is_forcing: true, ..late(20, -3.0) };
        assert!(spared.reduction() < late(20, -3.0).reduction());
        assert_eq!(LmrContext { depth: 2, ..late(60, -12.0) }.reduction(), 1, "never below the captures");
        assert!(
            !LmrContext { depth: 3, ..late(60, 0.0) }.is_late_move_pruned(),
            "the policy may like it all the same"
        );
        assert!(LmrContext { depth: 3, ..late(60, -9.0) }.is_late_move_pruned());
    }
}
