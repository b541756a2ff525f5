//! The assertions of the fuzz targets, on their kept corpus, and on real positions and moves with a few letters spoilt.

#[path = "../../fuzz/src/lib.rs"]
mod assertions;

use std::{fs, panic, path::Path};

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::rules::{Game, GameId, Move, Setup},
    with_game,
};

/// Texts tried for each game.
const TEXTS: usize = 20_000;
/// Letters that occur in positions, and a few that do not.
const LETTERS: [char; 34] = [
    'P', 'l', 'N', 's', 'G', 'b', 'R', 'k', 'K', 'C', 'e', 'H', '+', '/', '[', ']', '-', ' ', '0', '1', '2',
    '3', '5', '7', '9', 'w', 'b', 'x', '@', '\n', '%', 'é', '棋', '\0',
];

/// What `fuzz/run` begins with, and has kept.
#[test]
fn the_kept_corpus_is_survived() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for (name, _) in assertions::TARGETS {
        let mut read = 0;
        for entry in fs::read_dir(seeds.join(name)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let ended = panic::catch_unwind(|| assertions::run(name, &bytes));
            assert!(ended.is_ok(), "{name} fails with {}", path.display());
            read += 1;
        }
        assert!(read >= 3, "{name} has {read} inputs");
    }
}

/// Replaces, inserts and removes a letter or two.
fn spoil(text: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..3) {
        let (at, other) = (rng.random_range(0..letters.len()), rng.random_range(0..letters.len()));
        let &letter = LETTERS.choose(rng).expect("letters");
        match rng.random_range(0..4) {
            0 => letters[at] = letter,
            1 => letters.insert(at, letter),
            2 if letters.len() > 1 => drop(letters.remove(at)),
            _ => letters.swap(at, other),
        }
    }
    letters.into_iter().collect()
}

/// A position that random moves lead to.
fn wander<G: Game>(rng: &mut Xoshiro256PlusPlus) -> G {
    let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, rng);
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(0..80) {
        moves.clear();
        game.legal_moves(&mut moves);
        let Some(&mv) = moves.choose(rng) else { break };
        game.play(mv);
    }
    game
}

/// Of [`TEXTS`] positions with letters spoilt, how many are positions still.
fn spoilt_positions<G: Game>() -> usize {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    let mut read = 0;
    for _ in 0..TEXTS / 100 {
        let fen = wander::<G>(rng).fen();
        assert!(assertions::position::<G>(&fen), "{fen}");
        for _ in 0..100 {
            read += usize::from(assertions::position::<G>(&spoil(&fen, rng)));
        }
    }
    assert!((TEXTS / 100..TEXTS / 2).contains(&read), "{read} of {TEXTS} were positions");
    read
}

#[test]
fn spoilt_positions_are_refused_or_read_back() {
    let read: usize = GameId::ALL.into_iter().map(|id| with_game!(id, G => spoilt_positions::<G>())).sum();
    let tried = GameId::ALL.len() * TEXTS;
    // A row of the table in docs/robustness.md.
    println!("| mutated positions | {tried} | {read} | {} | 0 |", tried - read);
}

#[test]
fn spoilt_moves_are_refused() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    for id in GameId::ALL {
        for _ in 0..100 {
            let numbers: Vec<String> = (0..60).map(|_| rng.random_range(0..600).to_string()).collect();
            let text = spoil(&numbers.join(" a1a2 P@b2 "), rng);
            for &rules in id.rule_sets() {
                assert!(with_game!(id, G => assertions::moves::<G>(rules, &text)) > 0);
            }
        }
    }
}

/// Files whose checksums are right may hold any number in the place of a move.
#[test]
fn every_number_of_a_move_has_a_text() {
    fn check<G: Game>() {
        let game: G = wander(&mut Xoshiro256PlusPlus::seed_from_u64(3));
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        for bits in 0..=u16::MAX {
            let mv = G::Move::from_bits(bits);
            assert!(!mv.to_string().is_empty());
            assert!(mv.bits() == bits || !legal.contains(&mv), "{bits} is read as {mv}");
        }
    }
    GameId::ALL.into_iter().for_each(|id| with_game!(id, G => check::<G>()));
}

/// Flips, cuts, doubles or zeroes a few bytes.
fn spoil_bytes(bytes: &[u8], rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut spoilt = bytes.to_vec();
    let at = rng.random_range(0..spoilt.len());
    match rng.random_range(0..4) {
        0 => spoilt[at] ^= 1 << rng.random_range(0..8),
        1 => spoilt.truncate(at),
        2 => spoilt.extend_from_within(at..),
        _ => spoilt[at..].fill(0),
    }
    spoilt
}

