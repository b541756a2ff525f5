//! Every row that other programs have judged.

use sanki::rules::{
    Declaration, Game, Outcome, Reason, RuleSet,
    shogi::{Minishogi, Shogi},
};

use crate::data::{CycleRow, DeclarationRow, GameRow, PerftRow, PositionRow, rows};
use crate::{default_rules, legal_moves, read, text_of};

fn positions_agree<G: Game>(name: &str) {
    for row in rows::<PositionRow>(name) {
        let mates: Vec<&str> = row.uchifuzume.split_whitespace().collect();
        let expected: Vec<&str> = row.moves.split_whitespace().filter(|mv| !mates.contains(mv)).collect();
        assert_eq!(expected.len(), row.n_official, "{}", row.fen);
        for text in [&row.fen, &row.sfen] {
            let game: G = read(text);
            assert_eq!(legal_moves(&game), expected, "{text}");
            assert_eq!(game.is_check(), row.check, "{text}");
            assert_eq!(game.perft(1), expected.len() as u64, "{text}");
            assert_eq!(game.outcome().is_none(), !expected.is_empty(), "{text}");
        }
        assert_eq!(read::<G>(&row.fen).key(), read::<G>(&row.sfen).key(), "{}", row.fen);
    }
}

#[test]
fn positions_of_shogi_agree() {
    positions_agree::<Shogi>("shogi_positions.jsonl.zst");
}

#[test]
fn positions_of_minishogi_agree() {
    positions_agree::<Minishogi>("minishogi_positions.jsonl.zst");
}

#[test]
fn s5_pawn_drops_that_mate_agree() {
    positions_agree::<Shogi>("shogi_uchifuzume.jsonl.zst");
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
fn games_of_shogi_end_as_they_should() {
    games_agree::<Shogi>("shogi_games.jsonl.zst");
}

#[test]
fn games_of_minishogi_end_as_they_should() {
    games_agree::<Minishogi>("minishogi_games.jsonl.zst");
}

/// The cycles end exactly after their last move, or not yet.
fn cycles_agree<G: Game>(name: &str) {
    for row in rows::<CycleRow>(name) {
        let mut game: G = read(&row.fen);
        for text in row.moves.split_whitespace() {
            assert_eq!(game.outcome(), None, "before {text} in {}", row.fen);
            game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {}", row.fen)));
        }
        assert_eq!(game.outcome().is_some(), row.ended, "{}", row.fen);
        assert_eq!(text_of(game.outcome()), row.result, "{}", row.fen);
        if let Some(Outcome { reason, .. }) = game.outcome() {
            assert!([Reason::Repetition, Reason::PerpetualCheck].contains(&reason), "{}", row.fen);
        }
    }
}

#[test]
fn s8_and_s9_cycles_of_shogi_agree() {
    cycles_agree::<Shogi>("shogi_cycles.jsonl.zst");
}

#[test]
fn s8_and_s9_cycles_of_minishogi_agree() {
    cycles_agree::<Minishogi>("minishogi_cycles.jsonl.zst");
}

/// Counts of more nodes than this are left to the benchmark.
const MOST_NODES: u64 = 20_000_000;

fn perft_agrees<G: Game>(name: &str) {
    for row in rows::<PerftRow>(name) {
        let game: G = read(&row.fen);
        for (depth, &nodes) in (1..).zip(&row.perft_official).take_while(|(_, nodes)| **nodes <= MOST_NODES) {
            assert_eq!(game.perft(depth), nodes, "depth {depth} of {}", row.fen);
        }
    }
}

#[test]
fn perft_of_shogi_agrees() {
    perft_agrees::<Shogi>("shogi_perft.jsonl");
}

#[test]
fn perft_of_minishogi_agrees() {
    perft_agrees::<Minishogi>("minishogi_perft.jsonl");
}

/// The counts of Fairy-Stockfish from the starts, none of which meets a pawn-drop mate yet.
#[test]
fn perft_of_the_starts_agrees() {
    let shogi = [30, 900, 25_470, 719_731, 19_861_490];
    let minishogi = [14, 181, 2_512, 35_401, 533_203, 8_276_188];
    let game: Shogi = read("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1");
    assert_eq!((1..=5).map(|depth| game.perft(depth)).collect::<Vec<_>>(), shogi);
    let game: Minishogi = read("rbsgk/4p/5/P4/KGSBR[-] w 0 1");
    assert_eq!((1..=6).map(|depth| game.perft(depth)).collect::<Vec<_>>(), minishogi);
}

#[test]
fn s10_declarations_agree() {
    for row in rows::<DeclarationRow>("shogi_nyugyoku.jsonl.zst") {
        for text in [&row.fen, &row.sfen] {
            let csa = Shogi::from_fen(RuleSet::Csa27, text).expect(text);
            assert_eq!(csa.is_check(), row.check, "{text}");
            assert_eq!(csa.declaration(), row.declare27.then_some(Declaration::Win), "{text}");
            let jsa = Shogi::from_fen(RuleSet::Jsa24, text).expect(text);
            let expected = match row.declare24.as_str() {
                "win" => Some(Declaration::Win),
                "draw" => Some(Declaration::Draw),
                _ => None,
            };
            assert_eq!(jsa.declaration(), expected, "{text}");
            let stouten = Shogi::from_fen(RuleSet::Stouten1990, text).expect(text);
            assert_eq!(stouten.declaration(), None, "{text}");
        }
    }
    assert_eq!(default_rules::<Shogi>(), RuleSet::Csa27);
}
