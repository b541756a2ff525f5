//! The games in the games' folder: those played on the page, kept after every move, and those brought to it.

use std::{
    cmp::Reverse,
    fs, io,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use anyhow::{Context, Result};
use axum::{
    Json,
    body::Bytes,
    extract::{self, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header},
    response::IntoResponse,
};

use super::{
    error::Refusal,
    folders::{FolderName, Folders},
    nets::NetId,
    state::{SharedState, blocking},
    texts::Texts,
};
use crate::{arena::SavedGame, base::store};

/// How the names of the files end.
const END: &str = ".json";
/// Letters of a player's name, or of a strength's, at most.
const LONGEST: usize = 200;

/// Held between a look at what is kept and its change.
static CHANGING: Mutex<()> = Mutex::new(());

/// The file of the game that is called `id`.
fn path(folders: &Folders, id: &FolderName) -> PathBuf {
    folders.games.join(format!("{id}{END}"))
}

/// The game that is called `id`, if there is one that can be read.
pub(super) fn read(folders: &Folders, id: &FolderName) -> Option<SavedGame> {
    SavedGame::read(&path(folders, id)).ok()
}

/// Keeps a game.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(folders: &Folders, id: &FolderName, game: &SavedGame) -> Result<()> {
    make_folder(folders)?;
    store::write_atomic(&path(folders, id), game.to_text().as_bytes())
}

/// Keeps a new game as `id`: not where something has that name.
///
/// # Errors
/// When it cannot be written, also because the name is taken ([`is_taken`]).
pub(super) fn write_new(folders: &Folders, id: &FolderName, game: &SavedGame) -> Result<()> {
    make_folder(folders)?;
    store::write_new(&path(folders, id), game.to_text().as_bytes())
}

