//! Which moves end the game, without playing them all.
//!
//! A move mates only if it gives check, and takes the enemy's last moves only if it stops all those that nothing
//! but itself could stop. Moves that may do either are played on a copy of the position; moves that the past
//! may make an end of, on a copy of the game.

use super::{
    PalaceKind::{self, *},
    PalaceMove, PalaceSquare, Set, XiangqiGame,
    boards::XiangqiBoard,
    position::Position,
    tables::diagonals,
    threats::leg,
};
use crate::games::rules::{
    Ending,
    endings::{QuickVerdict, collect},
    mover::{BySide, Mover},
    palace::{
        KINDS,
        endings::{Checks, repeats},
        lines,
    },
};

/// Appends the `moves` of `M`, the side to move, that end the game.
pub(super) fn list<B: XiangqiBoard, M: Mover>(
    game: &XiangqiGame<B>,
    moves: &[PalaceMove],
    endings: &mut Vec<Ending>,
) {
    let (position, history) = (&game.position, &game.history);
    let rules = position.rules;
    let is_limit_near = rules.move_limit.is_some_and(|limit| game.clock + 1 >= limit);
    if is_limit_near || history.has_repeated(rules.occurrences - 1) {
        let is_past_unclear =
            |mv| is_limit_near || repeats::<M>(&position.pieces, history, mv, rules.occurrences - 1);
        list_with::<B, M>(game, moves, endings, is_past_unclear);
    } else {
        list_with::<B, M>(game, moves, endings, |_| false);
    }
}

/// The same, where `is_past_unclear` tells of which moves the past may make an end.
#[inline(always)]
fn list_with<B: XiangqiBoard, M: Mover>(
    game: &XiangqiGame<B>,
    moves: &[PalaceMove],
    endings: &mut Vec<Ending>,
    is_past_unclear: impl Fn(PalaceMove) -> bool,
) {
    let position = &game.position;
    let checks = checks::<B, M>(position);
    let bare = bares::<B, M>(position);
    let stopping = stops_all::<B, M>(position) | bare;
    let may_end = |mv| is_past_unclear(mv) | checks.touches(mv) | stopping.contains(mv.to());
    collect(game, moves, endings, may_end, |mv| {
        if is_past_unclear(mv) {
            return QuickVerdict::Unclear;
        }
        if !checks.may_give(&position.pieces, mv) && !stopping.contains(mv.to()) {
            return QuickVerdict::GoesOn;
        }
        if !bare.contains(mv.to()) && king_can_go::<B, M>(position, mv) {
            return QuickVerdict::GoesOn;
        }
        let mut after = *position;
        after.play_as::<M>(mv);
        after.end().map_or(QuickVerdict::GoesOn, |outcome| QuickVerdict::Ends(outcome.verdict))
    });
}

/// Where a move of `M` has to come to, or to set out from, to give check.
#[inline(always)]
fn checks<B: XiangqiBoard, M: Mover>(position: &Position<B>) -> Checks {
    let pieces = &position.pieces;
    let king = pieces.kings[M::Enemy::INDEX];
    let (own, occupied) = (pieces.sides[M::INDEX], pieces.occupied());
    let open = lines::rook(king, occupied);
    let mut direct = [Set::EMPTY; KINDS];
    direct[Rook.index()] = open;
    direct[Cannon.index()] = lines::rook(king, occupied & !open) & !open;
    direct[Knight.index()] = B::TABLES.knight_from(king, occupied);
    direct[Pawn.index()] = B::TABLES.pawn_from(M::SIDE, king);

    let (mut arrivals, mut departures) = (Set::EMPTY, Set::EMPTY);
    let on_line = lines::cross(king) & own;
    for rook in (on_line & pieces.all(Rook)).squares() {
        let blockers = lines::between(king, rook) & occupied;
        if !blockers.is_several() {
            departures |= blockers;
        }
    }
    for cannon in (on_line & pieces.all(Cannon)).squares() {
        let line = lines::between(king, cannon);
        let blockers = line & occupied;
        if blockers.is_empty() {
            // The cannon itself may jump away, over its screen.
            arrivals |= line;
            departures |= Set::of(cannon);
        } else if !blockers.without_first().is_several() {
            departures |= blockers;
        }
    }
    let near = B::TABLES.knight_from(king, Set::EMPTY) & own & pieces.all(Knight);
    for knight in near.squares() {
        departures |= Set::of(leg(king, knight));
    }
    Checks::new(direct, arrivals, departures & own)
}

