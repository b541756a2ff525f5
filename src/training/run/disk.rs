//! Room on the disk: what a run takes, which records it still needs, and a stop before the disk is full.

use std::{fmt, fs, io, ops::RangeInclusive, path::Path};

use anyhow::Result;

use super::{
    budget::{Budget, Spent},
    checkpoint::RunDir,
    config::{Keep, RunConfig},
    records::{Records, generations},
    state::State,
};
use crate::{
    base::store::remove_if_there,
    games::{encode::Encode, rules::GameId},
    net::{NetConfig, Sizes},
    training::{
        replay::ReplayConfig,
        selfplay::{journal_path, sealed_path},
    },
    with_game,
};

/// Bytes of a checkpoint for each weight: the weight, its mean, both moments, and the net that plays; with a lag also the net
/// that plays the next generation.
const BYTES_A_WEIGHT: u64 = 20;
const BYTES_A_WEIGHT_WITH_LAG: u64 = 24;
/// How many times as large as the sealed file a journal is: it is not packed. Both stand side by side for a moment.
const JOURNAL: u64 = 8;
/// Bytes that are left free in any case: for the log, the figures, and others on this machine.
const RESERVE: u64 = 64 << 20;

/// Milestones that an estimate looks at one by one, at most.
const MOST_COUNTED: usize = 100_000;

/// The free bytes where a path is, for this user.
pub type FreeBytes = Box<dyn Fn(&Path) -> io::Result<u64> + Send + Sync>;

/// Asks the system.
pub(super) fn free_bytes() -> FreeBytes {
    Box::new(available)
}

/// # Errors
/// Also where the file system tells no size, neither of itself nor of what is free: one in memory without a limit, or one
/// that another program makes up. It says 0 of both.
fn available(path: &Path) -> io::Result<u64> {
    let space = fs4::statvfs(path)?;
    if space.total_space() == 0 {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "the file system tells no size"));
    }
    Ok(space.available_space())
}

/// The bytes that are free where a folder is or will be, where the system says.
pub fn free_bytes_near(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.is_dir());
    available(there.unwrap_or(Path::new("."))).ok()
}

/// The next generation may not fit on the disk. The run is saved and goes on once there is room.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the disk of {folder} is nearly full: {} are free, and the next generation may need {}; the run is saved",
    Bytes(*.free),
    Bytes(*.needed)
)]
pub struct DiskFull {
    /// The run's folder.
    pub folder: String,
    /// Bytes that are free there.
    pub free: u64,
    /// Bytes that the next generation may need, with some to spare.
    pub needed: u64,
}

/// Bytes that a run takes on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskUse {
    /// Of the records of its games.
    pub records: u64,
    /// Of its checkpoints.
    pub checkpoints: u64,
}

impl DiskUse {
    /// About what a run of `config` has on the disk after `positions` positions of self-play.
    pub fn of(config: &RunConfig, positions: u64) -> Self {
        let a_generation = u64::from(config.selfplay.positions_per_generation).max(1);
        let done = (positions / a_generation).max(1);
        let kept = match config.keeps() {
            Keep::All => done,
            Keep::Window => generations_kept(config, done).min(done),
        };
        let milestones = done / u64::from(config.checkpoints.milestone_every.max(1));
        let checkpoints = 1 + milestones + config.checkpoints.keep as u64;
        DiskUse {
            records: kept.saturating_mul(a_generation).saturating_mul(bytes_a_position(config.game)),
            checkpoints: checkpoints.saturating_mul(bytes_of_checkpoint(config)),
        }
    }

    /// What the run in `dir` has on the disk now.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn now(dir: &RunDir) -> Result<Self> {
        let bytes = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let folder = dir.records();
        let files = |generation| [sealed_path(&folder, generation), journal_path(&folder, generation)];
        let games = generations(&folder)?.into_iter().flat_map(files);
        let checkpoints = dir.generations()?.into_iter().map(|generation| dir.checkpoint(generation));
        Ok(DiskUse {
            records: games.map(|path| bytes(&path)).sum(),
            checkpoints: checkpoints.map(|path| bytes(&path)).sum(),
        })
    }

    /// Whether the run in `dir` will have room for this on its disk, of which `free` bytes are free: what it has there now is
    /// a part of it.
    pub fn fits(&self, dir: &RunDir, free: u64) -> bool {
        let now = DiskUse::now(dir).unwrap_or_default();
        self.total() <= free.saturating_add(now.total())
    }

    /// All together.
    pub fn total(&self) -> u64 {
        self.records.saturating_add(self.checkpoints)
    }
}

