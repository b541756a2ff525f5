//! What other programs write of xiangqi and janggi is read: text in their encodings, short positions, moves in every
//! form that fits one legal move, Chinese PGN, WXF files and DhtmlXQ.

use std::fs;

use super::sanki;
use encoding_rs::{BIG5, GB18030, SHIFT_JIS};
use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::{
        notation::{Convention, Notate, Style, read, read_all, write},
        records::{Format, Given, Record},
        rules::{
            Game, GameId, RuleSet, Setup, Side, Verdict,
            janggi::Janggi,
            shogi::Shogi,
            xiangqi::{Minixiangqi, Xiangqi},
        },
    },
    with_game,
};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// `(fen, text, move in UCI)`.
fn are_read<G: Notate>(cases: &[(&str, &str, &str)]) {
    for &(fen, text, uci) in cases {
        let game = G::from_fen(G::ID.rule_sets()[0], fen).expect(fen);
        let found = read(&game, None, text).map(|mv| mv.to_string());
        assert_eq!(found.as_deref(), Ok(uci), "{text} at {fen}");
    }
}

#[test]
fn a_text_that_one_legal_move_fits_is_that_move() {
    let tandem = "3k5/9/9/2P1P4/2P1P4/9/9/9/9/4K4 w - - 0 1";
    let cannons = "4k4/9/9/9/2C6/9/2C6/9/9/3K5 w - - 0 1";
    let five = "4k4/2P6/2P6/2P6/2P6/2P6/9/9/9/3K5 w - - 0 1";
    are_read::<Xiangqi>(&[
        (START, "士四进五", "f1e2"),
        (START, "仕4進5", "f1e2"),
        (START, "象三进五", "g1e3"),
        (START, "卒七进一", "c4c5"),
        (START, "包二平五", "h3e3"),
        (START, "Hb1c3", "b1c3"),
        (START, "Nb1-c3", "b1c3"),
        (START, "N1c3", "b1c3"),
        (START, "Bg1e3", "g1e3"),
        (START, "Mge3", "g1e3"),
        (START, "Ch3-e3+", "h3e3"),
        (START, "ch3e3", "h3e3"),
        (START, "H3-E3", "h3e3"),
        (START, "c2.5", "h3e3"),
        (START, "C2=5", "h3e3"),
        (START, "N2+3", "h1g3"),
        (START, "M3+5", "g1e3"),
        (START, "G4+5", "f1e2"),
        (tandem, "15+1", "e7e8"),
        (tandem, "25=4", "e6f6"),
        (tandem, "7+=8", "c7b7"),
        (tandem, "P5-=4", "e6f6"),
        (tandem, "前5进1", "e7e8"),
        (cannons, "+C.9", "c6a6"),
        (cannons, "C-.9", "c4a4"),
        (cannons, "前炮平9", "c6a6"),
        (cannons, "炮後平9", "c4a4"),
        (five, "37.8", "c7b7"),
        (five, "Pc.8", "c7b7"),
        (five, "三兵平八", "c7b7"),
    ]);
    let janggi = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";
    are_read::<Janggi>(&[
        (janggi, "H02-83", "b1c3"),
        (janggi, "N02-83", "b1c3"),
        (janggi, "Hb1c3", "b1c3"),
        (janggi, "79병78", "i4h4"),
        (janggi, "졸79-78", "i4h4"),
        (janggi, "０２마８３", "b1c3"),
        (janggi, "Pa4-b4", "a4b4"),
    ]);
    let shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let hand = "4k4/9/9/9/9/9/9/9/4K4 b B 1";
    are_read::<Shogi>(&[
        (shogi, "P7g-7f", "c3c4"),
        (shogi, "P77-76", "c3c4"),
        (shogi, "P76", "c3c4"),
        (shogi, "Pc4", "c3c4"),
        (shogi, "Pc3-c4", "c3c4"),
        (shogi, "７六歩（７７）", "c3c4"),
        (hand, "５五角打(00)", "B@e5"),
        (hand, "B'55", "B@e5"),
        (hand, "５五角", "B@e5"),
    ]);
}