/// Whether `error` says that something has the name already.
pub(super) fn is_taken(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

fn make_folder(folders: &Folders) -> Result<()> {
    let folder = &folders.games;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// What `ETag` and `If-Match` call `game`: another one as soon as it changes.
pub(super) fn version(game: &SavedGame) -> String {
    format!("\"{:08x}\"", crc32fast::hash(game.to_text().as_bytes()))
}

/// The version that is kept under `id`; `None` where what is there is no game.
///
/// # Errors
/// When there is no file, or it cannot be read.
fn kept_version(folders: &Folders, id: &FolderName) -> Result<Option<String>> {
    let error = match SavedGame::read(&path(folders, id)) {
        Ok(game) => return Ok(Some(version(&game))),
        Err(error) => error,
    };
    // What is no text is no game either.
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        None | Some(io::ErrorKind::InvalidData) => Ok(None),
        Some(_) => Err(error),
    }
}

/// Whether `error` says that there is no file.
fn is_missing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Whether `game` is kept now: not where something else is kept than the version `known`, if one is named.
///
/// # Errors
/// When it cannot be written, or what is there cannot be read.
fn replace(folders: &Folders, id: &FolderName, game: &SavedGame, known: Option<&str>) -> Result<bool> {
    let _alone = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known {
        // Who has lost the answer sends the same again.
        let is_known = |kept: &String| kept == known || *kept == version(game);
        match kept_version(folders, id) {
            Ok(kept) if !kept.as_ref().is_some_and(is_known) => return Ok(false),
            Err(error) if !is_missing(&error) => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    write(folders, id, game)?;
    Ok(true)
}

/// Whether a game of that name is there.
pub(super) fn exists(folders: &Folders, id: &FolderName) -> bool {
    path(folders, id).exists()
}

/// The newest games, at most `most`, the newest first.
pub(super) fn newest(folders: &Folders, most: usize) -> Vec<(FolderName, SavedGame)> {
    let named = |file: FolderName| FolderName::try_from(file.as_str().strip_suffix(END)?.to_owned()).ok();
    let mut found: Vec<(Option<SystemTime>, FolderName)> = FolderName::all_in(&folders.games)
        .into_iter()
        .filter_map(named)
        .map(|id| (fs::metadata(path(folders, &id)).and_then(|found| found.modified()).ok(), id))
        .collect();
    found.sort_by(|a, b| (Reverse(a.0), &a.1).cmp(&(Reverse(b.0), &b.1)));
    found
        .into_iter()
        .filter_map(|(_, id)| Some((read(folders, &id)?, id)))
        .map(|(game, id)| (id, game))
        .take(most)
        .collect()
}

/// A game as it came, if it can have been played so.
fn parse(body: &[u8]) -> Result<SavedGame> {
    let game: SavedGame = serde_json::from_slice(body).context("it is no saved game")?;
    let names = [&game.first, &game.second].into_iter();
    let levels = game.seating.iter().map(|seating| &seating.level);
    anyhow::ensure!(names.chain(levels).all(|name| name.chars().count() <= LONGEST), "a name is too long");
    if let Some(seating) = &game.seating {
        anyhow::ensure!(seating.net.parse::<NetId>().is_ok(), "'{}' is no net", seating.net);
    }
    game.check()?;
    Ok(game)
}

/// Keeps the game that a page sends, and says its version. A page that says which version it knows (`If-Match`) overwrites
/// no other.
pub(super) async fn put(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, Refusal> {
    let id = FolderName::try_from(id).map_err(Refusal::bad)?;
    let body = body.map_err(|rejection| Refusal::of_body(texts, &rejection))?;
    // Playing a long game again takes its time.
    let game = tokio::task::spawn_blocking(move || parse(&body)).await.map_err(Refusal::bad)?;
    let game = game.map_err(|error| Refusal::bad(format!("{error:#}")))?;
    let known =
        headers.get(header::IF_MATCH).map(|known| String::from_utf8_lossy(known.as_bytes()).into_owned());
    let own = version(&game);
    let keep = move || replace(&state.folders, &id, &game, known.as_deref());
    match blocking(texts, keep).await.map_err(Refusal::from)? {
        true => Ok((StatusCode::NO_CONTENT, [(header::ETAG, own)])),
        false => Err(Refusal::changed(texts)),
    }
}

/// Gives a game, and says its version.
pub(super) async fn get(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let id = FolderName::try_from(id).map_err(|_| Refusal::missing(texts))?;
    let game = blocking(texts, move || Ok(read(&state.folders, &id))).await.map_err(Refusal::from)?;
    let game = game.ok_or_else(|| Refusal::missing(texts))?;
    Ok(([(header::ETAG, version(&game))], Json(game)))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::{SocketAddr, TcpStream},
        path::Path,
        thread,
    };

    use serde_json::{Value, json};

    use super::*;
    use crate::app::serve::{Engines, PageServer, ServerOptions};

    fn folders(root: &Path) -> Folders {
        Folders { runs: root.join("runs"), matches: root.join("matches"), games: root.join("games") }
    }

    fn game() -> Value {
        json!({
            "game": "dobutsu", "rules": "standard", "first": "human", "second": "published:dobutsu",
            "start": "gle/1c1/1C1/ELG[-] w 0 1", "moves": "b2b3",
            "seating": { "net": "published:dobutsu", "level": "level6", "person": "first" },
        })
    }

    #[test]
    fn games_are_kept_and_the_newest_come_first() {
        let root = tempfile::tempdir().unwrap();
        let folders = folders(root.path());
        let name = |text: &str| FolderName::try_from(text.to_owned()).unwrap();
        assert!(newest(&folders, 9).is_empty());
        let game = parse(game().to_string().as_bytes()).unwrap();
        write(&folders, &name("a"), &game).unwrap();
        write(&folders, &name("b"), &game).unwrap();
        fs::write(folders.games.join("c.json"), "no game").unwrap();
        let old = fs::File::options().write(true).open(path(&folders, &name("a"))).unwrap();
        old.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let ids = |most| newest(&folders, most).into_iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>();
        assert_eq!((ids(9), ids(1)), (vec!["b".to_owned(), "a".to_owned()], vec!["b".to_owned()]));
        assert_eq!(read(&folders, &name("a")), Some(game));
        assert_eq!(read(&folders, &name("none")), None);
    }

    #[test]
    fn what_cannot_have_been_played_is_refused() {
        let why = |change: fn(&mut Value)| {
            let mut game = game();
            change(&mut game);
            format!("{:#}", parse(game.to_string().as_bytes()).unwrap_err())
        };
        assert!(why(|game| game["moves"] = json!("b2b4")).contains("move 1"));
        assert!(why(|game| game["start"] = json!("../../etc/passwd")).contains("bad"));
        assert!(why(|game| game["rules"] = json!("points")).contains("rule set"));
        assert!(why(|game| game["seating"]["net"] = json!("run:../x")).contains("no net"));
        assert!(why(|game| game["first"] = json!("x".repeat(LONGEST + 1))).contains("too long"));
        assert!(why(|game| game["more"] = json!(1)).contains("no saved game"));
        assert!(parse(b"[").is_err() && parse(&[0xff, 0xfe]).is_err());
    }

    /// A server that listens until the tests end.
    struct Listening {
        address: SocketAddr,
        token: String,
    }

    fn serve(folders: Folders) -> Listening {
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let server =
            PageServer::new(ServerOptions { address, public: None, engines: Engines::default(), folders })
                .unwrap();
        let token = server.address().split_once("?token=").expect("a token").1.to_owned();
        let address = server.listens_at();
        thread::spawn(move || server.run(std::future::pending()));
        Listening { address, token }
    }

    /// The status and the text of an answer.
    fn ask(served: &Listening, method: &str, path: &str, body: &[u8]) -> (u16, String) {
        let answer = ask_with(served, method, path, "", body);
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// The whole answer to a request with more `headers`, each with its end of a line.
    fn ask_with(served: &Listening, method: &str, path: &str, headers: &str, body: &[u8]) -> String {
        let Listening { address, token } = served;
        let mut stream = TcpStream::connect(address).unwrap();
        let (length, port) = (body.len(), address.port());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: close\r\n\
             Cookie: sanki-token-{port}={token}\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        // Who is refused for the length may not be read any more.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn a_game_that_has_changed_since_is_not_overwritten() {
        let root = tempfile::tempdir().unwrap();
        let served = serve(folders(root.path()));
        let with = |moves: &str| {
            let mut game = game();
            game["moves"] = json!(moves);
            game.to_string()
        };
        let version = |body: &str| version(&parse(body.as_bytes()).unwrap());
        let (first, ours, theirs) = (with("b2b3"), with("b2b3 c4b3"), with("b2b3 b4b3"));
        let put = |known: Option<&str>, body: &str| {
            let header = known.map_or_else(String::new, |known| format!("If-Match: {}\r\n", version(known)));
            let answer = ask_with(&served, "PUT", "/games/a", &header, body.as_bytes());
            let tells = answer.to_lowercase().contains(&format!("etag: {}", version(body)));
            (answer.split(' ').nth(1).unwrap_or_default().to_owned(), tells)
        };
        let (good, refused) = (("204".to_owned(), true), ("412".to_owned(), false));
        assert_eq!(put(Some(&ours), &first), good, "what was kept was removed");
        assert_eq!(put(None, &first), good);
        assert_eq!(put(Some(&first), &theirs), good);
        assert_eq!(put(Some(&first), &theirs), good, "the answer was lost, and it comes again");
        assert_eq!(put(Some(&first), &ours), refused);
        let kept = ask_with(&served, "GET", "/games/a", "", b"");
        assert!(kept.contains("b2b3 b4b3"), "{kept}");
        assert!(kept.to_lowercase().contains(&format!("etag: {}", version(&theirs))), "{kept}");
        assert_eq!(put(None, &ours), good, "who names no version overwrites");

        let file = root.path().join("games/a.json");
        for damaged in [&b"{}"[..], &b"\xff\xfe"[..]] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(put(Some(&ours), &ours), refused, "{damaged:?}");
        }
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(put(Some(&ours), &ours).0, "500", "what cannot be read is no other game");
    }

    #[test]
    fn games_go_to_the_server_and_come_back() {
        let root = tempfile::tempdir().unwrap();
        let served = serve(folders(root.path()));
        let body = game().to_string();
        assert_eq!(ask(&served, "GET", "/games/a", b"").0, 404);
        assert_eq!(ask(&served, "PUT", "/games/a", body.as_bytes()).0, 204);
        let (status, kept) = ask(&served, "GET", "/games/a", b"");
        assert_eq!((status, serde_json::from_str::<Value>(&kept).unwrap()), (200, game()));
        assert_eq!(ask(&served, "GET", "/play/none", b"").0, 404);
        let (status, shown) = ask(&served, "GET", "/review/games/a", b"");
        assert!(status == 200 && shown.contains("b2b3"), "{status}");
        assert_eq!(ask(&served, "GET", "/review/games/a?as=pgn", b"").0, 404);
        assert_eq!(ask(&served, "GET", "/review/games/a?as=usi", b"").0, 200);
        assert_eq!(ask(&served, "GET", "/review/games/a?as=exe", b"").0, 404);
        assert!(ask(&served, "GET", "/review", b"").1.contains("/review/games/a"));

        let bad = body.replace("b2b3", "b2b4");
        let (status, why) = ask(&served, "PUT", "/games/a", bad.as_bytes());
        assert!(status == 400 && why.contains("move 1"), "{status} {why}");
        for path in ["/games/..%2Fa", "/games/%2e%2e", "/games/.a", "/games/a%00", "/games/a%5Cb"] {
            assert_eq!(ask(&served, "PUT", path, body.as_bytes()).0, 400, "{path}");
        }
        assert_eq!(ask(&served, "PUT", "/games/b", &vec![b' '; (1 << 20) + 1]).0, 413);
        assert_eq!(fs::read_dir(root.path().join("games")).unwrap().count(), 1);

        let usi = b"position startpos moves 7g7f\n";
        let (status, brought) = ask(&served, "POST", "/review/files?name=x.usi&game=", usi);
        assert!(status == 200 && brought.contains("/review/games/x-1"), "{status} {brought}");
        assert_eq!(ask(&served, "POST", "/review/files?name=x.usi", b"?").0, 400);
        assert_eq!(ask(&served, "POST", "/review/files?name=x.usi", &vec![b' '; (1 << 20) + 1]).0, 413);
        for path in
            ["/review/matches/..", "/review/matches/none", "/review/runs/none", "/review/runs/none/1/1"]
        {
            assert_eq!(ask(&served, "GET", path, b"").0, 404, "{path}");
        }
    }
}
