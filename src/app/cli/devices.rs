//! `sanki devices`: what computes nets on this machine.

use std::{
    fmt,
    io::{self, Write},
};

use anyhow::Result;
use serde::Serialize;

use super::{CliError, stdout};
use crate::{
    games::{encode::Encode, rules::GameId},
    net::{
        Backend, Isa, Model, NetConfig, Precision,
        trust::{CheckFailed, Distance},
    },
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
    /// Also judge and learn positions on the GPU, and say how far its numbers are from the processor's; fails where they are
    /// too far
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
    /// Whether this program was built with GPU support.
    gpu_support: bool,
    #[cfg(feature = "wgpu")]
    gpus: Vec<crate::net::gpu::GpuInfo>,
    /// What --check found; none without GPU support.
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Vec<DeviceCheck>>,
}

/// What a check found.
#[derive(Debug, Serialize)]
struct DeviceCheck {
    backend: Backend,
    net: &'static str,
    /// What the device did, as in "judges in fp32".
    task: String,
    verdict: Verdict,
    /// How far it is from the processor, where it passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Distance>,
    /// Why it did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Passed,
    Failed,
    /// The device does not have these numbers, which is no fault.
    Absent,
}

impl DeviceCheck {
    fn new(
        backend: Backend,
        net: &'static str,
        task: String,
        found: Result<Option<Distance>, CheckFailed>,
    ) -> Self {
        let (verdict, distance, error) = match found {
            Ok(distance) => (Verdict::Passed, distance, None),
            Err(error @ CheckFailed::NoPrecision(_)) => (Verdict::Absent, None, Some(error.to_string())),
            Err(error) => (Verdict::Failed, None, Some(error.to_string())),
        };
        DeviceCheck { backend, net, task, verdict, distance, error }
    }
}

impl fmt::Display for DeviceCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceCheck { backend, net, task, distance, error, .. } = self;
        write!(f, "{backend}    {net} {task}: ")?;
        match (distance, error) {
            (Some(distance), _) => write!(f, "{distance}"),
            (None, Some(error)) => write!(f, "{error}"),
            (None, None) => Ok(()),
        }
    }
}

/// Runs the command.
pub fn run(args: &DevicesArgs) -> Result<()> {
    let mut devices = Devices {
        processor: Isa::from_env().expect("the choice was checked at the start"),
        cores: super::cores().get(),
        gpu_support: built_for_gpus().next().is_some(),
        #[cfg(feature = "wgpu")]
        gpus: crate::net::gpu::Gpu::list(),
        checks: None,
    };
    let mut out = stdout();
    if !args.json {
        list(&devices, &mut out)?;
    }
    let mut checks = Vec::new();
    let checked = if args.check { check_all(args, &mut checks, &mut out) } else { Ok(()) };
    let verdict = verdict(&checks);
    let mut printed = Ok(());
    if args.json {
        devices.checks = args.check.then_some(checks);
        printed = writeln!(out, "{}", serde_json::to_string(&devices)?);
    }
    // What was found counts even where nobody reads it.
    checked?;
    verdict?;
    Ok(printed?)
}

fn list(devices: &Devices, out: &mut impl Write) -> io::Result<()> {
    let Devices { processor, cores, .. } = devices;
    writeln!(out, "native  processor, {cores} cores, {processor}")?;
    gpus(devices, out)
}

/// The backends on a GPU that this program was built with.
fn built_for_gpus() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|backend| backend.is_gpu() && backend.is_built())
}

/// Checks all devices. To people it tells of each check as soon as it is made.
fn check_all(args: &DevicesArgs, checks: &mut Vec<DeviceCheck>, out: &mut impl Write) -> Result<()> {
    let mut tell = |check: DeviceCheck| -> io::Result<()> {
        if !args.json {
            writeln!(out, "{check}")?;
            out.flush()?;
        }
        checks.push(check);
        Ok(())
    };
    for backend in built_for_gpus() {
        super::backend(backend.as_str()).map_err(CliError::failed)?;
        with_game!(args.game, G => check::<G>(backend, &mut tell)?);
    }
    if built_for_gpus().next().is_none() && !args.json {
        writeln!(out, "nothing was checked: this program was built without GPU support")?;
    }
    Ok(())
}

/// An error where checks have failed.
fn verdict(checks: &[DeviceCheck]) -> Result<(), CliError> {
    match checks.iter().filter(|check| check.verdict == Verdict::Failed).count() {
        0 => Ok(()),
        failed => Err(CliError::failed(format!(
            "{failed} of {} checks failed: the device computes something else than the processor",
            checks.len()
        ))),
    }
}

/// Tells of each kind of net how far the device is from the processor.
fn check<G: Encode>(
    backend: Backend,
    tell: &mut impl FnMut(DeviceCheck) -> io::Result<()>,
) -> io::Result<()> {
    for name in NETS {
        let net: NetConfig = name.parse().expect("a net");
        let model = Model::init(&net, G::SHAPE, 0);
        let learns = trusted::learning::<G>(&model, backend);
        tell(DeviceCheck::new(backend, name, "learns".to_owned(), learns))?;
        let precisions: &[Precision] = match net {
            NetConfig::Conv(_) => &[Precision::Fp32, Precision::Fp16, Precision::Bf16],
            NetConfig::Sparse(_) => &[Precision::Fp32],
        };
        for &precision in precisions {
            let judges = trusted::judging::<G>(&model, backend, precision);
            tell(DeviceCheck::new(backend, name, format!("judges in {precision}"), judges))?;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{NoPrecision, trust::Untrustworthy};

    fn checked(found: Result<Option<Distance>, CheckFailed>) -> DeviceCheck {
        DeviceCheck::new(Backend::Wgpu, "4x32", "judges in fp16".to_owned(), found)
    }

    #[test]
    fn a_device_that_computes_something_else_fails_and_one_without_fp16_does_not() {
        let (backend, precision) = (Backend::Wgpu, Precision::Fp16);
        let distance = Distance { wdl: 0.5, policy: 0.25 };
        let passed = || checked(Ok(Some(distance)));
        let absent = || checked(Err(NoPrecision { who: "backend wgpu".to_owned(), precision }.into()));
        let far = Untrustworthy { backend, precision, distance, bound: 0.01 };
        assert_eq!(verdict(&[]), Ok(()));
        assert_eq!(verdict(&[passed(), absent()]), Ok(()));
        let error = verdict(&[passed(), checked(Err(far.into())), absent()]).unwrap_err();
        assert!(error.to_string().starts_with("1 of 3 checks failed"), "{error}");
    }

    #[test]
    fn people_and_programs_are_told_what_a_check_found() {
        let found = checked(Ok(Some(Distance { wdl: 0.5, policy: 0.25 })));
        assert!(found.to_string().starts_with("wgpu    4x32 judges in fp16: 5.0e-1"), "{found}");
        let json = serde_json::to_value(&found).unwrap();
        assert_eq!(json["verdict"], "passed");
        assert_eq!(json["distance"]["policy"], 0.25);
        let precision = Precision::Fp16;
        let absent = checked(Err(NoPrecision { who: "backend wgpu".to_owned(), precision }.into()));
        let json = serde_json::to_value(&absent).unwrap();
        assert_eq!(json["verdict"], "absent");
        assert_eq!(json["error"], "backend wgpu has no fp16");
    }
}
