//! A sparse net that learns on a GPU: the learner's arithmetic in numbers that go over with each batch.

use std::collections::VecDeque;

use super::{
    learner_config::LearnerConfig,
    loss::Losses,
    optimizer::{AdamWConfig, Trained},
    step::{NonFinite, StepReport},
};
use crate::{
    maths::pow,
    net::{
        Model,
        gpu::{GpuBatch, GpuLearner, GpuReport, NoGpu, Pace, Rule},
    },
    replay::{MoveWeight, Sample},
};

/// The net, and the steps whose reports are to come.
pub struct OnDevice {
    net: GpuLearner,
    adamw: AdamWConfig,
    /// Steps so far, with those on their way.
    steps: u64,
    /// The learning rate of the last of them, 0 before the first.
    rate: f32,
    /// Those on their way.
    sent: VecDeque<Sent>,
}

/// A step on its way.
struct Sent {
    step: u64,
    rate: f32,
    /// The rate of the step before it.
    before: f32,
}

impl OnDevice {
    /// The net of `model`, which must be a sparse one.
    ///
    /// # Errors
    /// When no GPU can be used.
    pub fn new(model: &Model, config: &LearnerConfig) -> Result<Self, NoGpu> {
        let LearnerConfig { adamw, loss, max_gradient_norm, .. } = config;
        let rule = Rule {
            beta1: adamw.beta1,
            beta2: adamw.beta2,
            epsilon: adamw.epsilon,
            max_norm: *max_gradient_norm,
            value: loss.value,
            reply: loss.reply,
            moves_left: loss.moves_left,
        };
        let net = GpuLearner::new(model, rule)?;
        Ok(OnDevice { net, adamw: adamw.clone(), steps: 0, rate: 0.0, sent: VecDeque::new() })
    }

    /// Bytes of memory on the device.
    pub fn bytes(&self) -> u64 {
        self.net.bytes()
    }

    /// An empty batch.
    pub fn batch(&self) -> GpuBatch {
        self.net.batch()
    }

    /// Goes on from here, `steps` steps having been made, the last at `rate`.
    pub fn write(&mut self, trained: &Trained, steps: u64, rate: f32) {
        let Trained { weights, average, mean, square } = trained;
        self.net.write(&[weights, average, mean, square].map(Vec::clone));
        (self.steps, self.rate) = (steps, rate);
        self.sent.clear();
    }

    /// What the steps have led to.
    pub fn read(&self) -> Trained {
        let [weights, average, mean, square] = self.net.read();
        Trained { weights, average, mean, square }
    }

    /// Steps so far, with those on their way.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The learning rate of the last of them, 0 before the first.
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// Sends a step over, at this rate and with an average that follows so slowly. Gives reports of steps before it when
    /// there are many.
    ///
    /// # Errors
    /// When one of those failed.
    pub fn step(
        &mut self,
        batch: &GpuBatch,
        rate: f32,
        average_decay: f32,
    ) -> Result<Vec<StepReport>, NonFinite> {
        self.steps += 1;
        let AdamWConfig { beta1, beta2, weight_decay, .. } = self.adamw;
        // In f64: 1 - beta^step loses all digits in f32 when beta is close to one.
        let unbias = |beta: f32| (1.0 - pow(f64::from(beta), self.steps as f64)).recip() as f32;
        let pace =
            Pace { rate, unbias: [unbias(beta1), unbias(beta2)], decay: rate * weight_decay, average_decay };
        let reports = self.net.step(batch, &pace);
        let reports = self.told(reports)?;
        self.sent.push_back(Sent { step: self.steps, rate, before: std::mem::replace(&mut self.rate, rate) });
        Ok(reports)
    }

    /// Waits for all steps and gives the reports that were not given before.
    ///
    /// # Errors
    /// When a step failed; the weights are those before it.
    pub fn finish(&mut self) -> Result<Vec<StepReport>, NonFinite> {
        let reports = self.net.reports();
        let told = self.told(reports)?;
        match told.last() {
            // Nothing learns from a broken weight: there the last step failed after all.
            Some(last) if self.net.is_broken() => {
                Err(NonFinite { step: last.steps, losses: last.losses, gradient_norm: last.gradient_norm })
            }
            _ => Ok(told),
        }
    }

    /// The reports as the learner gives them. After a step that failed all is as it was before it.
    fn told(&mut self, reports: Vec<GpuReport>) -> Result<Vec<StepReport>, NonFinite> {
        let mut told = Vec::with_capacity(reports.len());
        for GpuReport { losses, gradient_norm, made } in reports {
            let Sent { step, rate, before } = self.sent.pop_front().expect("a report for each step");
            let losses = losses_of(losses.map(f64::from));
            if !made {
                (self.steps, self.rate) = (step - 1, before);
                self.sent.clear();
                self.net.revive();
                return Err(NonFinite { step, losses, gradient_norm });
            }
            told.push(StepReport { steps: step, learning_rate: rate, losses, gradient_norm });
        }
        Ok(told)
    }
}

/// In the order of the device's report.
fn losses_of(numbers: [f64; 11]) -> Losses {
    let [
        policy,
        policy_target_entropy,
        policy_entropy,
        reply,
        value,
        win,
        draw,
        loss,
        square,
        bias,
        moves_left,
    ] = numbers;
    Losses {
        policy,
        policy_target_entropy,
        policy_entropy,
        value,
        value_target: [win, draw, loss],
        value_square_error: square,
        value_bias: bias,
        reply,
        moves_left,
    }
}

/// Makes `batch` one of these samples.
pub fn fill(batch: &mut GpuBatch, samples: &[Sample]) {
    batch.clear();
    for sample in samples {
        let Sample { features, policy, reply, wdl, moves_left } = sample;
        batch.add(features, targets(policy), targets(reply), [wdl.win, wdl.draw, wdl.loss], *moves_left);
    }
    batch.pack();
}

fn targets(moves: &[MoveWeight]) -> impl Iterator<Item = (u16, f32)> {
    moves.iter().map(|mv| (mv.index, mv.weight))
}
