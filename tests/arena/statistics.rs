//! The statistics of matches on simulated ones, of which the truth is known: their intervals hold it as often as
//! they say.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::arena::{Elo, Hypothesis, Meeting, N50, NodeScore, Ratings, Sprt, Tally, next_nodes};

type Rng = Xoshiro256PlusPlus;

/// How the games between two players go.
#[derive(Clone, Copy)]
struct Style {
    /// The share of draws between equals, in `0.0..=1.0`.
    draws: f64,
    /// How much an opening favours one colour, from 0 (not at all) to 1 (it decides the game).
    bias: f64,
}

/// Every game has a winner, and openings matter little.
const SHARP: Style = Style { draws: 0.0, bias: 0.1 };

/// Most games are drawn, and openings decide many of the others.
const DRAWISH: Style = Style { draws: 0.8, bias: 0.6 };

const BETWEEN: Style = Style { draws: 0.4, bias: 0.3 };

/// Every game has a winner, and openings do not matter.
const INDEPENDENT: Style = Style { draws: 0.0, bias: 0.0 };

impl Style {
    /// The half points of a player in a game in which the mean of his points is `score`.
    fn game(self, score: f64, rng: &mut Rng) -> u32 {
        let draw = self.draws * 2.0 * score.min(1.0 - score);
        let win = score - draw / 2.0;
        match rng.random::<f64>() {
            u if u < win => 2,
            u if u < win + draw => 1,
            _ => 0,
        }
    }

    /// Plays pairs in which the mean of both games' points is `score`.
    fn play(self, tally: &mut Tally, pairs: u32, score: f64, rng: &mut Rng) {
        for _ in 0..pairs {
            let bias = self.bias * score.min(1.0 - score) * rng.random_range(-1.0..1.0);
            let games = [self.game(score + bias, rng), self.game(score - bias, rng)];
            for half_points in games {
                match half_points {
                    0 => tally.losses += 1,
                    1 => tally.draws += 1,
                    _ => tally.wins += 1,
                }
            }
            tally.pentanomial[(games[0] + games[1]) as usize] += 1;
        }
    }

    fn tally(self, pairs: u32, score: f64, rng: &mut Rng) -> Tally {
        let mut tally = Tally::default();
        self.play(&mut tally, pairs, score, rng);
        tally
    }
}

fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Whether an interval holds the difference at which `score` is expected.
fn holds(interval: Elo, score: f64) -> bool {
    expected_score(interval.low) <= score && score <= expected_score(interval.high)
}

/// The share of `true` among `trials` answers.
fn share(trials: u32, mut trial: impl FnMut() -> bool) -> f64 {
    f64::from((0..trials).filter(|_| trial()).count() as u32) / f64::from(trials)
}

#[test]
fn a_player_is_its_own_equal_95_times_in_100() {
    for (seed, style, pairs) in [(1, SHARP, 100), (2, DRAWISH, 100), (3, SHARP, 50), (4, DRAWISH, 500)] {
        let mut rng = Rng::seed_from_u64(seed);
        let covered = share(10_000, || {
            let elo = style.tally(pairs, 0.5, &mut rng).elo();
            elo.low <= 0.0 && 0.0 <= elo.high
        });
        assert!((0.93..=0.97).contains(&covered), "seed {seed}: {covered}");
    }
}

#[test]
fn intervals_hold_any_true_difference_95_times_in_100() {
    for (seed, style, pairs, score) in [
        (1, SHARP, 100, 0.6),
        (2, DRAWISH, 100, 0.6),
        (3, BETWEEN, 50, 0.75),
        (4, DRAWISH, 50, 0.75),
        (5, SHARP, 500, 0.9),
        (6, DRAWISH, 100, 0.9),
        (7, INDEPENDENT, 40, 0.9),
    ] {
        let mut rng = Rng::seed_from_u64(seed);
        let covered = share(10_000, || holds(style.tally(pairs, score, &mut rng).elo(), score));
        assert!((0.925..=0.97).contains(&covered), "seed {seed}: {covered}");
    }
}

#[test]
fn pairs_that_hardly_ever_differ_claim_no_equality() {
    // Every opening decides its games, but for a few of which one is drawn.
    for (seed, pairs, share_of_odd) in [(1, 20, 0.1), (2, 40, 0.05), (3, 50, 0.1), (4, 100, 0.02)] {
        let mut rng = Rng::seed_from_u64(seed);
        let covered = share(10_000, || {
            let odd = (0..pairs).filter(|_| rng.random::<f64>() < share_of_odd).count() as u32;
            let pentanomial = [0, 0, pairs - odd, odd, 0];
            let tally = Tally { wins: pairs, draws: odd, losses: pairs - odd, pentanomial };
            holds(tally.elo(), 0.5 + 0.25 * share_of_odd)
        });
        assert!(covered >= 0.94, "seed {seed}: {covered}");
    }
}

#[test]
fn superiority_is_uniform_between_equals() {
    for (seed, style) in [(1, SHARP), (2, DRAWISH)] {
        let mut rng = Rng::seed_from_u64(seed);
        let los: Vec<f64> = (0..10_000).map(|_| style.tally(200, 0.5, &mut rng).los()).collect();
        for quantile in [0.05, 0.25, 0.75, 0.95] {
            let below = los.iter().filter(|&&los| los < quantile).count() as f64 / 1e4;
            assert!((below - quantile).abs() < 0.03, "seed {seed}: {below} below {quantile}");
        }
    }
}

