//! What a run's config says about the network.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::Precision;
use crate::games::encode::{Feature, Inputs, Shape};

/// Width of the register tiles of the native kernels; channels come in multiples of it.
pub const LANES: usize = 16;

/// No net is larger, so that what a file or a config says of one cannot ask for more memory than there is: the weights
/// of 2^27 parameters are 512 MiB, several times what the largest useful net has.
pub const MOST_PARAMETERS: usize = 1 << 27;
const MOST_BLOCKS: usize = 1 << 10;
const MOST_CHANNELS: usize = 1 << 12;
const MOST_HIDDEN: usize = 1 << 16;

/// The kind of a network and its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum NetConfig {
    /// A residual tower of 3x3 convolutions: for a GPU, and where a position is worth milliseconds.
    Conv(ConvConfig),
    /// One hidden layer of sums of rows, one row for each active feature: made for processors.
    Sparse(SparseConfig),
}

/// The size of a residual tower.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvConfig {
    /// Residual blocks of two convolutions each; at least 1.
    pub blocks: usize,
    /// Channels of the tower; a multiple of 16.
    pub channels: usize,
}

/// The size of a sparse network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SparseConfig {
    /// Sums of each of the two accumulators, the policy's and the value's; a multiple of 32.
    pub hidden: usize,
    /// What the features tell of a piece.
    #[serde(default)]
    pub inputs: Inputs,
}

/// A size that no network can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad net '{net}': {why}")]
pub struct BadNet {
    /// The net as given.
    pub net: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl NetConfig {
    /// Checks the sizes.
    ///
    /// # Errors
    /// A tower without blocks, or with channels that are no positive multiple of 16; a sparse net whose width is
    /// no positive multiple of 32; more than 1024 blocks, 4096 channels or a width of 65536.
    pub fn check(&self) -> Result<(), BadNet> {
        let bad = |why| Err(BadNet { net: self.to_string(), why });
        match self {
            NetConfig::Conv(ConvConfig { blocks: 0, .. }) => bad("at least one block is needed"),
            NetConfig::Conv(ConvConfig { channels: 0, .. }) => bad("at least 16 channels are needed"),
            NetConfig::Conv(ConvConfig { channels, .. }) if channels % LANES != 0 => {
                bad("channels come in multiples of 16")
            }
            NetConfig::Sparse(SparseConfig { hidden: 0, .. }) => bad("at least 32 hidden sums are needed"),
            NetConfig::Conv(ConvConfig { blocks, .. }) if *blocks > MOST_BLOCKS => {
                bad("there are at most 1024 blocks")
            }
            NetConfig::Conv(ConvConfig { channels, .. }) if *channels > MOST_CHANNELS => {
                bad("there are at most 4096 channels")
            }
            NetConfig::Sparse(SparseConfig { hidden, .. }) if *hidden > MOST_HIDDEN => {
                bad("there are at most 65536 hidden sums")
            }
            NetConfig::Sparse(SparseConfig { hidden, .. }) if hidden % (2 * LANES) != 0 => {
                bad("hidden sums come in multiples of 32")
            }
            _ => Ok(()),
        }
    }

    /// Checks it together with the sizes of a game.
    ///
    /// # Errors
    /// Those of [`NetConfig::check`], and more than [`MOST_PARAMETERS`] parameters.
    pub fn check_for(&self, sizes: &Sizes) -> Result<(), BadNet> {
        self.check()?;
        if self.parameters(sizes) > MOST_PARAMETERS {
            let why = "it has more than 134217728 parameters";
            return Err(BadNet { net: self.to_string(), why });
        }
        Ok(())
    }

    /// Number of parameters; saturates.
    pub fn parameters(&self, sizes: &Sizes) -> usize {
        match self {
            NetConfig::Conv(conv) => conv.parameters(sizes),
            NetConfig::Sparse(sparse) => sparse.parameters(sizes),
        }
    }

    /// What it wants positions to be encoded with.
    pub fn inputs(&self) -> Inputs {
        match self {
            NetConfig::Conv(_) => Inputs::Pieces,
            NetConfig::Sparse(sparse) => sparse.inputs,
        }
    }

    /// Whether it can be evaluated in `precision`, on one backend or another.
    pub fn has(&self, precision: Precision) -> bool {
        match precision {
            Precision::Auto | Precision::Fp32 => true,
            Precision::Bf16 | Precision::Fp16 => matches!(self, NetConfig::Conv(_)),
            Precision::Int16 => matches!(self, NetConfig::Sparse(_)),
        }
    }

    /// Whether its weights fit one board only.
    pub fn is_tied_to_board(&self) -> bool {
        matches!(self, NetConfig::Sparse(_))
    }

    /// Floating point operations of one evaluation of a position with `features` active features and `moves`
    /// legal moves: two for each multiplication of every layer that play needs. A tower's do not depend on the
    /// position: a 3x3 convolution counts as `2 * 9 * in * out * squares` (taps on the padding included), and
    /// the policy for every move plane of every square. A sparse net's row that is added counts one for each sum.
    pub fn flop(&self, shape: &Shape, features: usize, moves: usize) -> usize {
        match self {
            NetConfig::Conv(conv) => 2 * conv.multiplications(shape),
            NetConfig::Sparse(sparse) => sparse.operations(shape, features, moves),
        }
    }
}

impl ConvConfig {
    fn parameters(&self, sizes: &Sizes) -> usize {
        let Sizes { planes, scalars, move_planes, .. } = *sizes;
        let (c, times) = (self.channels, usize::saturating_mul);
        let square = times(c, c);
        let stem = times(9 * planes + scalars + 1, c);
        let block = times(9 * 2 + 2, square).saturating_add(4 * c);
        let policy = times(3, square).saturating_add(times(2 * move_planes + 1, c)) + 2 * move_planes;
        let value = times(3, square).saturating_add(6 * c) + 4;
        [stem, times(self.blocks, block), policy, value].into_iter().fold(0, usize::saturating_add)
    }

