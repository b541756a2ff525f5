//! PGN, with the tags and moves that Fairy-Stockfish's programs know.

use std::fmt::Write;

use anyhow::{Context, Error, Result, anyhow, ensure};

use super::{
    Given, Record,
    ending::{reason_called, verdict},
    reading::{Failure, Reading},
    replay::{Replay, Stated, rules_of, start, texts},
};
use crate::{
    notation::{Notate, Style},
    rules::{GameId, RuleSet, Side},
    with_game,
};

/// Letters of a line of moves at most, as the standard has it.
const WIDTH: usize = 79;

/// The text of a game, with an empty line at its end. Beside the usual tags it has `RuleSet`, `Termination` with the
/// reason, and `Points` where these decided.
pub(super) fn write<G: Notate>(record: &Record) -> Result<String> {
    let (moves, _) = texts::<G>(record, Style::San)?;
    let result = record.outcome.map_or("*", |outcome| outcome.verdict.as_str());
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]").expect("writing to a string");
    };
    tag("Event", "?");
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &record.number.to_string());
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

/// What a PGN of one game holds.
#[derive(Default)]
struct Parts<'a> {
    /// The text from where it begins.
    begins: &'a str,
    tags: Vec<(&'a str, String)>,
    moves: Vec<&'a str>,
    result: Option<&'a str>,
    /// What is no PGN, and where it begins.
    wrong: Option<(&'a str, Error)>,
}

impl Parts<'_> {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none() && self.wrong.is_none()
    }

    fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// All games of `text`.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let mut reading = Reading::default();
    // The line of each place, counted on from the one before.
    let (mut counted, mut line) = (0, 1);
    for parts in split(text) {
        let number = reading.next_game();
        match read_game(&parts, given, number) {
            Ok(record) => reading.records.push(record),
            Err((word, error)) => {
                let at = word.unwrap_or(parts.begins).as_ptr() as usize - text.as_ptr() as usize;
                line += text[counted..at].matches('\n').count();
                counted = at;
                reading.failures.push(Failure { game: number, line: Some(line), error });
            }
        }
    }
    Ok(reading)
}

/// The game of `parts`, or what is wrong with it and the word where that is.
fn read_game<'a>(parts: &Parts<'a>, given: Given, place: u32) -> Result<Record, (Option<&'a str>, Error)> {
    if let Some((word, error)) = &parts.wrong {
        return Err((Some(word), anyhow!("{error:#}")));
    }
    let at_tags = |error: Error| (None, error);
    let (game, rules) = what_is_played(parts, given).map_err(at_tags)?;
    let number = parts.tag("Round").and_then(|round| round.parse().ok()).unwrap_or(place);
    let mut stated = Stated {
        verdict: parts.result.or(parts.tag("Result")).and_then(verdict),
        reason: parts.tag("Termination").and_then(reason_called),
        points: parts.tag("Points").and_then(points),
    };
    if stated.verdict.is_none() {
        stated = Stated::default();
    }
    let name = |tag| parts.tag(tag).unwrap_or("?").to_owned();
    let record = with_game!(game, G => {
        let mut replay = Replay::<G>::new(rules, parts.tag("FEN")).map_err(at_tags)?;
        parts.moves.iter().try_for_each(|&text| {
            replay.play(text, &[Style::San]).map_err(|error| (Some(text), error))
        })?;
        replay.into_record([name("White"), name("Black")], stated)
    });
    Ok(Record { number, opening: parts.tag("Opening").map(str::to_owned), ..record })
}

/// The game and the rule set: as given, or as the tags say.
fn what_is_played(parts: &Parts, given: Given) -> Result<(GameId, RuleSet)> {
    let name = parts.tag("Variant").map(str::to_ascii_lowercase);
    let variant = name.as_deref().and_then(GameId::of_variant);
    let game = match (given.game, variant, &name) {
        (Some(game), _, _) | (None, Some((game, _)), _) => game,
        (None, None, Some(name)) => name.parse().context("the tag Variant")?,
        (None, None, None) => anyhow::bail!("there is no tag Variant, and no --game"),
    };
    if given.rules.is_some() {
        return Ok((game, rules_of(game, given)?));
    }
    let tag = parts.tag("RuleSet").and_then(|name| game.rule_set(Some(name)).ok());
    let by_variant = variant.filter(|variant| variant.0 == game).map(|variant| variant.1);
    Ok((game, tag.or(by_variant).unwrap_or(game.rule_sets()[0])))
}

fn points(text: &str) -> Option<[f32; 2]> {
    let (first, second) = text.split_once(' ')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

/// Cuts a text into its games: a tag behind moves begins another. What is no PGN costs its own game alone.
fn split(text: &str) -> Vec<Parts<'_>> {
    let mut games = Vec::new();
    let mut parts = Parts::default();
    let mut rest = text.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        if first == '[' && (!parts.moves.is_empty() || parts.result.is_some() || parts.wrong.is_some()) {
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
    // Neither a comment nor a variation goes on over the tags of the next game.
    let behind = |end: Option<usize>, why: &'static str| {
        let end = end.filter(|&end| next_tag(&rest[..end]).is_none()).context(why)?;
        anyhow::Ok(&rest[end..])
    };
    Ok(match first {
        '[' => {
            let (tag, after) = read_tag(rest)?;
            parts.tags.push(tag);
            after
        }
        '{' => behind(rest.find('}').map(|at| at + 1), "a comment has no end")?,
        ';' | '%' => rest.split_once('\n').map_or("", |(_, after)| after),
        '(' => behind(skip_variation(rest), "a variation has no end")?,
        _ => {
            let end = rest.find(|letter: char| letter.is_whitespace() || "[{(;".contains(letter));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(first.len_utf8()));
            take_word(parts, word);
            after
        }
    })
}

/// Where the next line with a tag begins, behind the first letter.
fn next_tag(text: &str) -> Option<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    ends.into_iter().find(|&at| {
        let name = text[at..]
            .strip_prefix('[')
            .and_then(|line| line.split_once('"'))
            .map(|(name, _)| name.trim_end());
        name.is_some_and(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric))
    })
}

/// A move, a result, or what is neither: a number, a mark.
fn take_word<'a>(parts: &mut Parts<'a>, word: &'a str) {
    if word == "*" || verdict(word).is_some() {
        parts.result = Some(word);
        return;
    }
    // A number may stand right before its move.
    let unnumbered = match word.find('.') {
        Some(end) if word[..end].bytes().all(|byte| byte.is_ascii_digit()) => {
            word[end..].trim_start_matches('.')
        }
        _ => word,
    };
    let unnumbered = unnumbered.trim_end_matches(['!', '?']);
    let is_mark = unnumbered.starts_with('$') || unnumbered.chars().all(|letter| letter == '.');
    if !is_mark {
        parts.moves.push(unnumbered);
    }
}

/// Where the variation at the start of `text` ends, those in it and its comments included.
fn skip_variation(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut in_comment = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '}' => in_comment = false,
            _ if in_comment => {}
            '{' => in_comment = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && !in_comment {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

/// `[Name "Value"]`, with `\"` and `\\` in the value.
fn read_tag(text: &str) -> Result<((&str, String), &str)> {
    let line = text.lines().next().unwrap_or_default();
    let bad = || format!("'{}' is no tag", line.chars().take(80).collect::<String>());
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
