//! Moves as players write them: every legal move has a text of its own in each style, and is read from it.

use crate::verdicts;

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::{
        notation::{Notate, Style, read, read_in, write},
        rules::{
            Game, GameId, RuleSet, Setup,
            dobutsu::Dobutsu,
            janggi::Janggi,
            shogi::{Minishogi, Shogi},
            xiangqi::{Minixiangqi, Xiangqi},
        },
    },
    with_game,
};

/// Plays random games and shows `check` each position, the move before, the legal moves and the move to come.
fn for_each_ply<G: Notate>(games: u64, mut check: impl FnMut(&G, Option<G::Move>, &[G::Move], G::Move)) {
    for seed in 0..games {
        let mut rng = Rng::seed_from_u64(seed);
        let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, &mut rng);
        let (mut last, mut moves) = (None, Vec::new());
        while game.outcome().is_none() && game.ply() < 300 {
            moves.clear();
            game.legal_moves(&mut moves);
            let mv = moves[rng.random_range(0..moves.len())];
            check(&game, last, &moves, mv);
            game.play(mv);
            last = Some(mv);
        }
    }
}

fn moves_are_read_back<G: Notate>() {
    for_each_ply(4, |game: &G, last, moves, mv| {
        for &style in G::STYLES {
            let texts: HashSet<String> = moves.iter().map(|&mv| write(game, last, mv, style)).collect();
            assert_eq!(texts.len(), moves.len(), "two moves are alike in {style}: {} {texts:?}", game.fen());
            let text = write(game, last, mv, style);
            assert_eq!(read(game, last, &text), Ok(mv), "{style} {text} at {}", game.fen());
            assert_eq!(read_in(game, last, &text, &[style]), Ok(mv), "{style} {text} at {}", game.fen());
            // Without its capitals it is that move or, in a position with two such, none.
            if let Ok(read) = read_in(game, last, &text.to_lowercase(), &[style]) {
                assert_eq!(read, mv, "{style} {text} at {}", game.fen());
            }
        }
    });
}

#[test]
fn every_legal_move_has_its_own_text_and_is_read_from_it() {
    for game in GameId::ALL {
        with_game!(game, G => moves_are_read_back::<G>());
    }
}

/// Also where a side has more of a kind than a set.
#[test]
fn every_move_of_composed_positions_has_its_own_text() {
    fn check<G: Notate>(name: &str) {
        for row in verdicts::rows::<verdicts::PositionRow>(name) {
            let game: G = verdicts::read(&row.fen);
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for &style in G::STYLES {
                let texts: HashSet<String> = moves.iter().map(|&mv| write(&game, None, mv, style)).collect();
                assert_eq!(texts.len(), moves.len(), "two moves are alike in {style}: {} {texts:?}", row.fen);
            }
            let text = write(&game, None, moves[0], G::STYLES[0]);
            assert_eq!(read(&game, None, &text), Ok(moves[0]), "{text} at {}", row.fen);
        }
    }
    check::<Xiangqi>("xiangqi_composed.jsonl.zst");
    check::<Minixiangqi>("minixiangqi_composed.jsonl.zst");
    check::<Janggi>("janggi_composed.jsonl.zst");
    check::<Shogi>("shogi_composed.jsonl.zst");
    check::<Minishogi>("minishogi_composed.jsonl.zst");
    let rooks = "4k4/9/9/9/9/9/9/RRRR2R2/RRRR2R2/5K3 w - - 0 1";
    let game: Xiangqi = verdicts::read(rooks);
    assert_eq!(write(&game, None, game.parse_move("g2h2").unwrap(), Style::Chinese), "g2h2");
}

/// Two guards, and two elephants, on a file that go the same way to the same file.
#[test]
fn guards_and_elephants_that_their_moves_do_not_tell_apart_have_no_words() {
    let red = "3k5/9/9/9/9/9/9/2B6/3A5/2BA1K3 w - - 0 1";
    let black = "3k1ab2/5a3/6b2/9/9/9/9/9/9/5K3 b - - 0 1";
    for (fen, twins) in [(red, ["d1e2", "d2e3", "c1a3", "c3a5"]), (black, ["f10e9", "f9e8", "g10i8", "g8i6"])]
    {
        let game = Xiangqi::from_fen(RuleSet::Axf, fen).expect(fen);
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        for style in [Style::Wxf, Style::Chinese] {
            let texts: HashSet<String> = moves.iter().map(|&mv| write(&game, None, mv, style)).collect();
            assert_eq!(texts.len(), moves.len(), "two moves are alike in {style}: {fen} {texts:?}");
            for twin in twins {
                assert_eq!(write(&game, None, game.parse_move(twin).expect(twin), style), twin);
            }
        }
    }
    // Where the ways differ, the words are enough.
    let usual = "3k5/9/9/9/9/9/9/3A5/9/3A1K3 w - - 0 1";
    check::<Xiangqi>(RuleSet::Axf, usual, &[(Style::Wxf, "d1e2", "A6+5"), (Style::Wxf, "d3e2", "A6-5")]);
}

