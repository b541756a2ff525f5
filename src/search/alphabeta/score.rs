//! Scores: whole numbers, for the side to move.

use crate::{
    base::maths::{ln, tanh},
    games::rules::{Side, Verdict},
    search::Wdl,
};

/// A score for the side to move: [`PER_NAT`] for each nat of the odds to win, or a win or a loss that is certain.
pub type SearchScore = i32;

/// The scale of scores. As fine as they need to be, and small enough for sixteen bits.
const PER_NAT: f32 = 200.0;

/// A share that is added to both sides of the odds, so that no evaluation is certain: at most 2,764.
const DOUBT: f32 = 1e-6;

/// A win that the board shows now; one in `n` plies is `WIN - n`.
pub const WIN: SearchScore = 30_000;

/// Beyond it, on either side, the result is certain: no line is so long.
pub const CERTAIN: SearchScore = WIN - 1_000;

/// The score of a loop that the rules decide if it goes on: more than any static evaluation, less than what is certain.
pub const LOOP: SearchScore = 4_000;

/// Whether it is the score of a [loop](LOOP). It depends on the moves that led here, so the table must not keep it.
pub fn is_of_loop(score: SearchScore) -> bool {
    (LOOP..CERTAIN).contains(&score.abs())
}

/// The score of an evaluator's probabilities.
pub fn of_wdl(wdl: Wdl) -> SearchScore {
    let odds = (wdl.win + 0.5 * wdl.draw + DOUBT) / (wdl.loss + 0.5 * wdl.draw + DOUBT);
    (PER_NAT * ln(odds)) as SearchScore
}

/// The expected score in `-1.0..=1.0` that `score` stands for.
pub fn to_q(score: SearchScore) -> f32 {
    tanh(0.5 * score as f32 / PER_NAT)
}

/// `verdict` for `side`, where a win is worth `win`.
pub fn of_verdict(verdict: Verdict, side: Side, win: SearchScore) -> SearchScore {
    match verdict {
        Verdict::Draw => 0,
        Verdict::Win(winner) if winner == side => win,
        Verdict::Win(_) => -win,
    }
}

/// A score of a line `ply` plies below the root as the table keeps it: certain results count from the position
/// itself.
pub fn to_table(score: SearchScore, ply: usize) -> SearchScore {
    score + distance(score, ply)
}

/// What [`to_table`] was given, at this ply.
pub fn from_table(score: SearchScore, ply: usize) -> SearchScore {
    score - distance(score, ply)
}

fn distance(score: SearchScore, ply: usize) -> SearchScore {
    match score {
        CERTAIN.. => ply as SearchScore,
        score if score <= -CERTAIN => -(ply as SearchScore),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_keep_their_order_and_certainty_its_distance() {
        let wdl = |win: f32, draw: f32| Wdl { win, draw, loss: 1.0 - win - draw };
        assert_eq!(of_wdl(Wdl::DRAW), 0);
        let rising = [wdl(0.0, 0.0), wdl(0.1, 0.1), wdl(0.4, 0.2), wdl(0.5, 0.3), wdl(0.999, 0.0), Wdl::WIN];
        let scores = rising.map(of_wdl);
        assert!(scores.is_sorted() && scores[0] > -LOOP && scores[5] < LOOP, "{scores:?}");
        assert!((to_q(scores[3]) - 0.3).abs() < 0.01);

        for ply in [0, 3, 100] {
            for score in [0, 2_000, LOOP, WIN - 120, 120 - WIN] {
                assert_eq!(from_table(to_table(score, ply), ply), score);
            }
        }
        assert_eq!(from_table(to_table(WIN - 5, 3), 1), WIN - 3, "a win two plies after the position");
        assert_eq!(from_table(to_table(5 - WIN, 3), 1), 3 - WIN, "and a loss");
    }
}
