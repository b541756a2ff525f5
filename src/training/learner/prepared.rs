//! A batch as the learner takes it.

use rayon::prelude::*;

use super::{loss::Scales, rows::BatchRows};
use crate::{net::SparseBatch, training::replay::Sample};

/// Samples that a thread makes at least.
const TOGETHER: usize = 16;

/// Samples, and what can be done with them before the step: nothing in it depends on the weights. Its buffers serve one
/// batch after the other. [`Learner::batch_of`](super::Learner::batch_of) makes one of samples.
#[derive(Clone, Debug)]
pub struct PreparedBatch {
    samples: Vec<Sample>,
    /// What each of them counts.
    scales: Scales,
    rows: BatchRows,
}

impl PreparedBatch {
    /// Without samples.
    pub(super) fn new(rows: BatchRows) -> Self {
        PreparedBatch { samples: Vec::new(), scales: Scales::new(&[]), rows }
    }

    /// Makes it a batch of `count` samples, on all threads of the pool. `fill` is given each one's place and what is to
    /// become that sample, which may be an older one.
    ///
    /// # Panics
    /// When a sample does not fit the net.
    pub fn prepare(&mut self, count: usize, fill: impl Fn(usize, &mut Sample) + Sync) {
        self.fill(count, fill);
        self.number();
    }

    /// The first half of [`PreparedBatch::prepare`].
    pub(crate) fn fill(&mut self, count: usize, fill: impl Fn(usize, &mut Sample) + Sync) {
        self.samples.resize_with(count, Sample::default);
        let samples = self.samples.par_iter_mut().with_min_len(TOGETHER).enumerate();
        samples.for_each(|(place, sample)| fill(place, sample));
    }

    /// The second half.
    pub(crate) fn number(&mut self) {
        let PreparedBatch { samples, scales, rows } = self;
        *scales = Scales::new(samples);
        rows.prepare(samples);
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// What each sample counts.
    pub(super) fn scales(&self) -> Scales {
        self.scales
    }

    /// The rows that they touch.
    ///
    /// # Panics
    /// When it was not made for a sparse net that learns on a processor.
    pub(super) fn rows(&self) -> &SparseBatch {
        match &self.rows {
            BatchRows::ByHand(rows) => rows,
            _ => panic!("a batch for a sparse net on a processor"),
        }
    }

    /// What goes over to the device.
    ///
    /// # Panics
    /// When it was not made for a sparse net that learns on a GPU.
    #[cfg(feature = "wgpu")]
    pub(super) fn on_device(&self) -> &crate::net::gpu::GpuBatch {
        match &self.rows {
            BatchRows::OnDevice(batch) => batch,
            _ => panic!("a batch for a sparse net on a GPU"),
        }
    }
}