/// `fen`, then `(style, the move in UCI, its text)`.
fn check<G: Notate>(rules: RuleSet, fen: &str, cases: &[(Style, &str, &str)]) {
    let game = G::from_fen(rules, fen).expect(fen);
    for &(style, uci, text) in cases {
        let mv = game.parse_move(uci).expect(uci);
        assert_eq!(write(&game, None, mv, style), text, "{fen}");
        assert_eq!(read(&game, None, text), Ok(mv), "{fen}");
    }
}

#[test]
fn shogi_is_written_as_in_records() {
    use Style::{Csa, Kif, Usi, Western};
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let opening = [
        (Kif, "c3c4", "７六歩(77)"),
        (Csa, "c3c4", "+7776FU"),
        (Usi, "c3c4", "7g7f"),
        (Western, "c3c4", "P-7f"),
        (Western, "f1e2", "G4i-5h"),
        (Western, "g1f2", "S-4h"),
    ];
    check::<Shogi>(RuleSet::Csa27, start, &opening);
    let middle = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 5";
    let drops = [
        (Kif, "B@e5", "５五角打"),
        (Csa, "B@e5", "-0055KA"),
        (Usi, "B@e5", "B*5e"),
        (Western, "B@e5", "B*5e"),
        (Csa, "g9h8", "-3122GI"),
        (Western, "g9h8", "Sx2b"),
    ];
    check::<Shogi>(RuleSet::Csa27, middle, &drops);
    let promotions = "k8/4S4/9/9/4+R4/9/9/9/4K4 b - 1";
    let promoting = [
        (Kif, "e8d9+", "６一銀成(52)"),
        (Csa, "e8d9+", "+5261NG"),
        (Western, "e8d9+", "S-6a+"),
        (Western, "e8d9", "S-6a="),
        (Kif, "e5e6", "５四龍(55)"),
        (Western, "e5e6", "+R-5d"),
    ];
    check::<Shogi>(RuleSet::Csa27, promotions, &promoting);
    let five = "rbsgk/4p/5/P4/KGSBR b - 1";
    check::<Minishogi>(RuleSet::Standard, five, &[(Kif, "a2a3", "５三歩(54)"), (Usi, "a2a3", "5d5c")]);
    check::<Dobutsu>(
        RuleSet::Standard,
        "gle/1c1/1C1/ELG b - 1",
        &[(Western, "b2b3", "Cx2b"), (Usi, "b2b3", "2c2b")],
    );
}

#[test]
fn xiangqi_is_written_as_in_records() {
    use Style::{Chinese, San, Wxf};
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let opening = [
        (Chinese, "h3e3", "炮二平五"),
        (Wxf, "h3e3", "C2.5"),
        (San, "h3e3", "Che3"),
        (San, "h3h10", "Cxh10"),
        (San, "d1e2", "Ade2"),
        (San, "b1c3", "Hc3"),
        (Wxf, "d1e2", "A6+5"),
        (Chinese, "h1g3", "马二进三"),
        (Wxf, "g1e3", "E3+5"),
    ];
    check::<Xiangqi>(RuleSet::Axf, start, &opening);
    let black = start.replace(" w ", " b ");
    let answers = [(Chinese, "h10g8", "马8进7"), (Wxf, "h10g8", "H8+7"), (Chinese, "b8b1", "炮2进7")];
    check::<Xiangqi>(RuleSet::Axf, &black, &answers);
    // The examples of the Asian federation.
    let tandem = [
        (Wxf, "c8b8", "P+.8"),
        (Wxf, "c7b7", "P7.8"),
        (Wxf, "c6b6", "P-.8"),
        (Chinese, "c8b8", "前兵平八"),
        (Chinese, "c7b7", "中兵平八"),
        (Chinese, "c6b6", "后兵平八"),
    ];
    check::<Xiangqi>(RuleSet::Axf, "4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w - - 0 1", &tandem);
    let four = [
        (Wxf, "c9b9", "++.8"),
        (Wxf, "c8b8", "P+.8"),
        (Wxf, "c7b7", "P-.8"),
        (Wxf, "c6b6", "--.8"),
        (Chinese, "c7b7", "三兵平八"),
    ];
    check::<Xiangqi>(RuleSet::Axf, "4k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w - - 0 1", &four);
    let two_files = [
        (Wxf, "c8b8", "7+.8"),
        (Wxf, "c7b7", "77.8"),
        (Wxf, "c6b6", "7-.8"),
        (Wxf, "g8f8", "3+.4"),
        (Chinese, "g8f8", "一兵平四"),
        (Chinese, "c6b6", "五兵平八"),
    ];
    check::<Xiangqi>(RuleSet::Axf, "4k4/9/2P3P2/2P3P2/2P6/9/9/9/9/3K5 w - - 0 1", &two_files);
    let cannons = [
        (Wxf, "c6a6", "C+.9"),
        (Wxf, "c4c3", "C--1"),
        (Chinese, "c4c3", "后炮退一"),
        (San, "c4c5", "C4c5"),
        (San, "c6a6", "Ca6"),
    ];
    check::<Xiangqi>(RuleSet::Axf, "4k4/9/9/9/2C6/9/2C6/9/9/3K5 w - - 0 1", &cannons);
}

