//! N50: the opponent's node count at which a net scores 50%.

use super::{
    Tally,
    logistic::{ELO_PER_LOGIT, log_likelihood, sigmoid},
    normal::Z95,
    root::{bisect, root_of_decreasing},
    spread::Spread,
};
use crate::base::maths::{exp2, ln, log2};

/// What a doubling of the opponent's nodes is worth before any game, in Elo: mean and standard deviation of a
/// normal distribution. Tripling Fairy-Stockfish's nodes between 30 and 3,000 was measured to score 62-85%,
/// which is 55 to 190 Elo a doubling.
const PRIOR_SLOPE: (f64, f64) = (100.0, 40.0);

/// More nodes are never worse: the slopes that are considered at all, in Elo per doubling.
const SLOPES: (f64, f64) = (10.0, 400.0);

/// How many doublings beyond the counts played an end of the interval is searched.
const REACH: f64 = 40.0;

/// Centre and slope.
const PARAMETERS: f64 = 2.0;

/// Weight in pairs of a dispersion of 1, that of independent wins and losses.
const DISPERSION_WEIGHT: f64 = 2.0;

/// What a net scored against an opponent that searches `nodes` nodes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeScore {
    /// Nodes of the opponent, at least one.
    pub nodes: u64,
    /// The results from the net's view.
    pub tally: Tally,
}

/// The node count of an opponent against which a net scores 50%, with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct N50 {
    /// The most likely count. Infinite when the net made every point, 0 when it made none: the counts played say
    /// nothing of where the other side of it lies.
    pub nodes: f64,
    /// The lower end of the interval; 0 when it is open, as when the net made no point.
    pub low: f64,
    /// The upper end of the interval; infinite when it is open, as when the net made every point.
    pub high: f64,
    /// What doubling the opponent's nodes is worth to it, in Elo.
    pub elo_per_doubling: f64,
}

impl N50 {
    /// Fits the score as a logistic curve in the logarithm of the nodes. `None` without any game.
    ///
    /// The opponent gains the same Elo with every doubling; its prior is normal, 100 with a standard deviation of
    /// 40, so that one count alone gives an estimate already. The likelihood is divided by the dispersion of the
    /// pairs around the curve, and the interval is that of the profile likelihood: the counts at which the best
    /// curve is not rejected at 5%. When all games were won, or all lost, nothing is known of the spread: a pair
    /// then counts as one game, and the end is where that many wins would come up in 2.5% of the trials.
    pub fn fit(node_scores: &[NodeScore]) -> Option<N50> {
        let points: Vec<Point> =
            node_scores.iter().filter(|node_score| node_score.tally.games() > 0).map(Point::of).collect();
        let all = |score: f64| points.iter().all(|point| point.score == score);
        if points.is_empty() {
            None
        } else if all(1.0) || all(0.0) {
            Some(one_sided(&Curves { points, dispersion: 2.0 }))
        } else {
            let mut curves = Curves { points, dispersion: 1.0 };
            curves.dispersion = curves.spread(curves.best_centre()).dispersion(1.0, DISPERSION_WEIGHT);
            Some(two_sided(&curves))
        }
    }
}

fn two_sided(curves: &Curves) -> N50 {
    let centre = curves.best_centre();
    let (lowest, highest) = curves.reach();
    let height = curves.height(centre) - Z95 * Z95 / 2.0;
    let low = curves.leave(centre, lowest, height).map_or(0.0, exp2);
    let high = curves.leave(centre, highest, height).map_or(f64::INFINITY, exp2);
    let elo_per_doubling = curves.best_slope(centre) * ELO_PER_LOGIT;
    N50 { nodes: exp2(centre), low, high, elo_per_doubling }
}

/// Every game won, or every game lost: the likelihood rises to 1 without end on one side.
fn one_sided(curves: &Curves) -> N50 {
    let (lowest, highest) = curves.reach();
    let height = ln(0.025);
    let (nodes, low, high) = if curves.points[0].score > 0.5 {
        let low = curves.leave(highest, lowest, height).map_or(0.0, exp2);
        (f64::INFINITY, low, f64::INFINITY)
    } else {
        let high = curves.leave(lowest, highest, height).map_or(f64::INFINITY, exp2);
        (0.0, 0.0, high)
    };
    N50 { nodes, low, high, elo_per_doubling: PRIOR_SLOPE.0 }
}

