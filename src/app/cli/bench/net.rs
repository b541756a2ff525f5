//! The network: evaluations a second, and this machine's own limit beside them.

use std::{num::NonZero, path::PathBuf};

use anyhow::Result;
use serde::Serialize;

use super::{Common, Net, movegen::middle_game};
use crate::{
    app::cli::{CliError, output::Force, position},
    games::encode::{Encode, Inputs},
    net::{
        EncodedQuery, ModelFile, Precision,
        bench::{Load, NetSpeed, net_speed},
        onnx,
    },
    search::Query,
    training::learner::MOST_SAMPLES,
    with_game,
};

/// Different positions that are judged in turn.
const POSITIONS: u64 = 64;

#[derive(Debug, clap::Args)]
pub struct BenchNetArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    net: Net,
    /// Positions per call
    #[arg(long, default_value = "32")]
    batch: NonZero<usize>,
    /// The number format in which the net computes: fp32; for a tower also bf16, for a sparse net also int16; auto is the
    /// faster one, as measured
    #[arg(long, default_value_t)]
    precision: Precision,
    /// Also write the measured net to FILE: the weights if it ends with .safetensors, else ONNX
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

#[derive(Serialize)]
struct Figures {
    #[serde(flatten)]
    speed: NetSpeed,
    net: String,
}

pub fn run(args: &BenchNetArgs) -> Result<()> {
    let batch = args.batch.get();
    if batch > MOST_SAMPLES {
        return Err(CliError::usage(format!("--batch {batch}: it must be at most {MOST_SAMPLES}")).into());
    }
    let figures = with_game!(args.common.game(), G => measure::<G>(args)?);
    super::print(args.common.json, &figures)
}

fn measure<G: Encode>(args: &BenchNetArgs) -> Result<Figures> {
    let rules = position::rule_set(G::ID, None)?;
    let count = POSITIONS.max(args.batch.get() as u64);
    let model = args.net.model::<G>()?;
    let inputs = model.net().inputs();
    let positions: Vec<EncodedQuery> =
        (0..count).map(|i| encoded(middle_game::<G>(rules, i % 8, i / 8), inputs)).collect();
    if let Some(path) = &args.export {
        args.force.check(path)?;
        let file = ModelFile::untrained::<G>(rules, model.clone());
        let weights = path.extension().is_some_and(|extension| extension == "safetensors");
        args.force.write(path, &if weights { file.to_safetensors() } else { onnx::to_bytes(&file) })?;
    }
    let load = Load {
        backend: args.net.backend,
        precision: args.precision,
        threads: args.common.threads.get(),
        batch: args.batch.get(),
        seconds: args.common.seconds,
    };
    let speed = net_speed(&model, G::SHAPE, &positions, &load).map_err(CliError::usage)?;
    Ok(Figures { speed, net: model.net().to_string() })
}

/// A position as the network gets it.
pub(super) fn encoded<G: Encode>(game: G, inputs: Inputs) -> EncodedQuery {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut encoded = EncodedQuery::default();
    encoded.set(&Query { game, moves, policy_only: false }, inputs);
    encoded
}
