//! Game records on disk: a journal while a generation is played, one sealed file when it is done.
//!
//! The journal takes each game as it ends, so that a kill costs the games in flight and no others. A journal
//! may end in the middle of a game; a sealed file may not.

use std::{
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Error, Result, bail, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::record::GameRecord;
use crate::{
    base::store::{Container, decompress, keep_damaged, read_at_most, retry_change, retry_open, sync_file},
    games::rules::{GameId, RuleSet},
};

const KIND: &str = "records";
/// Of the serialised [`GameRecord`]; a file of another version is refused.
const RECORD_VERSION: u32 = 1;
/// More bytes than the header of a journal ever has: a longer file without a whole header was not cut short.
const LONGEST_HEADER: usize = 1024;
/// Bytes of a generation's games at most, packed and unpacked: tens of millions of positions.
const MOST_BYTES: u64 = 1 << 32;
/// zstd's own default: records are written rarely and read once.
const ZSTD_LEVEL: i32 = 3;

/// Records are at most this many times as large unpacked as packed, and a few bytes. They shrink by a tenth of it (random
/// games of dobutsu: by 6).
const PACKED: u64 = 64;
const PACKED_ROOM: u64 = 1 << 20;

/// Whose records a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordMeta {
    /// Of the serialised records.
    pub version: u32,
    /// The game played.
    pub game: GameId,
    /// The rule set in force.
    pub rules: RuleSet,
    /// The generation that the games belong to.
    pub generation: u32,
    /// The run's seed.
    pub seed: u64,
    /// A checksum of the run's settings.
    pub settings: u32,
}

impl RecordMeta {
    /// Records of this program's version.
    pub fn new(game: GameId, rules: RuleSet, generation: u32, seed: u64, settings: u32) -> Self {
        RecordMeta { version: RECORD_VERSION, game, rules, generation, seed, settings }
    }
}

/// The journal of a generation in the folder of records.
pub fn journal_path(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("gen-{generation:06}.journal"))
}

/// The sealed file of a generation in the folder of records.
pub fn sealed_path(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("gen-{generation:06}.records"))
}

/// Writes all games of a generation, in the order of their numbers, atomically.
///
/// # Errors
/// Names the path.
pub fn seal(path: &Path, meta: &RecordMeta, games: &mut [GameRecord]) -> Result<()> {
    Contents::of(meta, games)?.write(path)
}

/// What a sealed file holds.
pub(super) struct Contents {
    meta: Vec<u8>,
    games: Vec<u8>,
}

impl Contents {
    /// Puts `games` into the order of their numbers. On all threads of the pool.
    ///
    /// # Errors
    /// When they cannot be serialised, or are more than can be read again.
    pub fn of(meta: &RecordMeta, games: &mut [GameRecord]) -> Result<Self> {
        games.sort_by_key(|game| game.index);
        let meta = serde_json::to_vec(meta).context("record header does not serialise")?;
        // As the list of all would be written: how many they are, then one after the other.
        let count = postcard::to_stdvec(&games.len());
        let each = games.par_iter().map(postcard::to_stdvec).collect::<Result<Vec<_>, _>>();
        let parts = count.and_then(|count| Ok((count, each?)));
        let (count, each) = parts.context("records do not serialise")?;
        let games = [count, each.concat()].concat();
        check_size(games.len() as u64)?;
        Ok(Contents { meta, games })
    }

    /// Writes them atomically.
    ///
    /// # Errors
    /// Names the path.
    pub fn write(self, path: &Path) -> Result<()> {
        let body = zstd::encode_all(self.games.as_slice(), ZSTD_LEVEL).context("zstd failed")?;
        Container::new(KIND).with("meta", self.meta).with("games", body).write(path)
    }
}

/// Why a file of records gives no games. Each says the path.
#[derive(Debug, thiserror::Error)]
pub enum BadRecords {
    /// There is no such file.
    #[error("{} is missing", .0.display())]
    Missing(PathBuf),
    /// Its bytes are not those that were written.
    #[error("{0:#}")]
    Damaged(anyhow::Error),
    /// It cannot be read, or it is whole and of another run or program.
    #[error("{0:#}")]
    Refused(anyhow::Error),
}

/// Bytes to which `packed` bytes may unpack.
fn most_unpacked(packed: u64) -> u64 {
    packed.saturating_mul(PACKED).saturating_add(PACKED_ROOM).min(MOST_BYTES)
}

/// # Errors
/// When the games have more bytes than readers accept.
fn check_size(bytes: u64) -> Result<()> {
    ensure!(
        bytes <= MOST_BYTES,
        "the games of a generation have {bytes} bytes, more than {MOST_BYTES}: lower selfplay.positions_per_generation"
    );
    Ok(())
}

