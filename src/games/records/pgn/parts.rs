//! A text of PGN cut into its games, their tags and words.

use anyhow::{Context, Error, Result, ensure};

use crate::{
    base::store::without_mark,
    games::{notation::without_number, records::results},
};

/// Tags that every game has, and what they say where that is not known.
pub(super) const UNKNOWN: [(&str, &str); 3] = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??")];
/// Tags of which a record has the meaning itself.
pub(super) const READ: [&str; 14] = [
    "White",
    "Black",
    "Red",
    "Result",
    "Variant",
    "RuleSet",
    "Opening",
    "SetUp",
    "FEN",
    "Termination",
    "Points",
    "Game",
    "Format",
    "Round",
];

/// What the marks between moves are made of: `…`, and judgements such as `+-`, `-/+`, `=` and `±`.
const MARKS: &str = "._…*－-+/=#±∓⩲⩱∞~∼≈≌□■⊙○→↑⇄⇆⟳⌓∆";

/// What a PGN of one game holds.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// The text from where it begins.
    pub(super) begins: &'a str,
    pub(super) tags: Vec<(&'a str, String)>,
    pub(super) moves: Vec<&'a str>,
    pub(super) result: Option<&'a str>,
    /// What stands behind the result.
    pub(super) behind: Vec<&'a str>,
    /// What is no PGN, and where it begins.
    pub(super) wrong: Option<(&'a str, Error)>,
}

impl<'a> Parts<'a> {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none() && self.wrong.is_none()
    }

    /// Whether `rest`, which begins with a bracket, is where the next game begins: behind moves, or with a tag that is
    /// there already.
    fn ends_before(&self, rest: &str) -> bool {
        let is_again = |name: &str| {
            let is_known = UNKNOWN.iter().any(|(known, _)| *known == name) || READ.contains(&name);
            is_known && self.tags.iter().any(|(own, _)| *own == name)
        };
        let is_begun = !self.moves.is_empty() || self.result.is_some() || self.wrong.is_some();
        is_begun || tag_name(rest).is_some_and(is_again)
    }

    /// The value of the tag with this name.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        self.place_and_tag(name).map(|(_, value)| value)
    }

    /// The same, and its name as it stands in the text.
    pub(super) fn place_and_tag(&self, name: &str) -> Option<(&'a str, &str)> {
        let mut tags = self.tags.iter();
        tags.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(own, value)| (*own, value.as_str()))
    }
}

/// Cuts a text into its games: a tag behind moves begins another, and so do one that comes again and the number of a
/// first move behind a result. What is no PGN costs its own game alone.
pub(super) fn split(text: &str) -> Vec<Parts<'_>> {
    let mut games = Vec::new();
    let mut parts = Parts::default();
    let mut rest = without_mark(text);
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        let is_over = parts.result.is_some() && !parts.moves.is_empty();
        let is_next = if first == '[' { parts.ends_before(rest) } else { is_over && is_first_move(rest) };
        if is_next {
            games.push(std::mem::take(&mut parts));
        }
        if parts.is_empty() {
            parts.begins = rest;
        }
        rest = take_part(&mut parts, rest, first).unwrap_or_else(|error| {
            parts.wrong = Some((rest, error));
            &rest[next_tag(rest).unwrap_or(rest.len())..]
        });
    }
    if !parts.is_empty() {
        games.push(parts);
    }
    games
}

/// Takes what stands at the beginning of `rest`, whose first letter is `first`, and returns what follows.
fn take_part<'a>(parts: &mut Parts<'a>, rest: &'a str, first: char) -> Result<&'a str> {
    Ok(match first {
        '[' => {
            let (tag, after) = read_tag(rest)?;
            parts.tags.push(tag);
            after
        }
        '{' => behind_aside(rest).context("a comment has no end")?,
        ';' | '%' => rest.split_once('\n').map_or("", |(_, after)| after),
        '(' => behind_aside(rest).context("a variation has no end")?,
        _ => {
            let end = rest.find(|letter: char| letter.is_whitespace() || "[{(;,，".contains(letter));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(first.len_utf8()));
            take_word(parts, word);
            after
        }
    })
}

