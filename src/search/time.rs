//! How long to think about a move: what a clock allows, what of it is kept back, and when a search has thought enough.
//!
//! Both searches, the tree and alpha-beta, go by one [`TimeManager`]. Nothing here reads a clock: the caller says how much
//! time has passed.

use std::time::Duration;

use super::{RootMove, Search, SearchResult};
use crate::games::rules::Game;

/// Kept back of what is on the clock, but no more than three quarters of that: what a busy machine may take from us at any
/// moment. With ten busy threads on two cores it took up to 145 ms, and with 20 ms in reserve 6 of 400 games of dobutsu
/// at 1 s and 10 ms a move were lost on time.
const MACHINE_RESERVE: Duration = Duration::from_millis(200);
/// The moves that a game is expected to go on for. Untuned.
const MOVES_TO_GO: u32 = 25;
/// The hard limit of a move is at most this many times its soft limit. Untuned.
const MOST_TIMES: u32 = 3;
/// And at most this part of what is left.
const MOST_PART: u32 = 4;
/// A decision that is not clear is checked this often in the time of a usual move.
const CHECKS: u32 = 8;
/// A loss of the expected score, on the scale of -1 to 1, from one depth to the next that is a reason to think longer.
/// Untuned.
const FALL: f32 = 0.1;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockState {
    /// The time left on it.
    pub remaining: Duration,
    /// The time that the move adds.
    pub increment: Duration,
    /// The time that every move may take once nothing is left.
    pub byoyomi: Duration,
    /// Moves until the next time control; `None` where the rest of the game is played with what remains.
    pub moves_to_go: Option<u32>,
    /// Own moves until the game is drawn by a count of moves; `None` where no moves are counted.
    pub moves_to_draw: Option<u32>,
}

/// What is kept back for the time that a move takes to the program that keeps the clock, beside what is always kept back
/// for a busy machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeReserve {
    /// Of a clock, at most half of it; of a fixed time for a move, at most a twentieth.
    pub overhead: Duration,
    /// Of a byoyomi, at most half of it.
    pub byoyomi: Duration,
}

impl TimeReserve {
    /// For a clock that this program keeps itself.
    pub const NONE: TimeReserve = TimeReserve { overhead: Duration::ZERO, byoyomi: Duration::ZERO };
    /// For a clock that another program keeps. With an overhead of 50 ms, 2 of 12 games at 1 s and 10 ms a move were lost
    /// by up to 16 ms on a machine with seven to ten busy threads on two cores (2026-11-22).
    pub const DEFAULT: TimeReserve =
        TimeReserve { overhead: Duration::from_millis(100), byoyomi: Duration::from_millis(100) };
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// What a usual move takes.
    pub soft: Duration,
    /// What a move takes at most, if there is reason to think longer.
    pub hard: Duration,
}

impl TimeBudget {
    /// For a move under this clock.
    pub fn new(clock: &ClockState, reserve: &TimeReserve) -> Self {
        let left = without(clock.remaining, reserve.overhead, 2);
        let byoyomi = without(clock.byoyomi, reserve.byoyomi, 2);
        let among = |moves| TimeBudget::among(moves, clock.increment, left);
        let usual = among(clock.moves_to_go.unwrap_or(MOVES_TO_GO));
        // Time that is left when the game is drawn is of no use.
        let last = clock.moves_to_draw.map(among).filter(|last| last.soft > usual.soft);
        let TimeBudget { soft, hard } = last.unwrap_or(usual);
        TimeBudget { soft: soft + byoyomi, hard: hard + byoyomi }
    }

    /// For a move where `left` is for this many moves, each of which adds `increment`.
    fn among(moves: u32, increment: Duration, left: Duration) -> Self {
        let left = left.saturating_sub(MACHINE_RESERVE.min(left * 3 / 4));
        let soft = left / moves.max(1) + increment * 3 / 4;
        // Of the last move's time nothing has to be kept.
        let hard = (soft * MOST_TIMES).min(left / MOST_PART.min(moves.max(1)));
        TimeBudget { soft: soft.min(hard), hard }
    }
}

