//! What a `go` or a `ponderhit` says of the clocks.

use std::time::Duration;

use super::Dialect;
use crate::{games::rules::Side, search::ClockState};

/// More than any clock says: a million seconds in milliseconds.
const LONGEST: u64 = 1_000_000_000;

/// What a `go` says of the clocks, in the unit of its dialect; `None` where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoClocks {
    /// What is left to the first side and to the second.
    pub time: [Option<u64>; 2],
    /// What their moves add.
    pub increment: [Option<u64>; 2],
    /// What is left to the side to move, where the dialect counts so.
    pub own: Option<u64>,
    /// What its move adds.
    pub own_increment: Option<u64>,
    /// What every move may take once the clock has run out.
    pub byoyomi: Option<u64>,
    /// Moves until the next control.
    pub moves_to_go: Option<u32>,
}

impl GoClocks {
    /// Whether they say nothing.
    pub fn is_empty(&self) -> bool {
        *self == GoClocks::default()
    }

    /// The clock of `side`, where the numbers count `unit`s; `None` where nothing is said of it.
    pub fn state(&self, side: Side, unit: Duration) -> Option<ClockState> {
        if self.is_empty() {
            return None;
        }
        let of = |both: &[Option<u64>; 2]| both[side.index()].or(both[(!side).index()]);
        let time = |number: Option<u64>| unit.saturating_mul(number.unwrap_or(0).min(LONGEST) as u32);
        Some(ClockState {
            remaining: time(self.own.or_else(|| of(&self.time))),
            increment: time(self.own_increment.or(self.increment[side.index()])),
            byoyomi: time(self.byoyomi),
            moves_to_go: self.moves_to_go,
            moves_to_draw: None,
        })
    }

    /// The words for a move of `side`, in their usual order.
    pub(super) fn words(&self, dialect: Dialect, side: Side) -> Vec<(&'static str, Option<u64>)> {
        let [first, second] = self.time.map(|time| time.map(|time| time.max(1)));
        let [first_inc, second_inc] = self.increment;
        let to_go = ("movestogo", self.moves_to_go.map(u64::from));
        match dialect {
            Dialect::Uci => vec![
                ("wtime", first),
                ("btime", second),
                ("winc", first_inc),
                ("binc", second_inc),
                ("byoyomi", self.byoyomi),
                to_go,
            ],
            // Black moves first in shogi.
            Dialect::Usi => {
                let mut words = vec![("btime", first), ("wtime", second)];
                let has_increment =
                    self.increment.iter().any(|increment| increment.is_some_and(|time| time > 0));
                if has_increment {
                    words.extend([("binc", first_inc), ("winc", second_inc)]);
                }
                let byoyomi = self.byoyomi.or((first.is_some() && !has_increment).then_some(0));
                words.push(("byoyomi", byoyomi));
                words
            }
            Dialect::Ucci => {
                let [own, other] = if side == Side::First { [first, second] } else { [second, first] };
                let (own_inc, other_inc) = (self.increment[side.index()], self.increment[(!side).index()]);
                vec![
                    ("time", own),
                    ("increment", own_inc),
                    to_go,
                    ("opptime", other),
                    ("oppincrement", other_inc),
                ]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{TimeBudget, TimeReserve};

    #[test]
    fn a_side_plays_by_its_own_clock() {
        let ms = Duration::from_millis;
        let state = |clocks: &GoClocks, side| clocks.state(side, ms(1)).map(|clock| clock.remaining);
        let clocks = GoClocks { time: [Some(60_000), Some(1000)], ..GoClocks::default() };
        assert_eq!(state(&clocks, Side::First), Some(ms(60_000)));
        assert_eq!(state(&clocks, Side::Second), Some(ms(1000)));
        let one = GoClocks { time: [Some(1000), None], ..GoClocks::default() };
        assert_eq!(state(&one, Side::Second), Some(ms(1000)), "the only clock is everybody's");
        let own = GoClocks { own: Some(1000), ..clocks };
        assert_eq!(state(&own, Side::First), Some(ms(1000)));
        assert_eq!(state(&GoClocks::default(), Side::First), None);
        let old = GoClocks { own: Some(60), ..GoClocks::default() };
        let seconds = old.state(Side::First, Duration::from_secs(1));
        assert_eq!(seconds.map(|clock| clock.remaining), Some(ms(60_000)));
    }

    #[test]
    fn senseless_numbers_are_no_trouble() {
        let most = GoClocks {
            time: [Some(u64::MAX); 2],
            increment: [Some(u64::MAX); 2],
            byoyomi: Some(u64::MAX),
            moves_to_go: Some(1000),
            ..GoClocks::default()
        };
        for unit in [Duration::from_millis(1), Duration::from_secs(1)] {
            let clock = most.state(Side::First, unit).expect("it says something");
            let budget = TimeBudget::new(&clock, &TimeReserve::DEFAULT);
            assert!(budget.soft <= budget.hard && budget.hard < 5 * clock.remaining);
        }
    }
}
