//! What may attack the king of the side to move, now or after a move, and which moves that leaves legal.
//!
//! A piece that could attack the king on an otherwise empty board does so by a *path*: the points between for
//! a rook or a cannon, the points that must be empty for a knight or a bishop. What a move does to the
//! attack follows from the pieces on that path alone, whether the move leaves the path, enters it, or takes a
//! piece on it. So every threat allows a set of targets, and a move is legal if all of them allow it.

use super::{
    PalaceKind::{self, *},
    PalaceSquare, Set,
    position::Position,
    ruleset::Facing,
    tables::{BOARD, TABLES, place},
};
use crate::games::rules::{
    Side,
    mover::{First, Mover, Second},
};

/// A piece that could attack the king.
#[derive(Clone, Copy)]
struct Threat {
    source: Set,
    path: Set,
    kind: Kind,
}

/// When a piece with a path attacks. The discriminant is how many pieces it can have on the path while the
/// departure of one may still open the attack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// When nothing is on the path.
    Straight = 1,
    /// When one piece is on the path, and that is no cannon.
    Jump = 2,
}

/// Whether the piece that moves is a cannon, over which none can jump.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moved {
    Cannon,
    Other,
}

impl Moved {
    /// As which a piece of `kind` counts.
    #[inline(always)]
    pub(super) fn of(kind: PalaceKind) -> Moved {
        if kind == Cannon { Moved::Cannon } else { Moved::Other }
    }
}

impl Threat {
    /// Whether it is an attack, where `on_path` are the pieces on its path.
    #[inline(always)]
    fn is_open(self, position: &Position, on_path: Set) -> bool {
        match self.kind {
            Kind::Straight => on_path.is_empty(),
            Kind::Jump => position.is_screen(on_path),
        }
    }

    /// Where a piece may go, where `left` are the pieces on the path without it.
    #[inline(always)]
    fn allows(self, position: &Position, left: Set, moved: Moved) -> Set {
        let is_cannon = moved == Moved::Cannon;
        match self.kind {
            // Come into the way, or take the piece; stay in the way.
            Kind::Straight if left.is_empty() => self.path | self.source,
            Kind::Straight => BOARD,
            // There is no screen: do not become it, which a cannon cannot.
            Kind::Jump if left.is_empty() && is_cannon => BOARD,
            Kind::Jump if left.is_empty() => BOARD & !self.path,
            Kind::Jump if left.is_several() => BOARD,
            // A cannon stands in for the screen: do not become one by taking it.
            Kind::Jump if !position.is_screen(left) => BOARD & !left,
            // Add to the screen, or take the attacker; a cannon may replace the screen.
            Kind::Jump if is_cannon => self.path | self.source,
            Kind::Jump => (self.path & !left) | self.source,
        }
    }
}

/// What the threats leave legal for the pieces of the side to move, the king apart.
pub(super) struct Safety {
    /// Whether a piece gives check.
    pub(super) check: bool,
    /// Whether the kings may not face each other after the move.
    pub(super) must_hide: bool,
    /// The pieces whose targets depend on where they come from, see [`Safety::bound_targets`].
    pub(super) bound: Set,
    /// The targets of a cannon that is not bound.
    pub(super) cannons: Set,
    /// The targets of other pieces that are not bound.
    pub(super) others: Set,
}

impl Safety {
    /// What the enemies of `M`, the side to move, leave it.
    #[inline(always)]
    pub(super) fn of<M: Mover>(position: &Position) -> Safety {
        let mut safety =
            Safety { check: false, must_hide: false, bound: Set::EMPTY, cannons: BOARD, others: BOARD };
        threats::<M>(position).for_each(|threat| {
            let on_path = threat.path & position.pieces.occupied();
            safety.check |= threat.is_open(position, on_path);
            safety.add::<M>(position, threat, on_path);
        });
        safety.must_hide = match position.rules.facing {
            Facing::Ignored => false,
            Facing::Offer => position.kings_face(),
            Facing::Check => safety.check || position.kings_face(),
        };
        if safety.must_hide
            && let Some(threat) = facing_king::<M>(position)
        {
            safety.add::<M>(position, threat, threat.path & position.pieces.occupied());
        }
        safety
    }

    #[inline(always)]
    fn add<M: Mover>(&mut self, position: &Position, threat: Threat, on_path: Set) {
        self.cannons &= threat.allows(position, on_path, Moved::Cannon);
        self.others &= threat.allows(position, on_path, Moved::Other);
        if on_path.count() <= threat.kind as u32 {
            self.bound |= on_path & position.pieces.sides[M::INDEX];
        }
    }

    /// The targets of the bound piece on `from`.
    #[inline(never)]
    pub(super) fn bound_targets<M: Mover>(
        &self,
        position: &Position,
        from: PalaceSquare,
        moved: Moved,
    ) -> Set {
        let left = position.pieces.occupied() & !Set::of(from);
        let facing = facing_king::<M>(position).filter(|_| self.must_hide);
        threats::<M>(position)
            .chain(facing)
            .fold(BOARD, |targets, threat| targets & threat.allows(position, threat.path & left, moved))
    }
}

impl Position {
    /// The pieces that give check to the side to move.
    pub(super) fn checkers(&self) -> Set {
        match self.pieces.side {
            Side::First => open_threats::<First>(self),
            Side::Second => open_threats::<Second>(self),
        }
    }
}

/// Where moves of `M`, the side to move, may lay the enemy's king open to other pieces of `M`: the points that they
/// come to, and those that they leave. A cannon may also leave its point to attack by its own jump.
pub(super) fn openings<M: Mover>(position: &Position) -> [Set; 2] {
    let occupied = position.pieces.occupied();
    let (mut arrivals, mut departures) = (Set::EMPTY, Set::EMPTY);
    threats::<M::Enemy>(position).for_each(|threat| {
        let on_path = threat.path & occupied;
        arrivals |= BOARD & !threat.allows(position, on_path, Moved::Other);
        if on_path.is_empty() {
            departures |= threat.source;
        } else if on_path.count() <= threat.kind as u32 {
            departures |= on_path;
        }
    });
    [arrivals, departures & position.pieces.sides[M::INDEX]]
}

fn open_threats<M: Mover>(position: &Position) -> Set {
    threats::<M>(position)
        .filter(|threat| threat.is_open(position, threat.path & position.pieces.occupied()))
        .fold(Set::EMPTY, |checkers, threat| checkers | threat.source)
}

/// The pieces that could attack the king of `M`.
#[inline(always)]
fn threats<M: Mover>(position: &Position) -> impl Iterator<Item = Threat> {
    let row = place(position.pieces.kings[M::INDEX]);
    let straight = position.straight_attackers::<M::Enemy>(row);
    let jumps = TABLES.lines[row] & position.pieces.of(M::Enemy::SIDE, Cannon);
    let threat = move |source: PalaceSquare, kind| Threat {
        source: Set::of(source),
        path: TABLES.paths[row][source.index()],
        kind,
    };
    straight
        .squares()
        .map(move |source| threat(source, Kind::Straight))
        .chain(jumps.squares().map(move |source| threat(source, Kind::Jump)))
}

/// The enemy's king as a threat along the file that it shares with the king of `M`.
#[inline(always)]
fn facing_king<M: Mover>(position: &Position) -> Option<Threat> {
    let [king, enemy] = [position.pieces.kings[M::INDEX], position.pieces.kings[M::Enemy::INDEX]];
    let path = TABLES.paths[place(king)][enemy.index()];
    (king.file() == enemy.file()).then_some(Threat { source: Set::of(enemy), path, kind: Kind::Straight })
}
