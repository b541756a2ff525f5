//! The figures of a generation, for every place they go to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What the workers of a run on many machines did in a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerFigures {
    /// Workers that were there at the end of the generation.
    pub workers: u32,
    /// Their threads.
    pub threads: u32,
    /// Games that were refused.
    pub refused: u64,
    /// Games that came more than once.
    pub twice: u64,
    /// Games that were given out again.
    pub again: u64,
    /// Workers that were shut out so far.
    pub shut_out: u32,
    /// Finished games that waited for the learner, at most.
    #[serde(default)]
    pub waiting: u64,
    /// Seconds from when a worker has heard of a net until it has loaded it, of the slowest worker.
    #[serde(default)]
    pub net_seconds: f64,
    /// Games a second of each worker.
    pub games_per_s: BTreeMap<String, f64>,
}

impl WorkerFigures {
    fn scalars(&self) -> impl Iterator<Item = (String, f64)> {
        let figures = [
            ("workers/count", f64::from(self.workers)),
            ("workers/threads", f64::from(self.threads)),
            ("workers/refused", self.refused as f64),
            ("workers/twice", self.twice as f64),
            ("workers/again", self.again as f64),
            ("workers/shut_out", f64::from(self.shut_out)),
            ("workers/waiting", self.waiting as f64),
            ("workers/net_seconds", self.net_seconds),
        ];
        let rates = self.games_per_s.iter().map(|(name, rate)| (format!("games_per_s/{name}"), *rate));
        figures.into_iter().map(|(tag, figure)| (tag.to_owned(), figure)).chain(rates)
    }
}

/// The device that learns, where that is not the processor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceFigures {
    /// As its driver calls it.
    pub name: String,
    /// Bytes of its memory that the net and its training hold, where they are known.
    pub bytes: Option<u64>,
    /// The share of the generation's wall time in which it learned, in `0..=1`.
    pub load: f64,
}

impl DeviceFigures {
    fn scalars(&self) -> impl Iterator<Item = (String, f64)> {
        let bytes = self.bytes.map(|bytes| ("device/bytes", bytes as f64));
        [("device/load", self.load)].into_iter().chain(bytes).map(|(tag, figure)| (tag.to_owned(), figure))
    }
}

/// One generation. `None` where a figure does not exist: no evaluation was due, nothing was learnt yet, or the games
/// were found on disk by a run that had been stopped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationReport {
    /// The generation.
    pub generation: u32,
    /// Positions played so far, quick searches counted.
    pub positions: u64,
    /// Games played so far.
    pub games: u64,
    /// Samples learnt so far.
    pub samples: u64,
    /// Seconds of wall time so far, evaluation apart.
    pub seconds: f64,
    /// Seconds of processor time so far, evaluation apart.
    pub cpu_seconds: f64,
    /// Seconds of this generation's self-play, since the generation before was played; with a lag they passed while that one was
    /// learnt.
    pub selfplay_seconds: Option<f64>,
    /// Seconds of processor time of the threads that played this generation; with a lag they are in `cpu_seconds` of the
    /// generations before. Unknown where other machines may play.
    #[serde(default)]
    pub selfplay_cpu_seconds: Option<f64>,
    /// Seconds of this generation's self-play in which the net was made ready, if it was on this machine.
    #[serde(default)]
    pub load_seconds: Option<f64>,
    /// Seconds of this generation's learning.
    pub learn_seconds: f64,
    /// The share of their time in which the threads of this machine waited, in `0..=1`.
    #[serde(default)]
    pub idle_share: Option<f64>,
    /// The device that learned, where that is not the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceFigures>,

    /// Cross-entropy of the policy, in nats.
    pub policy_loss: Option<f64>,
    /// Cross-entropy of win, draw and loss, in nats.
    pub value_loss: Option<f64>,
    /// The value loss of a net that expects the same of every position, the mean of the value targets, in nats.
    #[serde(default)]
    pub value_baseline: Option<f64>,
    /// Predicted less actual score in `-1..=1` units of q, on average: above zero where the network hopes too much.
    pub value_bias: Option<f64>,
    /// Cross-entropy of the opponent's reply, in nats.
    pub reply_loss: Option<f64>,
    /// Loss of the moves left.
    pub moves_left_loss: Option<f64>,
    /// Entropy of the network's policy on the samples learnt, in nats.
    pub policy_entropy: Option<f64>,
    /// Entropy of the search's policy, in nats.
    pub target_entropy: Option<f64>,
    /// KL divergence of the search's policy from the network's, in nats.
    pub policy_kl: Option<f64>,
    /// Share of the legal moves to which the network gives more than 1%, in `0..=1`.
    pub breadth: Option<f64>,
    /// How far a search moves the value, in `0..=2`.
    pub value_shift: Option<f64>,
    /// Expected calibration error of the searched value.
    pub calibration_error: f64,
    /// Mean global norm of the gradient before clipping.
    pub gradient_norm: Option<f64>,
    /// Learning rate at the end of the generation.
    pub learning_rate: Option<f64>,

    /// Plies a game.
    pub game_length: f64,
    /// Score of the player who moves first, in `0..=1`.
    pub first_score: f64,
    /// Share of draws.
    pub draws: f64,
    /// Share of each reason.
    pub reasons: BTreeMap<String, f64>,
    /// Share of wrong resignations at the boldest threshold that is allowed, or at the most careful one.
    pub resign_error: Option<f64>,
    /// The threshold allowed: an expected score below it resigns.
    pub resign_threshold: Option<f64>,

    /// Positions in the replay window.
    pub window: u64,
    /// Samples learnt for each position that teaches, so far.
    pub reuse: f64,
    /// Positions a second of self-play.
    pub positions_per_s: Option<f64>,
    /// Evaluations a second of self-play, cache hits counted.
    pub evaluations_per_s: Option<f64>,
    /// Samples a second of learning.
    pub samples_per_s: Option<f64>,
    /// Share of the evaluations that the cache answered, if there is one.
    pub cache_hits: Option<f64>,

    /// Score against `uniform`, in `0..=1`.
    pub score_uniform: Option<f64>,
    /// The differences in Elo from each evaluation to the next, summed since the run began.
    pub elo: Option<f64>,
    /// Seconds of wall time that the evaluation took, which are not among [`GenerationReport::seconds`].
    #[serde(default)]
    pub evaluation_seconds: Option<f64>,

    /// What workers on other machines did, where the run lets them take part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<WorkerFigures>,
}

