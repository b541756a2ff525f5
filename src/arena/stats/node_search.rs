//! How much thinking the opponent is given next, in the search for the count at which it scores 50%.

use std::ops::RangeInclusive;

use super::{N50, NodeScore};

/// The factor by which the count is raised or lowered until both a beaten and a winning opponent are known.
const STRIDE: u64 = 4;

/// The bracket is halved until its ends are closer than by this factor: about half a doubling, beyond which a
/// short match cannot tell which side of the middle it is on.
const NARROW: f64 = 1.5;

/// How far from the estimate games are sampled: half a doubling, where either side scores about 57%.
const OFFSET: f64 = std::f64::consts::SQRT_2;

/// The count in `range` to play against next, after `node_scores`; `start` when nothing was played.
///
/// Strides of four until the net beats one count and loses to a higher one; then the middle, on the logarithm,
/// of the highest count that it beats and the lowest that it loses to; and when these are close, or chance has
/// them the wrong way round, half a doubling below and above the estimate of all games, where fewer were played.
/// A net that beats the highest count of the range, or loses to the lowest, is sampled there.
///
/// # Panics
/// When `range` is empty.
pub fn next_nodes(node_scores: &[NodeScore], start: u64, range: RangeInclusive<u64>) -> u64 {
    let (min, max) = range.into_inner();
    let played = || node_scores.iter().filter(|node_score| node_score.tally.games() > 0);
    let beaten = played()
        .filter(|node_score| node_score.tally.score() >= 0.5)
        .map(|node_score| node_score.nodes)
        .max();
    let losing = played()
        .filter(|node_score| node_score.tally.score() <= 0.5)
        .map(|node_score| node_score.nodes)
        .min();
    let next = match (beaten, losing) {
        (None, None) => start,
        (Some(beaten), None) => beaten.saturating_mul(STRIDE),
        (None, Some(losing)) => losing / STRIDE,
        (Some(beaten), Some(losing)) if wide(beaten, losing) => {
            (beaten as f64 * losing as f64).sqrt().round() as u64
        }
        (Some(_), Some(_)) => beside_the_estimate(node_scores),
    };
    next.clamp(min, max)
}

/// Whether there is a count between these two, and reason to play it.
fn wide(beaten: u64, losing: u64) -> bool {
    losing > beaten + 1 && losing as f64 > NARROW * beaten as f64
}

fn beside_the_estimate(node_scores: &[NodeScore]) -> u64 {
    let estimate = N50::fit(node_scores).expect("both sides were played").nodes;
    let games = |below: bool| -> u32 {
        let side = node_scores.iter().filter(|node_score| ((node_score.nodes as f64) < estimate) == below);
        side.map(|node_score| node_score.tally.games()).sum()
    };
    let next = if games(true) <= games(false) { estimate / OFFSET } else { estimate * OFFSET };
    next.round() as u64
}

#[cfg(test)]
mod tests {
    use super::{super::Tally, *};

    const RANGE: RangeInclusive<u64> = 1..=1_000_000;

    /// Ten pairs against every count in turn, all won below `n50` and all lost above.
    fn counts(n50: u64, start: u64, steps: usize) -> Vec<u64> {
        let mut node_scores = Vec::new();
        for _ in 0..steps {
            let nodes = next_nodes(&node_scores, start, RANGE);
            let tally = if nodes < n50 {
                Tally { wins: 20, pentanomial: [0, 0, 0, 0, 10], ..Tally::default() }
            } else {
                Tally { losses: 20, pentanomial: [10, 0, 0, 0, 0], ..Tally::default() }
            };
            node_scores.push(NodeScore { nodes, tally });
        }
        node_scores.iter().map(|node_score| node_score.nodes).collect()
    }

    #[test]
    fn brackets_then_bisects() {
        // sqrt(4000 * 16000) = 8000, sqrt(8000 * 16000) = 11314, and the factor is then 1.41.
        assert_eq!(counts(10_000, 1000, 5), [1000, 4000, 16_000, 8000, 11_314]);
        assert_eq!(counts(100, 1000, 5), [1000, 250, 62, 124, 88]);
    }

    #[test]
    fn then_samples_both_sides_of_the_estimate() {
        let counts = counts(10_000, 1000, 25);
        let (below, above): (Vec<u64>, Vec<u64>) = counts.iter().partition(|&&nodes| nodes < 10_000);
        assert!(below.len().abs_diff(above.len()) <= 3, "{counts:?}");
        assert!(counts[5..].iter().all(|nodes| (5000..20_000).contains(nodes)), "{counts:?}");
    }

    #[test]
    fn stays_in_the_range() {
        assert_eq!(counts(u64::MAX, 100_000, 4), [100_000, 400_000, 1_000_000, 1_000_000]);
        assert_eq!(counts(1, 5, 3), [5, 1, 1]);
        assert_eq!(next_nodes(&[], 5, 10..=20), 10);
        // Between one node and two there is nothing.
        assert_eq!(counts(2, 2, 2), [2, 1]);
        assert!(counts(2, 2, 12)[2..].iter().all(|&nodes| nodes <= 3));
    }

    #[test]
    fn contradictions_and_even_scores_are_left_to_the_estimate() {
        let won = Tally { wins: 3, losses: 1, pentanomial: [0, 0, 1, 0, 1], ..Tally::default() };
        let lost = Tally { wins: 1, losses: 3, pentanomial: [1, 0, 1, 0, 0], ..Tally::default() };
        let even = Tally { wins: 2, losses: 2, pentanomial: [0, 0, 2, 0, 0], ..Tally::default() };
        let crossed = [NodeScore { nodes: 1000, tally: lost }, NodeScore { nodes: 2000, tally: won }];
        assert!((700..2900).contains(&next_nodes(&crossed, 1, RANGE)));
        let beside = next_nodes(&[NodeScore { nodes: 1000, tally: even }], 1, RANGE);
        assert!(beside == 707 || beside == 1414, "{beside}");
    }
}
