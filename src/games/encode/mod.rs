//! A position as features, a move as a policy index.
//!
//! Owns shapes and indices; knows no tensors and no network. One description serves every kind of net: a
//! convolution scatters the features to planes, a sparse net sums one row for each.

mod dobutsu;
mod janggi;
pub mod palace;
mod shogi;
pub mod shogi_family;
pub mod view;
mod xiangqi;

use serde::{Deserialize, Serialize};

use crate::{base::splitmix::mix, games::rules::Game};

/// What a feature tells of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// What it is and where it stands.
    #[default]
    Pieces,
    /// Also whether it is attacked, and whether it is defended.
    Attacks,
}

impl Inputs {
    /// The number of different [`Feature::status`].
    pub fn statuses(self) -> usize {
        match self {
            Inputs::Pieces => 1,
            Inputs::Attacks => 4,
        }
    }

    /// [`Feature::status`] for these inputs: always 0 if they do not include it.
    pub fn status_of(self, feature: &Feature) -> usize {
        match self {
            Inputs::Pieces => 0,
            Inputs::Attacks => usize::from(feature.status),
        }
    }
}

/// One active feature: a plane and a square, both from the mover's point of view.
///
/// Squares count row by row, `rank * FILES + file`; rank 0 is the mover's own first rank and file 0 is at
/// the mover's left, or at its right if the position [is mirrored](Encode::is_mirrored).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature {
    /// In `0..PLANES`.
    pub plane: u8,
    /// In `0..SQUARES`.
    pub square: u8,
    /// 1 if the piece is attacked, and 2 more if it is defended, whether or not the moves would be legal; 0 where
    /// that is not asked for.
    pub status: u8,
}

/// A position as a network sees it. Reused: [`Encode::features`] clears it first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// The active features, in no particular order, each once.
    pub active: Vec<Feature>,
    /// Exactly `SCALARS` numbers in `0.0..=1.0`: hands, counters, flags.
    pub scalars: Vec<f32>,
}

impl Features {
    /// A 64-bit hash of the whole content, for caches of evaluations.
    ///
    /// Independent of the order of `active`.
    pub fn hash(&self) -> u64 {
        let piece = |f: &Feature| {
            [f.status, f.plane, f.square].into_iter().fold(0, |bits, x| bits << 8 | u64::from(x))
        };
        let squares = self.active.iter().map(piece);
        // Most scalars are zero and add nothing: what is not listed is zero.
        let scalars = (1..).zip(&self.scalars).filter(|(_, scalar)| **scalar != 0.0);
        let scalars = scalars.map(|(index, scalar): (u64, _)| index << 32 | u64::from(scalar.to_bits()));
        // Each item is spread; a sum forgets the order.
        mix(squares.chain(scalars).fold(0u64, |sum, item| sum.wrapping_add(mix(item))))
    }
}

/// The sizes of a game's encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// Feature planes.
    pub planes: usize,
    /// Scalars beside the planes.
    pub scalars: usize,
    /// Move planes; a policy index is `move plane * squares + square`.
    pub move_planes: usize,
    /// Ranks of the board.
    pub ranks: usize,
    /// Files of the board.
    pub files: usize,
}

impl Shape {
    /// Squares of the board.
    pub fn squares(&self) -> usize {
        self.ranks * self.files
    }

    /// Length of the policy: `move_planes * squares`.
    pub fn policy_len(&self) -> usize {
        self.move_planes * self.squares()
    }
}

/// How a game meets a network.
pub trait Encode: Game {
    /// The version of this encoding. A checkpoint of a later version is refused, and of one before
    /// [`Encode::OLDEST_USABLE`].
    const ENCODING_VERSION: u32;
    /// The oldest version of which nets know what to make of this one's features, and of which the policy has the same
    /// indices.
    const OLDEST_USABLE: u32 = Self::ENCODING_VERSION;
    /// Feature planes, over all rule sets of the game's family.
    const PLANES: usize;
    /// Scalars beside the planes.
    const SCALARS: usize;
    /// Move planes.
    const MOVE_PLANES: usize;
    /// Whether the rules are the same after swapping left and right.
    const MIRROR: bool;

    /// All sizes at once.
    const SHAPE: Shape = Shape {
        planes: Self::PLANES,
        scalars: Self::SCALARS,
        move_planes: Self::MOVE_PLANES,
        ranks: Self::RANKS,
        files: Self::FILES,
    };

    /// Writes what `inputs` asks for of the position, from the mover's point of view, into `out`, which is cleared
    /// first.
    fn features(&self, inputs: Inputs, out: &mut Features);

    /// What gives the moves of this position their policy indices: `move plane * SQUARES + square`, from the mover's
    /// point of view; injective over the legal moves. What is the same for all of them is found once, here.
    fn indexer(&self) -> impl Fn(Self::Move) -> usize;

    /// The policy index of one move; for several there is [`Encode::indexer`].
    fn policy_index(&self, mv: Self::Move) -> usize {
        self.indexer()(mv)
    }

    /// The move plane that `plane` becomes when left and right are swapped.
    fn mirror_move_plane(plane: usize) -> usize;

    /// Whether this position is encoded with left and right swapped; `None` if nothing tells left from right. It is then
    /// encoded as it stands.
    fn is_mirrored(&self) -> Option<bool> {
        None
    }

    /// The square that `square` becomes when left and right are swapped.
    fn mirror_square(square: usize) -> usize {
        let file = square % Self::FILES;
        square - file + (Self::FILES - 1 - file)
    }
}
