//! The game that an engine is asked about.

use rand::SeedableRng;

use crate::{
    base::rng::Rng,
    games::rules::{Game, Reason, RuleSet, Setup},
    protocol::{Notation, PositionText, StartText},
};

/// A position and how it came about, as far as the rules still look back.
#[derive(Clone, Debug)]
pub struct GameLine<G: Game> {
    /// Where it began.
    pub start: G,
    /// The moves since.
    pub moves: Vec<G::Move>,
    /// The position that they led to.
    pub game: G,
}

impl<G: Game> GameLine<G> {
    /// The position `text`, its moves in the first of `notations` in which all of them are legal, and that notation. The
    /// standard start has this `setup`, which draws nothing.
    ///
    /// A game that goes on although our rules have ended it, as by repetition, goes on from there without its past: the
    /// other program has other rules.
    ///
    /// # Errors
    /// Says which part is no position or no legal move, in the first notation.
    ///
    /// # Panics
    /// Without a notation.
    pub fn read(
        rules: RuleSet,
        text: &PositionText,
        setup: Setup,
        notations: &[Notation],
    ) -> Result<(Self, Notation), String> {
        let start = match &text.start {
            StartText::Standard => G::start(rules, setup, &mut Rng::seed_from_u64(0)),
            StartText::Fen(fen) => G::from_fen(rules, fen).map_err(|error| error.to_string())?,
        };
        let mut read = notations
            .iter()
            .map(|&notation| Self::follow(start.clone(), &text.moves, notation).map(|line| (line, notation)));
        let first = read.next().expect("one notation at least");
        first.or_else(|error| read.find_map(Result::ok).ok_or(error))
    }

    fn follow(start: G, moves: &[String], notation: Notation) -> Result<Self, String> {
        let mut line = GameLine { game: start.clone(), start, moves: Vec::with_capacity(moves.len()) };
        for (text, number) in moves.iter().zip(1..) {
            line.go_on();
            let mv = notation
                .read_move(&line.game, text)
                .ok_or_else(|| format!("move {number}, '{text}', is not legal"))?;
            line.game.play(mv);
            line.moves.push(mv);
        }
        line.go_on();
        Ok(line)
    }

    /// Begins anew at an end of the game that other programs may not know. Bikjang and two passes are known to all.
    fn go_on(&mut self) {
        let is_passed = |reason| matches!(reason, Reason::Bikjang | Reason::DoublePass);
        if self.game.outcome().is_some_and(|outcome| !is_passed(outcome.reason))
            && let Some(anew) = without_past(&self.game)
        {
            *self = GameLine { game: anew.clone(), start: anew, moves: Vec::new() };
        }
    }
}

/// The position of `game` as if it began there; `None` if the game is over all the same.
fn without_past<G: Game>(game: &G) -> Option<G> {
    let fen = game.fen();
    let (rest, number) = fen.rsplit_once(' ')?;
    let (rest, _) = rest.rsplit_once(' ')?;
    G::from_fen(game.rules(), &format!("{rest} 0 {number}")).ok().filter(|game| game.outcome().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{
        janggi::Janggi,
        shogi::{Minishogi, Shogi},
        xiangqi::Xiangqi,
    };

    const BOTH: [Notation; 2] = [Notation::Own, Notation::RanksFromZero];

    fn text(fen: &str, moves: &str) -> PositionText {
        let start = if fen.is_empty() { StartText::Standard } else { StartText::Fen(fen.to_owned()) };
        PositionText { start, moves: moves.split_whitespace().map(str::to_owned).collect() }
    }

    fn read<G: Game>(fen: &str, moves: &str) -> Result<(GameLine<G>, Notation), String> {
        GameLine::read(G::ID.rule_sets()[0], &text(fen, moves), Setup::Standard, &BOTH)
    }

    #[test]
    fn the_numbering_of_ranks_is_found_from_the_moves() {
        let from_one = read::<Xiangqi>("", "h3e3 h10g8").unwrap();
        let from_zero = read::<Xiangqi>("", "h2e2 h9g7").unwrap();
        assert_eq!((from_one.1, from_zero.1), (Notation::Own, Notation::RanksFromZero));
        assert_eq!(from_one.0.game.fen(), from_zero.0.game.fen());
        assert_eq!(read::<Xiangqi>("", "").unwrap().1, Notation::Own, "the first where nothing tells");
        let mixed = read::<Xiangqi>("", "h2e2 h10g8").unwrap_err();
        assert!(mixed.contains("move 1, 'h2e2'"), "{mixed}");
    }

    /// What the default of the numbering rests on.
    #[test]
    fn no_first_move_of_the_large_boards_is_legal_in_both_numberings() {
        fn check<G: Game>() {
            let rules = G::ID.rule_sets()[0];
            let game =
                GameLine::<G>::read(rules, &PositionText::STANDARD, Setup::Standard, &BOTH).unwrap().0.game;
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for mv in moves {
                let [one, zero] = BOTH.map(|notation| notation.write_move::<G>(mv));
                assert_eq!(Notation::RanksFromZero.read_move(&game, &one), None, "{one}");
                assert_eq!(Notation::Own.read_move(&game, &zero), None, "{zero}");
            }
        }
        check::<Xiangqi>();
        check::<Janggi>();
    }

    #[test]
    fn short_and_red_fens_are_read() {
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let whole = read::<Xiangqi>(&format!("{start} w - - 0 1"), "").unwrap().0.game.fen();
        for short in
            [start.to_owned(), format!("{start} r"), format!("{start} w"), format!("{start} r - - 0 1")]
        {
            assert_eq!(read::<Xiangqi>(&short, "").unwrap().0.game.fen(), whole);
        }
        assert!(read::<Xiangqi>("9/9 w", "").unwrap_err().contains("ranks"));
    }

    #[test]
    fn a_game_that_goes_on_after_its_end_is_followed() {
        let moves = "d1d2 b5b4 d2d1 b4b5 ".repeat(5);
        let line = read::<Minishogi>("1r2k/5/5/5/K2R1[] w - - 0 1", &moves).unwrap().0;
        assert!(line.game.outcome().is_none());
        assert_eq!(line.moves.len(), 8, "the past before the fourth occurrence is forgotten");
    }

    #[test]
    fn a_mate_and_two_passes_stay_the_end() {
        let passed = read::<Janggi>("", "e2e2 e9e9").unwrap().0.game;
        assert_eq!(passed.outcome().map(|outcome| outcome.reason), Some(Reason::DoublePass));
        let mate = "4k4/4G4/4P4/9/9/9/9/9/4K4[] b - - 0 1";
        assert!(read::<Shogi>(mate, "").unwrap().0.game.outcome().is_some());
    }
}