/// What was scored at one count, in one game at least.
struct Point {
    /// The logarithm to base 2 of the nodes.
    doublings: f64,
    games: f64,
    score: f64,
    tally: Tally,
}

impl Point {
    fn of(node_score: &NodeScore) -> Point {
        let tally = node_score.tally;
        Point {
            doublings: log2(node_score.nodes as f64),
            games: tally.games().into(),
            score: tally.score(),
            tally,
        }
    }
}

/// The curves that may describe some games. One is given by its centre, the logarithm to base 2 of N50, and its
/// slope, the log odds that a doubling of the nodes costs the net.
struct Curves {
    /// One at least.
    points: Vec<Point>,
    /// Variance of the pairs against that of independent wins and losses.
    dispersion: f64,
}

impl Curves {
    /// The lowest and the highest centre that are considered.
    fn reach(&self) -> (f64, f64) {
        let doublings = || self.points.iter().map(|point| point.doublings);
        (
            doublings().fold(f64::INFINITY, f64::min) - REACH,
            doublings().fold(f64::NEG_INFINITY, f64::max) + REACH,
        )
    }

    /// The most likely slope of a curve through `centre`.
    fn best_slope(&self, centre: f64) -> f64 {
        let (mean, deviation) = PRIOR_SLOPE;
        let prior = square(ELO_PER_LOGIT / deviation);
        root_of_decreasing(SLOPES.0 / ELO_PER_LOGIT, SLOPES.1 / ELO_PER_LOGIT, |slope| {
            let mut first = prior * (mean / ELO_PER_LOGIT - slope);
            let mut second = -prior;
            for point in &self.points {
                let above = centre - point.doublings;
                let p = sigmoid(slope * above);
                let games = point.games / self.dispersion;
                first += games * (point.score - p) * above;
                second -= games * p * (1.0 - p) * above * above;
            }
            (first, second)
        })
    }

    /// The log of the posterior of the best curve through `centre`: the profile.
    fn height(&self, centre: f64) -> f64 {
        let slope = self.best_slope(centre);
        let (mean, deviation) = PRIOR_SLOPE;
        let games = self.points.iter().map(|point| {
            let logit = slope * (centre - point.doublings);
            point.games * log_likelihood(point.score, logit)
        });
        games.sum::<f64>() / self.dispersion - square((slope * ELO_PER_LOGIT - mean) / deviation) / 2.0
    }

    /// Where the profile is highest: there the best curve expects as many points as were made. It has no other
    /// top, as the posterior is concave in the slope and its product with the centre.
    fn best_centre(&self) -> f64 {
        let (lowest, highest) = self.reach();
        bisect(lowest, highest, |centre| {
            let slope = self.best_slope(centre);
            let surplus = self.points.iter().map(|point| {
                let expected = sigmoid(slope * (centre - point.doublings));
                point.games * (point.score - expected)
            });
            surplus.sum::<f64>() > 0.0
        })
    }

    /// Where the profile falls below `height` on the way from its top to `end`, if it does.
    fn leave(&self, top: f64, end: f64, height: f64) -> Option<f64> {
        (self.height(end) < height).then(|| bisect(top, end, |centre| self.height(centre) >= height))
    }

    /// The spread of the pairs around the best curve through `centre`.
    fn spread(&self, centre: f64) -> Spread {
        let slope = self.best_slope(centre);
        let pairs: u32 = self.points.iter().map(|point| point.tally.pairs()).sum();
        let mut sum = Spread::default();
        for point in &self.points {
            let expected = sigmoid(slope * (centre - point.doublings));
            let fitted = PARAMETERS * f64::from(point.tally.pairs()) / f64::from(pairs.max(1));
            sum += Spread::of(&point.tally, expected, fitted);
        }
        sum
    }
}

