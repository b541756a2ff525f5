//! A game of which every position that teaches is encoded: once, for all the samples that are made of it.

use std::ops::Range;

use rand::RngExt;

use super::{MoveWeight, Sample};
use crate::{
    games::{
        encode::{Encode, Feature, Features},
        rules::{Reason, Side},
    },
    search::Wdl,
    training::selfplay::{GameRecord, probability},
};

/// A legal move and its share of the search's policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// Policy index.
    pub index: u16,
    /// In units of 1/65535.
    pub units: u16,
}

/// A game, and its positions that teach as the network sees them. [`Encoder`](super::Encoder) makes it.
#[derive(Debug)]
pub struct EncodedGame {
    /// Without its candidates: the shares say what they said.
    record: GameRecord,
    positions: Positions,
}

/// Positions that teach, in the order of the game; of each list one position's part after the other's.
#[derive(Debug, Default)]
pub(super) struct Positions {
    each: Vec<Position>,
    active: Vec<Feature>,
    /// The places of the scalars that are not zero, and those scalars.
    scalars: Vec<(u16, f32)>,
    shares: Vec<Share>,
}

/// A position, and where its parts of the lists end.
#[derive(Clone, Copy, Debug)]
struct Position {
    ply: u16,
    side: Side,
    /// See [`Encode::is_mirrored`].
    mirrored: Option<bool>,
    ends: Ends,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    active: u32,
    scalars: u32,
    shares: u32,
}

impl EncodedGame {
    /// The game of `record`, with its positions that teach.
    pub(super) fn new(mut record: GameRecord, positions: Positions) -> Self {
        record.plies.iter_mut().for_each(|ply| ply.candidates = 0);
        let record = GameRecord { candidates: Vec::new(), plies: exact(record.plies), ..record };
        let Positions { each, active, scalars, shares } = positions;
        let (each, active) = (exact(each), exact(active));
        EncodedGame {
            record,
            positions: Positions { each, active, scalars: exact(scalars), shares: exact(shares) },
        }
    }

    /// What was played, without the candidates of the searches.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// How many of its positions teach.
    pub fn positions(&self) -> usize {
        self.positions.each.len()
    }

    /// The ply of the position with this number, among those that teach.
    pub fn ply(&self, number: usize) -> usize {
        self.positions.each[number].ply.into()
    }

    /// Makes `sample` one of the position with this number, mirrored at random if the game allows it and the encoding
    /// does not tell left from right. `value_mix` is the share of the search's value in its value target.
    ///
    /// # Panics
    /// May panic when `G` is not the game that was encoded.
    pub fn sample_into<G: Encode>(
        &self,
        number: usize,
        value_mix: f32,
        rng: &mut impl rand::Rng,
        sample: &mut Sample,
    ) {
        let EncodedGame { record, positions } = self;
        let ply = self.ply(number);
        let position = positions.each[number];
        positions.features::<G>(number, &mut sample.features);
        positions.policy(number, &mut sample.policy);
        positions.reply::<G>(number, &mut sample.reply);
        let result = Wdl::of(record.verdict, position.side);
        sample.wdl = result * (1.0 - value_mix) + record.plies[ply].root_wdl() * value_mix;
        // A game that was broken off does not say how long it would have lasted.
        let broken_off = matches!(record.reason, Reason::Resignation | Reason::Adjudicated);
        sample.moves_left = (!broken_off).then_some((record.plies.len() - ply) as f32);
        if G::MIRROR && position.mirrored.is_none() && rng.random::<u32>() & 1 == 1 {
            mirror::<G>(sample);
        }
    }
}

impl Positions {
    /// Adds the next position, at `ply`.
    pub fn push(&mut self, ply: usize, game: &impl Encode, features: &Features, shares: &[Share]) {
        self.active.extend_from_slice(&features.active);
        let scalars = (0..).zip(features.scalars.iter().copied());
        self.scalars.extend(scalars.filter(|(_, scalar)| *scalar != 0.0));
        self.shares.extend_from_slice(shares);
        self.each.push(Position {
            ply: ply as u16,
            side: game.side_to_move(),
            mirrored: game.is_mirrored(),
            ends: Ends {
                active: self.active.len() as u32,
                scalars: self.scalars.len() as u32,
                shares: self.shares.len() as u32,
            },
        });
    }

    fn features<G: Encode>(&self, number: usize, features: &mut Features) {
        let Features { active, scalars } = features;
        active.clear();
        active.extend_from_slice(&self.active[self.range(number, |ends| ends.active)]);
        scalars.clear();
        scalars.resize(G::SCALARS, 0.0);
        for (place, scalar) in &self.scalars[self.range(number, |ends| ends.scalars)] {
            scalars[usize::from(*place)] = *scalar;
        }
    }

    /// Every legal move with its share of the search's policy.
    fn policy(&self, number: usize, policy: &mut Vec<MoveWeight>) {
        let shares = &self.shares[self.range(number, |ends| ends.shares)];
        let moves =
            shares.iter().map(|&Share { index, units }| MoveWeight { index, weight: probability(units) });
        policy.clear();
        policy.extend(moves);
    }

    /// The policy of the ply that follows, on this side's board; empty if that does not teach.
    fn reply<G: Encode>(&self, number: usize, reply: &mut Vec<MoveWeight>) {
        let now = self.each[number];
        let next = self.each.get(number + 1).filter(|next| next.ply == now.ply + 1);
        reply.clear();
        let Some(next) = next else { return };
        self.policy(number + 1, reply);
        reply.iter_mut().for_each(|reply| reply.index = turn::<G>(reply.index));
        if now.mirrored.unwrap_or(false) != next.mirrored.unwrap_or(false) {
            reply.iter_mut().for_each(mirror_move::<G>);
        }
    }

    /// A position's part of a list: from the end of the part before to its own.
    fn range(&self, number: usize, end: impl Fn(Ends) -> u32) -> Range<usize> {
        let before = number.checked_sub(1).map_or(0, |before| end(self.each[before].ends));
        before as usize..end(self.each[number].ends) as usize
    }
}

/// The same list, in no more memory than it needs.
fn exact<T>(list: Vec<T>) -> Vec<T> {
    list.into_boxed_slice().into_vec()
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
