//! What the result of a match says about the difference in strength.

use std::{iter::repeat_n, ops::AddAssign};

use serde::Serialize;

use super::{
    difference::Elo,
    logistic::elo,
    normal::{self, Z95},
    pairs::SCORES,
};

/// Student's two-sided 95% quantiles, by pairs from one; the first, without a degree of freedom, is everything.
const STUDENT95: [f64; 19] = [
    f64::INFINITY,
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
    2.120,
    2.110,
    2.101,
];

/// The variance of a pair's score in `0.0..=1.0` between equals without draws: 1/4 of its games' 1/2.
const EQUALS_VARIANCE: f64 = 0.125;

/// From so many pairs that are not 1:1 on their mean is close enough to a normal distribution for a likelihood.
const MANY_UNEVEN: u32 = 50;

/// The results of a match, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Pairs of games from one opening by the points made in both: 0, 1/2, 1, 1 1/2, 2. A pair of which
    /// only one game was played is not in here.
    pub pentanomial: [u32; 5],
}

impl Tally {
    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Pairs of which both games were played.
    pub fn pairs(&self) -> u32 {
        self.pentanomial.iter().sum()
    }

    /// Counts the games of one opening that were played, each by its half points: 0, 1 or 2.
    ///
    /// # Panics
    /// On more half points.
    pub fn add(&mut self, pair: [Option<u32>; 2]) {
        for half_points in pair.into_iter().flatten() {
            let count = [&mut self.losses, &mut self.draws, &mut self.wins];
            *count[half_points as usize] += 1;
        }
        if let [Some(first), Some(second)] = pair {
            self.pentanomial[(first + second) as usize] += 1;
        }
    }

    /// The same results from the other player's view.
    pub fn reversed(mut self) -> Self {
        self.pentanomial.reverse();
        Tally { wins: self.losses, losses: self.wins, ..self }
    }

    /// Share of the points, in `0.0..=1.0`; one half before any game.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The difference in Elo, after fishtest: the interval is that of the mean over the pairs, since the two games
    /// of an opening are not independent.
    ///
    /// Always finite: scores are held within 0.001 of 0 and 1, which is 1200 Elo. Pairs that came out alike say little
    /// of their spread, so the interval has one pair more, of 1:1, with the spread between equals without draws. It
    /// always holds the difference. Without any pair the interval is everything. Below 20 pairs it is Student's.
    pub fn elo(&self) -> Elo {
        let (low, high) = self.score_interval();
        // A game without its pair counts for the score alone.
        let score = self.score();
        Elo { elo: elo(score), low: elo(low.min(score)), high: elo(high.max(score)) }
    }

    /// Likelihood of superiority: the probability, in `0.0..=1.0`, that the first player is the stronger one. From
    /// 50 pairs on that are not 1:1 it follows from the mean of the pairs and its standard error, after fishtest; with
    /// fewer it is exact. One half without any pair. That a pair that gets worse never raises it holds of the exact one
    /// alone.
    pub fn los(&self) -> f64 {
        let uneven = self.pairs() - self.pentanomial[2];
        if uneven < MANY_UNEVEN { self.exact_los() } else { self.normal_los() }
    }

    /// The likelihood of superiority of many pairs.
    fn normal_los(&self) -> f64 {
        let (mean, error) = self.mean();
        normal::cdf((mean - 0.5) / error)
    }

    /// The likelihood of superiority by Fisher's randomisation test. Between equals a pair is as often so far above
    /// one half as below: this is the share of all such matches whose sum is lower, and half of those with the same sum.
    /// A pair that gets worse never raises it.
    fn exact_los(&self) -> f64 {
        let [lost, behind, _, ahead, won] = self.pentanomial.map(|n| n as usize);
        // In quarters of a pair, which are 1 or 2 for each pair, and together: what the first player gained.
        let gained = ahead + 2 * won;
        let most = gained + behind + 2 * lost;
        let mut chances = vec![0.0; most + 1];
        chances[0] = 1.0;
        for quarters in repeat_n(1, behind + ahead).chain(repeat_n(2, lost + won)) {
            for sum in (0..=most).rev() {
                let below = sum.checked_sub(quarters).map_or(0.0, |sum| chances[sum]);
                chances[sum] = (chances[sum] + below) / 2.0;
            }
        }
        chances[..gained].iter().sum::<f64>() + chances[gained] / 2.0
    }

