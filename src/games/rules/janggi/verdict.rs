//! How games end.

use super::{
    Set, history,
    position::{PassEnd, Position},
    ruleset::{Count, Facing, PerpetualCheck, Rules, Shuffling},
};
use crate::games::rules::{Outcome, Reason, RuleSet, Side, mover::BySide, palace::history::PalaceHistory};

/// What Han has more for moving second (deom): with it, points are never equal.
const DEOM: f32 = 1.5;

/// The points of both sides, Cho's first.
pub(super) fn points(position: &Position) -> [f32; 2] {
    [position.points(Side::First) as f32, position.points(Side::Second) as f32 + DEOM]
}

/// The end of a game that has no winner on the board: by points if the rules count them.
pub(super) fn count(position: &Position, reason: Reason) -> Outcome {
    match position.rules.count {
        Count::Draw => Outcome::draw(reason),
        Count::Points => {
            let points = points(position);
            let winner = if points[0] > points[1] { Side::First } else { Side::Second };
            Outcome { points: Some(points), ..Outcome::win(winner, reason) }
        }
    }
}

/// The end of a game whose side to move is in check without a legal move; `bared` tells who has bared the
/// kings (see [`Janggi::bared`](super::Janggi::bared)).
pub(super) fn mate(position: &Position, bared: [bool; 2]) -> Outcome {
    let winner = !position.pieces.side;
    let may_be_drawn = position.rules.facing == Facing::Check;
    if may_be_drawn && (bared[winner.index()] || hangs_on_facing_kings(position)) {
        Outcome::draw(Reason::BaredKings)
    } else {
        Outcome::win(winner, Reason::Checkmate)
    }
}

/// Whether the mating piece could be taken, but for that baring the kings (J13).
fn hangs_on_facing_kings(position: &Position) -> bool {
    let position = Position { rules: Rules::of(RuleSet::Casual), ..*position };
    let mut moves = Vec::new();
    position.list_moves(&mut moves);
    let checkers = position.checkers();
    moves.iter().any(|mv| !(checkers & Set::of(mv.to())).is_empty())
}

/// The verdict of the rules that need the history, after a move; a checkmate comes before it.
pub(super) fn of_history(
    position: &Position,
    history: &PalaceHistory,
    clock: u32,
    bared: [bool; 2],
) -> Option<Outcome> {
    let rules = position.rules;
    match position.pass_ended {
        Some(PassEnd::Bikjang) => return Some(count(position, Reason::Bikjang)),
        Some(PassEnd::DoublePass) => return Some(count(position, Reason::DoublePass)),
        None => {}
    }
    if bared == [true; 2] {
        return Some(Outcome::draw(Reason::BaredKings));
    }
    if clock >= rules.move_limit {
        return Some(count(position, Reason::MoveLimit));
    }
    if rules.shuffling == Shuffling::Loses && history::is_to_and_fro(position, history, clock) {
        let reason =
            if history::checks_to_and_fro(history) { Reason::PerpetualCheck } else { Reason::ToAndFro };
        return Some(Outcome::win(position.pieces.side, reason));
    }
    (history.earlier() + 1 >= rules.occurrences).then(|| repetition(position, history))
}

/// The verdict on a position that has occurred often enough.
fn repetition(position: &Position, history: &PalaceHistory) -> Outcome {
    if position.rules.perpetual_check == PerpetualCheck::Loses {
        // Whom the other side alone has checked at every move since the first occurrence.
        match history::perpetually_checked(history) {
            [true, false] => return Outcome::win(position.pieces.side, Reason::PerpetualCheck),
            [false, true] => return Outcome::win(!position.pieces.side, Reason::PerpetualCheck),
            _ => {}
        }
    }
    count(position, Reason::Repetition)
}
