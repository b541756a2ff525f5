//! One step after the other: batches in, better weights out.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use serde::{Deserialize, Serialize};

use super::{
    gradient_backend::GradientBackend,
    learner_config::LearnerConfig,
    on_device::OnDevice,
    optimizer::{Optimizer, Stride, Trained, norm},
    prepared::PreparedBatch,
    rows::BatchRows,
    schedule::Schedule,
    step::{NonFinite, StepReport},
};
use crate::{
    games::encode::Shape,
    net::{
        Backend, Model, NetConfig, Sizes,
        gradient::EndOfPart,
        weights::{self, BadWeights, TensorFile, Width},
    },
    training::replay::Sample,
};

/// Weights in training and all that a next step depends on.
pub struct Learner {
    config: LearnerConfig,
    model: Model,
    shape: Shape,
    gradient_backend: GradientBackend,
    optimizer: Optimizer,
    /// The learning rate of the last step, 0 before the first.
    rate: f32,
    /// All its threads.
    pool: Arc<ThreadPool>,
    /// Those that learn.
    learning: Arc<ThreadPool>,
    /// Batches whose buffers wait for their next use.
    spare: Vec<PreparedBatch>,
    /// Where the net learns on a GPU. `optimizer` is then what it was when the steps were last settled.
    device: Option<Box<OnDevice>>,
}

/// Numbers that a thread copies at least.
const COPIED_TOGETHER: usize = 1 << 14;

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

impl StateHeader {
    fn of(file: &TensorFile) -> Result<Self, BadWeights> {
        serde_json::from_str(file.metadata()).map_err(|error| BadWeights::Metadata(error.to_string()))
    }
}

impl Learner {
    /// A learner that starts from `model`, on `threads` threads.
    ///
    /// # Panics
    /// When the model does not fit `shape`, and when [`Backend::check`] is an error.
    pub fn new(config: LearnerConfig, model: &Model, shape: Shape, backend: Backend, threads: usize) -> Self {
        assert!(model.fits(&shape), "the model fits the game");
        let device = OnDevice::new(model, &config, backend).map(Box::new);
        // A device that does all of it leaves nothing to the gradient's backend.
        let gradient_backend = if device.is_some() { Backend::Native } else { backend };
        let start = Trained::new(model.weights().to_vec());
        let pool = pool_of(threads.max(1));
        Learner {
            gradient_backend: GradientBackend::new(model, gradient_backend, threads),
            optimizer: Optimizer::new(config.adamw.clone(), model.layout(), start, 0),
            rate: 0.0,
            learning: Arc::clone(&pool),
            pool,
            spare: Vec::new(),
            model: model.clone(),
            config,
            shape,
            device,
        }
    }

    /// Steps that are settled.
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// Bytes of memory that it holds on a GPU, where they are known.
    pub fn device_bytes(&self) -> Option<u64> {
        self.device.as_ref().and_then(|device| device.bytes())
    }

    /// The device on which it learns, as its driver calls it; `None` on a processor.
    pub fn device_name(&self) -> Option<&str> {
        self.device.as_ref().map(|device| device.name())
    }

    /// What a batch needs beside its samples.
    fn rows(&self) -> BatchRows {
        self.device.as_ref().map_or_else(|| self.gradient_backend.rows(), |device| device.rows())
    }

    /// Threads that it learns on.
    pub fn threads(&self) -> usize {
        self.learning.current_num_threads()
    }

    /// Learns on `threads` threads from now on, at least one and at most all that it was made with. What it learns does not
    /// depend on it.
    pub fn learn_on(&mut self, threads: usize) {
        let threads = threads.clamp(1, self.pool.current_num_threads());
        if threads == self.pool.current_num_threads() {
            self.learning = Arc::clone(&self.pool);
        } else if threads != self.threads() {
            self.learning = pool_of(threads);
        }
    }

