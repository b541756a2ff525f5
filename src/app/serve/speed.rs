//! How fast this machine trains a game: measured once by `sanki bench`, when somebody asks.

use std::{
    collections::HashMap,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{net::Backend, training::run::RunConfig};

/// Seconds of each of the two measurements.
const SECONDS: &str = "1";

/// The arguments of a measurement, which name all that its figure depends on.
type Arguments = Vec<String>;

/// What was measured.
#[derive(Debug)]
pub(super) struct Speeds {
    /// The file of `sanki`.
    program: PathBuf,
    known: Mutex<HashMap<Arguments, f64>>,
}

impl Speeds {
    /// Nothing yet, to be measured by `program`, the file of `sanki`.
    pub(super) fn new(program: PathBuf) -> Self {
        Speeds { program, known: Mutex::default() }
    }

    /// Positions a second that a run of `config` plays and learns on `threads` threads.
    ///
    /// # Errors
    /// When `sanki bench` cannot be run.
    pub(super) fn measure(&self, config: &RunConfig, threads: usize) -> Result<f64> {
        let moves = self.figure("moves_per_s", playing(config, threads))?;
        let learnt = self.figure("samples_per_s", learning(config, threads))?;
        let samples = config.replay.reuse * f64::from(config.selfplay.full_share);
        let (play, learning) = (1.0 / moves, samples / learnt);
        // On the processors the work is the same whether self-play and learning take turns or not.
        let is_beside = backend(config) != Backend::Native && config.selfplay.lag > 0;
        let seconds = if is_beside { play.max(learning) } else { play + learning };
        Ok(1.0 / seconds)
    }

    /// The figure called `key` of a measurement, which is made where it was not before.
    fn figure(&self, key: &str, arguments: Arguments) -> Result<f64> {
        // Held while it is measured: two at once would measure each other.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(figure) = known.get(&arguments) {
            return Ok(*figure);
        }
        let figures = self.bench(&arguments)?;
        let figure = figures[key].as_f64().context("sanki bench said something else")?;
        ensure!(figure.is_finite() && figure > 0.0, "the measurement gave no speed");
        known.insert(arguments, figure);
        Ok(figure)
    }

    fn bench(&self, arguments: &[String]) -> Result<Value> {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
        let output = command.output().context("cannot start sanki")?;
        ensure!(output.status.success(), "sanki bench failed");
        serde_json::from_slice(&output.stdout).context("sanki bench said something else")
    }
}

/// What learns.
fn backend(config: &RunConfig) -> Backend {
    config.learner.backend.unwrap_or_default()
}

/// How self-play is measured.
fn playing(config: &RunConfig, threads: usize) -> Arguments {
    let play = &config.selfplay;
    let options = [
        ("--precision", play.precision.to_string()),
        ("--sims", play.simulations.to_string()),
        ("--quick-sims", play.quick_simulations.to_string()),
        ("--full-share", play.full_share.to_string()),
        ("--games-per-worker", play.games_per_worker.to_string()),
        ("--cache-positions", play.cache_positions.to_string()),
    ];
    arguments("selfplay", config, threads, &options)
}

/// How learning is measured.
fn learning(config: &RunConfig, threads: usize) -> Arguments {
    let options = [
        ("--backend", backend(config).as_str().to_owned()),
        ("--batch", config.learner.batch.to_string()),
        ("--shard", config.learner.shard.to_string()),
    ];
    arguments("train", config, threads, &options)
}

fn arguments(kind: &str, config: &RunConfig, threads: usize, options: &[(&str, String)]) -> Arguments {
    let common = [
        ("--game", config.game.to_string()),
        ("--net", config.net.to_string()),
        ("--threads", threads.to_string()),
        ("--seconds", SECONDS.to_owned()),
    ];
    let begin = ["bench", kind, "--json"].map(str::to_owned);
    let options = common.iter().chain(options).flat_map(|(name, value)| [(*name).to_owned(), value.clone()]);
    begin.into_iter().chain(options).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::GameId;

    fn config(set: &[&str]) -> RunConfig {
        let set: Vec<String> = set.iter().map(|&item| item.to_owned()).collect();
        RunConfig::parse(GameId::Dobutsu.facts().config, &set).unwrap()
    }

    #[test]
    fn what_the_speed_depends_on_is_measured_anew() {
        let speeds = Speeds::new("no/such/sanki".into());
        let known = config(&[]);
        speeds.known.lock().unwrap().extend([(playing(&known, 2), 100.0), (learning(&known, 2), 400.0)]);
        // A hundredth of a second to play a position, and another one to learn it four times.
        let speed = speeds.measure(&known, 2).unwrap();
        assert!((speed - 50.0).abs() < 1e-9, "{speed}");
        let speed = speeds.measure(&config(&["budget.minutes=7", "seed=3"]), 2).unwrap();
        assert!((speed - 50.0).abs() < 1e-9, "{speed}");

        assert!(speeds.measure(&known, 3).is_err(), "there is nothing to measure with");
        for set in [
            "net.hidden=64",
            "selfplay.precision=fp32",
            "selfplay.simulations=64",
            "selfplay.quick_simulations=4",
            "selfplay.full_share=0.5",
            "selfplay.games_per_worker=1",
            "selfplay.cache_positions=0",
            "learner.batch=512",
        ] {
            assert!(speeds.measure(&config(&[set]), 2).is_err(), "{set}");
        }
    }

    #[test]
    fn a_run_is_measured_as_it_plays() {
        let arguments = playing(&config(&["selfplay.full_share=0.5", "selfplay.quick_simulations=3"]), 2);
        for words in [["--full-share", "0.5"], ["--quick-sims", "3"], ["--sims", "32"]] {
            assert!(arguments.windows(2).any(|pair| pair == words), "{words:?}: {arguments:?}");
        }
    }
}
