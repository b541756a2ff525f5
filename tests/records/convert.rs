//! Records in the formats of other programs: what is written is read back, theirs are read, and `sanki convert`.

use std::{fs, path::Path};

use super::sanki;
use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::{
        notation::{Notate, sfen},
        records::{Format, Given, Record, guess},
        rules::{GameId, Outcome, Reason, RuleSet, Setup, Side, Verdict, shogi::Shogi, xiangqi::Xiangqi},
    },
    with_game,
};

/// A random game, resigned by the side to move if it is not over by then; from a position of its own if `later`.
fn random_game<G: Notate>(seed: u64) -> Record {
    let mut rng = Rng::seed_from_u64(seed);
    let rules = G::ID.rule_sets()[0];
    let mut game = G::start(rules, Setup::Drawn, &mut rng);
    let mut moves = Vec::new();
    let mut play = |game: &mut G, plies: usize| -> Vec<String> {
        let mut texts = Vec::new();
        while game.outcome().is_none() && texts.len() < plies {
            moves.clear();
            game.legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            texts.push(mv.to_string());
            game.play(mv);
        }
        texts
    };
    // Some begin in the middle of a game, with either side to move.
    play(&mut game, seed as usize % 4 * 7);
    let mut game = G::from_fen(rules, &game.fen()).expect("our own FEN");
    let start = game.fen();
    let moves = play(&mut game, 120);
    let resigned = Outcome::win(!game.side_to_move(), Reason::Resignation);
    Record {
        game: G::ID,
        rules,
        number: 1,
        opening: None,
        tags: Vec::new(),
        players: ["one".to_owned(), "two \"2\" \\".to_owned()],
        start,
        moves,
        outcome: Some(game.outcome().unwrap_or(resigned)),
    }
}

fn is_read_back(format: Format, record: &Record) {
    let text = format.write(record).expect("a game that can be played");
    let read = format.read(&text, Given::default()).unwrap_or_else(|error| panic!("{error:#}\n{text}"));
    let [read] = &read[..] else { panic!("{} games\n{text}", read.len()) };
    // The counters of a FEN are in PGN alone, and USI has neither names nor results.
    assert_eq!((read.game, &read.moves), (record.game, &record.moves), "{text}");
    let position = |fen: &str| fen.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let hands = |fen: &str| {
        let mut letters: Vec<char> = position(fen).chars().collect();
        letters.sort_unstable();
        letters
    };
    assert_eq!(hands(&read.start), hands(&record.start), "{text}");
    if format != Format::Usi {
        assert_eq!((&read.players, read.outcome), (&record.players, record.outcome), "{text}");
    }
    if format == Format::Pgn {
        assert_eq!(read, record);
    }
}

#[test]
fn records_are_read_back_move_for_move() {
    for format in Format::ALL {
        for game in format.games() {
            for seed in 0..20 {
                is_read_back(format, &with_game!(game, G => random_game::<G>(seed)));
            }
        }
    }
}

/// Our own files may be written by hand.
#[test]
fn a_start_is_written_as_our_own_fen_however_it_is_given() {
    for seed in 0..4 {
        let record = random_game::<Shogi>(seed);
        let given = Record { start: sfen(&record.start), ..record.clone() };
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Usi] {
            assert_eq!(format.write(&given).expect("a game"), format.write(&record).expect("a game"));
        }
        let record = random_game::<Xiangqi>(seed);
        let broken = Record { start: record.start.replace(' ', "\n"), ..record.clone() };
        assert_eq!(Format::Pgn.write(&broken).expect("a game"), Format::Pgn.write(&record).expect("a game"));
    }
    let record = random_game::<Shogi>(0);
    let no_start = Record { start: "x".to_owned(), ..record.clone() };
    let other_rules = Record { rules: RuleSet::Axf, ..record };
    for (bad, why) in [(no_start, "'x'"), (other_rules, "axf is no rule set of shogi")] {
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Usi] {
            let error = format!("{:#}", format.write(&bad).expect_err(why));
            assert!(error.contains(why), "{error}");
        }
    }
}

