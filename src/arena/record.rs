//! Games of matches on disk: one JSON object a line, readable by anything, and the journal from which a match
//! goes on.

use std::{collections::HashSet, path::Path};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    base::store::{JsonLog, LogDamage},
    games::{
        records::Record,
        rules::{GameId, Outcome, Reason, RuleSet, Side, Verdict},
    },
};

/// Bytes of a log at most: millions of games.
const MOST_BYTES: u64 = 1 << 32;

/// The most games of a match.
pub const MOST_MATCH_GAMES: u32 = 1_000_000;

/// A finished game between two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchGame {
    /// Its place among the games planned, from 0. People are told [`MatchGame::ordinal`].
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
    /// Its number for people, who count from 1.
    pub fn ordinal(&self) -> u32 {
        self.number.saturating_add(1)
    }

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

    /// Who lost it by a crash, a hang or an illegal move; `None` of a game that the board decided.
    pub fn forfeiter(&self) -> Option<&str> {
        let is_forfeit = matches!(self.reason, Reason::Timeout | Reason::IllegalMove | Reason::Crash);
        match self.result {
            Verdict::Win(Side::First) if is_forfeit => Some(&self.second),
            Verdict::Win(Side::Second) if is_forfeit => Some(&self.first),
            _ => None,
        }
    }

    /// As records keep it: of `game`, played by `rules`.
    pub fn to_record(&self, game: GameId, rules: RuleSet) -> Record {
        Record {
            game,
            rules,
            number: self.ordinal(),
            opening: Some(self.opening.clone()).filter(|opening| !opening.is_empty()),
            tags: Vec::new(),
            players: [self.first.clone(), self.second.clone()],
            start: self.start.clone(),
            moves: self.moves.split_whitespace().map(str::to_owned).collect(),
            outcome: Some(Outcome { verdict: self.result, reason: self.reason, points: self.points }),
        }
    }

    /// The game of a record; `None` of one without a result.
    pub fn of_record(record: &Record) -> Option<Self> {
        let Outcome { verdict, reason, points } = record.outcome?;
        let [first, second] = record.players.clone();
        Some(MatchGame {
            number: record.number.saturating_sub(1),
            opening: record.opening.clone().unwrap_or_default(),
            first,
            second,
            start: record.start.clone(),
            moves: record.moves.join(" "),
            result: verdict,
            reason,
            points,
            seconds: [0.0; 2],
            note: None,
        })
    }

    /// The games in the text of a log, a line each.
    ///
    /// # Errors
    /// Names the line that is none.
    pub fn read_all(text: &str) -> Result<Vec<Self>> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let read = |(line, number): (&str, u32)| {
            serde_json::from_str(line).with_context(|| format!("line {number} is no game"))
        };
        lines.map(read).collect()
    }

    /// Plies from the opening to the end.
    pub fn plies(&self) -> u32 {
        self.moves.split_ascii_whitespace().count() as u32
    }
}

mod verdict {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::games::rules::Verdict;

    pub(super) fn serialize<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(verdict.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Verdict, D::Error> {
        let text = String::deserialize(deserializer)?;
        Verdict::of_text(&text).ok_or_else(|| D::Error::custom(format!("'{text}' is no result")))
    }
}

/// A file to which each game is added as it ends, so that a kill costs the games in flight and no others.
#[derive(Debug)]
pub struct GameLog(JsonLog);

/// What must hold for a game in a log to count, beside that it reads.
pub type GameCheck<'a> = dyn Fn(&MatchGame) -> Result<()> + 'a;

impl GameLog {
    /// Opens the file, making it where there is none, and returns the games in it: see [`JsonLog::open`]. A game that
    /// fails `check`, or has the number of one before it, does not count; such games are played again, with a warning.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open(path: &Path, check: &GameCheck) -> Result<(Self, Vec<MatchGame>)> {
        let mut numbers = HashSet::new();
        let opened = JsonLog::open(path, MOST_BYTES, |game: &MatchGame| {
            check(game)?;
            ensure!(numbers.insert(game.number), "game {} is there already", game.number);
            Ok(())
        })?;
        if let Some(LogDamage { problem, lines, kept }) = opened.damage {
            tracing::warn!(
                "{}: {problem}: kept as {}, and {lines} games are played again",
                path.display(),
                kept.display()
            );
        }
        Ok((GameLog(opened.log), opened.values))
    }

    /// The games in the file, as far as they can be read and pass `check`; the file stays as it is.
    pub fn peek(path: &Path, check: &GameCheck) -> Vec<MatchGame> {
        JsonLog::peek(path, MOST_BYTES, check)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, game: &MatchGame) -> Result<()> {
        self.0.append(game)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        let (mut log, none) = open(&path);
        assert!(none.is_empty());
        let games = [game(0), MatchGame { note: Some("e9e9".into()), points: Some([72.0, 73.5]), ..game(1) }];
        games.iter().for_each(|game| log.append(game).unwrap());
        drop(log);

        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b"{\"number\":2,\"ope"].concat()).unwrap();
        let (mut log, read) = open(&path);
        assert_eq!(read, games);
        log.append(&game(2)).unwrap();
        assert_eq!(open(&path).1.len(), 3);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a kill leaves nothing to keep");
    }

    fn open(path: &Path) -> (GameLog, Vec<MatchGame>) {
        let is_short = |game: &MatchGame| {
            ensure!(game.plies() <= 2, "it is too long");
            Ok(())
        };
        GameLog::open(path, &is_short).unwrap()
    }

    #[test]
    fn what_is_no_game_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let line = serde_json::to_string(&game(0)).unwrap();
        for text in [
            format!("{line}\nhello\n"),
            format!("\n{line}\n"),
            format!("{line}\n{line}\n"),
            format!("{}\n{line}\n", line.replace("0-1", "2-1")),
            format!("{line}\n{}\n", line.replace("c4b3", "c4b3 b3b4").replace(":0", ":1")),
        ] {
            fs::write(&path, &text).unwrap();
            let (mut log, games) = open(&path);
            assert_eq!(games, [game(0)], "{text}");
            log.append(&game(1)).unwrap();
            assert_eq!(open(&path).1, [game(0), game(1)], "{text}");
            let kept = folder.path().join("games.jsonl.damaged");
            assert_eq!(fs::read_to_string(&kept).unwrap(), text);
            fs::remove_file(kept).unwrap();
        }
    }

    #[test]
    fn half_points_are_a_players_own() {
        let game = game(0);
        assert_eq!(["a", "b", "c"].map(|name| game.half_points(name)), [Some(0), Some(2), None]);
        assert_eq!(game.plies(), 2);
    }
}
