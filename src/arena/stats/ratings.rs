//! One rating list for a field of players who met in matches: Bradley and Terry's model.

use ndarray::{Array1, Array2};

use super::{
    Elo, Tally,
    logistic::{ELO_PER_LOGIT, expected_score, log_likelihood, sigmoid},
    normal::Z95,
    spread::Spread,
};

/// Standard deviation, in Elo, of the strengths in a field before any game: see [`Ratings::fit`].
const PRIOR_ELO: f64 = 1000.0;

/// The same as information per player, in units of the log odds.
const PRIOR: f64 = (ELO_PER_LOGIT / PRIOR_ELO) * (ELO_PER_LOGIT / PRIOR_ELO);

/// The weight in pairs of the dispersion 1 for the field, and of the field's for one meeting: with 10 pairs the
/// own spread of a meeting, known to within about 45%, counts as much as that of all the others.
const FIELD_WEIGHT: f64 = 2.0;
const MEETING_WEIGHT: f64 = 10.0;

/// All games between two players of a field, or some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The index of the player from whose view the tally is.
    pub a: usize,
    /// The index of the other player.
    pub b: usize,
    /// The results.
    pub tally: Tally,
}

/// The ratings of a field of players, with what is known of their errors.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The rating of every player in Elo; the anchor's is 0.
    pub elo: Vec<f64>,
    anchor: usize,
    /// Covariance of the errors in Elo squared, `[players, players]`, of ratings relative to the field's mean.
    covariance: Array2<f64>,
}

impl Ratings {
    /// The ratings of `players` players, relative to that of `anchor`.
    ///
    /// A player scores against another as the logistic curve of their difference says (Bradley and Terry 1952);
    /// a draw is half a win and half a loss. The prior is that the strengths are normal with a standard
    /// deviation of 1000 Elo about the mean of the field: players who won every game, and those without a game,
    /// have finite ratings and wide intervals, and a player with a hundred games is drawn to the mean by about
    /// one Elo in a thousand. The list does not depend on the choice of the anchor.
    ///
    /// The likelihood takes every game for an independent win or loss, the covariance does not: it is the
    /// sandwich of Huber (1967), with the spread of the pairs of every meeting around the fitted score in
    /// place of the binomial one. As a meeting may have few pairs, its dispersion is drawn to that of the
    /// whole field. So draws narrow the intervals, and results that fit no list widen them.
    ///
    /// # Panics
    /// When the anchor or a player of a meeting is not in `0..players`, or meets himself.
    pub fn fit(players: usize, anchor: usize, meetings: &[Meeting]) -> Ratings {
        assert!(anchor < players, "anchor {anchor} of {players} players");
        for Meeting { a, b, .. } in meetings {
            assert!(a.max(b) < &players && a != b, "a meeting of {a} and {b} among {players} players");
        }
        let logits = most_likely(players, meetings);
        let covariance = covariance(&logits, meetings) * ELO_PER_LOGIT * ELO_PER_LOGIT;
        let elo = logits.iter().map(|logit| (logit - logits[anchor]) * ELO_PER_LOGIT).collect();
        Ratings { elo, anchor, covariance }
    }

    /// The rating of player `i` with its 95% interval, both relative to the anchor.
    pub fn interval(&self, i: usize) -> Elo {
        self.difference(i, self.anchor)
    }

    /// By how much player `i` is stronger than player `j`, with the 95% interval.
    pub fn difference(&self, i: usize, j: usize) -> Elo {
        let elo = self.elo[i] - self.elo[j];
        let margin = Z95 * variance(&self.covariance, i, j).sqrt();
        Elo { elo, low: elo - margin, high: elo + margin }
    }

    /// The share of the points that player `i` should make against player `j`.
    pub fn expected_score(&self, i: usize, j: usize) -> f64 {
        expected_score(self.elo[i] - self.elo[j])
    }

