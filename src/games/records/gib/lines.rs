//! A text of `.gib` cut into its games, tags and moves.

use crate::games::{notation::without_number, records::reading::Note};

/// The lines of a game.
#[derive(Debug, Default)]
pub(super) struct Sheet<'a> {
    /// Where it begins.
    pub(super) line: usize,
    /// Line, name and value.
    pub(super) tags: Vec<(usize, &'a str, &'a str)>,
    /// Moves without their numbers, and their lines.
    pub(super) moves: Vec<(usize, &'a str)>,
    pub(super) unknown: Vec<Note>,
}

/// Tags that a game has once.
const ONCE: [&str; 14] = [
    "회전",
    "대회명",
    "대국장소",
    "초대국자",
    "한대국자",
    "대국일자",
    "대국결과",
    "초차림",
    "한차림",
    "초포진",
    "한포진",
    "판",
    "FEN",
    "총수",
];

impl<'a> Sheet<'a> {
    /// Whether a tag called so is one of the next game: moves are there already, or that very tag.
    fn ends_before(&self, name: Option<&str>) -> bool {
        let is_again = |name: &str| ONCE.contains(&name) && self.tag(&[name]).is_some();
        !self.moves.is_empty() || name.is_some_and(is_again)
    }

    /// The line and the value of the first tag with one of these names.
    pub(super) fn tag(&self, names: &[&str]) -> Option<(usize, &'a str)> {
        let tag = self.tags.iter().find(|(_, name, _)| names.contains(name));
        tag.map(|&(line, _, value)| (line, value))
    }
}

/// The games of `text`, one at least: tags behind moves begin another, and so do tags that come again.
pub(super) fn split(text: &str) -> Vec<Sheet<'_>> {
    let mut sheets = Vec::new();
    let mut sheet = Sheet { line: 1, ..Sheet::default() };
    let mut in_comment = false;
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control());
        if let Some(tag) = line.strip_prefix('[').filter(|_| !in_comment) {
            let tag = read_tag(tag);
            if sheet.ends_before(tag.map(|(name, _)| name)) {
                sheets.push(std::mem::replace(&mut sheet, Sheet { line: number, ..Sheet::default() }));
            }
            match tag {
                Some((name, value)) => sheet.tags.push((number, name, value)),
                None => sheet.unknown.push(Note::unknown(number, line)),
            }
            continue;
        }
        for part in outside_comments(line, &mut in_comment) {
            part.split_whitespace().for_each(|word| take_word(&mut sheet, word, number));
        }
    }
    match sheets.last_mut() {
        Some(last) if sheet.tags.is_empty() && sheet.moves.is_empty() => {
            last.unknown.append(&mut sheet.unknown)
        }
        _ => sheets.push(sheet),
    }
    sheets
}

/// `name "value"]`; the value may have quotes of its own.
fn read_tag(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('"')?;
    let value = &rest[..rest.rfind('"').or(rest.rfind(']'))?];
    Some((name.trim(), value))
}

/// The parts of a line that are in no comment.
fn outside_comments<'a>(line: &'a str, in_comment: &mut bool) -> Vec<&'a str> {
    let mut parts = Vec::new();
    for part in line.split_inclusive(['{', '}']) {
        let was = *in_comment;
        *in_comment = if part.ends_with('{') { true } else { was && !part.ends_with('}') };
        if !was {
            parts.push(part.trim_end_matches(['{', '}']));
        }
    }
    parts
}

/// A move, or what is none: a number, or a mark of the program.
fn take_word<'a>(sheet: &mut Sheet<'a>, word: &'a str, line: usize) {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    let word = without_number(word);
    let is_mark = word.starts_with('<') && word.ends_with('>');
    if word.is_empty() || is_mark {
        return;
    }
    sheet.moves.push((line, word));
}
