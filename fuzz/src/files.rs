//! Files of our own: containers with checkpoints, models and records, weights, journals.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sanki::{
    base::store::Container,
    games::rules::{GameId, RuleSet},
    net::{Model, ModelFile},
    training::{
        replay::check_record,
        run::Checkpoint,
        selfplay::{GameRecord, Journal, RecordMeta, read_sealed_of_any},
    },
    with_game,
};

use super::folder;

/// A file of ours: the first byte says how it is made of the others.
pub fn any_container(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    match first.wrapping_sub(b'0') % 4 {
        0 => _ = container(rest),
        1 => _ = sealed_container(rest),
        2 => checkpoint(rest),
        _ => sealed_records(rest),
    }
}

/// Reads `bytes` as a container and what is in it as a model. True if it is a container.
pub fn container(bytes: &[u8]) -> bool {
    let Ok(container) = Container::from_bytes(bytes) else { return false };
    assert_eq!(Container::from_bytes(&container.to_bytes()).expect("what was written"), container);
    model_file(&container);
    true
}

/// Reads `bytes` behind the checksums: as the header of a container and what follows it, and as the sections of a
/// model, each with two bytes of length before its first part. True if the header was read.
pub fn sealed_container(bytes: &[u8]) -> bool {
    let (first, rest) = split(bytes);
    model_file(&Container::new("checkpoint").with("model", first.to_vec()).with("weights", padded(rest)));
    // The letters that tell the format, and its version.
    let mut file = Container::new("checkpoint").to_bytes()[..12].to_vec();
    file.extend((first.len() as u32).to_le_bytes());
    file.extend(crc32fast::hash(first).to_le_bytes());
    file.extend(first);
    file.extend(rest);
    container(&file)
}

fn model_file(container: &Container) {
    if let Ok(file) = ModelFile::from_container(container) {
        assert!(ModelFile::from_container(&file.to_container()).expect("what was written") == file);
    }
}

/// A part with two bytes of length before it, and what follows; all that there is where it is too short.
pub(super) fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk() else { return (bytes, &[]) };
    rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()))
}

/// Weights as they are, and with as many bytes behind their header as it wants.
pub fn any_weights(bytes: &[u8]) {
    weights(bytes);
    weights(&padded(bytes));
}

/// Bytes of weights that are made up at most.
const MOST_PADDED: u64 = 1 << 17;

/// The header of weights, with as many bytes behind it as it wants: what follows it, and then zeros.
fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let Some((length, rest)) = bytes.split_first_chunk() else { return bytes };
    let length = u64::from_le_bytes(*length);
    let header = rest.get(..usize::try_from(length).unwrap_or(usize::MAX)).unwrap_or_default();
    let Ok(header) = serde_json::from_slice::<serde_json::Map<_, serde_json::Value>>(header) else {
        return bytes;
    };
    let ends = header.values().filter_map(|tensor| tensor.get("data_offsets")?.get(1)?.as_u64());
    let end = ends.max().unwrap_or(0);
    if end <= MOST_PADDED {
        bytes.resize((8 + length + end) as usize, 0);
    }
    bytes
}

/// Reads `bytes` as weights. True if they are.
pub fn weights(bytes: &[u8]) -> bool {
    let Ok(model) = Model::from_bytes(bytes) else { return false };
    assert!(model.weights().iter().all(|weight| weight.is_finite()));
    assert!(Model::from_bytes(&model.to_bytes()).expect("what was written") == model);
    true
}

/// Reads `bytes` as the sections of a checkpoint, each with two bytes of length before it.
fn checkpoint(mut bytes: &[u8]) {
    let mut file = Container::new("checkpoint");
    for name in ["model", "weights", "state", "clock", "config", "metrics", "learner", "player"] {
        let (section, rest) = split(bytes);
        if name != "player" || !section.is_empty() {
            file = file.with(name, if name == "weights" { padded(section) } else { section.to_vec() });
        }
        bytes = rest;
    }
    let path = write("checkpoint.sanki", &file.to_bytes());
    if let Ok(read) = Checkpoint::read(&path) {
        assert!(read.plays_next().meta.game.rule_sets().contains(&read.plays_next().meta.rules));
    }
}

