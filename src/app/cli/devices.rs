//! `sanki devices`: what computes nets on this machine.

use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

use super::CliError;
use crate::{
    games::{encode::Encode, rules::GameId},
    net::{Backend, Isa, Model, NetConfig, Precision, trust::CheckFailed},
    training::run::trusted,
    with_game,
};

/// Nets that a check judges and learns with.
const NETS: [&str; 4] = ["sparse-256-attacks", "sparse-1024-attacks", "4x32", "10x128"];

/// List what computes nets on this machine: the processor, and GPUs with their drivers
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sanki devices
  sanki devices --json
  sanki devices --check --game shogi")]
pub struct DevicesArgs {
    /// Also judge and learn positions on the GPU, and say how far its numbers are from the processor's
    #[arg(long)]
    check: bool,
    /// The game of --check
    #[arg(long, default_value = "xiangqi")]
    game: GameId,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Devices {
    /// The instruction set of the native backend.
    processor: Isa,
    cores: usize,
    #[cfg(feature = "wgpu")]
    gpus: Vec<crate::net::gpu::GpuInfo>,
}

/// Runs the command.
pub fn run(args: &DevicesArgs) -> Result<()> {
    let devices = Devices {
        processor: Isa::from_env().expect("the choice was checked at the start"),
        cores: super::cores().get(),
        #[cfg(feature = "wgpu")]
        gpus: crate::net::gpu::Gpu::list(),
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&devices)?)?;
        return Ok(());
    }
    let Devices { processor, cores, .. } = &devices;
    writeln!(out, "native  processor, {cores} cores, {processor}")?;
    gpus(&devices, &mut out)?;
    if args.check {
        let is_device = |backend: &Backend| !matches!(backend, Backend::Native | Backend::Flex);
        for backend in Backend::ALL.into_iter().filter(|backend| is_device(backend) && backend.is_built()) {
            super::backend(backend.as_str()).map_err(CliError::failed)?;
            with_game!(args.game, G => check::<G>(backend, &mut out)?);
        }
    }
    Ok(())
}

/// Says of each kind of net how far the device is from the processor.
fn check<G: Encode>(backend: Backend, out: &mut impl Write) -> Result<()> {
    for net in NETS {
        let net: NetConfig = net.parse().expect("a net");
        let model = Model::init(&net, G::SHAPE, 0);
        let learns = trusted::learning::<G>(&model, backend);
        let mut says = |what: &str, found: Result<Option<_>, CheckFailed>| match found {
            Ok(found) => writeln!(
                out,
                "{backend}    {net} {what}: {}",
                found.map_or_else(String::new, |d| format!("{d}"))
            ),
            Err(error) => writeln!(out, "{backend}    {net} {what}: {error}"),
        };
        says("learns", learns)?;
        let precisions: &[Precision] = match net {
            NetConfig::Conv(_) => &[Precision::Fp32, Precision::Fp16, Precision::Bf16],
            NetConfig::Sparse(_) => &[Precision::Fp32],
        };
        for &precision in precisions {
            says(&format!("judges in {precision}"), trusted::judging::<G>(&model, backend, precision))?;
        }
        out.flush()?;
    }
    Ok(())
}

#[cfg(feature = "wgpu")]
fn gpus(devices: &Devices, out: &mut impl Write) -> io::Result<()> {
    use crate::net::gpu::NoGpu;

    if devices.gpus.is_empty() {
        return writeln!(
            out,
            "wgpu    {}; on Linux this needs libvulkan1 and the GPU's Vulkan driver",
            NoGpu::None
        );
    }
    for (i, gpu) in devices.gpus.iter().enumerate() {
        let has = [(gpu.half, "fp16"), (gpu.matrices, "matrix units")].into_iter().filter(|(has, _)| *has);
        let has: String = has.map(|(_, name)| format!(", {name}")).collect();
        let taken = if i == 0 { " (taken)" } else { "" };
        writeln!(
            out,
            "wgpu    {}, {}, {}, driver {}{has}, buffers up to {} MiB{taken}",
            gpu.name,
            gpu.kind,
            gpu.interface,
            gpu.driver,
            gpu.largest_buffer >> 20
        )?;
    }
    Ok(())
}

#[cfg(not(feature = "wgpu"))]
fn gpus(_: &Devices, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "wgpu    this program was built without GPU support: build it with --features wgpu")
}