/// Letters in which a first move is looked for.
const BEGINNING: usize = 40;

/// Whether `text` begins with the number of a first move and what may be that move.
fn is_first_move(text: &str) -> bool {
    let dots = ['.', '．', '…', '、'];
    let numbered = text.strip_prefix(['1', '１']).filter(|rest| rest.starts_with(dots));
    let Some(rest) = numbered.map(|rest| rest.trim_start_matches(dots)) else { return false };
    // No more than tells it: a text may be one long word.
    let end = rest.char_indices().nth(BEGINNING).map_or(rest.len(), |(at, _)| at);
    rest[..end].split_whitespace().next().is_some_and(may_be_move)
}

/// Whether a word behind a result may be a move: it has a number, and letters or as many digits as a move.
fn may_be_move(word: &str) -> bool {
    results::has_digit(word) && (word.contains(char::is_alphabetic) || word.chars().count() == 4)
}

/// A word without the number of its move and without marks behind it (`1.Rh1!?`).
pub(super) fn unmarked(word: &str) -> &str {
    without_number(word).trim_end_matches(['!', '?', '！', '？'])
}

/// Where the next line with a tag begins, behind the first letter.
fn next_tag(text: &str) -> Option<usize> {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    ends.find(|&at| tag_name(&text[at..]).is_some())
}

/// The name of the tag with which `text` begins, if it does. Looks no further than at the quote behind the name, so that
/// it may be asked at every bracket of a long text.
fn tag_name(text: &str) -> Option<&str> {
    let blanks = [' ', '\t'];
    let inner = text.strip_prefix('[')?.trim_start_matches(blanks);
    let end = inner.find(|letter: char| !letter.is_alphanumeric())?;
    let (name, rest) = inner.split_at(end);
    (!name.is_empty() && rest.trim_start_matches(blanks).starts_with('"')).then_some(name)
}

/// A move, a result, or what is neither: a number, a mark.
fn take_word<'a>(parts: &mut Parts<'a>, word: &'a str) {
    let word = word.trim_end_matches(['，', ',', '。', '；']);
    if parts.result.is_some() {
        if !word.is_empty() {
            parts.behind.push(word);
        }
        return;
    }
    if word == "*" || results::verdict(word).is_some() {
        parts.result = Some(word);
        return;
    }
    let mv = unmarked(word);
    let is_mark = mv.starts_with('$') || mv.chars().all(|letter| MARKS.contains(letter));
    if !is_mark || mv == "--" {
        parts.moves.push(mv);
    }
}

/// What stands behind the comment or the variation at the start of `text`, which may have others in it. `None` where it has
/// no end: it does not go on over the tags of the next game.
fn behind_aside(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut in_comment = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' if tag_name(&text[at + 1..]).is_some() => return None,
            '}' => in_comment = false,
            _ if in_comment => {}
            '{' => in_comment = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && !in_comment {
            return Some(&text[at + letter.len_utf8()..]);
        }
    }
    None
}

/// `[Name "Value"]`, with `\"` and `\\` in the value.
fn read_tag(text: &str) -> Result<((&str, String), &str)> {
    let bad = || {
        let line = text.lines().next().unwrap_or_default();
        format!("'{}' is no tag", line.chars().take(80).collect::<String>())
    };
    let inner = text.strip_prefix('[').with_context(bad)?.trim_start();
    let (name, rest) = inner.split_once('"').with_context(bad)?;
    ensure!(!name.contains('\n'), bad());
    let mut value = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '"' => {
                let after = rest[at + 1..].trim_start().strip_prefix(']').with_context(bad)?;
                return Ok(((name.trim(), value), after));
            }
            '\n' => break,
            _ => value.push(letter),
        }
    }
    anyhow::bail!(bad())
}
