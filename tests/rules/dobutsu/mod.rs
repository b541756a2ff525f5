//! Dobutsu shogi against Fairy-Stockfish's lists, games and counts, and case by case.

use crate::property;
mod random_games;
mod reference;
use crate::verdicts;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::games::rules::{Game, Outcome, Reason, RuleSet, Setup, Side, Verdict, dobutsu::Dobutsu};
use verdicts::{PositionRow, games_agree, legal_moves, perft_agrees, positions_agree, read_under, rows};

fn start(rules: RuleSet) -> Dobutsu {
    Dobutsu::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0))
}

fn at(fen: &str) -> Dobutsu {
    read_under(RuleSet::Standard, fen)
}

fn play(game: &mut Dobutsu, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", game.fen()));
        game.play(mv);
    }
}

#[test]
fn oracle_positions() {
    positions_agree::<Dobutsu>("dobutsu_positions.jsonl.zst");
    for row in rows::<PositionRow>("dobutsu_positions.jsonl.zst") {
        assert_eq!(at(&row.fen).fen(), row.fen);
    }
}

#[test]
fn oracle_games_end_where_they_should() {
    games_agree::<Dobutsu>("dobutsu_games.jsonl.zst", RuleSet::Standard);
}

#[test]
fn oracle_perft() {
    perft_agrees::<Dobutsu>("dobutsu_perft.jsonl", RuleSet::Standard);
}

#[test]
fn perft_from_the_start() {
    let game = start(RuleSet::Standard);
    let nodes: Vec<u64> = (0..=8).map(|depth| game.perft(depth)).collect();
    assert_eq!(nodes, [1, 4, 17, 123, 976, 8122, 71677, 643_982, 5_866_031]);
}

#[test]
fn a_lion_may_be_left_en_prise_and_is_taken() {
    let mut game = start(RuleSet::Standard);
    play(&mut game, "b2b3 a4a3");
    assert_eq!(game.outcome(), None);
    play(&mut game, "b3b4+");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::LionCaptured)));
    assert_eq!(game.perft(1), 0);
}

#[test]
fn a_lion_home_wins_at_once_if_it_cannot_be_taken() {
    let mut game = at("3/l1L/3/3[] w - - 0 1");
    play(&mut game, "c3c4");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::LionHome)));
    assert_eq!(game.perft(3), 0);
}

#[test]
fn a_lion_home_en_prise_wins_as_soon_as_it_is_safe() {
    let mut game = at("3/1lL/3/3[Gc] w - - 0 1");
    play(&mut game, "c3c4");
    assert_eq!(game.outcome(), None, "the lion on b3 can take it");
    play(&mut game, "C@a2 G@a4");
    assert_eq!(game.outcome(), None, "it still can");
    play(&mut game, "b3b2");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::LionHome)));
    assert_eq!(legal_moves(&game), [""; 0]);
}

#[test]
fn both_lions_safe_at_home_draw() {
    // Each lion is attacked by one piece, and the one takes the other.
    let mut game = at("L2/g2/1E1/2l[] w - - 0 1");
    assert_eq!(game.outcome(), None);
    play(&mut game, "b2a3");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::LionHome)));
}

#[test]
fn the_second_players_home_is_rank_one() {
    let mut game = at("3/2L/l2/3[] b - - 0 1");
    play(&mut game, "a2a1");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::LionHome)));
}

#[test]
fn a_side_without_a_move_loses() {
    let game = at("GEl/LGE/CC1/3[] w - - 0 1");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::Stalemate)));
    assert_eq!(game.perft(1), 0);
    let free = at("GEl/LGE/C1C/3[] w - - 0 1");
    assert_eq!(legal_moves(&free), ["a3b2", "b3b2", "c3b2"].map(String::from));
}

#[test]
fn the_chick_must_promote_and_a_taken_hen_is_a_chick() {
    let mut game = at("2l/C2/3/2L[] w - - 0 1");
    assert!(game.parse_move("a3a4").is_err());
    play(&mut game, "a3a4+");
    assert_eq!(game.fen(), "+C1l/3/3/2L[] b - - 0 1");
    let mut game = at("+Cl1/3/3/2L[] b - - 3 7");
    play(&mut game, "b4a4");
    assert_eq!(game.fen(), "l2/3/3/2L[c] w - - 0 8");
}

#[test]
fn a_chick_drops_anywhere_even_on_the_last_rank_and_behind_another() {
    let game = at("2l/1C1/3/2L[C] w - - 0 1");
    let moves = legal_moves(&game);
    assert!(moves.contains(&"C@a4".to_owned()) && moves.contains(&"C@b1".to_owned()));
    assert_eq!(moves.iter().filter(|mv| mv.contains('@')).count(), 9);
}

