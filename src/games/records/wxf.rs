//! Files of the World Xiangqi Federation, as playok.com and others write them: lines `KEY value`, and the moves between
//! `START{` and `}END`.

use anyhow::{Context, Result};

use super::{
    Given, Record,
    reading::{Note, Reading, Wrong},
    replay::{Replay, Stated, first_fitting, rule_sets_of},
    results, tags,
};
use crate::{
    base::store::without_mark,
    games::{
        notation::{Convention, Style, without_number},
        rules::{GameId, RuleSet, xiangqi::Xiangqi},
    },
};

/// The games of `text`; each but the first begins with a line `FORMAT`.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let rule_sets = rule_sets_of(GameId::Xiangqi, given)?;
    let mut reading = Reading::default();
    let mut sheets = vec![Sheet::default()];
    let mut block = None;
    for (line, number) in without_mark(text).lines().zip(1..) {
        let line = line.trim();
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        // Also where a block before has no end.
        if key == "FORMAT" && sheets.last().is_some_and(|sheet| sheet.line > 0) {
            sheets.push(Sheet::default());
            block = None;
        }
        let sheet = sheets.last_mut().expect("one at least");
        if sheet.line == 0 && !line.is_empty() {
            sheet.line = number;
        }
        block = sheet.take((number, line), (key, value.trim()), block);
    }
    for sheet in sheets.iter().filter(|sheet| sheet.line > 0) {
        let read = sheet.game(&rule_sets, &mut reading.notes);
        reading.add(read);
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
    /// The line, and what it says.
    result: Option<(usize, String)>,
    fen: Option<(usize, String)>,
    /// The moves and their lines.
    moves: Vec<(usize, String)>,
}

/// A part of several lines, in braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Moves,
    /// A comment between moves.
    Comment,
    /// A remark.
    Other,
}

impl Sheet {
    /// Takes a line in or outside of a block, and returns the block that goes on behind it.
    fn take(
        &mut self,
        (number, line): (usize, &str),
        (key, value): (&str, &str),
        block: Option<Block>,
    ) -> Option<Block> {
        if let Some(block) = block {
            return self.take_inner(number, line, block);
        }
        if let Some((key, inner)) = line.split_once('{') {
            let block = if key.trim() == "START" { Block::Moves } else { Block::Other };
            return self.take_inner(number, inner, block);
        }
        let name = || {
            Some(value.split(';').next().unwrap_or_default().trim().to_owned())
                .filter(|name| !name.is_empty())
        };
        match key {
            "RED" => self.players[0] = name(),
            "BLACK" => self.players[1] = name(),
            "RESULT" => self.result = Some((number, value.to_owned())),
            "FEN" if !value.is_empty() => self.fen = Some((number, value.to_owned())),
            "EVENT" | "SITE" | "DATE" if !value.is_empty() => {
                let name = format!("{}{}", &key[..1], key[1..].to_lowercase());
                self.tags.extend(tags::tag(&name, value));
            }
            _ => {}
        }
        None
    }

    /// Takes a line, or the rest of one, within a block.
    fn take_inner(&mut self, number: usize, mut line: &str, mut block: Block) -> Option<Block> {
        loop {
            let ends: &[char] = if block == Block::Moves { &['{', '}', ';'] } else { &['}'] };
            let (inner, end) = match line.find(ends) {
                Some(at) => (&line[..at], line[at..].chars().next()),
                None => (line, None),
            };
            if block == Block::Moves {
                self.take_moves(number, inner);
            }
            block = match (block, end) {
                (Block::Comment, Some(_)) => Block::Moves,
                (Block::Moves, Some('{')) => Block::Comment,
                // A comment goes on to the end of the line, or of the moves.
                (block, Some(';')) => return (!line[inner.len()..].contains('}')).then_some(block),
                (block, None) => return Some(block),
                (_, Some(_)) => return None,
            };
            line = &line[inner.len() + 1..];
        }
    }

    fn take_moves(&mut self, line: usize, text: &str) {
        let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        let moves = words.map(without_number).map(|word| word.trim_end_matches(['!', '?']));
        self.moves.extend(moves.filter(|mv| !mv.is_empty()).map(|mv| (line, mv.to_owned())));
    }

    fn game(&self, rule_sets: &[RuleSet], notes: &mut Vec<Note>) -> Result<Record, Wrong> {
        let (replay, note) = first_fitting(rule_sets, |rules| self.play(rules))?;
        notes.extend(note.map(|note| Note::new(self.line, note)));
        let verdict = self.result.as_ref().and_then(|(line, text)| results::verdict_on(*line, text, notes));
        let players = self.players.clone().map(|name| name.unwrap_or_else(|| "?".to_owned()));
        let record = replay.into_record(players, Stated { verdict, ..Stated::default() });
        Ok(Record { tags: self.tags.clone(), ..record })
    }

    fn play(&self, rules: RuleSet) -> Result<Replay<Xiangqi>, Wrong> {
        let (line, fen) = self.fen.as_ref().map_or((self.line, None), |(line, fen)| (*line, Some(&**fen)));
        let replay = Replay::<Xiangqi>::new(rules, fen).context("the line FEN");
        let mut replay = replay.map_err(|error| Wrong { line: Some(line), error })?;
        let texts: Vec<&str> = self.moves.iter().map(|(_, text)| &**text).collect();
        replay.play_all(&texts, &[Style::Wxf], &Convention::all::<Xiangqi>()).map_err(|bad| Wrong {
            line: self.moves.get(bad.number - 1).map(|(line, _)| *line),
            error: bad.into(),
        })?;
        Ok(replay)
    }
}