/// Whether the enemy's king surely has a square to go to after a move of `M`. The piece that moves may still count
/// as an attacker from where it came.
#[inline(always)]
fn king_can_go<B: XiangqiBoard, M: Mover>(position: &Position<B>, mv: PalaceMove) -> bool {
    let pieces = &position.pieces;
    let (king, to) = (pieces.kings[M::Enemy::INDEX], mv.to());
    let occupied = (pieces.occupied() & !Set::of(king) & !Set::of(mv.from())) | Set::of(to);
    let kind = pieces.kind_on(mv.from());
    let attacks = |flight: PalaceSquare| match kind {
        Rook => lines::cross(flight).contains(to) && (lines::between(flight, to) & occupied).is_empty(),
        Cannon => lines::cross(flight).contains(to) && (lines::between(flight, to) & occupied).count() == 1,
        Knight => B::TABLES.knight_from(flight, occupied).contains(to),
        Pawn => B::TABLES.pawn_from(M::SIDE, flight).contains(to),
        Bishop | Guard => false,
        King => true,
    };
    let flights = B::TABLES.king(king) & !pieces.sides[M::Enemy::INDEX];
    flights.squares().any(|flight| !attacks(flight) && !position.is_attacked::<M>(flight, occupied))
}

/// Where a capture by `M` leaves no piece that could attack, if that ends the game.
#[inline(always)]
fn bares<B: XiangqiBoard, M: Mover>(position: &Position<B>) -> Set {
    let attacking = position.attacking_pieces();
    if position.rules.bare_attackers_draw && !attacking.is_several() {
        attacking & position.pieces.sides[M::Enemy::INDEX]
    } else {
        Set::EMPTY
    }
}

/// Where a move of `M` that gives no check has to come to if it is to leave the enemy without a move.
///
/// A piece that stands neither in line with its king nor diagonally next to it, and goes where it does not stand in
/// line with it either, lets no piece reach its king. Such a move is stopped only by taking the piece or by standing in
/// its way.
#[inline(always)]
fn stops_all<B: XiangqiBoard, M: Mover>(position: &Position<B>) -> Set {
    let pieces = &position.pieces;
    let king = pieces.kings[M::Enemy::INDEX];
    let (own, line) = (pieces.sides[M::Enemy::INDEX], lines::cross(king));
    let free = own & !line & !diagonals(king);
    let to = B::TABLES.board() & !own & !line;
    let steps = M::Enemy::ahead(pieces.all(Pawn) & free) & B::TABLES.ahead(M::Enemy::SIDE) & to;
    if steps.is_several() { Set::EMPTY } else { stops_each::<B, M::Enemy>(position, free, to) }
}

/// The same, from the moves to one of `to` of the `free` pieces of `E`, the enemy.
#[inline(never)]
fn stops_each<B: XiangqiBoard, E: Mover>(position: &Position<B>, free: Set, to: Set) -> Set {
    let mut stops = B::TABLES.board();
    for from in free.squares() {
        let kind = position.pieces.kind_on(from);
        for to in (steps::<B, E>(position, kind, from) & to).squares() {
            stops &= Set::of(from) | in_the_way(kind, from, to);
            if stops.is_empty() {
                return stops;
            }
        }
    }
    stops
}

/// Where a piece of `E` may go from `from` as long as it stands and one square stays empty: of rooks and cannons
/// only the first step.
#[inline(always)]
fn steps<B: XiangqiBoard, E: Mover>(position: &Position<B>, kind: PalaceKind, from: PalaceSquare) -> Set {
    let occupied = position.pieces.occupied();
    match kind {
        Rook => lines::rook(from, B::TABLES.board()),
        Cannon => lines::rook(from, B::TABLES.board()) & !occupied,
        King => Set::EMPTY,
        Pawn | Knight | Bishop | Guard => position.targets::<E>(kind, from),
    }
}

/// Where a piece that comes stops the one that goes from `from` to `to`; it is taken on `to` itself, but by a
/// cannon.
#[inline(always)]
fn in_the_way(kind: PalaceKind, from: PalaceSquare, to: PalaceSquare) -> Set {
    match kind {
        Knight => Set::of(leg(to, from)),
        Bishop => Set::of(PalaceSquare::new((from.file() + to.file()) / 2, (from.rank() + to.rank()) / 2)),
        Cannon => Set::of(to),
        Pawn | Rook | Guard | King => Set::EMPTY,
    }
}
