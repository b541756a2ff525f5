//! Perft's view of a position.

use super::{
    ShogiMove,
    boards::{Board, Gote, Sente},
    position::Position,
};
use crate::rules::{Side, perft};

impl<B: Board> perft::Position for Position<B> {
    type Move = ShogiMove;

    #[inline(always)]
    fn list(&self, moves: &mut Vec<ShogiMove>) {
        self.list_moves(moves);
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        match self.side {
            Side::First => self.count_moves::<Sente>(),
            Side::Second => self.count_moves::<Gote>(),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: ShogiMove) {
        match self.side {
            Side::First => self.play_as::<Sente>(mv),
            Side::Second => self.play_as::<Gote>(mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shogi::{
        boards::{Five, Nine},
        fen,
    };

    fn compare<B: Board>(text: &str, depth: u32) {
        perft::assert_both_count_alike(&fen::parse::<B>(text).expect(text).position, depth);
    }

    #[test]
    fn both_compilations_count_alike() {
        compare::<Nine>("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3);
        compare::<Nine>("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L b Sbgn3p 1", 2);
        compare::<Five>(Five::START, 4);
    }
}