#[test]
fn every_end_is_read_back() {
    let game = random_game::<Shogi>(0);
    for reason in Reason::ALL {
        for verdict in [Verdict::Draw, Verdict::Win(Side::First), Verdict::Win(Side::Second)] {
            let outcome = Some(Outcome { verdict, reason, points: None });
            let game = Record { outcome, ..game.clone() };
            is_read_back(Format::Kif, &game);
            is_read_back(Format::Ki2, &game);
            is_read_back(Format::Csa, &game);
        }
    }
    for (format, words) in [(Format::Kif, "投了"), (Format::Csa, "%TORYO")] {
        let loser = if game.moves.len().is_multiple_of(2) { Side::First } else { Side::Second };
        let outcome = Some(Outcome::win(!loser, Reason::Resignation));
        assert!(format.write(&Record { outcome, ..game.clone() }).unwrap().contains(words));
    }
}

fn sample(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    fs::read_to_string(folder.join(name)).expect("a sample")
}

/// Written by pyffish 0.0.90 and tsshogi 2.2.0 from random games of pyffish.
#[test]
fn records_of_other_programs_are_read() {
    let games = Format::Pgn.read(&sample("pyffish.pgn"), Given::default()).expect("games");
    let moves: Vec<String> = games.iter().map(|game| game.moves.join(" ")).collect();
    assert_eq!(moves, sample("pyffish.txt").lines().collect::<Vec<_>>());
    assert_eq!(games[0].players, ["one", "two"]);
    assert_eq!(games[5].game, GameId::Minixiangqi);

    let usi = &Format::Usi.read(&sample("shogi.usi"), Given::default()).expect("a game")[0];
    let kif = &Format::Kif.read(&sample("tsshogi.kifu"), Given::default()).expect("a game")[0];
    let csa = &Format::Csa.read(&sample("tsshogi.csa"), Given::default()).expect("a game")[0];
    assert!(usi.moves.len() > 100);
    assert_eq!((&kif.moves, &csa.moves), (&usi.moves, &usi.moves));
}

