//! A position without its history: pieces, hands, whose turn it is, and who gives check.

use super::{
    ShogiKind, ShogiMove, ShogiSquare, attacks,
    boards::ShogiBoard,
    piece::{BASE_KINDS, Hand},
    square::Bits,
    tables::Direction,
    zobrist,
};
use crate::games::rules::{
    Side,
    mover::{First, Mover, Second},
};

/// Pieces, hands and side to move, with what follows from them and is needed at every turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position<B: ShogiBoard> {
    /// The squares of each side's pieces.
    pub(super) sides: [B::Bits; 2],
    /// The squares of each kind, of both sides, promoted or not.
    pub(super) kinds: [B::Bits; BASE_KINDS],
    /// The squares of the promoted pieces.
    pub(super) promoted: B::Bits,
    /// The pieces giving check to the side to move.
    pub(super) checkers: B::Bits,
    /// The pieces of the side to move that alone shield its king from a slider.
    pub(super) pinned: B::Bits,
    pub(super) hands: [Hand; 2],
    /// By side, where its king stands; [`ShogiBoard::NOWHERE`] of a side without one, as the attacker of a problem is.
    pub(super) kings: [ShogiSquare; 2],
    pub(super) side: Side,
    pub(super) key: u64,
}

use ShogiKind::*;

impl<B: ShogiBoard> Position<B> {
    /// A board without pieces.
    pub(super) fn empty() -> Self {
        Position {
            sides: [B::Bits::EMPTY; 2],
            kinds: [B::Bits::EMPTY; BASE_KINDS],
            promoted: B::Bits::EMPTY,
            checkers: B::Bits::EMPTY,
            pinned: B::Bits::EMPTY,
            hands: [Hand::default(); 2],
            kings: [B::NOWHERE; 2],
            side: Side::First,
            key: 0,
        }
    }

    /// Plays a legal move of `M`, the side to move.
    #[inline(always)]
    pub(super) fn make<M: Mover>(&mut self, mv: ShogiMove) {
        let to = mv.to();
        let target = B::Bits::of(to);
        if let Some(from) = mv.from() {
            if !(self.sides[M::Enemy::INDEX] & target).is_empty() {
                self.capture::<M>(to);
            }
            self.shift::<M>(from, to, mv.promotes());
        } else if let Some(kind) = mv.dropped() {
            self.kinds[kind.index()] |= target;
            self.sides[M::INDEX] |= target;
            self.key ^= zobrist::piece(M::SIDE, kind, to);
            self.set_hand(M::SIDE, kind, self.hands[M::INDEX].count(kind) - 1);
        }
        self.key ^= zobrist::second_to_move();
        self.side = M::Enemy::SIDE;
        self.see_checks::<M::Enemy>();
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, side: Side, kind: ShogiKind, square: ShogiSquare) {
        let bit = B::Bits::of(square);
        self.sides[side.index()] |= bit;
        self.kinds[kind.base().index()] |= bit;
        if kind.is_promoted() {
            self.promoted |= bit;
        }
        if kind == King {
            self.kings[side.index()] = square;
        }
        self.key ^= zobrist::piece(side, kind, square);
    }

    /// Sets how many of `kind` a side holds.
    #[inline(always)]
    pub(super) fn set_hand(&mut self, side: Side, kind: ShogiKind, count: u8) {
        let hand = &mut self.hands[side.index()];
        self.key ^= zobrist::hand(side, kind, hand.count(kind)) ^ zobrist::hand(side, kind, count);
        hand.set(kind, count);
    }

    /// Gives the turn to `side`, and sees who checks and who is pinned.
    pub(super) fn set_side_to_move(&mut self, side: Side) {
        if side != self.side {
            self.key ^= zobrist::second_to_move();
            self.side = side;
        }
        match side {
            Side::First => self.see_checks::<First>(),
            Side::Second => self.see_checks::<Second>(),
        }
    }

    /// Every occupied square.
    #[inline(always)]
    pub(super) fn occupied(&self) -> B::Bits {
        self.sides[0] | self.sides[1]
    }

    /// The pieces that move like a gold.
    #[inline(always)]
    pub(super) fn golds(&self) -> B::Bits {
        self.kinds[Gold.index()] | (self.promoted & !(self.kinds[Bishop.index()] | self.kinds[Rook.index()]))
    }

