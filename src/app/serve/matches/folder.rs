//! The folder of a match or a ladder, as it tells of itself.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::order::MatchOrder;
use crate::{
    app::serve::{
        folders::{Folders, MatchId},
        processes::{Activity, Processes},
        sources::MOST_LOG,
        sse,
    },
    arena::{MOST_MATCH_GAMES, MatchGame, games_path},
    base::store::{read_at_most, retry_open},
    games::rules::{GameId, RuleSet},
};

/// What is played there.
const SETTINGS: &str = "match.json";
/// Bytes of it at most.
const MOST_SETTINGS: u64 = 1 << 20;
/// The page with all games, once they are played.
const REPORT: &str = "report.html";

/// What the folder says that is played.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct StoredSettings {
    /// The game.
    pub(super) game: GameId,
    /// Its rules.
    pub(super) rules: RuleSet,
    /// The players: their names, and what tells them from others of these names.
    pub(super) players: Vec<String>,
}

/// A match or a ladder.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    /// Which it is.
    pub(super) id: MatchId,
    /// Its folder.
    pub(super) root: PathBuf,
    /// What is played; `None` in the moment before `sanki` has written it.
    pub(super) settings: Option<StoredSettings>,
    /// What was ordered on this page, if it was.
    pub(super) order: Option<MatchOrder>,
}

impl Contest {
    /// The contest, if there is one.
    pub(super) fn open(folders: &Folders, id: MatchId) -> Option<Self> {
        let root = id.root(folders);
        let settings = read_at_most(&root.join(SETTINGS), MOST_SETTINGS).ok();
        let settings: Option<StoredSettings> = settings.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let order = match &id {
            MatchId::Match(name) => MatchOrder::read(folders, name).filter(|_| root.is_dir()),
            MatchId::Ladder { .. } => None,
        };
        let is_one = settings.is_some() || order.is_some();
        is_one.then_some(Contest { id, root, settings, order })
    }

    /// All of them, those that were at work last first.
    pub(super) fn all(folders: &Folders) -> Vec<Self> {
        let ids = MatchId::all_in(folders).into_iter();
        let mut all: Vec<Self> = ids.filter_map(|id| Self::open(folders, id)).collect();
        all.sort_by_cached_key(|contest| (Reverse(contest.last_change()), contest.id.clone()));
        all
    }

    /// When a game ended last.
    fn last_change(&self) -> Option<SystemTime> {
        let found = fs::metadata(self.games_path()).or_else(|_| fs::metadata(&self.root));
        found.and_then(|found| found.modified()).ok()
    }

    /// What goes on in it.
    pub(super) fn activity(&self, processes: &Processes) -> Activity {
        processes.activity(&self.root)
    }

    /// Games that are there, by their lines.
    pub(super) fn count(&self) -> usize {
        let text = read_at_most(&self.games_path(), MOST_LOG).unwrap_or_default();
        text.iter().filter(|&&byte| byte == b'\n').count()
    }

    fn games_path(&self) -> PathBuf {
        games_path(&self.root)
    }

    /// The page with all games.
    pub(super) fn report(&self) -> PathBuf {
        self.root.join(REPORT)
    }

    /// Changes with whatever there is to show.
    pub(super) fn mark(&self, activity: &Activity) -> u64 {
        let files = [self.root.join(SETTINGS), self.games_path(), self.report()];
        sse::mark(&files, activity)
    }
}

/// The games of a folder, read as they come.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// Bytes that are read: whole lines.
    read: u64,
    /// Those that could be read and can be of a match, by number.
    games: BTreeMap<u32, MatchGame>,
}

impl Games {
    /// Reads what has been added since.
    ///
    /// # Errors
    /// When the file cannot be read. None is as good as an empty one.
    pub(super) fn refresh(&mut self, contest: &Contest) -> Result<&BTreeMap<u32, MatchGame>> {
        let path = contest.games_path();
        if path.exists() {
            self.read_on(&path).with_context(|| format!("cannot read {}", path.display()))?;
        }
        Ok(&self.games)
    }

