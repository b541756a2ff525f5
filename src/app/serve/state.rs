//! What every answer may use, and how it works where it may wait.

use std::sync::Arc;

use anyhow::{Context, Result};

use super::{
    engines::Engines, error::PageError, folders::Folders, processes::Processes, speed::Speeds, sse::Watches,
    texts::Texts,
};

/// What every answer may use.
pub(super) struct ServerState {
    /// What is shown.
    pub(super) folders: Folders,
    /// What was started.
    pub(super) processes: Processes,
    /// Which engines of other programs may be started.
    pub(super) engines: Engines,
    /// What was measured of this machine.
    pub(super) speeds: Speeds,
    /// What is watched.
    pub(super) watches: Watches,
}

#[cfg(test)]
impl ServerState {
    /// One of `folders` that starts `program`.
    pub(super) fn for_tests(folders: Folders, program: std::path::PathBuf) -> Self {
        ServerState {
            folders,
            processes: Processes::new(program.clone()),
            engines: Engines::default(),
            speeds: Speeds::new(program),
            watches: Watches::default(),
        }
    }
}

/// As handlers take it.
pub(super) type SharedState = axum::extract::State<Arc<ServerState>>;

/// Does `work` where it may wait for files and processors.
///
/// # Errors
/// Those of the work.
pub(super) async fn blocking<T: Send + 'static>(
    texts: Texts,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T, PageError> {
    let done = tokio::task::spawn_blocking(work).await.context("it was broken off");
    done.and_then(|result| result).map_err(|error| PageError::broken(texts, &error))
}

/// As [`blocking`]; what there is not is missing.
///
/// # Errors
/// Those of the work, and [`PageError::missing`] for `None`.
pub(super) async fn found<T: Send + 'static>(
    texts: Texts,
    work: impl FnOnce() -> Result<Option<T>> + Send + 'static,
) -> Result<T, PageError> {
    blocking(texts, work).await?.ok_or_else(|| PageError::missing(texts))
}
