//! How long to think about a move.

use std::time::Duration;

use crate::search::SearchResult;

/// Kept back of what is on the clock, but no more than three quarters of that: what a busy machine may take from us at any
/// moment. With ten busy threads on two cores it took up to 145 ms, and with 20 ms in reserve 6 of 400 games of dobutsu
/// at 1 s and 10 ms a move were lost on time.
const RESERVE: Duration = Duration::from_millis(200);
/// The game is taken to go on for so many moves. Untuned.
const MOVES_TO_GO: u32 = 25;
/// A move that gives reason to think gets so many times what one without gets, at most. Untuned.
const MOST_TIMES: u32 = 3;
/// And never more than this part of what is left.
const MOST_PART: u32 = 4;
/// A decision that is not clear is looked at so many times in the time of a usual move.
const LOOKS: u32 = 8;

/// What a search knows of its best move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<M> {
    /// The move that would be played now.
    pub best: M,
    /// Visits of the most visited move, and of the one after it.
    pub visits: [u32; 2],
    /// Simulations that this search has done.
    pub simulations: u32,
    /// Whether the most visited move also has the highest value, of those visited as much as a tenth of it.
    pub is_agreed: bool,
}

/// Allots the time of one move.
#[derive(Clone, Debug)]
pub struct Timer<M> {
    time: Allotment,
    best: Option<M>,
    /// When the best move became that.
    since: Duration,
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// What a usual move takes.
    pub usual: Duration,
    /// What a move takes that gives reason to think.
    pub most: Duration,
}

impl Allotment {
    /// For a move with `left` on the clock, to which every move adds `increment`.
    pub fn of(increment: Duration, left: Duration) -> Self {
        Self::among(MOVES_TO_GO, increment, left)
    }

    /// The same where `left` is for so many moves.
    pub fn among(moves: u32, increment: Duration, left: Duration) -> Self {
        let left = left.saturating_sub(RESERVE.min(left * 3 / 4));
        let usual = left / moves.max(1) + increment * 3 / 4;
        // Of the last move's time nothing has to be kept.
        let most = (usual * MOST_TIMES).min(left / MOST_PART.min(moves.max(1)));
        Allotment { usual: usual.min(most), most }
    }
}

impl<M: Copy + PartialEq> Timer<M> {
    /// For a move that has this time.
    pub fn new(time: Allotment) -> Self {
        Timer { time, best: None, since: Duration::ZERO }
    }

    /// When to look at the search next, after `elapsed`.
    pub fn next_look(&self, elapsed: Duration) -> Duration {
        (elapsed + self.time.usual / LOOKS).min(self.time.most)
    }

    /// Whether to think on after `elapsed`.
    pub fn goes_on(&mut self, elapsed: Duration, standing: &Standing<M>) -> bool {
        if self.best != Some(standing.best) {
            (self.best, self.since) = (Some(standing.best), elapsed);
        }
        // The leader may have led for good, or only of late, or may be about to lose the lead.
        let is_settled = standing.is_agreed && self.since * 2 <= elapsed;
        let limit = if is_settled { self.time.usual } else { self.time.most };
        let left = limit.saturating_sub(elapsed);
        let rate = f64::from(standing.simulations) / elapsed.as_secs_f64().max(1e-6);
        let [first, second] = standing.visits.map(f64::from);
        !left.is_zero() && first - second < rate * left.as_secs_f64()
    }
}

/// A loss of the expected score, on the scale of -1 to 1, from one depth to the next that gives reason to think. Untuned.
const FALL: f32 = 0.1;

/// The time of a move as alpha-beta uses it: more of it when the best move changes or its score falls.
#[derive(Clone, Debug)]
pub struct Pace<M> {
    timer: Timer<M>,
    /// When to look next.
    look: Duration,
    /// `None` before the first depth is done.
    standing: Option<Standing<M>>,
    q: f32,
}

impl<M: Copy + PartialEq> Pace<M> {
    /// For a move that has this time.
    pub fn new(time: Allotment) -> Self {
        Pace { timer: Timer::new(time), look: Duration::ZERO, standing: None, q: -1.0 }
    }

    /// Whether to think on after `elapsed`.
    pub fn goes_on(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.look {
            return true;
        }
        self.look = self.timer.next_look(elapsed);
        self.standing.as_ref().is_none_or(|standing| self.timer.goes_on(elapsed, standing))
    }

    /// Takes note of what was found.
    pub fn hear(&mut self, found: &SearchResult<M>) {
        let best = &found.lines[0];
        // A leader cannot be overtaken by visits: there are none.
        let is_agreed = best.q > self.q - FALL;
        self.standing = Some(Standing { best: found.mv(), visits: [0; 2], simulations: 1, is_agreed });
        self.q = best.q;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn timer(left: Duration) -> Timer<u8> {
        Timer::new(Allotment::of(SECOND / 100, left))
    }

    fn standing(best: u8, visits: [u32; 2], is_agreed: bool) -> Standing<u8> {
        Standing { best, visits, simulations: 1000, is_agreed }
    }

    #[test]
    fn no_move_gets_more_than_a_part_of_the_clock() {
        for milliseconds in [0, 1, 5, 20, 100, 1000, 60_000, 3_600_000] {
            let left = Duration::from_millis(milliseconds);
            let timer = timer(left);
            assert!(timer.time.most <= left / 4, "{left:?}: {timer:?}");
            assert!(timer.time.usual <= timer.time.most);
        }
    }

    #[test]
    fn the_last_move_before_a_control_gets_what_is_left() {
        let left = Duration::from_millis(1000);
        assert_eq!(Allotment::among(1, Duration::ZERO, left).usual, left - RESERVE);
        let two = Allotment::among(2, Duration::ZERO, left);
        assert_eq!((two.usual, two.most), ((left - RESERVE) / 2, (left - RESERVE) / 2));
        assert_eq!(Allotment::among(0, Duration::ZERO, left), Allotment::among(1, Duration::ZERO, left));
    }

    #[test]
    fn a_leader_that_cannot_be_overtaken_is_played() {
        let mut timer = timer(60 * SECOND);
        let elapsed = timer.time.usual / 2;
        assert!(timer.clone().goes_on(elapsed, &standing(1, [500, 400], true)));
        // Where the leader is new, there is more time to overtake it.
        assert!(timer.clone().goes_on(elapsed, &standing(1, [2600, 100], true)));
        assert!(timer.goes_on(elapsed / 8, &standing(1, [100, 90], true)));
        assert!(!timer.goes_on(elapsed, &standing(1, [2600, 100], true)));
    }

    #[test]
    fn a_change_of_mind_and_a_doubt_get_more_time() {
        let mut timer = timer(60 * SECOND);
        let usual = timer.time.usual;
        let close = |best, is_agreed| standing(best, [500, 499], is_agreed);
        assert!(timer.goes_on(usual / 8, &close(1, true)));
        assert!(!timer.clone().goes_on(usual, &close(1, true)));
        assert!(timer.clone().goes_on(usual, &close(2, true)), "another move is best now");
        assert!(timer.clone().goes_on(usual, &close(1, false)), "another move looks better");
        assert!(!timer.goes_on(timer.time.most, &close(2, false)));
    }
}
