//! Chases: which pieces of the enemy a side attacks at every move of a loop.
//!
//! An attack is a capture that is possible at the next move and was not before this one. Whether a piece may
//! take is asked as if it were its side's turn: it may not if that lets an enemy at its king. A check that
//! stands already does not count here, for it has to be answered before anything is taken, by either side.
//!
//! Nothing here is fast, and nothing has to be: it runs only when a position has come back often enough.

use super::{
    PalaceKind::{self, *},
    PalaceMove, PalaceSquare, Set,
    boards::XiangqiBoard,
    position::Position,
};
use crate::games::rules::{
    Side,
    mover::{BySide, First, Second},
    palace::lines,
};

/// What a rule set counts as an attack on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attack {
    /// A capture with gain, after the Asian federation.
    Gain,
    /// Any capture by one of the attacking pieces, and any check whichever piece it is that is attacked: the
    /// text of 1994 tells no more.
    Threat,
}

/// The pieces of each side that the other attacks at every one of its moves when `moves`, none of which takes
/// anything, are played from `start`. They stand where they are at the end.
pub(super) fn attacked_throughout<B: XiangqiBoard>(
    start: &Position<B>,
    moves: impl Iterator<Item = PalaceMove>,
    attack: Attack,
) -> [Set; 2] {
    let mut position = *start;
    let mut prey = start.pieces.sides;
    for mv in moves {
        let mover = position.pieces.side;
        follow(&mut prey[mover.index()], mv);
        let before = position;
        position.play(mv);
        let hunted = &mut prey[(!mover).index()];
        *hunted = attack.newly_attacked(&before, mv, &position, *hunted);
        if prey == [Set::EMPTY; 2] {
            break;
        }
    }
    prey
}

/// Moves a piece that is in the set along.
fn follow(set: &mut Set, mv: PalaceMove) {
    if set.contains(mv.from()) {
        *set ^= Set::of(mv.from()) | Set::of(mv.to());
    }
}

impl Attack {
    /// Those of `prey`, enemies of the side that has played `mv`, which the move newly attacks.
    fn newly_attacked<B: XiangqiBoard>(
        self,
        before: &Position<B>,
        mv: PalaceMove,
        after: &Position<B>,
        prey: Set,
    ) -> Set {
        if self == Attack::Threat && after.threats.check {
            return prey;
        }
        let side = before.pieces.side;
        let came_from = |square| if square == mv.to() { mv.from() } else { square };
        let is_attacked = |&victim: &PalaceSquare| {
            takers(after, side, victim, checkers(after, side)).squares().any(|attacker| {
                let stood = takers(before, side, victim, checkers(before, side));
                !stood.contains(came_from(attacker)) && self.counts(after, side, attacker, victim)
            })
        };
        prey.squares().filter(is_attacked).collect()
    }

    /// Whether it is an attack that `side` may take the piece on `victim` with the one on `attacker`.
    fn counts<B: XiangqiBoard>(
        self,
        position: &Position<B>,
        side: Side,
        attacker: PalaceSquare,
        victim: PalaceSquare,
    ) -> bool {
        let [hunter, prey] = [attacker, victim].map(|square| position.pieces.kind_on(square));
        match self {
            Attack::Threat => prey != King && matches!(hunter, Rook | Knight | Cannon | Pawn),
            Attack::Gain => {
                !matches!(hunter, King | Pawn)
                    && (prey != King)
                    && (prey != Pawn || B::TABLES.crossed(!side).contains(victim))
                    && !takers(position, !side, attacker, checkers(position, !side)).contains(victim)
                    && (worth(prey) > worth(hunter) || !is_protected(position, side, attacker, victim))
            }
        }
    }
}

/// The order of the pieces by what they are worth; kings are never counted.
fn worth(kind: PalaceKind) -> u32 {
    match kind {
        Rook => 3,
        Knight | Cannon => 2,
        Guard | Bishop => 1,
        Pawn | King => 0,
    }
}

/// Whether the enemy of `side` may take back when the piece on `attacker` takes the one on `victim`.
fn is_protected<B: XiangqiBoard>(
    position: &Position<B>,
    side: Side,
    attacker: PalaceSquare,
    victim: PalaceSquare,
) -> bool {
    let taken = after_move(position, side, attacker, victim);
    !takers(&taken, !side, victim, checkers(position, !side)).is_empty()
}

/// The pieces of `side` that may take on `target`: those that can go there and do not let anybody at their king
/// but the pieces that stand in check already.
fn takers<B: XiangqiBoard>(position: &Position<B>, side: Side, target: PalaceSquare, standing: Set) -> Set {
    let may_take = |&from: &PalaceSquare| {
        if !reaches(position, side, from, target) {
            return false;
        }
        let checkers = checkers(&after_move(position, side, from, target), side);
        // A king does not get out of a check by taking where it is still attacked.
        if position.pieces.kind_on(from) == King {
            checkers.is_empty()
        } else {
            (checkers & !standing).is_empty()
        }
    };
    position.pieces.sides[side.index()].squares().filter(may_take).collect()
}

/// The enemies that attack the king of `side`, along an open file the other king too.
fn checkers<B: XiangqiBoard>(position: &Position<B>, side: Side) -> Set {
    let king = position.pieces.kings[side.index()];
    let enemy = position.pieces.kings[(!side).index()];
    let faces =
        king.file() == enemy.file() && (lines::between(king, enemy) & position.pieces.occupied()).is_empty();
    let attackers = position.pieces.sides[(!side).index()].squares();
    attackers
        .filter(|&from| if from == enemy { faces } else { reaches(position, !side, from, king) })
        .collect()
}

/// Whether the piece of `side` on `from` can go to `target`, if its king were safe.
fn reaches<B: XiangqiBoard>(
    position: &Position<B>,
    side: Side,
    from: PalaceSquare,
    target: PalaceSquare,
) -> bool {
    let kind = position.pieces.kind_on(from);
    let targets = match side {
        Side::First => position.targets::<First>(kind, from),
        Side::Second => position.targets::<Second>(kind, from),
    };
    targets.contains(target)
}

/// The position after `side` has moved, in turn or not.
fn after_move<B: XiangqiBoard>(
    position: &Position<B>,
    side: Side,
    from: PalaceSquare,
    to: PalaceSquare,
) -> Position<B> {
    let mut after = *position;
    match side {
        Side::First => after.play_as::<First>(PalaceMove::new(from, to)),
        Side::Second => after.play_as::<Second>(PalaceMove::new(from, to)),
    }
    after
}