/// `time` without `reserve`, which is at most one part in `parts` of it.
fn without(time: Duration, reserve: Duration, parts: u32) -> Duration {
    time - reserve.min(time / parts)
}

/// How time ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// It does not.
    None,
    /// After this time.
    Fixed(Duration),
    /// As the clock allows and the move deserves.
    Clock(TimeBudget),
}

impl TimeLimit {
    /// After `time`, without the reserve.
    pub fn fixed(time: Duration, reserve: &TimeReserve) -> Self {
        TimeLimit::Fixed(without(time, reserve.overhead, 20))
    }
}

/// What a search knows of its best move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestMoveStats<M> {
    /// The move that would be played now.
    pub best: M,
    /// Visits of the most visited move, and of the one after it.
    pub visits: [u32; 2],
    /// Simulations that this search has done, since time began to run.
    pub simulations: u32,
    /// Whether the most visited move also has the highest value, of those visited as much as a tenth of it.
    pub is_agreed: bool,
}

impl<G: Game> Search<G> {
    /// What the search knows of its best move.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn best_move_stats(&self) -> BestMoveStats<G::Move> {
        let value = |mv: &RootMove<G::Move>| mv.q.unwrap_or(-1.0);
        let (mut visits, mut of_leader) = ([0; 2], -1.0);
        for mv in self.root_moves() {
            if mv.visits > visits[0] {
                (visits, of_leader) = ([mv.visits, visits[0]], value(&mv));
            } else {
                visits[1] = visits[1].max(mv.visits);
            }
        }
        let is_agreed = self.root_moves().all(|mv| mv.visits < visits[0] / 10 || value(&mv) <= of_leader);
        BestMoveStats { best: self.best_move(), visits, simulations: self.simulations(), is_agreed }
    }
}

/// Decides when a search for one move has thought enough: on a clock after the soft limit, or sooner if another move cannot
/// become the best any more, or later, up to the hard limit, if the best move has changed of late or its score has fallen.
#[derive(Clone, Debug)]
pub struct TimeManager<M> {
    limit: TimeLimit,
    /// `None` before the first result.
    stats: Option<BestMoveStats<M>>,
    best: Option<M>,
    /// When the best move became that.
    since: Duration,
    /// Before that nothing is decided anew.
    next_check: Duration,
    /// The score of the last depth of alpha-beta.
    q: f32,
}

impl<M: Copy + PartialEq> TimeManager<M> {
    /// For a move with this limit.
    pub fn new(limit: TimeLimit) -> Self {
        TimeManager {
            limit,
            stats: None,
            best: None,
            since: Duration::ZERO,
            next_check: Duration::ZERO,
            q: -1.0,
        }
    }

    /// When to look at the search next, after `elapsed`; `None` where time does not end it.
    pub fn next_check(&self, elapsed: Duration) -> Option<Duration> {
        match self.limit {
            TimeLimit::None => None,
            TimeLimit::Fixed(time) => Some(time),
            TimeLimit::Clock(budget) => Some((elapsed + budget.soft / CHECKS).min(budget.hard)),
        }
    }

    /// Whether alpha-beta thinks on after `elapsed`, by what it [found last](Self::note). It may ask as often as it likes.
    /// Where nothing was noted, as by players of limited strength, the hard limit of the clock ends it.
    pub fn goes_on(&mut self, elapsed: Duration) -> bool {
        match self.limit {
            TimeLimit::None => true,
            TimeLimit::Fixed(time) => elapsed < time,
            TimeLimit::Clock(_) if elapsed < self.next_check => true,
            TimeLimit::Clock(budget) => {
                self.next_check = self.next_check(elapsed).unwrap_or_default();
                match self.stats {
                    Some(stats) => self.is_worth_more(budget, elapsed, &stats),
                    None => elapsed < budget.hard,
                }
            }
        }
    }

