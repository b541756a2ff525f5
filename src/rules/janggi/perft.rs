//! Perft's view of a position. Ends by a pass are applied.

use super::{
    PalaceMove,
    mover::{Cho, Han},
    position::Position,
};
use crate::rules::{Side, perft};

impl perft::Position for Position {
    type Move = PalaceMove;

    #[inline(always)]
    fn list(&self, moves: &mut Vec<PalaceMove>) {
        self.list_moves(moves);
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        match self.side {
            Side::First => self.count_moves::<Cho>(),
            Side::Second => self.count_moves::<Han>(),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: PalaceMove) {
        match self.side {
            Side::First => self.play_as::<Cho>(mv),
            Side::Second => self.play_as::<Han>(mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        GameId,
        janggi::{fen, ruleset::Rules},
    };

    #[test]
    fn both_compilations_count_alike() {
        let middle_game = "r2a3r1/4k1n2/1c1b1a3/bpp1nC3/4pp3/2P1N4/P3BP1PP/3KA2C1/c8/3RANB1R w - - 29 41";
        for &rules in GameId::Janggi.rule_sets() {
            let position = fen::parse(Rules::of(rules), middle_game).expect(middle_game).position;
            perft::assert_both_count_alike(&position, 3);
        }
    }
}