    fn score_interval(&self) -> (f64, f64) {
        let pairs = self.pairs();
        if pairs == 0 {
            return (0.0, 1.0);
        }
        let (mean, error) = self.mean();
        let margin = STUDENT95.get(pairs as usize - 1).unwrap_or(&Z95) * error;
        (mean - margin, mean + margin)
    }

    /// The mean score of the pairs, and of one more between equals, with its standard error; there must be a pair.
    fn mean(&self) -> (f64, f64) {
        let pairs = f64::from(self.pairs());
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.pentanomial.iter().zip(SCORES).map(|(&count, score)| f64::from(count) * value(score)).sum()
        };
        let mean = (sum(&|score| score) + 0.5) / (pairs + 1.0);
        let square = |score: f64| (score - mean) * (score - mean);
        let variance = (sum(&square) + square(0.5) + EQUALS_VARIANCE) / (pairs + 1.0);
        (mean, (variance / pairs).sqrt())
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pentanomial.iter_mut().zip(other.pentanomial).for_each(|(sum, pairs)| *sum += pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pentanomial: [u32; 5], draws: u32) -> Tally {
        let pairs: u32 = pentanomial.iter().sum();
        let half_points: u32 = pentanomial.iter().enumerate().map(|(i, n)| i as u32 * n).sum();
        let wins = (half_points - draws) / 2;
        Tally { wins, draws, losses: 2 * pairs - wins - draws, pentanomial }
    }

    #[test]
    fn games_are_counted_and_turned_around() {
        let mut tally = Tally::default();
        for pair in [[Some(2), Some(1)], [Some(0), Some(1)], [Some(0), None], [None, Some(2)], [None; 2]] {
            tally.add(pair);
        }
        assert_eq!(tally, Tally { wins: 2, draws: 2, losses: 2, pentanomial: [0, 1, 0, 1, 0] });
        tally.add([Some(2), Some(2)]);
        let reversed = tally.reversed();
        assert_eq!(reversed, Tally { wins: 2, draws: 2, losses: 4, pentanomial: [1, 1, 0, 1, 0] });
        tally += reversed;
        assert_eq!(tally, Tally { wins: 6, draws: 4, losses: 6, pentanomial: [1, 2, 0, 2, 1] });
    }

    #[test]
    fn an_even_match_is_zero_elo() {
        let tally = tally([10, 20, 40, 20, 10], 60);
        let elo = tally.elo();
        assert_eq!(tally.score(), 0.5);
        assert!(elo.elo.abs() < 1e-9);
        assert!((elo.low + elo.high).abs() < 1e-6, "symmetric: {elo:?}");
        // Variance of a pair's mean score: (2 * (10 * 1/4 + 20 * 1/16) + 1/8) / 101 = 0.075495; margin
        // 1.96 * sqrt(0.00075495) = 0.05385, and -400 log10(1 / 0.55385 - 1) = 37.56.
        assert!((elo.high - 37.56).abs() < 0.02, "{elo:?}");
    }

    #[test]
    fn few_pairs_say_little() {
        let one = tally([0, 0, 1, 0, 0], 0).elo();
        assert!(one.low < -1000.0 && one.high > 1000.0, "{one:?}");
        // Variance (4 * 0 + 0.125) / 5 = 0.025, margin 3.182 * sqrt(0.025 / 4) = 0.2516: 400 log10(0.7516 / 0.2484).
        let four = tally([0, 0, 4, 0, 0], 0).elo();
        assert!((four.high - 192.3).abs() < 1.0 && (four.low + 192.3).abs() < 1.0, "{four:?}");
    }

