//! The gradient of a part of a batch in burn, and of all parts on several threads.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use super::loss::{self, LossWeights, Losses, Scales};
use crate::{
    games::encode::Shape,
    net::{Batch, BurnGradient},
    training::replay::{MoveWeight, Sample},
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
    /// The network.
    pub net: &'a BurnGradient,
    /// Its weights at the beginning of the step.
    pub weights: &'a [f32],
    /// The game's sizes.
    pub shape: &'a Shape,
    /// What each loss counts.
    pub loss_weights: &'a LossWeights,
    /// What each sample counts.
    pub scales: Scales,
}

/// Worker threads, each with a pool of its own of one thread: flex's inner parallelism loses on small nets.
#[derive(Debug)]
pub struct GradientThreads {
    pools: Vec<ThreadPool>,
}

impl GradientThreads {
    /// Starts `threads` workers; at least one.
    pub fn new(threads: usize) -> Self {
        let pool = || ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
        GradientThreads { pools: (0..threads.max(1)).map(|_| pool()).collect() }
    }

    /// Results of all shards in their order, which do not depend on the number of threads: as many as rayon has here, at
    /// most.
    pub fn run(&self, shared: &Shared<'_>, shards: &[&[Sample]]) -> Vec<ShardResult> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<ShardResult>>> = shards.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for pool in self.pools.iter().take(rayon::current_num_threads()) {
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
        let gradient = self.net.gradient(self.weights, &batch(self.shape, shard), |outputs| {
            let (found, gradient) = loss::losses(shard, outputs, &self.scales, self.loss_weights);
            losses = found;
            gradient
        });
        ShardResult { losses, gradient }
    }
}

/// The sum of `parts`, which are of one length, in their order.
pub fn sum(parts: &[&[f32]]) -> Vec<f32> {
    let mut sum = parts[0].to_vec();
    sum.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sums)| {
        for part in &parts[1..] {
            let part = &part[chunk * CHUNK..][..sums.len()];
            sums.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        }
    });
    sum
}

/// Numbers that one thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The positions of `shard`, and the moves whose logits are asked for.
pub fn batch<'a>(shape: &'a Shape, shard: &'a [Sample]) -> Batch<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_gradients_are_added_whole() {
        let part = |scale: f32| (0..3 * CHUNK + 5).map(|i| scale * (i % 7) as f32).collect::<Vec<f32>>();
        assert_eq!(sum(&[&part(1.0), &part(2.0)]), part(3.0));
    }
}
