//! A game in a file of its own, as `sanki play` saves it.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    base::store::read_text,
    games::{
        records::Record,
        rules::{Declaration, Game, GameId, MOST_PLIES, Outcome, Reason, RuleSet, Verdict},
    },
    with_game,
};

/// Bytes of a saved game at most: a hundred thousand moves.
const MOST_BYTES: u64 = 1 << 20;

/// A game, finished or not: one JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// The game played.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
    /// Who plays the first side.
    pub first: String,
    /// Who plays the second side.
    pub second: String,
    /// Where the game began, in Fairy-Stockfish's FEN.
    pub start: String,
    /// The moves since, with spaces between.
    pub moves: String,
    /// `1-0`, `0-1` or `1/2-1/2`; `None` while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The rule that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What the pieces of both sides counted, where that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[f32; 2]>,
    /// How it is played on the page of `sanki serve`, and goes on there; `None` of games from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seating: Option<Seating>,
}

/// Who sits where in a game against a net on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seating {
    /// The net, by the name that the page has for it.
    pub net: String,
    /// How strongly the net plays, by the page's name for that.
    pub level: String,
    /// Which sides a person plays.
    pub person: Person,
    /// The clocks, where there are some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<SavedClock>,
}

/// Which sides a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Person {
    /// The first one.
    First,
    /// The second one.
    Second,
    /// Both: two people, or one who tries.
    Both,
}

/// Clocks of a game that was left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedClock {
    /// Seconds that each side began with.
    pub base: f64,
    /// Seconds that each move adds.
    pub increment: f64,
    /// Seconds that are left, the first side's before the second's.
    pub left: [f64; 2],
}

