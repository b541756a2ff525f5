//! The rows of `tests/data`: verdicts of Fairy-Stockfish and cshogi, one JSON object a line.

use std::{fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

/// A position with its moves, in the order of their text.
#[derive(Deserialize)]
pub struct PositionRow {
    pub fen: String,
    pub sfen: String,
    pub check: bool,
    pub moves: String,
    /// Those of `moves` that are pawn-drop mates.
    #[serde(default)]
    pub uchifuzume: String,
    pub n_official: usize,
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

/// A cycle of four plies, three times over.
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
    pub perft_official: Vec<u64>,
}

/// What a declaration gives under the two rules.
#[derive(Deserialize)]
pub struct DeclarationRow {
    pub sfen: String,
    pub fen: String,
    pub check: bool,
    pub declare27: bool,
    pub declare24: String,
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
