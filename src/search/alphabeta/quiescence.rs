//! Quiescence: captures and promotions only, until the static evaluation of a position can be trusted.

use super::{
    move_ordering::{ScoredMove, pick_best},
    pvs::{BestSoFar, Worker},
    score::{self, CERTAIN, SearchScore},
    stack::{self, MoveFilter, SearchStack},
    window::SearchWindow,
};
use crate::{
    games::rules::{Game, Move},
    search::Evaluator,
};

/// Plies of captures in which a check is answered by any move, and not only by captures.
const EVASION_PLIES: usize = 2;

/// Moves ranked lower than this are left out: nats below the policy's favourite, plus history and killers. The first
/// move is always searched; none is left out while only a certain loss is known. Answers to a check may be left out
/// too. Gain over no limit, 4,000 nodes a move: 28 Elo [10, 46] in 500 games of minishogi, 40 [3, 79] in 200 of
/// xiangqi.
const UNLIKELY: f32 = -4.0;

/// Plies of captures from which on only the likeliest move is searched. Without it, a full board of shogi with many pieces
/// in hand has lines of captures without end, and two plies take minutes.
const NARROW_PLIES: usize = 4;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score of the position at `ply`, which no rule decides, if only captures are played; `since` counts their
    /// plies. It means nothing once stopped.
    pub fn quiescence(&mut self, ply: usize, since: usize, window: SearchWindow) -> SearchScore {
        if self.count_node() {
            return 0;
        }
        let key = stack::key(self.stack.game(ply));
        let known = self.table.probe(key);
        if let Some(entry) = known.filter(|_| window.is_null()) {
            let score = score::from_table(entry.score.into(), ply);
            if entry.allows_cutoff(score, window.alpha, window.beta) {
                return score;
            }
        }
        let asked = window;
        let mut window = window;
        let mut best = BestSoFar::NONE;
        let evading = since < EVASION_PLIES && self.stack.game(ply).is_check();
        let static_eval = (!evading).then(|| self.static_eval(ply, known));
        self.stack.at(ply).static_eval = static_eval;
        if let Some(static_eval) = static_eval {
            best.score = static_eval;
            if static_eval >= window.beta || ply >= SearchStack::<G>::MAX_PLY {
                if known.is_none() {
                    self.store(key, ply, 0, asked, &best);
                }
                return static_eval;
            }
            if static_eval > window.alpha {
                (window.alpha, best.raised) = (static_eval, true);
            }
        }
        self.stack.list_moves(ply, if evading { MoveFilter::All } else { MoveFilter::Forcing });
        self.search_captures(ply, since, &mut window, &mut best, known.map(|entry| entry.mv));
        if !self.stopped {
            self.store(key, ply, 0, asked, &best);
        }
        best.score
    }

    /// Searches the moves that were listed.
    fn search_captures(
        &mut self,
        ply: usize,
        since: usize,
        window: &mut SearchWindow,
        best: &mut BestSoFar<G::Move>,
        table_move: Option<u16>,
    ) {
        if self.stack.at(ply).candidates.len() > 1 {
            self.rank(ply);
        }
        let mut candidates = self.stack.take_candidates(ply);
        for candidate in &mut candidates {
            if Some(candidate.mv.bits()) == table_move {
                candidate.rank = f32::INFINITY;
            }
        }
        let most = if since < NARROW_PLIES { candidates.len() } else { candidates.len().min(1) };
        for place in 0..most {
            pick_best(&mut candidates, place);
            let ScoredMove { mv, rank, .. } = candidates[place];
            if place > 0 && rank < UNLIKELY && best.score > -CERTAIN {
                break;
            }
            self.stack.play(ply, mv);
            let score = -match self.score_by_rule(ply + 1) {
                Some(score) => score,
                None => self.quiescence(ply + 1, since + 1, window.flip()),
            };
            if self.stopped || best.see(score, mv, window) {
                break;
            }
        }
        self.stack.put_back(ply, candidates);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::{
        games::rules::{
            RuleSet,
            shogi::{Minishogi, Shogi},
        },
        search::{
            Evaluation, Query, Wdl,
            alphabeta::{
                NodeLimit, move_ordering::ButterflyHistory, score::LOOP, transposition::TranspositionTable,
            },
        },
    };

    /// Finds every position even.
    struct Even;

    impl Evaluator<Minishogi> for Even {
        fn evaluate(&mut self, queries: &[&Query<Minishogi>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                *out = Evaluation { wdl: Wdl::DRAW, logits: vec![0.0; query.moves.len()] };
            }
        }
    }

    /// Finds whoever is to move behind, so that nobody is content before the captures have ended, and every move as likely as
    /// the others.
    struct Restless;

    impl Evaluator<Shogi> for Restless {
        fn evaluate(&mut self, queries: &[&Query<Shogi>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                let wdl = Wdl { win: 0.25, draw: 0.0, loss: 0.75 };
                *out = Evaluation { wdl, logits: vec![0.0; query.moves.len()] };
            }
        }
    }

    /// Two ranks of promoted pawns stand face to face, and each can take two or three others.
    #[test]
    fn a_board_full_of_captures_is_searched_in_time() {
        let fen = "4k4/9/9/+P+p+P+p+P+p+P+p+P/+p+P+p+P+p+P+p+P+p/9/9/9/4K4[-] w 0 1";
        let game = Shogi::from_fen(RuleSet::Csa27, fen).expect("a position");
        let (mut stack, table, mut history) =
            (SearchStack::new(&game), TranspositionTable::new(1 << 16), ButterflyHistory::new());
        let (mut evaluator, mut observer) = (Restless, || true);
        let limit = NodeLimit { most: 1_000_000, helpers: &AtomicU64::new(0) };
        let mut worker = Worker::new(&mut stack, &table, &mut history, &mut evaluator, &mut observer, limit);
        worker.quiescence(0, 0, SearchWindow::OPEN);
        assert!(!worker.stopped, "after {} nodes", worker.nodes);
    }

    /// A rook gives check at every move, and the king goes to and fro: who gives perpetual check loses. In check the
    /// king's move back closes the loop, and is the best there is as long as these moves lie behind.
    #[test]
    fn the_table_keeps_no_score_of_a_loop() {
        let start = Minishogi::from_fen(RuleSet::Standard, "4k/R4/5/5/4K[-] w 0 1").expect("a position");
        let mut stack = SearchStack::new(&start);
        for (ply, text) in ["a4a5", "e5e4", "a5a4"].into_iter().enumerate() {
            stack.play(ply, stack.game(ply).parse_move(text).expect(text));
        }
        let key = stack::key(stack.game(3));
        let (table, mut history, mut evaluator, mut observer) =
            (TranspositionTable::new(1 << 16), ButterflyHistory::new(), Even, || true);
        let limit = NodeLimit { most: u64::MAX, helpers: &AtomicU64::new(0) };
        let mut worker = Worker::new(&mut stack, &table, &mut history, &mut evaluator, &mut observer, limit);
        assert_eq!(worker.quiescence(3, 0, SearchWindow::OPEN), LOOP);
        assert_eq!(table.probe(key), None, "what the captures have found");

        // The root stores by the same function.
        for score in [LOOP, -LOOP, LOOP + 100] {
            worker.store(key, 0, 5, SearchWindow::OPEN, &BestSoFar { score, mv: None, raised: true });
            assert_eq!(table.probe(key), None, "{score}");
        }
        worker.store(key, 0, 5, SearchWindow::OPEN, &BestSoFar { score: LOOP - 1, mv: None, raised: true });
        assert!(table.probe(key).is_some());
    }
}
