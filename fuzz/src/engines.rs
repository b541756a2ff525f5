//! What engines and those who ask them say to each other.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    app::engine::{EngineConfig, Session},
    arena::{EngineSpec, PlayerAction, overheard},
    games::rules::{Game, Setup},
    with_game,
};

use super::{game_of, text_of};

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
    // The engine does not hear a byte order mark.
    let first_word = |line: &str| {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        line.split_ascii_whitespace().next().unwrap_or_default().to_owned()
    };
    // Threads, memory and time are the machine's affair.
    let is_heavy = |line: &&str| {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        match first_word(line).as_str() {
            "setoption" => line.bytes().any(|byte| is_digit(&byte)),
            "go" => {
                line.contains("perft") || line.as_bytes().windows(2).any(|pair| pair.iter().all(is_digit))
            }
            _ => false,
        }
    };
    let lines = || text.lines().filter(|line| !is_heavy(line)).chain(["isready"]);
    for line in lines() {
        let _ = session.handle_line(line);
    }
    session.end();
    let said = String::from_utf8(heard.0.lock().expect("nobody panicked").clone()).expect("UTF-8");
    let count =
        |words: &[&str]| said.lines().filter(|line| words.contains(&first_word(line).as_str())).count();
    let asked = |word: &str| lines().filter(|line| first_word(line) == word).count();
    assert_eq!(count(&["readyok"]), asked("isready"));
    assert!(count(&["bestmove", "nobestmove", "checkmate"]) <= asked("go"));
}

/// What an engine of somebody else says: the first byte says in which game, the first line how the engine is named.
pub fn external(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let mut lines = text_of(rest).lines();
    let Ok(spec) = lines.next().unwrap_or_default().parse::<EngineSpec>() else { return };
    assert_eq!(spec.to_string().parse::<EngineSpec>().as_ref(), Ok(&spec), "'{spec}'");
    assert!(spec.threads() > 0);
    let id = game_of(first);
    if spec.dialect().plays(id) {
        with_game!(id, G => hear::<G>(&spec, lines));
    }
}

fn hear<'a, G: Game>(spec: &EngineSpec, lines: impl Iterator<Item = &'a str>) {
    let start = G::start(G::ID.rule_sets()[0], Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0));
    for (game, answer) in overheard(spec, start, lines) {
        match answer {
            Ok(PlayerAction::Play(mv)) => {
                let mut legal = Vec::new();
                game.legal_moves(&mut legal);
                assert!(legal.contains(&mv));
            }
            Ok(_) => {}
            Err(forfeit) => assert!(!forfeit.why.is_empty() && forfeit.why.len() < 2000),
        }
    }
}
