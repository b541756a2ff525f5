//! One step after the other: samples in, better weights out.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    loss::{LossWeights, Losses, Scales},
    optimizer::{AdamWConfig, Trained, norm, sum},
    schedule::Schedule,
    shard::{Shared, Workers},
};
use crate::{
    encode::Shape,
    net::{
        Backend, Model, NetConfig, Sizes, Trainee,
        weights::{self, BadWeights, TensorFile, Width},
    },
    replay::Sample,
};

/// Samples of a step at most: they are in memory at once.
const MOST_SAMPLES: usize = 1 << 20;

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// Samples a step.
    pub batch: usize,
    /// Samples of one forward and backward pass; the batch's shards are spread over the threads. The sums of
    /// their gradients depend on this, but not on the number of threads. A batch should hold a multiple of
    /// `shard * threads`.
    pub shard: usize,
    /// The gradient of a step is scaled down to this length.
    pub max_gradient_norm: f32,
    /// How slowly the averaged weights, which play, follow the learned ones: about `1 / (1 - decay)` steps.
    pub average_decay: f32,
    /// The learning rate over the run.
    pub schedule: Schedule,
    /// The optimizer.
    pub adamw: AdamWConfig,
    /// What each loss counts.
    pub loss: LossWeights,
}

impl Default for LearnerConfig {
    /// Untuned, but for `shard`: on two cores 64 gave 0 to 10% more samples a second than 32.
    fn default() -> Self {
        LearnerConfig {
            batch: 256,
            shard: 64,
            max_gradient_norm: 3.0,
            average_decay: 0.995,
            schedule: Schedule::default(),
            adamw: AdamWConfig::default(),
            loss: LossWeights::default(),
        }
    }
}

impl LearnerConfig {
    /// Whether every value is in its range.
    ///
    /// # Errors
    /// Names the key and its range.
    pub fn validate(&self) -> Result<(), String> {
        let LearnerConfig { batch, shard, max_gradient_norm, average_decay, schedule, adamw, loss } = self;
        let check = |ok: bool, key: &str, value: f64, range: &str| {
            if ok { Ok(()) } else { Err(format!("learner.{key} = {value}: must {range}")) }
        };
        let positive = |key: &str, value: f32| {
            check(value > 0.0 && value.is_finite(), key, value.into(), "be above 0, and finite")
        };
        let not_negative = |key: &str, value: f32| {
            check(value >= 0.0 && value.is_finite(), key, value.into(), "be 0 or more, and finite")
        };
        let share =
            |key: &str, value: f32| check((0.0..1.0).contains(&value), key, value.into(), "lie in 0..1");
        check(*batch > 0, "batch", *batch as f64, "be at least 1")?;
        check(*shard > 0, "shard", *shard as f64, "be at least 1")?;
        check(*batch <= MOST_SAMPLES, "batch", *batch as f64, "be at most 1048576")?;
        check(*shard <= MOST_SAMPLES, "shard", *shard as f64, "be at most 1048576")?;
        positive("max_gradient_norm", *max_gradient_norm)?;
        share("average_decay", *average_decay)?;
        positive("schedule.peak", schedule.peak)?;
        check(
            (0.0..=1.0).contains(&schedule.last_fraction),
            "schedule.last_fraction",
            schedule.last_fraction.into(),
            "lie in 0..1",
        )?;
        share("adamw.beta1", adamw.beta1)?;
        share("adamw.beta2", adamw.beta2)?;
        positive("adamw.epsilon", adamw.epsilon)?;
        not_negative("adamw.weight_decay", adamw.weight_decay)?;
        not_negative("loss.value", loss.value)?;
        not_negative("loss.reply", loss.reply)?;
        not_negative("loss.moves_left", loss.moves_left)
    }
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    /// Steps so far, this one included.
    pub steps: u64,
    /// The learning rate it was made with.
    pub learning_rate: f32,
    /// Before the step.
    pub losses: Losses,
    /// Before clipping.
    pub gradient_norm: f64,
}

/// A loss, a gradient or a weight is infinite or not a number; the step was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("step {step}: loss, gradient or weights not finite: gradient norm {gradient_norm}, {losses:?}")]
pub struct NonFinite {
    /// The step that failed.
    pub step: u64,
    /// The losses.
    pub losses: Losses,
    /// The gradient's length.
    pub gradient_norm: f64,
}

/// Weights in training and all that a next step depends on.
pub struct Learner {
    config: LearnerConfig,
    model: Model,
    shape: Shape,
    trainee: Trainee,
    workers: Workers,
    decays: Vec<bool>,
    now: Trained,
    /// Where the next step is written before it is known to be finite.
    next: Trained,
    average: Vec<f32>,
    steps: u64,
}

/// What the state's bytes say beside the tensors.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct StateHeader {
    net: NetConfig,
    sizes: Sizes,
    steps: u64,
}

