//! The numbers that a network is evaluated with.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::games::rules::UnknownName;

/// The numbers that a network is evaluated with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// The fastest of the others, as measured on this machine
    /// ([`Backend::precision_of`](super::Backend::precision_of)). A run measures once, at its start, and keeps what it
    /// took.
    Auto,
    /// Single precision throughout.
    #[default]
    Fp32,
    /// bf16 where nearly all of the work is: the inputs and the weights of all convolutions behind the first, from 64
    /// channels on at the points of Winograd's transform. Their sums, what is carried past them, and everything else
    /// are fp32.
    ///
    /// With AVX512_BF16 1.5 to 1.8 times as fast on Zen 4, and slower than fp32 on an Intel processor; without it
    /// emulated, slower than fp32, so that a net's answers are the same everywhere. To the bit they are where
    /// multiplication and addition are fused; only denormals, which the instructions take for zero, are left aside.
    ///
    /// Against fp32, as Kullback-Leibler divergence of the policy over the legal moves in nats and as error of the
    /// expected score in `-1..=1`, over positions of random games (2026-11-22):
    ///
    /// | net | policy, mean and largest | score, mean and largest | same best move |
    /// | --- | --- | --- | --- |
    /// | 4x32, minixiangqi, trained | 4.9e-6, 2.8e-5 | .0008, .0038 | 100% |
    /// | 4x32, xiangqi, trained | 6.1e-8, 2.8e-7 | .0006, .0022 | 99.8% |
    /// | 4x32, janggi, trained | 5.9e-7, 6.9e-6 | .0005, .0029 | 100% |
    /// | 4x32, shogi, trained | 7.5e-8, 6.4e-7 | .0010, .0051 | 98.0% |
    /// | 4x32, xiangqi, random | 9.2e-6, 5.8e-5 | .0003, .0012 | 99.8% |
    /// | 6x64, xiangqi, random | 2.3e-5, 8.1e-5 | .0006, .0017 | 100% |
    /// | 10x128, xiangqi, random | 1.8e-5, 1.4e-4 | .0015, .0044 | 100% |
    Bf16,
    /// Half precision (IEEE 754 binary16), of a tower on a GPU; what leaves the tower is fp32.
    Fp16,
    /// Of a sparse net, 16 bits for most of what is read: the rows that are added up as integers, in units that are
    /// large enough for their sums, which are exact; the gates and what they are multiplied with as bf16. Half of the
    /// memory is read: half as many evaluations a second again, with AVX2 a third (`sanki bench net`). Denormals apart,
    /// the same everywhere, as with [`Precision::Bf16`].
    ///
    /// Against fp32, on positions of random games: policies at most 9.1e-4 nats and scores at most .0059 apart with
    /// random weights whose opinions are decided, in every game; 2.9e-4 and .0021 with the trained nets in
    /// `checkpoints/` (2026-11-22).
    Int16,
}

impl Precision {
    /// Those in which nets are evaluated on a processor.
    pub const ALL: [Precision; 3] = [Precision::Fp32, Precision::Bf16, Precision::Int16];

    /// What can be asked for.
    const NAMED: [Precision; 5] =
        [Precision::Auto, Precision::Fp32, Precision::Bf16, Precision::Fp16, Precision::Int16];

    /// The name on the command line and in configs.
    pub fn as_str(self) -> &'static str {
        match self {
            Precision::Auto => "auto",
            Precision::Fp32 => "fp32",
            Precision::Bf16 => "bf16",
            Precision::Fp16 => "fp16",
            Precision::Int16 => "int16",
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Precision {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::look_up("precision", name, &Precision::NAMED, Precision::as_str)
    }
}

/// A backend or a kind of net cannot evaluate in this precision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{who} has no {precision}")]
pub struct NoPrecision {
    /// What was to compute.
    pub who: String,
    /// What it lacks.
    pub precision: Precision,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for precision in Precision::NAMED {
            assert_eq!(precision.as_str().parse(), Ok(precision));
        }
        assert!("int8".parse::<Precision>().unwrap_err().to_string().contains("int8"));
    }
}
