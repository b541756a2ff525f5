//! Records of games, and other files with games and positions.

use std::fs;

use sanki::{
    app::cli::{answer_requests, count_analysis_requests},
    arena::{MatchGame, SavedGame, read_openings},
    games::{
        records::{Format, Given, Record},
        rules::GameId,
    },
    with_game,
};

use super::{folder, game_of, text_of};

/// What files are called; where the name says nothing, the format is told by what stands in it.
const NAMES: [&str; 11] =
    ["a.pgn", "a.kif", "a.csa", "a.usi", "a.ki2", "a.gib", "a.wxf", "a.txt", "a", "a.kifu", "a.html"];

/// The records in a file: the first byte says what the file is called, and which game the user names, if any.
pub fn records(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let choice = usize::from(first.wrapping_sub(b'0'));
    let name = NAMES[choice % NAMES.len()];
    let game = (choice / NAMES.len()).checked_sub(1).map(|number| game_of(number as u8 + b'0'));
    for record in read_records(name, rest, game).unwrap_or_default() {
        Format::ALL.into_iter().for_each(|format| written_and_read(&record, format));
        let saved = SavedGame::of_record(&record);
        assert_eq!(serde_json::from_str::<SavedGame>(&saved.to_text()).expect("what was written"), saved);
        assert_eq!(saved.to_record().expect("its outcome is one").moves, record.moves);
    }
}

/// As `sanki convert` and the page read them.
fn read_records(name: &str, bytes: &[u8], game: Option<GameId>) -> Option<Vec<Record>> {
    let format = Format::of(name, bytes)?;
    let text = format.decode(bytes).ok()?;
    format.read(&text, Given { game, rules: None }).ok()
}

/// Writes a record as `sanki convert` does, and reads it.
fn written_and_read(record: &Record, format: Format) {
    if !format.games().contains(&record.game) {
        return;
    }
    let text = format.write(record).unwrap_or_else(|error| panic!("{format:?}: {error:#}"));
    let given = Given { game: Some(record.game), rules: Some(record.rules) };
    let read = format.read(&text, given).unwrap_or_else(|error| panic!("{format:?}: {error:#}\n{text}"));
    let [read] = &read[..] else { panic!("{format:?}: {} games\n{text}", read.len()) };
    assert_eq!(read.moves, record.moves, "{format:?}\n{text}");
    let board = |record: &Record| with_game!(record.game, G => board_of::<G>(record));
    assert_eq!(board(read), board(record), "{format:?}\n{text}");
    // USI has no place for results.
    if format != Format::Usi {
        let verdict = |record: &Record| record.outcome.map(|outcome| outcome.verdict);
        assert_eq!(verdict(read), verdict(record), "{format:?}\n{text}");
    }
}

/// Where a record begins: not every format counts moves.
fn board_of<G: sanki::games::rules::Game>(record: &Record) -> u64 {
    G::from_fen(record.rules, &record.start).expect("a record's start is a position").key()
}

/// Other files with games and positions: the first byte says which.
pub fn games(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    match first.wrapping_sub(b'0') {
        0 => saved_game(rest),
        1 => match_log(text_of(rest)),
        2 => requests(rest),
        other => with_game!(game_of(other.wrapping_sub(3).wrapping_add(b'0')), G => openings::<G>(rest)),
    }
}

fn saved_game(bytes: &[u8]) {
    let Ok(game) = serde_json::from_slice::<SavedGame>(bytes) else { return };
    assert_eq!(serde_json::from_str::<SavedGame>(&game.to_text()).expect("what was written"), game);
    if game.check().is_ok() {
        let record = game.to_record().expect("it was checked");
        assert_eq!(
            SavedGame::of_record(&record),
            SavedGame { moves: record.moves.join(" "), seating: None, ..game }
        );
    }
}

fn match_log(text: &str) {
    for game in MatchGame::read_all(text).unwrap_or_default() {
        let line = serde_json::to_string(&game).expect("plain JSON");
        assert_eq!(MatchGame::read_all(&line).expect("what was written"), std::slice::from_ref(&game));
        let record = game.to_record(GameId::Dobutsu, GameId::Dobutsu.rule_sets()[0]);
        assert_eq!(record.moves.len(), game.plies() as usize);
    }
}

/// `sanki show --stdin`: an answer for each line.
fn requests(bytes: &[u8]) {
    let mut answers = Vec::new();
    answer_requests(bytes, &mut answers).expect("memory can be read and written");
    count_analysis_requests(bytes);
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').count();
    let answers = String::from_utf8(answers).expect("JSON is UTF-8");
    assert_eq!(answers.lines().count(), lines);
    for answer in answers.lines() {
        serde_json::from_str::<serde_json::Value>(answer).expect("JSON");
    }
}

fn openings<G: sanki::games::rules::Game + sanki::games::notation::Notate>(bytes: &[u8]) {
    let path = folder().join("openings.epd");
    fs::write(&path, bytes).expect("a folder that can be written");
    for opening in read_openings::<G>(G::ID.rule_sets()[0], &path).unwrap_or_default() {
        assert!(opening.game.outcome_or_declaration().is_none() && opening.game.ply() == 0);
    }
}
