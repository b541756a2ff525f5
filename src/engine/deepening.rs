//! Alpha-beta at the desk: a line is told for every depth.

use std::time::Instant;

use super::{
    answer::Score,
    stage::{Figures, Stage, Told},
    task::{Time, Waits},
};
use crate::{
    arena::Pace,
    encode::Encode,
    net::{AnyEvaluator, PlayConfig},
    rules::Game,
    search::{
        AlphaBeta, Evaluation, Evaluator, PvLine, Query, SearchLimits, SearchObserver, SearchResult, Wdl,
    },
};

/// The search by alpha-beta, and what it remembers.
pub struct Deepening<G: Game> {
    search: AlphaBeta<G>,
}

impl<G: Encode> Deepening<G> {
    /// With the memory of `play`.
    pub fn new(play: &PlayConfig) -> Self {
        Deepening { search: AlphaBeta::new(play.memory as usize) }
    }

    /// Forgets what it has found.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// Searches a little: tables that are made at their first use are made now, and not while a clock runs.
    pub fn warm_up(&mut self, start: &G, judges: &mut [AnyEvaluator]) {
        self.search
            .search(start, &SearchLimits { depth: 3, ..SearchLimits::UNLIMITED }, judges, &mut || true);
        self.search.forget();
    }

    /// The best line among `moves`.
    pub fn find(
        &mut self,
        stage: &Stage<'_, G>,
        moves: &[G::Move],
        judges: &mut [AnyEvaluator],
    ) -> Vec<G::Move> {
        let (task, game) = (stage.task, &stage.line.game);
        // Where a clock runs, the only move needs no thought.
        let is_forced = moves.len() == 1 && task.time != Time::Free;
        let limits = SearchLimits {
            only: moves,
            lines: task.lines,
            nodes: task.nodes.unwrap_or(u64::MAX),
            depth: if is_forced { 1 } else { task.depth.unwrap_or(u32::MAX) },
        };
        let draw = if task.show_wdl { opinion(game, &mut judges[0]).draw } else { 0.0 };
        let mut ear =
            Ear { stage, draw, began: task.began, waits: task.waits, limit: Limit::None, last: None };
        ear.begin(task.time);
        let found = self.search.search(game, &limits, judges, &mut ear);
        if ear.last.as_ref() != Some(&found) {
            ear.tell(&found);
        }
        let waits = ear.waits;
        stage.control.wait(waits);
        found.lines.into_iter().next().expect("a line").moves
    }
}

/// What the net thinks of a position.
fn opinion<G: Encode>(game: &G, judge: &mut AnyEvaluator) -> Wdl {
    let mut out = Evaluation::default();
    judge.evaluate(
        &[&Query { game: game.clone(), moves: Vec::new(), policy_only: false }],
        std::slice::from_mut(&mut out),
    );
    out.wdl
}

/// When a search ends by itself.
enum Limit<M> {
    None,
    At(std::time::Duration),
    By(Pace<M>),
}

/// Hears what is found, tells it, and ends the search when its task is done.
struct Ear<'a, G: Game> {
    stage: &'a Stage<'a, G>,
    /// The share of draws that the net expects at the root.
    draw: f32,
    /// When the time began to run.
    began: Instant,
    waits: Waits,
    limit: Limit<G::Move>,
    /// What was told last.
    last: Option<SearchResult<G::Move>>,
}

impl<G: Game> Ear<'_, G> {
    /// Begins to keep `time`.
    fn begin(&mut self, time: Time) {
        self.limit = match time {
            Time::Free => Limit::None,
            Time::Fixed(time) => Limit::At(time),
            Time::Clock(allotment) => {
                let mut pace = Pace::new(allotment);
                self.last.iter().for_each(|found| pace.hear(found));
                Limit::By(pace)
            }
        };
    }

    fn tell(&mut self, found: &SearchResult<G::Move>) {
        let &SearchResult { depth, deepest, fullness, nodes, .. } = found;
        let told = |line: &PvLine<G::Move>| Told {
            moves: line.moves.clone(),
            score: Score::of_end(line.end, line.q),
            wdl: spread(line.q, self.draw),
        };
        let lines: Vec<_> = found.lines.iter().map(told).collect();
        self.stage.tell(Figures { depth, deepest, nodes, fullness }, &lines);
    }
}

impl<G: Game> SearchObserver<G::Move> for Ear<'_, G> {
    fn keep_going(&mut self) -> bool {
        let control = self.stage.control;
        if control.is_stopped() {
            return false;
        }
        if self.waits == Waits::ForHit && control.is_hit() {
            self.waits = Waits::No;
            if let Some((hit, time)) = control.time_after_hit() {
                self.began = hit;
                self.begin(time);
            }
        }
        self.waits != Waits::No
            || match &mut self.limit {
                Limit::None => true,
                Limit::At(time) => self.began.elapsed() < *time,
                Limit::By(pace) => pace.goes_on(self.began.elapsed()),
            }
    }

    fn depth_done(&mut self, found: &SearchResult<G::Move>) {
        if let Limit::By(pace) = &mut self.limit {
            pace.hear(found);
        }
        self.tell(found);
        self.last = Some(found.clone());
    }
}

/// An expected score in `-1.0..=1.0` as probabilities, with this share of draws as far as the score leaves room for it.
fn spread(q: f32, draw: f32) -> Wdl {
    let draw = draw.min(1.0 - q.abs());
    Wdl { win: (1.0 - draw + q) / 2.0, draw, loss: (1.0 - draw - q) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_have_the_score_and_sum_to_one() {
        for (q, draw) in [(0.0, 0.3), (0.5, 0.9), (-1.0, 0.2), (1.0, 0.0), (-0.3, 0.7)] {
            let wdl = spread(q, draw);
            assert!((wdl.q() - q).abs() < 1e-6 && (wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
            assert!([wdl.win, wdl.draw, wdl.loss].iter().all(|&part| part >= 0.0), "{wdl:?}");
        }
        assert_eq!(spread(0.0, 0.3).draw, 0.3);
    }
}
