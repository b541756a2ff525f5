//! Files of the World Xiangqi Federation, as playok.com and others write them: lines `KEY value`, and the moves between
//! `START{` and `}END`.

use anyhow::{Context, Result};

use super::{
    Given, Record,
    reading::{Failure, Reading},
    replay::{Replay, Stated, rules_of},
    results,
};
use crate::{
    base::store::without_mark,
    games::{
        notation::{Convention, Style},
        rules::{GameId, xiangqi::Xiangqi},
    },
};

/// The games of `text`; each but the first begins with a line `FORMAT`.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let rules = rules_of(GameId::Xiangqi, Given { game: Some(GameId::Xiangqi), ..given })?;
    let mut reading = Reading::default();
    let mut sheets = vec![Sheet::default()];
    let mut block = None;
    for (line, number) in without_mark(text).lines().zip(1..) {
        let line = line.trim();
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if block.is_none() && key == "FORMAT" && sheets.last().is_some_and(|sheet| sheet.line > 0) {
            sheets.push(Sheet::default());
        }
        let sheet = sheets.last_mut().expect("one at least");
        if sheet.line == 0 && !line.is_empty() {
            sheet.line = number;
        }
        block = sheet.take(line, (key, value.trim()), block);
    }
    for sheet in sheets.iter().filter(|sheet| sheet.line > 0) {
        let game = reading.next_game();
        match sheet.game(rules) {
            Ok(record) => reading.records.push(Record { number: game, ..record }),
            Err(error) => reading.failures.push(Failure { game, line: Some(sheet.line), error }),
        }
    }
    Ok(reading)
}

/// What was read of a game.
#[derive(Default)]
struct Sheet {
    /// The line where it begins, from 1; 0 before that.
    line: usize,
    players: [Option<String>; 2],
    tags: Vec<(String, String)>,
    result: Option<String>,
    fen: Option<String>,
    moves: Vec<String>,
}

/// A part of several lines, in braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Moves,
    /// A remark.
    Other,
}

impl Sheet {
    /// Takes a line in or outside of a block, and returns the block that goes on behind it.
    fn take(&mut self, line: &str, (key, value): (&str, &str), block: Option<Block>) -> Option<Block> {
        if let Some(block) = block {
            let (inner, ends) = match line.split_once('}') {
                Some((inner, _)) => (inner, true),
                None => (line, false),
            };
            if block == Block::Moves {
                self.take_moves(inner);
            }
            return (!ends).then_some(block);
        }
        if let Some((key, inner)) = line.split_once('{') {
            let block = if key.trim() == "START" { Block::Moves } else { Block::Other };
            return self.take(inner, ("", ""), Some(block));
        }
        let name = || {
            Some(value.split(';').next().unwrap_or_default().trim().to_owned())
                .filter(|name| !name.is_empty())
        };
        match key {
            "RED" => self.players[0] = name(),
            "BLACK" => self.players[1] = name(),
            "RESULT" => self.result = Some(value.to_owned()),
            "FEN" if !value.is_empty() => self.fen = Some(value.to_owned()),
            "EVENT" | "SITE" | "DATE" if !value.is_empty() => {
                let name = format!("{}{}", &key[..1], key[1..].to_lowercase());
                self.tags.push((name, value.to_owned()));
            }
            _ => {}
        }
        None
    }

    fn take_moves(&mut self, text: &str) {
        let is_number = |word: &str| word.trim_end_matches('.').chars().all(|letter| letter.is_ascii_digit());
        for word in text.split_whitespace().filter(|word| !is_number(word)) {
            let (number, rest) = word.split_once('.').unwrap_or(("", word));
            // A number may stand right before its move; `77.8` is one.
            let is_numbered =
                !number.is_empty() && rest.len() > 1 && number.chars().all(|it| it.is_ascii_digit());
            let mv = if is_numbered { rest.trim_start_matches('.') } else { word };
            self.moves.push(mv.trim_end_matches(['!', '?', ',']).to_owned());
        }
    }

    fn game(&self, rules: crate::games::rules::RuleSet) -> Result<Record> {
        let mut replay = Replay::<Xiangqi>::new(rules, self.fen.as_deref()).context("the line FEN")?;
        replay.play_all(&self.moves, &[Style::Wxf], &Convention::all::<Xiangqi>())?;
        let stated =
            Stated { verdict: self.result.as_deref().and_then(results::verdict), ..Stated::default() };
        let players = self.players.clone().map(|name| name.unwrap_or_else(|| "?".to_owned()));
        Ok(Record { tags: self.tags.clone(), ..replay.into_record(players, stated) })
    }
}
