//! `sanki export`: a trained model in one file.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;

use super::output::Force;
use crate::{
    net::{ModelFile, onnx},
    rules::{GameId, RuleSet},
    serve::{Language, Texts},
    web,
};

/// Write a trained model to a file of its own: for other programs, or to play without the run
///
/// Of several models it writes the mean of their weights. If they were trained from the same one, their mean is mostly
/// stronger than each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The exported weights are the averaged ones, with which the net plays. An ONNX file has the inputs `planes`, \
[batch, planes, ranks, files], and `scalars`, and the outputs `policy`, the logits of all moves, and `wdl`, \
probabilities. Its metadata describes it. docs/nets.md explains the planes, the scalars, the moves and the \
tensors.

Examples:
  sanki export runs/first --format onnx -o first.onnx
  sanki export runs/first/checkpoints/gen-000010.sanki --format sanki -o ten.sanki
  sanki export first.safetensors --format sanki -o first.sanki
  sanki export checkpoints/janggi.sanki --format html -o janggi.html
  sanki export runs/first runs/second --format sanki -o mean.sanki")]
pub struct Args {
    /// A checkpoint, an exported model, or a run's folder for its newest checkpoint; several for their mean
    #[arg(value_name = "CHECKPOINT", required = true)]
    checkpoints: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum)]
    format: Format,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object: file, format, bytes, game, rules, net, generation
    #[arg(long)]
    json: bool,
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// The weights by name, exactly as trained; can be used wherever a checkpoint can
    Safetensors,
    /// The network, for onnxruntime and others
    Onnx,
    /// The smallest file, with 16-bit weights; can be used wherever a checkpoint can
    Sanki,
    /// A page on which you play against the net in a browser, without a network connection
    Html,
}

impl Format {
    fn bytes(self, file: &ModelFile) -> Result<Vec<u8>> {
        Ok(match self {
            Format::Safetensors => file.to_safetensors(),
            Format::Onnx => onnx::to_bytes(file),
            Format::Sanki => file.to_compact()?.to_bytes(),
            Format::Html => web::page(file, &Texts::new(Language::English).for_playing())?.into_bytes(),
        })
    }
}

/// What was written.
#[derive(Debug, Serialize)]
struct Report<'a> {
    file: &'a Path,
    format: Format,
    bytes: usize,
    game: GameId,
    rules: RuleSet,
    net: &'a str,
    generation: u32,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    args.force.check(&args.output)?;
    let file = model(&args.checkpoints)?;
    let bytes = args.format.bytes(&file)?;
    args.force.write(&args.output, &bytes)?;
    let report = Report {
        file: &args.output,
        format: args.format,
        bytes: bytes.len(),
        game: file.meta.game,
        rules: file.meta.rules,
        net: &file.meta.net,
        generation: file.meta.generation,
    };
    print(args.json, &report)
}

/// The model to write.
fn model(paths: &[PathBuf]) -> Result<ModelFile> {
    match paths {
        [one] => ModelFile::read(one),
        _ => {
            let nets: Result<Vec<ModelFile>> = paths.iter().map(|path| ModelFile::read(path)).collect();
            ModelFile::mean(&nets?)
        }
    }
}

fn print(json: bool, report: &Report) -> Result<()> {
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
    } else {
        let Report { file, bytes, game, rules, net, generation, .. } = report;
        let file = file.display();
        writeln!(out, "{file}: {bytes} bytes, {game} ({rules}), a {net} net of generation {generation}")?;
    }
    Ok(())
}
