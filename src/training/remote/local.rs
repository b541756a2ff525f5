//! A worker within the learner's process.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use anyhow::{Context, Result};

use super::{limits::RunLimits, names::draw_name, options::WorkOptions, server::NatsServer, worker::work};

/// Plays on some threads until it is dropped.
pub struct LocalWorker {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LocalWorker {
    /// Begins, as a worker of `run` like any other.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(server: &NatsServer, run: &str, threads: usize) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (runs, limits) = (vec![run.to_owned()], RunLimits::NONE);
        let options = WorkOptions { name: draw_name(), threads, runs, limits };
        let body = {
            let (server, stop) = (server.clone(), Arc::clone(&stop));
            move || {
                let told = work(&server, &options, &stop, &|line| tracing::info!("{line}"));
                if let Err(error) = told {
                    tracing::warn!("this machine plays no more: {error:#}");
                }
            }
        };
        let thread = thread::Builder::new().name("worker".to_owned()).spawn(body);
        Ok(LocalWorker { stop, thread: Some(thread.context("cannot start a thread")?) })
    }
}

impl Drop for LocalWorker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // What went wrong there was said there.
            let _ = thread.join();
        }
    }
}
