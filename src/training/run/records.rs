//! The records of a run's window: read when it goes on, and played again where they are lost and the net that played
//! them is still there.

use std::{collections::BTreeSet, fs, io, path::Path};

use anyhow::{Context, Error, Result};
use rayon::prelude::*;

use super::{
    checkpoint::{Checkpoint, RunDir},
    config::RunConfig,
    machine::Machine,
    next_games::{NextGames, next_games},
    settings::RunSettings,
    state::{PlannedGames, State},
};
use crate::{
    base::store::{keep_damaged, keep_replaced, remove_if_there},
    games::encode::Encode,
    training::{
        replay::{Window, check_record},
        selfplay::{
            BadRecords, GameRecord, Plan, RecordMeta, SearchDepth, journal_path, play_all, read_sealed, seal,
            sealed_path,
        },
    },
};

/// What to do when records of the window are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostRecords {
    /// Not to go on.
    Refuse,
    /// To go on, and to learn from the others alone.
    DoWithout,
}

/// Records of the window are lost, and so are the nets that could play them again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("records of the window are lost, and the nets that played them are not kept: {}", .0.join("; "))]
pub struct RecordsLost(pub Vec<String>);

/// Where records are, and whose.
pub(super) struct Records<'a> {
    pub settings: &'a RunSettings,
    pub dir: &'a RunDir,
    pub machine: Machine,
}

impl Records<'_> {
    /// Fills the window with the newest records of a run that stands at `state`, as if it had never been emptied. Lost ones are played again, with a warning.
    ///
    /// # Errors
    /// [`RecordsLost`], if those are to be refused; records of another run; a file that cannot be read or written.
    pub fn refill<G: Encode>(&self, window: &mut Window, state: &State, lost: LostRecords) -> Result<()> {
        let taught = &state.taught;
        let seen: u64 = taught.iter().sum();
        let next = taught.len() as u32 + 1;
        let room = self.settings.of(next).replay.window(seen);
        // The window always ends with the newest game and begins as late as its room allows.
        let (mut held, mut newest, mut missing) = (0, Vec::new(), Vec::new());
        for generation in (state.window_from.max(1)..=taught.len() as u32).rev() {
            if held >= room {
                break;
            }
            let count = taught[generation as usize - 1];
            let games = match self.find::<G>(generation, count)? {
                Ok(games) => {
                    held += count;
                    games
                }
                Err(why) => {
                    missing.push(why.to_string());
                    Vec::new()
                }
            };
            newest.push((generation, games));
        }
        missing.reverse();
        if !missing.is_empty() && lost == LostRecords::Refuse {
            return Err(RecordsLost(missing).into());
        }
        for lost in missing {
            tracing::warn!("{lost}: the run goes on without them");
        }
        let older = taught.len() - newest.len();
        window.skip(taught[..older].iter().sum());
        for (generation, games) in newest.into_iter().rev() {
            let count = window.add::<G>(games);
            window.skip(taught[generation as usize - 1].saturating_sub(count));
        }
        Ok(())
    }

    /// The games of a generation, of which `taught` positions teach; why they are lost, if they are.
    fn find<G: Encode>(&self, generation: u32, taught: u64) -> Result<Result<Vec<GameRecord>, BadRecords>> {
        let path = sealed_path(&self.dir.records(), generation);
        let why = match read_games::<G>(&path, &self.meta::<G>(generation)) {
            Ok(games) => return Ok(Ok(games)),
            Err(BadRecords::Refused(error)) => return Err(error),
            Err(lost) => lost,
        };
        let Some(mut games) = self.play_again::<G>(generation, taught)? else { return Ok(Err(why)) };
        let kept = match &why {
            BadRecords::Damaged(_) => format!("; the file is kept as {}", keep_damaged(&path)?.display()),
            _ => String::new(),
        };
        seal(&path, &self.meta::<G>(generation), &mut games)?;
        tracing::warn!("{why}: its {} games were played again{kept}", games.len());
        Ok(Ok(games))
    }

    /// What the records of a generation must say of themselves.
    pub fn meta<G: Encode>(&self, generation: u32) -> RecordMeta {
        let config = self.settings.of(generation);
        RecordMeta::new(G::ID, config.rules, generation, config.seed, config.fingerprint())
    }

    /// Plays the games of a generation again, if the checkpoint before it is kept; `None` if it is not, or other games
    /// come out, of which not as many positions teach.
    fn play_again<G: Encode>(&self, generation: u32, taught: u64) -> Result<Option<Vec<GameRecord>>> {
        let path = self.dir.checkpoint(generation - 1);
        if !path.exists() {
            return Ok(None);
        }
        // A damaged checkpoint that is not the newest is not needed otherwise.
        let Ok(checkpoint) = Checkpoint::read(&path) else { return Ok(None) };
        if checkpoint.plays_next().check::<G>().is_err() {
            return Ok(None);
        }
        // Of the run's budgets one was in force when the generation began.
        let then = RunConfig::parse(&checkpoint.config, &[]).ok();
        let config = self.settings.of(generation);
        let state = &checkpoint.state;
        // Where settings were changed then, what was planned before was left, or its number of games.
        let open = state.planned.map(|planned| PlannedGames { games: None, ..planned });
        let states = [state.planned, open, None].map(|planned| State { planned, ..state.clone() });
        let configs = || [then.as_ref(), Some(config)].into_iter().flatten();
        let plans = states.iter().flat_map(|state| configs().map(|config| next_games(config, state)));
        let mut tried: Vec<NextGames> = Vec::new();
        for planned in plans {
            if tried.contains(&planned) {
                continue;
            }
            tried.push(planned);
            let games = self.play::<G>(&checkpoint, planned)?;
            let plies = games.iter().flat_map(|game| &game.plies);
            if plies.filter(|ply| ply.search == SearchDepth::Full).count() as u64 == taught {
                return Ok(Some(games));
            }
        }
        Ok(None)
    }

    fn play<G: Encode>(&self, checkpoint: &Checkpoint, planned: NextGames) -> Result<Vec<GameRecord>> {
        let generation = checkpoint.state.generation + 1;
        let (config, machine) = (self.settings.of(generation), self.machine);
        let plan = Plan {
            config: &config.selfplay,
            rules: config.rules,
            seed: config.seed,
            generation,
            games: planned.games,
            done: Default::default(),
            resign_below: planned.resign_below,
        };
        let net = machine.load(&checkpoint.plays_next().model, config.selfplay.precision);
        let net = net.context("selfplay.precision")?;
        Ok(play_all::<G>(&plan, &net, machine.workers).0)
    }

    /// Puts the games of all generations after `generation` under another name, where there are some: other settings
    /// will play others.
    ///
    /// # Errors
    /// Names the file that cannot be renamed.
    pub fn put_aside_after(&self, generation: u32) -> Result<()> {
        let folder = self.dir.records();
        let mut later = generations(&folder)?;
        later.retain(|&later| later > generation);
        // The newest first: should this be cut short, what is left is found again.
        for &generation in later.iter().rev() {
            let files = [sealed_path(&folder, generation), journal_path(&folder, generation)];
            for path in files.iter().filter(|path| path.exists()) {
                let kept = keep_replaced(path)?;
                tracing::warn!("{} is of other settings: kept as {}", path.display(), kept.display());
            }
        }
        Ok(())
    }

    /// The games of a generation that was played and not learnt from; `None` where it is to be played. A damaged file
    /// is kept under another name, with a warning.
    ///
    /// # Errors
    /// When they are of another run, or cannot be read.
    pub fn unlearnt<G: Encode>(&self, generation: u32) -> Result<Option<Vec<GameRecord>>> {
        let path = sealed_path(&self.dir.records(), generation);
        match read_games::<G>(&path, &self.meta::<G>(generation)) {
            Ok(games) => Ok(Some(games)),
            Err(BadRecords::Missing(_)) => Ok(None),
            Err(BadRecords::Refused(error)) => Err(error),
            Err(BadRecords::Damaged(error)) => {
                let kept = keep_damaged(&path)?;
                remove_if_there(&path)?;
                tracing::warn!("{error:#}: kept as {}, its games are played again", kept.display());
                Ok(None)
            }
        }
    }
}

