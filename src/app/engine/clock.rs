//! From what the clocks say to the time for a move.

use std::time::Duration;

use crate::{arena::Allotment, games::rules::Side};

/// What a `go` says of the clocks, in the unit of its dialect; `None` where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
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

/// What beside the clocks decides over the time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What the clocks count in.
    pub unit: Duration,
    /// Kept back of a clock for the way of a move to whoever keeps it.
    pub overhead: Duration,
    /// The same of a byoyomi.
    pub byoyomi_margin: Duration,
    /// Own moves until the game is drawn; `None` where nobody counts.
    pub moves_left: Option<u32>,
}

impl Clocks {
    /// Whether they say nothing.
    pub fn is_empty(&self) -> bool {
        *self == Clocks::default()
    }

    /// The time for a move of `side`; `None` where nothing is said of its clock.
    pub fn allotment(&self, side: Side, terms: &Terms) -> Option<Allotment> {
        if self.is_empty() {
            return None;
        }
        let of = |both: &[Option<u64>; 2]| both[side.index()].or(both[(!side).index()]);
        let time = |number: Option<u64>| terms.unit.saturating_mul(number.unwrap_or(0).min(LONGEST) as u32);
        let left = without(time(self.own.or_else(|| of(&self.time))), terms.overhead);
        let increment = time(self.own_increment.or(self.increment[side.index()]));
        let byoyomi = without(time(self.byoyomi), terms.byoyomi_margin);
        let usual = match self.moves_to_go {
            Some(moves) => Allotment::among(moves, increment, left),
            None => Allotment::of(increment, left),
        };
        // Time that is left when the game is drawn helps nobody.
        let last = terms.moves_left.map(|moves| Allotment::among(moves, increment, left));
        let Allotment { usual, most } = last.filter(|last| last.usual > usual.usual).unwrap_or(usual);
        Some(Allotment { usual: usual + byoyomi, most: most + byoyomi })
    }
}

/// More than any clock says: a million seconds in milliseconds.
const LONGEST: u64 = 1_000_000_000;

/// `time` without `margin`, but at least half of it.
fn without(time: Duration, margin: Duration) -> Duration {
    time - margin.min(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn terms() -> Terms {
        Terms { unit: MS, overhead: 10 * MS, byoyomi_margin: 100 * MS, moves_left: None }
    }

    #[test]
    fn a_side_plays_by_its_own_clock() {
        let clocks = Clocks { time: [Some(60_000), Some(1000)], ..Clocks::default() };
        let [first, second] =
            [Side::First, Side::Second].map(|side| clocks.allotment(side, &terms()).unwrap());
        assert!(first.usual > 30 * second.usual, "{first:?} {second:?}");
        let one = Clocks { time: [Some(1000), None], ..Clocks::default() };
        assert_eq!(one.allotment(Side::Second, &terms()), Some(second), "the only clock is everybody's");
        let own = Clocks { own: Some(1000), ..clocks };
        assert_eq!(own.allotment(Side::First, &terms()), Some(second));
        assert_eq!(Clocks::default().allotment(Side::First, &terms()), None);
        let seconds = Terms { unit: Duration::from_secs(1), ..terms() };
        let old = Clocks { own: Some(60), ..Clocks::default() };
        assert_eq!(old.allotment(Side::First, &seconds), Some(first));
    }

    #[test]
    fn a_byoyomi_is_used_up_but_for_its_margin() {
        let clocks = |byoyomi| Clocks { time: [Some(0); 2], byoyomi: Some(byoyomi), ..Clocks::default() };
        let time = |byoyomi| clocks(byoyomi).allotment(Side::First, &terms()).unwrap().most;
        assert_eq!(time(5000), 4900 * MS);
        assert_eq!(time(50), 25 * MS);
        assert_eq!(time(0), Duration::ZERO);
    }

    #[test]
    fn before_a_control_or_a_draw_time_is_spent() {
        let clocks = Clocks { time: [Some(10_000); 2], ..Clocks::default() };
        let usual = clocks.allotment(Side::First, &terms()).unwrap().usual;
        let last = Clocks { moves_to_go: Some(1), ..clocks.clone() };
        assert!(last.allotment(Side::First, &terms()).unwrap().usual > 20 * usual);
        let drawn =
            |moves| clocks.allotment(Side::First, &Terms { moves_left: Some(moves), ..terms() }).unwrap();
        assert!(drawn(2).usual > 8 * usual);
        assert_eq!(drawn(400).usual, usual);
    }

    #[test]
    fn senseless_numbers_are_no_trouble() {
        let most = Clocks {
            time: [Some(u64::MAX); 2],
            increment: [Some(u64::MAX); 2],
            byoyomi: Some(u64::MAX),
            moves_to_go: Some(1000),
            ..Clocks::default()
        };
        for unit in [MS, Duration::from_secs(1)] {
            assert!(most.allotment(Side::First, &Terms { unit, ..terms() }).is_some());
        }
    }
}
