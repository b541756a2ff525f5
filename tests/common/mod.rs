//! What several test programs share.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

use serde_json::Value;

/// The JSON lines of `tests/data/<name>`, unpacked where the name ends in `.zst`.
pub fn data(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text: Box<dyn Read> = if name.ends_with(".zst") {
        Box::new(zstd::Decoder::new(file).expect("zstd"))
    } else {
        Box::new(file)
    };
    let rows: Vec<Value> = BufReader::new(text)
        .lines()
        .map(|line| serde_json::from_str(&line.expect("text")).expect("JSON"))
        .collect();
    assert!(!rows.is_empty(), "{} is empty", path.display());
    rows
}

/// The string at `key`.
pub fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no text '{key}' in {row}"))
}