#[test]
fn pgn_is_read_as_people_write_it() {
    let text = "\u{feff}[Variant \"xiangqi\"]\n[Result \"*\"]\n\n; a line\n1.C2.5 {red\n(1) } (1. h3h4 (1. b1c3) {)}) $1 H8+7 2. 马二进三!\n\n";
    let games = Format::Pgn.read(text, Given::default()).expect("a game");
    assert_eq!(games[0].moves, ["h3e3", "h10g8", "h1g3"]);
    assert_eq!(games[0].outcome, None);
    for (text, why) in [
        ("[Variant \"xiangqi\"]\n1. h3h3 *", "move 1"),
        ("[Variant \"xiangqi\"]\n1. h3e3 {", "a comment has no end"),
        ("[Variant \"xiangqi\"]\n1. h3e3 (2. a", "a variation has no end"),
        ("[Variant \"go\"]\n*", "unknown game 'go'"),
        ("1. e4 e5", "no tag Variant"),
        ("[Variant xiangqi]", "is no tag"),
    ] {
        let error = format!("{:#}", Format::Pgn.read(text, Given::default()).unwrap_err());
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn what_is_no_record_of_shogi_is_refused() {
    for (format, text, why) in [
        (Format::Csa, "PI\n+\n-7776FU\n", "not to move"),
        (Format::Csa, "PI\n+\n+7775FU\n", "not legal"),
        (Format::Csa, "P1-XX\n", "no such piece"),
        (Format::Csa, "hello\n", "no line of CSA"),
        (Format::Csa, "P+00FU0\u{3042}\n", "no square and piece"),
        (Format::Kif, "手合割：百枚落ち\n1 ３四歩(33)\n", "not known"),
        (Format::Kif, "   1 ７五歩(77)\n", "move 1"),
        (Format::Kif, "後手の持駒：歩二十\n|v香 ・ ・ ・ ・ ・ ・ ・ ・|\n", "cannot be held"),
        (Format::Kif, "|v香 ・ ・ ・ ・ ・ ・ ・ ・|\n", "king"),
        (Format::Usi, "go infinite\n", "begins with neither"),
        (Format::Usi, "position startpos moves 7g7e\n", "move 1"),
        (Format::Usi, "position sfen 8/8 b - 1\n", "has 2 ranks"),
    ] {
        let error = format!("{:#}", format.read(text, Given::default()).expect_err(text));
        assert!(error.contains(why) || why == "king" && error.contains("'k'"), "{error}");
    }
}

#[test]
fn the_game_is_known_by_its_moves() {
    for game in GameId::ALL {
        let record = with_game!(game, G => random_game::<G>(1));
        assert_eq!(guess(&record.start, &record.moves), Some(game));
    }
    assert_eq!(guess("8/8 w", &[]), None);
}

#[test]
fn the_program_converts_there_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = |game: &str| {
        let (code, text) = sanki(
            at,
            &[
                "match",
                "random",
                "uniform@sims=2",
                "--game",
                game,
                "--games",
                "4",
                "--seed",
                "3",
                "--out",
                game,
            ],
        );
        assert_eq!(code, 0, "{text}");
    };
    let ok = |args: &[&str]| {
        let (code, text) = sanki(at, &[&["convert"], args].concat());
        assert_eq!(code, 0, "{args:?}: {text}");
    };
    let games = |name: &str| -> Vec<serde_json::Value> {
        let text = fs::read_to_string(at.join(name)).expect("a file");
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        let mut games: Vec<_> = lines.collect();
        games.sort_by_key(|game| game["number"].as_u64());
        games
    };
    play("janggi");
    ok(&["janggi/games.jsonl", "-o", "a.pgn"]);
    ok(&["a.pgn", "-o", "b.jsonl"]);
    let (before, after) = (games("janggi/games.jsonl"), games("b.jsonl"));
    assert_eq!((before.len(), after.len()), (4, 4));
    for (before, after) in before.iter().zip(&after) {
        for key in ["number", "opening", "first", "second", "start", "moves", "result", "reason", "points"] {
            assert_eq!(before[key], after[key], "{key}");
        }
    }
    let (code, text) = sanki(at, &["convert", "b.jsonl", "-o", "a.pgn"]);
    assert!(code == 1 && text.contains("exists already"), "{text}");

    play("shogi");
    let (code, text) = sanki(at, &["convert", "shogi/games.jsonl", "-o", "one.kif"]);
    assert!(code == 2 && text.contains("holds one game, not 4"), "{text}");
    ok(&["shogi/games.jsonl", "-o", "{}.kif"]);
    ok(&["shogi/games.jsonl", "-o", "made/for {}/game.kif"]);
    assert_eq!(fs::read(at.join("made/for 0002/game.kif")).unwrap(), fs::read(at.join("0002.kif")).unwrap());
    ok(&["0001.kif", "0002.kif", "0003.kif", "0004.kif", "-o", "{}.csa"]);
    ok(&["0001.csa", "0002.csa", "0003.csa", "0004.csa", "-o", "c.jsonl"]);
    let (before, after) = (games("shogi/games.jsonl"), games("c.jsonl"));
    assert_eq!((before.len(), after.len()), (4, 4));
    for (before, after) in before.iter().zip(&after) {
        for key in ["first", "second", "moves", "result", "reason"] {
            assert_eq!(before[key], after[key], "{key}");
        }
    }
    let (code, text) = sanki(at, &["convert", "shogi/games.jsonl", "-o", "d.pgn"]);
    assert!(code == 1 && text.contains("shogi cannot be written in this format"), "{text}");
    let (code, text) = sanki(at, &["convert", "a.pgn", "-o", "e.txt"]);
    assert!(code == 2 && text.contains("names a format"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_utf8_names_that_file() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.usi"), "position startpos moves 7g7f\n").unwrap();
    let convert = |output: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
        command.args(["convert", "a.usi", "--game", "shogi", "-o"]).arg(OsStr::from_bytes(output));
        command.current_dir(folder.path()).output().unwrap()
    };
    let output = convert(b"\xff.usi");
    assert!(output.status.success(), "{output:?}");
    assert!(folder.path().join(OsStr::from_bytes(b"\xff.usi")).is_file());
    let output = convert(b"\xff{}.usi");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no other file is written");
}