    /// All its threads.
    pub(crate) fn pool(&self) -> &Arc<ThreadPool> {
        &self.pool
    }

    /// The threads that it learns on.
    pub(crate) fn learning_pool(&self) -> &Arc<ThreadPool> {
        &self.learning
    }

    /// The weights as they are learned.
    pub fn model(&self) -> Model {
        self.model.with_weights(self.optimizer.settled().weights.clone())
    }

    /// The averaged weights, for self-play and play.
    pub fn averaged(&self) -> Model {
        let settled = self.optimizer.settled();
        let copy = || settled.average.par_iter().with_min_len(COPIED_TOGETHER).copied().collect();
        self.model.with_weights(self.pool.install(copy))
    }

    /// A batch of these samples.
    ///
    /// # Panics
    /// When a sample does not fit the net.
    pub fn batch_of(&self, samples: &[Sample]) -> PreparedBatch {
        let mut batch = PreparedBatch::new(self.rows());
        self.pool
            .install(|| batch.prepare(samples.len(), |place, sample| sample.clone_from(&samples[place])));
        batch
    }

    /// A batch for this learner, to be prepared: one that was given back, or a new one.
    pub(crate) fn take_batch(&mut self) -> PreparedBatch {
        self.spare.pop().unwrap_or_else(|| PreparedBatch::new(self.rows()))
    }

    /// Keeps the buffers of a batch for the next one.
    pub(crate) fn give_back(&mut self, batch: PreparedBatch) {
        self.spare.push(batch);
    }

    /// One step on `batch`, at the rate that the schedule has for `progress`, the part of the run that is
    /// done, in `0.0..=1.0`; waits until it is made.
    ///
    /// # Errors
    /// When the loss or the gradient is not finite; everything is then as it was before. When a new weight is not
    /// finite: then the learner is of no more use.
    ///
    /// # Panics
    /// When `batch` is empty, or was made for another kind of learner.
    pub fn step(&mut self, batch: &PreparedBatch, progress: f32) -> Result<StepReport, NonFinite> {
        let mut reports = self.learn(batch, progress)?;
        reports.extend(self.finish()?);
        Ok(reports.pop().expect("a step has a report"))
    }

    /// One step on `batch`, as [`Learner::step`] makes it. A GPU learns on its own: there this gives, now and then, the
    /// reports of steps before this one, and [`Learner::settle`] those of the last.
    ///
    /// # Errors
    /// Those of [`Learner::step`], of whichever step.
    ///
    /// # Panics
    /// As [`Learner::step`].
    pub fn learn(&mut self, batch: &PreparedBatch, progress: f32) -> Result<Vec<StepReport>, NonFinite> {
        self.learn_in_parts(batch, progress, &mut |_| {})
    }

    /// As [`Learner::learn`]; calls `lap` at the end of each part of a step on a processor, with the part's name.
    ///
    /// # Errors
    /// Those of [`Learner::learn`].
    ///
    /// # Panics
    /// As [`Learner::step`].
    pub(crate) fn learn_in_parts(
        &mut self,
        batch: &PreparedBatch,
        progress: f32,
        lap: &mut EndOfPart,
    ) -> Result<Vec<StepReport>, NonFinite> {
        if let Some(device) = &mut self.device {
            let rate = self.config.schedule.rate(device.rate(), progress);
            let average_decay = self.config.average_decay.min(early(device.steps() + 1));
            return device.step(batch, &self.shape, rate, average_decay);
        }
        self.learn_here(batch, progress, lap).map(|report| vec![report])
    }

    /// Waits until all steps are made, and gives the reports of those that were not told of.
    ///
    /// # Errors
    /// Those of [`Learner::step`], for steps on a GPU.
    pub fn finish(&mut self) -> Result<Vec<StepReport>, NonFinite> {
        if let Some(device) = &mut self.device {
            return device.finish();
        }
        Ok(Vec::new())
    }

