//! Every row that Fairy-Stockfish has judged.

use sanki::games::rules::{Game, Reason, RuleSet, janggi::Janggi};
use serde::Deserialize;

use super::{
    START, read, start,
    verdicts::{
        composed_agree, counts_agree, cycles_agree, games_agree, perft_agrees, position_agrees, rows,
    },
};

/// A position with its moves, in the order of their text.
#[derive(Deserialize)]
struct PositionRow {
    fen: String,
    check: bool,
    bikjang: bool,
    moves: String,
    /// Without the rule about facing kings, where that differs.
    moves_nobikjang: Option<String>,
}

/// A set-up with its counts by depth, from 1.
#[derive(Deserialize)]
struct SetupRow {
    fen: String,
    perft: Vec<u64>,
    /// `setup`, the formations of Cho and of Han.
    tags: [String; 3],
}

#[test]
fn positions_agree_under_every_rule_set() {
    for row in rows::<PositionRow>("janggi_positions.jsonl.zst") {
        let without = row.moves_nobikjang.as_ref().unwrap_or(&row.moves);
        let sets = [
            (RuleSet::Points, &row.moves),
            (RuleSet::Traditional, &row.moves),
            (RuleSet::Kakao, without),
            (RuleSet::Casual, without),
        ];
        for (rules, moves) in sets {
            let game = read(rules, &row.fen);
            position_agrees(&game, &moves.split_whitespace().collect::<Vec<_>>(), row.check);
            assert_eq!(game.kings_face(), row.bikjang, "{rules} {}", row.fen);
        }
    }
}

#[test]
fn composed_positions_agree() {
    composed_agree::<Janggi>("janggi_composed.jsonl.zst");
}

#[test]
fn games_of_points_end_as_they_should() {
    games_agree::<Janggi>("janggi_games.jsonl.zst", RuleSet::Points);
}

#[test]
fn games_of_traditional_end_as_they_should() {
    games_agree::<Janggi>("janggitraditional_games.jsonl.zst", RuleSet::Traditional);
}

#[test]
fn games_of_kakao_end_as_they_should() {
    games_agree::<Janggi>("janggimodern_games.jsonl.zst", RuleSet::Kakao);
}

#[test]
fn games_of_casual_end_as_they_should() {
    games_agree::<Janggi>("janggicasual_games.jsonl.zst", RuleSet::Casual);
}

#[test]
fn cycles_of_points_agree() {
    let reasons = [Reason::Repetition, Reason::PerpetualCheck];
    cycles_agree::<Janggi>("janggi_cycles.jsonl.zst", RuleSet::Points, &reasons);
}

#[test]
fn cycles_of_kakao_agree() {
    let reasons = [Reason::Repetition, Reason::PerpetualCheck, Reason::ToAndFro];
    cycles_agree::<Janggi>("janggimodern_cycles.jsonl.zst", RuleSet::Kakao, &reasons);
}

#[test]
fn perft_agrees_from_positions_of_all_kinds() {
    for rules in [RuleSet::Points, RuleSet::Traditional] {
        perft_agrees::<Janggi>("janggi_perft.jsonl", rules);
    }
}

#[test]
fn j3_perft_agrees_from_the_set_ups_by_name() {
    for SetupRow { fen, perft, tags: [_, cho, han] } in rows("janggi_setups_perft.jsonl") {
        let game = start(RuleSet::Points, &format!("{cho}/{han}"));
        assert_eq!(game.fen(), read(RuleSet::Points, &fen).fen());
        counts_agree(&game, &perft);
    }
}

/// The counts of the start without the rule about facing kings.
#[test]
fn perft_agrees_where_the_kings_may_face() {
    for rules in [RuleSet::Kakao, RuleSet::Casual] {
        counts_agree(&read(rules, START), &[32, 1024, 33_316, 1_083_563]);
    }
}
