//! KIF, as Kifu for Windows and the programs after it write it. What is here of its header and its last line is KI2's too.

mod board;
mod game;
mod sheet;
mod starts;

use std::fmt::Write;

use anyhow::Result;

use super::{
    Given, Record,
    ending::{self, End},
    reading::Reading,
    replay::texts,
    tags,
};
use crate::games::{
    notation::{Notate, Style},
    rules::{Outcome, Reason, Side, Verdict},
};

pub(super) const NUMERALS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// The line above the moves.
const COLUMNS: &str = "手数----指手---------消費時間--";

/// The text of a game. A comment at its end has the result with our reason.
pub(super) fn write<G: Notate>(record: &Record) -> Result<String> {
    let (moves, game) = texts::<G>(record, Style::Kif)?;
    let mut out = write_header(record);
    writeln!(out, "{COLUMNS}")?;
    for (mv, number) in moves.iter().zip(1..) {
        writeln!(out, "{number:4} {mv}")?;
    }
    let end = End::of(record.outcome, game.side_to_move());
    writeln!(out, "{:4} {}", moves.len() + 1, end.kif)?;
    if let Some(outcome) = record.outcome {
        writeln!(out, "*{}", ending::comment(outcome))?;
    }
    writeln!(out, "まで{}手で{}", moves.len(), closing(end, record))?;
    Ok(out)
}

/// Where the game begins, by name or as a board, and who plays.
pub(super) fn write_header(record: &Record) -> String {
    let start = starts::of(record);
    let mut out = String::new();
    if let Some(start) = start {
        out += &format!("手合割：{}\n", start.name());
    }
    if start.is_none_or(|start| !start.is_common()) {
        board::write(&mut out, &record.start);
    }
    let [first, second] = &record.players;
    let [first_side, second_side] = side_names(record);
    out += &format!("{first_side}：{first}\n{second_side}：{second}\n");
    // Behind the players: a game begins with its start.
    for (key, name) in sheet::TAGS {
        if let Some(value) = tags::value(record, name, '/') {
            out += &format!("{key}：{value}\n");
        }
    }
    out
}

/// What the sides are called: in a handicap game the lower and the upper one.
fn side_names(record: &Record) -> [&'static str; 2] {
    match starts::of(record) {
        Some(start) if start.is_handicap() => ["下手", "上手"],
        _ => ["先手", "後手"],
    }
}

/// How the last line ends.
pub(super) fn closing(end: End, record: &Record) -> String {
    let names = side_names(record);
    let name = |side: Side| names[side.index()];
    let Some(Outcome { verdict: Verdict::Win(winner), reason, .. }) = record.outcome else {
        return end.kif.to_owned();
    };
    match reason {
        Reason::Timeout => format!("時間切れにより{}の勝ち", name(winner)),
        Reason::IllegalMove | Reason::PerpetualCheck if end.kif == "反則負け" => {
            format!("{}の反則負け", name(!winner))
        }
        _ if end.kif.ends_with("勝ち") => format!("{}の{}", name(winner), end.kif),
        _ => format!("{}の勝ち", name(winner)),
    }
}

/// All games of `text`, of KIF or KI2. Variations are left out.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    // A rule set of another game is the caller's error.
    super::shogi_rules(given)?;
    let mut reading = Reading::default();
    for sheet in sheet::split(text) {
        let read = game::read(sheet, given, &mut reading.notes);
        reading.add(read);
    }
    Ok(reading)
}
