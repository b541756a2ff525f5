//! What the result of a match says about the difference in strength.

use std::{iter::repeat_n, ops::AddAssign};

use serde::Serialize;

use super::{
    logistic::elo,
    normal::{self, Z95},
    pairs::Distribution,
};
use crate::base::maths::pow;

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

/// From so many pairs on their mean is close enough to a normal distribution for a likelihood.
const MANY_PAIRS: u32 = 50;

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

/// A difference in Elo with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The most likely difference.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
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
    /// Always finite: scores are held within 0.001 of 0 and 1, which is 1200 Elo. Where every pair
    /// was won (or lost) twice, the pairs say nothing of their spread, and the near end of the interval is the
    /// exact one of a binomial: the score at which such a run would come up in 2.5% of matches. Without any
    /// pair the interval is everything. Below 20 pairs the interval is Student's.
    pub fn elo(&self) -> Elo {
        let (low, high) = self.score_interval();
        // A game without its pair counts for the score alone.
        let score = self.score();
        Elo { elo: elo(score), low: elo(low.min(score)), high: elo(high.max(score)) }
    }

    /// Likelihood of superiority: the probability, in `0.0..=1.0`, that the first player is the stronger one. From
    /// 50 pairs on it follows from the mean of the pairs and its standard error, after fishtest; with fewer it is exact.
    /// One half without any pair.
    pub fn los(&self) -> f64 {
        if self.pairs() < MANY_PAIRS {
            return self.exact_los();
        }
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
        let extreme = pow(0.025, 1.0 / f64::from(pairs));
        if self.pentanomial[4] == pairs {
            return (extreme, 1.0);
        }
        if self.pentanomial[0] == pairs {
            return (0.0, 1.0 - extreme);
        }
        let (mean, error) = self.mean();
        let margin = STUDENT95.get(pairs as usize - 1).unwrap_or(&Z95) * error;
        (mean - margin, mean + margin)
    }

    /// The mean score of the pairs with its standard error; there must be one. Pairs that came out alike say little of
    /// their spread, so one more pair is counted for it, with the spread between equals without draws.
    fn mean(&self) -> (f64, f64) {
        let (mean, error) = Distribution::of(&self.pentanomial).mean();
        let pairs = f64::from(self.pairs());
        let variance = (pairs * pairs * error * error + EQUALS_VARIANCE) / (pairs + 1.0);
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
        // 0.025^(1/4) = 0.3976
        assert!((elo.low + 72.1).abs() < 0.2, "{elo:?}");
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
        // 120 pairs with the mean 67.5 / 120 = 0.5625 and the variance (10 * 0.5625^2 + 20 * 0.3125^2
        // + 40 * 0.0625^2 + 30 * 0.1875^2 + 20 * 0.4375^2) / 120 = 0.084635, with the pair between equals
        // (120 * 0.084635 + 0.125) / 121 = 0.084969: the standard error is sqrt(0.084969 / 120) = 0.026610, and
        // Phi(0.0625 / 0.026610) = Phi(2.3488) = 0.99058.
        let tally = tally([10, 20, 40, 30, 20], 80);
        assert!((tally.los() - 0.990_58).abs() < 1e-5, "{}", tally.los());
        // 0.5625 is 43.66 Elo, 0.5625 -+ 1.96 * 0.026610 are 7.19 and 81.11.
        let elo = tally.elo();
        assert!((elo.elo - 43.66).abs() < 0.01, "{elo:?}");
        assert!((elo.low - 7.19).abs() < 0.01 && (elo.high - 81.11).abs() < 0.01, "{elo:?}");
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
        for pentanomial in [[2, 8, 20, 9, 10], [0, 0, 45, 3, 1], [12, 0, 20, 0, 17], [1, 5, 20, 20, 3]] {
            let few = Tally { pentanomial, ..Tally::default() };
            let mut many = few;
            many.pentanomial[2] += 1;
            assert!(few.pairs() < MANY_PAIRS && many.pairs() == MANY_PAIRS);
            assert!((few.los() - many.los()).abs() < 0.015, "{} {}", few.los(), many.los());
        }
    }
}
