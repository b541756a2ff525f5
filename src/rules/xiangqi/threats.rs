//! What threatens a king, and so which moves leave it safe.
//!
//! A move of another piece takes that piece from its square and puts it on another, so whether an attacker
//! gets at the king depends on two things alone: which pieces stand between without the mover, and whether
//! the mover lands between them or on the attacker. Each attacker thus allows a set of targets; the moves of
//! most pieces are those that all attackers allow, and only for a piece that stands between has this to be
//! asked again without it. No move has to be tried.

use super::{PieceKind::*, Set, Square, boards::Board, position::Position};
use crate::rules::{by_side::Mover, palace::lines};

/// The threats to a king.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    /// Whether it is attacked.
    pub(super) check: bool,
    /// Where a piece may go that is neither the king nor shields it; the own pieces are not taken out.
    pub(super) answers: Set,
    /// The own pieces that stand where it matters to some attacker, for which the answers do not hold.
    pub(super) shields: Set,
}

impl Threats {
    /// A king that nobody threatens.
    pub(super) fn none<B: Board>() -> Threats {
        Threats { check: false, answers: B::TABLES.board(), shields: Set::EMPTY }
    }

    /// An attacker that `blockers`, on `line` to the king, keep from it. A rook, or a king that faces it.
    #[inline(always)]
    fn add_rook(&mut self, rook: Square, line: Set, blockers: Set) {
        if blockers.is_empty() {
            self.check = true;
            self.answers &= line | Set::of(rook);
        } else if !blockers.is_several() {
            self.shields |= blockers;
        }
    }

    /// A cannon, which needs exactly one blocker, its screen.
    #[inline(always)]
    fn add_cannon(&mut self, cannon: Square, line: Set, blockers: Set) {
        if blockers.is_empty() {
            self.answers &= !line;
        } else if !blockers.is_several() {
            self.check = true;
            self.answers &= line & !blockers | Set::of(cannon);
            self.shields |= blockers;
        } else if !blockers.without_first().is_several() {
            self.shields |= blockers;
        }
    }

    /// A knight with its leg.
    #[inline(always)]
    fn add_knight(&mut self, knight: Square, leg: Set, blockers: Set) {
        if blockers.is_empty() {
            self.check = true;
            self.answers &= leg | Set::of(knight);
        } else {
            self.shields |= blockers;
        }
    }

    #[inline(always)]
    fn add_pawn(&mut self, pawn: Square) {
        self.check = true;
        self.answers &= Set::of(pawn);
    }
}

impl<B: Board> Position<B> {
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
    pub(super) fn is_attacked<A: Mover>(&self, square: Square, occupied: Set) -> bool {
        self.is_attacked_closely::<A>(square, occupied) || self.is_attacked_from_afar::<A>(square, occupied)
    }

    /// Whether a knight or a pawn of `A` attacks `square`.
    #[inline(always)]
    pub(super) fn is_attacked_closely<A: Mover>(&self, square: Square, occupied: Set) -> bool {
        let knights = B::TABLES.knight_from(square, occupied) & self.pieces.all(Knight);
        let pawns = B::TABLES.pawn_from(A::SIDE, square) & self.pieces.all(Pawn);
        !((knights | pawns) & self.pieces.sides[A::INDEX]).is_empty()
    }

    /// Whether a rook, a cannon or the king of `A` attacks `square` along a line.
    #[inline(always)]
    pub(super) fn is_attacked_from_afar<A: Mover>(&self, square: Square, occupied: Set) -> bool {
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

/// The square on which a piece keeps `knight` from `king`, a jump away: diagonally next to the king.
#[inline(always)]
pub(super) fn leg(king: Square, knight: Square) -> Square {
    let towards = |from: u8, to: u8| if to > from { from + 1 } else { from - 1 };
    Square::new(towards(king.file(), knight.file()), towards(king.rank(), knight.rank()))
}