    fn learn_here(
        &mut self,
        batch: &PreparedBatch,
        progress: f32,
        lap: &mut EndOfPart,
    ) -> Result<StepReport, NonFinite> {
        let Learner { config, shape, gradient_backend, optimizer, rate: last_rate, learning, .. } = self;
        learning.install(|| {
            let losses = gradient_backend.learn(config, shape, batch, optimizer, lap);
            let sections = gradient_backend.sections(batch);
            let gradient_norm = norm(&sections);
            lap("norm");
            let step = optimizer.steps() + 1;
            let failed = Err(NonFinite { step, losses, gradient_norm });
            if !(gradient_norm.is_finite() && losses.total(&config.loss).is_finite()) {
                return failed;
            }
            let max = f64::from(config.max_gradient_norm);
            let scale = if gradient_norm > max { (max / gradient_norm) as f32 } else { 1.0 };
            let rate = config.schedule.rate(*last_rate, progress);
            let stride = Stride { rate, scale, average_decay: config.average_decay.min(early(step)) };
            let is_finite = optimizer.step(&stride, &sections);
            lap("optimizer");
            if !is_finite {
                return failed;
            }
            *last_rate = rate;
            Ok(StepReport { steps: step, learning_rate: rate, losses, gradient_norm })
        })
    }

    /// Losses and gradient of `batch` at the present weights, in the order of the model's layout.
    #[cfg(test)]
    pub(super) fn gradient(&mut self, samples: &[Sample]) -> (super::loss::Losses, Vec<f32>) {
        let batch = self.batch_of(samples);
        let losses =
            self.gradient_backend.learn(&self.config, &self.shape, &batch, &self.optimizer, &mut |_| {});
        let mut gradient = vec![0.0; self.model.layout().len()];
        for section in self.gradient_backend.sections(&batch) {
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
    ///
    /// Of a GPU it takes over what has been learnt there, and gives the reports of the last steps.
    ///
    /// # Errors
    /// Those of [`Learner::step`], for steps on a GPU.
    pub fn settle(&mut self) -> Result<Vec<StepReport>, NonFinite> {
        let reports = self.finish()?;
        if let Some(device) = &self.device {
            if device.steps() != self.optimizer.steps() {
                let trained = device.read();
                self.optimizer =
                    Optimizer::new(self.config.adamw.clone(), self.model.layout(), trained, device.steps());
                self.rate = device.rate();
            }
            return Ok(reports);
        }
        let Learner { optimizer, learning, .. } = self;
        learning.install(|| optimizer.settle());
        Ok(reports)
    }

    /// Everything that the next step depends on, but the samples and the config, as safetensors. Settles the weights.
    ///
    /// # Panics
    /// When [`Learner::settle`] is an error.
    pub fn state_bytes(&mut self) -> Vec<u8> {
        self.settle().expect("a failed step was told of");
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
        let StateHeader { net, sizes, steps, rate } = StateHeader::of(&file)?;
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
        if let Some(device) = &mut self.device {
            device.write(&self.optimizer.settled(), steps, self.rate);
        }
        Ok(())
    }

    /// The learning rate of the last step before `state`, which [`Learner::state_bytes`] wrote. `None` before the first
    /// step, and where an older program wrote it.
    ///
    /// # Errors
    /// When `state` is no state of a learner.
    pub fn last_rate(state: &[u8]) -> Result<Option<f32>, BadWeights> {
        let header = StateHeader::of(&TensorFile::new(state)?)?;
        Ok(header.rate.filter(|&rate| rate > 0.0))
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

fn pool_of(threads: usize) -> Arc<ThreadPool> {
    Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"))
}

/// How slowly the average follows in early steps: they count more, so that the random start is forgotten.
fn early(step: u64) -> f32 {
    (1 + step) as f32 / (10 + step) as f32
}

const PARTS: [&str; 4] = ["weights.", "average.", "mean.", "square."];
