//! Nets that learn on a device of their own: weights, moments and average stay there, batches go over, and reports come back.

use std::collections::VecDeque;

use super::{
    learner_config::LearnerConfig,
    loss::{self, Losses, Scales},
    optimizer::Trained,
    prepared::PreparedBatch,
    rows::BatchRows,
    shard,
    step::{NonFinite, StepReport},
};
#[cfg(feature = "wgpu")]
use crate::net::{
    NetConfig,
    gpu::{GpuLearner, GpuReport},
};
use crate::{
    base::maths::pow,
    games::encode::Shape,
    net::{Backend, BurnLearner, LearningConstants, Model, OptimizerState, StepRates},
};

/// The net, and the steps whose reports are to come.
pub struct OnDevice {
    net: Net,
    backend: Backend,
    config: LearnerConfig,
    /// Steps so far, with those on their way.
    steps: u64,
    /// The learning rate of the last of them, 0 before the first.
    rate: f32,
    /// Those on their way.
    sent: VecDeque<Sent>,
}

/// What computes.
enum Net {
    /// A sparse net, by kernels of our own. They run behind, and tell of it later.
    #[cfg(feature = "wgpu")]
    Kernels(Box<GpuLearner>),
    /// Any net, in burn.
    Burn(Box<BurnLearner>),
}

/// A step on its way.
struct Sent {
    step: u64,
    rate: f32,
    /// The rate of the step before it.
    before: f32,
}

impl OnDevice {
    /// The net of `model`, where `backend` is a device of its own.
    ///
    /// # Panics
    /// When [`Backend::check`] is an error.
    pub fn new(model: &Model, config: &LearnerConfig, backend: Backend) -> Option<Self> {
        let LearnerConfig { adamw, loss, max_gradient_norm, .. } = config;
        let rule = LearningConstants {
            beta1: adamw.beta1,
            beta2: adamw.beta2,
            epsilon: adamw.epsilon,
            max_norm: *max_gradient_norm,
            value: loss.value,
            reply: loss.reply,
            moves_left: loss.moves_left,
        };
        let net = match (backend, model.net()) {
            (Backend::Native | Backend::Flex, _) => return None,
            #[cfg(feature = "wgpu")]
            (Backend::Wgpu, NetConfig::Sparse(_)) => Net::Kernels(Box::new(
                GpuLearner::new(model, rule).expect("the device was checked at the start"),
            )),
            _ => Net::Burn(Box::new(BurnLearner::new(model, backend.device(), rule))),
        };
        Some(OnDevice { net, backend, config: config.clone(), steps: 0, rate: 0.0, sent: VecDeque::new() })
    }

    /// The device, as its driver calls it where that is known.
    pub fn name(&self) -> &str {
        match &self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => net.device(),
            Net::Burn(_) => self.backend.as_str(),
        }
    }

    /// Bytes of memory on the device, where they are known.
    pub fn bytes(&self) -> Option<u64> {
        match &self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => Some(net.bytes()),
            Net::Burn(_) => None,
        }
    }

    /// What a batch needs beside its samples.
    pub fn rows(&self) -> BatchRows {
        match &self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => BatchRows::OnDevice(Box::new(net.batch())),
            Net::Burn(_) => BatchRows::None,
        }
    }

    /// Goes on from here, `steps` steps having been made, the last at `rate`.
    pub fn write(&mut self, trained: &Trained, steps: u64, rate: f32) {
        let Trained { weights, average, mean, square } = trained;
        let numbers: OptimizerState = [weights, average, mean, square].map(Vec::clone);
        match &mut self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => net.write(&numbers),
            Net::Burn(net) => net.write(&numbers),
        }
        (self.steps, self.rate) = (steps, rate);
        self.sent.clear();
    }

    /// What the steps have led to.
    pub fn read(&self) -> Trained {
        let [weights, average, mean, square] = match &self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => net.read(),
            Net::Burn(net) => net.read(),
        };
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

    /// Sends a step over, at this rate and with an average that follows so slowly. Gives reports: of this step, or now and then
    /// of steps before it.
    ///
    /// # Errors
    /// When a step failed. Then all is as it was before that.
    pub fn step(
        &mut self,
        batch: &PreparedBatch,
        shape: &Shape,
        rate: f32,
        average_decay: f32,
    ) -> Result<Vec<StepReport>, NonFinite> {
        let step = self.steps + 1;
        let adamw = &self.config.adamw;
        // In f64: 1 - beta^step loses all digits in f32 when beta is close to one.
        let unbias = |beta: f32| (1.0 - pow(f64::from(beta), step as f64)).recip() as f32;
        let unbias = [unbias(adamw.beta1), unbias(adamw.beta2)];
        let pace = StepRates { rate, unbias, decay: rate * adamw.weight_decay, average_decay };
        match &mut self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => {
                let reports = net.step(batch.on_device(), &pace);
                let reports = self.told(reports)?;
                self.sent.push_back(Sent { step, rate, before: self.rate });
                (self.steps, self.rate) = (step, rate);
                Ok(reports)
            }
            Net::Burn(net) => {
                let samples = batch.samples();
                let scales = Scales::new(samples);
                let mut losses = Losses::default();
                let (gradient_norm, made) = net.step(&shard::batch(shape, samples), &pace, |outputs| {
                    let (found, gradient) = loss::losses(samples, outputs, &scales, &self.config.loss);
                    losses = found;
                    (found.total(&self.config.loss), gradient)
                });
                if !made {
                    return Err(NonFinite { step, losses, gradient_norm });
                }
                (self.steps, self.rate) = (step, rate);
                Ok(vec![StepReport { steps: step, learning_rate: rate, losses, gradient_norm }])
            }
        }
    }

    /// Waits for all steps and gives the reports that were not given before.
    ///
    /// # Errors
    /// When a step failed. Then all is as it was before that, unless a weight is no number: then the learner is of no more use.
    pub fn finish(&mut self) -> Result<Vec<StepReport>, NonFinite> {
        match &mut self.net {
            #[cfg(feature = "wgpu")]
            Net::Kernels(net) => {
                let reports = net.reports();
                let is_broken = net.is_broken();
                let told = self.told(reports)?;
                match told.last() {
                    Some(last) if is_broken => Err(NonFinite {
                        step: last.steps,
                        losses: last.losses,
                        gradient_norm: last.gradient_norm,
                    }),
                    _ => Ok(told),
                }
            }
            Net::Burn(_) => Ok(Vec::new()),
        }
    }

    /// The reports as the learner gives them. After a step that failed all is as it was before it.
    #[cfg(feature = "wgpu")]
    fn told(&mut self, reports: Vec<GpuReport>) -> Result<Vec<StepReport>, NonFinite> {
        let mut told = Vec::with_capacity(reports.len());
        for GpuReport { losses, gradient_norm, made } in reports {
            let Sent { step, rate, before } = self.sent.pop_front().expect("a report for each step");
            let losses = losses_of(losses.map(f64::from));
            if !made {
                (self.steps, self.rate) = (step - 1, before);
                self.sent.clear();
                if let Net::Kernels(net) = &mut self.net {
                    net.revive();
                }
                return Err(NonFinite { step, losses, gradient_norm });
            }
            told.push(StepReport { steps: step, learning_rate: rate, losses, gradient_norm });
        }
        Ok(told)
    }
}

/// In the order of the device's report.
#[cfg(feature = "wgpu")]
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
