//! What a batch is made into before its step.

use crate::net::SparseBatch;
#[cfg(feature = "wgpu")]
use crate::net::gpu::GpuBatch;

/// What a batch needs beside its samples.
#[derive(Clone, Debug)]
pub enum Rows {
    /// Nothing: burn takes samples.
    None,
    /// The rows that it touches, for a sparse net on a processor.
    ByHand(SparseBatch),
    /// What goes over to a GPU.
    #[cfg(feature = "wgpu")]
    OnDevice(GpuBatch),
}