    /// The unpromoted pieces of `kind`.
    #[inline(always)]
    pub(super) fn unpromoted(&self, kind: ShogiKind) -> B::Bits {
        self.kinds[kind.index()] & !self.promoted
    }

    /// The piece on an occupied square.
    #[inline(always)]
    pub(super) fn kind_on(&self, square: ShogiSquare) -> ShogiKind {
        let bit = B::Bits::of(square);
        let base = self.base_kind_on(bit);
        if (self.promoted & bit).is_empty() { base } else { base.promoted().unwrap_or(base) }
    }

    #[inline(always)]
    pub(super) fn base_kind_on(&self, bit: B::Bits) -> ShogiKind {
        for kind in ShogiKind::HAND {
            if !(self.kinds[kind.index()] & bit).is_empty() {
                return kind;
            }
        }
        King
    }

    /// The piece on `square`, if there is one.
    pub(super) fn piece_on(&self, square: ShogiSquare) -> Option<(Side, ShogiKind)> {
        let bit = B::Bits::of(square);
        let side =
            [Side::First, Side::Second].into_iter().find(|s| !(self.sides[s.index()] & bit).is_empty())?;
        Some((side, self.kind_on(square)))
    }

    /// The pieces of `A` that attack `square`, if `occupied` are the occupied squares.
    #[inline(always)]
    pub(super) fn attackers<A: Mover>(&self, square: ShogiSquare, occupied: B::Bits) -> B::Bits {
        let mut attackers = self.step_attackers::<A>(square);
        for slider in self.sliders_on_line::<A>(square).squares() {
            if (B::TABLES.between[square.index()][slider.index()] & occupied).is_empty() {
                attackers |= B::Bits::of(slider);
            }
        }
        attackers
    }

    /// Whether a piece of `A` attacks `square`, if `occupied` are the occupied squares.
    #[inline(always)]
    pub(super) fn is_attacked<A: Mover>(&self, square: ShogiSquare, occupied: B::Bits) -> bool {
        self.is_step_attacked::<A>(square) || self.slider_attacks::<A>(square, occupied)
    }

    /// Whether a piece of `A` attacks `square` by a step.
    #[inline(always)]
    pub(super) fn is_step_attacked<A: Mover>(&self, square: ShogiSquare) -> bool {
        !self.step_attackers::<A>(square).is_empty()
    }

    /// Whether a piece of `A` attacks `square` from afar, if `occupied` are the occupied squares.
    #[inline(always)]
    pub(super) fn slider_attacks<A: Mover>(&self, square: ShogiSquare, occupied: B::Bits) -> bool {
        self.sliders_on_line::<A>(square)
            .squares()
            .any(|slider| (B::TABLES.between[square.index()][slider.index()] & occupied).is_empty())
    }

    /// The pieces of `A` that attack `square` by a step.
    #[inline(always)]
    fn step_attackers<A: Mover>(&self, square: ShogiSquare) -> B::Bits {
        let (tables, square, enemy) = (B::TABLES, square.index(), A::Enemy::INDEX);
        let small = (tables.pawn[enemy][square] & self.kinds[Pawn.index()])
            | (tables.knight[enemy][square] & self.kinds[Knight.index()])
            | (tables.silver[enemy][square] & self.kinds[Silver.index()]);
        let great = self.kinds[Bishop.index()] | self.kinds[Rook.index()];
        let kings = self.kinds[King.index()] | (self.promoted & great);
        let steps = (small & !self.promoted)
            | (tables.gold[enemy][square] & self.golds())
            | (tables.king[square] & kings);
        steps & self.sides[A::INDEX]
    }

    /// Whether an enemy of `M` may attack `square` or a square next to it by a step.
    #[inline(always)]
    pub(super) fn is_enemy_near<M: Mover>(&self, square: ShogiSquare) -> bool {
        !(B::TABLES.near[M::INDEX][square.index()] & self.sides[M::Enemy::INDEX]).is_empty()
    }

