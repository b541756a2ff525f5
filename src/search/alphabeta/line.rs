//! The line that is being looked at: a game for each ply, whose buffers serve one line after another.

use std::mem;

use super::{
    order::Candidate,
    score::{self, LOOP, Score, WIN},
};
use crate::{
    games::rules::{Game, Move, Verdict},
    search::{Evaluation, Evaluator, Query, alphabeta::table::Entry},
};

/// An odd number without a pattern: 2 to the power of 64 over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One ply of the line.
#[derive(Clone, Debug)]
pub struct Frame<G: Game> {
    /// The position, and the moves that were asked about last.
    query: Query<G>,
    /// What was played here; `None` for a turn that was skipped.
    pub played: Option<G::Move>,
    /// What the evaluator thinks of the position; `None` in check.
    pub opinion: Option<Score>,
    /// What has cut off searches at this ply.
    pub killers: [Option<G::Move>; 2],
    /// The moves of the node, while they are looked at.
    pub candidates: Vec<Candidate<G::Move>>,
}

/// The root and the plies below it.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    frames: Vec<Frame<G>>,
    evaluation: Evaluation,
    /// Where loops are played on.
    scratch: G,
}

impl<G: Game> Line<G> {
    /// Plies below the root, at most.
    pub const LONGEST: usize = 120;

    /// A line of `root` alone.
    pub fn new(root: &G) -> Self {
        Line { frames: vec![Frame::new(root)], evaluation: Evaluation::default(), scratch: root.clone() }
    }

    /// Begins at another root.
    pub fn start(&mut self, root: &G) {
        self.frames[0].query.game.clone_from(root);
        self.frames.iter_mut().for_each(|frame| frame.killers = [None; 2]);
    }

    /// A ply that was reached.
    pub fn at(&mut self, ply: usize) -> &mut Frame<G> {
        &mut self.frames[ply]
    }

    /// The position at a ply that was reached.
    pub fn game(&self, ply: usize) -> &G {
        &self.frames[ply].query.game
    }

    /// Plays `mv`: the position behind it is at the next ply.
    pub fn play(&mut self, ply: usize, mv: G::Move) {
        self.frames[ply].played = Some(mv);
        self.copy(ply).play(mv);
    }

    /// Skips a turn, if the rules let us think so.
    pub fn skip(&mut self, ply: usize) -> bool {
        self.frames[ply].played = None;
        self.copy(ply).skip_turn()
    }

    /// The game of the next ply, which is made that of this one.
    fn copy(&mut self, ply: usize) -> &mut G {
        if ply + 1 == self.frames.len() {
            self.frames.push(Frame::new(&self.frames[ply].query.game));
        } else {
            let (upper, lower) = self.frames.split_at_mut(ply + 1);
            lower[0].query.game.clone_from(&upper[ply].query.game);
        }
        &mut self.frames[ply + 1].query.game
    }

    /// The score by the rules, where they tell it: the game is over, or the line is a loop of which the rules say
    /// what comes of it if it goes on. Neither looks back beyond a skipped turn ([`Game::skip_turn`]).
    pub fn by_rule(&mut self, ply: usize) -> Option<Score> {
        let game = self.game(ply);
        let side = game.side_to_move();
        if let Some(outcome) = game.outcome_or_declaration() {
            return Some(score::of_verdict(outcome.verdict, side, WIN - ply as Score));
        }
        if game.repetitions() == 0 {
            return None;
        }
        let start = self.loop_start(ply)?;
        Some(score::of_verdict(self.loop_verdict(start, ply), side, LOOP))
    }

    /// The ply at which the position of `ply` stood before, with no turn skipped since.
    fn loop_start(&self, ply: usize) -> Option<usize> {
        let key = self.game(ply).key();
        let unbroken = (0..ply).rev().take_while(|&earlier| self.frames[earlier].played.is_some());
        unbroken.skip(1).step_by(2).find(|&earlier| self.game(earlier).key() == key)
    }

    /// What comes of the loop from `start` to `end` if nobody leaves it.
    fn loop_verdict(&mut self, start: usize, end: usize) -> Verdict {
        self.scratch.clone_from(&self.frames[end].query.game);
        // No rule waits longer than for the fifth time.
        for _ in 0..4 {
            for frame in &self.frames[start..end] {
                self.scratch.play(frame.played.expect("a loop has no skipped turn"));
                if let Some(outcome) = self.scratch.outcome_or_declaration() {
                    return outcome.verdict;
                }
            }
        }
        Verdict::Draw
    }

