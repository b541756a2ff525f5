//! Games that are brought to the page as files: read, and kept in the games' folder.

use std::ops::RangeFrom;

use anyhow::{Context, Result, bail, ensure};
use axum::{
    Json,
    body::Bytes,
    extract::{self, Query, rejection::BytesRejection},
};
use serde::{Deserialize, Serialize};

use super::{
    error::Refusal,
    folders::{FolderName, Folders},
    games,
    sources::GameLocation,
    state::SharedState,
    texts::Texts,
};
use crate::{
    arena::SavedGame,
    games::{
        records::{Format, Given},
        rules::GameId,
    },
};

/// Games of one file at most.
const MOST_GAMES: usize = 500;
/// Letters of the games' names at most, without their numbers.
const LONGEST: usize = 60;

/// What an address says of the file that comes with it.
#[derive(Deserialize)]
pub(super) struct About {
    name: String,
    /// The game, where the file may not say.
    game: Option<String>,
}

/// Where the games are now.
#[derive(Debug, Serialize)]
pub(super) struct Brought {
    games: usize,
    address: String,
    /// Why other games of the file were left out, and what was not understood.
    remarks: Vec<String>,
}

/// Keeps the games of a file.
pub(super) async fn bring(
    extract::State(state): SharedState,
    texts: Texts,
    Query(about): Query<About>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Brought>, Refusal> {
    let body = body.map_err(|rejection| Refusal::of_body(texts, &rejection))?;
    let work = move || keep(&state.folders, &about, &body);
    let kept = tokio::task::spawn_blocking(work).await.map_err(Refusal::bad)?;
    let (kept, remarks) = kept.map_err(|error| Refusal::bad(format!("{error:#}")))?;
    let address = match &kept[..] {
        [one] => GameLocation::Own(one.clone()).address(),
        _ => "/review".to_owned(),
    };
    Ok(Json(Brought { games: kept.len(), address, remarks }))
}

/// Keeps the games that can be read; with remarks on the others.
fn keep(folders: &Folders, about: &About, bytes: &[u8]) -> Result<(Vec<FolderName>, Vec<String>)> {
    let game = about.game.as_deref().filter(|game| !game.is_empty());
    let game: Option<GameId> = game.map(str::parse).transpose()?;
    let (found, remarks) = read(&about.name, game, bytes)?;
    ensure!(!found.is_empty(), "there is no game in it");
    ensure!(found.len() <= MOST_GAMES, "{} games are too many at once: {MOST_GAMES} at most", found.len());
    let stem = stem(&about.name);
    let mut numbers = 1..;
    let mut ids = Vec::new();
    for game in found {
        ids.push(keep_one(folders, &stem, &mut numbers, &game)?);
    }
    Ok((ids, remarks))
}

/// Keeps a game under the first name that is free, which ends with one of `numbers`. Others may be brought meanwhile.
fn keep_one(
    folders: &Folders,
    stem: &str,
    numbers: &mut RangeFrom<u32>,
    game: &SavedGame,
) -> Result<FolderName> {
    for number in numbers {
        let id = FolderName::try_from(format!("{stem}-{number}"))?;
        if games::exists(folders, &id) {
            continue;
        }
        match games::write_new(folders, &id, game) {
            Err(error) if games::is_taken(&error) => {}
            written => return written.map(|()| id),
        }
    }
    bail!("it has no name")
}

/// What the games of a file are called: as the file, as far as that can be.
fn stem(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let base = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    let plain: String =
        base.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect();
    let plain: String = plain.trim_start_matches('-').chars().take(LONGEST).collect();
    if plain.is_empty() { "game".to_owned() } else { plain }
}

/// The games of a file: a saved one, or records of other programs; and remarks on what could not be read.
fn read(name: &str, game: Option<GameId>, bytes: &[u8]) -> Result<(Vec<SavedGame>, Vec<String>)> {
    if bytes.trim_ascii_start().starts_with(b"{") {
        let game: SavedGame = serde_json::from_slice(bytes).context("it is no saved game")?;
        game.check()?;
        return Ok((vec![game], Vec::new()));
    }
    let format = Format::of(name, bytes)
        .context("it is neither PGN, KIF, KI2, CSA, .gib, USI, .wxf, .ubb nor a saved game")?;
    let text = format.decode(bytes)?;
    let reading = format.read_each(&text, Given { game, rules: None })?;
    if reading.records.is_empty() {
        return Ok((reading.whole()?.iter().map(SavedGame::of_record).collect(), Vec::new()));
    }
    let failures = reading.failures.iter().map(ToString::to_string);
    let remarks = failures.chain(reading.notes.iter().map(ToString::to_string)).collect();
    Ok((reading.records.iter().map(SavedGame::of_record).collect(), remarks))
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

    const PGN: &str = "[White \"a\"]\n[Black \"b\"]\n[Variant \"Minixiangqi\"]\n[Result \"*\"]\n\n*\n\n";
    const USI: &str = "position startpos moves 7g7f 3c3d\n";

    fn folders(root: &std::path::Path) -> Folders {
        Folders { runs: root.join("runs"), matches: root.join("matches"), games: root.join("games") }
    }

    fn about(name: &str) -> About {
        About { name: name.to_owned(), game: None }
    }

    #[test]
    fn every_format_is_read_whatever_its_file_is_called() {
        let record = Format::Usi.read(USI, Given::default()).unwrap().remove(0);
        let saved = SavedGame::of_record(&record);
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Usi] {
            let text = format.write(&record).unwrap();
            for name in ["a", "a.txt"] {
                let (read, _) = read(name, None, text.as_bytes()).unwrap();
                assert_eq!((read.len(), &read[0].moves), (1, &saved.moves), "{format:?}");
            }
        }
        assert_eq!(read("x", None, saved.to_text().as_bytes()).unwrap().0, std::slice::from_ref(&saved));
        assert_eq!(read("x", None, PGN.repeat(2).as_bytes()).unwrap().0.len(), 2);
        let kif = Format::Kif.write(&record).unwrap();
        let (japanese, ..) = encoding_rs::SHIFT_JIS.encode(&kif);
        assert_eq!(read("a.kif", None, &japanese).unwrap().0[0].moves, saved.moves);
        assert_eq!(read("a", None, &japanese).unwrap().0[0].moves, saved.moves);
    }

    #[test]
    fn what_is_no_record_is_refused_in_words() {
        let why = |name: &str, text: &[u8]| format!("{:#}", read(name, None, text).unwrap_err());
        assert!(why("a.png", b"\x89PNG\r\n\x1a\n\0\0").contains("neither"));
        assert!(why("a.usi", b"position startpos moves 7g7e").contains("move 1"));
        assert!(why("a.pgn", &[0; 64]).contains("no text"));
        assert!(why("a.json", b"{}").contains("no saved game"));
        let root = tempfile::tempdir().unwrap();
        let folders = folders(root.path());
        assert!(keep(&folders, &about("a.usi"), b"").unwrap_err().to_string().contains("no game"));
        let many = USI.repeat(MOST_GAMES + 1);
        assert!(
            keep(&folders, &about("a.usi"), many.as_bytes()).unwrap_err().to_string().contains("too many")
        );
        assert!(!folders.games.exists());
    }

    #[test]
    fn one_bad_game_costs_no_other() {
        let text = [USI, "position startpos moves 7g7e\n", USI].concat();
        let (games, remarks) = read("a.usi", None, text.as_bytes()).unwrap();
        assert_eq!((games.len(), remarks.len()), (2, 1));
        assert!(remarks[0].starts_with("game 2: line 2: ") && remarks[0].contains("move 1"), "{remarks:?}");
    }

    #[test]
    fn games_are_called_as_their_file() {
        let root = tempfile::tempdir().unwrap();
        let folders = folders(root.path());
        let keep = |name: &str, text: &str| {
            let (ids, _) = keep(&folders, &about(name), text.as_bytes()).unwrap();
            ids.iter().map(FolderName::to_string).collect::<Vec<_>>()
        };
        assert_eq!(keep("../../대국 <1>.usi", &USI.repeat(2)), ["대국1-1", "대국1-2"]);
        assert_eq!(keep("대국1.usi", USI), ["대국1-3"]);
        assert_eq!(keep("...", USI), ["game-1"]);
        assert_eq!(games::newest(&folders, 9).len(), 4);
    }

    #[test]
    fn games_that_come_at_once_do_not_overwrite_each_other() {
        const AT_ONCE: usize = 8;
        let root = tempfile::tempdir().unwrap();
        let folders = folders(root.path());
        let begin = Barrier::new(AT_ONCE);
        let bring = || {
            begin.wait();
            keep(&folders, &about("a.usi"), USI.repeat(2).as_bytes()).unwrap().0
        };
        let mut ids: Vec<FolderName> = thread::scope(|scope| {
            let bringing: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(bring)).collect();
            bringing.into_iter().flat_map(|one| one.join().unwrap()).collect()
        });
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 2 * AT_ONCE);
        assert_eq!(games::newest(&folders, usize::MAX).len(), 2 * AT_ONCE);
    }
}
