//! Principal variation search: the search of a node, with pruning and reductions.

use std::sync::atomic::Ordering::Relaxed;

use super::{
    NodeLimit, SearchObserver,
    move_ordering::{ButterflyHistory, ScoredMove, pick_best},
    pruning::{self, Improving},
    reductions::LmrContext,
    score::{self, CERTAIN, SearchScore, WIN},
    stack::{self, MoveFilter, SearchStack, bits},
    transposition::{Bound, TableEntry, TranspositionTable},
    window::{INFINITE, SearchWindow},
};
use crate::{
    games::rules::{Game, Move},
    search::Evaluator,
};

/// A thread that searches, and what it searches with.
pub struct Worker<'a, G: Game, E> {
    pub stack: &'a mut SearchStack<G>,
    pub table: &'a TranspositionTable,
    pub history: &'a mut ButterflyHistory,
    pub evaluator: &'a mut E,
    pub observer: &'a mut dyn SearchObserver<G::Move>,
    /// Positions looked at.
    pub nodes: u64,
    /// The search ends after this many.
    limit: NodeLimit<'a>,
    /// Plies of the longest line looked at.
    pub deepest: usize,
    /// Legal moves of the root.
    pub legal_moves: usize,
    /// Whether the search was stopped. What a node returns then means nothing.
    pub stopped: bool,
    /// The depth of the iteration under way.
    pub depth: i32,
}

/// The best so far among the moves of a node.
pub struct BestSoFar<M> {
    pub score: SearchScore,
    pub mv: Option<M>,
    /// Whether `mv` has raised alpha.
    pub raised: bool,
}

/// A node whose moves are searched.
struct Node<M> {
    ply: usize,
    depth: i32,
    window: SearchWindow,
    improving: Improving,
    best: BestSoFar<M>,
}

