//! Every row that other programs have judged.

use sanki::games::rules::{
    RuleSet,
    xiangqi::{Minixiangqi, Xiangqi},
};

use super::{
    MINI_START, START, read,
    verdicts::{composed_agree, counts_agree, games_agree, perft_agrees, positions_agree},
};

#[test]
fn positions_of_xiangqi_agree() {
    positions_agree::<Xiangqi>("xiangqi_positions.jsonl.zst");
}

#[test]
fn positions_of_minixiangqi_agree() {
    positions_agree::<Minixiangqi>("minixiangqi_positions.jsonl.zst");
}

#[test]
fn composed_positions_of_xiangqi_agree() {
    composed_agree::<Xiangqi>("xiangqi_composed.jsonl.zst");
}

#[test]
fn composed_positions_of_minixiangqi_agree() {
    composed_agree::<Minixiangqi>("minixiangqi_composed.jsonl.zst");
}

#[test]
fn games_of_xiangqi_end_as_they_should() {
    games_agree::<Xiangqi>("xiangqi_games.jsonl.zst", RuleSet::Axf);
}

#[test]
fn games_of_minixiangqi_end_as_they_should() {
    games_agree::<Minixiangqi>("minixiangqi_games.jsonl.zst", RuleSet::Standard);
}

#[test]
fn perft_of_xiangqi_agrees() {
    perft_agrees::<Xiangqi>("xiangqi_perft.jsonl", RuleSet::Axf);
}

#[test]
fn perft_of_minixiangqi_agrees() {
    perft_agrees::<Minixiangqi>("minixiangqi_perft.jsonl", RuleSet::Standard);
}

/// The counts of Fairy-Stockfish from the starts.
#[test]
fn perft_of_the_starts_agrees() {
    counts_agree(&read::<Xiangqi>(START), &[44, 1_920, 79_666, 3_290_240, 133_312_995]);
    counts_agree(&read::<Minixiangqi>(MINI_START), &[19, 331, 6_664, 127_164, 2_666_905, 54_612_676]);
}
