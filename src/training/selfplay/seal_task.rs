//! A generation that is sealed while its games are learnt.

use std::{
    panic::resume_unwind,
    path::PathBuf,
    thread::{self, JoinHandle},
};

use anyhow::Result;

use super::{
    journal::{Contents, Journal, RecordMeta},
    record::GameRecord,
};

/// A sealed file that is being written by a thread of its own, so that learning does not wait for the disk. Until it is
/// done, the games are in the journal.
#[derive(Debug)]
pub struct SealTask(Option<JoinHandle<Result<()>>>);

impl SealTask {
    /// Begins to write all games of a generation to `path`, as [`seal`](super::seal) does, and then to remove its
    /// `journal`.
    ///
    /// # Errors
    /// When they cannot be serialised.
    pub fn begin(
        journal: Journal,
        path: PathBuf,
        meta: &RecordMeta,
        games: &mut [GameRecord],
    ) -> Result<Self> {
        let contents = Contents::of(meta, games)?;
        Ok(SealTask(Some(thread::spawn(move || {
            contents.write(&path)?;
            journal.remove()
        }))))
    }

    /// Waits until that is done.
    ///
    /// # Errors
    /// Names the path that could not be written.
    pub fn finish(mut self) -> Result<()> {
        let thread = self.0.take().expect("nobody else waits for it");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl Drop for SealTask {
    /// Waits as well, so that the files are whole when the run goes on; an error is logged.
    fn drop(&mut self) {
        if let Some(Ok(Err(error))) = self.0.take().map(JoinHandle::join) {
            tracing::error!("{error:#}");
        }
    }
}
