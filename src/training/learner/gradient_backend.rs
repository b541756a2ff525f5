//! What finds a batch's gradient: the code by hand for a sparse net on a processor, burn for all else.

use std::ops::Range;

use super::{
    learner_config::LearnerConfig,
    loss::{self, Losses},
    optimizer::Optimizer,
    prepared::PreparedBatch,
    rows::BatchRows,
    shard::{GradientThreads, Shared, sum},
};
use crate::{
    games::encode::Shape,
    net::{
        Backend, BurnGradient, Model, Outputs, SparseGradient,
        gradient::{EndOfPart, Section},
        weights::Layout,
    },
    training::replay::Sample,
};

/// A network that learns, and the last gradient.
pub enum GradientBackend {
    /// By hand: the batch as one.
    ByHand(Box<SparseGradient>),
    /// In burn, by shards.
    InBurn(Box<InBurn>),
}

/// A network in burn, and the last gradient.
pub struct InBurn {
    net: BurnGradient,
    workers: GradientThreads,
    gradient: Vec<f32>,
    tensors: Vec<Whole>,
}

/// A tensor that has a gradient everywhere.
struct Whole {
    rows: Vec<usize>,
    begin: usize,
    width: usize,
}

impl GradientBackend {
    /// For the network of `model`. In burn it has `threads` threads of its own.
    pub fn new(model: &Model, backend: Backend, threads: usize) -> Self {
        let by_hand = (backend == Backend::Native).then(|| SparseGradient::new(model)).flatten();
        match by_hand {
            Some(net) => GradientBackend::ByHand(Box::new(net)),
            None => GradientBackend::InBurn(Box::new(InBurn {
                net: BurnGradient::new(model, backend),
                workers: GradientThreads::new(threads),
                gradient: Vec::new(),
                tensors: Whole::all(model.layout()),
            })),
        }
    }

    /// The rows of a batch without samples.
    pub fn rows(&self) -> BatchRows {
        match self {
            GradientBackend::ByHand(net) => BatchRows::ByHand(Box::new(net.batch())),
            GradientBackend::InBurn(_) => BatchRows::None,
        }
    }

    /// Losses and gradient of `batch` at the optimizer's weights; `lap` is called at the end of each part of the work.
    ///
    /// # Panics
    /// When the batch has rows for another net.
    pub fn learn(
        &mut self,
        config: &LearnerConfig,
        shape: &Shape,
        batch: &PreparedBatch,
        optimizer: &Optimizer,
        lap: &mut EndOfPart,
    ) -> Losses {
        let samples = batch.samples();
        let scales = batch.scales();
        let mut losses = Losses::default();
        // Floating point sums depend on their order, and these are fixed.
        match self {
            GradientBackend::ByHand(net) => {
                let loss = |positions: Range<usize>, outputs: &Outputs| {
                    loss::losses(&samples[positions], outputs, &scales, &config.loss)
                };
                let found = net.learn(batch.rows(), optimizer, loss, lap);
                found.iter().for_each(|part| losses.add(part));
            }
            GradientBackend::InBurn(burn) => {
                let InBurn { net, workers, gradient, .. } = &mut **burn;
                let weights = &optimizer.settled().weights;
                let shared = Shared { net, weights, shape, loss_weights: &config.loss, scales };
                let shards: Vec<&[Sample]> = samples.chunks(config.shard.max(1)).collect();
                let results = workers.run(&shared, &shards);
                results.iter().for_each(|shard| losses.add(&shard.losses));
                let gradients: Vec<&[f32]> = results.iter().map(|shard| &shard.gradient[..]).collect();
                *gradient = sum(&gradients);
                lap("gradient");
            }
        }
        losses
    }

    /// The gradient that [`GradientBackend::learn`] found for `batch`, by tensors in the order of the layout.
    pub fn sections<'a>(&'a self, batch: &'a PreparedBatch) -> Vec<Section<'a>> {
        match self {
            GradientBackend::ByHand(net) => net.sections(batch.rows()),
            GradientBackend::InBurn(burn) => {
                let InBurn { gradient, tensors, .. } = &**burn;
                let tensors = tensors.iter().enumerate();
                let sections = tensors.map(|(tensor, Whole { rows, begin, width })| Section {
                    tensor,
                    rows,
                    width: *width,
                    stride: *width,
                    values: &gradient[*begin..],
                });
                sections.collect()
            }
        }
    }
}

impl Whole {
    fn all(layout: &Layout) -> Vec<Whole> {
        let mut begin = 0;
        let tensors = layout.tensors().iter().map(|spec| {
            let whole = Whole { rows: (0..spec.rows()).collect(), begin, width: spec.len() / spec.rows() };
            begin += spec.len();
            whole
        });
        tensors.collect()
    }
}
