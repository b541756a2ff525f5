//! From a record to a sample: the position, and what there is to learn about it.

use rand::RngExt;

use super::{MoveWeight, ReplayConfig, Sample};
use crate::{
    encode::{Encode, Inputs},
    rules::{Move, ParseError, Reason},
    search::Wdl,
    selfplay::{Candidate, GameRecord, SearchKind},
};

/// Makes samples of records. Its buffers serve one sample after another.
#[derive(Debug)]
pub struct Sampler<'a, G: Encode> {
    config: &'a ReplayConfig,
    inputs: Inputs,
    /// The legal moves of a position.
    moves: Vec<G::Move>,
    /// By the bits of a move its place among those; of other moves it may say anything.
    places: Vec<u16>,
}

impl<'a, G: Encode> Sampler<'a, G> {
    /// Encodes positions with `inputs`.
    pub fn new(config: &'a ReplayConfig, inputs: Inputs) -> Self {
        Sampler { config, inputs, moves: Vec::new(), places: vec![0; 1 << u16::BITS] }
    }

    /// The sample at ply `ply` of `record`, mirrored at random if the game allows it and the encoding does not tell left
    /// from right.
    ///
    /// # Panics
    /// When the record fails [`check_record`].
    pub fn sample(&mut self, record: &GameRecord, ply: usize, rng: &mut impl rand::Rng) -> Sample {
        let mut game = G::from_fen(record.rules, &record.start).expect("a record starts from a position");
        let mut plies = record.plies();
        for (past, _) in plies.by_ref().take(ply) {
            game.play(G::Move::from_bits(past.mv));
        }
        let (now, candidates) = plies.next().expect("the ply is in the record");

        let mut sample = Sample::default();
        game.features(self.inputs, &mut sample.features);
        sample.policy = self.policy_target(&game, candidates);
        let result = Wdl::of(record.verdict, game.side_to_move());
        sample.wdl = value_target(result, now.root_wdl(), self.config.value_mix);
        // A game that was broken off does not say how long it would have lasted.
        let broken_off = matches!(record.reason, Reason::Resignation | Reason::Adjudicated);
        sample.moves_left = (!broken_off).then_some((record.plies.len() - ply) as f32);
        let mirrored = game.is_mirrored();
        if let Some((_, replies)) = plies.next().filter(|(next, _)| next.search == SearchKind::Full) {
            game.play(G::Move::from_bits(now.mv));
            sample.reply = self.policy_target(&game, replies);
            sample.reply.iter_mut().for_each(|reply| reply.index = turn::<G>(reply.index));
            if mirrored.unwrap_or(false) != game.is_mirrored().unwrap_or(false) {
                sample.reply.iter_mut().for_each(mirror_move::<G>);
            }
        }
        if G::MIRROR && mirrored.is_none() && rng.random::<u32>() & 1 == 1 {
            mirror::<G>(&mut sample);
        }
        sample
    }

    /// Every legal move with its share of the search's policy.
    fn policy_target(&mut self, game: &G, candidates: &[Candidate]) -> Vec<MoveWeight> {
        let Sampler { moves, places, .. } = self;
        moves.clear();
        game.legal_moves(moves);
        let index = game.indexer();
        let mut target: Vec<MoveWeight> =
            moves.iter().map(|&mv| MoveWeight { index: index(mv) as u16, weight: 0.0 }).collect();
        (0..).zip(&*moves).for_each(|(place, mv)| places[usize::from(mv.bits())] = place);
        for candidate in candidates {
            target[usize::from(places[usize::from(candidate.mv)])].weight = candidate.share();
        }
        target
    }
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
    sample.policy.iter_mut().chain(&mut sample.reply).for_each(mirror_move::<G>);
}

fn mirror_move<G: Encode>(entry: &mut MoveWeight) {
    let (plane, square) = (usize::from(entry.index) / G::SQUARES, usize::from(entry.index) % G::SQUARES);
    entry.index = (G::mirror_move_plane(plane) * G::SQUARES + G::mirror_square(square)) as u16;
}

/// Whether every move of `record`, played or a candidate, is legal in its game.
///
/// # Errors
/// Says what is wrong: files of another program's version can be whole and still make no sense.
pub fn check_record<G: Encode>(record: &GameRecord) -> Result<(), ParseError> {
    let bad = |what, why: &str| ParseError::new(what, format!("game {}", record.index), why);
    if !G::ID.rule_sets().contains(&record.rules) {
        return Err(bad("record", "its rule set is of another game"));
    }
    let candidates: usize = record.plies.iter().map(|ply| usize::from(ply.candidates)).sum();
    if record.plies.len() > usize::from(u16::MAX) || candidates != record.candidates.len() {
        return Err(bad("record", "its plies and candidates do not match"));
    }
    let mut game = G::from_fen(record.rules, &record.start)?;
    let mut moves = Vec::new();
    for (ply, candidates) in record.plies() {
        moves.clear();
        game.legal_moves(&mut moves);
        let legal = |bits: u16| moves.iter().find(|mv| mv.bits() == bits);
        if !candidates.iter().all(|candidate| legal(candidate.mv).is_some()) {
            return Err(bad("record", "a candidate is no legal move"));
        }
        game.play(*legal(ply.mv).ok_or_else(|| bad("record", "it has an illegal move"))?);
    }
    Ok(())
}