    /// Whether an enemy of `M` may attack `square` or a square next to it from afar.
    #[inline(always)]
    pub(super) fn is_slider_near<M: Mover>(&self, square: ShogiSquare) -> bool {
        let tables = B::TABLES;
        let sliders = (tables.near_orthogonals[square.index()] & self.kinds[Rook.index()])
            | (tables.near_diagonals[square.index()] & self.kinds[Bishop.index()])
            | (tables.near_files[square.index()] & self.unpromoted(Lance));
        !(sliders & self.sides[M::Enemy::INDEX]).is_empty()
    }

    /// The sliders of `A` that would attack `square` if nothing stood between.
    #[inline(always)]
    pub(super) fn sliders_on_line<A: Mover>(&self, square: ShogiSquare) -> B::Bits {
        let (tables, square) = (B::TABLES, square.index());
        let lances = tables.rays[Direction::BEHIND[A::INDEX] as usize][square] & self.unpromoted(Lance);
        let sliders = (tables.orthogonals[square] & self.kinds[Rook.index()])
            | (tables.diagonals[square] & self.kinds[Bishop.index()])
            | lances;
        sliders & self.sides[A::INDEX]
    }

    /// Sees who gives check to `M`, the side to move, and which of its pieces are pinned.
    #[inline(always)]
    fn see_checks<M: Mover>(&mut self) {
        let king = self.kings[M::INDEX];
        let occupied = self.occupied();
        self.checkers = B::Bits::EMPTY;
        self.pinned = B::Bits::EMPTY;
        if self.is_enemy_near::<M>(king) {
            self.checkers = self.step_attackers::<M::Enemy>(king);
        }
        for slider in self.sliders_on_line::<M::Enemy>(king).squares() {
            let shield = B::TABLES.between[king.index()][slider.index()] & occupied;
            if shield.is_empty() {
                self.checkers |= B::Bits::of(slider);
            } else if shield.without_first().is_empty() {
                self.pinned |= shield & self.sides[M::INDEX];
            }
        }
    }

    /// Whether a move takes a piece.
    pub(super) fn is_capture(&self, mv: ShogiMove) -> bool {
        !(self.occupied() & B::Bits::of(mv.to())).is_empty()
    }

    /// The key after a move of `M`, the side to move.
    pub(super) fn key_after<M: Mover>(&self, mv: ShogiMove) -> u64 {
        let mut after = *self;
        after.make::<M>(mv);
        after.key
    }

    /// Takes the enemy's piece on `square` into the hand of `M`.
    #[inline(always)]
    fn capture<M: Mover>(&mut self, square: ShogiSquare) {
        let bit = B::Bits::of(square);
        let kind = self.kind_on(square);
        let base = kind.base();
        self.kinds[base.index()] ^= bit;
        self.sides[M::Enemy::INDEX] ^= bit;
        self.promoted &= !bit;
        self.key ^= zobrist::piece(M::Enemy::SIDE, kind, square);
        self.set_hand(M::SIDE, base, self.hands[M::INDEX].count(base) + 1);
    }

    /// Moves a piece of `M` to an empty square.
    #[inline(always)]
    fn shift<M: Mover>(&mut self, from: ShogiSquare, to: ShogiSquare, promotes: bool) {
        let (origin, target) = (B::Bits::of(from), B::Bits::of(to));
        let kind = self.kind_on(from);
        let arrives = if promotes { kind.promoted().unwrap_or(kind) } else { kind };
        self.kinds[kind.base().index()] ^= origin | target;
        self.sides[M::INDEX] ^= origin | target;
        if arrives.is_promoted() {
            self.promoted = (self.promoted & !origin) | target;
        }
        if kind == King {
            self.kings[M::INDEX] = to;
        }
        self.key ^= zobrist::piece(M::SIDE, kind, from) ^ zobrist::piece(M::SIDE, arrives, to);
    }

