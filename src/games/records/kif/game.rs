//! A game of KIF or KI2, played from its lines.

use anyhow::{Error, anyhow};

use super::{
    board,
    sheet::{Line, Row, Sheet},
    starts,
};
use crate::games::{
    notation::{JapaneseMove, Notate, SIDE_MARKS},
    records::{
        Given, Record,
        diagram::{Diagram, SIZE},
        ending::{Closing, End},
        reading::{Note, Wrong, shown},
        replay::{Replay, Stated, rules_of},
    },
    rules::{GameId, ParseError, Reason, Side, Verdict, shogi},
};

/// Ranks of minishogi.
const SMALL: usize = 5;

/// The game of a sheet. Remarks on its lines go to `notes`.
pub(super) fn read(mut sheet: Sheet, given: Given, notes: &mut Vec<Note>) -> Result<Record, Wrong> {
    let unknown = std::mem::take(&mut sheet.unknown);
    if sheet.is_bare() || sheet.rows.is_empty() && sheet.ranks.is_empty() && !unknown.is_empty() {
        return Err(Wrong {
            line: unknown.first().map(|note| note.line),
            error: match unknown.first() {
                Some(note) => anyhow!("there is no game in it: {}", note.text),
                None => anyhow!("there is no game in it"),
            },
        });
    }
    notes.extend(unknown);
    match game_of(&sheet, given) {
        GameId::Minishogi => play::<shogi::Minishogi>(&sheet, given, notes),
        _ => play::<shogi::Shogi>(&sheet, given, notes),
    }
}

/// Shogi or minishogi: as given, or as the start's name says, or by the size of the board.
fn game_of(sheet: &Sheet, given: Given) -> GameId {
    let given = given.game.filter(|game| matches!(game, GameId::Shogi | GameId::Minishogi));
    let named = sheet.start.and_then(|(_, name)| starts::called(name)).map(|start| start.game());
    let width = sheet.ranks.first().map(|(_, rank)| board::width(rank));
    let drawn = width.map(|width| if width <= SMALL { GameId::Minishogi } else { GameId::Shogi });
    given.or(drawn).or(named).unwrap_or(GameId::Shogi)
}

/// Where it begins, as a FEN or an SFEN.
fn start<G: Notate>(sheet: &Sheet, notes: &mut Vec<Note>) -> Result<Option<String>, Wrong> {
    let named = sheet.start.map(|(line, name)| (line, name, starts::called(name)));
    if !sheet.ranks.is_empty() {
        // The board decides, not the name of the start.
        let side =
            named.and_then(|(_, _, start)| start).filter(|start| start.is_handicap()).map(|_| Side::Second);
        let side = sheet.side.or(side).unwrap_or(Side::First);
        return drawn::<G>(sheet, side).map(|diagram| Some(diagram.fen()));
    }
    let Some((line, name, start)) = named else {
        return match sheet.hands.iter().flatten().find(|(_, value)| !value.is_empty() && *value != "なし") {
            Some(&(line, value)) => Err(Wrong::on(line, value, anyhow!("pieces in hand, but no board"))),
            None => Ok(None),
        };
    };
    match start {
        Some(start) if start.game() == G::ID => Ok(Some(start.fen())),
        Some(_) => Err(Wrong::on(line, name, anyhow!("this is no start of {}", G::ID))),
        None if name.is_empty() => {
            notes.push(Note::new(line, "the start has no name: the usual one is taken"));
            Ok(None)
        }
        None => Err(Wrong::on(line, name, anyhow!("this start is not known, and there is no board"))),
    }
}

fn drawn<G: Notate>(sheet: &Sheet, side: Side) -> Result<Diagram, Wrong> {
    let size = if G::ID == GameId::Minishogi { SMALL } else { SIZE };
    let mut diagram = Diagram { side, ..Diagram::empty(size) };
    for (&(line, rank), number) in sheet.ranks.iter().zip(1..) {
        board::read_row(&mut diagram, number, rank).map_err(|error| Wrong::on(line, rank, error))?;
    }
    for (hand, side) in sheet.hands.iter().zip([Side::First, Side::Second]) {
        let Some((line, text)) = *hand else { continue };
        board::read_hand(&mut diagram, side, text).map_err(|error| Wrong::on(line, text, error))?;
    }
    Ok(diagram)
}

fn play<G: Notate>(sheet: &Sheet, given: Given, notes: &mut Vec<Note>) -> Result<Record, Wrong> {
    let begun = start::<G>(sheet, notes)?;
    let place = sheet.ranks.first().map(|(line, _)| *line).or(sheet.start.map(|(line, _)| line));
    let at_start = |error: Error| Wrong { line: place, error };
    let rules = rules_of(G::ID, given).map_err(at_start)?;
    let replay = Replay::<G>::new(rules, begun.as_deref()).map_err(at_start)?;
    let mut table = Table { replay, foul: None, stated: None, closing: None };
    for (place, row) in sheet.rows.iter().enumerate() {
        let is_last = !sheet.rows[place + 1..].iter().any(|(_, row)| matches!(row, Row::Move(_)));
        table.take(*row, is_last, notes)?;
    }
    table.finish(sheet)
}

/// A game as it is played.
struct Table<G: Notate> {
    replay: Replay<G>,
    /// A move that is not legal, of this side: the end by a foul may follow.
    foul: Option<(Side, Wrong)>,
    /// How it ended by its last row, where that says it.
    stated: Option<Stated>,
    /// The same of the last line.
    closing: Option<Stated>,
}

