//! A position without its history: pieces, whose turn it is, and what threatens the king.

use std::marker::PhantomData;

use super::{
    PalaceKind::{self, *},
    PalaceMove, PalaceSquare, Set,
    boards::XiangqiBoard,
    ruleset::Rules,
    threats::{Threats, leg},
};
use crate::games::rules::{
    Outcome, Reason, Side,
    mover::{BySide, First, Mover, Second},
    palace::{FILE, Pieces, lines},
};

/// Pieces and side to move, with what follows from them and is needed at every turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<B: XiangqiBoard> {
    pub(super) pieces: Pieces,
    /// What the enemy threatens the king of the side to move with.
    pub(super) threats: Threats,
    pub(super) rules: &'static Rules,
    board: PhantomData<B>,
}

impl<B: XiangqiBoard> Position<B> {
    /// A position of these pieces, one king of each side among them.
    pub(super) fn new(pieces: Pieces, rules: &'static Rules) -> Self {
        let mut position = Position { pieces, threats: Threats::none::<B>(), rules, board: PhantomData };
        position.threats = match pieces.side {
            Side::First => position.threats_to::<First>(pieces.occupied()),
            Side::Second => position.threats_to::<Second>(pieces.occupied()),
        };
        position
    }

    /// Plays a legal move of `M`, the side to move.
    #[inline(always)]
    pub(super) fn make<M: Mover>(&mut self, mv: PalaceMove) {
        self.pieces.play::<M>(mv);
        self.threats = self.threats_to::<M::Enemy>(self.pieces.occupied());
    }

    /// The result that the position itself shows: there is no legal move.
    pub(super) fn end(&self) -> Option<Outcome> {
        if self.has_move() {
            return None;
        }
        let winner = !self.pieces.side;
        Some(if self.is_bare() {
            Outcome::draw(Reason::BareAttackers)
        } else if self.threats.check {
            Outcome::win(winner, Reason::Checkmate)
        } else if self.rules.stalemate_loses {
            Outcome::win(winner, Reason::Stalemate)
        } else {
            Outcome::draw(Reason::Stalemate)
        })
    }

    /// The pieces that could attack (X11).
    #[inline(always)]
    pub(super) fn attacking_pieces(&self) -> Set {
        [Rook, Knight, Cannon, Pawn].into_iter().fold(Set::EMPTY, |all, kind| all | self.pieces.all(kind))
    }

    /// Whether the game is over because no rook, knight, cannon or pawn is left (X11).
    #[inline(always)]
    pub(super) fn is_bare(&self) -> bool {
        self.rules.bare_attackers_draw && self.attacking_pieces().is_empty()
    }

    /// Where a piece of `M` of this kind may go from `from`, if its king were safe.
    #[inline(always)]
    pub(super) fn targets<M: Mover>(&self, kind: PalaceKind, from: PalaceSquare) -> Set {
        self.reach::<M>(kind, from, self.pieces.occupied()) & !self.pieces.sides[M::INDEX]
    }

    /// The squares that the pieces of `M` reach, own pieces not excluded.
    pub(super) fn attacks<M: Mover>(&self) -> Set {
        let occupied = self.pieces.occupied();
        self.pieces.reached(M::SIDE, |kind, from| self.reach::<M>(kind, from, occupied))
    }

    /// Where a piece of `M` of this kind could go from `from`, own pieces not excluded.
    #[inline(always)]
    fn reach<M: Mover>(&self, kind: PalaceKind, from: PalaceSquare, occupied: Set) -> Set {
        let tables = B::TABLES;
        let reached = match kind {
            King => tables.king(from),
            Guard => tables.guard(from),
            Bishop => tables.bishop(from, occupied),
            Knight => tables.knight(from, occupied),
            Rook => lines::rook(from, occupied),
            Cannon => lines::cannon(from, occupied),
            Pawn => {
                let pawn = Set::of(from);
                let across = pawn & tables.crossed(M::SIDE);
                M::ahead(pawn) & tables.ahead(M::SIDE) | across << FILE | across >> FILE
            }
        };
        reached & tables.board()
    }

    /// What threatens the king of `M`, if `occupied` are the occupied squares.
    #[inline(always)]
    pub(super) fn threats_to<M: Mover>(&self, occupied: Set) -> Threats {
        let king = self.pieces.kings[M::INDEX];
        let enemy = self.pieces.sides[M::Enemy::INDEX];
        let on_line = lines::cross(king) & enemy;
        let near = B::TABLES.knight_from(king, Set::EMPTY) & enemy;
        let mut threats = Threats::none::<B>();

        for rook in (on_line & (self.pieces.all(Rook) | self.pieces.all(King))).squares() {
            let line = lines::between(king, rook);
            threats.add_rook(rook, line, line & occupied);
        }
        for cannon in (on_line & self.pieces.all(Cannon)).squares() {
            let line = lines::between(king, cannon);
            threats.add_cannon(cannon, line, line & occupied);
        }
        for knight in (near & self.pieces.all(Knight)).squares() {
            let leg = Set::of(leg(king, knight));
            threats.add_knight(knight, leg, leg & occupied);
        }
        let pawns = B::TABLES.pawn_from(M::Enemy::SIDE, king) & enemy & self.pieces.all(Pawn);
        for pawn in pawns.squares() {
            threats.add_pawn(pawn);
        }
        threats.shields &= self.pieces.sides[M::INDEX];
        threats
    }

    /// Whether a piece of `A` attacks `square`, if `occupied` are the occupied squares; the king does so along
    /// an open file.
    #[inline(always)]
    pub(super) fn is_attacked<A: Mover>(&self, square: PalaceSquare, occupied: Set) -> bool {
        self.is_attacked_closely::<A>(square, occupied) || self.is_attacked_from_afar::<A>(square, occupied)
    }

    /// Whether a knight or a pawn of `A` attacks `square`.
    #[inline(always)]
    pub(super) fn is_attacked_closely<A: Mover>(&self, square: PalaceSquare, occupied: Set) -> bool {
        let knights = B::TABLES.knight_from(square, occupied) & self.pieces.all(Knight);
        let pawns = B::TABLES.pawn_from(A::SIDE, square) & self.pieces.all(Pawn);
        !((knights | pawns) & self.pieces.sides[A::INDEX]).is_empty()
    }

    /// Whether a rook, a cannon or the king of `A` attacks `square` along a line.
    #[inline(always)]
    pub(super) fn is_attacked_from_afar<A: Mover>(&self, square: PalaceSquare, occupied: Set) -> bool {
        let on_line = lines::cross(square) & self.pieces.sides[A::INDEX];
        let blockers = |from| lines::between(square, from) & occupied;
        let rooks = on_line & (self.pieces.all(Rook) | self.pieces.all(King));
        let cannons = on_line & self.pieces.all(Cannon);
        rooks.squares().any(|rook| blockers(rook).is_empty())
            || cannons.squares().any(|cannon| {
                let screens = blockers(cannon);
                !screens.is_empty() && !screens.is_several()
            })
    }
}