fn square(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node_score(nodes: u64, pentanomial: [u32; 5]) -> NodeScore {
        let [lost, _, split, _, won] = pentanomial;
        let (wins, losses) = (2 * won + split + pentanomial[3], 2 * lost + split + pentanomial[1]);
        NodeScore {
            nodes,
            tally: Tally { wins, draws: pentanomial[1] + pentanomial[3], losses, pentanomial },
        }
    }

    #[test]
    fn even_at_one_count() {
        // 200 binomial pairs: the standard error is 2 / sqrt(400) log odds = 17.37 Elo. Half the deviance at a
        // centre m doublings away is (m s / 17.37)^2 / 2 + ((s - 100) / 40)^2 / 2, least at that slope s where it is
        // 100^2 / 2 / (40^2 + (17.37 / m)^2); that is 1.96^2 / 2 at m = 17.37 / sqrt((100 / 1.96)^2 - 40^2) = 0.5487.
        let n50 = N50::fit(&[node_score(1000, [50, 0, 100, 0, 50])]).unwrap();
        assert!((n50.nodes - 1000.0).abs() < 0.01, "{n50:?}");
        assert!((n50.elo_per_doubling - 100.0).abs() < 0.1, "{n50:?}");
        assert!((n50.low - 1000.0 * (-0.5487f64).exp2()).abs() < 5.0, "{n50:?}");
        assert!((n50.low * n50.high - 1e6).abs() < 1e3, "symmetric on the logarithm: {n50:?}");
    }

    #[test]
    fn the_slope_is_learnt() {
        // 1/11 and 10/11 are 400 Elo to either side of 50%: 800 Elo in four doublings, with all pairs binomial.
        let n50 =
            N50::fit(&[node_score(4000, [10, 0, 200, 0, 1000]), node_score(64_000, [1000, 0, 200, 0, 10])])
                .unwrap();
        assert!((n50.nodes - 16_000.0).abs() < 1.0, "{n50:?}");
        assert!((n50.elo_per_doubling - 200.0).abs() < 10.0, "{n50:?}");
        assert!(n50.low > 14_500.0 && n50.high < 17_500.0, "{n50:?}");
    }

    #[test]
    fn one_count_is_carried_on_with_the_prior() {
        // 10/11 of the points are 400 Elo, four doublings of 100.
        let n50 = N50::fit(&[node_score(1000, [1, 0, 20, 0, 100])]).unwrap();
        assert!((n50.nodes - 16_000.0).abs() < 50.0, "{n50:?}");
        assert!(n50.low > 2000.0 && n50.low < 9000.0, "{n50:?}");
        // The slope may well be half as large: then it is eight doublings.
        assert!(n50.high > 256_000.0 && n50.high.is_finite(), "{n50:?}");
    }

    #[test]
    fn all_won_and_all_lost_are_open() {
        let won = N50::fit(&[node_score(1000, [0, 0, 0, 0, 4])]).unwrap();
        assert_eq!((won.nodes, won.high), (f64::INFINITY, f64::INFINITY));
        // The score at which four pairs are all won in 2.5% of the trials is 0.3976, 72 Elo below 50%.
        assert!(won.low > 400.0 && won.low < 1000.0 * 0.5f64.powf(0.72), "{won:?}");
        let lost = N50::fit(&[node_score(1000, [4, 0, 0, 0, 0])]).unwrap();
        assert_eq!((lost.nodes, lost.low), (0.0, 0.0));
        assert!((lost.high * won.low - 1e6).abs() < 10.0, "{lost:?}");
        // More wins, more certainty.
        assert!(N50::fit(&[node_score(1000, [0, 0, 0, 0, 40])]).unwrap().low > 1000.0);
    }

    #[test]
    fn nearly_all_won_is_close_to_all_won() {
        let n50 = N50::fit(&[node_score(1000, [0, 0, 0, 1, 39])]).unwrap();
        assert!(n50.nodes > 20_000.0 && n50.nodes.is_finite(), "{n50:?}");
        assert!(n50.low > 1000.0 && n50.low < n50.nodes, "{n50:?}");
    }

    #[test]
    fn a_score_that_rises_with_the_nodes_is_chance() {
        let n50 = N50::fit(&[node_score(1000, [1, 0, 2, 0, 0]), node_score(1500, [0, 0, 2, 0, 1])]).unwrap();
        assert!((1000.0..1500.0).contains(&n50.nodes), "{n50:?}");
        assert!(n50.elo_per_doubling > 10.0 && n50.elo_per_doubling < 100.0, "{n50:?}");
        assert!(n50.low < 500.0 && n50.high > 3000.0, "{n50:?}");
    }

    #[test]
    fn nothing_played() {
        assert_eq!(N50::fit(&[]), None);
        assert_eq!(N50::fit(&[node_score(100, [0; 5])]), None);
    }
}
