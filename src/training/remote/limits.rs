//! What a run may ask of a worker: a run's settings come from another machine, and could ask for all of this one.

use anyhow::{Result, ensure};

use super::run_manifest::GenerationOrder;
use crate::{
    games::encode::Encode,
    net::{MOST_PARAMETERS, ModelFile, Sizes},
    search::DEFAULT_MEMORY,
    training::run::RunConfig,
    with_game,
};

/// Bytes of a parameter.
const PARAMETER: u64 = 4;
/// Bytes of a net's description and of the names of its tensors at most.
const NET_ROOM: u64 = 1 << 20;
/// Bytes of a remembered position: its key, its value, and a number for each of eighty moves, as many as positions of the
/// largest board have on average.
const CACHED: u64 = 400;
/// Bytes of a simulation in a tree, a node and eighty moves, and of an empty tree.
const SIMULATION: u64 = 48 + 12 + 80 * 20;
const TREE: u64 = 1 << 19;
/// Bytes of a ply of a game that is being played.
const PLY: u64 = 128;
/// A net is in memory as it came, as it was read, and as the kernels want it.
const COPIES: u64 = 3;

/// What a run may ask of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// Bytes of a net's parameters.
    pub net: u64,
    /// Bytes of memory for net, games and remembered positions, by estimate.
    pub memory: u64,
}

impl RunLimits {
    /// None but those that hold for all nets: for a run of one's own.
    pub const NONE: RunLimits = RunLimits { net: MOST_PARAMETERS as u64 * PARAMETER, memory: u64::MAX };

    /// Whether a run with these settings, played on `threads` threads, asks for no more.
    ///
    /// # Errors
    /// Says what it asks for, and which option allows it.
    pub fn check_run(&self, config: &RunConfig, threads: usize) -> Result<()> {
        let net = parameters(config).saturating_mul(PARAMETER);
        ensure!(
            net <= self.net,
            "its net takes {} MiB, this worker accepts {} (--max-net)",
            mebibytes(net),
            self.net >> 20
        );
        let memory = memory(config, threads);
        ensure!(
            memory <= self.memory,
            "it would take about {} MiB of memory, this worker gives {} (--max-memory); fewer --threads take less",
            mebibytes(memory),
            self.memory >> 20
        );
        Ok(())
    }

    /// Whether an order's net is no larger than the limit says.
    ///
    /// # Errors
    /// Says how large it is.
    pub fn check_net(&self, order: &GenerationOrder) -> Result<()> {
        let (bytes, most) = (order.net_bytes, self.net.saturating_add(NET_ROOM));
        ensure!(bytes <= most, "the net of the order {} has {bytes} bytes, the limit is {most}", order.id);
        Ok(())
    }

    /// Whether a net that was read has as few parameters as the limit says.
    ///
    /// # Errors
    /// Says how many it has.
    pub fn check_model(&self, net: &ModelFile) -> Result<()> {
        let parameters = net.model.net().parameters(&net.model.sizes()) as u64;
        let most = self.net / PARAMETER;
        ensure!(
            parameters <= most,
            "a net of {parameters} parameters, this worker accepts {most} (--max-net)"
        );
        Ok(())
    }
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Parameters of the run's net.
fn parameters(config: &RunConfig) -> u64 {
    with_game!(config.game, G => config.net.parameters(&Sizes::of(&config.net, &G::SHAPE)) as u64)
}

/// About how many bytes it takes to play for a run with these settings on `threads` threads.
fn memory(config: &RunConfig, threads: usize) -> u64 {
    let play = &config.selfplay;
    let simulations = u64::from(play.simulations.max(play.quick_simulations));
    let tree = (TREE + simulations * SIMULATION).min(u64::from(DEFAULT_MEMORY) << 20);
    let game = tree + u64::from(play.max_plies) * PLY;
    let games = (threads as u64).saturating_mul(play.games_per_worker as u64);
    let net = parameters(config).saturating_mul(PARAMETER * COPIES);
    net.saturating_add(games.saturating_mul(game)).saturating_add(play.cache_positions as u64 * CACHED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(settings: &[&str]) -> RunConfig {
        let set: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        RunConfig::parse(include_str!("../../../configs/janggi.toml"), &set).unwrap()
    }

    #[test]
    fn the_settings_that_come_with_the_program_are_within_the_limits() {
        let limits = RunLimits { net: 128 << 20, memory: 4 << 30 };
        limits.check_run(&config(&[]), 1024).unwrap();
        RunLimits::NONE.check_run(&config(&["selfplay.cache_positions=200000000"]), 1024).unwrap();
    }

    #[test]
    fn what_a_run_asks_for_is_named() {
        let limits = RunLimits { net: 128 << 20, memory: 4 << 30 };
        let error = |settings: &[&str], threads| {
            limits.check_run(&config(settings), threads).unwrap_err().to_string()
        };
        let little = RunLimits { net: 1 << 20, ..limits };
        let net = little.check_run(&config(&[]), 1).unwrap_err().to_string();
        assert!(net.contains("--max-net") && net.contains("accepts 1 "), "{net}");
        assert!(error(&["selfplay.cache_positions=200000000"], 1).contains("MiB of memory"));
        let many = ["selfplay.games_per_worker=4096", "selfplay.simulations=4096"];
        assert!(error(&many, 1).contains("--max-memory"));
        let some = ["selfplay.games_per_worker=256"];
        limits.check_run(&config(&some), 4).unwrap();
        assert!(error(&some, 256).contains("--threads"));
    }
}
