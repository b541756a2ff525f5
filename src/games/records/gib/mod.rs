//! Janggi's `.gib`, as Korean programs keep games, any number in a file.
//!
//! Tags in brackets, then numbered moves: a point is its rank from the top, the tenth 0, and its file from the left.
//! The set-ups of both sides are written from the left of the board, as the first player sees it.

mod lines;
mod starts;

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use self::lines::{Sheet, split};
use super::{
    Given, Record,
    ending::reason_called,
    reading::{Note, Reading, Wrong, shown},
    replay::{Replay, Stated, first_fitting, rule_set_named, rules_of},
    tags,
};
use crate::games::{
    notation::{Notate, Style, piece_to_hangul},
    rules::{Game, GameId, Outcome, Point, Reason, RuleSet, Side, Verdict, janggi::Janggi},
};

/// The event, the place and the date: our tags, and those of a record.
const TAGS: [(&str, &str); 3] = [("대회명", "Event"), ("대국장소", "Site"), ("대국일자", "Date")];

/// Moves of a line.
const LINE: usize = 6;

/// The text of a game, with an empty line at its end. The result is in Korean words, and in PGN's tags as we know it.
pub(super) fn write(record: &Record) -> Result<String> {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        writeln!(out, "[{name} \"{value}\"]").expect("writing to a string");
    };
    tag("회전", &record.number.to_string());
    for (key, name) in TAGS {
        if let Some(value) = tags::value(record, name, '-') {
            tag(key, &value);
        }
    }
    tag("초대국자", &record.players[0]);
    tag("한대국자", &record.players[1]);
    match starts::formations_of(record) {
        Some([cho, han]) => {
            tag("초차림", &cho);
            tag("한차림", &han);
        }
        None => {
            tag("판", &starts::board(&record.start));
            tag("FEN", &record.start);
        }
    }
    tag("총수", &record.moves.len().to_string());
    tag("대국결과", &result_words(record.outcome));
    tag("RuleSet", record.rules.as_str());
    if let Some(opening) = &record.opening {
        tag("Opening", opening);
    }
    if let Some(outcome) = record.outcome {
        tag("Result", outcome.verdict.as_str());
        tag("Termination", outcome.reason.as_str());
        if let Some([first, second]) = outcome.points {
            tag("Points", &format!("{first} {second}"));
        }
    }
    out.push('\n');
    let mut replay = Replay::<Janggi>::new(record.rules, Some(&record.start))?;
    for (text, number) in record.moves.iter().zip(1..) {
        let before = replay.game.clone();
        replay.play(text, &[Style::Uci])?;
        let mv = replay.last().expect("a move was played");
        let mark = if replay.game.is_check() { "장군" } else { "" };
        out += &format!("{number}. {}{mark}", written(&before, mv));
        out.push(if number % LINE == 0 || number == record.moves.len() { '\n' } else { ' ' });
    }
    out.push('\n');
    Ok(out)
}

/// The legal move `mv`, with the piece that it takes.
fn written(game: &Janggi, mv: <Janggi as Game>::Move) -> String {
    let (side, move_info) = (game.side_to_move(), game.move_info(mv));
    let Some(from) = move_info.from.filter(|from| *from != move_info.to) else { return PASS.to_owned() };
    let number = |point: Point| format!("{}{}", (10 - point.rank) % 10, point.file + 1);
    let taken = game.pieces_of(!side).into_iter().find(|(_, at)| *at == move_info.to);
    let taken = taken.map_or(String::new(), |(piece, _)| name(piece.letter, !side).to_string());
    format!("{}{}{}{taken}", number(from), name(move_info.piece.letter, side), number(move_info.to))
}

/// A move that is none.
const PASS: &str = "한수쉼";

/// As these programs write it: they call the general 장.
fn name(letter: char, side: Side) -> char {
    if letter == 'K' { '장' } else { piece_to_hangul(letter, side) }
}

/// The letters of FEN of the pieces that Korean and Chinese characters name.
fn letter_of(name: char) -> Option<char> {
    Some(match name {
        '장' | '궁' | '왕' | '將' | '楚' | '漢' | '초' | '한' => 'K',
        '사' | '士' => 'A',
        '상' | '象' | '相' => 'B',
        '마' | '馬' => 'N',
        '차' | '車' => 'R',
        '포' | '包' => 'C',
        '졸' | '병' | '卒' | '兵' => 'P',
        _ => return None,
    })
}

fn result_words(outcome: Option<Outcome>) -> String {
    let Some(Outcome { verdict, reason, points }) = outcome else { return "미상".to_owned() };
    let winner = match verdict {
        Verdict::Win(Side::First) => "초",
        Verdict::Win(Side::Second) => "한",
        Verdict::Draw => return "무승부".to_owned(),
    };
    let how = match reason {
        Reason::Resignation => "기권승",
        Reason::Timeout => "시간승",
        Reason::IllegalMove => "반칙승",
        _ if points.is_some() => "점수승",
        _ => "완승",
    };
    format!("{winner} {how}")
}

