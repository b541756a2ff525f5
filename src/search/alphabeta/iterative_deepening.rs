//! The root: iterative deepening, with aspiration windows around the last score.

use super::{
    PvLine, SearchLimits, SearchResult,
    move_ordering::ScoredMove,
    pruning::Improving,
    pvs::{BestSoFar, INFINITE, SearchWindow, Worker},
    reductions::LmrContext,
    score::{self, CERTAIN, SearchScore, WIN},
    stack::{self, SearchStack},
    transposition::TableEntry,
};
use crate::{
    games::rules::{Game, Move, Verdict},
    search::Evaluator,
};

/// Half the first window around the last score.
const ASPIRATION: SearchScore = 40;
/// The first iteration with a window around the last score.
const ASPIRING_DEPTH: i32 = 4;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Searches `moves` of the root, which the policy has sorted, from depth `begin` on ever deeper.
    pub fn iterative_deepening(
        &mut self,
        moves: &mut [ScoredMove<G::Move>],
        limits: &SearchLimits<'_, G::Move>,
        begin: u32,
    ) -> SearchResult<G::Move> {
        let first = PvLine { moves: vec![moves[0].mv], q: 0.0, end: None };
        let mut found = SearchResult { lines: vec![first], depth: 0, deepest: 0, nodes: 0, fullness: 0 };
        if let Some(win) = self.win_at_once(moves) {
            found.lines = vec![PvLine { moves: vec![win], q: 1.0, end: Some(1) }];
            if limits.lines == 1 {
                found = SearchResult { depth: 1, deepest: 1, nodes: moves.len() as u64, ..found };
                self.observer.depth_done(&found);
                return found;
            }
        }
        let wanted = limits.lines.clamp(1, moves.len());
        let mut last = vec![0; wanted];
        for depth in begin..=limits.depth.min(SearchStack::<G>::MAX_PLY as u32 - 1) {
            self.depth = depth as i32;
            let lines = self.search_lines(&mut last, moves);
            self.merge_lines(&mut found, lines, wanted);
            if self.stopped {
                break;
            }
            found.depth = depth;
            self.observer.depth_done(&found);
            if found.lines.iter().all(|line| line.end.is_some_and(|end| end <= depth)) {
                break;
            }
        }
        found
    }

    /// One iteration: a line for each of the `last` scores, as far as there is time, the best first.
    fn search_lines(
        &mut self,
        last: &mut [SearchScore],
        moves: &mut [ScoredMove<G::Move>],
    ) -> Vec<PvLine<G::Move>> {
        let mut lines = Vec::new();
        for place in 0..last.len() {
            let best = self.aspiration_search(self.depth, last[place], &mut moves[place..]);
            let Some(mv) = best.mv else { break };
            last[place] = best.score;
            let (q, end) = (score::to_q(best.score), end(best.score));
            lines.push(PvLine { moves: self.expected_line(mv), q, end });
            if self.stopped {
                break;
            }
        }
        // A line that was searched later may turn out to be better.
        lines.sort_by(|a, b| b.q.total_cmp(&a.q));
        lines
    }

    /// Takes the lines of an iteration into `found`. Where it did not find all, those of the iteration before follow.
    fn merge_lines(&self, found: &mut SearchResult<G::Move>, lines: Vec<PvLine<G::Move>>, wanted: usize) {
        let older = std::mem::replace(&mut found.lines, lines);
        for line in older {
            // Before the first iteration has ended the line that stands there has no score, unless it wins at once.
            let is_searched = found.depth > 0 || line.end.is_some();
            let is_new = found.lines.iter().all(|other| other.moves[0] != line.moves[0]);
            if found.lines.is_empty() || is_searched && is_new && found.lines.len() < wanted {
                found.lines.push(line);
            }
        }
        (found.nodes, found.deepest) = (self.nodes, self.deepest);
        found.fullness = self.table.fullness();
    }

    /// The move, and what the table expects behind it.
    fn expected_line(&self, mv: G::Move) -> Vec<G::Move> {
        let mut game = self.stack.game(0).clone();
        let (mut expected_line, mut legal) = (vec![mv], Vec::new());
        game.play(mv);
        while expected_line.len() < self.depth as usize && game.outcome_or_declaration().is_none() {
            let Some(entry) =
                self.table.probe(stack::key(&game)).filter(|entry| entry.mv != TableEntry::NO_MOVE)
            else {
                break;
            };
            legal.clear();
            game.legal_moves(&mut legal);
            let Some(&mv) = legal.iter().find(|mv| mv.bits() == entry.mv) else { break };
            expected_line.push(mv);
            game.play(mv);
        }
        expected_line
    }

    /// A move that wins before the opponent answers.
    fn win_at_once(&mut self, moves: &[ScoredMove<G::Move>]) -> Option<G::Move> {
        let side = self.stack.game(0).side_to_move();
        moves.iter().map(|candidate| candidate.mv).find(|&mv| {
            self.stack.play(0, mv);
            let outcome = self.stack.game(1).outcome();
            outcome.is_some_and(|outcome| outcome.verdict == Verdict::Win(side))
        })
    }

    /// One iteration, in windows that grow until the score lies inside.
    fn aspiration_search(
        &mut self,
        depth: i32,
        last: SearchScore,
        moves: &mut [ScoredMove<G::Move>],
    ) -> BestSoFar<G::Move> {
        let mut half = if depth < ASPIRING_DEPTH || last.abs() >= CERTAIN { INFINITE } else { ASPIRATION };
        let around = |score: SearchScore, half: SearchScore| SearchWindow {
            alpha: (score - half).max(-INFINITE),
            beta: (score + half).min(INFINITE),
        };
        let mut window = around(last, half);
        let mut high = BestSoFar::NONE;
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
                window = SearchWindow::OPEN;
            }
        }
    }

    /// Searches the moves of the root, the last best first, in a window. If it is stopped, it returns the best move
    /// found so far, if the first move was searched.
    fn search_root(
        &mut self,
        depth: i32,
        asked: SearchWindow,
        moves: &mut [ScoredMove<G::Move>],
    ) -> BestSoFar<G::Move> {
        let mut window = asked;
        let mut best = BestSoFar::NONE;
        self.stack.at(0).static_eval = None;
        for place in 0..moves.len() {
            let ScoredMove { mv, rank, .. } = moves[place];
            self.stack.play(0, mv);
            let score = if place == 0 {
                -self.search(1, depth - 1, window.flip())
            } else {
                let late = LmrContext {
                    depth,
                    searched: place,
                    rank,
                    improving: Improving::No,
                    is_pv: !window.is_null(),
                    is_forcing: false,
                };
                self.search_reduced(0, window, &late)
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
        // The score of some of the moves is not that of the position.
        if moves.len() == self.legal_moves {
            let key = stack::key(self.stack.game(0));
            self.store(key, 0, depth, asked, &best);
        }
        best
    }
}

/// Plies to the end that a score is certain of.
fn end(score: SearchScore) -> Option<u32> {
    (score.abs() >= CERTAIN).then(|| (WIN - score.abs()) as u32)
}
