//! Every row that other programs have judged.

use sanki::games::rules::{
    Declaration, Game, Reason, RuleSet,
    shogi::{Minishogi, Shogi},
};
use serde::Deserialize;

use super::{
    MINI_START, START, read,
    verdicts::{
        composed_agree, counts_agree, cycles_agree, default_rules, games_agree, perft_agrees,
        position_agrees, rows,
    },
};

/// A position with its moves, in the order of their text.
#[derive(Deserialize)]
struct PositionRow {
    fen: String,
    sfen: String,
    check: bool,
    moves: String,
    /// Those of `moves` that are pawn-drop mates.
    #[serde(default)]
    uchifuzume: String,
    n_official: usize,
}

/// What a declaration gives under the two rules.
#[derive(Deserialize)]
struct DeclarationRow {
    sfen: String,
    fen: String,
    check: bool,
    declare27: bool,
    declare24: String,
}

fn positions_agree<G: Game>(name: &str) {
    for row in rows::<PositionRow>(name) {
        let mates: Vec<&str> = row.uchifuzume.split_whitespace().collect();
        let expected: Vec<&str> = row.moves.split_whitespace().filter(|mv| !mates.contains(mv)).collect();
        assert_eq!(expected.len(), row.n_official, "{}", row.fen);
        for text in [&row.fen, &row.sfen] {
            position_agrees(&read::<G>(text), &expected, row.check);
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
fn composed_positions_of_shogi_agree() {
    composed_agree::<Shogi>("shogi_composed.jsonl.zst");
}

#[test]
fn composed_positions_of_minishogi_agree() {
    composed_agree::<Minishogi>("minishogi_composed.jsonl.zst");
}

#[test]
fn s5_pawn_drops_that_mate_agree() {
    positions_agree::<Shogi>("shogi_uchifuzume.jsonl.zst");
}

#[test]
fn games_of_shogi_end_as_they_should() {
    games_agree::<Shogi>("shogi_games.jsonl.zst", RuleSet::Csa27);
}

#[test]
fn games_of_minishogi_end_as_they_should() {
    games_agree::<Minishogi>("minishogi_games.jsonl.zst", RuleSet::Standard);
}

const LOOPED: [Reason; 2] = [Reason::Repetition, Reason::PerpetualCheck];

#[test]
fn s8_and_s9_cycles_of_shogi_agree() {
    cycles_agree::<Shogi>("shogi_cycles.jsonl.zst", RuleSet::Csa27, &LOOPED);
}

#[test]
fn s8_and_s9_cycles_of_minishogi_agree() {
    cycles_agree::<Minishogi>("minishogi_cycles.jsonl.zst", RuleSet::Standard, &LOOPED);
}

#[test]
fn perft_of_shogi_agrees() {
    perft_agrees::<Shogi>("shogi_perft.jsonl", RuleSet::Csa27);
}

#[test]
fn perft_of_minishogi_agrees() {
    perft_agrees::<Minishogi>("minishogi_perft.jsonl", RuleSet::Standard);
}

/// The counts of Fairy-Stockfish from the starts, none of which meets a pawn-drop mate yet.
#[test]
fn perft_of_the_starts_agrees() {
    counts_agree(&read::<Shogi>(START), &[30, 900, 25_470, 719_731, 19_861_490]);
    counts_agree(&read::<Minishogi>(MINI_START), &[14, 181, 2_512, 35_401, 533_203, 8_276_188]);
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
