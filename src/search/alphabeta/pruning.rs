//! Pruning: which nodes and moves are not searched, and by what margin. Depths and margins are untuned where nothing is
//! said.

use super::score::SearchScore;

/// Up to this depth a node far above beta is pruned (reverse futility pruning).
pub const RFP_DEPTH: i32 = 7;
/// Up to this depth a quiet move is pruned where the static evaluation is far below alpha (futility pruning).
pub const FUTILITY_DEPTH: i32 = 7;
/// Up to this depth late moves are pruned (late-move pruning).
pub const LMP_DEPTH: i32 = 7;
/// Up to this depth a node far below alpha drops into quiescence (razoring).
pub const RAZORING_DEPTH: i32 = 2;
/// From this depth on the null move is tried: if the opponent may move twice and the score is still beta or more, the
/// node is pruned.
pub const NULL_MOVE_DEPTH: i32 = 2;
/// Up to this depth a move is pruned before it is known whether it gives check.
pub const PRUNED_CHECKS_DEPTH: i32 = 1;

/// Whether the static evaluation has risen since the last turn of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Improving {
    /// It has.
    Yes,
    /// It has not, or it is not known.
    No,
}

/// A node is pruned whose static evaluation is above beta by this.
pub fn rfp_margin(depth: i32, improving: Improving) -> SearchScore {
    match improving {
        Improving::Yes => 110 * depth - 60,
        Improving::No => 110 * depth,
    }
}

/// A node drops into quiescence whose static evaluation is below alpha by this.
pub fn razoring_margin(depth: i32) -> SearchScore {
    200 + 200 * depth
}

/// A quiet move is expected to gain no more than this.
pub fn futility_margin(depth: i32) -> SearchScore {
    150 + 120 * depth
}

/// Plies by which the search after a null move is shortened, where the static evaluation is above beta by `surplus`.
pub fn null_move_reduction(depth: i32, surplus: SearchScore) -> i32 {
    3 + depth / 4 + (surplus / 200).min(3)
}
