//! Drives the tree search: looks at it every now and then, and reports what has changed.

use std::time::{Duration, Instant};

use super::{info_reporter::InfoReporter, request::SearchMode};
use crate::{
    games::{encode::Encode, rules::Game},
    net::{AnyEvaluator, PlayConfig},
    protocol::{Info, InfoScore, MateAnswer},
    search::{BestMoveStats, Certain, GameSearch, Search, run_together},
};

/// Between two looks at a search.
const LOOK: Duration = Duration::from_millis(50);
/// A search reports at least this often.
const REPORT: Duration = Duration::from_secs(1);

/// The tree search of an engine, with what it needs to run.
pub struct TreeDriver<'a, G: Game> {
    /// The search, with the tree of the move before.
    pub search: &'a mut GameSearch<G>,
    /// One for each thread.
    pub evaluators: &'a mut [AnyEvaluator],
    /// Its settings.
    pub play: &'a PlayConfig,
}

impl<G: Encode> TreeDriver<'_, G> {
    /// Searches a little: tables that are made at their first use are made now, and not while a clock runs.
    pub fn warm_up(&mut self, start: &G) {
        self.search.forget();
        self.search.start(start, &[], start, 64);
        run_together(self.search.search_mut(), self.evaluators, self.play.batch, &|| true);
        self.search.forget();
    }

    /// The best line among `moves`, once it may be answered.
    pub fn find_move(&mut self, reporter: &mut InfoReporter<'_, G>, moves: &[G::Move]) -> Vec<G::Move> {
        let request = reporter.request;
        let nodes = request.nodes.map_or(u32::MAX, |nodes| nodes.min(u32::MAX.into()) as u32);
        let depth = request.depth.map_or(u32::MAX, |depth| (1 << depth.min(31)) - 1);
        let limit = if request.hurries(moves.len()) { 1 } else { nodes.min(depth) };
        self.start(reporter, moves, limit);
        self.follow(reporter);
        let mut lines = self.report(reporter);
        if request.move_stats {
            self.report_moves(reporter);
        }
        lines.swap_remove(0)
    }

    /// Looks for a mate within `limit`, as USI asks for one, and answers.
    pub fn find_mate(&mut self, reporter: &InfoReporter<'_, G>, moves: &[G::Move], limit: Option<Duration>) {
        self.start(reporter, moves, u32::MAX);
        self.search_until(limit.map(|limit| reporter.began + limit), SearchMode::Normal, reporter);
        let best = self.search.search().variations(1).swap_remove(0);
        let answer = match best.certain {
            Some(Certain::Win(_)) => {
                MateAnswer::Moves(best.moves.iter().map(|&mv| reporter.write(mv)).collect())
            }
            Some(Certain::Draw | Certain::Loss(_)) => MateAnswer::NoMate,
            None => MateAnswer::Timeout,
        };
        reporter.output.say(&answer.write());
    }

    /// Begins a search among `moves`.
    fn start(&mut self, reporter: &InfoReporter<'_, G>, moves: &[G::Move], simulations: u32) {
        let line = reporter.line;
        let mut legal = Vec::new();
        line.game.legal_moves(&mut legal);
        self.search.search_mut().restrict(if moves.len() == legal.len() { &[] } else { moves });
        self.search.start(&line.start, &line.moves, &line.game, simulations);
    }

    /// Searches until then, or until the search is over, stopped, or hit while it ponders.
    fn search_until(&mut self, until: Option<Instant>, mode: SearchMode, reporter: &InfoReporter<'_, G>) {
        let control = reporter.control;
        let goes_on = || {
            let is_ended = control.is_stopped() || mode == SearchMode::Ponder && control.is_hit();
            !is_ended && until.is_none_or(|until| Instant::now() < until)
        };
        run_together(self.search.search_mut(), self.evaluators, self.play.batch, &goes_on);
    }

    /// Searches, and reports how it goes, until the answer is to be given.
    fn follow(&mut self, reporter: &mut InfoReporter<'_, G>) {
        // Simulations that were done before time began to run.
        let mut before = 0;
        // When something was reported last, and what: the depth and the move.
        let mut reported: Option<(Instant, u32, G::Move)> = None;
        loop {
            self.search_until(Some(next_look(reporter)), reporter.mode, reporter);
            if reporter.control.is_stopped() {
                return;
            }
            let simulations = self.search.search().simulations();
            if reporter.take_ponder_hit() {
                before = simulations;
            }
            if self.search.search().is_over() {
                if reporter.mode != SearchMode::Normal {
                    self.report(reporter);
                }
                return reporter.control.wait(reporter.mode);
            }
            if has_had_its_time(reporter, self.search.search(), before) {
                return;
            }
            let (depth, best) = (depth(simulations), self.search.search().best_move());
            let is_news = |&(at, old, mv): &(Instant, u32, G::Move)| {
                (old, mv) != (depth, best) || Instant::now() > at + REPORT
            };
            if reported.as_ref().is_none_or(is_news) {
                reported = Some((Instant::now(), depth, best));
                self.report(reporter);
            }
        }
    }

    /// Reports what is known, and returns the lines of it.
    fn report(&self, reporter: &InfoReporter<'_, G>) -> Vec<Vec<G::Move>> {
        let search = self.search.search();
        let variations = search.variations(reporter.request.multipv);
        let (nodes, memory) = (search.simulations(), (self.play.memory as usize) << 10);
        for (line, place) in variations.iter().zip(1..) {
            let info = Info {
                depth: depth(nodes),
                seldepth: search.deepest(),
                nodes: nodes.into(),
                hashfull: (1000 * (search.bytes() >> 10) / memory).min(1000) as u32,
                ..reporter.info()
            };
            reporter.report_line(info, place, &line.moves, InfoScore::of(line), line.wdl);
        }
        variations.into_iter().map(|variation| variation.moves).collect()
    }

    fn report_moves(&self, reporter: &InfoReporter<'_, G>) {
        let mut moves: Vec<_> = self.search.search().root_moves().collect();
        moves.sort_by_key(|mv| mv.visits);
        for mv in moves {
            let text = reporter.write(mv.mv);
            let q = mv.q.map_or("-".to_owned(), |q| format!("{q:.4}"));
            let (visits, prior) = (mv.visits, 100.0 * mv.prior);
            reporter.output.say(&format!("info string {text} N: {visits} P: {prior:.2}% Q: {q}"));
        }
    }
}

/// The simulations of a search as a depth: what an even tree of two moves would need them for.
fn depth(simulations: u32) -> u32 {
    simulations.saturating_add(1).ilog2()
}

/// When to look at the search next.
fn next_look<G: Game>(reporter: &InfoReporter<'_, G>) -> Instant {
    let look = Instant::now() + LOOK;
    match reporter.time.next_check(reporter.began.elapsed()) {
        Some(check) if reporter.mode == SearchMode::Normal => look.min(reporter.began + check),
        _ => look,
    }
}

/// Whether time ends `search`, which had done `before` simulations when it began to run.
fn has_had_its_time<G: Game>(reporter: &mut InfoReporter<'_, G>, search: &Search<G>, before: u32) -> bool {
    let elapsed = reporter.began.elapsed();
    let stats = search.best_move_stats();
    let stats = BestMoveStats { simulations: stats.simulations - before, ..stats };
    reporter.mode == SearchMode::Normal && !reporter.time.goes_on_with(elapsed, &stats)
}