#[test]
fn janggi_is_written_as_in_records() {
    use Style::{Korean, Numbers, San};
    let start = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";
    let opening = [
        (Korean, "i4h4", "79졸78"),
        (Numbers, "i4h4", "P79-78"),
        (San, "a4b4", "Pab4"),
        (Korean, "h1g3", "08마87"),
        (Korean, "e2e2", "한수쉼"),
        (San, "e2e2", "Ke2"),
    ];
    check::<Janggi>(RuleSet::Points, start, &opening);
    let check_in_one = "9/4k4/9/9/9/9/9/9/9/3K3R1 w - - 0 1";
    check::<Janggi>(RuleSet::Points, check_in_one, &[(San, "h1h9", "Rh9+")]);
}

/// `(fen, what is typed, the move in UCI)`.
fn reads<G: Notate>(rules: RuleSet, cases: &[(&str, &str, &str)]) {
    for &(fen, text, uci) in cases {
        let game = G::from_fen(rules, fen).expect(fen);
        let found = read(&game, None, text).map(|mv| mv.to_string());
        assert_eq!(found.as_deref(), Ok(uci), "{text}");
    }
}

#[test]
fn what_players_type_otherwise_is_read_too() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let promotion = "k8/4S4/9/9/4+R4/9/9/9/4K4 b - 1";
    reads::<Shogi>(
        RuleSet::Csa27,
        &[
            (start, "▲７六歩", "c3c4"),
            (start, "76歩(77)", "c3c4"),
            (start, "7776fu", "c3c4"),
            (start, "p-76", "c3c4"),
            (start, " 7G7F ", "c3c4"),
            (promotion, "６一銀不成", "e8d9"),
            (promotion, "５四竜", "e5e6"),
        ],
    );
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    reads::<Xiangqi>(
        RuleSet::Axf,
        &[
            (start, "砲二平五", "h3e3"),
            (start, "炮2平5", "h3e3"),
            (start, "c2=5", "h3e3"),
            (start, "Nc3", "b1c3"),
            (start, "傌８進７", "b1c3"),
            (start, "H3E3", "h3e3"),
        ],
    );
    let start = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";
    reads::<Janggi>(
        RuleSet::Points,
        &[
            (start, "79卒78", "i4h4"),
            (start, "p79-78", "i4h4"),
            (start, "08馬87장군", "h1g3"),
            (start, "pass", "e2e2"),
            (start, "horse g3", "h1g3"),
            (start, "PASS", "e2e2"),
            (start, "HORSE G3", "h1g3"),
        ],
    );
}

/// Three pawns on the third file from the right: their numbers from the front, and the file.
#[test]
fn a_pawn_has_its_number_and_its_file() {
    let fen = "2b2aP2/6P2/3k5/1P7/1n4P2/7N1/9/5A3/9/3AK4 w - - 10 101";
    let game = Xiangqi::from_fen(RuleSet::Axf, fen).unwrap();
    for (text, uci) in [("13=2", "g10h10"), ("23=2", "g9h9"), ("33=2", "g6h6"), ("33+1", "g6g7")] {
        assert_eq!(
            read_in(&game, None, text, &[Style::Wxf]).map(|mv| mv.to_string()).as_deref(),
            Ok(uci),
            "{text}"
        );
    }
}

