//! The root: iterative deepening, with windows around the last score.

use super::{
    AlphaBeta, Found,
    line::{Line, Which},
    node::{Best, INFINITE, Window, Worker},
    order::Candidate,
    reduce::{Late, Trend},
    score::{self, CERTAIN, Score, WIN},
};
use crate::{
    rules::{Game, Verdict},
    search::Evaluator,
};

/// Half the first window around the last score.
const ASPIRATION: Score = 40;
/// The first iteration with a window around the last score.
const ASPIRING_DEPTH: i32 = 4;

impl<G: Game> AlphaBeta<G> {
    /// Searches `root` until `goes_on` says no, so many nodes were looked at, or nothing can change any more.
    ///
    /// # Panics
    /// When the game is over.
    pub fn search(
        &mut self,
        root: &G,
        nodes: u64,
        evaluator: &mut impl Evaluator<G>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Found<G::Move> {
        let line = match &mut self.line {
            Some(line) => {
                line.start(root);
                line
            }
            line => line.insert(Line::new(root)),
        };
        self.table.begin();
        self.history.fade();
        let mut worker = Worker {
            line,
            table: &mut self.table,
            history: &mut self.history,
            evaluator,
            goes_on,
            nodes: 0,
            most_nodes: nodes,
            stopped: false,
            depth: 0,
        };
        worker.line.list_moves(0, Which::All);
        worker.rank(0);
        let mut moves = worker.line.take_candidates(0);
        assert!(!moves.is_empty(), "a search of a finished game");
        moves.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        let found = worker.deepen(&mut moves);
        worker.line.give_back(0, moves);
        found
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    fn deepen(&mut self, moves: &mut [Candidate<G::Move>]) -> Found<G::Move> {
        let mut found = Found { mv: moves[0].mv, q: 0.0, end: None, depth: 0, nodes: 0 };
        if let Some(win) = self.win_at_once(moves) {
            return Found { mv: win, q: 1.0, end: Some(1), depth: 1, nodes: moves.len() as u64 };
        }
        let mut last = 0;
        for depth in 1..Line::<G>::LONGEST as i32 {
            self.depth = depth;
            let best = self.aspire(depth, last, moves);
            if let Some(mv) = best.mv {
                found = Found { mv, q: score::to_q(best.score), end: end(best.score), ..found };
                last = best.score;
            }
            found.nodes = self.nodes;
            if self.stopped {
                break;
            }
            found.depth = depth as u32;
            let is_settled = found.end.is_some_and(|end| end <= found.depth) || moves.len() == 1;
            if is_settled {
                break;
            }
        }
        found
    }

    /// A move that wins before the opponent answers.
    fn win_at_once(&mut self, moves: &[Candidate<G::Move>]) -> Option<G::Move> {
        let side = self.line.game(0).side_to_move();
        moves.iter().map(|candidate| candidate.mv).find(|&mv| {
            self.line.play(0, mv);
            let outcome = self.line.game(1).outcome();
            outcome.is_some_and(|outcome| outcome.verdict == Verdict::Win(side))
        })
    }

    /// An iteration, in windows that grow until the score lies inside.
    fn aspire(&mut self, depth: i32, last: Score, moves: &mut [Candidate<G::Move>]) -> Best<G::Move> {
        let mut half = if depth < ASPIRING_DEPTH || last.abs() >= CERTAIN { INFINITE } else { ASPIRATION };
        let around = |score: Score, half: Score| Window {
            alpha: (score - half).max(-INFINITE),
            beta: (score + half).min(INFINITE),
        };
        let mut window = around(last, half);
        let mut high = Best::NONE;
        loop {
            let best = self.search_root(depth, window, moves);
            if self.stopped {
                return if best.mv.is_some() { best } else { high };
            }
            half = (half * 3).min(INFINITE);
            if best.score <= window.alpha {
                window.alpha = (best.score - half).max(-INFINITE);
            } else if best.score >= window.beta {
                window.beta = (best.score + half).min(INFINITE);
                high = best;
            } else {
                return best;
            }
            if half > 2_000 {
                window = Window::OPEN;
            }
        }
    }

    /// Searches the moves of the root, the last best first, in a window. Stopped, it gives the best that was found
    /// until then, if the first move was searched.
    fn search_root(&mut self, depth: i32, asked: Window, moves: &mut [Candidate<G::Move>]) -> Best<G::Move> {
        let mut window = asked;
        let mut best = Best::NONE;
        self.line.at(0).opinion = None;
        for place in 0..moves.len() {
            let Candidate { mv, rank, .. } = moves[place];
            self.line.play(0, mv);
            let score = if place == 0 {
                -self.search(1, depth - 1, window.flip())
            } else {
                let late = Late { depth, place, rank, trend: Trend::Falling };
                self.search_late(0, window, &late, None)
            };
            if self.stopped {
                return best;
            }
            let raised = score > window.alpha;
            let cut = best.see(score, mv, &mut window);
            if raised {
                moves[..=place].rotate_right(1);
            }
            if cut {
                break;
            }
        }
        let key = self.line.key(0);
        self.remember(key, 0, depth, asked, &best);
        best
    }
}

/// Plies to the end that a score is certain of.
fn end(score: Score) -> Option<u32> {
    (score.abs() >= CERTAIN).then(|| (WIN - score.abs()) as u32)
}