    /// A round of `meetings` meetings of `pairs` pairs of games each, chosen one after the other, as if those before
    /// were already played: each time the two players, the one with the lower index first, whose next pair of games
    /// most reduces the determinant of the covariance (D-optimality). The same two may come again.
    pub fn most_telling_round(&self, meetings: usize, pairs: u32) -> Vec<(usize, usize)> {
        let mut covariance = self.covariance.clone();
        let choose = || {
            let (i, j) = self.most_telling_in(&covariance)?;
            self.foresee(&mut covariance, i, j, pairs);
            Some((i, j))
        };
        std::iter::repeat_with(choose).take(meetings).map_while(|pairing| pairing).collect()
    }

    /// Turns a covariance into the one after `pairs` pairs of games between `i` and `j` (Sherman and Morrison).
    fn foresee(&self, covariance: &mut Array2<f64>, i: usize, j: usize, pairs: u32) {
        let noise = 1.0 / (f64::from(pairs) * self.information_of_a_pair(i, j));
        let scale = 1.0 / (noise + variance(covariance, i, j));
        let along = &covariance.column(i) - &covariance.column(j);
        for ((row, column), entry) in covariance.indexed_iter_mut() {
            *entry -= scale * along[row] * along[column];
        }
    }

    fn most_telling_in(&self, covariance: &Array2<f64>) -> Option<(usize, usize)> {
        let gain = |&(i, j): &(usize, usize)| self.information_of_a_pair(i, j) * variance(covariance, i, j);
        let pairings = (0..self.elo.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairings.max_by(|a, b| gain(a).total_cmp(&gain(b)))
    }

    /// What two games between `i` and `j` are expected to tell of their difference, per Elo squared.
    fn information_of_a_pair(&self, i: usize, j: usize) -> f64 {
        let p = self.expected_score(i, j);
        2.0 * p * (1.0 - p) / (ELO_PER_LOGIT * ELO_PER_LOGIT)
    }
}

/// The variance of the difference of two ratings.
fn variance(covariance: &Array2<f64>, i: usize, j: usize) -> f64 {
    covariance[[i, i]] + covariance[[j, j]] - 2.0 * covariance[[i, j]]
}

/// The mode of the posterior in log odds, by Newton's method. The prior has its mean at zero, and so has the
/// result: the games tell of differences only.
fn most_likely(players: usize, meetings: &[Meeting]) -> Array1<f64> {
    let mut logits = Array1::zeros(players);
    let mut height = log_posterior(&logits, meetings);
    loop {
        let gradient = gradient(&logits, meetings);
        let mut step = inverse(information(&logits, meetings, |_| 1.0)).dot(&gradient);
        // What the step would gain if the posterior were normal, twice.
        if gradient.dot(&step) < 1e-12 {
            return logits;
        }
        // Far from the mode a full step may lead too far. The posterior is concave: a shorter one leads up.
        loop {
            let next = &logits + &step;
            let next_height = log_posterior(&next, meetings);
            if next_height > height {
                (logits, height) = (next, next_height);
                break;
            }
            // So short that no height can tell the difference.
            if step.dot(&step) < 1e-24 {
                return logits;
            }
            step /= 2.0;
        }
    }
}

fn log_posterior(logits: &Array1<f64>, meetings: &[Meeting]) -> f64 {
    let games = meetings.iter().map(|Meeting { a, b, tally }| {
        f64::from(tally.games()) * log_likelihood(tally.score(), logits[*a] - logits[*b])
    });
    games.sum::<f64>() - PRIOR / 2.0 * logits.dot(logits)
}

fn gradient(logits: &Array1<f64>, meetings: &[Meeting]) -> Array1<f64> {
    let mut gradient = logits * -PRIOR;
    for &Meeting { a, b, tally } in meetings {
        let surplus = f64::from(tally.games()) * (tally.score() - sigmoid(logits[a] - logits[b]));
        gradient[a] += surplus;
        gradient[b] -= surplus;
    }
    gradient
}

/// The information of one meeting on the difference of its players, for independent wins and losses.
fn information_of(logits: &Array1<f64>, meeting: &Meeting) -> f64 {
    let p = sigmoid(logits[meeting.a] - logits[meeting.b]);
    f64::from(meeting.tally.games()) * p * (1.0 - p)
}

/// Minus the second derivative of the posterior, with the part of meeting `m` times `weight(m)`.
fn information(logits: &Array1<f64>, meetings: &[Meeting], weight: impl Fn(usize) -> f64) -> Array2<f64> {
    let mut information = Array2::from_diag_elem(logits.len(), PRIOR);
    for (m, meeting) in meetings.iter().enumerate() {
        let &Meeting { a, b, .. } = meeting;
        let part = weight(m) * information_of(logits, meeting);
        information[[a, a]] += part;
        information[[b, b]] += part;
        information[[a, b]] -= part;
        information[[b, a]] -= part;
    }
    information
}

/// The sandwich: H^-1 V H^-1, where H is the information that the likelihood claims and V the variance of its
/// gradient, from the spread of the pairs.
fn covariance(logits: &Array1<f64>, meetings: &[Meeting]) -> Array2<f64> {
    let bread = inverse(information(logits, meetings, |_| 1.0));
    let spread = |meeting: &Meeting| {
        let &Meeting { a, b, tally } = meeting;
        // The share of one parameter that this meeting alone determines: its leverage.
        let fitted = information_of(logits, meeting) * variance(&bread, a, b);
        Spread::of(&tally, sigmoid(logits[a] - logits[b]), fitted)
    };
    let spreads: Vec<Spread> = meetings.iter().map(spread).collect();
    let mut field = Spread::default();
    for &spread in &spreads {
        field += spread;
    }
    let field = field.dispersion(1.0, FIELD_WEIGHT);
    let filling = information(logits, meetings, |m| spreads[m].dispersion(field, MEETING_WEIGHT));
    bread.dot(&filling).dot(&bread)
}

/// The inverse of a symmetric positive definite matrix, by Gauss and Jordan's elimination in place, which needs
/// no pivoting there.
fn inverse(mut matrix: Array2<f64>) -> Array2<f64> {
    for k in 0..matrix.nrows() {
        let pivot = 1.0 / matrix[[k, k]];
        matrix[[k, k]] = 1.0;
        let mut row = matrix.row_mut(k);
        row *= pivot;
        let row = row.to_owned();
        for i in (0..matrix.nrows()).filter(|&i| i != k) {
            let factor = std::mem::take(&mut matrix[[i, k]]);
            matrix.row_mut(i).scaled_add(-factor, &row);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A meeting that `a` won and lost so often, in pairs that were won or lost twice or split.
    fn meeting(a: usize, b: usize, pentanomial: [u32; 5]) -> Meeting {
        let wins = 2 * pentanomial[4] + pentanomial[3] + pentanomial[2];
        let losses = 2 * pentanomial[0] + pentanomial[1] + pentanomial[2];
        let draws = pentanomial[1] + pentanomial[3];
        Meeting { a, b, tally: Tally { wins, draws, losses, pentanomial } }
    }

    #[test]
    fn inverse_times_matrix_is_one() {
        let matrix = ndarray::array![[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]];
        let product = inverse(matrix.clone()).dot(&matrix);
        for ((i, j), entry) in product.indexed_iter() {
            assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-14, "{product}");
        }
    }

    #[test]
    fn two_players_agree_with_their_tally() {
        // 75%, binomial pairs: 9/16, 6/16, 1/16 of 160.
        let meeting = meeting(0, 1, [10, 0, 60, 0, 90]);
        let (ratings, tally) = (Ratings::fit(2, 1, &[meeting]), meeting.tally.elo());
        let rated = ratings.interval(0);
        assert!((rated.elo - tally.elo).abs() < 0.2, "{rated:?} {tally:?}");
        // The margin in Elo: 1.96 * 173.72 / sqrt(320 games * 3/16).
        assert!(((rated.high - rated.low) / 2.0 - 43.96).abs() < 0.3, "{rated:?}");
        assert!((ratings.expected_score(0, 1) - 0.75).abs() < 3e-4);
        assert_eq!((ratings.elo[1], ratings.interval(1).high), (0.0, 0.0));
    }

    #[test]
    fn pairs_that_split_narrow_the_interval_and_pairs_that_agree_widen_it() {
        let width = |pentanomial| {
            let interval = Ratings::fit(2, 0, &[meeting(0, 1, pentanomial)]).interval(1);
            interval.high - interval.low
        };
        let [binomial, split, agreeing] =
            [[250, 0, 500, 0, 250], [0, 0, 1000, 0, 0], [500, 0, 0, 0, 500]].map(width);
        assert!((agreeing / binomial - 2f64.sqrt()).abs() < 0.01, "{agreeing} {binomial}");
        assert!(split < 0.1 * binomial, "{split} {binomial}");
    }

    #[test]
    fn differences_do_not_depend_on_the_anchor() {
        let meetings =
            [meeting(0, 1, [1, 2, 9, 4, 8]), meeting(2, 1, [5, 1, 8, 0, 3]), meeting(3, 2, [0, 0, 3, 0, 7])];
        let [one, other] = [0, 3].map(|anchor| Ratings::fit(5, anchor, &meetings).difference(2, 0));
        assert!(
            (one.elo - other.elo).abs() < 1e-9 && (one.low - other.low).abs() < 1e-9,
            "{one:?} {other:?}"
        );
    }

    #[test]
    fn whitewashes_and_strangers_are_finite() {
        let ratings = Ratings::fit(4, 0, &[meeting(1, 0, [0, 0, 0, 0, 50]), meeting(2, 1, [0, 0, 0, 0, 50])]);
        let [won, again, stranger] = [1, 2, 3].map(|i| ratings.interval(i));
        assert!(won.elo > 600.0 && again.elo > won.elo + 600.0 && again.elo < 4000.0, "{won:?} {again:?}");
        assert!(won.low > 200.0 && won.low < won.elo - 200.0, "{won:?}");
        // A player without a game: the middle of the field, but for what that is uncertain itself.
        let middle = (won.elo + again.elo) / 3.0;
        assert!((stranger.elo - middle).abs() < 1.0, "{stranger:?} {middle}");
        assert!(stranger.high - stranger.elo > Z95 * PRIOR_ELO, "{stranger:?}");
    }

    #[test]
    fn nobody_played() {
        let ratings = Ratings::fit(3, 1, &[]);
        assert_eq!(ratings.elo, [0.0; 3]);
        // The difference of two strengths: 1.96 * 1000 * sqrt(2).
        assert!((ratings.interval(0).high - 2771.8).abs() < 0.1);
    }

    #[test]
    fn the_least_known_of_close_players_meet() {
        let known = [0, 0, 200, 0, 200];
        // 0 and 1 are known and close to each other, 2 is known and far stronger, 3 is new.
        let meetings = [
            meeting(1, 0, [100, 0, 200, 0, 100]),
            meeting(2, 1, known),
            meeting(2, 0, known),
            meeting(3, 0, [1, 0, 2, 0, 1]),
        ];
        let ratings = Ratings::fit(4, 0, &meetings);
        let [(i, j)] = ratings.most_telling_round(1, 10)[..] else { panic!("one meeting") };
        assert!(i < 2 && j == 3, "{i} {j}");
    }

    #[test]
    fn a_round_spreads_over_those_who_are_unknown() {
        let ratings = Ratings::fit(6, 0, &[]);
        let round = ratings.most_telling_round(5, 10);
        // Five meetings connect six players only if each brings a new one.
        let mut joined = [0, 1, 2, 3, 4, 5];
        for (i, j) in round {
            let (from, to) = (joined[j], joined[i]);
            joined.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
        assert_eq!(joined, [joined[0]; 6]);
        assert!(Ratings::fit(1, 0, &[]).most_telling_round(3, 10).is_empty(), "nobody meets himself");
    }

    #[test]
    fn what_is_foreseen_comes_true() {
        let before = Ratings::fit(3, 0, &[meeting(1, 2, [5, 0, 10, 0, 5])]);
        let mut foreseen = before.covariance.clone();
        before.foresee(&mut foreseen, 0, 1, 100);
        let even = meeting(0, 1, [25, 0, 50, 0, 25]);
        let after = Ratings::fit(3, 0, &[meeting(1, 2, [5, 0, 10, 0, 5]), even]).covariance;
        for (foreseen, came) in foreseen.iter().zip(&after) {
            assert!((foreseen / came - 1.0).abs() < 0.02, "{foreseen} {came}");
        }
    }
}
