//! The network: evaluations a second, and this machine's own limit beside them.

use std::num::NonZero;

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net, movegen::middle_game};
use crate::{
    cli::{CliError, position},
    encode::Encode,
    net::{
        Encoded, Model, Precision,
        bench::{Load, NetSpeed, net_speed},
    },
    search::Query,
    with_game,
};

/// Different positions that are judged in turn.
const POSITIONS: u64 = 64;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    net: Net,
    /// Positions a call
    #[arg(long, default_value = "32")]
    batch: NonZero<usize>,
    /// The numbers that convolutions multiply: fp32 or bf16
    #[arg(long, default_value_t)]
    precision: Precision,
}

#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    speed: NetSpeed,
    net: String,
}

pub fn run(args: &Args) -> Result<()> {
    let speed = with_game!(args.common.game, G => measure::<G>(args)?);
    super::print(args.common.json, &Figures { speed, net: args.net.net.to_string() })
}

fn measure<G: Encode>(args: &Args) -> Result<NetSpeed> {
    let rules = position::rule_set(G::ID, None)?;
    let count = POSITIONS.max(args.batch.get() as u64);
    let positions: Vec<Encoded> = (0..count).map(|i| encoded(middle_game::<G>(rules, i % 8))).collect();
    let model = Model::init(&args.net.net, G::SHAPE, 0);
    let load = Load {
        backend: args.net.backend,
        precision: args.precision,
        threads: args.common.threads.get(),
        batch: args.batch.get(),
        seconds: args.common.seconds,
    };
    net_speed(&model, G::SHAPE, &positions, &load).map_err(|error| CliError::usage(error).into())
}

/// A position as the network gets it.
pub(super) fn encoded<G: Encode>(game: G) -> Encoded {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut encoded = Encoded::default();
    encoded.set(&Query { game, moves });
    encoded
}
