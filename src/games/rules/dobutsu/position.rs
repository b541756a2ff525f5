//! A position of dobutsu shogi: pieces, hands, side to move. No history.

use super::{
    DobutsuMove, Kind, MoveOrigin,
    tables::{self, ALL, Bitboard, LAST_RANK, ZOBRIST},
};
use crate::games::rules::{Outcome, Reason, Side};

/// The squares in `board`, lowest first.
pub fn squares(mut board: Bitboard) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = board.trailing_zeros() as usize;
        (board != 0).then(|| {
            board &= board - 1;
            square
        })
    })
}

/// Pieces, hands and side to move, with the key of all three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pieces: [[Bitboard; Kind::COUNT]; 2],
    hands: [[u8; Kind::IN_HAND]; 2],
    side: Side,
    key: u64,
}

impl Position {
    /// A board without a piece.
    pub fn empty(side: Side) -> Self {
        let key = if side == Side::Second { ZOBRIST.second_to_move } else { 0 };
        Position { pieces: [[0; Kind::COUNT]; 2], hands: [[0; Kind::IN_HAND]; 2], side, key }
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The hash of the position.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The squares with a `kind` of `side`.
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.pieces[side.index()][kind as usize]
    }

    /// How many of `kind` `side` holds; `kind` is no hen.
    pub fn hand(&self, side: Side, kind: Kind) -> u8 {
        self.hands[side.index()][kind as usize]
    }

    /// The squares with a piece of `side`.
    pub fn occupied(&self, side: Side) -> Bitboard {
        self.pieces[side.index()].iter().fold(0, |all, board| all | board)
    }

    /// The kind of `side`'s piece on `square`.
    pub fn kind_at(&self, side: Side, square: usize) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self.pieces(side, kind) >> square & 1 != 0)
    }

    /// Puts a piece on an empty square, or takes that piece off.
    pub fn toggle(&mut self, side: Side, kind: Kind, square: usize) {
        self.pieces[side.index()][kind as usize] ^= 1 << square;
        self.key ^= ZOBRIST.piece[side.index()][kind as usize][square];
    }

    /// Lets `side` hold `count` of `kind`, at most 2.
    pub fn set_hand(&mut self, side: Side, kind: Kind, count: u8) {
        let numbers = &ZOBRIST.hand[side.index()][kind as usize];
        let held = &mut self.hands[side.index()][kind as usize];
        self.key ^= numbers[usize::from(*held)] ^ numbers[usize::from(count)];
        *held = count;
    }

    /// The position after `mv`, which must be legal.
    pub fn after(mut self, mv: DobutsuMove) -> Position {
        let (us, to) = (self.side, mv.to());
        match mv.from() {
            MoveOrigin::Hand(kind) => {
                self.set_hand(us, kind, self.hand(us, kind) - 1);
                self.toggle(us, kind, to);
            }
            MoveOrigin::Square(from) => {
                if let Some(taken) = self.kind_at(!us, to) {
                    self.toggle(!us, taken, to);
                    let taken = taken.unpromoted();
                    self.set_hand(us, taken, self.hand(us, taken) + 1);
                }
                let kind = self.kind_at(us, from).expect("a legal move starts on a piece of its side");
                self.toggle(us, kind, from);
                self.toggle(us, if mv.is_promotion() { Kind::Hen } else { kind }, to);
            }
        }
        self.side = !us;
        self.key ^= ZOBRIST.second_to_move;
        self
    }

    /// Whether a piece of `side` could move to `square`.
    pub fn is_attacked(&self, square: usize, side: Side) -> bool {
        // A piece reaches a square if, moving the other way, it would be reached from there.
        Kind::ALL.into_iter().any(|kind| tables::reach(!side, kind, square) & self.pieces(side, kind) != 0)
    }

    /// The squares that the pieces of `side` attack or defend.
    pub fn attacks(&self, side: Side) -> Bitboard {
        let reach = |kind| {
            squares(self.pieces(side, kind)).fold(0, move |all, from| all | tables::reach(side, kind, from))
        };
        Kind::ALL.into_iter().fold(0, |all, kind| all | reach(kind))
    }

    /// Whether `side`'s lion stands on the last rank and cannot be taken there.
    fn is_home(&self, side: Side) -> bool {
        let lion = self.pieces(side, Kind::Lion) & LAST_RANK[side.index()];
        lion != 0 && !self.is_attacked(lion.trailing_zeros() as usize, !side)
    }

    /// The result that the position itself shows: a lion taken, home, or no move left.
    pub fn end(&self) -> Option<Outcome> {
        let (us, them) = (self.side, !self.side);
        if self.pieces(us, Kind::Lion) == 0 {
            return Some(Outcome::win(them, Reason::LionCaptured));
        }
        // A lion that went home en prise and was left there is looked at again after each move; one move can
        // so make both lions safe.
        match (self.is_home(us), self.is_home(them)) {
            (true, true) => Some(Outcome::draw(Reason::LionHome)),
            (true, false) => Some(Outcome::win(us, Reason::LionHome)),
            (false, true) => Some(Outcome::win(them, Reason::LionHome)),
            (false, false) => (self.count_moves() == 0).then_some(Outcome::win(them, Reason::Stalemate)),
        }
    }

    /// The squares whose piece of `side` could move.
    pub(super) fn movable(&self, side: Side) -> Bitboard {
        let free = !self.occupied(side);
        let of_kind = |kind| {
            let can_move = move |from: &usize| tables::reach(side, kind, *from) & free != 0;
            squares(self.pieces(side, kind)).filter(can_move).fold(0, |all, from| all | 1 << from)
        };
        Kind::ALL.into_iter().fold(0, |all, kind| all | of_kind(kind))
    }

    /// How many moves there are, were the game not over.
    fn count_moves(&self) -> u32 {
        let us = self.side;
        let free = !self.occupied(us);
        let steps: u32 = Kind::ALL
            .into_iter()
            .flat_map(|kind| {
                squares(self.pieces(us, kind))
                    .map(move |from| (tables::reach(us, kind, from) & free).count_ones())
            })
            .sum();
        let kinds = Kind::DROPPABLE.into_iter().filter(|&kind| self.hand(us, kind) > 0).count() as u32;
        steps + kinds * (free & ALL & !self.occupied(!us)).count_ones()
    }

    /// Gives every legal move to `visit`, were the game not over: by kind, by square, drops last.
    pub fn for_each_move(&self, mut visit: impl FnMut(DobutsuMove)) {
        let us = self.side;
        let free = ALL & !self.occupied(us);
        for kind in Kind::ALL {
            for from in squares(self.pieces(us, kind)) {
                for to in squares(tables::reach(us, kind, from) & free) {
                    let promotes = kind == Kind::Chick && LAST_RANK[us.index()] >> to & 1 != 0;
                    visit(if promotes {
                        DobutsuMove::promotion(from, to)
                    } else {
                        DobutsuMove::step(from, to)
                    });
                }
            }
        }
        for kind in Kind::DROPPABLE.into_iter().filter(|&kind| self.hand(us, kind) > 0) {
            squares(free & !self.occupied(!us)).for_each(|to| visit(DobutsuMove::drop(kind, to)));
        }
    }

    /// Leaf nodes at `depth`; a position where the game is over has no children.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.end().is_some() {
            return 0;
        }
        if depth == 1 {
            return u64::from(self.count_moves());
        }
        let mut nodes = 0;
        self.for_each_move(|mv| nodes += self.after(mv).perft(depth - 1));
        nodes
    }
}
