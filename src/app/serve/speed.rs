//! How fast this machine trains a game: measured once by `sanki bench`, when somebody asks.

use std::{
    collections::HashMap,
    env,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{games::rules::GameId, net::Backend, training::run::RunConfig};

/// Seconds of each of the two measurements.
const SECONDS: &str = "1";

/// What is measured: a game, what learns, and threads.
type Measured = (GameId, &'static str, usize);

/// What was measured.
#[derive(Debug, Default)]
pub(super) struct Speeds {
    known: Mutex<HashMap<Measured, f64>>,
}

#[derive(Deserialize)]
struct Play {
    moves_per_s: f64,
}

#[derive(Deserialize)]
struct Learning {
    samples_per_s: f64,
}

impl Speeds {
    /// Positions a second that a run of `config` plays and learns on `threads` threads.
    ///
    /// # Errors
    /// When `sanki bench` cannot be run.
    pub(super) fn measure(&self, config: &RunConfig, threads: usize) -> Result<f64> {
        // Held while it is measured: two at once would measure each other.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let learns = config.learner.backend.unwrap_or_default();
        let measured = (config.game, learns.as_str(), threads);
        if let Some(speed) = known.get(&measured) {
            return Ok(*speed);
        }
        let common = |kind: &str| {
            let texts = ["bench", kind, "--game", config.game.as_str(), "--seconds", SECONDS, "--json"];
            let mut arguments: Vec<String> = texts.map(str::to_owned).into();
            arguments.extend([
                "--net".into(),
                config.net.to_string(),
                "--threads".into(),
                threads.to_string(),
            ]);
            arguments
        };
        let precision = config.selfplay.precision.to_string();
        let play = [
            common("selfplay"),
            ["--as-trained", "--precision", &precision, "--sims"].map(str::to_owned).into(),
            vec![config.selfplay.simulations.to_string()],
        ];
        let batch = config.learner.batch.to_string();
        let learning =
            [common("train"), ["--backend", learns.as_str(), "--batch", &batch].map(str::to_owned).into()];
        let play: Play = bench(&play.concat())?;
        let learning: Learning = bench(&learning.concat())?;
        let samples = config.replay.reuse * f64::from(config.selfplay.full_share);
        let (play, learning) = (1.0 / play.moves_per_s, samples / learning.samples_per_s);
        // On the processors the work is the same whether self-play and learning take turns or not.
        let is_beside = learns != Backend::Native && config.selfplay.lag > 0;
        let seconds = if is_beside { play.max(learning) } else { play + learning };
        ensure!(seconds.is_finite() && seconds > 0.0, "the measurement gave no speed");
        known.insert(measured, 1.0 / seconds);
        Ok(1.0 / seconds)
    }
}

fn bench<T: serde::de::DeserializeOwned>(arguments: &[String]) -> Result<T> {
    let program = env::current_exe().context("cannot find the program itself")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().context("cannot start sanki")?;
    ensure!(output.status.success(), "sanki bench failed");
    serde_json::from_slice(&output.stdout).context("sanki bench said something else")
}
