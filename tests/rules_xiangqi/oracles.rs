//! Every row that other programs have judged.

use sanki::rules::{
    Game,
    xiangqi::{Minixiangqi, Xiangqi},
};

use crate::data::{GameRow, PerftRow, PositionRow, rows};
use crate::{MINI_START, START, legal_moves, read};

fn positions_agree<G: Game>(name: &str) {
    for row in rows::<PositionRow>(name) {
        let expected: Vec<&str> = row.moves.split_whitespace().collect();
        let game: G = read(&row.fen);
        assert_eq!(legal_moves(&game), expected, "{}", row.fen);
        assert_eq!(game.is_check(), row.check, "{}", row.fen);
        assert_eq!(game.perft(1), expected.len() as u64, "{}", row.fen);
        assert_eq!(game.outcome().is_none(), !expected.is_empty(), "{}", row.fen);
    }
}

#[test]
fn positions_of_xiangqi_agree() {
    positions_agree::<Xiangqi>("xiangqi_positions.jsonl.zst");
}

#[test]
fn positions_of_minixiangqi_agree() {
    positions_agree::<Minixiangqi>("minixiangqi_positions.jsonl.zst");
}

/// The games end at their last move and not before, for the reason given.
fn games_agree<G: Game>(name: &str) {
    for row in rows::<GameRow>(name) {
        let mut game: G = read(&row.start);
        for text in row.moves.split_whitespace() {
            assert_eq!(game.outcome(), None, "before {text} in {}", row.moves);
            let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {}", row.moves));
            game.play(mv);
        }
        let outcome = game.outcome().unwrap_or_else(|| panic!("no end after {}", row.moves));
        assert_eq!(outcome.verdict.as_str(), row.result, "{}", row.moves);
        assert_eq!(outcome.reason.as_str(), row.termination, "{}", row.moves);
        assert_eq!(game.fen(), row.final_fen);
        assert!(legal_moves(&game).is_empty());
    }
}

#[test]
fn games_of_xiangqi_end_as_they_should() {
    games_agree::<Xiangqi>("xiangqi_games.jsonl.zst");
}

#[test]
fn games_of_minixiangqi_end_as_they_should() {
    games_agree::<Minixiangqi>("minixiangqi_games.jsonl.zst");
}

/// Counts of more nodes than this are left to the benchmark.
const MOST_NODES: u64 = 30_000_000;

fn perft_agrees<G: Game>(name: &str) {
    for row in rows::<PerftRow>(name) {
        let game: G = read(&row.fen);
        for (depth, &nodes) in (1..).zip(&row.perft).take_while(|(_, nodes)| **nodes <= MOST_NODES) {
            assert_eq!(game.perft(depth), nodes, "depth {depth} of {}", row.fen);
        }
    }
}

#[test]
fn perft_of_xiangqi_agrees() {
    perft_agrees::<Xiangqi>("xiangqi_perft.jsonl");
}

#[test]
fn perft_of_minixiangqi_agrees() {
    perft_agrees::<Minixiangqi>("minixiangqi_perft.jsonl");
}

/// The counts of Fairy-Stockfish from the starts.
#[test]
fn perft_of_the_starts_agrees() {
    let xiangqi = [44, 1_920, 79_666, 3_290_240, 133_312_995];
    let minixiangqi = [19, 331, 6_664, 127_164, 2_666_905, 54_612_676];
    let game: Xiangqi = read(START);
    assert_eq!((1..=5).map(|depth| game.perft(depth)).collect::<Vec<_>>(), xiangqi);
    let game: Minixiangqi = read(MINI_START);
    assert_eq!((1..=6).map(|depth| game.perft(depth)).collect::<Vec<_>>(), minixiangqi);
}
