//! The search stack: the position of each ply from the root to the current node. Its buffers are reused.

use std::mem;

use super::{
    move_ordering::ScoredMove,
    score::{self, LOOP, SearchScore, WIN},
};
use crate::{
    games::rules::{Game, Move, Verdict},
    search::{Evaluation, Evaluator, Query, alphabeta::transposition::TableEntry},
};

/// An odd number without a pattern: 2 to the power of 64 over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One ply of the stack.
#[derive(Clone, Debug)]
pub struct StackEntry<G: Game> {
    /// The position, and the moves that were asked about last.
    query: Query<G>,
    /// The move that was played here; `None` for a null move.
    pub played: Option<G::Move>,
    /// What the evaluator says of the position; `None` in check.
    pub static_eval: Option<SearchScore>,
    /// The last two quiet moves that caused a cutoff at this ply.
    pub killers: [Option<G::Move>; 2],
    /// The moves of the node, while they are searched.
    pub candidates: Vec<ScoredMove<G::Move>>,
}

/// The root and the plies below it, down to the current node.
#[derive(Clone, Debug)]
pub struct SearchStack<G: Game> {
    entries: Vec<StackEntry<G>>,
    evaluation: Evaluation,
    /// For playing on from a loop.
    scratch: G,
}

impl<G: Game> SearchStack<G> {
    /// Plies below the root, at most.
    pub const MAX_PLY: usize = 120;

    /// A stack of `root` alone.
    pub fn new(root: &G) -> Self {
        SearchStack {
            entries: vec![StackEntry::new(root)],
            evaluation: Evaluation::default(),
            scratch: root.clone(),
        }
    }

    /// Begins at another root.
    pub fn start(&mut self, root: &G) {
        self.entries[0].query.game.clone_from(root);
        self.entries.iter_mut().for_each(|entry| entry.killers = [None; 2]);
    }

    /// A ply that was reached.
    pub fn at(&mut self, ply: usize) -> &mut StackEntry<G> {
        &mut self.entries[ply]
    }

    /// The position at a ply that was reached.
    pub fn game(&self, ply: usize) -> &G {
        &self.entries[ply].query.game
    }

    /// Plays `mv`: the position behind it is at the next ply.
    pub fn play(&mut self, ply: usize, mv: G::Move) {
        self.entries[ply].played = Some(mv);
        self.copy(ply).play(mv);
    }

    /// Makes a null move: `false`, and nothing to be searched, where [`Game::make_null_move`] does not allow one.
    pub fn null_move(&mut self, ply: usize) -> bool {
        self.entries[ply].played = None;
        self.copy(ply).make_null_move()
    }

    /// Copies the game of `ply` to the next one.
    fn copy(&mut self, ply: usize) -> &mut G {
        if ply + 1 == self.entries.len() {
            self.entries.push(StackEntry::new(&self.entries[ply].query.game));
        } else {
            let (upper, lower) = self.entries.split_at_mut(ply + 1);
            lower[0].query.game.clone_from(&upper[ply].query.game);
        }
        &mut self.entries[ply + 1].query.game
    }

    /// The score that the rules give: the game is over, or the line is a loop, and the rules say how that ends if it
    /// goes on. Neither looks back beyond a null move ([`Game::make_null_move`]).
    pub fn score_by_rule(&mut self, ply: usize) -> Option<SearchScore> {
        let game = self.game(ply);
        let side = game.side_to_move();
        if let Some(outcome) = game.outcome_or_declaration() {
            return Some(score::of_verdict(outcome.verdict, side, WIN - ply as SearchScore));
        }
        if game.repetitions() == 0 {
            return None;
        }
        let start = self.loop_start(ply)?;
        Some(score::of_verdict(self.loop_verdict(start, ply), side, LOOP))
    }

    /// The ply at which the position of `ply` stood before, with no null move since.
    fn loop_start(&self, ply: usize) -> Option<usize> {
        let key = self.game(ply).key();
        let unbroken = (0..ply).rev().take_while(|&earlier| self.entries[earlier].played.is_some());
        unbroken.skip(1).step_by(2).find(|&earlier| self.game(earlier).key() == key)
    }

    /// How the loop from `start` to `end` ends if neither side leaves it.
    fn loop_verdict(&mut self, start: usize, end: usize) -> Verdict {
        self.scratch.clone_from(&self.entries[end].query.game);
        // By every rule the fifth time is the last.
        for _ in 0..4 {
            for entry in &self.entries[start..end] {
                self.scratch.play(entry.played.expect("a loop has no null move"));
                if let Some(outcome) = self.scratch.outcome_or_declaration() {
                    return outcome.verdict;
                }
            }
        }
        Verdict::Draw
    }

    /// What `evaluator` says of the position.
    pub fn evaluate(&mut self, ply: usize, evaluator: &mut impl Evaluator<G>) -> SearchScore {
        let query = &mut self.entries[ply].query;
        query.moves.clear();
        query.policy_only = false;
        evaluator.evaluate(&[query], std::slice::from_mut(&mut self.evaluation));
        score::of_wdl(self.evaluation.wdl)
    }

