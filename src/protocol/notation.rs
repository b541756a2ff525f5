//! Moves and positions as other programs write them.
//!
//! All of this turns our texts into theirs. Nothing need be turned back: a move that comes in is looked for among
//! the legal ones, written the same way.

use crate::games::{
    notation::{map_squares, sfen, usi},
    rules::Game,
};

/// How an engine writes squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As we do, after Fairy-Stockfish: `a10a9`, `P@e5`.
    Own,
    /// Ranks counted from 0, as in UCCI and in Pikafish's UCI: `a9a8`.
    RanksFromZero,
    /// As in USI: files are numbers from the first player's right, ranks letters from the top: `7g7f`, `P*5e`.
    Shogi,
}

impl Notation {
    /// The text of a move of `G`.
    pub fn write_move<G: Game>(self, mv: G::Move) -> String {
        let text = mv.to_string();
        match self {
            Notation::Own => text,
            Notation::RanksFromZero => map_squares(&text, |file, rank| format!("{file}{}", rank - 1)),
            Notation::Shogi => usi::<G>(mv),
        }
    }

    /// The legal move of `game` that is written as `text`.
    pub fn read_move<G: Game>(self, game: &G, text: &str) -> Option<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| self.write_move::<G>(mv) == text)
    }

    /// The position of `game`, as FEN or SFEN.
    pub fn write_fen<G: Game>(self, game: &G) -> String {
        match self {
            Notation::Own | Notation::RanksFromZero => game.fen(),
            Notation::Shogi => sfen(&game.fen()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{
            RuleSet, Setup,
            dobutsu::Dobutsu,
            shogi::{Minishogi, Shogi},
            xiangqi::Xiangqi,
        },
    };

    /// Every position of some random games.
    fn for_each_position<G: Game>(rules: RuleSet, mut check: impl FnMut(&G)) {
        let mut rng = Rng::seed_from_u64(11);
        let mut moves = Vec::new();
        for _ in 0..20 {
            let mut game = G::start(rules, Setup::Standard, &mut rng);
            while game.outcome().is_none() && game.ply() < 300 {
                check(&game);
                moves.clear();
                game.legal_moves(&mut moves);
                game.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    fn moves_are_read_back<G: Game>(rules: RuleSet, notation: Notation) {
        for_each_position(rules, |game: &G| {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let mut texts: Vec<String> = moves.iter().map(|&mv| notation.write_move::<G>(mv)).collect();
            let mv = moves[moves.len() / 2];
            assert_eq!(notation.read_move(game, &texts[moves.len() / 2]), Some(mv));
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), moves.len(), "two moves are written alike: {}", game.fen());
        });
    }

    #[test]
    fn every_legal_move_is_read_back() {
        moves_are_read_back::<Shogi>(RuleSet::Csa27, Notation::Shogi);
        moves_are_read_back::<Minishogi>(RuleSet::Standard, Notation::Shogi);
        moves_are_read_back::<Dobutsu>(RuleSet::Standard, Notation::Shogi);
        moves_are_read_back::<Xiangqi>(RuleSet::Axf, Notation::RanksFromZero);
        moves_are_read_back::<Xiangqi>(RuleSet::Axf, Notation::Own);
    }

    fn sfens_are_read_back<G: Game>(rules: RuleSet) {
        for_each_position(rules, |game: &G| {
            let text = Notation::Shogi.write_fen(game);
            let again = G::from_fen(rules, &text).expect(&text);
            assert_eq!((again.key(), again.side_to_move()), (game.key(), game.side_to_move()), "{text}");
            let number: u32 = text.rsplit(' ').next().unwrap().parse().unwrap();
            assert_eq!(number, game.ply() + 1);
        });
    }

    #[test]
    fn sfens_are_read_back_as_the_same_position() {
        sfens_are_read_back::<Shogi>(RuleSet::Csa27);
        sfens_are_read_back::<Minishogi>(RuleSet::Standard);
        sfens_are_read_back::<Dobutsu>(RuleSet::Standard);
    }

    #[test]
    fn texts_are_those_of_the_protocols() {
        let mut rng = Rng::seed_from_u64(1);
        let shogi = Shogi::start(RuleSet::Csa27, Setup::Standard, &mut rng);
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(Notation::Shogi.write_fen(&shogi), start);
        let mv = shogi.parse_move("c3c4").unwrap();
        assert_eq!(Notation::Shogi.write_move::<Shogi>(mv), "7g7f");
        let fen = "lnsgkgsnl/1r5b1/pppppp1pp/9/9/9/PP1PPPPPP/1B5R1/LNSGKGSNL[PPp] b - - 3 5";
        let game = Shogi::from_fen(RuleSet::Csa27, &fen.replace("[PPp]", "[Pp]")).unwrap();
        assert_eq!(Notation::Shogi.write_move::<Shogi>(game.parse_move("P@g7").unwrap()), "P*3c");
        assert!(sfen(fen).ends_with(" w 2Pp 10"), "{}", sfen(fen));
        let promoting = "lnsgkgsnl/1r5b1/pppppp1pp/9/9/9/PP1PPPPPP/1B5R1/LNSGKGSNL[Pp] w - - 3 5";
        let game = Shogi::from_fen(RuleSet::Csa27, promoting).unwrap();
        assert_eq!(Notation::Shogi.write_move::<Shogi>(game.parse_move("b2h8+").unwrap()), "8h2b+");

        let xiangqi = Xiangqi::start(RuleSet::Axf, Setup::Standard, &mut rng);
        let cannon = xiangqi.parse_move("h3e3").unwrap();
        assert_eq!(Notation::RanksFromZero.write_move::<Xiangqi>(cannon), "h2e2");
        let rook = "1nbakabnr/9/9/9/9/9/9/9/r8/3K2BNR b - - 0 1";
        let game = Xiangqi::from_fen(RuleSet::Axf, rook).unwrap();
        let mv = game.parse_move("i10i9").unwrap();
        assert_eq!(Notation::RanksFromZero.write_move::<Xiangqi>(mv), "i9i8");
        assert_eq!(Notation::RanksFromZero.read_move(&game, "i10i9"), None);
    }
}
