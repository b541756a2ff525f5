//! A worker within the learner's process.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use anyhow::{Context, Result};

use super::{
    limits::RunLimits,
    names::draw_name,
    options::WorkOptions,
    server::NatsServer,
    worker::{Worked, work},
};

/// After an error the worker begins again, this much later.
const PAUSE: Duration = Duration::from_secs(1);

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
                again_and_again(&stop, PAUSE, || {
                    work(&server, &options, &stop, &|line| tracing::info!("{line}"))
                });
            }
        };
        let thread = thread::Builder::new().name("worker".to_owned()).spawn(body);
        Ok(LocalWorker { stop, thread: Some(thread.context("cannot start a thread")?) })
    }
}

/// Works until that ends well or `stop` is set. What goes wrong is said, and may be over after a pause: what an earlier
/// learner has left on the server, for one.
fn again_and_again(stop: &AtomicBool, pause: Duration, work: impl Fn() -> Result<Worked>) {
    let mut told = String::new();
    while !stop.load(Ordering::Relaxed)
        && let Err(error) = work()
    {
        let why = format!("{error:#}");
        if why != told {
            tracing::warn!("this machine does not play: {why}; trying again");
            told = why;
        }
        thread::sleep(pause);
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use anyhow::{bail, ensure};

    use super::*;

    #[test]
    fn a_worker_that_was_refused_tries_again_until_it_is_stopped() {
        let (stop, begun) = (AtomicBool::new(false), Cell::new(0));
        let begins = || begun.replace(begun.get() + 1);
        again_and_again(&stop, Duration::ZERO, || {
            ensure!(begins() == 2, "an old entry");
            Ok(Worked::default())
        });
        assert_eq!(begun.get(), 3);
        again_and_again(&stop, Duration::ZERO, || {
            stop.store(begins() == 5, Ordering::Relaxed);
            bail!("an old entry")
        });
        assert_eq!(begun.get(), 6);
    }
}
