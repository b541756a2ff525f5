//! How much less is searched of what looks hopeless. Untuned where nothing is said.

use std::sync::LazyLock;

use super::score::Score;
use crate::base::maths::ln;

/// Up to this depth a node is left whose score is far from what is asked.
pub const FUTILE_DEPTH: i32 = 7;
/// Up to this depth a node is left to the captures that is far below what is asked.
pub const HOPELESS_DEPTH: i32 = 2;
/// From this depth on the opponent is given a turn for nothing, to see whether that helps.
pub const SKIP_DEPTH: i32 = 2;
/// Up to this depth a late move is left out even if it may give check.
pub const BLIND_DEPTH: i32 = 1;

/// Whether the side to move stands better than at its last turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// It does.
    Rising,
    /// It does not, or nobody knows.
    Falling,
}

/// A move of a node other than its first.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    /// The depth of the node.
    pub depth: i32,
    /// How many moves were tried before.
    pub place: usize,
    /// What the policy and the history say of it, in nats below the policy's favourite.
    pub rank: f32,
    /// That of the node.
    pub trend: Trend,
}

/// What speaks for looking at a move as deeply as at others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// The node's score has to be exact.
    Exact,
    /// The move takes, promotes or gives check.
    Forcing,
}

/// How far above what is asked a node must be to be left.
pub fn futile_margin(depth: i32, trend: Trend) -> Score {
    match trend {
        Trend::Rising => 110 * depth - 60,
        Trend::Falling => 110 * depth,
    }
}

/// How far below what is asked a node must be to be left to the captures.
pub fn hopeless_margin(depth: i32) -> Score {
    200 + 200 * depth
}

/// What a quiet move may be hoped to gain.
pub fn hope(depth: i32) -> Score {
    150 + 120 * depth
}

/// Plies by which the search is shortened after a skipped turn, with an opinion so far above what is asked.
pub fn by_skipping(depth: i32, surplus: Score) -> i32 {
    3 + depth / 4 + (surplus / 200).min(3)
}

impl Late {
    /// Whether a quiet move is not worth a look.
    pub fn is_too_late(&self) -> bool {
        let &Late { depth, place, rank, trend } = self;
        let most = 3 + depth * depth;
        let most = if trend == Trend::Rising { most } else { most / 2 + 1 };
        depth <= FUTILE_DEPTH && place as i32 >= most && rank < -1.0 - 0.5 * depth as f32
    }

    /// Plies by which its search is shortened. A base of 1.0 in the place of 0.4 gained 56 Elo [3, 112] in 100 games of
    /// minishogi with some 4,500 nodes a move, one of 1.7 no more than that.
    pub fn shortening(&self, care: impl IntoIterator<Item = Care>) -> i32 {
        if self.depth < 2 {
            return 0;
        }
        let late = logarithm(self.depth as usize) * logarithm(1 + self.place) / 2.4;
        let unlikely = 0.12 * ((-self.rank).clamp(0.0, 12.0) - 3.0);
        let rising = if self.trend == Trend::Rising { 0.3 } else { 0.0 };
        let cared: f32 = care.into_iter().map(|care| if care == Care::Exact { 1.0 } else { 0.5 }).sum();
        ((1.2 + late + unlikely - rising - cared).max(0.0) as i32).min(self.depth - 1)
    }
}

/// The natural logarithm of a depth or of a number of moves, from a table: it is wanted for every late move.
fn logarithm(number: usize) -> f32 {
    static TABLE: LazyLock<[f32; 1024]> = LazyLock::new(|| std::array::from_fn(|number| ln(number as f32)));
    TABLE[number.min(TABLE.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_unlikelier_moves_are_looked_at_less() {
        let late = |place, rank| Late { depth: 9, place, rank, trend: Trend::Falling };
        assert!(late(1, 0.0).shortening([]) < late(20, 0.0).shortening([]));
        assert!(late(5, 0.0).shortening([]) < late(5, -12.0).shortening([]));
        assert!(late(20, -3.0).shortening([Care::Exact, Care::Forcing]) < late(20, -3.0).shortening([]));
        assert_eq!(Late { depth: 2, ..late(60, -12.0) }.shortening([]), 1, "never below the captures");
        assert!(!Late { depth: 3, ..late(60, 0.0) }.is_too_late(), "the policy may like it all the same");
        assert!(Late { depth: 3, ..late(60, -9.0) }.is_too_late());
    }
}
