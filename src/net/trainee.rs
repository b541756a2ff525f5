//! A network that learns: the gradient of a loss in its weights.

use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};

use super::{
    Backend, Batch, Model, Network, Output, Sizes,
    native::SparseStep,
    weights::{self, Layout},
};

/// A network's outputs for a batch as plain numbers, or a loss's gradient in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// One logit for each of the batch's moves.
    pub policy: Vec<f32>,
    /// One logit for each of the batch's replies.
    pub reply: Vec<f32>,
    /// `[positions, 3]` logits.
    pub wdl: Vec<f32>,
    /// `[positions]`, in units of [`super::MOVES_LEFT_UNIT`].
    pub moves_left: Vec<f32>,
}

/// A network that learns, at whatever weights.
#[derive(Debug)]
pub struct Trainee {
    template: Network,
    layout: Arc<Layout>,
    sizes: Sizes,
    backend: Backend,
    device: Device,
}

impl Trainee {
    /// The network of `model`, learning where `backend` does.
    pub fn new(model: &Model, backend: Backend) -> Self {
        let device = backend.device().autodiff();
        let (layout, sizes) = (model.layout().clone(), model.sizes());
        Trainee { template: model.network(&device), layout, sizes, backend, device }
    }

    /// The network at the weights of one step, which are in the order of its layout.
    pub fn at<'a>(&'a self, weights: &'a [f32]) -> TraineeAt<'a> {
        let rows = match (&self.template, self.backend) {
            (Network::Sparse(net), Backend::Native) => {
                Some(SparseStep::new(net, &self.layout, weights, self.sizes))
            }
            _ => None,
        };
        TraineeAt { trainee: self, weights, rows }
    }
}

/// A network at the weights of one step. Shared by all workers.
pub struct TraineeAt<'a> {
    trainee: &'a Trainee,
    weights: &'a [f32],
    /// A sparse net whose rows are added up by hand.
    rows: Option<SparseStep<'a>>,
}

impl TraineeAt<'_> {
    /// The gradient in the weights, where `loss` gives the gradient in the outputs.
    pub fn gradient(&self, batch: &Batch, loss: impl FnOnce(&Outputs) -> Outputs) -> Vec<f32> {
        match &self.rows {
            Some(rows) => rows.gradient(batch, &self.trainee.device, loss),
            None => self.in_burn(batch, loss),
        }
    }

    fn in_burn(&self, batch: &Batch, loss: impl FnOnce(&Outputs) -> Outputs) -> Vec<f32> {
        let Trainee { template, device, .. } = self.trainee;
        let net = template.clone().with_weights(self.weights);
        let Output { wdl, moves_left, policy, replies } = net.forward(batch, device);
        let plain = |tensor: &Option<Tensor<1>>| tensor.clone().map_or_else(Vec::new, weights::values_of);
        let gradient = loss(&Outputs {
            policy: plain(&policy),
            reply: plain(&replies),
            wdl: weights::values_of(wdl.clone()),
            moves_left: weights::values_of(moves_left.clone()),
        });
        // A sum of the outputs, each times the loss's gradient in it, has the loss's gradient in the weights.
        let terms = [
            Some(dot(wdl, gradient.wdl, device)),
            Some(dot(moves_left, gradient.moves_left, device)),
            policy.map(|policy| dot(policy, gradient.policy, device)),
            replies.map(|replies| dot(replies, gradient.reply, device)),
        ];
        let sum = terms.into_iter().flatten().reduce(|a, b| a + b).expect("two terms at least");
        net.gradients(&mut sum.backward())
    }
}

/// The sum of `output`, each element times its part of `gradient`.
pub fn dot<const D: usize>(output: Tensor<D>, gradient: Vec<f32>, device: &Device) -> Tensor<1> {
    let gradient = Tensor::from_data(TensorData::new(gradient, output.shape()), device);
    (output * gradient).sum()
}
