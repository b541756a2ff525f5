//! The root: iterative deepening, with windows around the last score.

use super::{
    Found, Orders, Principal,
    line::{self, Line},
    node::{Best, INFINITE, Window, Worker},
    order::Candidate,
    reduce::{Late, Trend},
    score::{self, CERTAIN, Score, WIN},
    table::Entry,
};
use crate::{
    games::rules::{Game, Move, Verdict},
    search::Evaluator,
};

/// Half the first window around the last score.
const ASPIRATION: Score = 40;
/// The first iteration with a window around the last score.
const ASPIRING_DEPTH: i32 = 4;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Searches `moves` of the root, which the policy has sorted, ever deeper.
    pub fn deepen(
        &mut self,
        moves: &mut [Candidate<G::Move>],
        orders: &Orders<'_, G::Move>,
        begin: u32,
    ) -> Found<G::Move> {
        let first = Principal { moves: vec![moves[0].mv], q: 0.0, end: None };
        let mut found = Found { lines: vec![first], depth: 0, deepest: 0, nodes: 0, fullness: 0 };
        if let Some(win) = self.win_at_once(moves) {
            found.lines = vec![Principal { moves: vec![win], q: 1.0, end: Some(1) }];
            if orders.lines == 1 {
                found = Found { depth: 1, deepest: 1, nodes: moves.len() as u64, ..found };
                self.listener.hear(&found);
                return found;
            }
        }
        let wanted = orders.lines.clamp(1, moves.len());
        let mut last = vec![0; wanted];
        for depth in begin..=orders.depth.min(Line::<G>::LONGEST as u32 - 1) {
            self.depth = depth as i32;
            let lines = self.search_lines(&mut last, moves);
            self.account(&mut found, lines, wanted);
            if self.stopped {
                break;
            }
            found.depth = depth;
            self.listener.hear(&found);
            if found.lines.iter().all(|line| line.end.is_some_and(|end| end <= depth)) {
                break;
            }
        }
        found
    }

    /// An iteration: a line for each of the `last` scores, as far as there is time, the best first.
    fn search_lines(
        &mut self,
        last: &mut [Score],
        moves: &mut [Candidate<G::Move>],
    ) -> Vec<Principal<G::Move>> {
        let mut lines = Vec::new();
        for place in 0..last.len() {
            let best = self.aspire(self.depth, last[place], &mut moves[place..]);
            let Some(mv) = best.mv else { break };
            last[place] = best.score;
            let (q, end) = (score::to_q(best.score), end(best.score));
            lines.push(Principal { moves: self.expected(mv), q, end });
            if self.stopped {
                break;
            }
        }
        // Later lines are told in the order in which they were found, and may turn out to be better.
        lines.sort_by(|a, b| b.q.total_cmp(&a.q));
        lines
    }

    /// Adds what an iteration has found: where it is not whole, the lines of the one before stay behind it.
    fn account(&self, found: &mut Found<G::Move>, lines: Vec<Principal<G::Move>>, wanted: usize) {
        let older = std::mem::replace(&mut found.lines, lines);
        for line in older {
            if found.lines.len() < wanted && found.lines.iter().all(|other| other.moves[0] != line.moves[0]) {
                found.lines.push(line);
            }
        }
        (found.nodes, found.deepest) = (self.nodes, self.deepest);
        found.fullness = self.table.fullness();
    }

    /// The move, and what the table expects behind it.
    fn expected(&self, mv: G::Move) -> Vec<G::Move> {
        let mut game = self.line.game(0).clone();
        let (mut expected, mut legal) = (vec![mv], Vec::new());
        game.play(mv);
        while expected.len() < self.depth as usize && game.outcome_or_declaration().is_none() {
            let Some(entry) = self.table.get(line::key(&game)).filter(|entry| entry.mv != Entry::NO_MOVE)
            else {
                break;
            };
            legal.clear();
            game.legal_moves(&mut legal);
            let Some(&mv) = legal.iter().find(|mv| mv.bits() == entry.mv) else { break };
            expected.push(mv);
            game.play(mv);
        }
        expected
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
        // Of a part of the moves only they can tell.
        if moves.len() == self.legal_moves {
            let key = line::key(self.line.game(0));
            self.remember(key, 0, depth, asked, &best);
        }
        best
    }
}

/// Plies to the end that a score is certain of.
fn end(score: Score) -> Option<u32> {
    (score.abs() >= CERTAIN).then(|| (WIN - score.abs()) as u32)
}
