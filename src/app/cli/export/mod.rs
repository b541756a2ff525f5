//! `sanki export`: a trained model, or what it has learnt from, in one file.

mod plain;

use std::{borrow::Cow, fs, io::Write, path::PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;

use super::{CliError, output::Force, stdout};
use crate::{
    app::{
        serve::{Language, Texts},
        web,
    },
    games::rules::{GameId, RuleSet},
    net::{ModelFile, onnx},
    training::selfplay::PlainFilter,
};

/// Write a trained model to a file of its own: for other programs, or to play without the run; or the positions of a run, for
/// other trainers
///
/// Of several models it writes the mean of their weights. If they were trained from the same one, their mean is usually
/// stronger than each of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The exported weights are the averaged ones, with which the net plays. An ONNX file has the inputs `planes`, \
[batch, planes, ranks, files], and `scalars`, and the outputs `policy`, the logits of all moves, and `wdl`, \
probabilities. Its metadata describes it. docs/nets.md explains the planes, the scalars, the moves and the \
tensors.

Examples:
  sanki export runs/first --format onnx -o first.onnx
  sanki export runs/first/checkpoints/gen-000010.sanki --format sanki -o a.sanki
  sanki export first.safetensors --format sanki -o first.sanki
  sanki export checkpoints/janggi.sanki --format html -o janggi.html
  sanki export runs/first runs/second --format sanki -o mean.sanki
  sanki export runs/first --format plain --positions quiet -o first.plain")]
pub struct ExportArgs {
    /// A checkpoint, an exported model, or a run's folder for its newest checkpoint; several for their mean. With `plain`, a
    /// run's folder
    #[arg(value_name = "CHECKPOINT", required = true)]
    checkpoints: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum)]
    format: Format,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// With `plain`: the positions to write
    #[arg(long, value_enum, value_name = "WHICH", default_value = "full")]
    positions: Positions,
    /// With `plain`: the seed of the order
    #[arg(long, default_value = "1")]
    seed: u64,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object: file, format, bytes, game, rules, net, generation; with `plain`: file, format, bytes, game, games,
    /// positions
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
    /// The positions that the run has played, as text in random order: FEN, move, score, ply and result, which the
    /// trainers of other programs read
    Plain,
}

/// Which positions are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Positions {
    /// Those of full searches
    Full,
    /// Those of quick searches too
    Searched,
    /// Those of full searches, without those in check and those in which the move played captures
    Quiet,
}

impl From<Positions> for PlainFilter {
    fn from(positions: Positions) -> Self {
        match positions {
            Positions::Full => PlainFilter::Full,
            Positions::Searched => PlainFilter::Searched,
            Positions::Quiet => PlainFilter::Quiet,
        }
    }
}

/// A way to write a model.
type Writer = fn(&ModelFile) -> Result<Vec<u8>>;

impl Format {
    /// How it writes a model, if it is a format of models.
    fn writer(self) -> Option<Writer> {
        Some(match self {
            Format::Plain => return None,
            Format::Safetensors => |file| Ok(file.to_safetensors()),
            Format::Onnx => |file| Ok(onnx::to_bytes(file)),
            Format::Sanki => |file| Ok(file.to_compact()?.to_bytes()),
            Format::Html => {
                |file| Ok(web::page(file, &Texts::new(Language::English).for_playing())?.into_bytes())
            }
        })
    }
}

/// What was written.
#[derive(Debug, Serialize)]
struct Report<'a> {
    file: Cow<'a, str>,
    format: Format,
    bytes: usize,
    game: GameId,
    rules: RuleSet,
    net: &'a str,
    generation: u32,
}

/// Runs the command.
pub fn run(args: ExportArgs) -> Result<()> {
    args.force.check(&args.output)?;
    let Some(writer) = args.format.writer() else { return positions(&args) };
    let file = model(&args.checkpoints)?;
    let bytes = writer(&file)?;
    args.force.write(&args.output, &bytes)?;
    let report = Report {
        // JSON has no other names.
        file: args.output.to_string_lossy(),
        format: args.format,
        bytes: bytes.len(),
        game: file.meta.game,
        rules: file.meta.rules,
        net: &file.meta.net,
        generation: file.meta.generation,
    };
    print(args.json, &report)
}

/// Writes the positions of a run.
fn positions(args: &ExportArgs) -> Result<()> {
    let [run] = &args.checkpoints[..] else {
        return Err(CliError::usage("positions are written of one run").into());
    };
    let plain::Report { game, games, positions } =
        plain::export(run, &args.output, args.force, args.positions.into(), args.seed)?;
    let (file, bytes) = (&args.output, fs::metadata(&args.output)?.len());
    let mut out = stdout();
    if args.json {
        let format = Format::Plain;
        let report = serde_json::json!({ "file": file.to_string_lossy(), "format": format, "bytes": bytes,
                                         "game": game, "games": games, "positions": positions });
        writeln!(out, "{report}")?;
    } else {
        writeln!(out, "{}: {bytes} bytes, {positions} positions of {games} games", file.display())?;
    }
    Ok(())
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
    let mut out = stdout();
    if json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
    } else {
        let Report { file, bytes, game, rules, net, generation, .. } = report;
        writeln!(out, "{file}: {bytes} bytes, {game} ({rules}), a {net} net of generation {generation}")?;
    }
    Ok(())
}