/// As programs for many games write shogi: `G` for what moves like a gold, `H` for the horse, `@` for a drop.
#[test]
fn shogi_is_read_in_the_algebraic_notation_of_other_games() {
    let golds = "2+P+P1/1+S1R+s/2R+bg/1B3/K2k1[G] w - - 5 85";
    let knight_and_horse =
        "3k5/sg2r1gpl/l1+P2+B2p/7bN/1p1pp1p1S/pn2P2PP/PPNP2P1G/L1S5L/1G1RSPKN1[PP] w - - 1 65";
    let san = [Style::San];
    let in_san = |text: &str| {
        let game = Minishogi::from_fen(RuleSet::Standard, golds).unwrap();
        read_in(&game, None, text, &san).map(|mv| mv.to_string())
    };
    assert_eq!(in_san("Ga5").as_deref(), Ok("b4a5"), "no drop, which is G@a5");
    assert_eq!(in_san("G@a5").as_deref(), Ok("G@a5"));
    let game = Shogi::from_fen(RuleSet::Csa27, knight_and_horse).unwrap();
    let in_san = |text: &str| read_in(&game, None, text, &san).map(|mv| mv.to_string());
    assert_eq!(in_san("Hxd5").as_deref(), Ok("f7d5"));
    assert_eq!(in_san("Nxd5").as_deref(), Ok("c3d5"));
}

/// Where a piece on the board can go there, a drop has its 打, so that a text without it is the move on the board.
#[test]
fn a_drop_needs_its_word_only_where_a_piece_on_the_board_can_go_there() {
    let bishop = "4k4/9/9/9/9/9/9/1B7/4K4 b B 1";
    let cases = [
        (bishop, "５五角", "b2e5"),
        (bishop, "５五角打", "B@e5"),
        (bishop, "５六角", "B@e4"),
        (bishop, "２二角", "b2h8"),
        (bishop, "２二角成", "b2h8+"),
    ];
    reads::<Shogi>(RuleSet::Csa27, &cases);
    let game = Shogi::from_fen(RuleSet::Csa27, "4k4/9/9/9/9/9/9/1B3B3/4K4 b B 1").unwrap();
    assert_eq!(read(&game, None, "６六角").unwrap_err().why, "several legal moves fit it: b2d4 f2d4");
}

/// As books print moves: by the words of KI2, which say where a piece stands and how it goes.
#[test]
fn pieces_are_told_apart_by_the_words_of_ki2() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let golds = "4k4/9/9/9/3G5/3G1G3/9/9/4K4 b - 1";
    let cases = [
        (start, "５八金右", "f1e2"),
        (start, "▲５八金左", "d1e2"),
        (start, "58金右上", "f1e2"),
        (start, "同５八金左", "d1e2"),
        (golds, "５五金寄", "d5e5"),
        (golds, "５五金左上", "d4e5"),
        (golds, "５五金右", "f4e5"),
    ];
    reads::<Shogi>(RuleSet::Csa27, &cases);
    let game = Shogi::from_fen(RuleSet::Csa27, golds).unwrap();
    let why = |text: &str| read(&game, None, text).unwrap_err().why;
    assert_eq!(why("５五金上"), "several legal moves fit it: d4e5 f4e5");
    assert_eq!(why("５五金引"), "it is not legal here");
    assert_eq!(why("同金"), "it is not legal here");
}

#[test]
fn the_square_of_the_move_before_is_the_same_one() {
    let mut game = Shogi::from_fen(
        RuleSet::Csa27,
        "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3",
    )
    .unwrap();
    let takes = read(&game, None, "２二角成(88)").unwrap();
    game.play(takes);
    let back = read(&game, Some(takes), "同銀").unwrap();
    assert_eq!(back.to_string(), "g9h8");
    assert_eq!(write(&game, Some(takes), back, Style::Kif), "同　銀(31)");
    assert_eq!(read(&game, Some(takes), "２二銀(31)"), Ok(back));
    assert!(read(&game, None, "同銀").is_err());
}

#[test]
fn what_is_no_move_is_refused() {
    let mut rng = Rng::seed_from_u64(1);
    let game = Minixiangqi::start(RuleSet::Standard, Setup::Standard, &mut rng);
    let why = |text: &str| read(&game, None, text).unwrap_err().why;
    assert_eq!(why("炮二平"), "it is not legal here");
    assert_eq!(why(&"炮".repeat(1000)), "it is too long");
    let game = Shogi::start(RuleSet::Csa27, Setup::Standard, &mut rng);
    assert_eq!(read(&game, None, "５八金").unwrap_err().why, "several legal moves fit it: d1e2 f1e2");
    let mated = Shogi::from_fen(RuleSet::Csa27, "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1").unwrap();
    assert_eq!(read(&mated, None, "7g7f").unwrap_err().why, "the game is over, by checkmate");
}
