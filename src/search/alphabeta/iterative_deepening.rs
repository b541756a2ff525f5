//! The root: iterative deepening, with aspiration windows around the last score.

use std::cmp::Reverse;

use super::{
    PvLine, SearchLimits, SearchResult,
    move_ordering::ScoredMove,
    pruning::Improving,
    pvs::{BestSoFar, Worker},
    reductions::LmrContext,
    score::{CERTAIN, SearchScore},
    stack::{self, SearchStack},
    transposition::TableEntry,
    window::{INFINITE, SearchWindow},
};
use crate::{
    games::rules::{Game, Move},
    search::{Evaluator, mate::wins_at_once},
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
        let mut found = SearchResult::of(PvLine::of(vec![moves[0].mv], 0, 0));
        let wins = wins_at_once(self.stack.game(0));
        if let Some(win) = moves.iter().find(|candidate| wins.contains(&candidate.mv)) {
            let win = SearchResult::of_win(win.mv, moves.len());
            if limits.lines == 1 {
                self.observer.depth_done(&win);
                return win;
            }
            found.lines = win.lines;
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
        if found.lines[0].depth == 0 {
            // Nothing was searched.
            let score = self.stack.evaluate(0, self.evaluator);
            found.lines = vec![PvLine::of(vec![moves[0].mv], score, 0)];
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
            lines.push(PvLine::of(self.expected_line(mv), best.score, self.depth as u32));
            if self.stopped {
                break;
            }
        }
        // A line that was searched later may turn out to be better.
        lines.sort_by_key(|line| Reverse(line.score));
        lines
    }

    /// Takes the lines of an iteration into `found`. Where it did not find all, some of the iteration before stay: the best
    /// new one is played all the same, unless a win is certain, and the others are sorted by their scores.
    fn merge_lines(&self, found: &mut SearchResult<G::Move>, lines: Vec<PvLine<G::Move>>, wanted: usize) {
        let older = std::mem::replace(&mut found.lines, lines);
        for line in older {
            // Before the first iteration the line that stands there was not searched, unless it wins at once.
            let is_searched = line.depth > 0;
            let is_new = found.lines.iter().all(|other| other.moves[0] != line.moves[0]);
            if found.lines.is_empty() || is_searched && is_new && found.lines.len() < wanted {
                found.lines.push(line);
            }
        }
        let is_won = found.lines.iter().any(|line| line.score >= CERTAIN);
        found.lines[usize::from(!is_won)..].sort_by_key(|line| Reverse(line.score));
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