impl Learner {
    /// A learner that starts from `model`, on `threads` threads.
    ///
    /// # Panics
    /// When the model does not fit `shape`.
    pub fn new(config: LearnerConfig, model: &Model, shape: Shape, backend: Backend, threads: usize) -> Self {
        assert!(model.fits(&shape), "the model fits the game");
        let weights = model.weights().to_vec();
        // Weights are matrices; what is no matrix is a gain or a bias.
        let decays = model.layout().tensors().iter();
        let decays = decays.flat_map(|spec| std::iter::repeat_n(spec.shape.len() > 1, spec.len())).collect();
        Learner {
            trainee: Trainee::new(model, backend),
            workers: Workers::new(threads),
            decays,
            average: weights.clone(),
            now: Trained::new(weights.clone()),
            next: Trained::new(weights),
            steps: 0,
            model: model.clone(),
            config,
            shape,
        }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Threads that it learns on.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The weights as they are learned.
    pub fn model(&self) -> Model {
        self.model.with_weights(self.now.weights.clone())
    }

    /// The averaged weights, for self-play and play.
    pub fn averaged(&self) -> Model {
        self.model.with_weights(self.average.clone())
    }

    /// One step on `batch`, at the rate that the schedule has for `progress`, the part of the run that is
    /// done, in `0.0..=1.0`.
    ///
    /// # Errors
    /// When the loss, the gradient or a new weight is not finite; everything is then as it was before.
    ///
    /// # Panics
    /// When `batch` is empty, or a sample does not fit the shape.
    pub fn step(&mut self, batch: &[Sample], progress: f32) -> Result<StepReport, NonFinite> {
        let (losses, mut gradient) = self.gradient(batch);
        let gradient_norm = norm(&gradient);
        if !(gradient_norm.is_finite() && losses.total(&self.config.loss).is_finite()) {
            return Err(NonFinite { step: self.steps + 1, losses, gradient_norm });
        }
        let max = f64::from(self.config.max_gradient_norm);
        if gradient_norm > max {
            let scale = (max / gradient_norm) as f32;
            gradient.par_iter_mut().for_each(|g| *g *= scale);
        }
        let learning_rate = self.config.schedule.rate(self.steps, progress);
        let step = self.steps + 1;
        let Learner { config, now, next, decays, .. } = self;
        now.step(&config.adamw, step, learning_rate, &gradient, decays, next);
        if !next.weights.par_iter().all(|weight| weight.is_finite()) {
            return Err(NonFinite { step, losses, gradient_norm });
        }
        std::mem::swap(now, next);
        self.steps = step;
        self.follow();
        Ok(StepReport { steps: self.steps, learning_rate, losses, gradient_norm })
    }

    /// Losses and gradient of `batch` at the present weights, in the order of the model's layout.
    pub(super) fn gradient(&self, batch: &[Sample]) -> (Losses, Vec<f32>) {
        let shared = Shared {
            net: self.trainee.at(&self.now.weights),
            shape: &self.shape,
            loss_weights: &self.config.loss,
            scales: Scales::new(batch),
        };
        let shards: Vec<&[Sample]> = batch.chunks(self.config.shard.max(1)).collect();
        let results = self.workers.run(&shared, &shards);
        let mut losses = Losses::default();
        results.iter().for_each(|shard| losses.add(&shard.losses));
        // Floating point sums depend on their order, and this one is fixed.
        let gradients: Vec<&[f32]> = results.iter().map(|shard| &shard.gradient[..]).collect();
        (losses, sum(&gradients))
    }

    /// Moves the averaged weights; early steps count more, so that the random start is forgotten.
    fn follow(&mut self) {
        let early = (1 + self.steps) as f32 / (10 + self.steps) as f32;
        let decay = self.config.average_decay.min(early);
        self.average.par_iter_mut().zip(&self.now.weights).for_each(|(average, &weight)| {
            *average += (1.0 - decay) * (weight - *average);
        });
    }

    /// Everything that the next step depends on, but the samples and the config, as safetensors.
    pub fn state_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_string(&self.header(self.steps)).expect("a plain struct");
        let tensors = self.parts().into_iter().flat_map(|(prefix, values)| {
            let tensors = self.model.layout().split(values);
            tensors.map(move |(spec, values)| (format!("{prefix}{}", spec.name), &spec.shape[..], values))
        });
        weights::write(tensors, header, Width::Single)
    }

    /// Goes on from what [`Learner::state_bytes`] wrote: the next step is the one that would have followed.
    ///
    /// # Errors
    /// Names what is wrong: another net, or a tensor; the learner is then as it was before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), BadWeights> {
        let file = TensorFile::new(bytes)?;
        let header: StateHeader =
            serde_json::from_str(file.metadata()).map_err(|error| BadWeights::Metadata(error.to_string()))?;
        if header != self.header(header.steps) {
            let StateHeader { net, sizes, .. } = header;
            let here = self.model.net();
            return Err(BadWeights::Metadata(format!(
                "{net} with {sizes}, not {here} with {}",
                self.model.sizes()
            )));
        }
        let layout = self.model.layout();
        let [weights, average, mean, square] = PARTS.map(|prefix| layout.read(&file, prefix));
        (self.now, self.average) = (Trained { weights: weights?, mean: mean?, square: square? }, average?);
        self.steps = header.steps;
        Ok(())
    }

    fn header(&self, steps: u64) -> StateHeader {
        StateHeader { net: self.model.net().clone(), sizes: self.model.sizes(), steps }
    }

    fn parts(&self) -> [(&'static str, &[f32]); 4] {
        let [weights, average, mean, square] = PARTS;
        [
            (weights, &self.now.weights),
            (average, &self.average),
            (mean, &self.now.mean),
            (square, &self.now.square),
        ]
    }
}

const PARTS: [&str; 4] = ["weights.", "average.", "mean.", "square."];
