//! Small games and evaluators with known answers.
#![allow(dead_code, reason = "every test program uses a part")]

pub mod rows;

use sanki::{
    games::rules::{Game, Move, Verdict},
    search::{Evaluation, Evaluator, Query, Wdl},
};

/// The legal moves with the games they lead to.
pub fn children<G: Game>(game: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let play = |mv| {
        let mut child = game.clone();
        child.play(mv);
        (mv, child)
    };
    moves.into_iter().map(play).collect()
}

/// The true value for the side to move, and the plies to it when both sides hurry to win and delay a loss.
pub fn solve<G: Game>(game: &G) -> (i8, u32) {
    if let Some(outcome) = game.outcome() {
        let value = match outcome.verdict {
            Verdict::Draw => 0,
            Verdict::Win(side) if side == game.side_to_move() => 1,
            Verdict::Win(_) => -1,
        };
        return (value, 0);
    }
    let better = |value: i8, plies: u32| (value, if value > 0 { -(plies as i64) } else { plies as i64 });
    let (value, plies) = children(game)
        .iter()
        .map(|(_, child)| {
            let (value, plies) = solve(child);
            (-value, plies + 1)
        })
        .max_by_key(|&(value, plies)| better(value, plies))
        .expect("a game that is not over has moves");
    (value, plies)
}

/// Knows nothing: a draw, every move alike.
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            out.wdl = Wdl::DRAW;
            out.logits.clear();
            out.logits.resize(query.moves.len(), 0.0);
        }
    }
}

/// Opinions drawn from a hash of the position: senseless, but always the same.
#[derive(Clone, Copy)]
pub struct Hash;

pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Hash {
    pub fn wdl<G: Game>(game: &G) -> Wdl {
        let hash = mix(game.key());
        let part = |shift: u32| (1 + (hash >> shift & 0xff)) as f32;
        let (win, draw, loss) = (part(0), part(8), part(16));
        Wdl { win, draw, loss } * (1.0 / (win + draw + loss))
    }
}

impl<G: Game> Evaluator<G> for Hash {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            out.wdl = Hash::wdl(&query.game);
            let logit =
                |mv: &G::Move| (mix(query.game.key() ^ mix(mv.bits().into())) & 0xff) as f32 / 64.0 - 2.0;
            out.logits.clear();
            out.logits.extend(query.moves.iter().map(logit));
        }
    }
}
