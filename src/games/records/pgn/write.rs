//! Games as PGN.

use std::fmt::Write;

use anyhow::Result;

use super::parts::UNKNOWN;
use crate::games::{
    notation::{Notate, Style},
    records::{
        Record,
        replay::{start, texts},
    },
    rules::Side,
};

/// Letters of a line of moves at most, as the standard has it.
const WIDTH: usize = 79;

/// The text of a game, with an empty line at its end. Beside the usual tags it has `RuleSet`, `Termination` with the
/// reason, and `Points` where these decided.
pub fn write<G: Notate>(record: &Record) -> Result<String> {
    let (moves, _) = texts::<G>(record, Style::San)?;
    let result = record.outcome.map_or("*", |outcome| outcome.verdict.as_str());
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]").expect("writing to a string");
    };
    let kept = |name: &str| record.tags.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
    tag("Event", kept("Event").unwrap_or(UNKNOWN[0].1));
    tag("Site", kept("Site").unwrap_or(UNKNOWN[1].1));
    tag("Date", kept("Date").unwrap_or(UNKNOWN[2].1));
    tag("Round", kept("Round").unwrap_or(&record.number.to_string()));
    tag("White", &record.players[0]);
    tag("Black", &record.players[1]);
    tag("Result", result);
    tag("Variant", record.game.facts().title);
    tag("RuleSet", record.rules.as_str());
    if let Some(opening) = &record.opening {
        tag("Opening", opening);
    }
    if record.start != start::<G>(record.rules).fen() {
        tag("SetUp", "1");
        tag("FEN", &record.start);
    }
    if let Some(outcome) = record.outcome {
        tag("Termination", outcome.reason.as_str());
        if let Some([first, second]) = outcome.points {
            tag("Points", &format!("{first} {second}"));
        }
    }
    let is_other = |name: &str| name != "Round" && UNKNOWN.iter().all(|(known, _)| *known != name);
    record.tags.iter().filter(|(name, _)| is_other(name)).for_each(|(name, value)| tag(name, value));
    out.push('\n');
    write_moves(&mut out, &moves, begins::<G>(record)?, result);
    out.push('\n');
    Ok(out)
}

/// The move number that the record begins with, and the side.
fn begins<G: Notate>(record: &Record) -> Result<(u32, Side)> {
    let game = G::from_fen(record.rules, &record.start)?;
    let number = record.start.split_whitespace().next_back().and_then(|number| number.parse().ok());
    Ok((number.unwrap_or(1), game.side_to_move()))
}

fn write_moves(out: &mut String, moves: &[String], (number, side): (u32, Side), result: &str) {
    let mut words = Vec::new();
    for (place, mv) in (side.index()..).zip(moves) {
        let number = number as usize + place / 2;
        match place % 2 {
            0 => words.push(format!("{number}.")),
            _ if words.is_empty() => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(mv.clone());
    }
    words.push(result.to_owned());
    let mut width = 0;
    for word in words {
        if width + 1 + word.len() > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(&word);
        width += word.len();
    }
    out.push('\n');
}
