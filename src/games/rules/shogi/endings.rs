//! Which moves end the game, without playing them all.
//!
//! A move mates only if it gives check, and takes the enemy's last moves only if it stops all those that nothing
//! but itself could stop. Moves that may do either are played on a copy of the position; moves that the past
//! may make an end of, on a copy of the game.

use std::cell::OnceCell;

use super::{
    ShogiGame,
    ShogiKind::{self, *},
    ShogiMove, ShogiSquare, attacks,
    boards::ShogiBoard,
    history::OCCURRENCES,
    impasse,
    position::Position,
    square::Bits,
};
use crate::games::rules::{
    Declaration, Ending, RuleSet, Verdict,
    endings::{QuickVerdict, collect, collect_plainly},
    mover::{BySide, Mover},
};

/// Appends the `moves` of `M`, the side to move, that end the game.
pub(super) fn list<B: ShogiBoard, M: Mover>(
    game: &ShogiGame<B>,
    moves: &[ShogiMove],
    endings: &mut Vec<Ending>,
) {
    let (position, history) = (&game.position, &game.history);
    if is_impasse_near::<B, M>(game) {
        collect_plainly(game, moves, endings);
    } else if history.has_repeated(OCCURRENCES - 1) {
        let repeats = |mv| history.has_stood(position.key_after::<M>(mv), OCCURRENCES - 1);
        list_with::<B, M>(game, moves, endings, repeats);
    } else {
        list_with::<B, M>(game, moves, endings, |_| false);
    }
}

/// Whether the enemy may declare its win after the next ply, or the 1990 text may have its verdict.
#[inline(always)]
fn is_impasse_near<B: ShogiBoard, M: Mover>(game: &ShogiGame<B>) -> bool {
    let (position, enemy) = (&game.position, M::Enemy::SIDE);
    match game.rules {
        RuleSet::Stouten1990 => impasse::impasse_is_near(position, enemy, game.quiet),
        rules => impasse::unchecked_declaration(position, enemy, rules, game.given) == Some(Declaration::Win),
    }
}

/// The same, where `is_past_unclear` tells of which moves the past may make an end.
#[inline(always)]
fn list_with<B: ShogiBoard, M: Mover>(
    game: &ShogiGame<B>,
    moves: &[ShogiMove],
    endings: &mut Vec<Ending>,
    is_past_unclear: impl Fn(ShogiMove) -> bool,
) {
    let position = &game.position;
    let checks = Checks::<B>::of::<M>(position);
    let holds = holds_a_move::<B, M>(position, &checks);
    let flights = OnceCell::new();
    let may_end = |mv| is_past_unclear(mv) | checks.touches(mv) | !holds;
    collect(game, moves, endings, may_end, |mv| {
        if is_past_unclear(mv) {
            return QuickVerdict::Unclear;
        }
        if holds && !checks.may_give(position, mv) {
            return QuickVerdict::GoesOn;
        }
        let flights = *flights.get_or_init(|| safe_flights::<B, M>(position));
        if king_can_go::<B, M>(position, flights, mv) {
            return QuickVerdict::GoesOn;
        }
        let mut after = *position;
        after.play_as::<M>(mv);
        if after.has_move() { QuickVerdict::GoesOn } else { QuickVerdict::Ends(Verdict::Win(M::SIDE)) }
    });
}

/// Where a move has to come to, or to set out from, to give check.
struct Checks<B: ShogiBoard> {
    /// By kind, the squares on which such a piece attacks the king.
    direct: [B::Bits; 14],
    /// All of those.
    targets: B::Bits,
    /// The squares whose piece, of either side, alone keeps a slider from the king.
    shields: B::Bits,
}

impl<B: ShogiBoard> Checks<B> {
    #[inline(always)]
    fn of<M: Mover>(position: &Position<B>) -> Self {
        let tables = B::TABLES;
        let (square, occupied) = (position.kings[M::Enemy::INDEX], position.occupied());
        let king = square.index();
        let near = tables.king[king];
        let gold = tables.gold[M::Enemy::INDEX][king];
        let silver = tables.silver[M::Enemy::INDEX][king];
        let knight = tables.knight[M::Enemy::INDEX][king];
        let rook = attacks::rook::<B>(square, occupied);
        let bishop = attacks::bishop::<B>(square, occupied);
        let lance = attacks::lance::<B, M::Enemy>(square, occupied);
        let pawn = tables.pawn[M::Enemy::INDEX][king];
        let none = B::Bits::EMPTY;
        let direct = [
            pawn,
            lance,
            knight,
            silver,
            gold,
            bishop,
            rook,
            none,
            gold,
            gold,
            gold,
            gold,
            bishop | near,
            rook | near,
        ];
        let mut shields = none;
        for slider in position.sliders_on_line::<M>(square).squares() {
            let shield = tables.between[king][slider.index()] & occupied;
            if !shield.is_several() {
                shields |= shield;
            }
        }
        Checks { direct, targets: near | knight | rook | bishop, shields }
    }

