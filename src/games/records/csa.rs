//! CSA, version 2.2 (<http://www2.computer-shogi.org/protocol/record_v22.html>).

use std::fmt::Write;

use anyhow::{Context, Result, anyhow};

use super::{
    Given, Record,
    diagram::{Diagram, SIZE, START},
    ending::{self, End},
    reading::{Note, Reading, Wrong, shown},
    replay::{Replay, Stated, rules_of, texts},
    tags,
};
use crate::games::{
    notation::{Piece, Style, piece_of_csa, piece_to_csa},
    rules::{Game, GameId, Reason, RuleSet, Side, Verdict, shogi::Shogi},
};

/// The event, the place and the date: what stands behind `$`, and the tags of a record.
const TAGS: [(&str, &str); 3] = [("EVENT", "Event"), ("SITE", "Site"), ("START_TIME", "Date")];

/// The text of a game. A comment at its end has the result with our reason.
pub(super) fn write(record: &Record) -> Result<String> {
    let (moves, game) = texts::<Shogi>(record, Style::Csa)?;
    let [first, second] = &record.players;
    let mut out = format!("V2.2\nN+{first}\nN-{second}\n");
    for (key, name) in TAGS {
        if let Some(value) = tags::value(record, name, '/') {
            writeln!(out, "${key}:{value}")?;
        }
    }
    let diagram = Diagram::of_fen(&record.start);
    if diagram == Diagram::of_fen(START) {
        out += "PI\n";
    } else {
        write_board(&mut out, &diagram);
    }
    writeln!(out, "{}", sign(diagram.side))?;
    moves.iter().try_for_each(|mv| writeln!(out, "{mv}"))?;
    let end = End::of(record.outcome, game.side_to_move());
    match end.csa.strip_prefix("%ILLEGAL_ACTION") {
        Some(rest) => writeln!(out, "%{}ILLEGAL_ACTION{rest}", sign(!game.side_to_move()))?,
        None => writeln!(out, "{}", end.csa)?,
    }
    if let Some(outcome) = record.outcome {
        writeln!(out, "'{}", ending::comment(outcome))?;
    }
    Ok(out)
}

fn sign(side: Side) -> char {
    if side == Side::First { '+' } else { '-' }
}

fn write_board(out: &mut String, diagram: &Diagram) {
    for (row, rank) in diagram.cells.iter().zip(1..) {
        let cells = row.iter().map(|cell| match cell {
            Some((side, piece)) => format!("{}{}", sign(*side), piece_to_csa(*piece)),
            None => " * ".to_owned(),
        });
        *out += &format!("P{rank}{}\n", cells.collect::<String>());
    }
    for side in [Side::First, Side::Second] {
        let hand = super::diagram::HAND.iter().zip(diagram.hands[side.index()]);
        let held: String = hand
            .map(|(&letter, count)| {
                let piece = Piece { letter, promoted: false };
                format!("00{}", piece_to_csa(piece)).repeat(count.into())
            })
            .collect();
        if !held.is_empty() {
            *out += &format!("P{}{held}\n", sign(side));
        }
    }
}

/// All games of `text`: a line `/` stands between them, or another begins with what stands before moves.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let rules = rules_of(GameId::Shogi, Given { game: Some(GameId::Shogi), ..given })?;
    let mut reading = Reading::default();
    let mut reader = Reader::default();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let line = line.trim();
        if line == "/" || reader.ends_before(line) {
            std::mem::take(&mut reader).finish(rules, &mut reading);
        }
        if line != "/" {
            reader.take_line(line, number);
        }
    }
    // An empty text has no game, and what stands behind the last one is none.
    if reading.games() == 0 || !reader.is_bare() || !reader.unknown.is_empty() {
        reader.finish(rules, &mut reading);
    }
    Ok(reading)
}

