//! A position as the learner wants it.

use rand::RngExt;

use super::ReplayConfig;
use crate::{
    encode::{Encode, Features},
    rules::Move,
    search::Wdl,
    selfplay::{Candidate, GameRecord, SearchKind},
};

/// A position with its targets, all from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// What the network sees.
    pub features: Features,
    /// `(policy index, share)`; shares sum to one.
    pub policy: Vec<(u16, f32)>,
    /// The opponent's policy one ply later, turned to this side's view; empty where the game ended or the
    /// reply was not searched in full.
    pub reply: Vec<(u16, f32)>,
    /// Win, draw, loss; sums to one.
    pub wdl: [f32; 3],
    /// Plies to the end of the game.
    pub moves_left: f32,
}

/// The sample at ply `ply` of `record`, mirrored at random where the game allows it.
///
/// # Panics
/// When the record's moves are not legal in its game: records are checked when they are read.
pub fn sample_at<G: Encode>(
    record: &GameRecord,
    ply: usize,
    config: &ReplayConfig,
    rng: &mut impl rand::Rng,
) -> Sample {
    let mut game = G::from_fen(record.rules, &record.start).expect("a record starts from a position");
    let mut moves = Vec::new();
    let mut plies = record.plies();
    for (past, _) in plies.by_ref().take(ply) {
        game.play(find_move(&game, past.mv, &mut moves));
    }
    let (now, candidates) = plies.next().expect("the ply is in the record");

    let mut sample = Sample::default();
    game.features(&mut sample.features);
    sample.policy = policy_target(&game, candidates, &mut moves);
    sample.wdl = value_target(Wdl::of(record.verdict, game.side_to_move()), now.root_wdl(), config.value_mix);
    sample.moves_left = (record.plies.len() - ply) as f32;
    if let Some((_, replies)) = plies.next().filter(|(next, _)| next.search == SearchKind::Full) {
        game.play(find_move(&game, now.mv, &mut moves));
        sample.reply = policy_target(&game, replies, &mut moves);
        sample.reply.iter_mut().for_each(|(index, _)| *index = turn::<G>(*index));
    }
    if G::MIRROR && rng.random::<u32>() & 1 == 1 {
        mirror::<G>(&mut sample);
    }
    sample
}

/// The legal move that `bits` stands for.
fn find_move<G: Encode>(game: &G, bits: u16, moves: &mut Vec<G::Move>) -> G::Move {
    moves.clear();
    game.legal_moves(moves);
    *moves.iter().find(|mv| mv.bits() == bits).expect("a record's moves are legal")
}

fn policy_target<G: Encode>(game: &G, candidates: &[Candidate], moves: &mut Vec<G::Move>) -> Vec<(u16, f32)> {
    moves.clear();
    game.legal_moves(moves);
    // Shares are rounded in the record: they are made to sum to one again.
    let total: f32 = candidates.iter().map(Candidate::share).sum();
    let index = |candidate: &Candidate| {
        let mv = moves.iter().find(|mv| mv.bits() == candidate.mv).expect("a record's moves are legal");
        (game.policy_index(*mv) as u16, candidate.share() / total)
    };
    candidates.iter().filter(|candidate| candidate.share > 0).map(index).collect()
}

fn value_target(result: Wdl, searched: Wdl, mix: f32) -> [f32; 3] {
    let wdl = result * (1.0 - mix) + searched * mix;
    [wdl.win, wdl.draw, wdl.loss]
}

/// A policy index of the opponent as it lies on this side's board: the square turned by 180 degrees.
fn turn<G: Encode>(index: u16) -> u16 {
    let (plane, square) = (usize::from(index) / G::SQUARES, usize::from(index) % G::SQUARES);
    (plane * G::SQUARES + (G::SQUARES - 1 - square)) as u16
}

/// Swaps left and right.
fn mirror<G: Encode>(sample: &mut Sample) {
    for feature in &mut sample.features.active {
        feature.square = G::mirror_square(usize::from(feature.square)) as u8;
    }
    for (index, _) in sample.policy.iter_mut().chain(&mut sample.reply) {
        let (plane, square) = (usize::from(*index) / G::SQUARES, usize::from(*index) % G::SQUARES);
        *index = (G::mirror_move_plane(plane) * G::SQUARES + G::mirror_square(square)) as u16;
    }
}