/// Generations whose records are kept after `done` of them: the windows of the kept checkpoints.
fn generations_kept(config: &RunConfig, done: u64) -> u64 {
    let taught = f64::from(config.selfplay.positions_per_generation) * f64::from(config.selfplay.full_share);
    let taught = (taught as u64).max(1);
    let window =
        |generation: u64| (config.replay.window(generation.saturating_mul(taught)) / taught).min(generation);
    let every = u64::from(config.checkpoints.milestone_every.max(1));
    let newest = (config.checkpoints.keep as u64).saturating_mul(config.checkpoints.every.into()).min(done);
    let (mut kept, mut left) = (0, done / every);
    // Up to its largest the window grows; from there on each milestone has as many generations to itself.
    for generation in (1..=left).take(MOST_COUNTED).map(|number| number * every) {
        let held = window(generation);
        if held >= every || held == window(done) {
            break;
        }
        kept += held;
        left -= 1;
    }
    // The window of the end may reach back into those of the last milestones.
    kept + left * every.min(window(done)) + (window(done) + newest).min(done % every + newest)
}

/// Positions that a run of `config` plays until its budget is spent. Limits of time are counted by the speed so far, that of
/// `spent`; `None` where there is such a limit and no speed yet.
pub fn positions_to_come(config: &RunConfig, spent: &Spent) -> Option<u64> {
    let Budget { positions, generations, minutes, cpu_minutes } = &config.budget;
    let by_generations =
        generations.map(|all| u64::from(all) * u64::from(config.selfplay.positions_per_generation));
    let mut limits: Vec<u64> = positions.iter().copied().chain(by_generations).collect();
    for (minutes, seconds) in [(minutes, spent.seconds), (cpu_minutes, spent.cpu_seconds)] {
        let Some(minutes) = minutes else { continue };
        let speed = spent.positions as f64 / seconds;
        if !speed.is_finite() || speed <= 0.0 {
            return None;
        }
        limits.push((60.0 * minutes * speed) as u64);
    }
    limits.into_iter().min()
}

/// Bytes of the records of a position, as runs of the configs have them: of the large boards over whole runs
/// (docs/training.md), of the small ones over their first ten thousand positions and more, which took 35 to 46.
pub fn bytes_a_position(game: GameId) -> u64 {
    match game {
        GameId::Janggi => 80,
        GameId::Xiangqi => 60,
        GameId::Shogi | GameId::Guest(_) => 140,
        GameId::Minixiangqi | GameId::Minishogi | GameId::Dobutsu => 50,
    }
}

fn bytes_of_checkpoint(config: &RunConfig) -> u64 {
    let weights = |net: &NetConfig| match config.game {
        // Of a game of another crate the sizes are not known here.
        GameId::Guest(_) => 1 << 20,
        game => with_game!(game, G => net.parameters(&Sizes::of(net, &G::SHAPE))),
    };
    let bytes = if config.selfplay.lag > 0 { BYTES_A_WEIGHT_WITH_LAG } else { BYTES_A_WEIGHT };
    weights(&config.net) as u64 * bytes
}

/// Bytes that have to be free before a generation begins.
pub(super) fn needed(config: &RunConfig) -> u64 {
    let positions =
        u64::from(config.selfplay.positions_per_generation) * (1 + u64::from(config.selfplay.lag));
    positions * bytes_a_position(config.game) * JOURNAL + 2 * bytes_of_checkpoint(config) + RESERVE
}

/// The first generation that the window holds games of, by the number of training positions of each generation.
/// Those before `floor` are not looked at.
pub(super) fn window_start(replay: &ReplayConfig, taught: &[u64], floor: u32) -> u32 {
    let room = replay.window(taught.iter().sum());
    let (mut first, mut held) = (taught.len() as u32 + 1, 0);
    while first > floor.max(1) && held < room {
        first -= 1;
        held += taught[first as usize - 1];
    }
    first
}