#[test]
fn what_several_moves_fit_is_refused_and_they_are_named() {
    let game = Xiangqi::from_fen(RuleSet::Axf, START).unwrap();
    assert_eq!(read(&game, None, "Ae2").unwrap_err().why, "several legal moves fit it: d1e2 f1e2");
    for text in
        ["", "+", "炮", "C2", "C2.", "H9+", "前", "兵五", "e", "e10", "C2.55", "X2.5", "é", "炮二平五五"]
    {
        assert!(read(&game, None, text).is_err(), "{text}");
    }
}

/// Letters, digits and characters of all notations in any order.
#[test]
fn no_text_makes_a_reader_panic() {
    let letters: Vec<char> =
        "KABNRCPSGHEabcdefghi0123456789+-=.x*@'#()前后中进平退炮馬兵졸마同歩打成５ ".chars().collect();
    let rng = &mut Rng::seed_from_u64(3);
    for id in GameId::ALL {
        with_game!(id, G => {
            let game = G::start(id.rule_sets()[0], Setup::Standard, rng);
            for _ in 0..2000 {
                let length = rng.random_range(0..9);
                let text: String = (0..length).map(|_| letters[rng.random_range(0..letters.len())]).collect();
                let _ = read(&game, None, &text);
                let _ = read_all(&game, &[&text], &[], &Convention::all::<G>());
            }
        });
    }
    for format in Format::ALL {
        for _ in 0..3000 {
            let length = rng.random_range(0..60);
            let mut text: String = (0..length).map(|_| letters[rng.random_range(0..letters.len())]).collect();
            if length % 2 == 0 {
                text = format!("[DhtmlXQ][DhtmlXQ_movelist]{text}[/DhtmlXQ_movelist]\nSTART{{ {text} }}END");
            }
            let _ = format.read(&text, Given::default());
        }
    }
}

