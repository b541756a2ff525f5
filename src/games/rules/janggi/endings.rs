//! Which moves end the game, without playing them all.
//!
//! On the board alone only a move that gives check can end it, and a pass. Moves that may give check are played on a
//! copy of the position; moves that the past may make an end of, on a copy of the game.

use super::{
    Janggi,
    PalaceKind::*,
    PalaceMove, PalaceSquare, Set, attacks, history,
    position::Position,
    ruleset::{Facing, Shuffling},
    tables::{TABLES, place},
    threats::openings,
};
use crate::games::rules::{
    Ending, Verdict,
    endings::{QuickVerdict, collect, collect_plainly},
    mover::{BySide, Mover},
    palace::{
        KINDS,
        endings::{Checks, repeats},
        lines,
    },
};

/// Appends the `moves` of `M`, the side to move, that end the game.
pub(super) fn list<M: Mover>(game: &Janggi, moves: &[PalaceMove], endings: &mut Vec<Ending>) {
    let (position, past) = (&game.position, &game.history);
    let rules = position.rules;
    if game.clock + 1 >= rules.move_limit {
        return collect_plainly(game, moves, endings);
    }
    let checks = checks::<M>(position);
    let may_repeat = past.has_repeated(rules.occurrences - 1);
    let may_shuffle = rules.shuffling == Shuffling::Loses;
    let pass_ends = position.passed || position.offers_bikjang();
    let is_past_unclear = |mv: PalaceMove| {
        pass_ends && mv.is_pass()
            || may_repeat && repeats::<M>(&position.pieces, past, mv, rules.occurrences - 1)
            || may_shuffle && history::may_be_to_and_fro(past, mv)
    };
    let may_end = |mv| is_past_unclear(mv) | checks.touches(mv);
    collect(game, moves, endings, may_end, |mv| {
        if is_past_unclear(mv) {
            QuickVerdict::Unclear
        } else if !checks.may_give(&position.pieces, mv) {
            QuickVerdict::GoesOn
        } else if rules.facing == Facing::Check {
            // What it comes to depends on who has bared the kings.
            QuickVerdict::Unclear
        } else if !king_can_go::<M>(position, mv) && mates::<M>(*position, mv) {
            QuickVerdict::Ends(Verdict::Win(M::SIDE))
        } else {
            QuickVerdict::GoesOn
        }
    });
}

fn mates<M: Mover>(mut position: Position, mv: PalaceMove) -> bool {
    position.play_as::<M>(mv);
    position.is_check() && !position.has_move()
}

/// Where a move of `M` has to come to, or to set out from, to give check.
#[inline(always)]
fn checks<M: Mover>(position: &Position) -> Checks {
    let pieces = &position.pieces;
    let king = pieces.kings[M::Enemy::INDEX];
    let (row, occupied) = (place(king), pieces.occupied());
    let mut direct = [Set::EMPTY; KINDS];
    direct[Rook.index()] = attacks::rook(king, occupied);
    direct[Cannon.index()] = attacks::cannon(king, occupied, pieces.all(Cannon));
    direct[Knight.index()] = TABLES.knights[row];
    direct[Bishop.index()] = TABLES.bishops[row];
    direct[Pawn.index()] = TABLES.pawns[row];
    let [arrivals, mut departures] = openings::<M>(position);
    if position.rules.facing == Facing::Check {
        direct[King.index()] = lines::cross(king);
        let between = position.between_kings();
        if !between.is_several() {
            departures |= between;
        }
    }
    Checks::new(direct, arrivals, departures)
}

/// Whether the enemy's king surely has a point to go to after a move of `M`. The piece that moves may still count
/// as an attacker from where it came.
#[inline(always)]
fn king_can_go<M: Mover>(position: &Position, mv: PalaceMove) -> bool {
    let pieces = &position.pieces;
    let to = mv.to();
    let kind = pieces.kind_on(mv.from());
    // What is a screen is told by the cannons that stand now.
    if kind == King || pieces.all(Cannon).contains(to) {
        return false;
    }
    let [own_king, king] = [pieces.kings[M::INDEX], pieces.kings[M::Enemy::INDEX]];
    let occupied = (pieces.occupied() & !Set::of(king) & !Set::of(mv.from())) | Set::of(to);
    let attacks = |flight: PalaceSquare| {
        let row = place(flight);
        let on_path = TABLES.paths[row][to.index()] & occupied;
        match kind {
            Rook => TABLES.lines[row].contains(to) && on_path.is_empty(),
            Cannon => TABLES.lines[row].contains(to) && position.is_screen(on_path),
            Knight => TABLES.knights[row].contains(to) && on_path.is_empty(),
            Bishop => TABLES.bishops[row].contains(to) && on_path.is_empty(),
            Pawn => TABLES.pawns[row].contains(to),
            Guard | King => false,
        }
    };
    let flights = TABLES.steps[place(king)] & !pieces.sides[M::Enemy::INDEX];
    flights.squares().any(|flight| {
        flight.file() != own_king.file() && !attacks(flight) && !position.is_attacked::<M>(flight, occupied)
    })
}
