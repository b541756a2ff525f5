//! The GPU by kernels of our own: which devices there are, and a sparse net that learns on one.

mod batch;
mod device;
mod kernels;
mod layout;
mod learner;
mod params;

pub use batch::GpuBatch;
pub use device::{Gpu, GpuInfo, NoGpu};
pub use learner::{GpuLearner, GpuReport};