#[test]
fn whether_ranks_begin_with_0_is_found_from_all_moves() {
    let read = |moves: &str| {
        let game = Xiangqi::from_fen(RuleSet::Axf, START).unwrap();
        let texts: Vec<&str> = moves.split(' ').collect();
        read_all(&game, &texts, &[], &Convention::all::<Xiangqi>()).map(|line| {
            (line.convention, line.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        })
    };
    let moves = "h3e3 h10g8 h1g3".to_owned();
    assert_eq!(read("h3e3 h10g8 h1g3"), Ok((Convention::Usual, moves.clone())));
    assert_eq!(read("h2e2 h9g7 h0g2"), Ok((Convention::RanksFromZero, moves.clone())));
    assert_eq!(read("H2-E2 H9-G7 H0-G2"), Ok((Convention::RanksFromZero, moves.clone())));
    assert_eq!(read("C28-58 H21-33 H210-38").map(|(_, read)| read), Ok(moves));
    assert_eq!(read("h2e2 h10g8").unwrap_err().number, 2);
}

fn one(format: Format, text: &str) -> Record {
    format.read(text, Given::default()).unwrap_or_else(|error| panic!("{error:#}\n{text}")).remove(0)
}

const CHINESE: &str = "[Game \"Chinese Chess\"]\r\n[Event \"某赛\"]\r\n[Round \"第一轮\"]\r\n[RedTeam \"甲队\"]\r\n\
    [Red \"甲\"]\r\n[Black \"乙\"]\r\n[Result \"1/2-1/2\"]\r\n[ECCO \"C65\"]\r\n\r\n  1. 炮二平五  马８进７    2. 马二进三  \
    车９平８\r\n  3. 兵七进一  卒７进１\r\n  1/2-1/2\r\n";

#[test]
fn chinese_pgn_is_read_in_every_encoding() {
    let traditional = CHINESE
        .replace('马', "馬")
        .replace('车', "車")
        .replace('进', "進")
        .replace('队', "隊")
        .replace('赛', "賽");
    for (text, bytes) in [
        (CHINESE, CHINESE.as_bytes().to_vec()),
        (CHINESE, [b"\xef\xbb\xbf", CHINESE.as_bytes()].concat()),
        (CHINESE, GB18030.encode(CHINESE).0.into_owned()),
        (&traditional, BIG5.encode(&traditional).0.into_owned()),
        (CHINESE, CHINESE.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ] {
        for name in ["a.pgn", "a.txt"] {
            let format = Format::of(name, &bytes).expect("a PGN");
            let record = one(format, &format.decode(&bytes).unwrap());
            assert_eq!(record.game, GameId::Xiangqi);
            assert_eq!(record.players, ["甲", "乙"]);
            assert_eq!(record.moves.join(" "), "h3e3 h10g8 h1g3 i10h10 c4c5 g7g6", "{text}");
            assert_eq!(record.outcome.map(|outcome| outcome.verdict), Some(Verdict::Draw));
        }
    }
}

#[test]
fn pgn_keeps_the_tags_of_others() {
    let again = Format::Pgn.write(&one(Format::Pgn, CHINESE)).unwrap();
    for tag in
        ["[Event \"某赛\"]", "[Round \"第一轮\"]", "[RedTeam \"甲队\"]", "[ECCO \"C65\"]", "[Site \"?\"]"]
    {
        assert_eq!(again.matches(tag).count(), 1, "{tag}\n{again}");
    }
    assert!(!again.contains("[Red "), "{again}");
    assert_eq!(one(Format::Pgn, &again), one(Format::Pgn, CHINESE));
}

#[test]
fn pgn_of_other_programs_is_read() {
    let pgn = |text: &str| one(Format::Pgn, text).moves.join(" ");
    let red =
        "[Variant \"xiangqi\"]\n[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR r - - 0 1\"]\n\n";
    assert_eq!(pgn(&format!("{red}1. 炮八平五 炮８平５ *")), "b3e3 h8e8");
    assert_eq!(
        pgn("[Variant \"xiangqi\"]\n\n1.g3g4 b9c7 2.h0g2 c6c5\n3.c0e2 {E43}  *\n"),
        "g4g5 b10c8 h1g3 c7c6 c1e3"
    );
    assert_eq!(pgn("[Red \"a\"]\n[Format \"ICCS\"]\n1. H2-E2 H9-G7\n2. H0-G2 1-0"), "h3e3 h10g8 h1g3");
    assert_eq!(pgn("[Game \"Chinese Chess\"]\n１．炮二平五 炮８平５！ 2. … 马二进三 0-1"), "h3e3 h8e8 h1g3");
    let tandem = "[Variant \"Xiangqi\"]\n[FEN \"3k5/9/9/2P1P4/2P1P4/9/9/9/9/4K4 w - - 0 1\"]\n\n";
    assert_eq!(pgn(&format!("{tandem}1. 15+1 *")), "e7e8");
    let triple = "[Variant \"Xiangqi\"]\n[FEN \"4k4/9/2P3P2/2P3P2/2P6/9/9/9/9/3K5 w - - 0 1\"]\n\n";
    assert_eq!(pgn(&format!("{triple}1. 77.8 *")), "c7b7");
    assert_eq!(pgn("[Variant \"Janggi\"]\n\n1. H02-83 *"), "b1c3");
}

#[test]
fn what_stands_behind_a_game_is_told() {
    let text = "[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进7\n棋谱由某处生成\n";
    let record = one(Format::Pgn, text);
    assert_eq!((record.moves.len(), record.outcome), (2, None));
    let error =
        Format::Pgn.read("[Game \"Chinese Chess\"]\n\n1. 炮二平五 马8进9进\n", Given::default()).unwrap_err();
    assert!(format!("{error:#}").contains("move 2"), "{error:#}");
}

#[test]
fn files_of_the_world_federation_are_read() {
    let text = "FORMAT  WXF\nRED     one ; 1200 ;;\nBLACK   two ; 1240 ;;\nRESULT  0-1\nDATE    2020-02-02\nEVENT   a game\n\
                START{\n 1. C2.5 h8+7   2. H2+3 r9=8\n 3.P7+1 p7+1 }END\n";
    let record = one(Format::of("x", text.as_bytes()).expect("WXF"), text);
    assert_eq!(record.players, ["one", "two"]);
    assert_eq!(record.moves.join(" "), "h3e3 h10g8 h1g3 i10h10 c4c5 g7g6");
    assert_eq!(record.outcome.map(|outcome| outcome.verdict), Some(Verdict::Win(Side::Second)));
    assert!(Format::Pgn.write(&record).unwrap().contains("[Event \"a game\"]"));
    let position = "FORMAT\t\tWXF\nGAME\t\nRED\t\t;;;\nFEN\t\trheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b\n\nSTART{\n}END\n";
    let both = format!("{position}\n{text}");
    let records = Format::Wxf.read(&both, Given::default()).unwrap();
    assert_eq!(records.len(), 2);
    assert!(records[0].moves.is_empty() && records[0].start.contains(" b "));
    assert!(Format::Wxf.read("FORMAT WXF\nSTART{ C2.9 }END", Given::default()).is_err());
}

#[test]
fn dhtmlxq_is_read() {
    let binit = "0919293949596979891777062646668600102030405060708012720323436383";
    let text = format!(
        "[DhtmlXQ]\n[DhtmlXQ_title]某局[/DhtmlXQ_title]\n[DhtmlXQ_red]甲[/DhtmlXQ_red]\n[DhtmlXQ_black]乙[/DhtmlXQ_black]\n\
         [DhtmlXQ_result]红胜[/DhtmlXQ_result]\n[DhtmlXQ_binit]{binit}[/DhtmlXQ_binit]\n\
         [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n"
    );
    let bytes = GB18030.encode(&text).0.into_owned();
    let format = Format::of("x.txt", &bytes).expect("DhtmlXQ");
    let record = one(format, &format.decode(&bytes).unwrap());
    assert_eq!(record.players, ["甲", "乙"]);
    assert_eq!(record.moves.join(" "), "h3e3 h10g8");
    assert_eq!(record.start, START);
    assert_eq!(record.outcome.map(|outcome| outcome.verdict), Some(Verdict::Win(Side::First)));
    // A title of two lines is one line elsewhere.
    let two_lines = one(format, &text.replace("某局", "某\n\"局\\"));
    let again = one(Format::Pgn, &Format::Pgn.write(&two_lines).unwrap());
    assert_eq!(again.moves, record.moves);
    assert!(again.tags.contains(&("Title".to_owned(), "某 \"局\\".to_owned())), "{:?}", again.tags);
    // In a page, with variations and black to move.
    let gone = "9".repeat(46);
    let page = format!("<div>[DhtmlXQ_binit]0999999949999999{gone}99[/DhtmlXQ_binit]</div>");
    assert!(format.read(&page, Given::default()).is_err(), "a king is missing");
    let tree = "<script>var DhtmlXQ_movelist = '[DhtmlXQ_movelist][0_1_0]7967[/0_1_0][0_1_1]7062[/0_1_1][/DhtmlXQ_movelist]';";
    assert_eq!(one(format, tree).moves, ["h1g3"]);
    for bad in ["7", "77a7", "7747706", "9977", "7777"] {
        let text = format!("[DhtmlXQ_movelist]{bad}[/DhtmlXQ_movelist]");
        assert!(format.read(&text, Given::default()).is_err(), "{bad}");
    }
}

/// Every game goes out in each of its notations and comes back.
#[test]
fn random_games_come_back_in_every_notation() {
    fn check<G: Notate>() {
        for seed in 0..20 {
            let rng = &mut Rng::seed_from_u64(seed);
            let start = G::start(G::ID.rule_sets()[0], Setup::Drawn, rng);
            let (mut game, mut last, mut played) = (start.clone(), None, Vec::new());
            let mut texts: Vec<Vec<String>> = vec![Vec::new(); G::STYLES.len()];
            while game.outcome().is_none() && game.ply() < 100 {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                let mv = moves[rng.random_range(0..moves.len())];
                for (texts, &style) in texts.iter_mut().zip(G::STYLES) {
                    texts.push(write(&game, last, mv, style));
                }
                game.play(mv);
                last = Some(mv);
                played.push(mv);
            }
            for (texts, style) in texts.iter().zip(G::STYLES) {
                let line = read_all(&start, texts, &[], &Convention::all::<G>());
                assert_eq!(line.map(|line| line.moves).as_ref(), Ok(&played), "{style} {seed}");
            }
            // As others write: ranks from 0, both squares, capitals.
            if G::RANKS == 10 {
                let squares = |text: &str| {
                    sanki::games::notation::map_squares(text, |file, rank| format!("{file}{}", rank - 1))
                };
                let texts: Vec<String> =
                    played.iter().map(|mv| squares(&mv.to_string()).to_uppercase()).collect();
                let line = read_all(&start, &texts, &[Style::San], &Convention::all::<G>());
                assert_eq!(line.map(|line| line.moves).as_ref(), Ok(&played), "{seed}");
            }
        }
    }
    check::<Xiangqi>();
    check::<Minixiangqi>();
    check::<Janggi>();
    check::<Shogi>();
}

#[test]
fn every_command_reads_alike() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let shows = |args: &[&str]| {
        let (code, text) = sanki(at, &[&["show"], args].concat());
        assert_eq!(code, 0, "{args:?}: {text}");
        text
    };
    let board = START.split(' ').next().unwrap();
    for fen in [board.to_owned(), format!("{board} r"), format!("  {board}   w - -  0 1")] {
        assert!(shows(&["--game", "xiangqi", "--fen", &fen]).contains(START), "{fen}");
        let (code, text) = sanki(at, &["perft", "--game", "xiangqi", "--fen", &fen, "--depth", "2"]);
        assert!(code == 0 && text.starts_with("1920 "), "{text}");
    }
    let after = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
    for moves in ["C2=5 h8+7", "h2e2 h9g7", "炮二平五 马8进7", "H2-E2 H9-G7", "Che3 Hg8"] {
        assert!(shows(&["--game", "xiangqi", "--moves", moves]).contains(after), "{moves}");
    }
    assert!(shows(&["--game", "shogi", "--fen", "4k4/9/9/9/9/9/9/9/4K4"]).contains(" w - - 0 1"));
    // A list of moves, with a mark before it and in another encoding.
    for (name, bytes) in [
        ("a.txt", b"\xef\xbb\xbf1. C2=5 h8+7 2. H2+3 r9=8".to_vec()),
        ("b.txt", GB18030.encode("1. 炮二平五 马8进7 2. 马二进三 车9平8").0.into_owned()),
    ] {
        fs::write(at.join(name), bytes).unwrap();
        let (code, text) = sanki(at, &["analyse", name, "--game", "xiangqi", "--sims", "1", "--json"]);
        assert!(code == 0 && text.contains("\"i10h10\""), "{text}");
        let written = format!("{name}.pgn");
        let (code, text) = sanki(at, &["convert", name, "--game", "xiangqi", "-o", &written]);
        let pgn = fs::read_to_string(at.join(written)).unwrap_or_default();
        assert!(code == 0 && pgn.contains("1. Che3 Hg8 2. Hg3 Rh10 *"), "{text}\n{pgn}");
    }
    fs::write(at.join("c.txt"), "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]").unwrap();
    let (code, text) = sanki(at, &["convert", "c.txt", "-o", "c.pgn"]);
    assert_eq!(code, 0, "{text}");
    for (name, why) in [("d.xqf", "binary format"), ("a.txt", "tells its format"), ("d.docx", "cannot read")]
    {
        let (code, text) = sanki(at, &["convert", name, "-o", "d.pgn"]);
        assert!(code > 0 && text.contains(why), "{name}: {text}");
    }
    let (code, text) = sanki(at, &["convert", "c.pgn", "-o", "d.wxf"]);
    assert!(code == 2 && text.contains("only be read"), "{text}");
    let record = SHIFT_JIS.encode("position startpos moves 7g7f 3c3d\n").0.into_owned();
    fs::write(at.join("marked.usi"), [b"\xef\xbb\xbf", &record[..]].concat()).unwrap();
    let (code, text) = sanki(at, &["convert", "marked.usi", "-o", "marked.csa"]);
    assert_eq!(code, 0, "{text}");
    fs::write(at.join("openings"), format!("\u{feff}{board} r moves C2=5 h8+7\nstartpos moves h2e2\n"))
        .unwrap();
    let (code, text) = sanki(
        at,
        &[
            "match",
            "random",
            "random",
            "--game",
            "xiangqi",
            "--openings",
            "openings",
            "--games",
            "2",
            "--out",
            "m",
        ],
    );
    assert_eq!(code, 0, "{text}");
}

#[test]
fn positions_of_composed_problems_are_played() {
    let fen = "p3k4/9/9/9/9/9/P8/9/9/3K4P w - - 0 1";
    let mut game = Xiangqi::from_fen(RuleSet::Axf, fen).unwrap();
    assert!(game.unusual().is_some_and(|why| why.contains("a10")), "{:?}", game.unusual());
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["a4a5", "i1i2", "d1d2"]);
    game.play(moves[1]);
    assert!(read(&game, None, "a10a9").is_ok() && read(&game, None, "a10b10").is_err());
}
