//! Scalars for TensorBoard.
//!
//! The library behind it panics, here and on a thread of its own, when it cannot write. A full disk must cost
//! the curves and not the run, so every call is guarded and the first failure ends the curves with a warning.

use std::{
    mem::ManuallyDrop,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use tensorboard_rs::summary_writer::SummaryWriter;

/// Writes an event file; steps are positions played.
pub struct TensorBoard {
    writer: Option<ManuallyDrop<SummaryWriter>>,
}

impl TensorBoard {
    /// Begins an event file in `folder`.
    pub fn new(folder: &Path) -> Self {
        let mut board = TensorBoard { writer: None };
        board.writer = guarded(|| ManuallyDrop::new(SummaryWriter::new(folder)));
        board
    }

    /// Writes `values`, each under its tag, at `step`.
    pub fn write(&mut self, step: u64, values: &[(String, f64)]) {
        let Some(writer) = &mut self.writer else { return };
        let written = guarded(|| {
            for (tag, value) in values {
                writer.add_scalar(tag, *value as f32, step as usize);
            }
            writer.flush();
        });
        if written.is_none() {
            // Dropping it would panic as well; the file handle goes with the process.
            self.writer = None;
        }
    }
}

impl Drop for TensorBoard {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            guarded(|| drop(ManuallyDrop::into_inner(writer)));
        }
    }
}

fn guarded<T>(call: impl FnOnce() -> T) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(call));
    if result.is_err() {
        tracing::warn!("TensorBoard's file cannot be written: no more curves from this run");
    }
    result.ok()
}
