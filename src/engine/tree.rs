//! The tree search at the desk: it is looked at every now and then, and tells what has changed.

use std::time::{Duration, Instant};

use super::{
    answer::Score,
    stage::{Figures, Stage, Told},
    task::{Control, Task, Time, Waits},
};
use crate::{
    arena::{Standing, Timer, standing},
    encode::Encode,
    net::{AnyEvaluator, PlayConfig, TreeUse},
    rng::{Purpose, stream},
    rules::Game,
    search::{Noise, Search, run_together},
};

/// Between two looks at a search.
const LOOK: Duration = Duration::from_millis(50);
/// A search says something at least so often.
const WORD: Duration = Duration::from_secs(1);

/// A position by the way to it: where it began, and the moves.
type Way<M> = (String, Vec<M>);

/// The tree search, and the tree that is kept between moves.
pub struct Tree<G: Game> {
    search: Search<G>,
    play: PlayConfig,
    /// The root of the last search, if what it found is kept.
    seen: Option<Way<G::Move>>,
}

impl<G: Encode> Tree<G> {
    /// As `play` says.
    pub fn new(play: &PlayConfig) -> Self {
        let search = Search::with_memory(play.search.clone(), play.memory);
        Tree { search, play: play.clone(), seen: None }
    }

    /// Forgets what it has found.
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// Searches a little: tables that are made at their first use are made now, and not while a clock runs.
    pub fn warm_up(&mut self, start: &G, judges: &mut [AnyEvaluator]) {
        let mut rng = stream(0, Purpose::Evaluation, &[]);
        self.search.start(start, 64, Noise::None, &mut rng);
        run_together(&mut self.search, judges, self.play.batch, &|| true);
        self.seen = None;
    }

    /// The best line among `moves`.
    pub fn find(
        &mut self,
        stage: &Stage<'_, G>,
        moves: &[G::Move],
        judges: &mut [AnyEvaluator],
    ) -> Vec<G::Move> {
        let depth = stage.task.depth.map_or(u32::MAX, |depth| (1 << depth.min(31)) - 1);
        self.begin(stage, moves, most(stage.task.nodes).min(depth));
        self.follow(stage, judges);
        let mut lines = self.report(stage);
        if stage.task.move_stats {
            self.tell_moves(stage);
        }
        lines.swap_remove(0)
    }

    /// Looks for a mate, as USI asks for one.
    pub fn find_mate(
        &mut self,
        stage: &Stage<'_, G>,
        limit: Option<Duration>,
        moves: &[G::Move],
        judges: &mut [AnyEvaluator],
    ) {
        self.begin(stage, moves, u32::MAX);
        self.search_until(limit.map(|limit| stage.task.began + limit), Waits::No, stage.control, judges);
        let root = self.search.variations(1);
        stage.voice.say(&match (self.search.winning_line(), root[0].certain) {
            (Some(line), _) => {
                let texts: Vec<String> = line.iter().map(|&mv| stage.write(mv)).collect();
                format!("checkmate {}", texts.join(" "))
            }
            (None, Some(_)) => "checkmate nomate".to_owned(),
            (None, None) => "checkmate timeout".to_owned(),
        });
    }

    /// Begins a search among `moves`, with what the last one found if that is kept.
    fn begin(&mut self, stage: &Stage<'_, G>, moves: &[G::Move], simulations: u32) {
        let line = stage.line;
        let mut legal = Vec::new();
        line.game.legal_moves(&mut legal);
        self.search.restrict(if moves.len() == legal.len() { &[] } else { moves });
        let way = (line.start.fen(), line.moves.clone());
        let seen = self.seen.replace(way).filter(|_| self.play.tree == TreeUse::Kept);
        let (start, moves) = self.seen.as_ref().expect("just set");
        let since = seen
            .filter(|seen| seen.0 == *start)
            .and_then(|seen| moves.strip_prefix(seen.1.as_slice()).map(<[G::Move]>::to_vec));
        match since {
            Some(since) => self.search.start_after(&since, &line.game, simulations),
            None => {
                // Without noise the search draws no random numbers.
                let mut rng = stream(0, Purpose::Evaluation, &[]);
                self.search.start(&line.game, simulations, Noise::None, &mut rng);
            }
        }
    }

    /// Searches until then, or until the search or the task is over.
    fn search_until(
        &mut self,
        until: Option<Instant>,
        pondering: Waits,
        control: &Control,
        judges: &mut [AnyEvaluator],
    ) {
        let goes_on = || {
            let is_ended = control.is_stopped() || pondering == Waits::ForHit && control.is_hit();
            !is_ended && until.is_none_or(|until| Instant::now() < until)
        };
        run_together(&mut self.search, judges, self.play.batch, &goes_on);
    }

