//! What a game remembers of its past, and what the rule sets make of it: repetition and the move limit.

use super::{
    PalaceMove, Set,
    boards::XiangqiBoard,
    chase::{Attack, attacked_throughout},
    position::Position,
    ruleset::{Fault, Rules},
};
use crate::games::rules::{
    Outcome, Reason, Side,
    mover::BySide,
    palace::history::{PalaceHistory, PastPly},
};

/// Checks since the last capture that do not yet lengthen the move limit.
const FREE_CHECKS: u32 = 10;

/// The verdict on the current position, the last one of `history`; `clock` counts the plies since the last
/// capture.
pub(super) fn verdict<B: XiangqiBoard>(
    history: &PalaceHistory,
    position: &Position<B>,
    clock: u32,
) -> Option<Outcome> {
    let rules = position.rules;
    if is_limit_reached(rules, history, clock) {
        return Some(Outcome::draw(Reason::MoveLimit));
    }
    if history.earlier() + 1 < rules.occurrences {
        return None;
    }
    let (losers, reason) = rules.fault.judge(&Loop::of(history, position));
    Some(match losers {
        [true, false] => Outcome::win(Side::Second, reason),
        [false, true] => Outcome::win(Side::First, reason),
        _ => Outcome::draw(Reason::Repetition),
    })
}

/// Whether too many plies have passed since the last capture.
fn is_limit_reached(rules: &Rules, history: &PalaceHistory, clock: u32) -> bool {
    let Some(limit) = rules.move_limit.filter(|&limit| clock >= limit) else { return false };
    let past = history.past();
    // The first position of the past was not played here.
    let played = (past.len() - 1).min(clock as usize);
    let plies = &past[past.len() - played..];
    let checks = |from: usize| plies.iter().skip(from).step_by(2).filter(|ply| ply.check).count();
    let busier = checks(0).max(checks(1)) as u32;
    clock >= limit + rules.plies_per_check * busier.saturating_sub(FREE_CHECKS)
}

impl Fault {
    /// The sides that are at fault, `[first, second]`, and the name of it.
    fn judge<B: XiangqiBoard>(self, lap: &Loop<'_, B>) -> ([bool; 2], Reason) {
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
struct Loop<'a, B: XiangqiBoard> {
    /// The position at both ends.
    position: &'a Position<B>,
    plies: &'a [PastPly],
}

impl<'a, B: XiangqiBoard> Loop<'a, B> {
    fn of(history: &'a PalaceHistory, position: &'a Position<B>) -> Self {
        let past = history.unbroken();
        let first = past.iter().position(|past| past.key == position.pieces.key).unwrap_or(past.len() - 1);
        Loop { position, plies: &past[first + 1..] }
    }

    fn moves(&self) -> impl Iterator<Item = PalaceMove> {
        self.plies.iter().map(|ply| ply.mv.expect("a loop has no null move"))
    }

    /// Whether each side gave check at every one of its moves.
    fn checking(&self) -> [bool; 2] {
        let mover = self.position.pieces.side;
        [Side::First, Side::Second].map(|side| {
            let from = usize::from(side != mover);
            self.plies[from..].iter().step_by(2).all(|ply| ply.check)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{
        RuleSet,
        xiangqi::{boards::NineByTen, fen},
    };

    /// What the text of 1994 makes of these moves, were they a loop from `text`.
    fn judged(text: &str, moves: [&str; 2]) -> ([bool; 2], Reason) {
        let position = fen::parse::<NineByTen>(Rules::of(RuleSet::Wang1994), text).expect(text).position;
        let mut after = position;
        let plies = moves.map(|shown| {
            let mut legal = Vec::new();
            after.list_moves(&mut legal);
            let mv = legal.into_iter().find(|mv| mv.to_string() == shown).expect(shown);
            after.play(mv);
            PastPly { key: after.pieces.key, mv: Some(mv), check: after.threats.check }
        });
        Fault::Attacking.judge(&Loop { position: &position, plies: &plies })
    }

    /// Red answers a check by one, and neither side has another move; a second guard gives Red a choice.
    #[test]
    fn x12_wang1994_a_side_without_a_choice_is_not_at_fault() {
        let moves = ["f3e2", "e6f6"];
        let forced = judged("5k3/4P4/9/9/4c4/9/4P4/5A3/9/2p1KR3 w", moves);
        assert_eq!(forced.0, [false; 2]);
        let free = judged("5k3/4P4/9/9/4c4/9/4P4/3A1A3/9/2p1KR3 w", moves);
        assert_eq!(free, ([true, false], Reason::PerpetualCheck));
    }
}
