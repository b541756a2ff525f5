//! Positions as text: what is read, written, drawn and refused.

use sanki::games::{
    notation::sfen,
    rules::{
        Game, RuleSet,
        shogi::{Minishogi, Shogi},
    },
};

use super::{
    read,
    verdicts::{PositionRow, rows},
};

#[test]
fn fens_are_read_back() {
    for row in rows::<PositionRow>("shogi_positions.jsonl.zst") {
        let game: Shogi = read(&row.fen);
        let again: Shogi = read(&game.fen());
        assert_eq!((again.key(), again.fen()), (game.key(), game.fen()));
        assert_eq!(game.fen().split('[').next(), row.fen.split('[').next());
    }
}

#[test]
fn counters_are_kept() {
    let fen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] b - - 7 12";
    assert_eq!(read::<Shogi>(fen).fen(), fen);
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 24";
    assert_eq!(read::<Shogi>(sfen).fen(), fen.replace(" 7 ", " 0 "));
    let short = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[-] b";
    assert_eq!(read::<Shogi>(short).fen(), fen.replace(" 7 12", " 0 1"));
}

/// More than 65535 is not read, and so not written.
#[test]
fn the_greatest_counters_stay_and_are_read_back() {
    let mut game: Shogi =
        read("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 65535 65535");
    for text in ["g3g4", "g7g6", "c3c4"] {
        game.play(game.parse_move(text).expect(text));
    }
    assert!(game.fen().ends_with("[] b - - 65535 65535"), "{}", game.fen());
    for text in [game.fen(), sfen(&game.fen())] {
        assert_eq!(read::<Shogi>(&text).key(), game.key(), "{text}");
    }
}

#[test]
fn hands_are_read_in_both_forms() {
    let fen: Shogi = read("4k4/9/9/9/9/9/9/9/4K4[PPPPPPPPPPPRbbg] w - - 0 1");
    let sfen: Shogi = read("4k4/9/9/9/9/9/9/9/4K4 b R11P2bg 1");
    assert_eq!(fen.key(), sfen.key());
    assert_eq!(fen.fen(), "4k4/9/9/9/9/9/9/9/4K4[PPPPPPPPPPPRgbb] w - - 0 1");
}

/// A text and the part of it that is wrong.
const REFUSED: &[(&str, &str)] = &[
    ("", "FEN"),
    ("4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1 2", "FEN"),
    ("4k4/9/9/9/9/9/9/9/4K4[] w - - x 1", "counter"),
    ("4k4/9/9/9/9/9/9/9/4K4[] w - - 0 -1", "counter"),
    ("4k4/9/9/9/9/9/9/9/4K4[] w - - 0 70000", "counter"),
    ("4k4/9/9/9/9/9/9/9/4K4[] x - - 0 1", "side to move"),
    ("4k4/9/9/9/9/9/9/9/4K4 first - 1", "side to move"),
    ("4k4/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/9/9/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k5/9/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/9/9/9/9/9/9/9/4K4P[] w - - 0 1", "board"),
    ("4k3/9/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/0/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/4x4/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/4+G4/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/8+/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/++P8/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("9/9/9/9/9/9/9/9/9[] w - - 0 1", "board"),
    ("9/9/4P4/9/9/9/9/9/4K4 b G 1", "board"),
    ("9/9/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("k3k4/9/9/9/9/9/9/9/4K4[] w - - 0 1", "board"),
    ("4k4/9/9/9/9/9/9/9/4K4[K] w - - 0 1", "hand"),
    ("4k4/9/9/9/9/9/9/9/4K4[+P] w - - 0 1", "hand"),
    ("4k4/9/9/9/9/9/9/9/4K4[Px] w - - 0 1", "hand"),
    ("4k4/9/9/9/9/9/9/9/4K4[P w - - 0 1", "hand"),
    ("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "hand"),
    ("4k4/9/9/9/9/9/9/9/4K4 b P2 1", "hand"),
    ("4k4/9/9/9/9/9/9/9/4K4 b 0P 1", "hand"),
    ("4k4/9/9/9/9/9/9/PPPPPPPPP/4K4[PPPPPPPPPP] w - - 0 1", "FEN"),
    ("4k4/9/9/9/9/9/RRRRRRRRR/GGGGGGGGG/4K4[BBBBBBBSSSSSSSNNNNNNN] w - - 0 1", "FEN"),
    ("4k4/4R4/9/9/9/9/9/9/4K4[] w - - 0 1", "FEN"),
    ("4k4/9/9/9/9/9/9/9/4K4\u{ff30}[] w - - 0 1", "board"),
];

#[test]
fn bad_positions_are_refused_with_the_offending_part() {
    for &(text, what) in REFUSED {
        let error = Shogi::from_fen(RuleSet::Csa27, text).expect_err(text);
        assert_eq!(error.what, what, "{text}: {error}");
        assert!(text.contains(&error.text), "{text}: {error}");
    }
    for (text, what) in [
        ("rbsgk/4p/5/P4/KGSBL[-] w 0 1", "board"),
        ("rbsgk/4p/5/P4/KGSBR[N] w 0 1", "hand"),
        ("rbsgk/4p/5/P4/KGSBR[S] w 0 1", "FEN"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1", "board"),
    ] {
        let error = Minishogi::from_fen(RuleSet::Standard, text).expect_err(text);
        assert_eq!(error.what, what, "{text}: {error}");
    }
}

#[test]
fn composed_positions_are_read_and_said_to_be_unusual() {
    for (text, what) in [
        ("4k3P/9/9/9/9/9/9/9/4K4[] w - - 0 1", "'P' on i9 can never move"),
        ("4k4/N8/9/9/9/9/9/9/4K4[] w - - 0 1", "'N' on a8 can never move"),
        ("4k4/9/9/9/9/9/9/9/4K3l[] w - - 0 1", "'l' on i1 can never move"),
        ("4k4/9/P8/9/P8/9/9/9/4K4[] w - - 0 1", "'P' on a5 and a7: two on a file"),
        ("4k4/9/9/9/9/9/9/9/4K4[RRr] w - - 0 1", "it has 3 of 'R', a set has 2"),
        ("4k4/4r4/9/9/9/9/9/4+R4/4K4[R] w - - 0 1", "it has 3 of 'R', a set has 2"),
    ] {
        let game: Shogi = read(text);
        assert_eq!(game.unusual().as_deref(), Some(what), "{text}");
        let again: Shogi = read(&game.fen());
        assert_eq!(again.key(), game.key());
    }
    assert_eq!(read::<Shogi>(super::START).unusual(), None);
}

#[test]
fn boards_are_drawn() {
    let game: Minishogi = read("1+b1gk/4p/R4/P4/KG1BR[Ss] b - - 0 1");
    let expected = "
   in hand: s
    a  b  c  d  e
5   . +b  .  g  k  5
4   .  .  .  .  p  4
3   R  .  .  .  .  3
2   P  .  .  .  .  2
1   K  G  .  B  R  1
    a  b  c  d  e
   in hand: S
   to move: second (lowercase, moving down)
";
    assert_eq!(game.board(), expected[1..]);
}

/// What is left out after the board is that of a start.
#[test]
fn short_positions_are_read() {
    for text in ["4k4/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/9/9/9/4K4 b", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1"] {
        let game = Shogi::from_fen(RuleSet::Csa27, text).expect(text);
        assert!(game.fen().starts_with("4k4/9/9/9/9/9/9/9/4K4[] "), "{text}: {}", game.fen());
    }
}
