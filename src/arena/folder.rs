//! The folder of a match: what is played, and the games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    MatchGame,
    record::{GameCheck, GameLog},
};
use crate::{
    base::store::{DirLock, is_free, read_at_most, write_atomic},
    games::rules::{GameId, RuleSet},
};

/// The file that says what is played.
const SETTINGS: &str = "match.json";
/// Bytes of it at most: thousands of players.
const MOST_SETTINGS: u64 = 1 << 24;
/// The file with the games.
const GAMES: &str = "games.jsonl";

/// A folder whose games belong together, held for one process: the same settings go on where they were left, others
/// are refused.
#[derive(Debug)]
pub struct MatchFolder {
    root: PathBuf,
    log: GameLog,
    _lock: DirLock,
}

impl MatchFolder {
    /// Opens `root`, making it where there is none, and returns the games in it, as `GameLog::open` does.
    ///
    /// # Errors
    /// When it holds other games than those of `settings`, these are damaged, it is in use or cannot be written.
    pub fn open<S>(root: &Path, settings: &S, check: &GameCheck) -> Result<(Self, Vec<MatchGame>)>
    where
        S: Serialize + DeserializeOwned + PartialEq,
    {
        let path = root.join(SETTINGS);
        if !path.exists() {
            let is_free = is_free(root, &[]).with_context(|| format!("cannot read {}", root.display()))?;
            ensure!(is_free, "{} is no folder of a match and has files in it", root.display());
        }
        let lock = DirLock::acquire(root)?;
        if path.exists() {
            let found: S = read_settings(root).with_context(|| format!("cannot use {}", path.display()))?;
            ensure!(
                found == *settings,
                "{} holds games of other players, openings or settings (see {SETTINGS} there)",
                root.display()
            );
        } else {
            write_atomic(&path, &serde_json::to_vec_pretty(settings).context("settings do not serialise")?)?;
        }
        let (log, games) = GameLog::open(&root.join(GAMES), check)?;
        Ok((MatchFolder { root: root.to_owned(), log, _lock: lock }, games))
    }

    /// The settings of the folder `root`; `None` where there are none, or others than such.
    pub fn settings<S: DeserializeOwned>(root: &Path) -> Option<S> {
        read_settings(root).ok()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, game: &MatchGame) -> Result<()> {
        self.log.append(game)
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

fn read_settings<S: DeserializeOwned>(root: &Path) -> Result<S> {
    Ok(serde_json::from_slice(&read_at_most(&root.join(SETTINGS), MOST_SETTINGS)?)?)
}

/// What a folder says of the games in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct GamesOf {
    /// The game.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
}

impl GamesOf {
    /// What the folder `root` says; `None` where it is no match's, or where its rules are those of another game.
    pub fn of(root: &Path) -> Option<Self> {
        let found: Self = MatchFolder::settings(root)?;
        found.game.rule_sets().contains(&found.rules).then_some(found)
    }
}

/// The log of the match in the folder `root`.
pub fn games_path(root: &Path) -> PathBuf {
    root.join(GAMES)
}

/// The number behind the highest one among the games in the folder `root` that pass `check`; 0 without any. Nothing there
/// changes.
pub fn next_number(root: &Path, check: &GameCheck) -> u32 {
    let games = GameLog::peek(&games_path(root), check);
    games.iter().map(|game| game.number.saturating_add(1)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn rules_of_another_game_say_nothing_of_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let says = |rules: &str| {
            let settings = format!(r#"{{"game":"dobutsu","rules":"{rules}"}}"#);
            fs::write(folder.path().join(SETTINGS), settings).unwrap();
            GamesOf::of(folder.path()).map(|found| found.rules)
        };
        assert_eq!((says("threefold"), says("axf")), (Some(RuleSet::Threefold), None));
    }

    #[test]
    fn a_folder_with_files_of_others_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Thumbs.db"), "").unwrap();
        MatchFolder::open(folder.path(), &1, &|_| Ok(())).unwrap();
        fs::remove_file(folder.path().join(SETTINGS)).unwrap();
        fs::write(folder.path().join("letter.txt"), "hello").unwrap();
        assert!(MatchFolder::open(folder.path(), &1, &|_| Ok(())).is_err());
    }

    #[test]
    fn the_same_settings_go_on_and_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("match");
        let settings = ("a".to_owned(), 3);
        drop(MatchFolder::open(&root, &settings, &|_| Ok(())).unwrap());
        let (held, games) = MatchFolder::open(&root, &settings, &|_| Ok(())).unwrap();
        assert!(games.is_empty());
        assert!(MatchFolder::open(&root, &settings, &|_| Ok(())).is_err(), "it is in use");
        drop(held);
        let error = MatchFolder::open(&root, &("b".to_owned(), 3), &|_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("other players"), "{error}");
        fs::write(root.join(SETTINGS), "{").unwrap();
        let error = format!("{:#}", MatchFolder::open(&root, &settings, &|_| Ok(())).unwrap_err());
        assert!(error.contains("match.json"), "{error}");
        fs::remove_file(root.join(SETTINGS)).unwrap();
        fs::write(root.join(GAMES), "{}\n").unwrap();
        assert!(MatchFolder::open(&root, &settings, &|_| Ok(())).is_err(), "games without settings");
    }
}