    /// Searches, and says how it goes, until the answer is to be given.
    fn follow(&mut self, stage: &Stage<'_, G>, judges: &mut [AnyEvaluator]) {
        let control = stage.control;
        let mut watch = Watch::new(stage.task);
        // When something was said last, and what: the depth and the move.
        let mut said: Option<(Instant, u32, G::Move)> = None;
        loop {
            self.search_until(Some(watch.next_look()), watch.waits, control, judges);
            if control.is_stopped() {
                return;
            }
            if watch.waits == Waits::ForHit
                && let Some((hit, time)) = control.time_after_hit()
            {
                watch = Watch::after_hit(hit, time, self.search.simulations());
            }
            if self.search.is_over() {
                if watch.waits != Waits::No {
                    self.report(stage);
                }
                return control.wait(watch.waits);
            }
            if watch.is_over(&self.search) {
                return;
            }
            let (depth, best) = (depth(self.search.simulations()), self.search.best_move());
            let is_news = |&(at, old, mv): &(Instant, u32, G::Move)| {
                (old, mv) != (depth, best) || Instant::now() > at + WORD
            };
            if said.as_ref().is_none_or(is_news) {
                said = Some((Instant::now(), depth, best));
                self.report(stage);
            }
        }
    }

    /// Says what is known, and returns the lines of it.
    fn report(&self, stage: &Stage<'_, G>) -> Vec<Vec<G::Move>> {
        let variations = self.search.variations(stage.task.lines);
        let simulations = self.search.simulations();
        let memory = (self.play.memory as usize) << 10;
        let figures = Figures {
            depth: depth(simulations),
            deepest: self.search.deepest(),
            nodes: simulations.into(),
            fullness: (1000 * (self.search.bytes() >> 10) / memory).min(1000) as u32,
        };
        let told = |variation: &crate::search::Variation<G::Move>| Told {
            moves: variation.moves.clone(),
            score: Score::of(variation),
            wdl: variation.wdl,
        };
        stage.tell(figures, &variations.iter().map(told).collect::<Vec<_>>());
        variations.into_iter().map(|variation| variation.moves).collect()
    }

    fn tell_moves(&self, stage: &Stage<'_, G>) {
        let mut moves: Vec<_> = self.search.root_moves().collect();
        moves.sort_by_key(|mv| mv.visits);
        for mv in moves {
            let text = stage.write(mv.mv);
            let q = mv.q.map_or("-".to_owned(), |q| format!("{q:.4}"));
            let (visits, prior) = (mv.visits, 100.0 * mv.prior);
            stage.voice.say(&format!("info string {text} N: {visits} P: {prior:.2}% Q: {q}"));
        }
    }
}

/// So many nodes as simulations.
fn most(nodes: Option<u64>) -> u32 {
    nodes.map_or(u32::MAX, |nodes| nodes.min(u32::MAX.into()) as u32)
}

/// The simulations of a search as a depth: what an even tree of two moves would need them for.
fn depth(simulations: u32) -> u32 {
    simulations.saturating_add(1).ilog2()
}

/// When a search is looked at, and when it is over.
struct Watch<M> {
    began: Instant,
    /// Simulations that were done before.
    before: u32,
    time: Time,
    timer: Option<Timer<M>>,
    waits: Waits,
}

impl<M: Copy + PartialEq> Watch<M> {
    fn new(task: &Task) -> Self {
        Self::over(task.began, task.time, 0, task.waits)
    }

    fn after_hit(hit: Instant, time: Time, simulations: u32) -> Self {
        Self::over(hit, time, simulations, Waits::No)
    }

    fn over(began: Instant, time: Time, before: u32, waits: Waits) -> Self {
        let timer = match time {
            Time::Clock(allotment) => Some(Timer::new(allotment)),
            Time::Free | Time::Fixed(_) => None,
        };
        Watch { began, before, time, timer, waits }
    }

    fn next_look(&self) -> Instant {
        let look = Instant::now() + LOOK;
        match (self.waits, self.time, &self.timer) {
            (Waits::No, Time::Fixed(time), _) => look.min(self.began + time),
            (Waits::No, _, Some(timer)) => look.min(self.began + timer.next_look(self.began.elapsed())),
            _ => look,
        }
    }

    fn is_over<G: Game<Move = M>>(&mut self, search: &Search<G>) -> bool {
        let elapsed = self.began.elapsed();
        match (self.waits, self.time, &mut self.timer) {
            (Waits::No, Time::Fixed(time), _) => elapsed >= time,
            (Waits::No, _, Some(timer)) => {
                let standing = standing(search);
                let simulations = standing.simulations - self.before;
                !timer.goes_on(elapsed, &Standing { simulations, ..standing })
            }
            _ => false,
        }
    }
}