    fn read_on(&mut self, path: &Path) -> Result<()> {
        let mut file = retry_open(|| File::open(path))?;
        if file.metadata()?.len() < self.read {
            // It was written anew.
            *self = Games::default();
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.take(MOST_LOG - self.read.min(MOST_LOG)).read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let lines = bytes[..whole].split(|&byte| byte == b'\n');
        let games = lines.filter_map(|line| serde_json::from_slice::<MatchGame>(line).ok());
        let games = games.filter(|game| game.number < MOST_MATCH_GAMES && game.first != game.second);
        self.games.extend(games.map(|game| (game.number, game)));
        self.read += whole as u64;
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use super::*;
    use crate::games::rules::{Reason, Side, Verdict};

    pub(in super::super) fn game(number: u32, players: [&str; 2], result: Verdict) -> MatchGame {
        let [first, second] = players.map(str::to_owned);
        MatchGame {
            number,
            opening: "dobutsu 1".to_owned(),
            first,
            second,
            start: "gle/1c1/1C1/ELG[-] w 0 1".to_owned(),
            moves: "b2b3 c4b3".to_owned(),
            result,
            reason: Reason::LionCaptured,
            points: None,
            seconds: [0.5, 0.25],
            note: None,
        }
    }

    #[test]
    fn games_are_read_as_they_come() {
        let folder = tempfile::tempdir().unwrap();
        let id = MatchId::try_from("one".to_owned()).unwrap();
        let contest = Contest { id, root: folder.path().into(), settings: None, order: None };
        let mut games = Games::default();
        assert!(games.refresh(&contest).unwrap().is_empty());
        let line =
            |number| serde_json::to_string(&game(number, ["a", "b"], Verdict::Win(Side::First))).unwrap();
        let mut file = File::create(contest.games_path()).unwrap();
        write!(file, "{}\nno game\n{}", line(0), line(1)).unwrap();
        assert_eq!(games.refresh(&contest).unwrap().len(), 1, "the second line has no end yet");
        write!(file, "\n{}\n", line(2)).unwrap();
        let numbers: Vec<u32> = games.refresh(&contest).unwrap().keys().copied().collect();
        assert_eq!(numbers, [0, 1, 2]);
        fs::write(contest.games_path(), format!("{}\n", line(7))).unwrap();
        assert_eq!(games.refresh(&contest).unwrap().len(), 1, "the file was written anew");
    }

    #[test]
    fn damaged_games_that_no_match_has_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let id = MatchId::try_from("one".to_owned()).unwrap();
        let contest = Contest { id, root: folder.path().into(), settings: None, order: None };
        let line = |number, players| {
            serde_json::to_string(&game(number, players, Verdict::Win(Side::First))).unwrap() + "\n"
        };
        let lines = [
            line(0, ["a", "b"]),
            line(u32::MAX, ["b", "a"]),
            line(MOST_MATCH_GAMES, ["a", "b"]),
            line(1, ["a", "a"]),
            line(MOST_MATCH_GAMES - 1, ["b", "a"]),
        ];
        fs::write(contest.games_path(), lines.concat()).unwrap();
        let mut games = Games::default();
        let numbers: Vec<u32> = games.refresh(&contest).unwrap().keys().copied().collect();
        assert_eq!(numbers, [0, MOST_MATCH_GAMES - 1]);
    }

    #[test]
    fn a_folder_is_a_contest_by_what_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { runs: "runs".into(), matches: folder.path().into(), games: "games".into() };
        for (name, text) in [
            ("good", r#"{"game":"dobutsu","rules":"standard","players":["a","b"],"seed":1}"#),
            ("bad", "{"),
            ("chess", r#"{"game":"chess","rules":"standard","players":["a","b"]}"#),
        ] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(SETTINGS), text).unwrap();
        }
        fs::create_dir(folder.path().join("empty")).unwrap();
        let names: Vec<String> =
            Contest::all(&folders).iter().map(|contest| contest.id.to_string()).collect();
        assert_eq!(names, ["good"]);
    }
}
