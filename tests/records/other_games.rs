//! Records in the notations of other games, as programs for many games offer them.

use sanki::games::{
    notation::{Convention, Notate, Style, read_all},
    rules::{
        dobutsu::Dobutsu,
        shogi::{Minishogi, Shogi},
    },
};

/// `fen`, then `(text, what it is read as: the moves in UCI, or why it is none)`, in any notation.
fn reads_lines<G: Notate>(fen: &str, cases: &[(&str, &str)]) {
    let game = G::from_fen(G::ID.rule_sets()[0], fen).expect(fen);
    for &(text, expected) in cases {
        let texts: Vec<&str> = text.split(' ').collect();
        let found = match read_all(&game, &texts, &[Style::San], &Convention::all::<G>()) {
            Ok(line) => line.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            Err(bad) => bad.error.why,
        };
        assert_eq!(found, expected, "{text} at {fen}");
    }
}

/// As pyffish writes its `NOTATION_XIANGQI_WXF`.
#[test]
fn the_shogi_family_is_read_by_files() {
    let three_golds = "G2g1/2s1k/R3p/1B1+s1/bK1+p1[R] b - - 1 37";
    let golds = [
        ("B1-2", "a1b2"),
        ("B1-2=H", "a1b2+"),
        ("14=3", "d1c1"),
        ("24+3", "d2c1"),
        ("24-1", "d2d3"),
        ("34+1", "d5d4"),
        ("S3+4", "c4d3"),
        ("44+1", "it is not legal here"),
    ];
    reads_lines::<Minishogi>(three_golds, &golds);
    let rooks = [
        ("R-=3", "b1c1"),
        ("R+=5", "b5a5"),
        ("R+=5=D", "b5a5+"),
        ("R4-3=D", "b5b2+"),
        ("R4+3", "b1b4"),
        ("G3+1", "c3c4"),
        ("G3+2", "c3d4"),
    ];
    reads_lines::<Minishogi>("1R1gs/4k/2Gbb/P1S1p/KR3[] w - - 1 12", &rooks);
    // Four points back, or one, and to file 4.
    let dragon = [
        ("D3-7", "g8g1"),
        ("D3+4", "g8f9"),
        ("D3-4", "several legal moves fit it: g8f7 g8g4"),
        ("D3-2", "several legal moves fit it: g8g6 g8h7"),
    ];
    reads_lines::<Shogi>("4k4/6+R2/9/9/9/9/9/9/4K4[-] w - - 0 1", &dragon);
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    reads_lines::<Shogi>(start, &[("P7+1 P7+1 R2=3", "c3c4 g7g6 h2g2")]);
    // Gold-like pieces: on one file two, on two files two each.
    let tokins = "4k4/9/9/2+P6/9/9/6G2/2+P6/4K4[-] w - - 0 1";
    reads_lines::<Shogi>(tokins, &[("G+=8", "c6b6"), ("G-=6", "c2d2"), ("G3+1", "g3g4")]);
    let on_two_files = "4k4/9/9/2+P6/9/6+S2/6G2/2+P6/4K4[-] w - - 0 1";
    reads_lines::<Shogi>(
        on_two_files,
        &[("17=8", "c6b6"), ("27=6", "c2d2"), ("13=2", "g4h4"), ("23=2", "g3h3")],
    );
    // Both squares of a drop as the second side counts them.
    let bishop = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL[b] b - - 0 4";
    reads_lines::<Shogi>(bishop, &[("B@18 P1+1", "B@a2 i3i4"), ("B@65 P1+1", "B@f5 i3i4"), ("S7+8", "g9h8")]);
    // A drop beside three golds, a promoted silver among them, on the file that UCI calls a.
    let on_file_a = "4k4/9/9/9/9/G8/+S8/G8/4K4[GSg] w - - 0 1";
    reads_lines::<Shogi>(on_file_a, &[("1@78", "G@c8")]);
    let of_the_second = "4k4/g8/g8/g8/9/9/9/9/4K4[Ggs] b - - 0 1";
    reads_lines::<Shogi>(of_the_second, &[("1@29", "G@b1")]);
    let on_another = "4k4/9/9/9/9/8G/8G/8G/4K4[G] w - - 0 1";
    reads_lines::<Shogi>(on_another, &[("1@78", "it is not legal here")]);
    let hen = [("C1+1=H", "c3c4+"), ("L1-2", "c2b1"), ("E3+2", "a1b2")];
    reads_lines::<Dobutsu>("gl1/2C/2L/E2[Cg] w - - 0 4", &hen);
}

/// Hodges counts the file first and from the right, janggi's numbers count the rank first and the file from the left.
#[test]
fn a_record_that_fits_two_notations_is_refused_unless_it_is_written_as_usual() {
    let fen = "gl1/1e1/2L/EcG[C] w - - 0 4";
    let two = "all moves fit two notations: in one it is C@b2, in the other C@c3";
    reads_lines::<Dobutsu>(
        fen,
        &[
            ("C@23 E22x33", two),
            // One of them rules the other out.
            ("L33-32", "c2b2"),
            ("C*2c E-3c", "C@b2 b3a2"),
            ("C'23 E33", "C@b2 b3a2"),
            ("C@b2 b3a2", "C@b2 b3a2"),
        ],
    );
}
