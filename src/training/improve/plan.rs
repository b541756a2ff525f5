//! What the next cycle does, by what the cycles before it gained.

use serde::{Deserialize, Serialize};

use super::cycle::{CycleReport, Kept};
use crate::net::{NetConfig, SparseConfig};

/// The rate of the first cycle as a part of the config's peak. At a quarter of the peak half an hour gained 50 to 90 Elo on
/// the full boards (2026-11).
const FIRST_RATE: f64 = 0.25;
/// Runs of a cycle, which share its time. In minishogi the mean of two runs of five minutes and the net that they began
/// with gained 59 Elo (1,000 games), that of one run of ten minutes 28 (2026-11).
pub(super) const RUNS: u32 = 2;
/// The rate of a cycle that begins with a wider net: its new weights have everything to learn.
const WIDENED_RATE: f64 = 0.5;
/// The lowest rate. Untuned.
const LOWEST_RATE: f64 = 1.0 / 64.0;
/// Cycles without a gain after which a wider net is tried.
const PATIENCE: u32 = 2;
/// No net is made wider than this: there self-play takes as long as learning gains. Untuned.
const WIDEST: usize = 1024;
/// A cycle with a wider net, and those after one that gained nothing, last longer by this factor.
const LONGER: f64 = 2.0;

/// How a net is improved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImproveConfig {
    /// Minutes of self-play and learning in the first cycle.
    pub cycle_minutes: f64,
    /// Games of a match at most; its sequential test may end it earlier.
    pub games: u32,
    /// Nodes a move in these games; simulations for a tower.
    pub nodes: u32,
}

impl Default for ImproveConfig {
    fn default() -> Self {
        ImproveConfig { cycle_minutes: 30.0, games: 400, nodes: 4000 }
    }
}

/// What a cycle does.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The highest learning rate, as a part of the config's.
    pub rate: f64,
    /// The net that learns: as wide as the one that the cycle begins with, or wider.
    pub net: NetConfig,
    /// Minutes of wall time for self-play and learning.
    pub minutes: f64,
    /// The runs that share the cycle's time and threads. A wider net has one: the new weights of two have no mean.
    pub runs: u32,
}

impl Step {
    /// The step after `cycles`, which begins with a `learner` net. The first promising cycle is neither a gain nor a failure:
    /// the next one goes on as it did. Another one after that is a failure: more of the same does not pass the test. In
    /// minishogi it did not in four cycles (2026-11).
    pub fn next(config: &ImproveConfig, cycles: &[CycleReport], learner: &NetConfig) -> Self {
        let (mut rate, mut minutes, mut failures) = (FIRST_RATE, config.cycle_minutes, 0);
        // Promising cycles in a row, with the same net.
        let (mut promising, mut net) = (0, None);
        for cycle in cycles {
            let is_same = net.replace(&cycle.net) == Some(&cycle.net);
            promising = match cycle.promising {
                Some(_) if is_same => promising + 1,
                Some(_) => 1,
                None => 0,
            };
            let has_failed = cycle.kept == Kept::Best && promising != 1;
            match (has_failed, cycle.widened) {
                (false, true) => (rate, failures) = (FIRST_RATE, 0),
                (false, false) if promising == 1 => {}
                (false, false) => failures = 0,
                // The wider net is given up.
                (true, true) if promising == 0 => {
                    (rate, minutes, failures) = (FIRST_RATE, minutes * LONGER, 0)
                }
                (true, _) => (rate, failures) = ((rate / 2.0).max(LOWEST_RATE), failures + 1),
            }
        }
        match wider(learner).filter(|_| failures >= PATIENCE && promising != 1) {
            Some(net) => Step { rate: WIDENED_RATE, net, minutes: minutes * LONGER, runs: 1 },
            None => Step { rate, net: learner.clone(), minutes, runs: RUNS },
        }
    }
}