    fn multiplications(&self, shape: &Shape) -> usize {
        let (c, squares) = (self.channels, shape.squares());
        let stem = 9 * shape.planes * c * squares + shape.scalars * c;
        let block = 2 * 9 * c * c * squares + 2 * c * c;
        let policy = c * c * squares + 2 * c * c + c * shape.policy_len();
        let value = c * c * squares + 2 * c * c + 3 * c;
        stem + self.blocks * block + policy + value
    }
}

/// Ends the name of a sparse net whose features tell of attacks.
const ATTACKS: &str = "-attacks";

/// Outputs of the hidden layer of a sparse net's value head.
pub const VALUE_HIDDEN: usize = 32;

impl SparseConfig {
    /// Outputs of each accumulator's gate: half of its sums gate the other half.
    pub fn gated(&self) -> usize {
        self.hidden / 2
    }

    fn parameters(&self, sizes: &Sizes) -> usize {
        let Sizes { planes, scalars, move_planes, squares, inputs } = *sizes;
        let times = usize::saturating_mul;
        let common = if inputs == Inputs::Attacks { times(planes, squares) } else { 0 };
        let statuses = times(planes, inputs.statuses());
        let rows = times(statuses, squares + 1).saturating_add(common).saturating_add(scalars + 1);
        let moves = times(move_planes, squares).saturating_add(move_planes + squares);
        let policy = times(moves, self.gated()).saturating_add(times(move_planes, squares));
        let value = times(self.gated() + 1, VALUE_HIDDEN) + 4 * (VALUE_HIDDEN + 1);
        [times(rows, 2 * self.hidden), times(2, policy), value].into_iter().fold(0, usize::saturating_add)
    }

    fn operations(&self, shape: &Shape, features: usize, moves: usize) -> usize {
        let sums = 2 * self.hidden * (features + 2 * shape.scalars);
        let value = self.gated() * VALUE_HIDDEN + 3 * VALUE_HIDDEN;
        sums + 2 * (2 * self.gated() + value + moves * self.gated())
    }
}

impl fmt::Display for NetConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetConfig::Conv(conv) => write!(f, "{}x{}", conv.blocks, conv.channels),
            NetConfig::Sparse(SparseConfig { hidden, inputs: Inputs::Pieces }) => {
                write!(f, "sparse-{hidden}")
            }
            NetConfig::Sparse(SparseConfig { hidden, inputs: Inputs::Attacks }) => {
                write!(f, "sparse-{hidden}{ATTACKS}")
            }
        }
    }
}

impl FromStr for NetConfig {
    type Err = BadNet;

    /// Reads `4x32`, blocks and channels of a residual tower, and `sparse-256`, the width of a sparse net, or
    /// `sparse-256-attacks`, whose features tell of attacks.
    fn from_str(text: &str) -> Result<Self, BadNet> {
        let why = "a net is written BLOCKSxCHANNELS, as in 4x32, or sparse-WIDTH, as in sparse-256 or sparse-256-attacks";
        let bad = || BadNet { net: text.to_owned(), why };
        let number = |part: &str| part.parse().map_err(|_| bad());
        let config = match (text.strip_prefix("sparse-"), text.split_once('x')) {
            (Some(width), _) => {
                let (hidden, inputs) = match width.strip_suffix(ATTACKS) {
                    Some(hidden) => (number(hidden)?, Inputs::Attacks),
                    None => (number(width)?, Inputs::Pieces),
                };
                NetConfig::Sparse(SparseConfig { hidden, inputs })
            }
            (None, Some((blocks, channels))) => {
                NetConfig::Conv(ConvConfig { blocks: number(blocks)?, channels: number(channels)? })
            }
            (None, None) => return Err(bad()),
        };
        config.check()?;
        Ok(config)
    }
}