impl GenerationReport {
    /// Every figure that has a curve, with its TensorBoard tag.
    pub fn scalars(&self) -> Vec<(String, f64)> {
        let figures = [
            ("loss/policy", self.policy_loss),
            ("loss/value", self.value_loss),
            ("loss/value_baseline", self.value_baseline),
            ("loss/reply", self.reply_loss),
            ("loss/moves_left", self.moves_left_loss),
            ("learn/learning_rate", self.learning_rate),
            ("learn/gradient_norm", self.gradient_norm),
            ("learn/samples_per_s", self.samples_per_s),
            ("policy/entropy", self.policy_entropy),
            ("policy/target_entropy", self.target_entropy),
            ("policy/search_kl", self.policy_kl),
            ("policy/breadth", self.breadth),
            ("value/calibration_error", Some(self.calibration_error)),
            ("value/search_shift", self.value_shift),
            ("value/bias", self.value_bias),
            ("games/length", Some(self.game_length)),
            ("games/first_score", Some(self.first_score)),
            ("games/draws", Some(self.draws)),
            ("games/resign_error", self.resign_error),
            ("games/resign_threshold", self.resign_threshold),
            ("replay/window", Some(self.window as f64)),
            ("replay/reuse", Some(self.reuse)),
            ("selfplay/positions_per_s", self.positions_per_s),
            ("selfplay/evaluations_per_s", self.evaluations_per_s),
            ("selfplay/cache_hits", self.cache_hits),
            ("threads/idle_share", self.idle_share),
            ("elo/score_uniform", self.score_uniform),
            ("elo/summed", self.elo),
            ("elo/evaluation_seconds", self.evaluation_seconds),
        ];
        let figures = figures.into_iter().filter_map(|(tag, figure)| Some((tag.to_owned(), figure?)));
        let reasons = self.reasons.iter().map(|(reason, share)| (format!("reason/{reason}"), *share));
        let workers = self.workers.iter().flat_map(WorkerFigures::scalars);
        let device = self.device.iter().flat_map(DeviceFigures::scalars);
        figures.chain(reasons).chain(device).chain(workers).collect()
    }
}

/// What stands in the columns of a report's line, which fits 80 columns.
pub const COLUMNS: &str = "generation   positions     games  plies  policy loss  value loss  positions/s";

impl std::fmt::Display for GenerationReport {
    /// One line for a person, below [`COLUMNS`]. What there is no figure for stays empty.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let figure = |figure: Option<f64>, digits: usize| {
            figure.map(|figure| format!("{figure:.digits$}")).unwrap_or_default()
        };
        write!(
            f,
            "{:>10}  {:>10}  {:>8}  {:>5.1}  {:>11}  {:>10}  {:>11}",
            self.generation,
            self.positions,
            self.games,
            self.game_length,
            figure(self.policy_loss, 3),
            figure(self.value_loss, 3),
            figure(self.positions_per_s, 0),
        )
    }
}

impl GenerationReport {
    /// What the evaluation found, one line for a person; `None` where there was none.
    pub fn evaluation(&self) -> Option<String> {
        let (score, elo) = (self.score_uniform?, self.elo?);
        let time = self.evaluation_seconds.map(|seconds| format!(" ({seconds:.1} s)")).unwrap_or_default();
        let score = 100.0 * score;
        Some(format!("evaluated: Elo {elo:+.0} since the start (summed), {score:.1}% against uniform{time}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_explained() {
        let page = include_str!("../../../docs/training.md");
        let mut figures = serde_json::to_value(GenerationReport::default()).unwrap();
        for figure in figures.as_object_mut().unwrap().values_mut().filter(|figure| figure.is_null()) {
            *figure = 0.5.into();
        }
        let report: GenerationReport = serde_json::from_value(figures).unwrap();
        let tags: Vec<String> = report.scalars().into_iter().map(|(tag, _)| tag).collect();
        assert!(tags.iter().any(|tag| tag == "loss/value_baseline"), "{tags:?}");
        for tag in tags {
            assert!(page.contains(&format!("`{tag}`")), "{tag}");
        }
    }

    #[test]
    fn a_line_stands_below_its_columns_and_fits() {
        let mut report = GenerationReport {
            generation: 123_456,
            positions: 1_234_567_890,
            games: 12_345_678,
            game_length: 123.4,
            policy_loss: Some(2.71),
            value_loss: Some(1.0),
            positions_per_s: Some(123_456.0),
            ..GenerationReport::default()
        };
        assert_eq!(report.to_string().len(), COLUMNS.len());
        const { assert!(COLUMNS.len() <= 80) };
        assert_eq!(report.evaluation(), None);
        (report.elo, report.score_uniform, report.evaluation_seconds) =
            (Some(-1818.0), Some(1.0), Some(123.4));
        let line = report.evaluation().expect("it was evaluated");
        assert!(line.contains("-1818 since") && line.contains("100.0% against uniform (123.4 s)"), "{line}");
        assert!(line.len() <= 80, "{line}");
    }
}
