//! What must hold whatever text a parser is given: no panic, and what it reads it writes and reads back.
//!
//! The fuzz targets call this with what the fuzzer invents, `tests/parsers.rs` with the kept corpus (`seeds/`) and with
//! spoilt positions.

mod engines;
mod files;
mod page;
mod positions;
mod records;
mod remote;

use std::{path::Path, sync::LazyLock};

use sanki::{games::rules::GameId, training::run::RunConfig};
use tempfile::TempDir;

pub use self::{
    engines::{external, protocol},
    files::{
        any_container, any_journal, any_weights, container, journal, journal_meta, sealed_container,
        sealed_journal, weights,
    },
    page::page,
    positions::{any_moves, any_position, book, moves, position},
    records::{games, records},
    remote::messages,
};

/// What a target does with its input.
pub type Target = fn(&[u8]);

/// Every target, by its name.
pub const TARGETS: [(&str, Target); 13] = [
    ("book", |bytes| _ = book(text_of(bytes))),
    ("config", |bytes| _ = config(text_of(bytes))),
    ("container", any_container),
    ("external", external),
    ("games", games),
    ("journal", any_journal),
    ("messages", messages),
    ("moves", any_moves),
    ("page", page),
    ("position", any_position),
    ("protocol", |bytes| protocol(text_of(bytes))),
    ("records", records),
    ("weights", any_weights),
];

/// Gives `bytes` to the target called `name`.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.0 == name).expect("a target");
    target.1(bytes);
}

/// The game that a byte stands for: `0`, `1` and so on, in the order of [`GameId::ALL`].
fn game_of(byte: u8) -> GameId {
    GameId::ALL[usize::from(byte.wrapping_sub(b'0')) % GameId::ALL.len()]
}

/// The bytes up to the first that are no UTF-8.
fn text_of(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// A folder for files that are read.
fn folder() -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));
    FOLDER.path()
}

/// Reads `text` as a run's config, its lines that begin with `--set ` as changes. True if it is one.
pub fn config(text: &str) -> bool {
    let changes: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("--set ")).map(str::to_owned).collect();
    let plain: String = text.split_inclusive('\n').filter(|line| !line.starts_with("--set ")).collect();
    let Ok(config) = RunConfig::parse(&plain, &changes) else { return false };
    assert_eq!(RunConfig::parse(&config.to_toml(), &[]).expect("what was written"), config);
    true
}