    /// Whether the origin or the target of a move lets it give check, by any piece. Drops may be taken
    /// for moves from some square.
    #[inline(always)]
    fn touches(&self, mv: ShogiMove) -> bool {
        let origin = B::Bits::of(ShogiSquare::from_index(mv.origin()));
        !((self.targets & B::Bits::of(mv.to())) | (self.shields & origin)).is_empty()
    }

    /// Whether the move may give check.
    #[inline(always)]
    fn may_give(&self, position: &Position<B>, mv: ShogiMove) -> bool {
        let target = B::Bits::of(mv.to());
        if mv.from().is_some_and(|from| !(self.shields & B::Bits::of(from)).is_empty()) {
            return true;
        }
        !(self.targets & target).is_empty()
            && !(self.direct[arriving(position, mv).index()] & target).is_empty()
    }
}

/// Whether the enemy keeps a move after any move of `M` that gives no check.
///
/// It does if it holds a piece that it can drop anywhere but on its last ranks. It also does if more of its pieces
/// can move than one move stops: that takes one, and pins one by the slider that it moves and one by the slider
/// that it lays open.
#[inline(always)]
fn holds_a_move<B: ShogiBoard, M: Mover>(position: &Position<B>, checks: &Checks<B>) -> bool {
    let hand = &position.hands[M::Enemy::INDEX];
    if [Lance, Knight, Silver, Gold, Bishop, Rook].iter().any(|&kind| hand.count(kind) > 0) {
        return true;
    }
    let own = position.sides[M::Enemy::INDEX];
    let free = own & !checks.shields;
    let pawns = position.unpromoted(Pawn) & free & !B::TABLES.last_rank[M::Enemy::INDEX];
    let steps = M::Enemy::ahead(pawns) & B::TABLES.board & !own;
    steps.count() > MOST_STOPPED || count_movable::<B, M::Enemy>(position, free) > MOST_STOPPED
}

/// How many pieces one move without check can keep from moving.
const MOST_STOPPED: u32 = 3;

/// How many of the `free` pieces of `E`, its king apart, could move.
#[inline(never)]
fn count_movable<B: ShogiBoard, E: Mover>(position: &Position<B>, free: B::Bits) -> u32 {
    let occupied = position.occupied();
    let movable = |&from: &_| {
        let kind = position.kind_on(from);
        kind != King
            && !(Position::<B>::attacks::<E>(kind, from, occupied) & !position.sides[E::INDEX]).is_empty()
    };
    free.squares().filter(movable).count() as u32
}

/// Where the enemy's king could go now, if it were its turn.
#[inline(never)]
fn safe_flights<B: ShogiBoard, M: Mover>(position: &Position<B>) -> B::Bits {
    let king = position.kings[M::Enemy::INDEX];
    let occupied = position.occupied() & !B::Bits::of(king);
    let mut flights = B::TABLES.king[king.index()] & !position.sides[M::Enemy::INDEX];
    for flight in flights.squares() {
        if position.is_attacked::<M>(flight, occupied) {
            flights &= !B::Bits::of(flight);
        }
    }
    flights
}

/// Whether the enemy's king surely has one of its `flights` left after a move of `M`. The piece that moves may still
/// count as an attacker from where it came.
#[inline(always)]
fn king_can_go<B: ShogiBoard, M: Mover>(position: &Position<B>, flights: B::Bits, mv: ShogiMove) -> bool {
    if flights.is_empty() {
        return false;
    }
    let king = position.kings[M::Enemy::INDEX];
    let left = B::Bits::of(king) | mv.from().map_or(B::Bits::EMPTY, B::Bits::of);
    let occupied = (position.occupied() & !left) | B::Bits::of(mv.to());
    let attacked = Position::<B>::attacks::<M>(arriving(position, mv), mv.to(), occupied);
    let flights = flights & !attacked;
    // What is dropped opens no line; what moves away may.
    match mv.from() {
        None => !flights.is_empty(),
        Some(_) => flights.squares().any(|flight| !position.slider_attacks::<M>(flight, occupied)),
    }
}

/// What the piece that moves is on its target.
#[inline(always)]
fn arriving<B: ShogiBoard>(position: &Position<B>, mv: ShogiMove) -> ShogiKind {
    match (mv.from(), mv.dropped()) {
        (Some(from), _) if mv.promotes() => {
            let kind = position.kind_on(from);
            kind.promoted().unwrap_or(kind)
        }
        (Some(from), _) => position.kind_on(from),
        (None, Some(kind)) => kind,
        (None, None) => unreachable!("a move on the board or a drop"),
    }
}