    /// The squares that the pieces of `M` attack or defend.
    pub(super) fn all_attacks<M: Mover>(&self) -> B::Bits {
        let (tables, own, occupied) = (B::TABLES, self.sides[M::INDEX], self.occupied());
        let [bishops, rooks, kings] = [Bishop, Rook, King].map(|kind| self.kinds[kind.index()] & own);
        // Horses and dragons also step like a king.
        let royal = kings | ((bishops | rooks) & self.promoted);
        union(self.unpromoted(Pawn) & own, |from| tables.pawn[M::INDEX][from.index()])
            | union(self.unpromoted(Lance) & own, |from| attacks::lance::<B, M>(from, occupied))
            | union(self.unpromoted(Knight) & own, |from| tables.knight[M::INDEX][from.index()])
            | union(self.unpromoted(Silver) & own, |from| tables.silver[M::INDEX][from.index()])
            | union(self.golds() & own, |from| tables.gold[M::INDEX][from.index()])
            | union(bishops, |from| attacks::bishop::<B>(from, occupied))
            | union(rooks, |from| attacks::rook::<B>(from, occupied))
            | union(royal, |from| tables.king[from.index()])
    }

    /// Tells the pieces of `side`, kind by kind.
    #[inline(always)]
    pub(super) fn for_each_kind(&self, side: Side, mut tell: impl FnMut(ShogiKind, B::Bits)) {
        let own = self.sides[side.index()];
        for kind in ShogiKind::HAND.into_iter().chain([King]) {
            let pieces = self.kinds[kind.index()] & own;
            match kind.promoted() {
                Some(promoted) => {
                    tell(kind, pieces & !self.promoted);
                    tell(promoted, pieces & self.promoted);
                }
                None => tell(kind, pieces),
            }
        }
    }

    /// Squares that a piece of `M` of this kind on `from` attacks, if `occupied` are the occupied squares.
    #[inline(always)]
    pub(super) fn attacks<M: Mover>(kind: ShogiKind, from: ShogiSquare, occupied: B::Bits) -> B::Bits {
        let (tables, square) = (B::TABLES, from.index());
        match kind {
            Pawn => tables.pawn[M::INDEX][square],
            Lance => attacks::lance::<B, M>(from, occupied),
            Knight => tables.knight[M::INDEX][square],
            Silver => tables.silver[M::INDEX][square],
            Gold | Tokin | PromotedLance | PromotedKnight | PromotedSilver => tables.gold[M::INDEX][square],
            Bishop => attacks::bishop::<B>(from, occupied),
            Rook => attacks::rook::<B>(from, occupied),
            King => tables.king[square],
            Horse => attacks::bishop::<B>(from, occupied) | tables.king[square],
            Dragon => attacks::rook::<B>(from, occupied) | tables.king[square],
        }
    }
}

/// All squares that `attacks` gives for any of `pieces`.
#[inline(always)]
fn union<T: Bits>(pieces: T, attacks: impl Fn(ShogiSquare) -> T) -> T {
    pieces.squares().fold(T::EMPTY, |sum, from| sum | attacks(from))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::{super::ShogiGame, *};
    use crate::{
        base::rng::Rng,
        games::rules::{
            Game, Setup,
            shogi::boards::{FiveByFive, NineByNine},
        },
    };

    /// The squares that the pieces of `M` attack, piece by piece.
    fn one_by_one<B: ShogiBoard, M: Mover>(position: &Position<B>) -> B::Bits {
        let mut attacks = B::Bits::EMPTY;
        position.for_each_kind(M::SIDE, |kind, pieces| {
            let reach = |from| Position::<B>::attacks::<M>(kind, from, position.occupied());
            pieces.squares().for_each(|from| attacks |= reach(from));
        });
        attacks
    }

    fn compare<B: ShogiBoard>(games: u64) {
        for seed in 0..games {
            let mut rng = Rng::seed_from_u64(seed);
            let mut game = ShogiGame::<B>::start(B::ID.rule_sets()[0], Setup::Standard, &mut rng);
            let mut moves = Vec::new();
            for _ in 0..200 {
                let position = &game.position;
                let fen = game.fen();
                assert_eq!(position.all_attacks::<First>(), one_by_one::<B, First>(position), "{fen}");
                assert_eq!(position.all_attacks::<Second>(), one_by_one::<B, Second>(position), "{fen}");
                moves.clear();
                game.legal_moves(&mut moves);
                let Some(&mv) = moves.get(rng.random_range(0..moves.len().max(1))) else { break };
                game.play(mv);
            }
        }
    }

    #[test]
    fn all_attacks_are_those_of_the_pieces() {
        compare::<NineByNine>(10);
        compare::<FiveByFive>(20);
    }
}
