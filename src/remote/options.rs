//! How a worker works.

/// How to work.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// What this worker is called.
    pub name: String,
    /// Threads that play.
    pub threads: usize,
    /// The one run to work for; any, if none is named.
    pub only: Option<String>,
}
