//! J10 to J13 and the rule sets: how games end, one test for each clause.

mod checks_and_passes;
mod counts;
mod facing_kings;

use sanki::games::rules::{Game, Outcome, Reason, RuleSet, Side, janggi::Janggi};

use super::{legal_moves, play, read};

use RuleSet::{Casual, Kakao, Martin1995, Points, Traditional};

const ALL: [RuleSet; 5] = [Points, Traditional, Kakao, Casual, Martin1995];

/// The game after `moves`.
fn after(rules: RuleSet, fen: &str, moves: &str) -> Janggi {
    let mut game = read(rules, fen);
    play(&mut game, moves);
    game
}

fn outcome(rules: RuleSet, fen: &str, moves: &str) -> Option<Outcome> {
    after(rules, fen, moves).outcome()
}

fn is_legal(rules: RuleSet, fen: &str, mv: &str) -> bool {
    legal_moves(&read(rules, fen)).iter().any(|legal| legal == mv)
}

fn points(winner: Side, reason: Reason, points: [f32; 2]) -> Option<Outcome> {
    Some(Outcome { points: Some(points), ..Outcome::win(winner, reason) })
}

fn win(winner: Side, reason: Reason) -> Option<Outcome> {
    Some(Outcome::win(winner, reason))
}

fn draw(reason: Reason) -> Option<Outcome> {
    Some(Outcome::draw(reason))
}