    #[test]
    fn three_quarters_are_191_elo() {
        let elo = tally([0, 0, 50, 0, 50], 0).elo();
        assert!((elo.elo - 190.85).abs() < 0.01);
        assert!(elo.low < elo.elo && elo.elo < elo.high);
    }

    #[test]
    fn pairs_that_split_say_little_of_their_spread() {
        // Every opening decides its game. The variance of pairs: 0.125 / 21, and a margin of
        // 1.96 * sqrt(0.125 / 21 / 20) = 0.0338 at 20 pairs, 0.0069 at 100, 0.0035 at 200.
        for (pairs, margin) in [(20, 23.6), (100, 4.8), (200, 2.4)] {
            let elo = tally([0, 0, pairs, 0, 0], 0).elo();
            assert!((elo.high - margin).abs() < 0.1 && (elo.low + margin).abs() < 0.1, "{pairs}: {elo:?}");
        }
        // One pair more changes the interval by little.
        let [few, more] = [19, 20].map(|pairs| tally([0, 0, pairs, 0, 0], 0).elo().high);
        assert!(more < few && more > 0.85 * few, "{few} {more}");
    }

    #[test]
    fn all_won_is_finite_and_not_certain() {
        let elo = tally([0, 0, 0, 0, 4], 0).elo();
        assert!((elo.elo - 1199.8).abs() < 0.1 && elo.high == elo.elo);
        // Mean 4.5 / 5 = 0.9, variance (4 * 0.1^2 + 0.4^2 + 0.125) / 5 = 0.065, and 0.9 - 3.182 * sqrt(0.065 / 4) = 0.4944.
        assert!((elo.low + 3.9).abs() < 0.1, "{elo:?}");
        let lost = tally([4, 0, 0, 0, 0], 0).elo();
        assert!((lost.low + elo.high).abs() < 1e-6 && (lost.high + elo.low).abs() < 1e-6, "{lost:?}");
    }

    #[test]
    fn nothing_played_says_nothing() {
        let elo = Tally::default().elo();
        assert_eq!(elo.elo, 0.0);
        assert!(elo.elo.is_sign_positive(), "-0 is not what a person writes");
        assert!(elo.low < -1000.0 && elo.high > 1000.0);
    }