    /// Lists the legal moves, or only those that take a piece or promote one.
    pub fn list_moves(&mut self, ply: usize, filter: MoveFilter) {
        let StackEntry { query: Query { game, moves, .. }, candidates, .. } = &mut self.entries[ply];
        moves.clear();
        game.legal_moves(moves);
        if filter == MoveFilter::Forcing {
            moves.retain(|&mv| game.is_forcing(mv));
        }
        candidates.clear();
        candidates.extend(moves.iter().map(|&mv| {
            let forces = filter == MoveFilter::Forcing || game.is_forcing(mv);
            ScoredMove { mv, rank: 0.0, forces }
        }));
    }

    /// Ranks the moves that were listed by the policy: in nats below its favourite among them.
    pub fn ask_policy(&mut self, ply: usize, evaluator: &mut impl Evaluator<G>) {
        let StackEntry { query, candidates, .. } = &mut self.entries[ply];
        query.policy_only = true;
        evaluator.evaluate(&[query], std::slice::from_mut(&mut self.evaluation));
        let logits = &self.evaluation.logits;
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        candidates.iter_mut().zip(logits).for_each(|(candidate, logit)| candidate.rank = logit - top);
    }

    /// Takes the moves that were listed out; [`SearchStack::put_back`] returns the buffer.
    pub fn take_candidates(&mut self, ply: usize) -> Vec<ScoredMove<G::Move>> {
        mem::take(&mut self.entries[ply].candidates)
    }

    /// Returns the buffer of [`SearchStack::take_candidates`].
    pub fn put_back(&mut self, ply: usize, candidates: Vec<ScoredMove<G::Move>>) {
        self.entries[ply].candidates = candidates;
    }
}

/// Which moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFilter {
    /// All legal ones.
    All,
    /// Those that take a piece or promote one.
    Forcing,
}

impl<G: Game> StackEntry<G> {
    fn new(game: &G) -> Self {
        StackEntry {
            query: Query { game: game.clone(), moves: Vec::new(), policy_only: false },
            played: None,
            static_eval: None,
            killers: [None; 2],
            candidates: Vec::new(),
        }
    }
}

/// The table's key: of the position and of how often it has stood before, as repetitions end games.
pub fn key<G: Game>(game: &G) -> u64 {
    let both = game.state_key() ^ u64::from(game.repetitions()).wrapping_mul(GOLDEN);
    // In the table every bit must depend on all others, which not every game's key assures.
    let spread = both.wrapping_mul(GOLDEN);
    spread ^ spread >> 32
}

/// The bits of a move as the table keeps them.
pub fn bits<M: Move>(mv: Option<M>) -> u16 {
    mv.map_or(TableEntry::NO_MOVE, Move::bits)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{
            RuleSet, Setup,
            shogi::{Minishogi, Shogi},
        },
    };

    fn stack(moves: &[&str]) -> SearchStack<Minishogi> {
        let start = Minishogi::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(0));
        let mut stack = SearchStack::new(&start);
        for (ply, text) in moves.iter().enumerate() {
            stack.play(ply, stack.game(ply).parse_move(text).expect(text));
        }
        stack
    }

    #[test]
    fn a_winning_declaration_is_a_win() {
        let fen = "K8/PPPPPPPPP/1+R7/9/9/9/9/9/8k[RBPPPP] w - - 0 1";
        let score = |rules| SearchStack::new(&Shogi::from_fen(rules, fen).unwrap()).score_by_rule(0);
        assert_eq!((score(RuleSet::Csa27), score(RuleSet::Stouten1990)), (Some(WIN), None));
    }

    /// In minishogi the first side loses by repetition.
    #[test]
    fn a_loop_is_worth_what_its_rule_says() {
        let mut once = stack(&["b1b2", "d5d4", "b2b1", "d4d5"]);
        assert_eq!(once.score_by_rule(4), Some(-LOOP), "for the first side, whose turn it is");
        assert_ne!(key(once.game(4)), key(once.game(0)));
        assert_eq!((0..4).find_map(|ply| once.score_by_rule(ply)), None);
        assert_eq!(stack(&["b1b2", "d5d4", "b2b1", "d4d3"]).score_by_rule(4), None);
    }

    /// The position behind the null move and a move has stood three times: the fourth time would lose.
    #[test]
    fn no_loop_goes_over_a_null_move() {
        let mut game = stack(&[]).game(0).clone();
        let shuffles =
            ["a5a3 a3a4", "a4a5 a5a4", "a4a5 a5a4", "a4a3 a3a5"].map(|texts| texts.split_once(' '));
        for (away, back) in shuffles.into_iter().flatten() {
            for text in ["b1b2", away, "b2b1", back] {
                game.play(game.parse_move(text).expect(text));
            }
        }
        let mut stack = SearchStack::new(&game);
        assert!(stack.null_move(0));
        stack.play(1, stack.game(1).parse_move("a5a4").expect("legal"));
        assert_eq!((stack.score_by_rule(1), stack.score_by_rule(2)), (None, None));
        assert_eq!(stack.game(2).repetitions(), 0, "as if it had never stood");
    }
}
