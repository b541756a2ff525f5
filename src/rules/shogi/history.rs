//! What a game remembers of its past: the positions, for sennichite.

use super::boards::Board;
use crate::rules::{Outcome, Reason, Side};

/// The occurrence of a position that ends the game.
const OCCURRENCES: u32 = 4;

/// A position does not come back in fewer plies: each side has to go and to return.
const SHORTEST_LOOP: usize = 4;

/// One position of the past.
#[derive(Clone, Copy, Debug)]
struct Past {
    key: u64,
    check: bool,
}

/// Every position since the start of the game, the current one last.
#[derive(Debug, Default)]
pub(super) struct History {
    past: Vec<Past>,
    /// How often the current position has stood before.
    earlier: u32,
}

impl Clone for History {
    fn clone(&self) -> Self {
        History { past: self.past.clone(), earlier: self.earlier }
    }

    fn clone_from(&mut self, source: &Self) {
        self.past.clone_from(&source.past);
        self.earlier = source.earlier;
    }
}

impl History {
    /// Adds the current position; `check` tells whether its side to move is in check.
    pub(super) fn push(&mut self, key: u64, check: bool) {
        // The same side was to move an even number of plies ago.
        let ply = self.past.len();
        let candidates = self.past.get(ply % 2..(ply + 1).saturating_sub(SHORTEST_LOOP)).unwrap_or(&[]);
        self.earlier = candidates.iter().step_by(2).filter(|past| past.key == key).count() as u32;
        self.past.push(Past { key, check });
    }

    /// How often the current position has stood before.
    pub(super) fn earlier(&self) -> u32 {
        self.earlier
    }

    /// The verdict on the current position, which `side` is to move in, if it stands for the fourth time.
    ///
    /// A side that alone gave check at every one of its moves since the first occurrence loses; where both
    /// did, nobody does, as in Fairy-Stockfish.
    pub(super) fn verdict<B: Board>(&self, side: Side) -> Option<Outcome> {
        if self.earlier + 1 < OCCURRENCES {
            return None;
        }
        let current = self.past.last()?;
        let first = self.past.iter().position(|past| past.key == current.key)?;
        // Every second flag is of one side: those of the first occurrence's side to move are checks by its
        // enemy, those from the next ply on are its own.
        let checked = |from: usize| self.past[from..].iter().step_by(2).all(|past| past.check);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shogi::boards::{Five, Nine};

    /// A loop of four plies, three times over, in which the first and the second side give check or not; the
    /// first side is to move at its start.
    fn looped(checks: [bool; 2]) -> History {
        let mut history = History::default();
        for ply in 0..=12 {
            // The side to move after an odd ply is the second, which the first may have checked.
            history.push(ply % 4, checks[(ply as usize + 1) % 2]);
        }
        history
    }

    #[test]
    fn s9_only_a_side_that_checks_alone_loses() {
        let verdict = |checks| looped(checks).verdict::<Nine>(Side::First);
        assert_eq!(verdict([true, false]), Some(Outcome::win(Side::Second, Reason::PerpetualCheck)));
        assert_eq!(verdict([false, true]), Some(Outcome::win(Side::First, Reason::PerpetualCheck)));
        assert_eq!(verdict([true, true]), Some(Outcome::draw(Reason::Repetition)));
        assert_eq!(verdict([false, false]), Some(Outcome::draw(Reason::Repetition)));
        let minishogi = |checks| looped(checks).verdict::<Five>(Side::First);
        assert_eq!(minishogi([true, true]), Some(Outcome::draw(Reason::Repetition)));
        assert_eq!(minishogi([false, false]), Some(Outcome::win(Side::Second, Reason::Repetition)));
    }

    #[test]
    fn s8_no_verdict_before_the_fourth_occurrence() {
        let mut history = History::default();
        for ply in 0..12 {
            history.push(ply % 4, false);
            assert_eq!((history.earlier(), history.verdict::<Nine>(Side::First)), (ply as u32 / 4, None));
        }
        history.push(0, false);
        assert_eq!(history.earlier(), 3);
    }
}