/// The sizes that a network shares with its games.
///
/// Weights fit every game whose sizes are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Feature planes.
    pub planes: usize,
    /// Scalars beside the planes.
    pub scalars: usize,
    /// Move planes.
    pub move_planes: usize,
    /// Squares of the board, for a net that is tied to one; 0 for a net that plays on any.
    #[serde(default, skip_serializing_if = "is_default")]
    pub squares: usize,
    /// What it wants to know of a piece.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inputs: Inputs,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Sizes {
    /// The sizes that `net` needs to know of `shape`.
    pub fn of(net: &NetConfig, shape: &Shape) -> Self {
        let Shape { planes, scalars, move_planes, .. } = *shape;
        let squares = if net.is_tied_to_board() { shape.squares() } else { 0 };
        Sizes { planes, scalars, move_planes, squares, inputs: net.inputs() }
    }

    /// Whether a game can have them: moves have indices of 16 bits, planes and squares of 8.
    pub fn are_sound(&self) -> bool {
        let Sizes { planes, scalars, move_planes, squares, .. } = *self;
        let moves = move_planes.checked_mul(squares.max(1)).is_some_and(|moves| moves <= 1 << 16);
        (1..=256).contains(&planes)
            && (1..=1 << 16).contains(&scalars)
            && move_planes > 0
            && squares <= 256
            && moves
    }

    /// Whether they are those of `shape`, its board included where the net is tied to one.
    pub fn fit(&self, shape: &Shape) -> bool {
        let Sizes { planes, scalars, move_planes, squares, .. } = *self;
        let same = [planes, scalars, move_planes] == [shape.planes, shape.scalars, shape.move_planes];
        same && (squares == 0 || squares == shape.squares())
    }

    /// Rows of a table with one for each feature that can be active.
    pub fn rows(&self) -> usize {
        self.inputs.statuses() * self.planes * self.squares
    }

    /// The feature's row in such a table: by status, then plane, then square.
    ///
    /// # Panics
    /// When the feature does not fit the sizes.
    pub fn row(&self, feature: &Feature) -> usize {
        let (plane, square) = (usize::from(feature.plane), usize::from(feature.square));
        let status = self.inputs.status_of(feature);
        let fits = status < self.inputs.statuses() && plane < self.planes && square < self.squares;
        assert!(fits, "the features fit the game");
        (status * self.planes + plane) * self.squares + square
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sizes { planes, scalars, move_planes, squares, .. } = self;
        write!(f, "{planes} planes, {scalars} scalars, {move_planes} move planes")?;
        if *squares > 0 { write!(f, ", {squares} squares") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_bad_ones_are_refused() {
        let net: NetConfig = "6x64".parse().unwrap();
        assert_eq!(net, NetConfig::Conv(ConvConfig { blocks: 6, channels: 64 }));
        assert_eq!(net.to_string(), "6x64");
        let net: NetConfig = "sparse-256".parse().unwrap();
        assert_eq!(net, NetConfig::Sparse(SparseConfig { hidden: 256, inputs: Inputs::Pieces }));
        assert_eq!(net.to_string(), "sparse-256");
        let net: NetConfig = "sparse-64-attacks".parse().unwrap();
        assert_eq!(net, NetConfig::Sparse(SparseConfig { hidden: 64, inputs: Inputs::Attacks }));
        assert_eq!(net.to_string(), "sparse-64-attacks");
        for bad in [
            "",
            "6",
            "0x32",
            "4x0",
            "4x40",
            "x32",
            "4x-16",
            "axb",
            "sparse",
            "sparse-0",
            "sparse-48",
            "sparse-64-",
            "2000x16",
            "1x8192",
            "sparse-131072",
            "sparse-9223372036854775776",
        ] {
            let error = bad.parse::<NetConfig>().unwrap_err();
            assert!(error.to_string().contains(&format!("'{bad}'")), "{error}");
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        let read = toml::from_str::<NetConfig>;
        assert!(read("kind = 'conv'\nblocks = 4\nchannels = 32").is_ok());
        assert!(read("kind = 'conv'\nblocks = 4\nchannels = 32\nwidth = 1").is_err());
        assert!(read("kind = 'dense'\nblocks = 4\nchannels = 32").is_err());
        assert!(read("kind = 'sparse'\nhidden = 64").is_ok());
        assert!(read("kind = 'sparse'\nblocks = 4").is_err());
    }

    #[test]
    fn flop_of_known_nets() {
        // Two for each multiplication, by hand: 2*(9*30*32*90 + 4*(2*9*32*32*90 + 2048)
        // + 32*32*90 + 2048 + 32*40*90 + 32*32*90 + 2048 + 96 + 8*32).
        let shape = Shape { planes: 30, scalars: 8, move_planes: 40, ranks: 10, files: 9 };
        let flop = |net: &str| net.parse::<NetConfig>().unwrap().flop(&shape, 32, 45);
        let by_hand = 777_600 + 4 * (1_658_880 + 2048) + 2 * (92_160 + 2048) + 115_200 + 96 + 256;
        assert_eq!(flop("4x32"), 2 * by_hand);
        // 32 rows of two accumulators, 8 scalars times such a row, two gates, 16*32 and 32*3, 45 rows of 16.
        assert_eq!(flop("sparse-32"), 32 * 64 + 2 * (8 * 64 + 2 * 16 + 16 * 32 + 32 * 3 + 45 * 16));
    }
}
