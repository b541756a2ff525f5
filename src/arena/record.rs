//! Games of matches on disk: one JSON object a line, readable by anything, and the journal from which a match
//! goes on.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::rules::{Reason, Side, Verdict};

/// A finished game between two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchGame {
    /// Its place among the games planned, from 0.
    pub number: u32,
    /// The name of the opening.
    pub opening: String,
    /// Who played the first side.
    pub first: String,
    /// Who played the second side.
    pub second: String,
    /// Where the game began, in Fairy-Stockfish's FEN.
    pub start: String,
    /// The moves since, with spaces between.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    #[serde(with = "verdict")]
    pub result: Verdict,
    /// The rule that decided it.
    pub reason: Reason,
    /// What the pieces of both sides counted, where that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[f32; 2]>,
    /// What each side has used, in seconds, the first side's before the second's.
    pub seconds: [f32; 2],
    /// What a player did that lost it the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl MatchGame {
    /// The half points of `player`: 0, 1 or 2; `None` if it did not play.
    pub fn half_points(&self, player: &str) -> Option<u32> {
        let side = match player {
            name if name == self.first => Side::First,
            name if name == self.second => Side::Second,
            _ => return None,
        };
        Some(match self.result {
            Verdict::Draw => 1,
            Verdict::Win(winner) if winner == side => 2,
            Verdict::Win(_) => 0,
        })
    }

    /// Plies from the opening to the end.
    pub fn plies(&self) -> u32 {
        self.moves.split_ascii_whitespace().count() as u32
    }
}

mod verdict {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::rules::{Side, Verdict};

    pub(super) fn serialize<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(verdict.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Verdict, D::Error> {
        let text = String::deserialize(deserializer)?;
        [Verdict::Win(Side::First), Verdict::Win(Side::Second), Verdict::Draw]
            .into_iter()
            .find(|verdict| verdict.as_str() == text)
            .ok_or_else(|| D::Error::custom(format!("'{text}' is no result")))
    }
}

/// A file to which each game is added as it ends, so that a kill costs the games in flight and no others.
#[derive(Debug)]
pub struct GameLog {
    path: PathBuf,
    file: File,
}

impl GameLog {
    /// Opens the file, making it where there is none, and returns the games in it. A line cut short at the
    /// end, by a kill, is dropped.
    ///
    /// # Errors
    /// Names the path, and the line that is no game.
    pub fn open(path: &Path) -> Result<(Self, Vec<MatchGame>)> {
        let open = || -> Result<(File, Vec<MatchGame>)> {
            let mut file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
            let text = fs::read(path)?;
            let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let games = parse(&text[..whole])?;
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            Ok((file, games))
        };
        let (file, games) = open().with_context(|| format!("cannot use {}", path.display()))?;
        Ok((GameLog { path: path.to_owned(), file }, games))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, game: &MatchGame) -> Result<()> {
        let mut line = serde_json::to_vec(game).context("a game does not serialise")?;
        line.push(b'\n');
        self.file.write_all(&line).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn parse(text: &[u8]) -> Result<Vec<MatchGame>> {
    let (mut games, mut numbers) = (Vec::new(), HashSet::new());
    for (line, number) in text.split(|&byte| byte == b'\n').zip(1..).filter(|(line, _)| !line.is_empty()) {
        let game: MatchGame =
            serde_json::from_slice(line).with_context(|| format!("line {number} is no game"))?;
        ensure!(numbers.insert(game.number), "line {number} has game {} for the second time", game.number);
        games.push(game);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u32) -> MatchGame {
        MatchGame {
            number,
            opening: "dobutsu 3".into(),
            first: "a".into(),
            second: "b".into(),
            start: "gle/1c1/1C1/ELG[-] w 0 1".into(),
            moves: "b2b3 c4b3".into(),
            result: Verdict::Win(Side::Second),
            reason: Reason::Resignation,
            points: None,
            seconds: [0.5, 0.25],
            note: None,
        }
    }

    #[test]
    fn games_are_read_back_and_a_torn_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut log, none) = GameLog::open(&path).unwrap();
        assert!(none.is_empty());
        let games = [game(0), MatchGame { note: Some("e9e9".into()), points: Some([72.0, 73.5]), ..game(1) }];
        games.iter().for_each(|game| log.append(game).unwrap());
        drop(log);

        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b"{\"number\":2,\"ope"].concat()).unwrap();
        let (mut log, read) = GameLog::open(&path).unwrap();
        assert_eq!(read, games);
        log.append(&game(2)).unwrap();
        assert_eq!(GameLog::open(&path).unwrap().1.len(), 3);
    }

    #[test]
    fn what_is_no_game_is_refused_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let line = serde_json::to_string(&game(0)).unwrap();
        for (text, what) in [
            (format!("{line}\nhello\n"), "line 2 is no game"),
            (format!("{line}\n{line}\n"), "line 2 has game 0 for the second time"),
            (line.replace("0-1", "2-1") + "\n", "line 1 is no game"),
        ] {
            fs::write(&path, &text).unwrap();
            let error = format!("{:#}", GameLog::open(&path).unwrap_err());
            assert!(error.contains(what) && error.contains("games.jsonl"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "left as it was");
        }
    }

    #[test]
    fn half_points_are_a_players_own() {
        let game = game(0);
        assert_eq!(["a", "b", "c"].map(|name| game.half_points(name)), [Some(0), Some(2), None]);
        assert_eq!(game.plies(), 2);
    }
}
