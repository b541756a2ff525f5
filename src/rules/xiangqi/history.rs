//! What a game remembers of its past, and what the rule sets make of it: repetition and the move limit.

use super::{
    Set, XiangqiMove,
    boards::Board,
    chase::{Attack, attacked_throughout},
    position::Position,
};
use crate::rules::{Outcome, Reason, RuleSet, Side, palace::history::History};

/// A ply of the past, with the position that it led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    /// What was played; `None` before the start of the game.
    pub(super) mv: Option<XiangqiMove>,
    /// Whether the side then to move was in check.
    pub(super) check: bool,
}

/// What a rule set says of the past.
#[derive(Clone, Copy, Debug)]
pub(super) struct Customs {
    /// The occurrence of a position that ends the game.
    occurrences: u32,
    /// Who loses by it.
    fault: Fault,
    /// Plies without a capture that draw; `None` where no rule does.
    pub(super) move_limit: Option<u32>,
    /// Plies that every check beyond [`FREE_CHECKS`] of the busier side adds to the limit.
    plies_per_check: u32,
}

/// Which side loses when a position comes back too often; where both do, or neither, it is a draw.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The one that gave check at every move.
    Checking,
    /// The same, else the one that chased a piece at every move.
    CheckingElseChasing,
    /// The one that gave check or threatened the same piece at every move, unless no side had a choice.
    Attacking,
}

/// Checks since the last capture that do not yet lengthen the move limit.
const FREE_CHECKS: u32 = 10;

impl Customs {
    /// Those of `rules`.
    pub(super) const fn of(rules: RuleSet) -> Customs {
        let limit = Some(100);
        match rules {
            RuleSet::Axf => Customs {
                occurrences: 3,
                fault: Fault::CheckingElseChasing,
                move_limit: limit,
                plies_per_check: 2,
            },
            // The loop has to end after its third time, which leads to the fourth occurrence.
            RuleSet::Wang1994 => {
                Customs { occurrences: 5, fault: Fault::Attacking, move_limit: None, plies_per_check: 0 }
            }
            _ => Customs { occurrences: 3, fault: Fault::Checking, move_limit: limit, plies_per_check: 0 },
        }
    }

    /// The verdict on the current position, the last one of `history`; `clock` counts the plies since the last
    /// capture.
    pub(super) fn verdict<B: Board>(
        self,
        history: &History<Ply>,
        position: &Position<B>,
        clock: u32,
    ) -> Option<Outcome> {
        if self.is_limit_reached(history, clock) {
            return Some(Outcome::draw(Reason::MoveLimit));
        }
        if history.earlier() + 1 < self.occurrences {
            return None;
        }
        let (losers, reason) = self.fault.judge(&Loop::of(history, position));
        Some(match losers {
            [true, false] => Outcome::win(Side::Second, reason),
            [false, true] => Outcome::win(Side::First, reason),
            _ => Outcome::draw(Reason::Repetition),
        })
    }

    /// Whether too many plies have passed since the last capture.
    fn is_limit_reached(self, history: &History<Ply>, clock: u32) -> bool {
        let Some(limit) = self.move_limit.filter(|&limit| clock >= limit) else { return false };
        let past = history.past();
        let since_capture = &past[past.len() - (clock as usize).min(past.len() - 1)..];
        let checks =
            |from: usize| since_capture.iter().skip(from).step_by(2).filter(|past| past.1.check).count();
        let busier = checks(0).max(checks(1)) as u32;
        clock >= limit + self.plies_per_check * busier.saturating_sub(FREE_CHECKS)
    }
}

impl Fault {
    /// The sides that are at fault, `[first, second]`, and the name of it.
    fn judge<B: Board>(self, lap: &Loop<'_, B>) -> ([bool; 2], Reason) {
        let checking = lap.checking();
        match self {
            Fault::Checking => (checking, Reason::PerpetualCheck),
            Fault::CheckingElseChasing if checking != [false; 2] => (checking, Reason::PerpetualCheck),
            Fault::CheckingElseChasing => (lap.attacking(Attack::Gain), Reason::PerpetualChase),
            Fault::Attacking if !lap.can_be_left() => ([false; 2], Reason::Repetition),
            Fault::Attacking => {
                let attacking = lap.attacking(Attack::Threat);
                let checks = attacking == checking;
                (attacking, if checks { Reason::PerpetualCheck } else { Reason::PerpetualChase })
            }
        }
    }
}

/// What was played between the first occurrence of the current position and now.
struct Loop<'a, B: Board> {
    /// The position at both ends.
    position: &'a Position<B>,
    plies: &'a [(u64, Ply)],
}

impl<'a, B: Board> Loop<'a, B> {
    fn of(history: &'a History<Ply>, position: &'a Position<B>) -> Self {
        let past = history.past();
        let first = past.iter().position(|past| past.0 == position.key).unwrap_or(past.len() - 1);
        Loop { position, plies: &past[first + 1..] }
    }

    fn moves(&self) -> impl Iterator<Item = XiangqiMove> {
        self.plies.iter().filter_map(|(_, ply)| ply.mv)
    }

    /// Whether each side gave check at every one of its moves.
    fn checking(&self) -> [bool; 2] {
        let mover = self.position.side;
        [Side::First, Side::Second].map(|side| {
            let from = usize::from(side != mover);
            self.plies[from..].iter().step_by(2).all(|(_, ply)| ply.check)
        })
    }

    /// Whether each side attacked the same piece at every one of its moves.
    fn attacking(&self, attack: Attack) -> [bool; 2] {
        let [of_first, of_second] = attacked_throughout(self.position, self.moves(), attack);
        [of_second, of_first].map(|prey: Set| !prey.is_empty())
    }

    /// Whether a side could have played something else.
    fn can_be_left(&self) -> bool {
        let mut position = *self.position;
        let mut moves = Vec::new();
        self.moves().any(|mv| {
            moves.clear();
            position.list_moves(&mut moves);
            position.play(mv);
            moves.len() > 1
        })
    }
}
