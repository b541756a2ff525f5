//! The rows of `tests/data`: verdicts of Fairy-Stockfish, one JSON object a line.

use std::{fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

/// A position with its moves, in the order of their text.
#[derive(Deserialize)]
pub struct PositionRow {
    pub fen: String,
    pub check: bool,
    pub bikjang: bool,
    pub moves: String,
    /// Without the rule about facing kings, where that differs.
    pub moves_nobikjang: Option<String>,
}

/// A game up to its end.
#[derive(Deserialize)]
pub struct GameRow {
    pub start: String,
    pub moves: String,
    pub termination: String,
    pub result: String,
    pub final_fen: String,
}

/// A cycle, repeated until it ends the game or several times over.
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
    pub perft: Vec<u64>,
    /// Of a set-up: `setup`, the formations of Cho and of Han.
    pub tags: Vec<String>,
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
