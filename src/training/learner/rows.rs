//! What a batch is made into before its step.

use crate::{net::SparseBatch, training::replay::Sample};
#[cfg(feature = "wgpu")]
use crate::{net::gpu::GpuBatch, training::replay::MoveWeight};

/// What a batch needs beside its samples.
#[derive(Clone, Debug)]
pub enum BatchRows {
    /// Nothing: burn takes samples.
    None,
    /// The rows that it touches, for a sparse net on a processor.
    ByHand(Box<SparseBatch>),
    /// What goes over to a GPU.
    #[cfg(feature = "wgpu")]
    OnDevice(Box<GpuBatch>),
}

impl BatchRows {
    /// Makes them those of `samples`.
    ///
    /// # Panics
    /// When a sample does not fit the net.
    pub fn prepare(&mut self, samples: &[Sample]) {
        match self {
            BatchRows::None => {}
            BatchRows::ByHand(rows) => {
                rows.make(
                    samples.len(),
                    |place| &samples[place].features,
                    |place| samples[place].policy.iter().map(|mv| mv.index),
                    |place| samples[place].reply.iter().map(|mv| mv.index),
                );
            }
            #[cfg(feature = "wgpu")]
            BatchRows::OnDevice(batch) => {
                batch.clear();
                for Sample { features, policy, reply, wdl, moves_left } in samples {
                    let wdl = [wdl.win, wdl.draw, wdl.loss];
                    batch.add(features, targets(policy), targets(reply), wdl, *moves_left);
                }
                batch.pack();
            }
        }
    }
}

#[cfg(feature = "wgpu")]
fn targets(moves: &[MoveWeight]) -> impl Iterator<Item = (u16, f32)> {
    moves.iter().map(|mv| (mv.index, mv.weight))
}
