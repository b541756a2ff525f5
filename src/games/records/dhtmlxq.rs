//! The text of the boards of dpxq.com and of the programs that follow it: `[DhtmlXQ_key]value[/DhtmlXQ_key]`, alone or
//! within a page. Points are two digits: the file from Red's left, and the rank from the top, both from 0.

use anyhow::{Context, Result, ensure};

use super::{
    Given, Record,
    reading::{Note, Reading, Wrong, shown},
    replay::{Replay, Stated, first_fitting, rule_sets_of},
    results, tags,
};
use crate::games::{
    notation::{Convention, Style},
    rules::{GameId, RuleSet, xiangqi::Xiangqi},
};

/// What stands before a key.
const MARK: &str = "[DhtmlXQ_";
/// The pieces in the order in which `binit` places them, as in a FEN.
const PIECES: &str = "RNBAKABNRCCPPPPPrnbakabnrccppppp";
/// The game begins as usual.
const START: &str = "8979695949392919097717866646260600102030405060708012720323436383";
/// What stands in `binit` for a piece that is not on the board.
const GONE: &str = "99";

/// The games of `text`: one for each list of moves.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let rule_sets = rule_sets_of(GameId::Xiangqi, given)?;
    let mut reading = Reading::default();
    let begin = "[DhtmlXQ]";
    let mut line = 1;
    for (place, part) in text.split(begin).enumerate() {
        let fields = Fields(part);
        if fields.has_game() {
            let read = game(&fields, &rule_sets, line, &mut reading.notes);
            reading.add(read.map_err(|error| Wrong { line: Some(line), error }));
        } else if place > 0 {
            let error = anyhow::anyhow!("it has neither a position nor moves");
            reading.add(Err(Wrong { line: Some(line), error }));
        }
        line += part.matches('\n').count();
    }
    ensure!(reading.games() > 0, "there is no [DhtmlXQ_movelist] and no [DhtmlXQ_binit] in it");
    Ok(reading)
}

/// A part of the text with one game.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    /// The value of a key; `None` where it is empty.
    fn get(&self, key: &str) -> Option<&'a str> {
        let (_, behind) = self.0.split_once(&format!("{MARK}{key}]"))?;
        let (value, _) = behind.split_once("[/")?;
        Some(value.trim()).filter(|value| !value.is_empty())
    }

    fn has_game(&self) -> bool {
        ["movelist", "binit"].iter().any(|key| self.get(key).is_some()) || self.main_line().is_some()
    }

    /// Where variations are written in the list of moves, the main line.
    fn main_line(&self) -> Option<&'a str> {
        let (_, behind) = self.0.split_once("[0_1_0]")?;
        behind.split_once("[/0_1_0]").map(|(moves, _)| moves.trim())
    }
}

/// The game of `fields`, which begin on `line`.
fn game(fields: &Fields, rule_sets: &[RuleSet], line: usize, notes: &mut Vec<Note>) -> Result<Record> {
    let (replay, note) = first_fitting(rule_sets, |rules| play(fields, rules))?;
    notes.extend(note.map(|note| Note::new(line, note)));
    let player = |keys: [&str; 2]| keys.iter().find_map(|key| fields.get(key)).unwrap_or("?").to_owned();
    let verdict = fields.get("result").and_then(|text| {
        let place = text.as_ptr() as usize - fields.0.as_ptr() as usize;
        results::verdict_on(line + fields.0[..place].matches('\n').count(), text, notes)
    });
    const TAGS: [(&str, &str); 5] =
        [("event", "Event"), ("place", "Site"), ("date", "Date"), ("round", "Round"), ("title", "Title")];
    let tag = |(key, name): (&str, &str)| tags::tag(name, fields.get(key)?);
    let players = [player(["red", "redname"]), player(["black", "blackname"])];
    Ok(Record {
        tags: TAGS.into_iter().filter_map(tag).collect(),
        ..replay.into_record(players, Stated { verdict, ..Stated::default() })
    })
}

fn play(fields: &Fields, rules: RuleSet) -> Result<Replay<Xiangqi>> {
    let text = fields.main_line().or_else(|| fields.get("movelist")).unwrap_or_default();
    let moves = moves(text).context("DhtmlXQ_movelist")?;
    let board = pieces(fields.get("binit").unwrap_or(START)).context("DhtmlXQ_binit")?;
    let fen = fen(&board, moves.first().copied());
    let mut replay = Replay::<Xiangqi>::new(rules, Some(&fen)).context("DhtmlXQ_binit")?;
    let texts: Vec<String> = moves.iter().map(|&[from, to]| format!("{}{}", name(from), name(to))).collect();
    replay.play_all(&texts, &[Style::Uci], &[Convention::Usual]).context("DhtmlXQ_movelist")?;
    Ok(replay)
}

/// A file from the left and a rank from the top, both from 0.
type Point = [u8; 2];

/// The points of a text of digits.
fn points(text: &str) -> Result<Vec<Point>> {
    ensure!(text.bytes().all(|byte| byte.is_ascii_digit()), "'{}' has more than digits", shown(text));
    ensure!(text.len().is_multiple_of(2), "the last point is cut");
    Ok(text.as_bytes().chunks_exact(2).map(|pair| [pair[0] - b'0', pair[1] - b'0']).collect())
}

fn moves(text: &str) -> Result<Vec<[Point; 2]>> {
    let points = points(text)?;
    ensure!(points.len().is_multiple_of(2), "the last move is cut");
    let moves: Vec<[Point; 2]> = points.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let is_on_board = |point: &Point| point[0] < 9;
    ensure!(points.iter().all(is_on_board), "a point is beyond the board");
    Ok(moves)
}

/// The board from the top, a letter for each piece.
type Cells = [[Option<char>; 9]; 10];

fn pieces(text: &str) -> Result<Cells> {
    ensure!(text.len() == 2 * PIECES.len(), "it has {} digits, not {}", text.len(), 2 * PIECES.len());
    let mut cells = Cells::default();
    for ([file, rank], letter) in points(text)?.into_iter().zip(PIECES.chars()) {
        if format!("{file}{rank}") == GONE {
            continue;
        }
        let cell = cells[usize::from(rank)].get_mut(usize::from(file));
        let cell = cell.with_context(|| format!("{file}{rank} is beyond the board"))?;
        ensure!(cell.replace(letter).is_none(), "two pieces are on {file}{rank}");
    }
    Ok(cells)
}

/// The FEN of a board where the piece of the first move has the turn.
fn fen(cells: &Cells, first: Option<[Point; 2]>) -> String {
    let rows = cells.iter().map(|row| {
        let mut text = String::new();
        for cell in row {
            match (cell, text.chars().last().and_then(|last| last.to_digit(10))) {
                (Some(letter), _) => text.push(*letter),
                (None, Some(empty)) => {
                    text.pop();
                    text.push(char::from(b'1' + empty as u8));
                }
                (None, None) => text.push('1'),
            }
        }
        text
    });
    let mover = first.and_then(|[[file, rank], _]| cells[usize::from(rank)][usize::from(file)]);
    let side = if mover.is_some_and(|letter| letter.is_ascii_lowercase()) { 'b' } else { 'w' };
    format!("{} {side} - - 0 1", rows.collect::<Vec<_>>().join("/"))
}

/// A point as in UCI.
fn name([file, rank]: Point) -> String {
    format!("{}{}", char::from(b'a' + file), 10 - rank)
}
