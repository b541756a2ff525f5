//! A batch as the learner takes it.

use crate::{net::SparseBatch, replay::Sample};

/// Samples, and what can be done with them before the step: nothing in it depends on the weights. Its buffers serve one
/// batch after the other. [`Learner::batch_of`](super::Learner::batch_of) makes one of samples.
#[derive(Clone, Debug)]
pub struct PreparedBatch {
    samples: Vec<Sample>,
    /// The rows that they touch, for a sparse net that learns on a processor.
    rows: Option<SparseBatch>,
}

impl PreparedBatch {
    /// Without samples.
    pub(super) fn new(rows: Option<SparseBatch>) -> Self {
        PreparedBatch { samples: Vec::new(), rows }
    }

    /// Makes it a batch of `count` samples. `fill` is given each one's place and what is to become that sample, which
    /// may be an older one.
    ///
    /// # Panics
    /// When a sample does not fit the net.
    pub fn prepare(&mut self, count: usize, mut fill: impl FnMut(usize, &mut Sample)) {
        let PreparedBatch { samples, rows } = self;
        samples.resize_with(count, Sample::default);
        samples.iter_mut().enumerate().for_each(|(place, sample)| fill(place, sample));
        let Some(rows) = rows else { return };
        rows.clear();
        for Sample { features, policy, reply, .. } in &*samples {
            rows.add(features, policy.iter().map(|mv| mv.index), reply.iter().map(|mv| mv.index));
        }
        rows.number();
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The rows that they touch.
    ///
    /// # Panics
    /// When it was not made for a sparse net that learns on a processor.
    pub(super) fn rows(&self) -> &SparseBatch {
        self.rows.as_ref().expect("a batch for a sparse net")
    }
}
