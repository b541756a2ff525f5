//! Game records on disk: a journal while a generation is played, one sealed file when it is done.
//!
//! The journal takes each game as it ends, so that a kill costs the games in flight and no others. A journal
//! may end in the middle of a game; a sealed file may not.

use std::{
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::record::GameRecord;
use crate::{
    rules::{GameId, RuleSet},
    store::Container,
};

const KIND: &str = "records";
/// Of the serialised [`GameRecord`]; a file of another version is refused.
const RECORD_VERSION: u32 = 1;
/// No header of a journal has so many bytes: a longer file without a whole header was not cut short.
const LONGEST_HEADER: usize = 1024;
/// zstd's own default: records are written rarely and read once.
const ZSTD_LEVEL: i32 = 3;

/// Whose records a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordMeta {
    /// Of the serialised records.
    pub version: u32,
    /// The game played.
    pub game: GameId,
    /// The rule set in force.
    pub rules: RuleSet,
    /// The generation whose net played.
    pub generation: u32,
    /// The run's seed.
    pub seed: u64,
    /// A checksum of the run's other settings.
    pub settings: u32,
}

impl RecordMeta {
    /// Records of this program's version.
    pub fn new(game: GameId, rules: RuleSet, generation: u32, seed: u64, settings: u32) -> Self {
        RecordMeta { version: RECORD_VERSION, game, rules, generation, seed, settings }
    }
}

/// The sealed file of a generation in the folder of records.
pub fn sealed_path(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("gen-{generation:06}.records"))
}

/// Writes all games of a generation, in the order of their numbers, atomically.
///
/// # Errors
/// Names the path.
pub fn seal(path: &Path, meta: &RecordMeta, games: &mut Vec<GameRecord>) -> Result<()> {
    games.sort_by_key(|game| game.index);
    let body = postcard::to_stdvec(games).context("records do not serialise")?;
    let body = zstd::encode_all(body.as_slice(), ZSTD_LEVEL).context("zstd failed")?;
    let meta = serde_json::to_vec(meta).context("record header does not serialise")?;
    Container::new(KIND).with("meta", meta).with("games", body).write(path)
}

/// Reads a sealed file.
///
/// # Errors
/// Names the path and what is wrong with it: missing, foreign, truncated, damaged, of another game or version.
pub fn read_sealed(path: &Path, expected: &RecordMeta) -> Result<Vec<GameRecord>> {
    let container = Container::read(path, KIND)?;
    let parse = || -> Result<Vec<GameRecord>> {
        check_meta(container.section("meta")?, expected)?;
        let body = zstd::decode_all(container.section("games")?).context("the games are damaged")?;
        postcard::from_bytes(&body).context("the games are damaged")
    };
    parse().with_context(|| format!("cannot use {}", path.display()))
}

fn check_meta(json: &[u8], expected: &RecordMeta) -> Result<()> {
    let meta: RecordMeta = serde_json::from_slice(json).context("its header is damaged")?;
    ensure!(
        meta.version == expected.version,
        "record version {}, this program reads {}",
        meta.version,
        expected.version
    );
    let same_settings = RecordMeta { settings: expected.settings, ..meta };
    ensure!(
        meta.settings == expected.settings || same_settings != *expected,
        "it was played with other settings"
    );
    ensure!(
        meta == *expected,
        "it holds {} ({}) of generation {} and seed {}, wanted {} ({}) of generation {} and seed {}",
        meta.game,
        meta.rules,
        meta.generation,
        meta.seed,
        expected.game,
        expected.rules,
        expected.generation,
        expected.seed
    );
    Ok(())
}

/// The games of a generation that is being played: frames of length, CRC-32 and bytes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of `meta.generation`, making it where there is none, and returns the games in it.
    /// A game cut short at the end, by a kill, is dropped.
    ///
    /// # Errors
    /// When it cannot be read or written, is damaged before its end, or belongs to another run.
    pub fn open(folder: &Path, meta: &RecordMeta) -> Result<(Self, Vec<GameRecord>)> {
        let path = folder.join(format!("gen-{:06}.journal", meta.generation));
        let open = || -> Result<(File, Vec<GameRecord>)> {
            let mut file = File::options().create(true).truncate(false).read(true).write(true).open(&path)?;
            let bytes = fs::read(&path)?;
            let (games, whole) = read_frames(&bytes, meta)?;
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            if whole == 0 {
                file.write_all(&frame(&serde_json::to_vec(meta)?))?;
            }
            Ok((file, games))
        };
        let (file, games) = open().with_context(|| format!("cannot use {}", path.display()))?;
        Ok((Journal { path, file }, games))
    }

    /// Adds a finished game; it is in the system's hands when this returns.
    ///
    /// # Errors
    /// Names the path.
    pub fn append(&mut self, game: &GameRecord) -> Result<()> {
        let bytes = postcard::to_stdvec(game).context("a record does not serialise")?;
        self.file.write_all(&frame(&bytes)).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Removes the journal once its games are sealed.
    ///
    /// # Errors
    /// Names the path.
    pub fn remove(self) -> Result<()> {
        fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(8 + bytes.len());
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(crc32fast::hash(bytes).to_le_bytes());
    frame.extend(bytes);
    frame
}

/// The games of all whole frames, and how many bytes those frames take. What follows them was cut short by a kill
/// or a power cut: a frame that reaches beyond the end, or a last one whose bytes never arrived.
fn read_frames(bytes: &[u8], meta: &RecordMeta) -> Result<(Vec<GameRecord>, usize)> {
    let mut games = Vec::new();
    let mut at = 0;
    while let Some(frame) = frame_at(&bytes[at..]) {
        let next = at + 8 + frame.body.len();
        if crc32fast::hash(frame.body) != frame.crc {
            ensure!(next == bytes.len() && at > 0, "it is damaged at byte {at}");
            break;
        }
        if at == 0 {
            check_meta(frame.body, meta)?;
        } else {
            games.push(
                postcard::from_bytes(frame.body).with_context(|| format!("it is damaged at byte {at}"))?,
            );
        }
        at = next;
    }
    ensure!(at > 0 || bytes.len() < LONGEST_HEADER, "it is no journal, or damaged at its start");
    Ok((games, at))
}

struct Frame<'a> {
    crc: u32,
    body: &'a [u8],
}

/// The frame at the start of `bytes`, if all of it is there. None is empty: zeros are what a power cut leaves.
fn frame_at(bytes: &[u8]) -> Option<Frame<'_>> {
    let word = |i: usize| Some(u32::from_le_bytes(bytes.get(i..i + 4)?.try_into().ok()?));
    let (length, crc) = (word(0)? as usize, word(4)?);
    let body = bytes.get(8..8 + length).filter(|body| !body.is_empty())?;
    Some(Frame { crc, body })
}
