//! PGN, with the tags and moves that Fairy-Stockfish's programs know, and that of Chinese programs.

mod parts;
mod write;

use anyhow::{Context, Error, Result, anyhow};

pub(super) use self::write::write;

use self::parts::{Parts, READ, UNKNOWN, split, unmarked};
use super::{
    Given, Record,
    reading::{Failure, Note, Reading, shown},
    replay::{Replay, Stated, first_fitting, rule_set_named, rule_sets_of},
    results,
};
use crate::{
    games::{
        notation::{Convention, Notate, Style, has_move_like},
        rules::{GameId, RuleSet, Verdict},
    },
    with_game,
};

/// Letters with which a wrong word may begin as a move, at most.
const LONGEST: usize = 16;

/// All games of `text`.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let mut reading = Reading::default();
    let mut rounds = Vec::new();
    // The line of each place, counted on from the one before.
    let (mut counted, mut line) = (0, 1);
    let mut line_of = |word: &str| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        line += text.get(counted..at).unwrap_or_default().matches('\n').count();
        counted = counted.max(at);
        line
    };
    for parts in split(text) {
        let number = reading.next_game();
        match read_game(&parts, given, number) {
            Ok(Played { record, mut remarks, left_out }) => {
                remarks.sort_by_key(|(place, _)| place.as_ptr());
                reading.notes.extend(remarks.iter().map(|(place, text)| Note::new(line_of(place), text)));
                for word in left_out.iter().chain(&parts.behind) {
                    reading.notes.push(Note::unknown(line_of(word), word));
                }
                rounds.push((number, parts.tag("Round").map(str::to_owned)));
                reading.records.push(record);
            }
            Err((word, error)) => {
                let line = Some(line_of(word.unwrap_or(parts.begins)));
                reading.failures.push(Failure { game: number, line, error });
            }
        }
    }
    number(&mut reading.records, &rounds);
    Ok(reading)
}

/// Gives the records their numbers: those of their rounds where each game has its own, else their places; then a round
/// is a tag like others.
fn number(records: &mut [Record], rounds: &[(u32, Option<String>)]) {
    let numbers: Vec<Option<u32>> =
        rounds.iter().map(|(_, round)| round.as_ref().and_then(|round| round.parse().ok())).collect();
    let distinct: std::collections::HashSet<u32> = numbers.iter().flatten().copied().collect();
    let are_numbers = distinct.len() == records.len();
    for ((record, (place, round)), number) in records.iter_mut().zip(rounds).zip(numbers) {
        record.number = number.filter(|_| are_numbers).unwrap_or(*place);
        if let Some(round) = round.as_ref().filter(|round| !are_numbers && *round != "?") {
            record.tags.push(("Round".to_owned(), round.clone()));
        }
    }
}

/// What was read of a game.
struct Played<'p, 'a> {
    record: Record,
    /// What there is to say of tags, and where.
    remarks: Vec<Remark<'a>>,
    /// The words behind its moves that are none.
    left_out: &'p [&'a str],
}

/// A place of the text, and what there is to say of it.
type Remark<'a> = (&'a str, String);

/// What is wrong with a game, and the word where that is.
type Failed<'a> = (Option<&'a str>, Error);

fn read_game<'p, 'a>(parts: &'p Parts<'a>, given: Given, place: u32) -> Result<Played<'p, 'a>, Failed<'a>> {
    if let Some((word, error)) = &parts.wrong {
        return Err((Some(word), anyhow!("{error:#}")));
    }
    let mut remarks = Vec::new();
    let (game, rule_sets) = what_is_played(parts, given, &mut remarks).map_err(|error| (None, error))?;
    let stated = stated(parts, &mut remarks);
    let name = |tag| parts.tag(tag).unwrap_or("?").to_owned();
    let first = if parts.tag("Red").is_some() && parts.tag("White").is_none() { "Red" } else { "White" };
    let (record, left_out) = with_game!(game, G => {
        let ((replay, left_out), note) = first_fitting(&rule_sets, |rules| play::<G>(parts, rules))?;
        remarks.extend(note.map(|note| (parts.begins, note)));
        (replay.into_record([name(first), name("Black")], stated), left_out)
    });
    let opening = parts.tag("Opening").map(str::to_owned);
    let record = Record { number: place, opening, tags: other_tags(parts), ..record };
    Ok(Played { record, remarks, left_out })
}

/// The moves of `parts` played by `rules`, and the words behind them that are no moves.
fn play<'p, 'a, G: Notate>(
    parts: &'p Parts<'a>,
    rules: RuleSet,
) -> Result<(Replay<G>, &'p [&'a str]), Failed<'a>> {
    let mut replay = Replay::<G>::new(rules, parts.tag("FEN")).map_err(|error| (None, error))?;
    let conventions = conventions::<G>(parts);
    let mut left_out: &[&str] = &[];
    if let Err(bad) = replay.play_all(&parts.moves, &[Style::San], &conventions) {
        let (moves, rest) = parts.moves.split_at(bad.number - 1);
        let played = replay.play_all(moves, &[Style::San], &conventions);
        if has_moves(&replay, moves, rest) {
            return Err((Some(rest[0]), bad.into()));
        }
        // Where no move follows, the words are a remark, as programs write them at the end.
        played.map_err(|bad| (Some(moves[bad.number - 1]), bad.into()))?;
        left_out = rest;
    }
    let behind: Vec<&str> =
        parts.behind.iter().map(|word| unmarked(word)).filter(|word| !word.is_empty()).collect();
    if !behind.is_empty() && has_moves(&replay, &parts.moves, &behind) {
        let result = parts.result.unwrap_or_default();
        return Err((Some(behind[0]), anyhow!("moves stand behind the result '{result}'")));
    }
    Ok((replay, left_out))
}

