//! What a game remembers of its past: the positions, for sennichite.

use super::boards::ShogiBoard;
use crate::games::rules::{
    Outcome, Reason, Side,
    history::{self, Remembered},
};

/// The occurrence of a position that ends the game.
pub(super) const OCCURRENCES: u32 = 4;

/// No ply of shogi rules out that an earlier position comes back: what was captured is dropped again.
pub(super) const REVERSIBLE: u32 = u32::MAX;

/// Every position since the start of the game, the current one last.
pub(super) type History = history::History<Past>;

/// One position of the past.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    /// Names the position.
    pub key: u64,
    /// Whether the side then to move was in check.
    pub check: bool,
}

impl Remembered for Past {
    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }
}

/// The verdict on the current position, which `side` is to move in, if it stands for the fourth time.
///
/// A side that alone gave check at every one of its moves since the first occurrence loses; where both
/// did, neither loses, as in Fairy-Stockfish.
pub(super) fn verdict<B: ShogiBoard>(history: &History, side: Side) -> Option<Outcome> {
    if history.earlier() + 1 < OCCURRENCES {
        return None;
    }
    let past = history.unbroken();
    let current = past.last()?;
    let first = past.iter().position(|ply| ply.key == current.key)?;
    // Every second flag is of one side: those of the first occurrence's side to move are checks by its
    // enemy, those from the next ply on are its own.
    let checked = |from: usize| past[from..].iter().step_by(2).all(|ply| ply.check);
    let outcome = match (checked(first + 1), checked(first)) {
        (true, false) => Outcome::win(!side, Reason::PerpetualCheck),
        (false, true) => Outcome::win(side, Reason::PerpetualCheck),
        (true, true) => Outcome::draw(Reason::Repetition),
        (false, false) => match B::REPETITION_LOSER {
            Some(loser) => Outcome::win(!loser, Reason::Repetition),
            None => Outcome::draw(Reason::Repetition),
        },
    };
    Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::shogi::boards::{FiveByFive, NineByNine};

    /// A loop of four plies, three times over, in which the first and the second side give check or not; the
    /// first side is to move at its start.
    fn looped(checks: [bool; 2]) -> History {
        let mut history = History::default();
        for ply in 0..=12 {
            // The side to move after an odd ply is the second, which the first may have checked.
            history.push(Past { key: ply % 4, check: checks[(ply as usize + 1) % 2] }, REVERSIBLE);
        }
        history
    }

    #[test]
    fn s9_only_a_side_that_checks_alone_loses() {
        let shogi = |checks| verdict::<NineByNine>(&looped(checks), Side::First);
        assert_eq!(shogi([true, false]), Some(Outcome::win(Side::Second, Reason::PerpetualCheck)));
        assert_eq!(shogi([false, true]), Some(Outcome::win(Side::First, Reason::PerpetualCheck)));
        assert_eq!(shogi([true, true]), Some(Outcome::draw(Reason::Repetition)));
        assert_eq!(shogi([false, false]), Some(Outcome::draw(Reason::Repetition)));
        let minishogi = |checks| verdict::<FiveByFive>(&looped(checks), Side::First);
        assert_eq!(minishogi([true, true]), Some(Outcome::draw(Reason::Repetition)));
        assert_eq!(minishogi([false, false]), Some(Outcome::win(Side::Second, Reason::Repetition)));
    }

    #[test]
    fn s8_no_verdict_before_the_fourth_occurrence() {
        let mut history = History::default();
        for ply in 0..12 {
            history.push(Past { key: ply % 4, check: false }, REVERSIBLE);
            assert_eq!(
                (history.earlier(), verdict::<NineByNine>(&history, Side::First)),
                (ply as u32 / 4, None)
            );
        }
        history.push(Past { key: 0, check: false }, REVERSIBLE);
        assert_eq!(history.earlier(), 3);
    }
}