/// The next wider net, where there is one.
fn wider(net: &NetConfig) -> Option<NetConfig> {
    match net {
        NetConfig::Sparse(sparse) if 2 * sparse.hidden <= WIDEST => {
            Some(NetConfig::Sparse(SparseConfig { hidden: 2 * sparse.hidden, ..sparse.clone() }))
        }
        NetConfig::Sparse(_) | NetConfig::Conv(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(cycles: &[(Kept, bool)]) -> (f64, usize, f64) {
        let report =
            |&(kept, widened): &(Kept, bool)| CycleReport { kept, widened, ..CycleReport::default() };
        after_reports(cycles.iter().map(report).collect())
    }

    fn after_reports(cycles: Vec<CycleReport>) -> (f64, usize, f64) {
        let best: NetConfig = "sparse-512-attacks".parse().unwrap();
        let config = ImproveConfig { cycle_minutes: 10.0, ..ImproveConfig::default() };
        let Step { rate, net, minutes, .. } = Step::next(&config, &cycles, &best);
        let NetConfig::Sparse(net) = net else { panic!("it is sparse") };
        (rate, net.hidden, minutes)
    }

    #[test]
    fn the_rate_halves_where_nothing_is_gained_and_then_the_net_widens() {
        let (best, mean) = ((Kept::Best, false), (Kept::Mean, false));
        assert_eq!(after(&[]), (0.25, 512, 10.0));
        assert_eq!(after(&[mean, mean]), (0.25, 512, 10.0));
        assert_eq!(after(&[mean, best]), (0.125, 512, 10.0));
        assert_eq!(after(&[best, mean, best]), (0.0625, 512, 10.0), "not two in a row");
        assert_eq!(after(&[best, best]), (0.5, 1024, 20.0));
        assert_eq!(after(&[best, best, (Kept::Best, true)]), (0.25, 512, 20.0), "longer cycles");
        assert_eq!(after(&[best, best, (Kept::Trained, true)]), (0.25, 512, 10.0));
    }

    #[test]
    fn a_promising_net_is_trained_on_as_before() {
        let failed = CycleReport { kept: Kept::Best, ..CycleReport::default() };
        let promising = CycleReport { promising: Some(Kept::Mean), ..failed.clone() };
        let wide = CycleReport { widened: true, net: "sparse-1024-attacks".to_owned(), ..promising.clone() };
        assert_eq!(after_reports(vec![promising.clone()]), (0.25, 512, 10.0));
        // A row of them leads on as failures do.
        assert_eq!(after_reports(vec![promising.clone(); 2]), (0.125, 512, 10.0));
        assert_eq!(after_reports(vec![promising.clone(); 3]), (0.5, 1024, 20.0));
        assert_eq!(after_reports(vec![failed.clone(), promising.clone()]), (0.125, 512, 10.0));
        let again = vec![failed.clone(), promising.clone(), failed.clone()];
        assert_eq!(after_reports(again.clone()), (0.5, 1024, 20.0));
        // The learner is then the wider one.
        assert_eq!(after_reports([again.clone(), vec![wide.clone()]].concat()), (0.25, 512, 10.0));
        assert_eq!(after_reports([again, vec![wide.clone(); 2]].concat()), (0.125, 512, 10.0));
        let row = vec![promising.clone(); 3];
        assert_eq!(after_reports([row, vec![wide]].concat()), (0.25, 512, 10.0), "of two widths");
        let two = vec![failed.clone(), failed, promising];
        assert_eq!(after_reports(two), (0.0625, 512, 10.0), "it goes on before a wider one is tried");
    }

    #[test]
    fn the_widest_net_and_towers_stay_as_they_are() {
        let failed = CycleReport { kept: Kept::Best, ..CycleReport::default() };
        for net in ["sparse-1024-attacks", "4x32"] {
            let net: NetConfig = net.parse().unwrap();
            let cycles = vec![failed.clone(); 12];
            let step = Step::next(&ImproveConfig::default(), &cycles, &net);
            assert_eq!((step.net, step.rate), (net, LOWEST_RATE));
        }
    }
}