impl SavedGame {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Names the file that cannot be read or is no saved game.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
        let is_none = || format!("{} is no saved game", path.display());
        let saved: Self = serde_json::from_str(&text).with_context(is_none)?;
        saved.check_rules().with_context(is_none)?;
        Ok(saved)
    }

    /// # Errors
    /// When its rules are those of another game, of which no position can be made.
    fn check_rules(&self) -> Result<()> {
        let known = self.game.rule_sets().contains(&self.rules);
        ensure!(known, "{} is no rule set of {}", self.rules, self.game);
        Ok(())
    }

    /// As one line of JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a plain struct") + "\n"
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    /// Shows the result that is none.
    pub fn outcome(&self) -> Result<Option<Outcome>> {
        let (result, reason) = match (&self.result, self.reason) {
            (Some(result), Some(reason)) => (result, reason),
            (None, None) => return Ok(None),
            _ => return Err(anyhow!("it has a result without a reason, or a reason without a result")),
        };
        let verdict = Verdict::of_text(result).with_context(|| format!("'{result}' is no result"))?;
        Ok(Some(Outcome { verdict, reason, points: self.points }))
    }

    /// Whether it can have been played so: its moves are legal, and it ended as the rules say, or by what no rule sees.
    ///
    /// # Errors
    /// Says what cannot be.
    pub fn check(&self) -> Result<()> {
        with_game!(self.game, G => self.check_as::<G>())
    }

    fn check_as<G: Game>(&self) -> Result<()> {
        let plies = self.texts().count();
        ensure!(plies <= MOST_PLIES, "a game of {plies} plies");
        let (mut game, moves) = self.replay::<G>()?;
        moves.into_iter().for_each(|mv| game.play(mv));
        let stated = self.outcome()?;
        if let Some(by_rule) = game.outcome() {
            ensure!(stated == Some(by_rule), "by its moves it ended by {}", by_rule.reason);
        } else if let Some(stated) = stated {
            check_unseen(&game, stated)?;
        }
        Ok(())
    }

    /// The moves, each as it is written.
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.moves.split_whitespace()
    }

    /// As records keep it.
    ///
    /// # Errors
    /// Shows the result that is none, or the rules that are those of another game.
    pub fn to_record(&self) -> Result<Record> {
        self.check_rules()?;
        Ok(Record {
            game: self.game,
            rules: self.rules,
            number: 1,
            opening: None,
            tags: Vec::new(),
            players: [self.first.clone(), self.second.clone()],
            start: self.start.clone(),
            moves: self.texts().map(str::to_owned).collect(),
            outcome: self.outcome()?,
        })
    }

    /// The game of a record.
    pub fn of_record(record: &Record) -> Self {
        let [first, second] = record.players.clone();
        SavedGame {
            game: record.game,
            rules: record.rules,
            first,
            second,
            start: record.start.clone(),
            moves: record.moves.join(" "),
            result: record.outcome.map(|outcome| outcome.verdict.as_str().to_owned()),
            reason: record.outcome.map(|outcome| outcome.reason),
            points: record.outcome.and_then(|outcome| outcome.points),
            seating: None,
        }
    }

    /// Plays it again: the start and the moves.
    ///
    /// # Errors
    /// When it is no game of `G`, or the position or a move is none.
    pub fn replay<G: Game>(&self) -> Result<(G, Vec<G::Move>)> {
        ensure!(self.game == G::ID, "it is a game of {}, not of {}", self.game, G::ID);
        self.check_rules()?;
        let start = G::from_fen(self.rules, &self.start)?;
        let mut game = start.clone();
        let mut moves = Vec::new();
        for (text, number) in self.texts().zip(1..) {
            let mv = game.parse_move(text).with_context(|| format!("move {number}"))?;
            game.play(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }
}

/// Whether a game that is not over by rule can have ended so: by what a player did or by an adjudication.
///
/// # Errors
/// Names what cannot have ended it.
pub(super) fn check_unseen<G: Game>(game: &G, Outcome { verdict, reason, points }: Outcome) -> Result<()> {
    let side = game.side_to_move();
    let is_possible = match (reason, verdict) {
        (Reason::Resignation | Reason::Timeout | Reason::IllegalMove | Reason::Crash, Verdict::Win(_)) => {
            true
        }
        (Reason::Adjudicated, _) => return Ok(()),
        (Reason::Declaration, Verdict::Draw) => game.declaration() == Some(Declaration::Draw),
        // A false declaration loses, where the rules know one.
        (Reason::Declaration, Verdict::Win(winner)) if winner != side => {
            G::ID.facts().has_declarations && game.declaration().is_none()
        }
        (Reason::Declaration, Verdict::Win(_)) => game.declaration() == Some(Declaration::Win),
        _ => false,
    };
    ensure!(is_possible && points.is_none(), "by its moves it goes on, and did not end by {reason}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{Side, dobutsu::Dobutsu};

    #[test]
    fn a_game_is_read_back_and_a_false_one_is_refused() {
        let saved = SavedGame {
            game: GameId::Dobutsu,
            rules: RuleSet::Standard,
            first: "human".into(),
            second: "uniform".into(),
            start: "gle/1c1/1C1/ELG[-] w 0 1".into(),
            moves: "b2b3 c4b3".into(),
            result: Some("0-1".into()),
            reason: Some(Reason::Resignation),
            points: None,
            seating: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.json");
        std::fs::write(&path, saved.to_text()).unwrap();
        assert_eq!(SavedGame::read(&path).unwrap(), saved);
        assert_eq!(saved.replay::<Dobutsu>().unwrap().1.len(), 2);
        assert_eq!(saved.outcome().unwrap(), Some(Outcome::win(Side::Second, Reason::Resignation)));
        let bad = |saved: &SavedGame| format!("{:#}", saved.replay::<Dobutsu>().unwrap_err());
        assert!(bad(&SavedGame { moves: "b2b4".into(), ..saved.clone() }).contains("move 1"));
        assert!(bad(&SavedGame { game: GameId::Shogi, ..saved.clone() }).contains("a game of shogi"));
        assert!(bad(&SavedGame { rules: RuleSet::Axf, ..saved.clone() }).contains("no rule set"));
        assert!(SavedGame { result: Some("2-1".into()), ..saved.clone() }.outcome().is_err());
        assert!(SavedGame { reason: None, ..saved }.outcome().is_err());
    }

    fn dobutsu(moves: &str, result: Option<&str>, reason: Option<Reason>) -> SavedGame {
        SavedGame {
            game: GameId::Dobutsu,
            rules: RuleSet::Standard,
            first: "human".into(),
            second: "published:dobutsu".into(),
            start: "gle/1c1/1C1/ELG[-] w 0 1".into(),
            moves: moves.into(),
            result: result.map(str::to_owned),
            reason,
            points: None,
            seating: None,
        }
    }

    #[test]
    fn rules_of_another_game_are_refused_however_a_game_is_read() {
        let saved = SavedGame { rules: RuleSet::Axf, ..dobutsu("b2b3", None, None) };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.json");
        std::fs::write(&path, saved.to_text()).unwrap();
        let errors =
            [SavedGame::read(&path).unwrap_err(), saved.to_record().unwrap_err(), saved.check().unwrap_err()];
        for error in errors.map(|error| format!("{error:#}")) {
            assert!(error.contains("axf is no rule set of dobutsu"), "{error}");
        }
    }

    #[test]
    fn a_game_that_cannot_have_been_played_is_named() {
        let why = |game: &SavedGame| format!("{:#}", game.check().unwrap_err());
        let taken = "b2b3 c4b3 C@a3 a4a3 b1b2 a3a2 b2a3 a2a3";
        dobutsu("", None, None).check().unwrap();
        dobutsu("b2b3", Some("1-0"), Some(Reason::Resignation)).check().unwrap();
        dobutsu("b2b3", Some("0-1"), Some(Reason::Timeout)).check().unwrap();
        assert!(why(&dobutsu("b2b4", None, None)).contains("move 1"));
        assert!(why(&dobutsu("b2b3", Some("1-0"), Some(Reason::LionCaptured))).contains("goes on"));
        assert!(why(&dobutsu("b2b3", Some("1/2-1/2"), Some(Reason::Resignation))).contains("goes on"));
        assert!(why(&dobutsu("b2b3", Some("1-0"), Some(Reason::Declaration))).contains("goes on"));
        dobutsu(taken, Some("0-1"), Some(Reason::LionCaptured)).check().unwrap();
        assert!(why(&dobutsu(taken, None, None)).contains("lion_captured"));
        assert!(why(&dobutsu(taken, Some("1-0"), Some(Reason::Resignation))).contains("lion_captured"));
        assert!(why(&dobutsu(&"b2b3 ".repeat(MOST_PLIES + 1), None, None)).contains("plies"));
    }

    #[test]
    fn who_sits_where_is_kept_and_old_files_are_read() {
        let clock = Some(SavedClock { base: 300.0, increment: 2.0, left: [12.5, 300.0] });
        let net = "run:first@40".to_owned();
        let seating = Seating { net, level: "level6".into(), person: Person::Second, clock };
        let seated = SavedGame { seating: Some(seating), ..dobutsu("b2b3", None, None) };
        assert_eq!(serde_json::from_str::<SavedGame>(&seated.to_text()).unwrap(), seated);
        assert!(!dobutsu("", None, None).to_text().contains("seating"));
        let record = seated.to_record().unwrap();
        assert_eq!(SavedGame { seating: None, ..seated }, SavedGame::of_record(&record));
    }
}
