//! Learning: samples a second.

use std::num::NonZero;

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net, movegen::middle_game, net::encoded};
use crate::{
    cli::position,
    encode::{Encode, Inputs},
    net::{Encoded, Model},
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
    /// Samples in a step
    #[arg(long, default_value = "256")]
    batch: NonZero<usize>,
    /// Samples of one forward and backward pass
    #[arg(long, default_value = "64")]
    shard: NonZero<usize>,
}

#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    speed: TrainSpeed,
    shard: usize,
    net: String,
}

pub fn run(args: &Args) -> Result<()> {
    let speed = with_game!(args.common.game, G => measure::<G>(args)?);
    let figures = Figures { speed, shard: args.shard.get(), net: args.net.net.to_string() };
    super::print(args.common.json, &figures)
}

fn measure<G: Encode>(args: &Args) -> Result<TrainSpeed> {
    let rules = position::rule_set(G::ID, None)?;
    let samples = (0..8).cycle().take(args.batch.get());
    let batch: Vec<Sample> =
        samples.map(|i| sample(middle_game::<G>(rules, i), args.net.net.inputs())).collect();
    let config =
        LearnerConfig { batch: args.batch.get(), shard: args.shard.get(), ..LearnerConfig::default() };
    let model = Model::init(&args.net.net, G::SHAPE, 0);
    let mut learner = Learner::new(config, &model, G::SHAPE, args.net.backend, args.common.threads.get());
    Ok(train_speed(&mut learner, &batch, args.common.seconds)?)
}

/// A position with targets of the usual size: every legal move alike, also as replies, and a drawn game.
fn sample<G: Encode>(game: G, inputs: Inputs) -> Sample {
    let Encoded { features, moves } = encoded(game, inputs);
    let policy: Vec<MoveWeight> = moves.iter().map(|&index| MoveWeight { index, weight: 1.0 }).collect();
    Sample { features, reply: policy.clone(), policy, wdl: Wdl::DRAW, moves_left: Some(20.0) }
}
