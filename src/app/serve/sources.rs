//! Games that can be looked at, wherever they lie: one's own, those of matches, and self-play.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::{
    folders::{FolderName, Folders, MatchId},
    games,
    runs::Run,
};
use crate::{
    arena::{GamesOf, MatchGame, games_path},
    base::store::read_at_most,
    games::records::Record,
    training::selfplay::{GameRecord, read_sealed_of_any, sealed_path},
};

/// Bytes of a match's log that are read at most: some hundred thousand games.
pub(super) const MOST_LOG: u64 = 1 << 28;

/// Where a game lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GameLocation {
    /// In the games' folder.
    Own(FolderName),
    /// In the log of a match or a ladder, by its number from 1.
    Match(MatchId, u32),
    /// In a run's generation, by its number from 1.
    SelfPlay(FolderName, u32, u32),
}

impl GameLocation {
    /// The game; `None` where there is none.
    ///
    /// # Errors
    /// When its file cannot be used.
    pub(super) fn record(&self, folders: &Folders) -> Result<Option<Record>> {
        let of =
            |number: u32, records: Vec<Record>| records.into_iter().find(|record| record.number == number);
        Ok(match self {
            GameLocation::Own(id) => games::read(folders, id).map(|game| game.to_record()).transpose()?,
            GameLocation::Match(id, number) => of(*number, of_match(folders, id)?),
            GameLocation::SelfPlay(name, generation, number) => {
                of(*number, of_generation(folders, name, *generation)?)
            }
        })
    }

    /// The address of its page.
    pub(super) fn address(&self) -> String {
        match self {
            GameLocation::Own(id) => format!("/review/games/{}", id.in_address()),
            GameLocation::Match(id, number) => format!("/review/matches/{}/{number}", id.in_address()),
            GameLocation::SelfPlay(name, generation, number) => {
                format!("/review/runs/{}/{generation}/{number}", name.in_address())
            }
        }
    }

    /// A name for a file.
    pub(super) fn file_name(&self) -> String {
        match self {
            GameLocation::Own(id) => id.to_string(),
            GameLocation::Match(MatchId::Match(name), number) => format!("{name}-{number}"),
            GameLocation::Match(MatchId::Ladder { run, name }, number) => format!("{run}-{name}-{number}"),
            GameLocation::SelfPlay(name, generation, number) => format!("{name}-{generation}-{number}"),
        }
    }
}

/// The matches and ladders that have games, by their names.
pub(super) fn matches(folders: &Folders) -> Vec<MatchId> {
    let mut ids = MatchId::all_in(folders);
    ids.retain(|id| games_path(&id.root(folders)).is_file());
    ids.sort();
    ids
}

/// The games of a match; none where there is no such match.
///
/// # Errors
/// When its log cannot be used.
pub(super) fn of_match(folders: &Folders, id: &MatchId) -> Result<Vec<Record>> {
    let root = id.root(folders);
    let Some(GamesOf { game, rules }) = GamesOf::of(&root) else { return Ok(Vec::new()) };
    let path = games_path(&root);
    let place = || format!("cannot use {}", path.display());
    let bytes = read_at_most(&path, MOST_LOG).with_context(place)?;
    // Where a match goes on, or was killed, the last line may not be whole.
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = std::str::from_utf8(&bytes[..whole]).with_context(place)?;
    let games = MatchGame::read_all(text).with_context(place)?;
    let mut records: Vec<Record> = games.iter().map(|played| played.to_record(game, rules)).collect();
    records.sort_by_key(|record| record.number);
    Ok(records)
}

/// The generations of a run whose games are there, the newest first.
pub(super) fn generations(run: &Run) -> Vec<u32> {
    let number =
        |name: &FolderName| name.as_str().strip_prefix("gen-")?.strip_suffix(".records")?.parse().ok();
    let mut found: Vec<u32> = FolderName::all_in(&run.dir().records()).iter().filter_map(number).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

/// The games of a run's generation; none where there are none.
///
/// # Errors
/// When its file cannot be used.
pub(super) fn of_generation(folders: &Folders, name: &FolderName, generation: u32) -> Result<Vec<Record>> {
    let Some(run) = Run::open(folders, name) else { return Ok(Vec::new()) };
    let path: PathBuf = sealed_path(&run.dir().records(), generation);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    Ok(read_sealed_of_any(&path)?.iter().map(GameRecord::to_record).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_match_whose_list_is_shown_can_be_looked_at() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders { runs: "runs".into(), matches: root.path().into(), games: "games".into() };
        let folder = root.path().join("long");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("match.json"), r#"{"game":"dobutsu","rules":"standard","players":["a","b"]}"#)
            .unwrap();
        let game = r#"{"number":0,"opening":"o","first":"a","second":"b","start":"gle/1c1/1C1/ELG[-] w 0 1",
            "moves":"b2b3 c4b3","result":"1-0","reason":"lion_captured","seconds":[0.5,0.25]}"#;
        // As long as a log of some ten thousand games.
        let mut log = game.replace('\n', " ").into_bytes();
        log.resize((1 << 26) + 1, b' ');
        log.push(b'\n');
        fs::write(games_path(&folder), log).unwrap();
        let id = MatchId::try_from("long".to_owned()).unwrap();
        assert_eq!(of_match(&folders, &id).unwrap().len(), 1);
    }
}
