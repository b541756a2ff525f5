//! What tells one rule set of janggi from another.

use crate::games::rules::RuleSet;

/// What it means that the kings face each other on an open file (bikjang).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facing {
    /// Nothing.
    Ignored,
    /// The side to move breaks the line or passes, which ends the game.
    Offer,
    /// A check, by a side that can then no longer win. The text calls it a last-chance move: what keeps a side
    /// from it is its price, so it is legal unless it would answer a check.
    Check,
}

/// When a side may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    /// Whenever it is not in check.
    UnlessInCheck,
    /// When it is not in check and no other move is legal.
    LastResort,
}

/// What becomes of a side that gives check throughout a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PerpetualCheck {
    /// It loses.
    Loses,
    /// The same as of any other repetition.
    Repeats,
}

/// What becomes of a side that moves one piece to and fro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shuffling {
    /// It loses when the piece stands on one point for the third time.
    Loses,
    /// Nothing, as long as the position does not repeat.
    Allowed,
}

/// How a game ends that has no winner on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// The side with more points wins.
    Points,
    /// It is drawn.
    Draw,
}

/// The rules that differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) facing: Facing,
    pub(super) passing: Passing,
    pub(super) perpetual_check: PerpetualCheck,
    pub(super) shuffling: Shuffling,
    /// The occurrence of a position that ends the game.
    pub(super) occurrences: u32,
    /// Plies without a capture that end the game.
    pub(super) move_limit: u32,
    pub(super) count: Count,
}

/// Fairy-Stockfish's `janggi`.
static POINTS: Rules = Rules {
    facing: Facing::Offer,
    passing: Passing::UnlessInCheck,
    perpetual_check: PerpetualCheck::Loses,
    shuffling: Shuffling::Allowed,
    occurrences: 3,
    move_limit: 100,
    count: Count::Points,
};

/// Fairy-Stockfish's `janggitraditional`.
static TRADITIONAL: Rules = Rules { count: Count::Draw, ..POINTS };

/// Fairy-Stockfish's `janggimodern`.
static KAKAO: Rules =
    Rules { facing: Facing::Ignored, shuffling: Shuffling::Loses, occurrences: 4, move_limit: 200, ..POINTS };

/// Fairy-Stockfish's `janggicasual`.
static CASUAL: Rules = Rules { facing: Facing::Ignored, count: Count::Draw, ..POINTS };

/// The text of 1995.
static MARTIN_1995: Rules = Rules {
    facing: Facing::Check,
    passing: Passing::LastResort,
    perpetual_check: PerpetualCheck::Repeats,
    shuffling: Shuffling::Allowed,
    occurrences: 4,
    move_limit: 200,
    count: Count::Draw,
};

impl Rules {
    /// The rules that `set` names, which must be a rule set of janggi.
    pub(super) fn of(set: RuleSet) -> &'static Rules {
        match set {
            RuleSet::Points => &POINTS,
            RuleSet::Traditional => &TRADITIONAL,
            RuleSet::Kakao => &KAKAO,
            RuleSet::Casual => &CASUAL,
            RuleSet::Martin1995 => &MARTIN_1995,
            other => panic!("{other} is no rule set of janggi"),
        }
    }
}
