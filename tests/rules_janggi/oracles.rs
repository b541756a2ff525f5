//! Every row that Fairy-Stockfish has judged.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::rules::{Game, Outcome, Reason, RuleSet, Setup, janggi::Janggi};

use crate::{
    data::{CycleRow, GameRow, PerftRow, PositionRow, rows},
    legal_moves, play, read,
};

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
            let expected: Vec<&str> = moves.split_whitespace().collect();
            let game = read(rules, &row.fen);
            assert_eq!(legal_moves(&game), expected, "{rules} {}", row.fen);
            assert_eq!(game.is_check(), row.check, "{rules} {}", row.fen);
            assert_eq!(game.kings_face(), row.bikjang, "{rules} {}", row.fen);
            assert_eq!(game.perft(1), expected.len() as u64, "{rules} {}", row.fen);
            assert_eq!(game.outcome().is_none(), !expected.is_empty(), "{rules} {}", row.fen);
        }
    }
}

/// The games end at their last move and not before, for the reason given.
fn games_agree(name: &str, rules: RuleSet) {
    for row in rows::<GameRow>(name) {
        let mut game = read(rules, &row.start);
        play(&mut game, &row.moves);
        let outcome = game.outcome().unwrap_or_else(|| panic!("no end after {}", row.moves));
        let (reason, counted) = match row.termination.strip_suffix("_material_count") {
            Some(reason) => (reason, true),
            None => (row.termination.as_str(), false),
        };
        let reason = if reason == "janggi_move_repetition" { "to_and_fro" } else { reason };
        assert_eq!(outcome.verdict.as_str(), row.result, "{}", row.moves);
        assert_eq!(outcome.reason.as_str(), reason, "{}", row.moves);
        assert!(outcome.points.is_some() || !counted, "{}", row.moves);
        assert_eq!(game.fen(), row.final_fen);
        assert!(legal_moves(&game).is_empty());
    }
}

#[test]
fn games_of_points_end_as_they_should() {
    games_agree("janggi_games.jsonl.zst", RuleSet::Points);
}

#[test]
fn games_of_traditional_end_as_they_should() {
    games_agree("janggitraditional_games.jsonl.zst", RuleSet::Traditional);
}

#[test]
fn games_of_kakao_end_as_they_should() {
    games_agree("janggimodern_games.jsonl.zst", RuleSet::Kakao);
}

#[test]
fn games_of_casual_end_as_they_should() {
    games_agree("janggicasual_games.jsonl.zst", RuleSet::Casual);
}

/// The cycles end exactly after their last move, or not yet.
fn cycles_agree(name: &str, rules: RuleSet, reasons: &[Reason]) {
    for row in rows::<CycleRow>(name) {
        let mut game = read(rules, &row.fen);
        play(&mut game, &row.moves);
        let result = game.outcome().map_or("*", |outcome| outcome.verdict.as_str());
        assert_eq!(game.outcome().is_some(), row.ended, "{}", row.fen);
        assert_eq!(result, row.result, "{}", row.fen);
        if let Some(Outcome { reason, .. }) = game.outcome() {
            assert!(reasons.contains(&reason), "{reason} in {}", row.fen);
        }
    }
}

#[test]
fn cycles_of_points_agree() {
    cycles_agree("janggi_cycles.jsonl.zst", RuleSet::Points, &[Reason::Repetition, Reason::PerpetualCheck]);
}

#[test]
fn cycles_of_kakao_agree() {
    cycles_agree(
        "janggimodern_cycles.jsonl.zst",
        RuleSet::Kakao,
        &[Reason::Repetition, Reason::PerpetualCheck, Reason::ToAndFro],
    );
}

/// Counts of more nodes than this are left to the benchmark.
const MOST_NODES: u64 = 20_000_000;

fn perft_agrees(game: &Janggi, counts: &[u64]) {
    for (depth, &nodes) in (1..).zip(counts).take_while(|(_, nodes)| **nodes <= MOST_NODES) {
        assert_eq!(game.perft(depth), nodes, "depth {depth} of {}", game.fen());
    }
}

#[test]
fn perft_agrees_from_positions_of_all_kinds() {
    for row in rows::<PerftRow>("janggi_perft.jsonl") {
        perft_agrees(&read(RuleSet::Points, &row.fen), &row.perft);
        perft_agrees(&read(RuleSet::Traditional, &row.fen), &row.perft);
    }
}

#[test]
fn j3_perft_agrees_from_the_set_ups_by_name() {
    for row in rows::<PerftRow>("janggi_setups_perft.jsonl") {
        let [_, cho, han] = &row.tags[..] else { panic!("{:?}", row.tags) };
        let formations = format!("{cho}/{han}").parse().expect("two formations");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let game = Janggi::start(RuleSet::Points, Setup::Named(formations), &mut rng);
        assert_eq!(game.fen(), read(RuleSet::Points, &row.fen).fen());
        perft_agrees(&game, &row.perft);
    }
}

/// The counts of the start without the rule about facing kings.
#[test]
fn perft_agrees_where_the_kings_may_face() {
    let start = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";
    for rules in [RuleSet::Kakao, RuleSet::Casual] {
        perft_agrees(&read(rules, start), &[32, 1024, 33_316, 1_083_563]);
    }
}