/// The move at the beginning of `text`, if nothing but times and marks follows.
fn words(text: &str) -> Option<JapaneseMove> {
    let (words, rest) = JapaneseMove::read(text)?;
    let is_end = rest.is_empty()
        || rest.starts_with(|letter: char| letter.is_whitespace() || "(（+＋[<".contains(letter));
    is_end.then_some(words)
}

/// The one legal move of `game` that `words`, the beginning of `text`, mean; `last` is the move before.
fn find<G: Notate>(
    words: &JapaneseMove,
    game: &G,
    last: Option<G::Move>,
    text: &str,
) -> Result<G::Move, ParseError> {
    let bad = |why: &str| ParseError::new("move", shown(text), why);
    match words.moves(game, last)[..] {
        [mv] => Ok(mv),
        [] if words.target::<G>(last.map(G::target)).is_none() => Err(bad("there is no such square")),
        [] => Err(bad("it is not legal here")),
        _ => Err(bad("several moves are written so")),
    }
}

/// The word at the beginning of `text`, without the time behind it.
fn first_word(text: &str) -> &str {
    let text = text.trim_start_matches(SIDE_MARKS).trim_start();
    text.split(|letter: char| letter.is_whitespace() || letter == '(').next().unwrap_or(text)
}

impl<G: Notate> Table<G> {
    fn take(&mut self, row: Line<Row>, is_last: bool, notes: &mut Vec<Note>) -> Result<(), Wrong> {
        match row {
            (line, Row::Closing(text)) => self.take_closing(line, text, notes),
            (line, Row::Move(text)) => self.take_move(line, text, is_last, notes),
        }
    }

    fn take_move(
        &mut self,
        line: usize,
        text: &str,
        is_last: bool,
        notes: &mut Vec<Note>,
    ) -> Result<(), Wrong> {
        if let Some(words) = words(text) {
            if let Some((_, wrong)) = self.foul.take() {
                return Err(wrong);
            }
            if self.stated.is_some_and(|stated| stated.verdict.is_some()) {
                return Err(Wrong::on(line, text, anyhow!("a move behind the end of the game")));
            }
            let found = find(&words, &self.replay.game, self.replay.last(), text);
            return self.play(line, text, found.map_err(Error::from));
        }
        let word = first_word(text);
        if word.contains("開始局面") {
            return Ok(());
        }
        if let Some(end) = End::called(word) {
            let stated = end.stated(self.replay.side());
            return self.end(stated);
        }
        // It may be written in another notation.
        let found = crate::games::notation::read(&self.replay.game, self.replay.last(), word);
        match found {
            Ok(mv) => self.play(line, text, Ok(mv)),
            Err(_) if is_last && self.foul.is_none() => {
                let note = format!("'{word}' is not known as the end of a game: it has no result by it");
                notes.push(Note::new(line, note));
                Ok(())
            }
            Err(_) => {
                let number = self.replay.plies() + 1;
                let error = anyhow!("move {number}: it is neither a move nor the end of a game");
                Err(self.foul.take().map_or_else(|| Wrong::on(line, text, error), |(_, wrong)| wrong))
            }
        }
    }

    fn play(&mut self, line: usize, text: &str, found: anyhow::Result<G::Move>) -> Result<(), Wrong> {
        let side = self.replay.side();
        if let Err(error) = self.replay.play_found(found) {
            self.foul = Some((side, Wrong::on(line, text, error)));
        }
        Ok(())
    }

    /// The end that a row states.
    fn end(&mut self, stated: Stated) -> Result<(), Wrong> {
        self.stated = Some(self.with_foul(stated)?);
        Ok(())
    }

    /// What is stated, which must be a foul if the last move is none that is legal.
    fn with_foul(&mut self, stated: Stated) -> Result<Stated, Wrong> {
        let Some((side, wrong)) = self.foul.take() else { return Ok(stated) };
        if stated.reason != Some(Reason::IllegalMove) {
            return Err(wrong);
        }
        Ok(Stated::new(Verdict::Win(!side), Reason::IllegalMove))
    }

    fn take_closing(&mut self, line: usize, text: &str, notes: &mut Vec<Note>) -> Result<(), Wrong> {
        let Closing { plies, stated } = Closing::of(text, self.replay.side());
        let had_foul = self.foul.is_some();
        match stated {
            Some(stated) => self.closing = Some(self.with_foul(stated)?),
            None => {
                let note = format!("'{text}' does not say how the game ended in words that are known");
                notes.push(Note::new(line, note));
            }
        }
        let read = self.replay.plies();
        if let Some(plies) = plies
            // Some count the row of the end, or the foul.
            && !(read..=read + 1).contains(&plies)
        {
            notes.push(Note::new(line, format!("it says {plies} moves, and {read} are there")));
        }
        if let (Some(row), Some(last)) = (self.stated, self.closing)
            && !had_foul
            && row.verdict.is_some()
            && last.verdict.is_some()
            && row.verdict != last.verdict
        {
            notes.push(Note::new(line, "it says another result than the row before it, which counts"));
        }
        Ok(())
    }

    fn finish(self, sheet: &Sheet) -> Result<Record, Wrong> {
        if let Some((_, wrong)) = self.foul {
            return Err(wrong);
        }
        let by_row = self.stated.filter(|stated| stated.verdict.is_some());
        // The row says why, where the last line only says who.
        let stated = sheet.comment.or(by_row).or(self.closing).or(self.stated).unwrap_or_default();
        let players =
            sheet.players.map(|name| name.filter(|name| !name.is_empty()).unwrap_or("?").to_owned());
        Ok(Record { tags: sheet.tags.clone(), ..self.replay.into_record(players, stated) })
    }
}
