//! The rows of `tests/data`, one JSON object a line: what other programs have said of positions and games.
#![allow(dead_code, reason = "every test program uses a part")]

use std::{fs, path::Path};

use rand::seq::IndexedRandom;
use sanki::{
    base::rng::{Purpose, stream},
    games::rules::{Game, Outcome, Reason, RuleSet},
};
use serde::{Deserialize, de::DeserializeOwned};

/// A position with its moves, in the order of their text.
#[derive(Deserialize)]
pub struct PositionRow {
    pub fen: String,
    pub check: bool,
    pub moves: String,
}

/// A game up to its end.
#[derive(Deserialize)]
struct GameRow {
    start: String,
    moves: String,
    termination: String,
    result: String,
    final_fen: String,
}

/// A cycle of moves, repeated until it ends the game or several times over.
#[derive(Deserialize)]
pub struct CycleRow {
    pub fen: String,
    pub moves: String,
    pub ended: bool,
    pub result: String,
}

/// Counts by depth, from 1.
#[derive(Deserialize)]
pub struct PerftRow {
    pub fen: String,
    perft: Vec<u64>,
    /// Without shogi's pawn drops that mate, which `perft` has.
    perft_official: Option<Vec<u64>>,
}

/// The rows of a file, which may be compressed.
pub fn rows<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let bytes = if name.ends_with(".zst") { zstd::decode_all(&bytes[..]).expect("zstd") } else { bytes };
    let text = String::from_utf8(bytes).expect("text");
    let rows: Vec<T> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(!rows.is_empty(), "{name} is empty");
    rows
}

/// The rule set that a game has when none is named.
pub fn default_rules<G: Game>() -> RuleSet {
    G::ID.rule_sets()[0]
}

/// The position written as `text`, under the default rules.
pub fn read<G: Game>(text: &str) -> G {
    read_under(default_rules::<G>(), text)
}

/// The position written as `text`.
pub fn read_under<G: Game>(rules: RuleSet, text: &str) -> G {
    G::from_fen(rules, text).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays `moves`, none of which may come after the end.
pub fn play<G: Game>(game: &mut G, moves: &str) {
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "before {text} in {}", game.fen());
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {}", game.fen()));
        game.play(mv);
    }
}

/// The legal moves as text, sorted.
pub fn legal_moves<G: Game>(game: &G) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

/// The position has these moves, in the order of their text, and is a check or not.
pub fn position_agrees<G: Game>(game: &G, moves: &[&str], check: bool) {
    let about = || format!("{} {}", game.rules(), game.fen());
    assert_eq!(legal_moves(game), moves, "{}", about());
    assert_eq!(game.is_check(), check, "{}", about());
    assert_eq!(game.perft(1), moves.len() as u64, "{}", about());
    assert_eq!(game.outcome().is_none(), !moves.is_empty(), "{}", about());
}

/// Every position of the file has its moves.
pub fn positions_agree<G: Game>(name: &str) {
    for row in rows::<PositionRow>(name) {
        let moves: Vec<&str> = row.moves.split_whitespace().collect();
        position_agrees(&read::<G>(&row.fen), &moves, row.check);
    }
}

/// The composed positions of the file have the moves that Fairy-Stockfish (pyffish 0.0.90) gives: they were drawn with
/// many of a kind, pawns on one file and pieces that cannot move. Random moves from there lead to positions that are read
/// back.
pub fn composed_agree<G: Game>(name: &str) {
    let mut unusual = 0;
    for (row, number) in rows::<PositionRow>(name).into_iter().zip(0..) {
        let moves: Vec<&str> = row.moves.split_whitespace().collect();
        let mut game = read::<G>(&row.fen);
        position_agrees(&game, &moves, row.check);
        unusual += u32::from(game.unusual().is_some());
        let mut rng = stream(number, Purpose::Match, &[]);
        for _ in 0..100 {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let Some(&mv) = moves.choose(&mut rng) else { break };
            game.play(mv);
            assert_eq!(read::<G>(&game.fen()).key(), game.key(), "{}", game.fen());
        }
    }
    assert!(unusual > 50, "{unusual} of {name} are unusual");
}

/// The games end at their last move and not before, for the reason given.
pub fn games_agree<G: Game>(name: &str, rules: RuleSet) {
    for row in rows::<GameRow>(name) {
        let mut game: G = read_under(rules, &row.start);
        play(&mut game, &row.moves);
        let outcome = game.outcome().unwrap_or_else(|| panic!("no end after {}", row.moves));
        assert_eq!(outcome.verdict.as_str(), row.result, "{}", row.moves);
        assert_is_called(outcome, &row.termination, &row.moves);
        assert_eq!(game.fen(), row.final_fen);
        assert!(legal_moves(&game).is_empty());
    }
}

/// `word` is what Fairy-Stockfish calls the end of the game of these moves.
fn assert_is_called(outcome: Outcome, word: &str, moves: &str) {
    if word == "king_capture_or_try" {
        assert!(matches!(outcome.reason, Reason::LionCaptured | Reason::LionHome), "{moves}");
        return;
    }
    let (reason, counted) = match word.strip_suffix("_material_count") {
        Some(reason) => (reason, true),
        None => (word, false),
    };
    let reason = if reason == "janggi_move_repetition" { "to_and_fro" } else { reason };
    assert_eq!(outcome.reason.as_str(), reason, "{moves}");
    assert!(outcome.points.is_some() || !counted, "{moves}");
}

impl CycleRow {
    /// What the cycle comes to: it may end at its last move only, and does if the row says so.
    pub fn outcome<G: Game>(&self, rules: RuleSet) -> Option<Outcome> {
        let mut game: G = read_under(rules, &self.fen);
        play(&mut game, &self.moves);
        let outcome = game.outcome();
        assert_eq!(outcome.is_some(), self.ended, "{}", self.fen);
        outcome
    }
}

/// The cycles end exactly after their last move, for one of the reasons, or not yet.
pub fn cycles_agree<G: Game>(name: &str, rules: RuleSet, reasons: &[Reason]) {
    for row in rows::<CycleRow>(name) {
        let outcome = row.outcome::<G>(rules);
        assert_eq!(outcome.map_or("*", |outcome| outcome.verdict.as_str()), row.result, "{}", row.fen);
        assert!(outcome.is_none_or(|outcome| reasons.contains(&outcome.reason)), "{outcome:?} {}", row.fen);
    }
}

/// Every position of the file has its counts.
pub fn perft_agrees<G: Game>(name: &str, rules: RuleSet) {
    for row in rows::<PerftRow>(name) {
        counts_agree(&read_under::<G>(rules, &row.fen), row.perft_official.as_ref().unwrap_or(&row.perft));
    }
}

/// `counts` are those by depth, from 1.
pub fn counts_agree<G: Game>(game: &G, counts: &[u64]) {
    for (depth, &nodes) in (1..).zip(counts) {
        assert_eq!(game.perft(depth), nodes, "depth {depth} of {}", game.fen());
    }
}