/// The generations of which there are games in the folder of records, the oldest first.
pub(super) fn generations(folder: &Path) -> Result<BTreeSet<u32>> {
    let entries = || -> io::Result<BTreeSet<u32>> {
        let mut found = BTreeSet::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.strip_prefix("gen-")?.parse().ok());
            let are_games =
                |number: &u32| [sealed_path(folder, *number), journal_path(folder, *number)].contains(&path);
            found.extend(number.filter(are_games));
        }
        Ok(found)
    };
    entries().with_context(|| format!("cannot read {}", folder.display()))
}

/// The games of a sealed file, each checked against the rules.
fn read_games<G: Encode>(path: &Path, meta: &RecordMeta) -> Result<Vec<GameRecord>, BadRecords> {
    let games = read_sealed(path, meta)?;
    let checked = games.par_iter().try_for_each(check_record::<G>);
    let damaged = |error| Error::new(error).context(format!("cannot use {}", path.display()));
    checked.map_err(|error| BadRecords::Damaged(damaged(error)))?;
    Ok(games)
}

/// Those of `games` that the rules allow, each number once.
pub(super) fn sound_games<G: Encode>(games: &[GameRecord]) -> Vec<GameRecord> {
    let mut numbers = std::collections::HashSet::new();
    let sound: Vec<bool> = games.par_iter().map(|game| check_record::<G>(game).is_ok()).collect();
    let sound = games.iter().zip(sound).filter(|(game, is_sound)| *is_sound && numbers.insert(game.index));
    sound.map(|(game, _)| game.clone()).collect()
}
