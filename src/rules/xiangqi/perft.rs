//! Perft's view of a position.

use super::{
    PalaceMove,
    boards::{Black, Board, Red},
    position::Position,
};
use crate::rules::{Side, perft};

impl<B: Board> perft::Position for Position<B> {
    type Move = PalaceMove;

    #[inline(always)]
    fn list(&self, moves: &mut Vec<PalaceMove>) {
        self.list_moves(moves);
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        match self.side {
            Side::First => self.count_moves::<Red>(),
            Side::Second => self.count_moves::<Black>(),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: PalaceMove) {
        match self.side {
            Side::First => self.play_as::<Red>(mv),
            Side::Second => self.play_as::<Black>(mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::xiangqi::{
        boards::{Nine, Seven},
        fen,
        ruleset::Rules,
    };

    fn compare<B: Board>(text: &str, depth: u32) {
        let position = fen::parse::<B>(Rules::of(B::ID.rule_sets()[0]), text).expect(text).position;
        perft::assert_both_count_alike(&position, depth);
    }

    #[test]
    fn both_compilations_count_alike() {
        compare::<Nine>("1nbakabn1/8r/r3c4/p1p1p3p/6pR1/1C7/P1P3P1c/1C4N2/9/RNBAKAB2 w - - 0 1", 3);
        compare::<Nine>("3a2b2/P2kr4/9/9/9/2B6/9/3C5/4An1p1/N2K2c2 b - - 0 1", 3);
        compare::<Seven>(Seven::START, 4);
    }
}