    /// Takes note of a depth that alpha-beta has finished.
    pub fn note(&mut self, found: &SearchResult<M>) {
        let best = &found.lines[0];
        let is_agreed = best.q > self.q - FALL;
        // The leader cannot be overtaken by visits: there are none.
        self.stats = Some(BestMoveStats { best: found.mv(), visits: [0; 2], simulations: 1, is_agreed });
        self.q = best.q;
    }

    /// Whether a tree search with these `stats` thinks on after `elapsed`.
    pub fn goes_on_with(&mut self, elapsed: Duration, stats: &BestMoveStats<M>) -> bool {
        match self.limit {
            TimeLimit::None => true,
            TimeLimit::Fixed(time) => elapsed < time,
            TimeLimit::Clock(budget) => self.is_worth_more(budget, elapsed, stats),
        }
    }

    fn is_worth_more(&mut self, budget: TimeBudget, elapsed: Duration, stats: &BestMoveStats<M>) -> bool {
        if self.best != Some(stats.best) {
            (self.best, self.since) = (Some(stats.best), elapsed);
        }
        // The leader may have led for good, or only of late, or may be about to lose the lead.
        let is_stable = stats.is_agreed && self.since * 2 <= elapsed;
        let left = if is_stable { budget.soft } else { budget.hard }.saturating_sub(elapsed);
        let rate = f64::from(stats.simulations) / elapsed.as_secs_f64().max(1e-6);
        let [first, second] = stats.visits.map(f64::from);
        // Without a simulation nothing is known of the rate.
        let is_in_reach = stats.simulations == 0 || first - second < rate * left.as_secs_f64();
        !left.is_zero() && is_in_reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const SECOND: Duration = Duration::from_secs(1);

    fn clock(remaining: Duration) -> ClockState {
        ClockState { remaining, increment: SECOND / 100, ..ClockState::default() }
    }

    fn budget(clock: &ClockState) -> TimeBudget {
        TimeBudget::new(clock, &TimeReserve::NONE)
    }

    /// With its soft and its hard limit.
    fn manager(remaining: Duration) -> (TimeManager<u8>, Duration, Duration) {
        let budget = budget(&clock(remaining));
        (TimeManager::new(TimeLimit::Clock(budget)), budget.soft, budget.hard)
    }

    fn stats(best: u8, visits: [u32; 2], is_agreed: bool) -> BestMoveStats<u8> {
        BestMoveStats { best, visits, simulations: 1000, is_agreed }
    }

    #[test]
    fn no_move_gets_more_than_a_part_of_the_clock() {
        for milliseconds in [0, 1, 5, 20, 100, 1000, 60_000, 3_600_000] {
            let left = milliseconds * MS;
            let budget = budget(&clock(left));
            assert!(budget.hard <= left / 4 && budget.soft <= budget.hard, "{left:?}: {budget:?}");
        }
    }

    #[test]
    fn the_last_move_before_a_control_gets_what_is_left() {
        let among = |moves| {
            budget(&ClockState { remaining: SECOND, moves_to_go: Some(moves), ..ClockState::default() })
        };
        let left = SECOND - MACHINE_RESERVE;
        assert_eq!(among(1).soft, left);
        assert_eq!((among(2).soft, among(2).hard), (left / 2, left / 2));
        assert_eq!(among(0), among(1));
    }

    #[test]
    fn before_a_draw_time_is_spent() {
        let usual = budget(&clock(10 * SECOND));
        let drawn = |moves| budget(&ClockState { moves_to_draw: Some(moves), ..clock(10 * SECOND) });
        assert!(drawn(2).soft > 8 * usual.soft);
        assert_eq!(drawn(400), usual);
    }

    #[test]
    fn reserves_are_parts_of_what_they_are_kept_back_of() {
        let reserve = TimeReserve { overhead: 10 * MS, byoyomi: 100 * MS };
        let hard = |byoyomi| TimeBudget::new(&ClockState { byoyomi, ..ClockState::default() }, &reserve).hard;
        assert_eq!(hard(5000 * MS), 4900 * MS);
        assert_eq!(hard(50 * MS), 25 * MS);
        assert_eq!(hard(Duration::ZERO), Duration::ZERO);
        assert_eq!(TimeLimit::fixed(SECOND, &reserve), TimeLimit::Fixed(990 * MS));
        assert_eq!(TimeLimit::fixed(20 * MS, &reserve), TimeLimit::Fixed(19 * MS));
        assert_eq!(TimeBudget::new(&clock(SECOND + 10 * MS), &reserve), budget(&clock(SECOND)));
    }

    #[test]
    fn a_leader_that_cannot_be_overtaken_is_played() {
        let (mut manager, soft, _) = manager(60 * SECOND);
        let elapsed = soft / 2;
        assert!(manager.clone().goes_on_with(elapsed, &stats(1, [500, 400], true)));
        // Where the leader is new, there is more time to overtake it.
        assert!(manager.clone().goes_on_with(elapsed, &stats(1, [2600, 100], true)));
        assert!(manager.goes_on_with(elapsed / 8, &stats(1, [100, 90], true)));
        assert!(!manager.goes_on_with(elapsed, &stats(1, [2600, 100], true)));
    }

    #[test]
    fn a_change_of_mind_and_a_doubt_get_more_time() {
        let (mut manager, soft, hard) = manager(60 * SECOND);
        let close = |best, is_agreed| stats(best, [500, 499], is_agreed);
        assert!(manager.goes_on_with(soft / 8, &close(1, true)));
        assert!(!manager.clone().goes_on_with(soft, &close(1, true)));
        assert!(manager.clone().goes_on_with(soft, &close(2, true)), "another move is best now");
        assert!(manager.clone().goes_on_with(soft, &close(1, false)), "another move looks better");
        assert!(!manager.goes_on_with(hard, &close(2, false)));
    }

    /// As right after a `ponderhit`, and before a first batch.
    #[test]
    fn a_tree_search_without_a_simulation_goes_on() {
        let (mut manager, soft, hard) = manager(60 * SECOND);
        let none = |visits| BestMoveStats { simulations: 0, ..stats(1, visits, true) };
        for visits in [[0, 0], [5000, 100]] {
            assert!(manager.clone().goes_on_with(Duration::ZERO, &none(visits)), "{visits:?}");
            assert!(manager.clone().goes_on_with(soft / 2, &none(visits)), "{visits:?}");
            assert!(!manager.goes_on_with(hard, &none(visits)), "{visits:?}");
        }
    }

    /// A player of limited strength notes nothing, and with many lines the first depth takes long.
    #[test]
    fn without_a_result_the_clock_ends_alpha_beta() {
        let (mut manager, soft, hard) = manager(60 * SECOND);
        assert!(manager.goes_on(soft) && manager.goes_on(hard - MS));
        assert!(!manager.goes_on(hard) && !manager.goes_on(hard + SECOND));
    }

    #[test]
    fn alpha_beta_gets_more_time_when_its_score_falls() {
        let found = |mv: u8, q| SearchResult {
            lines: vec![crate::search::PvLine { moves: vec![mv], q, end: None, score: 0, depth: 1 }],
            depth: 1,
            deepest: 1,
            nodes: 1,
            fullness: 0,
        };
        let (mut steady, soft, hard) = manager(60 * SECOND);
        let (mut falling, ..) = manager(60 * SECOND);
        for manager in [&mut steady, &mut falling] {
            *manager = TimeManager::new(manager.limit);
            manager.note(&found(1, 0.2));
            assert!(manager.goes_on(soft / 8));
        }
        steady.note(&found(1, 0.15));
        falling.note(&found(1, 0.05));
        assert!(!steady.goes_on(soft) && falling.goes_on(soft));
        assert!(!falling.goes_on(hard));
        let mut fixed = TimeManager::<u8>::new(TimeLimit::Fixed(SECOND));
        assert!(fixed.goes_on(SECOND - MS) && !fixed.goes_on(SECOND));
        assert!(TimeManager::<u8>::new(TimeLimit::None).goes_on(3600 * SECOND));
    }
}
