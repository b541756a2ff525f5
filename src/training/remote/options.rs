//! How a worker works.

use super::{limits::RunLimits, server::Link};

/// How to work.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// What this process is called, beside the user as whom it enters the server.
    pub name: String,
    /// Threads that play.
    pub threads: usize,
    /// The runs to work for; any, if none is named.
    pub runs: Vec<String>,
    /// What a run may ask for.
    pub limits: RunLimits,
}

impl WorkOptions {
    /// Whether to work for this run.
    pub fn wants(&self, run: &str) -> bool {
        self.runs.is_empty() || self.runs.iter().any(|wanted| wanted == run)
    }

    /// What the worker is called on the server of `link`: `USER.NAME`.
    pub fn worker(&self, link: &Link) -> String {
        format!("{}.{}", link.user, self.name)
    }
}
