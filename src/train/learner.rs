//! One step after the other: samples in, better weights out.

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use super::{
    loss::{LossWeights, Losses},
    optimizer::{AdamWConfig, Optimizer, Stride, Trained, norm},
    schedule::Schedule,
    teacher::Teacher,
};
use crate::{
    encode::Shape,
    net::{
        Backend, Model, NetConfig, Sizes,
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
    /// Samples of one forward and backward pass in burn, where a tower learns; the batch's shards are spread over the
    /// threads. The sums of their gradients depend on this, but not on the number of threads. A batch should hold a
    /// multiple of `shard * threads`. A sparse net on a processor learns a batch as one, and this means nothing to it.
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
        let decay_from = schedule.decay_from;
        check((0.0..=1.0).contains(&decay_from), "schedule.decay_from", decay_from.into(), "lie in 0..1")?;
        check(
            (0.0..=1.0).contains(&schedule.last_fraction),
            "schedule.last_fraction",
            schedule.last_fraction.into(),
            "lie in 0..1",
        )?;
        share("adamw.beta1", adamw.beta1)?;
        // Of a root of zero nothing can be caught up with.
        check((0.5..1.0).contains(&adamw.beta2), "adamw.beta2", adamw.beta2.into(), "lie in 0.5..1")?;
        positive("adamw.epsilon", adamw.epsilon)?;
        let decay = adamw.weight_decay;
        check((0.0..=10.0).contains(&decay), "adamw.weight_decay", decay.into(), "lie in 0..10")?;
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
    teacher: Teacher,
    optimizer: Optimizer,
    /// The learning rate of the last step, 0 before the first.
    rate: f32,
    pool: ThreadPool,
}

/// What the state's bytes say beside the tensors.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateHeader {
    net: NetConfig,
    sizes: Sizes,
    steps: u64,
    /// The learning rate of the last step. Older states lack it.
    #[serde(default)]
    rate: Option<f32>,
}

impl Learner {
    /// A learner that starts from `model`, on `threads` threads.
    ///
    /// # Panics
    /// When the model does not fit `shape`.
    pub fn new(config: LearnerConfig, model: &Model, shape: Shape, backend: Backend, threads: usize) -> Self {
        assert!(model.fits(&shape), "the model fits the game");
        let start = Trained::new(model.weights().to_vec());
        let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        Learner {
            teacher: Teacher::new(model, backend, threads),
            optimizer: Optimizer::new(config.adamw.clone(), model.layout(), start, 0),
            rate: 0.0,
            pool: pool.expect("threads can be started"),
            model: model.clone(),
            config,
            shape,
        }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// Threads that it learns on.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The weights as they are learned.
    pub fn model(&self) -> Model {
        self.model.with_weights(self.optimizer.settled().weights.clone())
    }

    /// The averaged weights, for self-play and play.
    pub fn averaged(&self) -> Model {
        self.model.with_weights(self.optimizer.settled().average.clone())
    }

    /// One step on `batch`, at the rate that the schedule has for `progress`, the part of the run that is
    /// done, in `0.0..=1.0`.
    ///
    /// # Errors
    /// When the loss or the gradient is not finite; everything is then as it was before. When a new weight is not
    /// finite: then the learner is of no more use.
    ///
    /// # Panics
    /// When `batch` is empty, or a sample does not fit the shape.
    pub fn step(&mut self, batch: &[Sample], progress: f32) -> Result<StepReport, NonFinite> {
        let Learner { config, shape, teacher, optimizer, rate: last_rate, pool, .. } = self;
        pool.install(|| {
            let losses = teacher.learn(config, shape, batch, optimizer);
            let sections = teacher.sections();
            let gradient_norm = norm(&sections);
            let step = optimizer.steps() + 1;
            let failed = Err(NonFinite { step, losses, gradient_norm });
            if !(gradient_norm.is_finite() && losses.total(&config.loss).is_finite()) {
                return failed;
            }
            let max = f64::from(config.max_gradient_norm);
            let scale = if gradient_norm > max { (max / gradient_norm) as f32 } else { 1.0 };
            let rate = config.schedule.rate(*last_rate, progress);
            // Early steps count more, so that the random start is forgotten.
            let early = (1 + step) as f32 / (10 + step) as f32;
            let stride = Stride { rate, scale, average_decay: config.average_decay.min(early) };
            if !optimizer.step(&stride, &sections) {
                return failed;
            }
            *last_rate = rate;
            Ok(StepReport { steps: step, learning_rate: rate, losses, gradient_norm })
        })
    }

    /// Losses and gradient of `batch` at the present weights, in the order of the model's layout.
    #[cfg(test)]
    pub(super) fn gradient(&mut self, batch: &[Sample]) -> (Losses, Vec<f32>) {
        let losses = self.teacher.learn(&self.config, &self.shape, batch, &self.optimizer);
        let mut gradient = vec![0.0; self.model.layout().len()];
        for section in self.teacher.sections() {
            let before = &self.model.layout().tensors()[..section.tensor];
            let begin: usize = before.iter().map(|spec| spec.len()).sum();
            for (i, row) in section.rows.iter().enumerate() {
                let row = &mut gradient[begin + row * section.width..][..section.width];
                row.copy_from_slice(section.row(i));
            }
        }
        (losses, gradient)
    }

    /// Brings all weights up to date, of which a step leaves those behind that it has no gradient for. Without it
    /// they are brought up to date as they are asked for; but the last bits of later steps depend on when this is done,
    /// so that a run that is to be the same whether or not it is saved in between has to do it regularly.
    pub fn settle(&mut self) {
        let Learner { optimizer, pool, .. } = self;
        pool.install(|| optimizer.settle());
    }

    /// Everything that the next step depends on, but the samples and the config, as safetensors. Settles the weights.
    pub fn state_bytes(&mut self) -> Vec<u8> {
        self.settle();
        let trained = self.optimizer.settled();
        let header = serde_json::to_string(&self.header()).expect("a plain struct");
        let parts = [&trained.weights, &trained.average, &trained.mean, &trained.square];
        let tensors = PARTS.into_iter().zip(parts).flat_map(|(prefix, values)| {
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
        let StateHeader { net, sizes, steps, rate } = header;
        if (&net, sizes) != (self.model.net(), self.model.sizes()) {
            let here = self.model.net();
            return Err(BadWeights::Metadata(format!(
                "{net} with {sizes}, not {here} with {}",
                self.model.sizes()
            )));
        }
        let layout = self.model.layout();
        let [weights, average, mean, square] = PARTS.map(|prefix| layout.read(&file, prefix));
        let trained = Trained { weights: weights?, average: average?, mean: mean?, square: square? };
        self.optimizer = Optimizer::new(self.config.adamw.clone(), layout, trained, steps);
        // Where it is not known, the warm-up is over as far as there were steps for it.
        let Schedule { peak, warmup_steps, .. } = self.config.schedule;
        let warm = steps.min(warmup_steps) as f32 / warmup_steps.max(1) as f32;
        self.rate = rate.unwrap_or(peak * warm);
        Ok(())
    }

    fn header(&self) -> StateHeader {
        StateHeader {
            net: self.model.net().clone(),
            sizes: self.model.sizes(),
            steps: self.steps(),
            rate: Some(self.rate),
        }
    }
}

const PARTS: [&str; 4] = ["weights.", "average.", "mean.", "square."];