fn is_version(line: &str) -> bool {
    line.strip_prefix('V').is_some_and(begins_with_digit)
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a line stands before the moves of a game: its version, a player, the event and the like, pieces on the board or
/// who moves first.
fn begins_game(line: &str) -> bool {
    let is_board = |board: &str| board.starts_with(['I', '+', '-']) || begins_with_digit(board);
    is_version(line)
        || line.strip_prefix('N').and_then(signed).is_some()
        || line.strip_prefix('P').is_some_and(is_board)
        || matches!(line, "+" | "-")
        || line.strip_prefix('$').and_then(read_tag).is_some()
}

/// Whether a line of an unknown text can be none but CSA's: its version, a player or the first rank of a board. A list of
/// moves of xiangqi has `P1+1` and `N+.4`.
pub(super) fn is_told_by(line: &str) -> bool {
    let is_version = |number: &str| number.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let is_piece = |text: &str| {
        let names = signed(text).map(|(_, piece)| piece.bytes().take(2).filter(u8::is_ascii_uppercase));
        names.is_some_and(|letters| letters.count() == 2)
    };
    let line = line.trim();
    match line.split_at_checked(2) {
        Some(("V2" | "V3", number)) => is_version(number),
        Some(("PI", gone)) => gone.is_empty() || begins_with_digit(gone),
        Some(("P1", rank)) => rank.trim_start().starts_with('*') || is_piece(rank.trim_start()),
        Some(("N+", name)) => !name.starts_with(['.', '=', '+', '-']) && !begins_with_digit(name),
        _ => false,
    }
}

/// What was read of a game so far.
#[derive(Default)]
struct Reader<'a> {
    players: [Option<&'a str>; 2],
    tags: Vec<(String, String)>,
    diagram: Option<Diagram>,
    side: Option<Side>,
    moves: Vec<(usize, &'a str)>,
    /// The word for the end, its line, and the side that it names.
    end: Option<(usize, &'a str)>,
    comment: Option<Stated>,
    summary: Option<Stated>,
    /// What is wrong with it.
    wrong: Option<Wrong>,
    unknown: Vec<Note>,
}

impl<'a> Reader<'a> {
    /// Whether `line` is the first of the next game: one that stands before moves, where moves or an end are there
    /// already, or a version, where anything is.
    fn ends_before(&self, line: &str) -> bool {
        let is_played = self.end.is_some() || !self.moves.is_empty();
        is_played && begins_game(line) || is_version(line) && !self.is_bare()
    }

    /// Whether nothing in it makes a game.
    fn is_bare(&self) -> bool {
        let has_players = self.players.iter().any(Option::is_some);
        self.diagram.is_none()
            && self.moves.is_empty()
            && self.end.is_none()
            && self.wrong.is_none()
            && !has_players
    }

    fn take_line(&mut self, line: &'a str, number: usize) {
        // Moves, times and ends may share a line.
        let parts: Vec<&str> = match line.starts_with(['+', '-', '%', 'T']) {
            true => line.split(',').collect(),
            false => vec![line],
        };
        for part in parts {
            if let Err(error) = self.take(part.trim(), number)
                && self.wrong.is_none()
            {
                self.wrong = Some(Wrong::on(number, line, error));
            }
        }
    }

    /// A line, or a part of one between commas.
    fn take(&mut self, statement: &'a str, line: usize) -> Result<()> {
        let mut letters = statement.chars();
        match (letters.next(), letters.as_str()) {
            (None, _) => {}
            (Some('$'), text) => {
                if let Some(tag) = read_tag(text) {
                    tags::add(&mut self.tags, tag);
                }
            }
            (Some('V' | 'T'), text) if text.starts_with(|digit: char| digit.is_ascii_digit()) => {}
            (Some('\''), text) => {
                self.comment = ending::read_comment(text).or(self.comment);
                self.summary = ending::read_summary(text).or(self.summary);
            }
            (Some('N'), name) => match signed(name) {
                Some((side, name)) => self.players[side.index()] = Some(name),
                None => self.unknown.push(Note::unknown(line, statement)),
            },
            (Some('P'), board) => self.take_board(board)?,
            (Some('+'), "") => self.side = Some(Side::First),
            (Some('-'), "") => self.side = Some(Side::Second),
            (Some('+' | '-'), _) => {
                anyhow::ensure!(self.end.is_none(), "a move behind the end of the game");
                self.moves.push((line, statement));
            }
            (Some('%'), _) if self.end.is_none() => self.end = Some((line, statement)),
            _ => self.unknown.push(Note::unknown(line, statement)),
        }
        Ok(())
    }

    /// What stands behind a `P`.
    fn take_board(&mut self, text: &str) -> Result<()> {
        if let Some(gone) = text.strip_prefix('I') {
            let diagram = self.diagram.insert(Diagram::of_fen(START));
            return groups(gone).try_for_each(|group| {
                let (file, rank, _) = read_group(group)?;
                *diagram.cell(file, rank).context("there is no such square")? = None;
                Ok(())
            });
        }
        let diagram = self.diagram.get_or_insert_with(|| Diagram::empty(SIZE));
        if let Some((side, pieces)) = signed(text) {
            return groups(pieces).try_for_each(|group| put(diagram, side, group));
        }
        let mut letters = text.chars();
        let rank = letters.next().and_then(|digit| digit.to_digit(10)).filter(|rank| *rank > 0);
        let rank = rank.context("a rank is 1 to 9")? as usize;
        // Letters and web pages lose some of the spaces around an empty square.
        let mut rest = letters.as_str().trim_start();
        for file in (1..=SIZE).rev() {
            let (piece, after) = read_cell(rest)?;
            *diagram.cell(file, rank).context("there is no such square")? = piece;
            rest = after.trim_start();
        }
        Ok(())
    }

    /// Adds the game to `reading`.
    fn finish(self, rules: RuleSet, reading: &mut Reading) {
        if self.is_bare() {
            return match self.unknown.into_iter().next() {
                Some(note) => reading.add(Err(Wrong {
                    line: Some(note.line),
                    error: anyhow!("it is no line of CSA: {}", note.text),
                })),
                None if reading.games() == 0 => {
                    reading.add(Err(Wrong { line: None, error: anyhow!("there is no game in it") }));
                }
                None => {}
            };
        }
        let Reader { unknown, .. } = &self;
        reading.notes.extend_from_slice(unknown);
        let read = self.play(rules, &mut reading.notes);
        reading.add(read);
    }

    fn play(self, rules: RuleSet, notes: &mut Vec<Note>) -> Result<Record, Wrong> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let diagram = Diagram {
            side: self.side.unwrap_or(Side::First),
            ..self.diagram.unwrap_or_else(|| Diagram::of_fen(START))
        };
        let replay = Replay::<Shogi>::new(rules, Some(&diagram.fen()));
        let mut replay = replay.map_err(|error| Wrong { line: None, error })?;
        let end = self.end.and_then(|(_, word)| end_called(word));
        for (place, &(line, text)) in self.moves.iter().enumerate() {
            let side = replay.side();
            let Err(error) = play_move(&mut replay, text) else { continue };
            let is_last = place + 1 == self.moves.len();
            // The move that lost may stand before the end that names it.
            let says_foul = |stated: Stated| stated.reason == Some(Reason::IllegalMove);
            let stated = end.map(|(end, actor)| end.stated(actor.map_or(side, |actor| !actor)));
            if is_last && stated.or(self.summary).is_some_and(says_foul) {
                let lost = Stated::new(Verdict::Win(!side), Reason::IllegalMove);
                let record = replay.into_record(names(self.players), self.comment.unwrap_or(lost));
                return Ok(Record { tags: self.tags, ..record });
            }
            return Err(Wrong::on(line, text, error));
        }
        if let Some((line, word)) = self.end
            && end.is_none()
        {
            notes.push(Note::new(
                line,
                format!("'{}' is not known as the end of a game: it has no result by it", shown(word)),
            ));
        }
        let by_end = end.map(|(end, actor)| end.stated(actor.map_or(replay.side(), |actor| !actor)));
        let said = by_end.filter(|stated| stated.verdict.is_some());
        let stated = self.comment.or(said).or(self.summary).unwrap_or_default();
        Ok(Record { tags: self.tags, ..replay.into_record(names(self.players), stated) })
    }
}

/// The tag of a record that stands behind `$`; others have times and rules.
fn read_tag(text: &str) -> Option<(String, String)> {
    let (key, value) = text.split_once(':')?;
    let (_, name) = TAGS.into_iter().find(|(own, _)| *own == key)?;
    tags::tag(name, value)
}

fn names(players: [Option<&str>; 2]) -> [String; 2] {
    players.map(|name| name.filter(|name| !name.is_empty()).unwrap_or("?").to_owned())
}

/// The end with this word, and the side whose action it names.
fn end_called(word: &str) -> Option<(End, Option<Side>)> {
    let actor = match word.chars().nth(1) {
        Some('+') => Some(Side::First),
        Some('-') => Some(Side::Second),
        _ => None,
    };
    Some((End::called(&word.replace(['+', '-'], ""))?, actor))
}

fn play_move(replay: &mut Replay<Shogi>, text: &str) -> Result<()> {
    if !text.starts_with(sign(replay.side())) {
        let number = replay.plies() + 1;
        anyhow::bail!("move {number}: '{}' is a move of the side that is not to move", shown(text));
    }
    replay.play(text, &[Style::Csa])
}

/// A square of a rank: a piece, or `None` for `*`; and what follows.
fn read_cell(text: &str) -> Result<(Option<(Side, Piece)>, &str)> {
    if let Some(rest) = text.strip_prefix('*') {
        return Ok((None, rest));
    }
    let (side, rest) = signed(text).context("a rank has nine squares, each '*' or a piece behind + or -")?;
    let name = rest.get(..2).context("there is no such piece")?;
    let piece = piece_of_csa(name).context("there is no such piece")?;
    Ok((Some((side, piece)), &rest[2..]))
}

fn put(diagram: &mut Diagram, side: Side, group: &str) -> Result<()> {
    if group == "00AL" {
        diagram.hold_rest(side);
        return Ok(());
    }
    let (file, rank, name) = read_group(group)?;
    let piece = piece_of_csa(name).context("there is no such piece")?;
    if (file, rank) == (0, 0) {
        let holds = !piece.promoted && diagram.hold(side, piece.letter, 1);
        anyhow::ensure!(holds, "'{group}' cannot be held");
    } else {
        *diagram.cell(file, rank).context("there is no such square")? = Some((side, piece));
    }
    Ok(())
}

fn signed(text: &str) -> Option<(Side, &str)> {
    let (side, rest) = match text.strip_prefix('+') {
        Some(rest) => (Side::First, rest),
        None => (Side::Second, text.strip_prefix('-')?),
    };
    Some((side, rest))
}

/// A square and a piece, four letters, each.
fn groups(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    (0..text.len().div_ceil(4)).map(move |place| text.get(4 * place..4 * place + 4).unwrap_or("?"))
}

/// File, rank and piece.
fn read_group(group: &str) -> Result<(usize, usize, &str)> {
    let read = || -> Option<(usize, usize, &str)> {
        let file = group.get(0..1)?.parse().ok()?;
        Some((file, group.get(1..2)?.parse().ok()?, group.get(2..)?))
    };
    read().with_context(|| format!("'{group}' is no square and piece"))
}
