//! PGN, with the tags and moves that Fairy-Stockfish's programs know, and that of Chinese programs.

mod write;

use anyhow::{Context, Error, Result, anyhow, ensure};

pub(super) use write::write;

use super::{
    Given, Record,
    reading::{Failure, Note, Reading},
    replay::{Replay, Stated, rules_of},
    results,
};
use crate::{
    base::store::without_mark,
    games::{
        notation::{Convention, Notate, Style, has_move_like},
        rules::{GameId, RuleSet},
    },
    with_game,
};

/// Tags that every game has, and what they say where that is not known.
const UNKNOWN: [(&str, &str); 3] = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??")];
/// Tags of which a record has the meaning itself.
const READ: [&str; 14] = [
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

/// Letters with which a wrong word may begin as a move, at most.
const LONGEST: usize = 16;

/// What a PGN of one game holds.
#[derive(Default)]
struct Parts<'a> {
    /// The text from where it begins.
    begins: &'a str,
    tags: Vec<(&'a str, String)>,
    moves: Vec<&'a str>,
    result: Option<&'a str>,
    /// What stands behind the result.
    behind: Vec<&'a str>,
    /// What is no PGN, and where it begins.
    wrong: Option<(&'a str, Error)>,
}

impl Parts<'_> {
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

    fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

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
            Ok((record, left_out)) => {
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

/// The game of `parts` and the words behind its moves; or what is wrong with it, and the word where that is.
type ReadGame<'p, 'a> = Result<(Record, &'p [&'a str]), (Option<&'a str>, Error)>;

fn read_game<'p, 'a>(parts: &'p Parts<'a>, given: Given, place: u32) -> ReadGame<'p, 'a> {
    if let Some((word, error)) = &parts.wrong {
        return Err((Some(word), anyhow!("{error:#}")));
    }
    let at_tags = |error: Error| (None, error);
    let (game, rules) = what_is_played(parts, given).map_err(at_tags)?;
    let verdict = parts.result.or(parts.tag("Result")).and_then(results::verdict);
    let mut stated = Stated {
        verdict,
        reason: parts.tag("Termination").and_then(results::reason),
        points: parts.tag("Points").and_then(points),
    };
    if stated.verdict.is_none() {
        stated = Stated::default();
    }
    let name = |tag| parts.tag(tag).unwrap_or("?").to_owned();
    let first = if parts.tag("Red").is_some() && parts.tag("White").is_none() { "Red" } else { "White" };
    let (record, left_out) = with_game!(game, G => {
        let mut replay = Replay::<G>::new(rules, parts.tag("FEN")).map_err(at_tags)?;
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
        (replay.into_record([name(first), name("Black")], stated), left_out)
    });
    let opening = parts.tag("Opening").map(str::to_owned);
    Ok((Record { number: place, opening, tags: other_tags(parts), ..record }, left_out))
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

/// The game and the rule set: as given, or as the tags or the characters of the moves say.
fn what_is_played(parts: &Parts, given: Given) -> Result<(GameId, RuleSet)> {
    let name = parts.tag("Variant").or(parts.tag("Game")).map(str::to_ascii_lowercase);
    let name = name.filter(|name| !matches!(&**name, "" | "?" | "standard"));
    let variant = name.as_deref().and_then(results::variant);
    let game = match (given.game, variant, &name) {
        (Some(game), _, _) | (None, Some((game, _)), _) => game,
        (None, None, Some(name)) => name.parse().context("the tag Variant")?,
        (None, None, None) => by_characters(parts).context("there is no tag Variant, and no --game")?,
    };
    if given.rules.is_some() {
        return Ok((game, rules_of(game, given)?));
    }
    let tag = parts.tag("RuleSet").and_then(|name| game.rule_set(Some(name)).ok());
    let by_variant = variant.filter(|variant| variant.0 == game).map(|variant| variant.1);
    Ok((game, tag.or(by_variant).unwrap_or(game.rule_sets()[0])))
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

/// Cuts a text into its games: a tag behind moves begins another, and so does one that comes again. What is no PGN costs
/// its own game alone.
fn split(text: &str) -> Vec<Parts<'_>> {
    let mut games = Vec::new();
    let mut parts = Parts::default();
    let mut rest = without_mark(text);
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        if first == '[' && parts.ends_before(rest) {
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
            let end = rest.find(|letter: char| letter.is_whitespace() || "[{(;".contains(letter));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(first.len_utf8()));
            take_word(parts, word);
            after
        }
    })
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
    if parts.result.is_some() {
        parts.behind.push(word);
        return;
    }
    let word = word.trim_end_matches(['，', ',', '。', '；']);
    if word == "*" || results::verdict(word).is_some() {
        parts.result = Some(word);
        return;
    }
    let unnumbered = without_number(word).trim_end_matches(['!', '?', '！', '？']);
    let is_mark = unnumbered.starts_with('$') || unnumbered.chars().all(|letter| MARKS.contains(letter));
    if !is_mark || unnumbered == "--" {
        parts.moves.push(unnumbered);
    }
}

/// A word without the number that may stand right before its move.
fn without_number(word: &str) -> &str {
    let is_digit = |letter: char| letter.is_ascii_digit() || ('０'..='９').contains(&letter);
    let dots = ['.', '．', '…', '、'];
    let rest = word.trim_start_matches(is_digit);
    if rest.is_empty() {
        // A number alone, in whose place no move has so few letters.
        return if word.chars().count() <= 3 { rest } else { word };
    }
    // `77.8` is a move of xiangqi by files.
    let is_by_files = rest.chars().count() == 2 && rest.ends_with(is_digit);
    if rest.len() < word.len() && rest.starts_with(dots) && !is_by_files {
        rest.trim_start_matches(dots)
    } else {
        word
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
