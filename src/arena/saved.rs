//! A game in a file of its own, as `sanki play` saves it.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    rules::{Game, GameId, Outcome, Reason, RuleSet, Side, Verdict},
    store::read_text,
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
}

impl SavedGame {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Names the file that cannot be read or is no saved game.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is no saved game", path.display()))
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
        let verdicts = [Verdict::Win(Side::First), Verdict::Win(Side::Second), Verdict::Draw];
        let verdict = verdicts.into_iter().find(|verdict| verdict.as_str() == result);
        let verdict = verdict.with_context(|| format!("'{result}' is no result"))?;
        Ok(Some(Outcome { verdict, reason, points: self.points }))
    }

    /// Plays it again: the start and the moves.
    ///
    /// # Errors
    /// When it is no game of `G`, or the position or a move is none.
    pub fn replay<G: Game>(&self) -> Result<(G, Vec<G::Move>)> {
        ensure!(self.game == G::ID, "it is a game of {}, not of {}", self.game, G::ID);
        let known = self.game.rule_sets().contains(&self.rules);
        ensure!(known, "{} is no rule set of {}", self.rules, self.game);
        let start = G::from_fen(self.rules, &self.start)?;
        let mut game = start.clone();
        let mut moves = Vec::new();
        for (text, number) in self.moves.split_whitespace().zip(1..) {
            let mv = game.parse_move(text).with_context(|| format!("move {number}"))?;
            game.play(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dobutsu::Dobutsu;

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
}
