//! What must hold whatever text a parser is given: no panic, and what it reads it writes and reads back.
//!
//! The fuzz targets call this with what the fuzzer invents, `tests/parsers.rs` with spoilt positions.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    engine::{EngineConfig, Session},
    net::{Model, ModelFile},
    rules::{Game, GameId, RuleSet, Setup},
    selfplay::{Journal, RecordMeta},
    store::Container,
    train::RunConfig,
};

fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

/// Reads `text` as a position of `G` under each of its rule sets. True if it is one.
pub fn position<G: Game>(text: &str) -> bool {
    let rule_sets = G::ID.rule_sets().iter();
    let games: Vec<G> = rule_sets.filter_map(|&rules| G::from_fen(rules, text).ok()).collect();
    // But for janggi, where a side in check may end the game by a pass, if its rules know facing kings.
    let is_any = games.is_empty() || games.len() == G::ID.rule_sets().len();
    assert!(is_any || G::ID == GameId::Janggi, "positions know no rule sets");
    for game in &games {
        let fen = game.fen();
        let again = G::from_fen(game.rules(), &fen).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((again.fen(), again.key(), again.is_check()), (fen, game.key(), game.is_check()));
        let moves = legal_moves(game);
        assert_eq!(moves, legal_moves(&again));
        assert_eq!(game.outcome().is_some(), moves.is_empty());
        // A count in the FEN may have ended the game; perft knows no such limits.
        assert!(moves.is_empty() || game.perft(1) == moves.len() as u64);
        for mv in moves {
            let mut next = game.clone();
            next.play(mv);
            let read = G::from_fen(game.rules(), &next.fen()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(read.key(), next.key());
        }
        assert!(!game.board().is_empty());
    }
    !games.is_empty()
}

/// Plays the words of `text` from the start of `G`: a number picks one of the legal moves, any other word is
/// read as a move. Returns how many moves were played.
pub fn moves<G: Game>(rules: RuleSet, text: &str) -> u32 {
    // The standard set-up draws nothing from the generator.
    let mut game = G::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0));
    for word in text.split_whitespace() {
        let legal = legal_moves(&game);
        let word = match word.parse::<usize>() {
            Ok(number) if !legal.is_empty() => legal[number % legal.len()].to_string(),
            _ => word.to_owned(),
        };
        match game.parse_move(&word) {
            Ok(mv) => {
                assert!(legal.contains(&mv));
                game.play(mv);
            }
            Err(_) => assert!(legal.iter().all(|mv| mv.to_string() != word)),
        }
    }
    game.ply()
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
    model_file(&Container::new("checkpoint").with("meta", first.to_vec()).with("weights", rest.to_vec()));
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
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk() else { return (bytes, &[]) };
    rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()))
}

/// Reads `bytes` as weights. True if they are.
pub fn weights(bytes: &[u8]) -> bool {
    let Ok(model) = Model::from_bytes(bytes) else { return false };
    assert!(model.weights().iter().all(|weight| weight.is_finite()));
    assert!(Model::from_bytes(&model.to_bytes()).expect("what was written") == model);
    true
}

/// Reads `text` as a run's config. True if it is one.
pub fn config(text: &str) -> bool {
    let Ok(config) = RunConfig::parse(text, &[]) else { return false };
    assert_eq!(RunConfig::parse(&config.to_toml(), &[]).expect("what was written"), config);
    true
}

/// Whose journals [`journal`] reads.
pub fn journal_meta() -> RecordMeta {
    RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 1, 0, 0)
}

/// Reads `bytes` as a journal of games in `folder`. Returns how many of its games are kept, and whether the journal was
/// put aside for its damage; `None` if it is of another run, and then left as it is.
pub fn journal(bytes: &[u8], folder: &std::path::Path) -> Option<(usize, bool)> {
    let path = folder.join("gen-000001.journal");
    std::fs::write(&path, bytes).expect("a folder that can be written");
    let games = Journal::open(folder, &journal_meta()).ok().map(|(_, games)| games.len());
    let aside = folder.join("gen-000001.journal.damaged");
    let is_damaged = aside.exists();
    if is_damaged {
        assert_eq!(std::fs::read(&aside).expect("the file is there"), bytes);
        std::fs::remove_file(aside).expect("a folder that can be written");
    }
    if games.is_none() {
        assert_eq!(std::fs::read(&path).expect("the file is there"), bytes);
    }
    let again = Journal::open(folder, &journal_meta()).ok().map(|(_, games)| games.len());
    assert_eq!(again, games, "what is kept reads");
    games.map(|games| (games, is_damaged))
}

/// Reads `bytes` as the games of a journal whose header and checksums are right, each with two bytes of length
/// before it. As [`journal`].
pub fn sealed_journal(mut bytes: &[u8], folder: &std::path::Path) -> Option<(usize, bool)> {
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
    journal(&file, folder)
}

/// What an engine says, kept for us.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Has a conversation with the engine in the lines of `text`. It answers every `isready` and never says more answers than
/// it was asked for.
pub fn protocol(text: &str) {
    let heard = Heard::default();
    let mut session = Session::new(EngineConfig::default(), Box::new(heard.clone()), Box::new(io::sink()))
        .expect("no net was named");
    let first_word = |line: &str| line.split_ascii_whitespace().next().unwrap_or_default().to_owned();
    // Threads and memory are the machine's affair.
    let is_heavy =
        |line: &&str| first_word(line) == "setoption" && line.bytes().any(|byte| byte.is_ascii_digit());
    let lines = || text.lines().filter(|line| !is_heavy(line)).chain(["isready"]);
    for line in lines() {
        session.hear(line);
    }
    session.end();
    let said = String::from_utf8(heard.0.lock().expect("nobody panicked").clone()).expect("UTF-8");
    let count =
        |words: &[&str]| said.lines().filter(|line| words.contains(&first_word(line).as_str())).count();
    let asked = |word: &str| lines().filter(|line| first_word(line) == word).count();
    assert_eq!(count(&["readyok"]), asked("isready"));
    assert!(count(&["bestmove", "nobestmove", "checkmate"]) <= asked("go"));
}