/// Nodes between two looks at the clock. A node takes one or two microseconds with a sparse net.
pub const NODES_PER_CLOCK_CHECK: u64 = 16;

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// At the root of `stack`, before its moves are known.
    pub fn new(
        stack: &'a mut SearchStack<G>,
        table: &'a TranspositionTable,
        history: &'a mut ButterflyHistory,
        evaluator: &'a mut E,
        observer: &'a mut dyn SearchObserver<G::Move>,
        limit: NodeLimit<'a>,
    ) -> Self {
        let (nodes, deepest, legal_moves, stopped, depth) = (0, 0, 0, false, 0);
        Worker {
            stack,
            table,
            history,
            evaluator,
            observer,
            nodes,
            limit,
            deepest,
            legal_moves,
            stopped,
            depth,
        }
    }

    /// Counts a node, and looks at clock and helpers now and then. Whether the search is to stop.
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        let looks = self.nodes.is_multiple_of(NODES_PER_CLOCK_CHECK);
        self.stopped |= self.nodes >= self.limit.most || looks && !self.keeps_going();
        self.stopped
    }

    fn keeps_going(&mut self) -> bool {
        self.nodes + self.limit.helpers.load(Relaxed) < self.limit.most && self.observer.keep_going()
    }

    /// The score that the rules give the position at `ply` ([`SearchStack::score_by_rule`]). Every line is this long at
    /// least, whether they give one or not.
    pub fn score_by_rule(&mut self, ply: usize) -> Option<SearchScore> {
        self.deepest = self.deepest.max(ply);
        self.stack.score_by_rule(ply)
    }

    /// The score of the position at `ply`, searched `depth` plies deep. It means nothing once `stopped`.
    pub fn search(&mut self, ply: usize, depth: i32, window: SearchWindow) -> SearchScore {
        if let Some(score) = self.score_by_rule(ply) {
            self.nodes += 1;
            return score;
        }
        let in_check = self.stack.game(ply).is_check();
        let depth = if in_check && (ply as i32) < 2 * self.depth { depth.max(0) + 1 } else { depth };
        if depth <= 0 || ply >= SearchStack::<G>::MAX_PLY {
            return self.quiescence(ply, 0, window);
        }
        if self.count_node() {
            return 0;
        }
        // Nothing here can be better than a win at once, nor worse than a loss at the next ply.
        let window = SearchWindow {
            alpha: window.alpha.max(ply as SearchScore - WIN),
            beta: window.beta.min(WIN - 1 - ply as SearchScore),
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let key = stack::key(self.stack.game(ply));
        let known = self.table.probe(key);
        if let Some(entry) = known.filter(|entry| window.is_null() && i32::from(entry.depth) >= depth) {
            let score = score::from_table(entry.score.into(), ply);
            if entry.allows_cutoff(score, window.alpha, window.beta) {
                return score;
            }
        }
        let static_eval = (!in_check).then(|| self.static_eval(ply, known));
        self.stack.at(ply).static_eval = static_eval;
        if let Some(score) =
            static_eval.and_then(|static_eval| self.prune_node(ply, depth, window, static_eval))
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        let best = self.search_moves(ply, depth, window, known.map(|entry| entry.mv));
        if !self.stopped {
            self.store(key, ply, depth, window, &best);
        }
        best.score
    }

    /// What the evaluator says of the position, from the table where that has it.
    pub fn static_eval(&mut self, ply: usize, known: Option<TableEntry>) -> SearchScore {
        match known.map(|entry| entry.static_eval) {
            Some(static_eval) if static_eval != TableEntry::NO_EVAL => static_eval.into(),
            _ => self.stack.evaluate(ply, self.evaluator),
        }
    }

    /// The score of a node whose moves need not be searched: reverse futility pruning, razoring and null move.
    fn prune_node(
        &mut self,
        ply: usize,
        depth: i32,
        window: SearchWindow,
        static_eval: SearchScore,
    ) -> Option<SearchScore> {
        let SearchWindow { alpha, beta } = window;
        if !window.is_null() || beta.abs() >= CERTAIN {
            return None;
        }
        let margin = pruning::rfp_margin(depth, self.improving(ply));
        if depth <= pruning::RFP_DEPTH && static_eval - margin >= beta {
            return Some((static_eval + beta) / 2);
        }
        if depth <= pruning::RAZORING_DEPTH && static_eval + pruning::razoring_margin(depth) <= alpha {
            let score = self.quiescence(ply, 0, window);
            if score <= alpha || self.stopped {
                return Some(score);
            }
        }
        let after_null_move = ply > 0 && self.stack.at(ply - 1).played.is_none();
        if depth >= pruning::NULL_MOVE_DEPTH
            && static_eval >= beta
            && !after_null_move
            && self.stack.null_move(ply)
        {
            let depth = depth - pruning::null_move_reduction(depth, static_eval - beta);
            let score = -self.search(ply + 1, depth, SearchWindow::above(beta - 1).flip());
            if score >= beta && !self.stopped {
                return Some(if score >= CERTAIN { beta } else { score });
            }
        }
        None
    }

    /// Whether the static evaluation has risen since the last turn of the side to move.
    fn improving(&mut self, ply: usize) -> Improving {
        let earlier = if ply >= 2 { self.stack.at(ply - 2).static_eval } else { None };
        match (earlier, self.stack.at(ply).static_eval) {
            (Some(earlier), Some(now)) if now > earlier => Improving::Yes,
            _ => Improving::No,
        }
    }

    /// Searches the moves: the table's first, then the others by rank.
    fn search_moves(
        &mut self,
        ply: usize,
        depth: i32,
        window: SearchWindow,
        table_move: Option<u16>,
    ) -> BestSoFar<G::Move> {
        let mut node = Node { ply, depth, window, improving: self.improving(ply), best: BestSoFar::NONE };
        self.stack.list_moves(ply, MoveFilter::All);
        let candidates = &self.stack.at(ply).candidates;
        let known = candidates.iter().copied().find(|candidate| Some(candidate.mv.bits()) == table_move);
        // It often cuts off before the policy has to be asked.
        if let Some(candidate) = known {
            let cut = self.search_move(&mut node, candidate, 0);
            if cut {
                self.update_history(&node, &[], candidate);
            }
            if cut || self.stopped {
                return node.best;
            }
        }
        self.rank(ply);
        let mut candidates = self.stack.take_candidates(ply);
        if let Some(known) = known {
            let at = candidates.iter().position(|candidate| candidate.mv == known.mv).unwrap_or(0);
            candidates.swap(0, at);
        }
        for place in usize::from(known.is_some())..candidates.len() {
            pick_best(&mut candidates, place);
            let candidate = candidates[place];
            if self.search_move(&mut node, candidate, place) {
                self.update_history(&node, &candidates[..place], candidate);
                break;
            }
            if self.stopped {
                break;
            }
        }
        self.stack.put_back(ply, candidates);
        node.best
    }

    /// Ranks the moves that were listed: by the policy, and by history and killers.
    pub fn rank(&mut self, ply: usize) {
        self.stack.ask_policy(ply, self.evaluator);
        let side = self.stack.game(ply).side_to_move();
        let entry = self.stack.at(ply);
        for candidate in &mut entry.candidates {
            candidate.rank += self.history.nats(side, candidate.mv, entry.killers);
        }
    }

    /// Searches a move, unless it is pruned. Whether it caused a cutoff.
    fn search_move(
        &mut self,
        node: &mut Node<G::Move>,
        candidate: ScoredMove<G::Move>,
        place: usize,
    ) -> bool {
        let &mut Node { ply, depth, window, improving, .. } = node;
        let rank = candidate.rank;
        let is_pv = !window.is_null();
        let late =
            LmrContext { depth, searched: place, rank, improving, is_pv, is_forcing: candidate.forces };
        let static_eval = self.stack.at(ply).static_eval;
        let may_prune = place > 0 && !candidate.forces && node.best.score > -CERTAIN;
        let prunable = static_eval.filter(|_| may_prune).is_some_and(|static_eval| {
            late.is_late_move_pruned()
                || depth <= pruning::FUTILITY_DEPTH
                    && static_eval + pruning::futility_margin(depth) <= window.alpha
        });
        if prunable && depth <= pruning::PRUNED_CHECKS_DEPTH {
            return false;
        }
        self.stack.play(ply, candidate.mv);
        let gives_check = self.stack.game(ply + 1).is_check();
        if prunable && !gives_check {
            return false;
        }
        let score = if place == 0 {
            -self.search(ply + 1, depth - 1, window.flip())
        } else {
            let late = LmrContext { is_forcing: gives_check || candidate.forces, ..late };
            self.search_reduced(ply, window, &late)
        };
        !self.stopped && node.best.see(score, candidate.mv, &mut node.window)
    }

    /// The score of a late move that was played at `ply`: searched less deeply and in a null window; where it is better
    /// than expected, again at full depth, then in the whole window.
    pub fn search_reduced(&mut self, ply: usize, window: SearchWindow, late: &LmrContext) -> SearchScore {
        let full = late.depth - 1;
        let reduced = full - late.reduction();
        let probe = SearchWindow::above(window.alpha).flip();
        let mut score = -self.search(ply + 1, reduced, probe);
        if score > window.alpha && reduced < full && !self.stopped {
            score = -self.search(ply + 1, full, probe);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = -self.search(ply + 1, full, window.flip());
        }
        score
    }

    /// `candidate` caused a cutoff, the moves `before` it did not.
    fn update_history(
        &mut self,
        node: &Node<G::Move>,
        before: &[ScoredMove<G::Move>],
        candidate: ScoredMove<G::Move>,
    ) {
        let side = self.stack.game(node.ply).side_to_move();
        before.iter().for_each(|other| self.history.add_malus(side, other.mv, node.depth));
        self.history.add_bonus(side, candidate.mv, node.depth);
        let killers = &mut self.stack.at(node.ply).killers;
        if !candidate.forces && killers[0] != Some(candidate.mv) {
            *killers = [Some(candidate.mv), killers[0]];
        }
    }

    /// Stores what was found in the table, unless it depends on a [loop](score::is_of_loop).
    pub fn store(
        &mut self,
        key: u64,
        ply: usize,
        depth: i32,
        window: SearchWindow,
        best: &BestSoFar<G::Move>,
    ) {
        if score::is_of_loop(best.score) {
            return;
        }
        let bound = match best.score {
            score if score >= window.beta => Bound::Lower,
            _ if best.raised => Bound::Exact,
            _ => Bound::Upper,
        };
        let static_eval = self.stack.at(ply).static_eval;
        self.table.store(
            key,
            TableEntry {
                mv: if bound == Bound::Upper { TableEntry::NO_MOVE } else { bits(best.mv) },
                score: score::to_table(best.score, ply) as i16,
                static_eval: static_eval.map_or(TableEntry::NO_EVAL, |static_eval| static_eval as i16),
                depth: depth.clamp(0, 255) as u8,
                bound,
            },
        );
    }
}

impl<M> BestSoFar<M> {
    /// Before any move was searched.
    pub const NONE: BestSoFar<M> = BestSoFar { score: -INFINITE, mv: None, raised: false };

    /// Takes a move's score into account. Whether it causes a cutoff.
    pub fn see(&mut self, score: SearchScore, mv: M, window: &mut SearchWindow) -> bool {
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
