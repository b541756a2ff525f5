//! What a run's config says about the network.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::encode::Shape;

/// Width of the register tiles of the native kernels; channels come in multiples of it.
pub const LANES: usize = 16;

/// The kind of a network and its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum NetConfig {
    /// A residual tower of 3x3 convolutions.
    Conv(ConvConfig),
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
    /// Without blocks, or with channels that are no positive multiple of 16.
    pub fn check(&self) -> Result<(), BadNet> {
        let NetConfig::Conv(conv) = self;
        let bad = |why| Err(BadNet { net: self.to_string(), why });
        match conv {
            ConvConfig { blocks: 0, .. } => bad("at least one block is needed"),
            ConvConfig { channels: 0, .. } => bad("at least 16 channels are needed"),
            ConvConfig { channels, .. } if channels % LANES != 0 => bad("channels come in multiples of 16"),
            _ => Ok(()),
        }
    }

    /// Number of parameters; saturates.
    pub fn parameters(&self, sizes: &Sizes) -> usize {
        let NetConfig::Conv(conv) = self;
        conv.parameters(sizes)
    }

    /// Million floating point operations of one evaluation: two for each multiplication of every layer that
    /// play needs, a 3x3 convolution counted as `2 * 9 * in * out * squares` (taps on the padding included)
    /// and the policy for every move plane of every square.
    pub fn mflop(&self, shape: &Shape) -> f64 {
        let NetConfig::Conv(conv) = self;
        conv.multiplications(shape) as f64 * 2e-6
    }
}

impl ConvConfig {
    fn parameters(&self, sizes: &Sizes) -> usize {
        let Sizes { planes, scalars, move_planes } = *sizes;
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

impl fmt::Display for NetConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetConfig::Conv(conv) = self;
        write!(f, "{}x{}", conv.blocks, conv.channels)
    }
}

impl FromStr for NetConfig {
    type Err = BadNet;

    /// Reads `4x32`: blocks and channels of a residual tower.
    fn from_str(text: &str) -> Result<Self, BadNet> {
        let bad = || BadNet { net: text.to_owned(), why: "a net is written BLOCKSxCHANNELS, as in 4x32" };
        let (blocks, channels) = text.split_once('x').ok_or_else(bad)?;
        let number = |part: &str| part.parse().map_err(|_| bad());
        let config = NetConfig::Conv(ConvConfig { blocks: number(blocks)?, channels: number(channels)? });
        config.check()?;
        Ok(config)
    }
}

/// The sizes that a network shares with its games: everything of [`Shape`] but the board.
///
/// Weights fit every game whose sizes are equal, whatever the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    /// Feature planes.
    pub planes: usize,
    /// Scalars beside the planes.
    pub scalars: usize,
    /// Move planes.
    pub move_planes: usize,
}

impl From<Shape> for Sizes {
    fn from(shape: Shape) -> Self {
        Sizes { planes: shape.planes, scalars: shape.scalars, move_planes: shape.move_planes }
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sizes { planes, scalars, move_planes } = self;
        write!(f, "{planes} planes, {scalars} scalars, {move_planes} move planes")
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
        for bad in ["", "6", "0x32", "4x0", "4x40", "x32", "4x-16", "axb"] {
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
    }

    #[test]
    fn flop_of_a_known_net() {
        // Two for each multiplication, by hand: 2*(9*30*32*90 + 4*(2*9*32*32*90 + 2048)
        // + 32*32*90 + 2048 + 32*40*90 + 32*32*90 + 2048 + 96 + 8*32).
        let shape = Shape { planes: 30, scalars: 8, move_planes: 40, ranks: 10, files: 9 };
        let mflop = "4x32".parse::<NetConfig>().unwrap().mflop(&shape);
        let by_hand = 2.0
            * (777_600.0
                + 4.0 * (1_658_880.0 + 2048.0)
                + 2.0 * (92_160.0 + 2048.0)
                + 115_200.0
                + 96.0
                + 256.0);
        assert!((mflop - by_hand / 1e6).abs() < 1e-9, "{mflop}");
    }
}
