//! A batch as the learner takes it.

use super::rows::Rows;
use crate::{net::SparseBatch, replay::Sample};

/// Samples, and what can be done with them before the step: nothing in it depends on the weights. Its buffers serve one
/// batch after the other. [`Learner::batch_of`](super::Learner::batch_of) makes one of samples.
#[derive(Clone, Debug)]
pub struct PreparedBatch {
    samples: Vec<Sample>,
    rows: Rows,
}

impl PreparedBatch {
    /// Without samples.
    pub(super) fn new(rows: Rows) -> Self {
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
        rows.prepare(samples);
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
        match &self.rows {
            Rows::ByHand(rows) => rows,
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
            Rows::OnDevice(batch) => batch,
            _ => panic!("a batch for a sparse net on a GPU"),
        }
    }
}