/// What `대국결과` says; `None` of words that are not known.
fn read_result(text: &str) -> Option<Stated> {
    if text.contains('무') || text.contains("비김") || text.contains("비긴") {
        return Some(Stated { verdict: Some(Verdict::Draw), ..Stated::default() });
    }
    if ["", "미상", "미완", "중단", "-", "*", "?"].contains(&text) {
        return Some(Stated::default());
    }
    // "초 기권" does not say whether Cho has resigned or has won by a resignation.
    let says_who = text.contains(['승', '패']);
    if !says_who && ["기권", "시간", "반칙"].iter().any(|how| text.contains(how)) {
        return None;
    }
    let side = text.chars().find_map(|letter| match letter {
        '초' | '楚' => Some(Side::First),
        '한' | '漢' => Some(Side::Second),
        _ => None,
    })?;
    let winner = if text.contains('패') && !text.contains('승') { !side } else { side };
    const REASONS: [(&str, Reason); 7] = [
        ("시간", Reason::Timeout),
        ("기권", Reason::Resignation),
        ("외통", Reason::Checkmate),
        ("반칙", Reason::IllegalMove),
        ("점수", Reason::Adjudicated),
        ("판정", Reason::Adjudicated),
        ("빅장", Reason::Bikjang),
    ];
    let reason = REASONS.into_iter().find(|(word, _)| text.contains(word)).map(|(_, reason)| reason);
    Some(Stated { verdict: Some(Verdict::Win(winner)), reason, points: None })
}

/// All games of `text`.
pub(super) fn read(text: &str, given: Given) -> Result<Reading> {
    let given = Given { game: Some(GameId::Janggi), ..given };
    rules_of(GameId::Janggi, given)?;
    let mut reading = Reading::default();
    for sheet in split(text) {
        reading.notes.extend_from_slice(&sheet.unknown);
        let read = read_game(&sheet, given, &mut reading.notes);
        reading.add(read);
    }
    Ok(reading)
}

fn read_game(sheet: &Sheet, given: Given, notes: &mut Vec<Note>) -> Result<Record, Wrong> {
    let wrong = |error| Wrong { line: Some(sheet.line), error };
    if sheet.tags.is_empty() && sheet.moves.is_empty() {
        return Err(wrong(anyhow::anyhow!("there is no game in it")));
    }
    let starts = starts::possible(sheet).map_err(wrong)?;
    let rule_sets = rule_sets(sheet, given, notes);
    let error = match find_start(sheet, &starts, &rule_sets, &sheet.moves, notes) {
        Ok(replay) => return Ok(finish(sheet, replay, notes)),
        Err(error) => error,
    };
    // A game may end with what the rules do not allow, such as the king being taken.
    let Some(((line, last), moves)) = sheet.moves.split_last().filter(|(_, moves)| !moves.is_empty()) else {
        return Err(error);
    };
    let Ok(replay) = find_start(sheet, &starts, &rule_sets, moves, notes) else { return Err(error) };
    notes.push(Note::new(*line, format!("the last move, '{}', is not legal and left out", shown(last))));
    Ok(finish(sheet, replay, notes))
}

