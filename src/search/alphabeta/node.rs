//! The search of a node: principal variation search with reductions by rank.

use super::{
    Listener,
    line::{self, Line, Which, bits},
    order::{Candidate, History, bring_best},
    reduce::{self, Care, Late, Trend},
    score::{self, CERTAIN, Score, WIN},
    table::{Bound, Entry, Table},
};
use crate::{
    games::rules::{Game, Move},
    search::Evaluator,
};

/// More than any score.
pub const INFINITE: Score = WIN + 1;

/// What a thread searches with, for as long as a search lasts.
pub struct Worker<'a, G: Game, E> {
    pub line: &'a mut Line<G>,
    pub table: &'a Table,
    pub history: &'a mut History,
    pub evaluator: &'a mut E,
    pub listener: &'a mut dyn Listener<G::Move>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many of them there may be.
    most_nodes: u64,
    /// Plies of the longest line looked at.
    pub deepest: usize,
    /// Legal moves of the root.
    pub legal_moves: usize,
    /// Whether what is under way is to be thrown away.
    pub stopped: bool,
    /// The depth of the iteration under way.
    pub depth: i32,
}

/// Between which scores a search has to be exact.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: Score,
    /// What the opponent does not allow to be passed.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Only asks whether a score is more than `alpha`.
    pub fn above(alpha: Score) -> Self {
        Window { alpha, beta: alpha + 1 }
    }

    /// The opponent's view.
    pub fn flip(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether it only asks whether a score is more.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// The best so far among the moves of a node.
pub struct Best<M> {
    pub score: Score,
    pub mv: Option<M>,
    /// Whether `mv` has raised alpha.
    pub raised: bool,
}

/// A node whose moves are tried.
struct Node<M> {
    ply: usize,
    depth: i32,
    window: Window,
    trend: Trend,
    best: Best<M>,
}

/// How many nodes pass between two looks at the clock. A node takes one or two microseconds with a sparse net.
pub const NODES_A_LOOK: u64 = 16;

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// At the root of `line`, before its moves are known.
    pub fn new(
        line: &'a mut Line<G>,
        table: &'a Table,
        history: &'a mut History,
        evaluator: &'a mut E,
        listener: &'a mut dyn Listener<G::Move>,
        most_nodes: u64,
    ) -> Self {
        let (nodes, deepest, legal_moves, stopped, depth) = (0, 0, 0, false, 0);
        Worker {
            line,
            table,
            history,
            evaluator,
            listener,
            nodes,
            most_nodes,
            deepest,
            legal_moves,
            stopped,
            depth,
        }
    }

    /// Counts a node so many plies deep. Whether the search is to stop.
    pub fn count_node(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        let looks = self.nodes.is_multiple_of(NODES_A_LOOK);
        self.stopped |= self.nodes >= self.most_nodes || looks && !self.listener.goes_on();
        self.stopped
    }

    /// The score of the position at `ply` after a search of so many plies; means nothing once `stopped`.
    pub fn search(&mut self, ply: usize, depth: i32, window: Window) -> Score {
        if let Some(score) = self.line.by_rule(ply) {
            self.nodes += 1;
            return score;
        }
        let check = self.line.game(ply).is_check();
        let depth = if check && (ply as i32) < 2 * self.depth { depth.max(0) + 1 } else { depth };
        if depth <= 0 || ply >= Line::<G>::LONGEST {
            return self.settle(ply, 0, window);
        }
        if self.count_node(ply) {
            return 0;
        }
        // Nothing here can be better than a win at once, nor worse than a loss at the next ply.
        let window = Window {
            alpha: window.alpha.max(ply as Score - WIN),
            beta: window.beta.min(WIN - 1 - ply as Score),
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let key = line::key(self.line.game(ply));
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| window.is_null() && i32::from(entry.depth) >= depth) {
            let score = score::from_table(entry.score.into(), ply);
            if entry.settles(score, window.alpha, window.beta) {
                return score;
            }
        }
        let opinion = (!check).then(|| self.opinion(ply, known));
        self.line.at(ply).opinion = opinion;
        if let Some(score) = opinion.and_then(|opinion| self.without_moves(ply, depth, window, opinion)) {
            return score;
        }
        if self.stopped {
            return 0;
        }
        let best = self.try_moves(ply, depth, window, known.map(|entry| entry.mv));
        if !self.stopped {
            self.remember(key, ply, depth, window, &best);
        }
        best.score
    }

    /// What the evaluator thinks, or has thought, of the position.
    pub fn opinion(&mut self, ply: usize, known: Option<Entry>) -> Score {
        match known.map(|entry| entry.opinion) {
            Some(opinion) if opinion != Entry::NO_OPINION => opinion.into(),
            _ => self.line.ask_opinion(ply, self.evaluator),
        }
    }

    /// The score of a node whose moves need not be tried, because it is too good or too bad.
    fn without_moves(&mut self, ply: usize, depth: i32, window: Window, opinion: Score) -> Option<Score> {
        let Window { alpha, beta } = window;
        if !window.is_null() || beta.abs() >= CERTAIN {
            return None;
        }
        let margin = reduce::futile_margin(depth, self.trend(ply));
        if depth <= reduce::FUTILE_DEPTH && opinion - margin >= beta {
            return Some((opinion + beta) / 2);
        }
        if depth <= reduce::HOPELESS_DEPTH && opinion + reduce::hopeless_margin(depth) <= alpha {
            let score = self.settle(ply, 0, window);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        let skipped = ply > 0 && self.line.at(ply - 1).played.is_none();
        if depth >= reduce::SKIP_DEPTH && opinion >= beta && !skipped && self.line.skip(ply) {
            let depth = depth - reduce::by_skipping(depth, opinion - beta);
            let score = -self.search(ply + 1, depth, Window::above(beta - 1).flip());
            if score >= beta && !self.stopped {
                return Some(if score >= CERTAIN { beta } else { score });
            }
        }
        None
    }

    /// Whether the side to move stands better than at its last turn.
    fn trend(&mut self, ply: usize) -> Trend {
        let earlier = if ply >= 2 { self.line.at(ply - 2).opinion } else { None };
        match (earlier, self.line.at(ply).opinion) {
            (Some(earlier), Some(now)) if now > earlier => Trend::Rising,
            _ => Trend::Falling,
        }
    }

    /// Tries the moves: the table's, then the others as they rank.
    fn try_moves(&mut self, ply: usize, depth: i32, window: Window, known: Option<u16>) -> Best<G::Move> {
        let mut node = Node { ply, depth, window, trend: self.trend(ply), best: Best::NONE };
        self.line.list_moves(ply, Which::All);
        let candidates = &self.line.at(ply).candidates;
        let known = candidates.iter().copied().find(|candidate| Some(candidate.mv.bits()) == known);
        // It often cuts off before the policy has to be asked.
        if let Some(candidate) = known {
            let cut = self.try_move(&mut node, candidate, 0);
            if cut {
                self.reward(&node, &[], candidate);
            }
            if cut || self.stopped {
                return node.best;
            }
        }
        self.rank(ply);
        let mut candidates = self.line.take_candidates(ply);
        if let Some(known) = known {
            let at = candidates.iter().position(|candidate| candidate.mv == known.mv).unwrap_or(0);
            candidates.swap(0, at);
        }
        for place in usize::from(known.is_some())..candidates.len() {
            bring_best(&mut candidates, place);
            let candidate = candidates[place];
            if self.try_move(&mut node, candidate, place) {
                self.reward(&node, &candidates[..place], candidate);
                break;
            }
            if self.stopped {
                break;
            }
        }
        self.line.give_back(ply, candidates);
        node.best
    }

    /// Ranks the moves that were listed.
    pub fn rank(&mut self, ply: usize) {
        self.line.ask_policy(ply, self.evaluator);
        let side = self.line.game(ply).side_to_move();
        let frame = self.line.at(ply);
        for candidate in &mut frame.candidates {
            candidate.rank += self.history.nats(side, candidate.mv, frame.killers);
        }
    }

    /// Tries a move, unless it is not worth it. Whether it has cut off.
    fn try_move(&mut self, node: &mut Node<G::Move>, candidate: Candidate<G::Move>, place: usize) -> bool {
        let &mut Node { ply, depth, window, trend, .. } = node;
        let late = Late { depth, place, rank: candidate.rank, trend };
        let opinion = self.line.at(ply).opinion;
        let may_spare = place > 0 && !candidate.forces && node.best.score > -CERTAIN;
        let spares = opinion.filter(|_| may_spare).is_some_and(|opinion| {
            late.is_too_late()
                || depth <= reduce::FUTILE_DEPTH && opinion + reduce::hope(depth) <= window.alpha
        });
        if spares && depth <= reduce::BLIND_DEPTH {
            return false;
        }
        self.line.play(ply, candidate.mv);
        let gives_check = self.line.game(ply + 1).is_check();
        if spares && !gives_check {
            return false;
        }
        let score = if place == 0 {
            -self.search(ply + 1, depth - 1, window.flip())
        } else {
            let forcing = (gives_check || candidate.forces).then_some(Care::Forcing);
            self.search_late(ply, window, &late, forcing)
        };
        !self.stopped && node.best.see(score, candidate.mv, &mut node.window)
    }

    /// The score of a late move that was played at `ply`: first whether it is better at all, looked at less, then
    /// by how much.
    pub fn search_late(&mut self, ply: usize, window: Window, late: &Late, forcing: Option<Care>) -> Score {
        let exact = (!window.is_null()).then_some(Care::Exact);
        let full = late.depth - 1;
        let reduced = full - late.shortening(exact.into_iter().chain(forcing));
        let probe = Window::above(window.alpha).flip();
        let mut score = -self.search(ply + 1, reduced, probe);
        if score > window.alpha && reduced < full && !self.stopped {
            score = -self.search(ply + 1, full, probe);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = -self.search(ply + 1, full, window.flip());
        }
        score
    }

    /// `candidate` has cut off, those `before` it have not.
    fn reward(&mut self, node: &Node<G::Move>, before: &[Candidate<G::Move>], candidate: Candidate<G::Move>) {
        let side = self.line.game(node.ply).side_to_move();
        before.iter().for_each(|other| self.history.blame(side, other.mv, node.depth));
        self.history.praise(side, candidate.mv, node.depth);
        let killers = &mut self.line.at(node.ply).killers;
        if !candidate.forces && killers[0] != Some(candidate.mv) {
            *killers = [Some(candidate.mv), killers[0]];
        }
    }

    /// Keeps what was found in the table, unless it hangs on a [loop](score::is_of_loop).
    pub fn remember(&mut self, key: u64, ply: usize, depth: i32, window: Window, best: &Best<G::Move>) {
        if score::is_of_loop(best.score) {
            return;
        }
        let bound = match best.score {
            score if score >= window.beta => Bound::Lower,
            _ if best.raised => Bound::Exact,
            _ => Bound::Upper,
        };
        let opinion = self.line.at(ply).opinion;
        self.table.put(
            key,
            Entry {
                mv: if bound == Bound::Upper { Entry::NO_MOVE } else { bits(best.mv) },
                score: score::to_table(best.score, ply) as i16,
                opinion: opinion.map_or(Entry::NO_OPINION, |opinion| opinion as i16),
                depth: depth.clamp(0, 255) as u8,
                bound,
            },
        );
    }
}

impl<M> Best<M> {
    /// Before any move was tried.
    pub const NONE: Best<M> = Best { score: -INFINITE, mv: None, raised: false };

    /// Takes note of a move's score. Whether it has cut off.
    pub fn see(&mut self, score: Score, mv: M, window: &mut Window) -> bool {
        if score > self.score {
            self.score = score;
            if score > window.alpha {
                self.mv = Some(mv);
                self.raised = true;
                window.alpha = score;
            }
        }
        score >= window.beta
    }
}