/// How it ended: as the word behind the moves says, or else the tag.
fn stated<'a>(parts: &Parts<'a>, remarks: &mut Vec<Remark<'a>>) -> Stated {
    let by_word = parts.result.and_then(results::verdict);
    let by_tag = parts.place_and_tag("Result").and_then(|(place, text)| {
        let verdict = results::verdict(text);
        if verdict.is_none() && !results::is_open(text) {
            remarks.push((place, results::unknown(text)));
        }
        let differs = |word: Verdict| verdict.is_some_and(|verdict| verdict != word);
        if by_word.is_some_and(differs) {
            let word = parts.result.unwrap_or_default();
            remarks.push((
                place,
                format!("the tag Result says '{}', and '{word}' behind the moves counts", shown(text)),
            ));
        }
        verdict
    });
    let Some(verdict) = by_word.or(by_tag) else { return Stated::default() };
    let reason = parts.place_and_tag("Termination").and_then(|(place, text)| {
        let reason = results::reason(text);
        if reason.is_none() && !results::is_usual_end(text) {
            remarks.push((place, format!("the reason '{}' is not known", shown(text))));
        }
        reason
    });
    Stated { verdict: Some(verdict), reason, points: parts.tag("Points").and_then(points) }
}

/// Whether `rest`, which stands behind `moves`, has a word in the form of a move, or begins with a move and something
/// more, as a wrong move may. A word without a letter is a time, a date or a rating, unless moves of this record are
/// written so.
fn has_moves<G: Notate>(replay: &Replay<G>, moves: &[&str], rest: &[&str]) -> bool {
    let has_letter = |word: &str| word.contains(char::is_alphabetic);
    let may_be_plain = moves.is_empty() || moves.iter().any(|word| !has_letter(word));
    let first = rest[0];
    let beginnings = first.char_indices().take(LONGEST).map(|(at, letter)| &first[..at + letter.len_utf8()]);
    let words = beginnings.chain(rest.iter().copied());
    let may_be_moves = words.filter(|word| results::has_digit(word) && (may_be_plain || has_letter(word)));
    has_move_like(&replay.game, replay.last(), may_be_moves)
}

/// The tags of which a record has no meaning of its own, those apart that say nothing.
fn other_tags(parts: &Parts) -> Vec<(String, String)> {
    let says = |name: &str, value: &str| {
        let is_unknown = UNKNOWN.iter().any(|(known, nothing)| *known == name && *nothing == value);
        !is_unknown && !READ.iter().any(|read| read.eq_ignore_ascii_case(name))
    };
    let tags = parts.tags.iter().filter(|(name, value)| says(name, value));
    tags.map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// The conventions that the moves may follow, the likeliest first.
fn conventions<G: Notate>(parts: &Parts) -> Vec<Convention> {
    let mut all = Convention::all::<G>();
    let from_zero = parts.tag("Format").is_some_and(|format| format.eq_ignore_ascii_case("iccs"))
        || parts.tag("FEN").is_some_and(|fen| {
            let fields: Vec<&str> = fen.split_whitespace().collect();
            fields.len() <= 2 || fields[1] == "r"
        });
    if from_zero && let Some(place) = all.iter().position(|&one| one == Convention::RanksFromZero) {
        all[..=place].rotate_right(1);
    }
    all
}

/// The game and the rule sets that may be in force: as given, or as the tags or the characters of the moves say.
fn what_is_played<'a>(
    parts: &Parts<'a>,
    given: Given,
    remarks: &mut Vec<Remark<'a>>,
) -> Result<(GameId, Vec<RuleSet>)> {
    let name = parts.tag("Variant").or(parts.tag("Game")).map(str::to_ascii_lowercase);
    let name = name.filter(|name| !matches!(&**name, "" | "?" | "standard"));
    let variant = name.as_deref().and_then(results::variant);
    let game = match (given.game, variant, &name) {
        (Some(game), _, _) | (None, Some((game, _)), _) => game,
        (None, None, Some(name)) => name.parse().context("the tag Variant")?,
        (None, None, None) => by_characters(parts).context("there is no tag Variant, and no --game")?,
    };
    if given.rules.is_some() {
        return Ok((game, rule_sets_of(game, given)?));
    }
    if let Some((place, name)) = parts.place_and_tag("RuleSet") {
        match rule_set_named(game, name) {
            Ok(rules) => return Ok((game, vec![rules])),
            Err(note) => remarks.push((place, note)),
        }
    }
    // Fairy-Stockfish has other names for rule sets other than the usual one.
    let by_variant = variant.filter(|variant| variant.0 == game).map(|variant| variant.1);
    let rules = by_variant.filter(|&rules| rules != game.rule_sets()[0]);
    Ok((game, rule_sets_of(game, Given { game: Some(game), rules })?))
}

/// The game whose words stand in the moves or tags.
fn by_characters(parts: &Parts) -> Option<GameId> {
    let has = |letters: &[char]| parts.moves.iter().any(|word| word.contains(letters));
    if has(&['平', '进', '進', '退']) || parts.tag("Red").is_some() || parts.tag("Format").is_some() {
        return Some(GameId::Xiangqi);
    }
    let is_hangul = |letter: char| ('\u{ac00}'..='\u{d7a3}').contains(&letter);
    parts.moves.iter().any(|word| word.contains(is_hangul)).then_some(GameId::Janggi)
}

fn points(text: &str) -> Option<[f32; 2]> {
    let (first, second) = text.split_once(' ')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}