#[test]
fn the_fourth_occurrence_draws_and_in_threefold_the_third() {
    for (rules, occurrences) in [(RuleSet::Standard, 4), (RuleSet::Threefold, 3)] {
        let mut game = start(rules);
        for occurrence in 2..=occurrences {
            assert_eq!(game.outcome(), None);
            play(&mut game, "c1c2 a4a3 c2c1");
            assert_eq!(game.outcome(), None);
            play(&mut game, "a3a4");
            assert_eq!(game.occurrences(), occurrence);
        }
        assert_eq!(
            game.outcome().map(|end| (end.verdict, end.reason)),
            Some((Verdict::Draw, Reason::Repetition))
        );
        assert_eq!(legal_moves(&game), [""; 0]);
        assert_eq!(game.perft(1), 4, "perft knows no repetition");
    }
}

#[test]
fn sfen_is_read_with_its_own_sides_and_counts() {
    assert_eq!(at("gle/1c1/1C1/ELG b - 1").fen(), start(RuleSet::Standard).fen());
    assert_eq!(at("g1e/1l1/3/ELG w 2C 4").fen(), "g1e/1l1/3/ELG[CC] b - - 0 2");
}

#[test]
fn a_fen_without_brackets_has_empty_hands() {
    assert_eq!(at("gle/1c1/1C1/ELG w - - 0 1").fen(), start(RuleSet::Standard).fen());
    assert_eq!(at("gle/1c1/1C1/ELG b - - 3 7").fen(), at("gle/1c1/1C1/ELG[] b - - 3 7").fen());
    assert_eq!(at("gle/1c1/1C1/ELG w - - 3").fen(), at("gle/1c1/1C1/ELG[] w - - 3").fen());
}

#[test]
fn a_hen_is_read_by_its_own_letter_too() {
    assert_eq!(at("gl1/1h1/1C1/ELG[] w - - 0 1").fen(), "gl1/1+c1/1C1/ELG[] w - - 0 1");
}

#[test]
fn bad_positions_are_refused_with_the_offending_part() {
    for (fen, what, bad) in [
        ("", "FEN", ""),
        ("gle/1c1/1C1[-] w 0 1", "board", "gle/1c1/1C1"),
        ("gle/1c2/1C1/ELG[-] w 0 1", "rank", "1c2"),
        ("gle/1ccc/1C1/ELG[-] w 0 1", "rank", "1ccc"),
        ("gle/0c2/1C1/ELG[-] w 0 1", "rank", "0c2"),
        ("gle/1k1/1C1/ELG[-] w 0 1", "rank", "1k1"),
        ("gle/1c1/1C1/+ELG[-] w 0 1", "rank", "+ELG"),
        ("gle/1c1/1C1/EL+[-] w 0 1", "rank", "EL+"),
        ("gle/1c1/1C1/ELG[- w 0 1", "hand", "-"),
        ("g1e/1l1/3/ELG[X] w 0 1", "hand", "X"),
        ("g1e/1l1/3/ELG[H] w 0 1", "hand", "H"),
        ("g1e/1l1/3/ELG[CCC] w 0 1", "hand", "CCC"),
        ("g1e/1l1/3/ELG b 9999999C 1", "hand", "9999999C"),
        ("g1e/1l1/3/ELG b 2 1", "hand", "2"),
        ("gle/1c1/1C1/ELG[C] w 0 1", "FEN", "gle/1c1/1C1/ELG[C] w 0 1"),
        ("g1e/1c1/1C1/ELG[-] w 0 1", "FEN", "g1e/1c1/1C1/ELG[-] w 0 1"),
        ("g1e/1c1/1C1/ELG[L] w 0 1", "FEN", "g1e/1c1/1C1/ELG[L] w 0 1"),
        ("g1e/1c1/1C1/ELG[-] x 0 1", "side to move", "x"),
        ("gle/1c1/1C1/ELG[-] w - - 0 x", "counter", "x"),
        ("gle/1c1/1C1/ELG[-] w - - 0 1 2", "FEN", "2"),
        ("gle/1c1/1C1/ELG b - 1 2", "SFEN", "2"),
    ] {
        let error = Dobutsu::from_fen(RuleSet::Standard, fen).expect_err(fen);
        assert_eq!((error.what, error.text.as_str()), (what, bad), "{fen}: {error}");
    }
}

#[test]
fn the_board_is_drawn() {
    assert_eq!(
        at("gl1/1+c1/1C1/ELG[E] w - - 0 1").board(),
        "hand: -\n4  g  l  .\n3  . +c  .\n2  .  C  .\n1  E  L  G\n   a  b  c\nhand: E\nfirst player to move"
    );
}