#[test]
fn spoilt_files_are_refused_or_read_back() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(9);
    let shape = <sanki::games::rules::dobutsu::Dobutsu as sanki::games::encode::Encode>::SHAPE;
    let weights = sanki::net::Model::init(&"1x16".parse().unwrap(), shape, 1).to_bytes();
    let container =
        sanki::base::store::Container::new("checkpoint").with("weights", weights.clone()).to_bytes();
    assert!(assertions::weights(&weights) && assertions::container(&container));
    let mut other_weights = 0;
    for _ in 0..300 {
        assert!(!assertions::container(&spoil_bytes(&container, rng)), "every byte has a checksum");
        other_weights += usize::from(assertions::weights(&spoil_bytes(&weights, rng)));
    }
    assert!(other_weights < 300, "some damage shows without a checksum");

    // The same header and sections, to be given new checksums: letters 12 to 15 hold the header's length.
    let sealed = [&container[12..14], &container[20..]].concat();
    assert!(assertions::sealed_container(&sealed));
    let flipped = |at: usize| {
        let mut spoilt = sealed.clone();
        spoilt[at] ^= 1;
        spoilt
    };
    let header = 2..2 + usize::from(u16::from_le_bytes([sealed[0], sealed[1]]));
    let refused = header.clone().filter(|&at| !assertions::sealed_container(&flipped(at))).count();
    assert!((1..header.len()).contains(&refused), "{refused} of {} headers were refused", header.len());
}

#[test]
fn spoilt_configs_are_refused_or_read_back() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(10);
    let text = include_str!("../../configs/quickstart.toml");
    assert!(assertions::config(text));
    // Without the comments, where damage does nothing.
    let bare: String =
        text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    let refused = (0..500).filter(|_| !assertions::config(&spoil(&bare, rng))).count();
    assert!((100..500).contains(&refused), "{refused} of 500 were refused");
}

#[test]
fn spoilt_journals_lose_games_at_the_end_and_are_kept() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(11);
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, _) =
        sanki::training::selfplay::Journal::open(folder.path(), &assertions::journal_meta()).unwrap();
    let game = |index| sanki::training::selfplay::GameRecord {
        game: GameId::Dobutsu,
        rules: sanki::games::rules::RuleSet::Standard,
        generation: 1,
        index,
        start: "gle/1c1/1C1/ELG[-] w 0 1".into(),
        plies: Vec::new(),
        candidates: Vec::new(),
        verdict: sanki::games::rules::Verdict::Draw,
        reason: sanki::games::rules::Reason::Repetition,
        points: None,
        resigning: sanki::training::selfplay::Resigning::PlayedOut,
    };
    (0..20).for_each(|index| journal.append(&game(index)).unwrap());
    drop(journal);
    let whole = std::fs::read(folder.path().join("gen-000001.journal")).unwrap();
    assert_eq!(assertions::journal(&whole, folder.path()), Some((20, false)));
    let results: Vec<_> =
        (0..500).map(|_| assertions::journal(&spoil_bytes(&whole, rng), folder.path())).collect();
    let put_aside = results.iter().filter(|result| matches!(result, Some((_, true)))).count();
    let cut = results.iter().filter(|result| matches!(result, Some((1..20, false)))).count();
    assert!(put_aside > 50 && cut > 50 && !results.contains(&None), "{put_aside} {cut}");

    // The journal's bytes as one game: it is none, whatever its checksum says.
    let sealed = [&u16::MAX.to_le_bytes(), &whole[..]].concat();
    assert_eq!(assertions::sealed_journal(&[], folder.path()), Some((0, false)));
    assert_eq!(assertions::sealed_journal(&sealed, folder.path()), Some((0, true)));
}

#[test]
fn conversations_with_the_engine_are_survived() {
    let lines = [
        "uci",
        "usi",
        "ucci",
        "setoption name UCI_Variant value dobutsu",
        "position startpos moves b2b3",
        "position fen gle/1c1/1C1/ELG[] w - - 0 1",
        "go nodes 5",
        "go ponder",
        "go infinite",
        "ponderhit",
        "stop",
        "isready",
        "banmoves b2b3",
        "d",
    ];
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(9);
    for _ in 0..500 {
        let mut text = String::new();
        for _ in 0..20 {
            let line = *lines.choose(rng).expect("lines");
            text += &if rng.random_range(0..3) == 0 { spoil(line, rng) } else { line.to_owned() };
            text.push('\n');
        }
        assertions::protocol(&text);
    }
}