/// The moves played from the first start and by the first rule set that allow them.
fn find_start(
    sheet: &Sheet,
    starts: &[starts::Start],
    rule_sets: &[RuleSet],
    moves: &[(usize, &str)],
    notes: &mut Vec<Note>,
) -> Result<Replay<Janggi>, Wrong> {
    let from_a_start = |rules: RuleSet| {
        let mut first_error = None;
        for (place, start) in starts.iter().enumerate() {
            match play(rules, start, sheet.line, moves) {
                Ok(replay) => return Ok((replay, start.note.filter(|_| place > 0 || start.is_guess))),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        Err(first_error.expect("one start at least"))
    };
    let ((replay, of_start), of_rules) = first_fitting(rule_sets, from_a_start)?;
    notes.extend(of_start.map(|note| Note::new(sheet.line, note)));
    notes.extend(of_rules.map(|note| Note::new(sheet.line, note)));
    Ok(replay)
}

/// The rule set given, or that of the tag; without them all of the game's: the first is tried first.
fn rule_sets(sheet: &Sheet, given: Given, notes: &mut Vec<Note>) -> Vec<RuleSet> {
    if let Some(rules) = given.rules {
        return vec![rules];
    }
    if let Some((line, name)) = sheet.tag(&["RuleSet"]) {
        match rule_set_named(GameId::Janggi, name) {
            Ok(rules) => return vec![rules],
            Err(note) => notes.push(Note::new(line, note)),
        }
    }
    GameId::Janggi.rule_sets().to_vec()
}

fn play(
    rules: RuleSet,
    start: &starts::Start,
    line: usize,
    moves: &[(usize, &str)],
) -> Result<Replay<Janggi>, Wrong> {
    let replay = Replay::new(rules, Some(&start.fen));
    let mut replay = replay.map_err(|error| Wrong { line: Some(line), error })?;
    for &(line, text) in moves {
        let found = find(&replay, text);
        replay.play_found(found).map_err(|error| Wrong::on(line, text, error))?;
    }
    Ok(replay)
}

/// The one legal move with the squares in `text`.
fn find(replay: &Replay<Janggi>, text: &str) -> Result<<Janggi as Game>::Move> {
    let game = &replay.game;
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let Some((from, name, to)) = squares(text) else {
        let is_pass = text.starts_with(PASS) || text.starts_with("한수쉬");
        let pass =
            moves.into_iter().find(|&mv| is_pass && game.move_info(mv).from == Some(game.move_info(mv).to));
        return match pass {
            Some(pass) => Ok(pass),
            None => Ok(crate::games::notation::read(game, replay.last(), text)?),
        };
    };
    let found = moves.into_iter().find(|&mv| {
        let move_info = game.move_info(mv);
        move_info.from == Some(from) && move_info.to == to && from != to
    });
    let found = found.context("it is not legal here")?;
    let piece = game.move_info(found).piece.letter;
    if let Some(named) = name.and_then(letter_of) {
        ensure!(named == piece, "another piece stands there");
    }
    Ok(found)
}

/// Where a move begins, which piece it names, and where it ends.
fn squares(text: &str) -> Option<(Point, Option<char>, Point)> {
    let digits = |text: &str| -> Option<Point> {
        let mut letters = text.chars();
        let rank = letters.next()?.to_digit(10)? as u8;
        let file = letters.next()?.to_digit(10)?.checked_sub(1)? as u8;
        Some(Point { file, rank: (10 - rank) % 10 })
    };
    let from = digits(text)?;
    // Some name the side before the piece.
    let name = text.get(2..)?.chars().take_while(|letter| !letter.is_ascii_digit()).last();
    let rest = text.get(2..)?.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let to = digits(rest)?;
    let is_end = !rest[2..].starts_with(|letter: char| letter.is_ascii_digit());
    is_end.then_some((from, name, to))
}

fn finish(sheet: &Sheet, replay: Replay<Janggi>, notes: &mut Vec<Note>) -> Record {
    let says = sheet.tag(&["대국결과"]);
    let words = says.map(|(line, text)| (line, text, read_result(text.trim())));
    if let Some((line, text, None)) = words {
        notes.push(Note::new(line, format!("the result '{}' is not known", shown(text))));
    }
    let mut stated = words.and_then(|(_, _, stated)| stated).unwrap_or_default();
    // The rules know better why points decided.
    if stated.reason == Some(Reason::Adjudicated) && replay.game.outcome().is_some() {
        stated.reason = None;
    }
    if let Some(own) = own_result(sheet) {
        stated = own;
    }
    if let Some((line, count)) = sheet.tag(&["총수"])
        && count.trim().parse().is_ok_and(|count: usize| count != sheet.moves.len())
    {
        notes.push(Note::new(line, format!("it says {count} moves, and {} are there", sheet.moves.len())));
    }
    let name = |key: &str| sheet.tag(&[key]).map_or("?", |(_, name)| name).trim();
    let players =
        [name("초대국자"), name("한대국자")].map(|name| if name.is_empty() { "?" } else { name }.to_owned());
    let opening = sheet.tag(&["Opening"]).map(|(_, name)| name.to_owned());
    let tags = TAGS.into_iter().filter_map(|(key, name)| tags::tag(name, sheet.tag(&[key])?.1)).collect();
    Record { opening, tags, ..replay.into_record(players, stated) }
}

/// The result as we write it.
fn own_result(sheet: &Sheet) -> Option<Stated> {
    let points = |text: &str| -> Option<[f32; 2]> {
        let (first, second) = text.split_once(' ')?;
        Some([first.parse().ok()?, second.parse().ok()?])
    };
    Some(Stated {
        verdict: Some(Verdict::of_text(sheet.tag(&["Result"])?.1)?),
        reason: Some(reason_called(sheet.tag(&["Termination"])?.1)?),
        points: sheet.tag(&["Points"]).and_then(|(_, text)| points(text)),
    })
}

/// Whether a text has the tags of this format.
pub(super) fn is_one(text: &str) -> bool {
    const TAGS: [&str; 8] =
        ["초차림", "한차림", "초포진", "한포진", "초대국자", "한대국자", "대국결과", "대국일자"];
    let tag = |line: &str| line.trim_start().strip_prefix('[').map(str::to_owned);
    text.lines().filter_map(tag).any(|line| TAGS.iter().any(|name| line.starts_with(name)))
}
