//! A network that learns in burn where its device is: weights, moments and average stay there.

use burn::{
    module::{ModuleMapper, ModuleVisitor, Param},
    tensor::{Device, Gradients, Tensor, TensorData},
};

use super::{
    Batch, Model, Network, Outputs,
    burn_gradient::outputs_and_sum,
    on_device::{LearningConstants, OptimizerState, StepRates},
    parameters::values_of,
};

/// A network in burn, and what its next step depends on.
#[derive(Debug)]
pub struct BurnLearner {
    net: Network,
    device: Device,
    rule: LearningConstants,
    /// Of each parameter in the order of the layout.
    kept: Vec<Kept>,
}

/// What is kept of a parameter beside its weights, as flat vectors.
#[derive(Clone, Debug)]
struct Kept {
    average: Tensor<1>,
    mean: Tensor<1>,
    square: Tensor<1>,
}

impl BurnLearner {
    /// The network of `model` on `device`.
    pub fn new(model: &Model, device: Device, rule: LearningConstants) -> Self {
        let device = device.autodiff();
        let mut learner = BurnLearner { net: model.network(&device), device, rule, kept: Vec::new() };
        let weights = model.weights().to_vec();
        let zeros = vec![0.0; weights.len()];
        learner.write(&[weights.clone(), weights, zeros.clone(), zeros]);
        learner
    }

    /// Goes on from these numbers.
    pub fn write(&mut self, [weights, average, mean, square]: &OptimizerState) {
        let layout = self.net.layout();
        let device = self.device.clone().inner();
        self.net = self.net.clone().with_weights(weights);
        let tensor =
            |values: &[f32]| Tensor::from_data(TensorData::new(values.to_vec(), [values.len()]), &device);
        let parts = layout.split(average).zip(layout.split(mean)).zip(layout.split(square));
        self.kept = parts
            .map(|(((_, average), (_, mean)), (_, square))| Kept {
                average: tensor(average),
                mean: tensor(mean),
                square: tensor(square),
            })
            .collect();
    }

    /// What the steps have led to.
    pub fn read(&self) -> OptimizerState {
        let all = |part: fn(&Kept) -> &Tensor<1>| {
            self.kept.iter().flat_map(|kept| values_of(part(kept).clone())).collect()
        };
        [self.net.weights(), all(|kept| &kept.average), all(|kept| &kept.mean), all(|kept| &kept.square)]
    }

    /// A step on `batch`; `loss` gives the loss and its gradient in the outputs. The gradient's length, and whether the step
    /// was made: not when the loss, that length or a new weight is no number. Then all is as it was before.
    pub fn step(
        &mut self,
        batch: &Batch,
        pace: &StepRates,
        loss: impl FnOnce(&Outputs) -> (f64, Outputs),
    ) -> (f64, bool) {
        let mut total = 0.0;
        let sum = outputs_and_sum(&self.net, batch, &self.device, |outputs| {
            let (found, gradient) = loss(outputs);
            total = found;
            gradient
        });
        let gradients = collect(&self.net, &mut sum.backward());
        let squares = gradients.iter().flatten().map(|g| (g.clone() * g.clone()).sum());
        let squares = squares.reduce(|a, b| a + b).map_or_else(Vec::new, values_of);
        let norm = f64::from(squares.first().copied().unwrap_or(0.0)).sqrt();
        if !(total.is_finite() && norm.is_finite()) {
            return (norm, false);
        }
        let max = f64::from(self.rule.max_norm);
        let scale = if norm > max { (max / norm) as f32 } else { 1.0 };
        let kept = self.kept.clone();
        let mut update = Update { rule: self.rule, pace: *pace, scale, gradients, kept, at: 0, size: None };
        let net = self.net.clone().map(&mut update);
        let Update { kept, size, .. } = update;
        if !size.into_iter().flat_map(values_of).all(f32::is_finite) {
            return (norm, false);
        }
        (self.net, self.kept) = (net, kept);
        (norm, true)
    }
}

/// The gradients of a network's parameters as flat vectors, in the order of its layout; `None` for a parameter without
/// one.
fn collect(net: &Network, gradients: &mut Gradients) -> Vec<Option<Tensor<1>>> {
    struct Collect<'a> {
        gradients: &'a mut Gradients,
        found: Vec<Option<Tensor<1>>>,
    }
    impl ModuleVisitor for Collect<'_> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            let gradient = param.val().grad_remove(self.gradients);
            self.found.push(gradient.map(|gradient| {
                let len = gradient.shape().num_elements();
                gradient.without_autodiff().reshape([len])
            }));
        }
    }
    let mut collect = Collect { gradients, found: Vec::new() };
    net.visit(&mut collect);
    collect.found
}

/// AdamW, parameter by parameter.
struct Update {
    rule: LearningConstants,
    pace: StepRates,
    scale: f32,
    gradients: Vec<Option<Tensor<1>>>,
    kept: Vec<Kept>,
    at: usize,
    /// The sum of the new weights without their signs: no number if one of them is none.
    size: Option<Tensor<1>>,
}

impl ModuleMapper for Update {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let Update { rule, pace, scale, .. } = *self;
        let (id, old, mapper) = param.consume();
        let shape = old.shape();
        let weights = old.without_autodiff().reshape([shape.num_elements()]);
        let kept = &mut self.kept[self.at];
        let gradient = self.gradients[self.at].take().map_or_else(|| weights.zeros_like(), |g| g * scale);
        self.at += 1;
        let mean = kept.mean.clone() + (gradient.clone() - kept.mean.clone()) * (1.0 - rule.beta1);
        let square =
            kept.square.clone() + (gradient.clone() * gradient - kept.square.clone()) * (1.0 - rule.beta2);
        let [unbias_mean, unbias_square] = pace.unbias;
        let step = mean.clone() * unbias_mean / ((square.clone() * unbias_square).sqrt() + rule.epsilon);
        // Weights are matrices; what is no matrix is a gain or a bias.
        let decay = if D == 2 { pace.decay } else { 0.0 };
        let stepped = weights.clone() - weights * decay - step * pace.rate;
        let size = stepped.clone().abs().sum();
        self.size = Some(match self.size.take() {
            Some(others) => others + size,
            None => size,
        });
        let average =
            kept.average.clone() + (stepped.clone() - kept.average.clone()) * (1.0 - pace.average_decay);
        *kept = Kept { average, mean, square };
        let new = stepped.reshape(shape).autodiff().require_grad();
        Param::from_mapped_value(id, new, mapper)
    }
}
