//! A position without its history: pieces, whose turn it is, and what threatens the king.

use std::marker::PhantomData;

use super::{
    PalaceMove,
    PieceKind::{self, *},
    Set, Square,
    boards::Board,
    movegen::Generator,
    ruleset::Rules,
    threats::Threats,
};
use crate::rules::{
    Outcome, Reason, Side,
    by_side::{BySide, First, Flow, Mover, Second, Sink},
    palace::{FILE, Pieces, lines},
};

/// Pieces and side to move, with what follows from them and is needed at every turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<B: Board> {
    pub(super) pieces: Pieces,
    /// What the enemy threatens the king of the side to move with.
    pub(super) threats: Threats,
    pub(super) rules: &'static Rules,
    board: PhantomData<B>,
}

impl<B: Board> BySide for Position<B> {
    type Move = PalaceMove;

    #[inline(always)]
    fn side(&self) -> Side {
        self.pieces.side
    }

    #[inline(always)]
    fn generate_as<M: Mover>(&self, sink: &mut impl Sink<PalaceMove>) -> Flow {
        Generator::<B, M>::new(self).run(sink)
    }

    #[inline(always)]
    fn play_as<M: Mover>(&mut self, mv: PalaceMove) {
        self.pieces.play::<M>(mv);
        self.threats = self.threats_to::<M::Enemy>(self.pieces.occupied());
    }
}

impl<B: Board> Position<B> {
    /// A position of these pieces, one king of each side among them.
    pub(super) fn new(pieces: Pieces, rules: &'static Rules) -> Self {
        let mut position = Position { pieces, threats: Threats::none::<B>(), rules, board: PhantomData };
        position.threats = match pieces.side {
            Side::First => position.threats_to::<First>(pieces.occupied()),
            Side::Second => position.threats_to::<Second>(pieces.occupied()),
        };
        position
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
    pub(super) fn targets<M: Mover>(&self, kind: PieceKind, from: Square) -> Set {
        self.reach::<M>(kind, from, self.pieces.occupied()) & !self.pieces.sides[M::INDEX]
    }

    /// The squares that the pieces of `M` reach, own pieces not excluded.
    pub(super) fn attacks<M: Mover>(&self) -> Set {
        let occupied = self.pieces.occupied();
        self.pieces.reached(M::SIDE, |kind, from| self.reach::<M>(kind, from, occupied))
    }

    /// Where a piece of `M` of this kind could go from `from`, own pieces not excluded.
    #[inline(always)]
    fn reach<M: Mover>(&self, kind: PieceKind, from: Square, occupied: Set) -> Set {
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
}