/// Reads `bytes` as the header and the games of a file of self-play, the header with two bytes of length before it.
fn sealed_records(bytes: &[u8]) {
    let (meta, games) = split(bytes);
    let packed = zstd::encode_all(games, 1).expect("there is memory");
    let file = Container::new("records").with("meta", meta.to_vec()).with("games", packed);
    let path = write("x.records", &file.to_bytes());
    read_sealed_of_any(&path).iter().flatten().for_each(use_game);
}

/// Does with a game of self-play what is done with those of a file.
fn use_game(game: &GameRecord) {
    let record = game.to_record();
    assert_eq!(record.moves.len(), game.plies.len());
    if with_game!(game.game, G => check_record::<G>(game)).is_ok() {
        game.plies().for_each(|(ply, candidates)| assert_eq!(candidates.len(), usize::from(ply.candidates)));
    }
}

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a folder that can be written");
    path
}

/// A journal, as it is and with its checksums made right.
pub fn any_journal(bytes: &[u8]) {
    journal(bytes, folder());
    sealed_journal(bytes, folder());
}

/// Whose journals [`journal`] reads.
pub fn journal_meta() -> RecordMeta {
    RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 1, 0, 0)
}

/// Reads `bytes` as a journal of games in `folder`. Returns how many of its games are kept, and whether the journal was
/// put aside for its damage; `None` if it is of another run, and then left as it is.
pub fn journal(bytes: &[u8], folder: &Path) -> Option<(usize, bool)> {
    let path = folder.join("gen-000001.journal");
    fs::write(&path, bytes).expect("a folder that can be written");
    let games = Journal::open(folder, &journal_meta()).ok().map(|(_, games)| games.len());
    let aside = folder.join("gen-000001.journal.damaged");
    let is_damaged = aside.exists();
    if is_damaged {
        assert_eq!(fs::read(&aside).expect("the file is there"), bytes);
        fs::remove_file(aside).expect("a folder that can be written");
    }
    if games.is_none() {
        assert_eq!(fs::read(&path).expect("the file is there"), bytes);
    }
    let again = Journal::open(folder, &journal_meta()).ok().map(|(_, games)| games.len());
    assert_eq!(again, games, "what is kept reads");
    games.map(|games| (games, is_damaged))
}

/// Reads `bytes` as the games of a journal whose header and checksums are right, each with two bytes of length
/// before it. As [`journal`].
pub fn sealed_journal(mut bytes: &[u8], folder: &Path) -> Option<(usize, bool)> {
    let frame = |body: &[u8]| {
        let (length, crc) = ((body.len() as u32).to_le_bytes(), crc32fast::hash(body).to_le_bytes());
        [&length, &crc, body].concat()
    };
    let mut file = frame(&serde_json::to_vec(&journal_meta()).expect("plain JSON"));
    while !bytes.is_empty() {
        let (game, rest) = split(bytes);
        file.extend(frame(game));
        bytes = rest;
    }
    let kept = journal(&file, folder);
    cut_journal(&file, folder);
    kept
}

/// A journal that is cut anywhere holds the first games of the whole one.
fn cut_journal(bytes: &[u8], folder: &Path) {
    let games = |bytes: &[u8]| -> Vec<GameRecord> {
        fs::write(folder.join("gen-000001.journal"), bytes).expect("a folder that can be written");
        let games = Journal::open(folder, &journal_meta()).map_or_else(|_| Vec::new(), |(_, games)| games);
        let _ = fs::remove_file(folder.join("gen-000001.journal.damaged"));
        games
    };
    let whole = games(bytes);
    whole.iter().for_each(use_game);
    // Where, the bytes themselves decide.
    let at = crc32fast::hash(bytes) as usize % (bytes.len() + 1);
    let first = games(&bytes[..at]);
    // As texts: numbers that are none are equal there.
    assert_eq!(format!("{first:?}"), format!("{:?}", &whole[..first.len().min(whole.len())]));
}
