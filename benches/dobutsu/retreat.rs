//! Moves of dobutsu shogi, taken back.

use sanki::games::rules::{
    Side,
    dobutsu::{ALL, Kind, LAST_RANK, Position, reach, squares},
};

/// Gives every position in which the second player has a move to `position`, where the first is to move, to `visit`. Some
/// of them may not be reached by any game.
pub fn for_each_before(position: &Position, mut visit: impl FnMut(&Position)) {
    let (us, them) = (Side::First, Side::Second);
    let mut before = Position::empty(them);
    for side in [us, them] {
        for kind in Kind::ALL {
            squares(position.pieces(side, kind)).for_each(|square| before.toggle(side, kind, square));
        }
        for kind in Kind::DROPPABLE {
            before.set_hand(side, kind, position.hand(side, kind));
        }
    }
    let empty = ALL & !(position.occupied(us) | position.occupied(them));
    for kind in Kind::ALL {
        for to in squares(position.pieces(them, kind)) {
            before.toggle(them, kind, to);
            if Kind::DROPPABLE.contains(&kind) {
                let held = before.hand(them, kind);
                before.set_hand(them, kind, held + 1);
                visit(&before);
                before.set_hand(them, kind, held);
            }
            for kind in kinds_before(kind, to) {
                // Where it could go from there moving the other way.
                for from in squares(reach(us, kind, to) & empty) {
                    before.toggle(them, kind, from);
                    visit(&before);
                    for_each_capture(&mut before, to, &mut visit);
                    before.toggle(them, kind, from);
                }
            }
            before.toggle(them, kind, to);
        }
    }
}

/// What the piece of the second player that is now a `kind` on `to` may have been before it went there.
fn kinds_before(kind: Kind, to: usize) -> impl Iterator<Item = Kind> {
    let promotes = LAST_RANK[Side::Second.index()] >> to & 1 != 0;
    let kinds = match kind {
        Kind::Hen if promotes => [Some(Kind::Hen), Some(Kind::Chick)],
        Kind::Chick if promotes => [None, None],
        kind => [Some(kind), None],
    };
    kinds.into_iter().flatten()
}

/// The same where the second player took something on `to`, which it now holds.
fn for_each_capture(before: &mut Position, to: usize, visit: &mut impl FnMut(&Position)) {
    for held in Kind::DROPPABLE {
        let count = before.hand(Side::Second, held);
        if count == 0 {
            continue;
        }
        before.set_hand(Side::Second, held, count - 1);
        let taken = [Some(held), (held == Kind::Chick).then_some(Kind::Hen)];
        for kind in taken.into_iter().flatten() {
            before.toggle(Side::First, kind, to);
            visit(before);
            before.toggle(Side::First, kind, to);
        }
        before.set_hand(Side::Second, held, count);
    }
}
