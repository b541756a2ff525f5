//! A network that learns in burn: the gradient of a loss in its weights. A sparse net on a processor learns by hand
//! ([`SparseGradient`](super::SparseGradient)), and this is its reference.

use burn::tensor::{Device, Tensor};

use super::{
    Backend, Batch, Model, Network, NetworkOutput,
    output::{Logits, dot},
    parameters,
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

/// A network that learns in burn, at whatever weights.
#[derive(Debug)]
pub struct BurnGradient {
    template: Network,
    device: Device,
}

impl BurnGradient {
    /// The network of `model`, learning where `backend` does.
    pub fn new(model: &Model, backend: Backend) -> Self {
        let device = backend.device().autodiff();
        BurnGradient { template: model.network(&device), device }
    }

    /// The gradient in `weights`, in the order of the network's layout, as they are; `loss` gives that in the
    /// outputs.
    pub fn gradient(
        &self,
        weights: &[f32],
        batch: &Batch,
        loss: impl FnOnce(&Outputs) -> Outputs,
    ) -> Vec<f32> {
        let BurnGradient { template, device } = self;
        let net = template.clone().with_weights(weights);
        net.gradients(&mut outputs_and_sum(&net, batch, device, loss).backward())
    }
}

/// The number whose gradient is the loss's gradient in the weights of `net`, which is on `device`: the sum of the
/// outputs for `batch`, each times the gradient in it, which `loss` gives.
pub fn outputs_and_sum(
    net: &Network,
    batch: &Batch,
    device: &Device,
    loss: impl FnOnce(&Outputs) -> Outputs,
) -> Tensor<1> {
    let NetworkOutput { wdl, moves_left, policy, replies } = net.forward(batch, device);
    let plain = |logits: &Option<Logits>| logits.as_ref().map_or_else(Vec::new, Logits::values);
    let gradient = loss(&Outputs {
        policy: plain(&policy),
        reply: plain(&replies),
        wdl: parameters::values_of(wdl.clone()),
        moves_left: parameters::values_of(moves_left.clone()),
    });
    let terms = [
        Some(dot(wdl, gradient.wdl, device)),
        Some(dot(moves_left, gradient.moves_left, device)),
        policy.map(|policy| policy.dot(gradient.policy, device)),
        replies.map(|replies| replies.dot(gradient.reply, device)),
    ];
    terms.into_iter().flatten().reduce(|a, b| a + b).expect("two terms at least")
}
