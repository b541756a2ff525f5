//! From a record to a sample: the position, and what there is to learn about it.

use rand::RngExt;

use super::{MoveWeight, ReplayConfig, Sample};
use crate::{
    encode::Encode,
    rules::Move,
    search::Wdl,
    selfplay::{Candidate, GameRecord, SearchKind},
};

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
    sample.moves_left = Some((record.plies.len() - ply) as f32);
    if let Some((_, replies)) = plies.next().filter(|(next, _)| next.search == SearchKind::Full) {
        game.play(find_move(&game, now.mv, &mut moves));
        sample.reply = policy_target(&game, replies, &mut moves);
        sample.reply.iter_mut().for_each(|reply| reply.index = turn::<G>(reply.index));
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

/// Every legal move with its share of the search's policy.
fn policy_target<G: Encode>(game: &G, candidates: &[Candidate], moves: &mut Vec<G::Move>) -> Vec<MoveWeight> {
    moves.clear();
    game.legal_moves(moves);
    let share = |mv: &G::Move| candidates.iter().find(|c| c.mv == mv.bits()).map_or(0.0, Candidate::share);
    moves.iter().map(|mv| MoveWeight { index: game.policy_index(*mv) as u16, weight: share(mv) }).collect()
}

fn value_target(result: Wdl, searched: Wdl, mix: f32) -> Wdl {
    result * (1.0 - mix) + searched * mix
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
    for entry in sample.policy.iter_mut().chain(&mut sample.reply) {
        let (plane, square) = (usize::from(entry.index) / G::SQUARES, usize::from(entry.index) % G::SQUARES);
        entry.index = (G::mirror_move_plane(plane) * G::SQUARES + G::mirror_square(square)) as u16;
    }
}