    #[test]
    fn superiority_worked_by_hand() {
        // 120 pairs and the one between equals have the mean 68 / 121 = 0.561983 and the variance (10 * 0.561983^2
        // + 20 * 0.311983^2 + 40 * 0.061983^2 + 30 * 0.188017^2 + 20 * 0.438017^2 + 0.061983^2 + 0.125) / 121 = 0.085001:
        // the standard error is sqrt(0.085001 / 120) = 0.026615, and Phi(0.061983 / 0.026615) = Phi(2.3289) = 0.99007.
        let tally = tally([10, 20, 40, 30, 20], 80);
        assert!((tally.los() - 0.990_07).abs() < 1e-5, "{}", tally.los());
        // 0.5625 is 43.66 Elo, 0.561983 -+ 1.96 * 0.026615 are 6.82 and 80.74.
        let elo = tally.elo();
        assert!((elo.elo - 43.66).abs() < 0.01, "{elo:?}");
        assert!((elo.low - 6.82).abs() < 0.01 && (elo.high - 80.74).abs() < 0.01, "{elo:?}");
        // The other player's view.
        let other = Tally { pentanomial: [20, 30, 40, 20, 10], ..tally };
        assert!((tally.los() + other.los() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn superiority_of_few_pairs() {
        assert_eq!(Tally::default().los(), 0.5);
        for (pentanomial, los) in [
            // No pair leads.
            ([0, 0, 7, 0, 0], 0.5),
            // Between equals, three pairs above one half come up once in eight times, and half of that counts.
            ([0, 0, 0, 0, 3], 15.0 / 16.0),
            ([0, 0, 0, 3, 0], 15.0 / 16.0),
            ([3, 0, 0, 0, 0], 1.0 / 16.0),
            ([0, 3, 0, 0, 0], 1.0 / 16.0),
            // Pairs of one half each change nothing.
            ([0, 0, 1, 0, 3], 15.0 / 16.0),
            // Leads of 1/4 and 1/2: the sum is 3/4 or 1/4 either way.
            ([0, 0, 0, 1, 1], 7.0 / 8.0),
            ([0, 1, 0, 0, 1], 5.0 / 8.0),
        ] {
            assert_eq!(tally(pentanomial, pentanomial[1] + pentanomial[3]).los(), los, "{pentanomial:?}");
        }
    }

    /// All pentanomials of so many pairs.
    fn pentanomials(pairs: u32) -> Vec<[u32; 5]> {
        let base = pairs + 1;
        let all = (0..base.pow(5)).map(|n| [0, 1, 2, 3, 4].map(|place| n / base.pow(place) % base));
        all.filter(|pentanomial| pentanomial.iter().sum::<u32>() == pairs).collect()
    }

    #[test]
    fn a_pair_that_gets_worse_never_raises_the_likelihood() {
        for pentanomial in (1..=6).flat_map(pentanomials) {
            let los = |pentanomial| Tally { pentanomial, ..Tally::default() }.los();
            for place in (1..5).filter(|&place| pentanomial[place] > 0) {
                let mut worse = pentanomial;
                worse[place] -= 1;
                worse[place - 1] += 1;
                assert!(los(worse) <= los(pentanomial), "{worse:?} {pentanomial:?}");
            }
        }
    }

    #[test]
    fn the_likelihood_goes_on_evenly_where_pairs_are_many() {
        for pentanomial in [[8, 14, 30, 15, 13], [22, 0, 300, 0, 28], [0, 20, 0, 30, 0], [25, 0, 20, 0, 25]] {
            let tally = Tally { pentanomial, ..Tally::default() };
            assert_eq!(tally.pairs() - pentanomial[2], MANY_UNEVEN);
            let [exact, normal] = [tally.exact_los(), tally.normal_los()];
            assert!((exact - normal).abs() < 0.005, "{exact} {normal}");
        }
    }

    #[test]
    fn superiority_of_few_pairs_that_are_uneven_is_exact_however_many_are_even() {
        // Between equals the one pair is as often above one half as below.
        for (pentanomial, los) in [
            ([0, 0, 48, 0, 1], 0.75),
            ([0, 0, 49, 0, 1], 0.75),
            ([0, 0, 500, 1, 0], 0.75),
            ([1, 0, 500, 0, 0], 0.25),
            ([0, 0, 500, 0, 3], 15.0 / 16.0),
        ] {
            assert_eq!(Tally { pentanomial, ..Tally::default() }.los(), los, "{pentanomial:?}");
        }
    }

    #[test]
    fn all_won_is_never_worth_less_than_nearly_all() {
        for pairs in 1..=200 {
            let mut above = tally([0, 0, 0, 0, pairs], 0).elo().low;
            // One pair, worse from row to row.
            for place in [3, 2, 1, 0] {
                let mut pentanomial = [0, 0, 0, 0, pairs - 1];
                pentanomial[place] = 1;
                let low = tally(pentanomial, u32::from(place % 2 == 1)).elo().low;
                assert!(low <= above, "{pentanomial:?}: {low} {above}");
                above = low;
            }
        }
        // Where all are won the lower end is 421, with one game drawn 388, with one pair lost 264.
        for (pentanomial, low) in
            [([0, 0, 0, 0, 20], 421.0), ([0, 0, 0, 1, 19], 388.0), ([1, 0, 0, 0, 19], 264.5)]
        {
            let elo = tally(pentanomial, pentanomial[3]).elo();
            assert!((elo.low - low).abs() < 1.0, "{elo:?}");
        }
    }

    #[test]
    fn the_interval_holds_the_difference() {
        for pentanomial in (1..=6).flat_map(pentanomials) {
            let Elo { elo, low, high } = tally(pentanomial, pentanomial[1] + pentanomial[3]).elo();
            assert!(low <= elo && elo <= high, "{pentanomial:?}: {elo} in {low} to {high}");
        }
    }
}