/// Reads a sealed file.
///
/// # Errors
/// Names the path and what is wrong with it: missing, foreign, truncated, damaged, of another game or version.
pub fn read_sealed(path: &Path, expected: &RecordMeta) -> Result<Vec<GameRecord>, BadRecords> {
    let bytes = read_at_most(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BadRecords::Missing(path.to_owned()),
        _ => BadRecords::Refused(Error::new(error).context(format!("cannot read {}", path.display()))),
    })?;
    let place = |error: Error| error.context(format!("cannot use {}", path.display()));
    let damaged = |error| BadRecords::Damaged(place(error));
    let container = Container::from_bytes(&bytes).and_then(|it| it.of_kind(KIND)).map_err(damaged)?;
    let meta = container.section("meta").map_err(damaged)?;
    check_meta(meta, expected).map_err(|error| BadRecords::Refused(place(error)))?;
    let games = || -> Result<Vec<GameRecord>> {
        let packed = container.section("games")?;
        let body = decompress(packed, most_unpacked(packed.len() as u64)).context("the games are damaged")?;
        postcard::from_bytes(&body).context("the games are damaged")
    };
    games().map_err(damaged)
}

/// Reads a sealed file of any run.
///
/// # Errors
/// Names the path and what is wrong with it, as [`read_sealed`] does.
pub fn read_sealed_of_any(path: &Path) -> Result<Vec<GameRecord>> {
    let meta = || -> Result<RecordMeta> {
        let container = Container::read(path, KIND)?;
        serde_json::from_slice(container.section("meta")?).context("its header is damaged")
    };
    let meta = meta().with_context(|| format!("cannot use {}", path.display()))?;
    let current = RecordMeta { version: RECORD_VERSION, ..meta };
    let games = read_sealed(path, &current)?;
    // Of such games no position can be made.
    if let Some(game) = games.iter().find(|game| !game.game.rule_sets().contains(&game.rules)) {
        bail!("cannot use {}: {} is no rule set of {}", path.display(), game.rules, game.game);
    }
    Ok(games)
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
    /// A game cut short at the end, by a kill, is dropped. Where it is damaged, what was there is kept under another
    /// name, with a warning: the games up to the damage are returned, and the seed plays the others again.
    ///
    /// # Errors
    /// When it cannot be read or written, or belongs to another run.
    pub fn open(folder: &Path, meta: &RecordMeta) -> Result<(Self, Vec<GameRecord>)> {
        let path = journal_path(folder, meta.generation);
        let open = || -> Result<(File, Vec<GameRecord>)> {
            let mut options = File::options();
            options.create(true).truncate(false).read(true).write(true);
            let mut file = retry_open(|| options.open(&path))?;
            let Frames { games, whole, damage } = read_frames(&read_at_most(&path, MOST_BYTES)?, meta)?;
            if let Some(damage) = damage {
                let kept = keep_damaged(&path)?;
                tracing::warn!(
                    "{} {damage}: kept as {}, and what follows its first {} games is played again",
                    path.display(),
                    kept.display(),
                    games.len()
                );
            }
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

    /// Begins it anew with `games`: those of its games that are right. What was there is kept under another name, with
    /// a warning.
    ///
    /// # Errors
    /// Names the path.
    pub fn keep_only(self, meta: &RecordMeta, games: &[GameRecord]) -> Result<Self> {
        let kept = keep_damaged(&self.path)?;
        tracing::warn!(
            "{} holds games that the rules do not allow: kept as {}, and all but {} are played again",
            self.path.display(),
            kept.display(),
            games.len()
        );
        self.file.set_len(0).with_context(|| format!("cannot write {}", self.path.display()))?;
        drop(self.file);
        let folder = self.path.parent().context("a journal is in a folder")?;
        let (mut journal, _) = Journal::open(folder, meta)?;
        games.iter().try_for_each(|game| journal.append(game))?;
        Ok(journal)
    }

    /// Adds a finished game; it is in the system's hands when this returns.
    ///
    /// # Errors
    /// Names the path.
    pub fn append(&mut self, game: &GameRecord) -> Result<()> {
        let bytes = postcard::to_stdvec(game).context("a record does not serialise")?;
        self.file.write_all(&frame(&bytes)).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Waits until the disk has all games that were added: they survive a power cut from then on.
    ///
    /// # Errors
    /// Names the path.
    pub fn sync(&self) -> Result<()> {
        sync_file(&self.file).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Removes the journal once its games are sealed.
    ///
    /// # Errors
    /// Names the path.
    pub fn remove(self) -> Result<()> {
        retry_change(|| fs::remove_file(&self.path))
            .with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEAD + bytes.len());
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(crc32fast::hash(bytes).to_le_bytes());
    frame.extend(bytes);
    frame
}

/// What the bytes of a journal hold.
struct Frames {
    /// Of all whole frames before the first that is not right.
    games: Vec<GameRecord>,
    /// Bytes that those frames take.
    whole: usize,
    /// What is wrong with what follows them, unless it was cut short by a kill or a power cut.
    damage: Option<String>,
}

/// # Errors
/// When the journal is of another run.
fn read_frames(bytes: &[u8], meta: &RecordMeta) -> Result<Frames> {
    let (mut games, mut at) = (Vec::new(), 0);
    while let Some(frame) = frame_at(&bytes[at..]).filter(Frame::is_right) {
        if at == 0 {
            check_meta(frame.body, meta)?;
        } else if let Ok(game) = postcard::from_bytes(frame.body) {
            games.push(game);
        } else {
            break;
        }
        at += HEAD + frame.body.len();
    }
    let damage = match &bytes[at..] {
        rest if at == 0 && rest.len() >= LONGEST_HEADER => Some("is damaged at its start".to_owned()),
        rest => (!is_torn(rest, meta)?).then(|| format!("is damaged at byte {at}")),
    };
    Ok(Frames { games, whole: at, damage })
}

/// Whether `rest`, which begins with no right frame of a game, is what a kill or a power cut leaves of the last one: a
/// frame that reaches beyond the end, or one that ends there and whose bytes never arrived. Nothing in it is right then:
/// where something is, a damaged length alone reaches to the end.
fn is_torn(rest: &[u8], meta: &RecordMeta) -> Result<bool> {
    let is_last =
        frame_at(rest).is_none_or(|frame| !frame.is_right() && HEAD + frame.body.len() == rest.len());
    let whole = rest.get(HEAD..).filter(|body| !body.is_empty());
    let is_whole = whole.is_some_and(|body| word(rest, 4) == Some(crc32fast::hash(body)));
    Ok(is_last && !is_whole && !has_game(rest, meta)?)
}

/// Whether a right frame of a game of `meta` begins anywhere in `bytes`.
fn has_game(bytes: &[u8], meta: &RecordMeta) -> Result<bool> {
    let begins = postcard::to_stdvec(&(meta.game, meta.rules, meta.generation))?;
    let is_game = |(at, window): (usize, &[u8])| {
        window[HEAD..] == begins && frame_at(&bytes[at..]).is_some_and(|frame| frame.is_right())
    };
    Ok(bytes.windows(HEAD + begins.len()).enumerate().any(is_game))
}

/// Bytes of a frame before its body: the length, and the CRC-32.
const HEAD: usize = 8;

struct Frame<'a> {
    crc: u32,
    body: &'a [u8],
}

impl Frame<'_> {
    fn is_right(&self) -> bool {
        crc32fast::hash(self.body) == self.crc
    }
}

/// The frame at the start of `bytes`, if all of it is there. None is empty: zeros are what a power cut leaves.
fn frame_at(bytes: &[u8]) -> Option<Frame<'_>> {
    let (length, crc) = (word(bytes, 0)? as usize, word(bytes, 4)?);
    let body = bytes.get(HEAD..HEAD + length).filter(|body| !body.is_empty())?;
    Some(Frame { crc, body })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::{Reason, Verdict},
        training::selfplay::Resigning,
    };

    #[test]
    fn a_game_by_rules_of_another_game_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = sealed_path(folder.path(), 1);
        let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 1, 1, 1);
        let game = |rules| GameRecord {
            game: GameId::Dobutsu,
            rules,
            generation: 1,
            index: 0,
            start: "gle/1c1/1C1/ELG[-] w 0 1".to_owned(),
            plies: Vec::new(),
            candidates: Vec::new(),
            verdict: Verdict::Draw,
            reason: Reason::Repetition,
            points: None,
            resigning: Resigning::PlayedOut,
        };
        seal(&path, &meta, &mut [game(RuleSet::Standard)]).unwrap();
        assert_eq!(read_sealed_of_any(&path).unwrap().len(), 1);
        seal(&path, &meta, &mut [game(RuleSet::Axf)]).unwrap();
        let error = format!("{:#}", read_sealed_of_any(&path).unwrap_err());
        assert!(error.contains("axf is no rule set of dobutsu"), "{error}");
    }

    #[test]
    fn what_is_unpacked_is_bounded_by_what_is_packed_and_absolutely() {
        assert_eq!(most_unpacked(1000), 64_000 + PACKED_ROOM);
        assert_eq!([MOST_BYTES / 64, MOST_BYTES, u64::MAX].map(most_unpacked), [MOST_BYTES; 3]);
        check_size(MOST_BYTES).unwrap();
        let error = check_size(MOST_BYTES + 1).unwrap_err().to_string();
        assert!(error.contains("positions_per_generation"), "{error}");
    }
}