    /// What `evaluator` thinks of the position.
    pub fn ask_opinion(&mut self, ply: usize, evaluator: &mut impl Evaluator<G>) -> Score {
        let query = &mut self.frames[ply].query;
        query.moves.clear();
        query.policy_only = false;
        evaluator.evaluate(&[query], std::slice::from_mut(&mut self.evaluation));
        score::of_opinion(self.evaluation.wdl)
    }

    /// Lists the legal moves, or only those that take a piece or promote one.
    pub fn list_moves(&mut self, ply: usize, which: Which) {
        let Frame { query: Query { game, moves, .. }, candidates, .. } = &mut self.frames[ply];
        moves.clear();
        game.legal_moves(moves);
        if which == Which::Forcing {
            moves.retain(|&mv| game.is_forcing(mv));
        }
        candidates.clear();
        candidates.extend(moves.iter().map(|&mv| {
            let forces = which == Which::Forcing || game.is_forcing(mv);
            Candidate { mv, rank: 0.0, forces }
        }));
    }

    /// Ranks the moves that were listed by the policy: in nats below its favourite among them.
    pub fn ask_policy(&mut self, ply: usize, evaluator: &mut impl Evaluator<G>) {
        let Frame { query, candidates, .. } = &mut self.frames[ply];
        query.policy_only = true;
        evaluator.evaluate(&[query], std::slice::from_mut(&mut self.evaluation));
        let logits = &self.evaluation.logits;
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        candidates.iter_mut().zip(logits).for_each(|(candidate, logit)| candidate.rank = logit - top);
    }

    /// The moves that were listed, until they are given [back](Line::give_back).
    pub fn take_candidates(&mut self, ply: usize) -> Vec<Candidate<G::Move>> {
        mem::take(&mut self.frames[ply].candidates)
    }

    /// Takes a buffer back.
    pub fn give_back(&mut self, ply: usize, candidates: Vec<Candidate<G::Move>>) {
        self.frames[ply].candidates = candidates;
    }
}

/// Which moves are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All legal ones.
    All,
    /// Those that take a piece or promote one.
    Forcing,
}

impl<G: Game> Frame<G> {
    fn new(game: &G) -> Self {
        Frame {
            query: Query { game: game.clone(), moves: Vec::new(), policy_only: false },
            played: None,
            opinion: None,
            killers: [None; 2],
            candidates: Vec::new(),
        }
    }
}

/// What names a position, and how often it has stood before: repetitions end games.
pub fn key<G: Game>(game: &G) -> u64 {
    let both = game.state_key() ^ u64::from(game.repetitions()).wrapping_mul(GOLDEN);
    // The table wants all bits to depend on all; not every game's key is so.
    let spread = both.wrapping_mul(GOLDEN);
    spread ^ spread >> 32
}

/// The bits of a move as the table keeps them.
pub fn bits<M: Move>(mv: Option<M>) -> u16 {
    mv.map_or(Entry::NO_MOVE, Move::bits)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{RuleSet, Setup, shogi::Minishogi},
    };

    fn line(moves: &[&str]) -> Line<Minishogi> {
        let start = Minishogi::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(0));
        let mut line = Line::new(&start);
        for (ply, text) in moves.iter().enumerate() {
            line.play(ply, line.game(ply).parse_move(text).expect(text));
        }
        line
    }

    /// In minishogi the first side loses by repetition.
    #[test]
    fn a_loop_is_worth_what_its_rule_says() {
        let mut once = line(&["b1b2", "d5d4", "b2b1", "d4d5"]);
        assert_eq!(once.by_rule(4), Some(-LOOP), "for the first side, whose turn it is");
        assert_ne!(key(once.game(4)), key(once.game(0)));
        assert_eq!((0..4).find_map(|ply| once.by_rule(ply)), None);
        assert_eq!(line(&["b1b2", "d5d4", "b2b1", "d4d3"]).by_rule(4), None);
    }

    /// The position behind the skipped turn and a move has stood three times: the fourth time would lose.
    #[test]
    fn no_loop_goes_over_a_skipped_turn() {
        let mut game = line(&[]).game(0).clone();
        let shuffles =
            ["a5a3 a3a4", "a4a5 a5a4", "a4a5 a5a4", "a4a3 a3a5"].map(|texts| texts.split_once(' '));
        for (away, back) in shuffles.into_iter().flatten() {
            for text in ["b1b2", away, "b2b1", back] {
                game.play(game.parse_move(text).expect(text));
            }
        }
        let mut line = Line::new(&game);
        assert!(line.skip(0));
        line.play(1, line.game(1).parse_move("a5a4").expect("legal"));
        assert_eq!((line.by_rule(1), line.by_rule(2)), (None, None));
        assert_eq!(line.game(2).repetitions(), 0, "as if it had never stood");
    }
}