#[test]
fn sprt_errs_as_rarely_as_asked() {
    let sprt = Sprt::new(0.0, 20.0);
    // Three standard errors of 5% in 2,000 trials.
    let tolerance = 3.0 * (0.05f64 * 0.95 / 2000.0).sqrt();
    for (seed, style) in [(1, SHARP), (2, DRAWISH)] {
        for (elo, wrong) in [(sprt.elo0, Hypothesis::H1), (sprt.elo1, Hypothesis::H0)] {
            let mut rng = Rng::seed_from_u64(seed);
            let errors = share(2000, || {
                let mut tally = Tally::default();
                loop {
                    style.play(&mut tally, 1, expected_score(elo), &mut rng);
                    if let Some(verdict) = sprt.verdict(&tally.pentanomial) {
                        return verdict == wrong;
                    }
                }
            });
            assert!(errors <= 0.05 + tolerance, "seed {seed}, {elo} Elo: {errors}");
            // It does not buy this with needless games.
            assert!(errors >= 0.025, "seed {seed}, {elo} Elo: {errors}");
        }
    }
}

#[test]
fn a_field_gets_its_ratings_back() {
    // Strong players draw more, so that one dispersion for the whole field would not do.
    const STRENGTHS: [f64; 8] = [0.0, 40.0, 130.0, 260.0, 300.0, 420.0, 500.0, 640.0];
    const STYLES: [Style; 3] = [SHARP, BETWEEN, DRAWISH];
    let mut rng = Rng::seed_from_u64(1);
    let (mut covered, mut count, mut error) = ([0u32; STRENGTHS.len()], 0u32, [0.0; STRENGTHS.len()]);
    while count < 1000 {
        count += 1;
        let mut meetings = Vec::new();
        for b in 0..STRENGTHS.len() {
            for a in 0..b {
                let score = expected_score(STRENGTHS[a] - STRENGTHS[b]);
                meetings.push(Meeting { a, b, tally: STYLES[(a + b) / 5].tally(20, score, &mut rng) });
            }
        }
        let ratings = Ratings::fit(STRENGTHS.len(), 0, &meetings);
        for (i, strength) in STRENGTHS.into_iter().enumerate() {
            let interval = ratings.interval(i);
            covered[i] += u32::from(interval.low <= strength && strength <= interval.high);
            error[i] += interval.elo - strength;
        }
    }
    let covered = covered.map(|n| f64::from(n) / f64::from(count));
    let overall = covered[1..].iter().sum::<f64>() / 7.0;
    assert!((0.93..=0.97).contains(&overall), "{covered:?}");
    // Three standard errors of 1,000 trials on either side.
    assert!(covered[1..].iter().all(|share| (0.91..=0.99).contains(share)), "{covered:?}");
    let bias = error.map(|sum| sum / f64::from(count));
    assert!(bias.iter().all(|bias| bias.abs() < 6.0), "{bias:?}");
}

#[test]
fn rounds_that_tell_most_find_the_order_of_a_ladder() {
    // Twelve players in steps of 150 Elo; only a few games are worth anything.
    const STEP: f64 = 150.0;
    let mut rng = Rng::seed_from_u64(1);
    let (mut chosen, mut drawn) = (0.0, 0.0);
    for _ in 0..20 {
        for (telling, width) in [(true, &mut chosen), (false, &mut drawn)] {
            let mut meetings: Vec<Meeting> = Vec::new();
            for _ in 0..10 {
                let ratings = Ratings::fit(12, 0, &meetings);
                let round = match telling {
                    true => ratings.most_telling_round(6, 5),
                    false => (0..6).map(|_| random_pairing(12, &mut rng)).collect(),
                };
                for (a, b) in round {
                    let score = expected_score((a as f64 - b as f64) * STEP);
                    meetings.push(Meeting { a, b, tally: BETWEEN.tally(5, score, &mut rng) });
                }
            }
            let ratings = Ratings::fit(12, 0, &meetings);
            *width += (1..12).map(|i| ratings.interval(i).high - ratings.interval(i).low).sum::<f64>();
        }
    }
    assert!(chosen < 0.85 * drawn, "{chosen} {drawn}");
}

fn random_pairing(players: usize, rng: &mut Rng) -> (usize, usize) {
    let a = rng.random_range(0..players);
    (a, (a + rng.random_range(1..players)) % players)
}

#[test]
fn n50_is_found_and_held_by_its_interval() {
    for (seed, style, elo_per_doubling) in [(1, SHARP, 100.0), (2, DRAWISH, 60.0), (3, BETWEEN, 150.0)] {
        const N50_TRUE: f64 = 30_000.0;
        let mut rng = Rng::seed_from_u64(seed);
        let mut factor = 0.0;
        let covered = share(1000, || {
            let mut node_scores = Vec::new();
            for _ in 0..12 {
                let nodes = next_nodes(&node_scores, 1000, 1..=10_000_000);
                let score = expected_score((N50_TRUE / nodes as f64).log2() * elo_per_doubling);
                node_scores.push(NodeScore { nodes, tally: style.tally(10, score, &mut rng) });
            }
            let n50 = N50::fit(&node_scores).unwrap();
            factor += (n50.nodes / N50_TRUE).log2();
            n50.low <= N50_TRUE && N50_TRUE <= n50.high
        });
        assert!((0.93..=0.97).contains(&covered), "seed {seed}: {covered}");
        assert!((factor / 1000.0).abs() < 0.05, "seed {seed}: {factor}");
    }
}
