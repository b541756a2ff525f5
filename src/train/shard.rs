//! The gradient of a part of a batch, and of all parts on several threads.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::loss::{self, LossWeights, Losses, Scales};
use crate::{
    encode::Shape,
    net::{Batch, TraineeAt},
    replay::{MoveWeight, Sample},
};

/// A shard's part of the losses and of the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardResult {
    /// In the batch's means.
    pub losses: Losses,
    /// In the order of the network's layout.
    pub gradient: Vec<f32>,
}

/// Everything that the shards of a step share.
pub struct Shared<'a> {
    /// The network at the weights at the beginning of the step.
    pub net: TraineeAt<'a>,
    /// The game's sizes.
    pub shape: &'a Shape,
    /// What each loss counts.
    pub loss_weights: &'a LossWeights,
    /// What each sample counts.
    pub scales: Scales,
}

/// Worker threads, each with a pool of its own of one thread: flex's inner parallelism loses on small nets.
#[derive(Debug)]
pub struct Workers {
    pools: Vec<ThreadPool>,
}

impl Workers {
    /// Starts `threads` workers; at least one.
    pub fn new(threads: usize) -> Self {
        let pool = || ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
        Workers { pools: (0..threads.max(1)).map(|_| pool()).collect() }
    }

    /// How many there are.
    pub fn threads(&self) -> usize {
        self.pools.len()
    }

    /// Results of all shards, in their order, whatever the number of threads.
    pub fn run(&self, shared: &Shared<'_>, shards: &[&[Sample]]) -> Vec<ShardResult> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<ShardResult>>> = shards.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for pool in &self.pools {
                scope.spawn(|| {
                    pool.install(|| {
                        loop {
                            let i = next.fetch_add(1, Ordering::Relaxed);
                            let Some(shard) = shards.get(i) else { break };
                            let result = shared.gradient(shard);
                            *results[i].lock().expect("no worker panicked") = Some(result);
                        }
                    });
                });
            }
        });
        results
            .into_iter()
            .map(|result| result.into_inner().expect("no worker panicked").expect("every shard was run"))
            .collect()
    }
}

impl Shared<'_> {
    fn gradient(&self, shard: &[Sample]) -> ShardResult {
        let mut losses = Losses::default();
        let gradient = self.net.gradient(&batch(self.shape, shard), |outputs| {
            let (found, gradient) = loss::losses(shard, outputs, &self.scales, self.loss_weights);
            losses = found;
            gradient
        });
        ShardResult { losses, gradient }
    }
}

fn batch<'a>(shape: &'a Shape, shard: &'a [Sample]) -> Batch<'a> {
    let moves = |target: fn(&Sample) -> &[MoveWeight]| {
        let samples = shard.iter().enumerate();
        samples.flat_map(|(i, sample)| target(sample).iter().map(move |mv| (i, mv.index))).collect()
    };
    Batch {
        shape,
        positions: shard.iter().map(|sample| &sample.features).collect(),
        moves: moves(|sample| &sample.policy),
        replies: moves(|sample| &sample.reply),
    }
}
