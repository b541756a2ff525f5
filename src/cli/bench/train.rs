//! Learning: samples a second.

use std::num::NonZero;

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net, movegen::middle_game, net::encoded};
use crate::{
    cli::position,
    encode::{Encode, Inputs},
    net::{Encoded, NetConfig},
    replay::{MoveWeight, Sample},
    search::Wdl,
    train::{Learner, LearnerConfig, TrainSpeed, train_speed},
    with_game,
};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    net: Net,
    /// Samples per step [default: 256 for a tower, 1024 for a sparse net]
    #[arg(long)]
    batch: Option<NonZero<usize>>,
    /// For a tower: samples in one forward and backward pass [default: a quarter of the batch]
    #[arg(long)]
    shard: Option<NonZero<usize>>,
}

#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    speed: TrainSpeed,
    shard: usize,
    net: String,
}

/// Different positions that are learnt.
const POSITIONS: usize = 256;

pub fn run(args: &Args) -> Result<()> {
    let best = match args.net.net {
        NetConfig::Conv(_) => 256,
        NetConfig::Sparse(_) => 1024,
    };
    let batch = args.batch.map_or(best, NonZero::get);
    let shard = args.shard.map_or(batch.div_ceil(4), NonZero::get);
    let config = LearnerConfig { batch, shard, ..LearnerConfig::default() };
    let speed = with_game!(args.common.game, G => measure::<G>(args, config)?);
    super::print(args.common.json, &Figures { speed, shard, net: args.net.net.to_string() })
}

fn measure<G: Encode>(args: &Args, config: LearnerConfig) -> Result<TrainSpeed> {
    let rules = position::rule_set(G::ID, None)?;
    let inputs = args.net.net.inputs();
    let positions = (0..POSITIONS as u64).map(|i| sample(middle_game::<G>(rules, i % 8, i / 8), inputs));
    let positions: Vec<Sample> = positions.collect();
    let batch: Vec<Sample> = positions.iter().cycle().take(config.batch).cloned().collect();
    let model = args.net.model::<G>()?;
    let mut learner = Learner::new(config, &model, G::SHAPE, args.net.backend, args.common.threads.get());
    train_speed(&mut learner, &batch, args.common.seconds)
}

/// A position with targets of the usual size: every legal move alike, also as replies, and a drawn game.
fn sample<G: Encode>(game: G, inputs: Inputs) -> Sample {
    let Encoded { features, moves, .. } = encoded(game, inputs);
    let policy: Vec<MoveWeight> = moves.iter().map(|&index| MoveWeight { index, weight: 1.0 }).collect();
    Sample { features, reply: policy.clone(), policy, wdl: Wdl::DRAW, moves_left: Some(20.0) }
}