impl Records<'_> {
    /// Removes the records that no checkpoint needs which is on the disk: those outside of the windows that a run would
    /// have that goes on from there. The run stands at `state`, of which there is a checkpoint.
    ///
    /// # Errors
    /// Names what cannot be read or removed.
    pub fn remove_unneeded(&self, state: &State) -> Result<()> {
        let needed = |generation: u32| -> RangeInclusive<u32> {
            // The settings of the checkpoint, and those that came after it.
            let first = |generation_of_settings: u32| {
                let replay = &self.settings.of(generation_of_settings).replay;
                window_start(replay, &state.taught[..generation as usize], 1)
            };
            first(generation).min(first(generation + 1))..=generation
        };
        let mut kept = self.dir.generations()?;
        kept.retain(|&generation| generation <= state.generation);
        let windows: Vec<RangeInclusive<u32>> = kept.into_iter().map(needed).collect();
        let folder = self.dir.records();
        for generation in generations(&folder)? {
            let is_needed = windows.iter().any(|window| window.contains(&generation));
            if is_needed || generation > state.generation {
                continue;
            }
            for path in [sealed_path(&folder, generation), journal_path(&folder, generation)] {
                remove_if_there(&path)?;
            }
        }
        Ok(())
    }
}

/// A number of bytes as people read it.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 as f64 {
            bytes if bytes < 1e9 => write!(f, "{:.0} MB", (bytes / 1e6).ceil()),
            bytes => write!(f, "{:.1} GB", bytes / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(set: &[&str]) -> RunConfig {
        let set: Vec<String> = set.iter().map(|&item| item.to_owned()).collect();
        RunConfig::parse(include_str!("../../../configs/dobutsu.toml"), &set).unwrap()
    }

    #[test]
    fn the_window_starts_where_its_room_ends() {
        let replay = config(&["replay.window_start=100", "replay.window_max=100"]).replay;
        assert_eq!(window_start(&replay, &[], 0), 1);
        assert_eq!(window_start(&replay, &[60, 60], 0), 1);
        assert_eq!(window_start(&replay, &[60, 60, 60], 0), 2);
        assert_eq!(window_start(&replay, &[60, 60, 100], 0), 3);
        assert_eq!(window_start(&replay, &[60, 60, 60], 3), 3, "what is before the floor is gone");
    }

    #[test]
    fn the_estimate_counts_windows_or_everything() {
        let all = config(&["records.keep=all"]);
        let positions = 2_450_000;
        assert_eq!(DiskUse::of(&all, positions).records, positions * bytes_a_position(GameId::Dobutsu));
        let window =
            |set: &[&str]| DiskUse::of(&config(&[&["records.keep=window"], set].concat()), positions);
        let endless = DiskUse::of(&config(&["records.keep=window"]), u64::MAX);
        assert!(endless.total() > 1 << 40, "it is an answer, and comes at once: {endless:?}");
        let few = window(&["checkpoints.milestone_every=1000000"]);
        let many = window(&["checkpoints.milestone_every=10"]);
        assert!(few.records * 2 < DiskUse::of(&all, positions).records, "{few:?}");
        assert!(few.records < many.records && few.checkpoints < many.checkpoints, "{few:?} {many:?}");
    }

    #[test]
    fn a_budget_of_time_needs_a_speed() {
        let nothing = Spent::default();
        let spent = Spent { positions: 1000, seconds: 10.0, cpu_seconds: 40.0, ..nothing };
        let after = |set: &[&str], spent: &Spent| positions_to_come(&config(set), spent);
        assert_eq!(after(&["budget.positions=7"], &nothing), Some(7));
        let (wall, cpu) = ("budget.minutes=2.0", "budget.cpu_minutes=2.0");
        for (limits, positions) in [(&[wall][..], 12_000), (&[cpu], 3000), (&[wall, cpu], 3000)] {
            let alone = [&["budget.positions=none"], limits].concat();
            assert_eq!(after(&alone, &nothing), None, "{limits:?}");
            assert_eq!(after(&alone, &spent), Some(positions), "{limits:?}");
            // They may end the run long before its positions are played.
            let with_positions = [&["budget.positions=100000000"], limits].concat();
            assert_eq!(after(&with_positions, &nothing), None, "{limits:?}");
            assert_eq!(after(&with_positions, &spent), Some(positions), "{limits:?}");
        }
        assert_eq!(after(&["budget.positions=7", cpu], &spent), Some(7));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_that_tells_no_size_is_not_full() {
        assert!(free_bytes()(Path::new("/proc")).is_err());
        assert_eq!(free_bytes_near(Path::new("/proc/no/such/folder")), None);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(free_bytes()(sources).is_ok() && free_bytes_near(sources).is_some());
    }

    #[test]
    fn bytes_are_readable() {
        assert_eq!(
            [1, 999_000_000, 50_000_000_000].map(|bytes| Bytes(bytes).to_string()),
            ["1 MB", "999 MB", "50.0 GB"]
        );
    }
}
