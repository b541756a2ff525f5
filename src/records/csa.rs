//! CSA, version 2.2 (<http://www2.computer-shogi.org/protocol/record_v22.html>).

use std::fmt::Write;

use anyhow::{Context, Result, bail};

use super::{
    Given, Record,
    diagram::{Diagram, SIZE, START},
    ending::{self, End},
    replay::{Replay, Stated, rules_of, texts},
};
use crate::{
    notation::{Piece, Style, piece_of_csa, piece_to_csa},
    rules::{Game, GameId, Side, shogi::Shogi},
};

/// The text of a game. A comment at its end has the result with our reason.
pub(super) fn write(record: &Record) -> Result<String> {
    let (moves, game) = texts::<Shogi>(record, Style::Csa)?;
    let [first, second] = &record.players;
    let mut out = format!("V2.2\nN+{first}\nN-{second}\n");
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

/// All games of `text`: a line `/` stands between them.
pub(super) fn read(text: &str, given: Given) -> Result<Vec<Record>> {
    let rules = rules_of(GameId::Shogi, given)?;
    let mut records = Vec::new();
    let mut reader = Reader::new();
    let lines = text.trim_start_matches('\u{feff}').lines();
    for (line, number) in lines.chain(["/"]).zip(1..) {
        let line = line.trim_end();
        let mut take = || -> Result<()> {
            if line == "/" {
                let reader = std::mem::replace(&mut reader, Reader::new());
                if let Some(record) = reader.finish(rules)? {
                    records.push(Record { number: records.len() as u32 + 1, ..record });
                }
                return Ok(());
            }
            // Moves, times and ends may share a line.
            match line.starts_with(['+', '-', '%', 'T']) {
                true => line.split(',').try_for_each(|statement| reader.take(statement)),
                false => reader.take(line),
            }
        };
        take().with_context(|| format!("line {number}: '{line}'"))?;
    }
    Ok(records)
}

/// What was read of a game so far.
struct Reader {
    players: [String; 2],
    diagram: Diagram,
    has_board: bool,
    moves: Vec<String>,
    end: Option<(End, Option<Side>)>,
    comment: Option<Stated>,
}

impl Reader {
    fn new() -> Self {
        Reader {
            players: ["?".to_owned(), "?".to_owned()],
            diagram: Diagram::empty(),
            has_board: false,
            moves: Vec::new(),
            end: None,
            comment: None,
        }
    }

    /// A line, or a part of one between commas.
    fn take(&mut self, statement: &str) -> Result<()> {
        let mut letters = statement.chars();
        match (letters.next(), letters.as_str()) {
            (None | Some('V' | 'T' | '$'), _) => {}
            (Some('\''), text) => self.comment = ending::read_comment(text).or(self.comment),
            (Some('N'), name) => self.take_name(name)?,
            (Some('P'), board) => self.take_board(board)?,
            (Some('+'), "") => self.diagram.side = Side::First,
            (Some('-'), "") => self.diagram.side = Side::Second,
            (Some('+' | '-'), _) => self.moves.push(statement.to_owned()),
            (Some('%'), word) => {
                let actor = match word.chars().next() {
                    Some('+') => Some(Side::First),
                    Some('-') => Some(Side::Second),
                    _ => None,
                };
                let plain = format!("%{}", word.trim_start_matches(['+', '-']));
                self.end = End::of_csa(&plain).map(|end| (end, actor));
            }
            _ => bail!("it is no line of CSA"),
        }
        Ok(())
    }

    fn take_name(&mut self, text: &str) -> Result<()> {
        let (side, name) = signed(text).context("a name stands behind + or -")?;
        self.players[side.index()] = name.to_owned();
        Ok(())
    }

    /// What stands behind a `P`.
    fn take_board(&mut self, text: &str) -> Result<()> {
        self.has_board = true;
        if let Some(gone) = text.strip_prefix('I') {
            self.diagram = Diagram { side: self.diagram.side, ..Diagram::of_fen(START) };
            return groups(gone).try_for_each(|group| {
                let (file, rank, _) = read_group(group)?;
                *self.diagram.cell(file, rank).context("there is no such square")? = None;
                Ok(())
            });
        }
        if let Some((side, pieces)) = signed(text) {
            return groups(pieces).try_for_each(|group| self.put(side, group));
        }
        let rank = text.chars().next().and_then(|digit| digit.to_digit(10)).filter(|rank| *rank > 0);
        let rank = rank.context("a rank is 1 to 9")? as usize;
        for file in (1..=SIZE).rev() {
            let start = 1 + 3 * (SIZE - file);
            let cell = text.get(start..(start + 3).min(text.len())).unwrap_or_default();
            let piece = match signed(cell) {
                Some((side, name)) => Some((side, piece_of_csa(name).context("there is no such piece")?)),
                None => None,
            };
            *self.diagram.cell(file, rank).context("there is no such square")? = piece;
        }
        Ok(())
    }

    fn put(&mut self, side: Side, group: &str) -> Result<()> {
        if group == "00AL" {
            self.diagram.hold_rest(side);
            return Ok(());
        }
        let (file, rank, name) = read_group(group)?;
        let piece = piece_of_csa(name).context("there is no such piece")?;
        if (file, rank) == (0, 0) {
            let holds = !piece.promoted && self.diagram.hold(side, piece.letter, 1);
            anyhow::ensure!(holds, "'{group}' cannot be held");
        } else {
            *self.diagram.cell(file, rank).context("there is no such square")? = Some((side, piece));
        }
        Ok(())
    }

    /// The game; `None` if there was none.
    fn finish(self, rules: crate::rules::RuleSet) -> Result<Option<Record>> {
        if !self.has_board && self.moves.is_empty() {
            return Ok(None);
        }
        let diagram = if self.has_board {
            self.diagram
        } else {
            Diagram { side: self.diagram.side, ..Diagram::of_fen(START) }
        };
        let mut replay = Replay::<Shogi>::new(rules, Some(&diagram.fen()))?;
        for text in &self.moves {
            anyhow::ensure!(
                text.starts_with(sign(replay.side())),
                "'{text}' is a move of the side that is not to move"
            );
            replay.play(text, &[Style::Csa])?;
        }
        let by_end = self.end.map(|(end, actor)| end.stated(actor.map_or(replay.side(), |actor| !actor)));
        let stated = self.comment.or(by_end).unwrap_or_default();
        Ok(Some(replay.into_record(self.players, stated)))
    }
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
