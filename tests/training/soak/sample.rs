//! What is measured of a run.

use std::{fmt, fs, path::Path, time::Duration};

use serde_json::Value;

/// The columns of [`Sample`]'s line.
pub const HEADER: &str = "seconds,life,rss_mib,handles,threads,disk_mib,records_mib,checkpoints,checkpoints_mib,generation,positions,cpu_seconds";

const MIB: f64 = (1 << 20) as f64;
/// Ticks of a second in `/proc/PID/stat`: the same on every Linux (proc(5), sysconf(3)).
const TICKS: f64 = 100.0;

/// A moment of a run.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Since the beginning of all.
    pub seconds: f64,
    /// The number of the process.
    pub life: u32,
    /// Memory in use.
    pub rss_mib: f64,
    pub handles: usize,
    pub threads: usize,
    /// All files of the run.
    pub disk_mib: f64,
    /// Those with its games, which are kept for good.
    pub records_mib: f64,
    /// How many, and their size.
    pub checkpoints: usize,
    pub checkpoints_mib: f64,
    pub generation: u32,
    pub positions: u64,
    /// Processor time that this process has used.
    pub cpu_seconds: f64,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { seconds, life, rss_mib, handles, threads, disk_mib, records_mib, .. } = self;
        let Sample { checkpoints, checkpoints_mib, generation, positions, cpu_seconds, .. } = self;
        write!(f, "{seconds:.1},{life},{rss_mib:.1},{handles},{threads},{disk_mib:.2},{records_mib:.2},")?;
        write!(f, "{checkpoints},{checkpoints_mib:.2},{generation},{positions},{cpu_seconds:.2}")
    }
}

/// Bytes of the files below a folder; those that vanish meanwhile do not count.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size_of = |path: &Path| match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => size(path),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(|entry| size_of(&entry.path())).sum()
}

impl Sample {
    /// Measures the process `id`, which works on `run`.
    pub fn take(run: &Path, id: u32, life: u32, since: Duration) -> Self {
        let proc = Path::new("/proc").join(id.to_string());
        let status = fs::read_to_string(proc.join("status")).expect("it runs");
        let of = |key: &str| -> f64 {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("0");
            line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
        };
        let stat = fs::read_to_string(proc.join("stat")).expect("it runs");
        // Behind the name: the state is the third field of all, time used by it and by the system the 14th and 15th.
        let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
        let ticks: f64 = fields[11..13].iter().map(|field| field.parse::<f64>().expect("ticks")).sum();
        let figures = fs::read_to_string(run.join("metrics.jsonl")).unwrap_or_default();
        let report: Value =
            figures.lines().rev().find_map(|line| serde_json::from_str(line).ok()).unwrap_or_default();
        let checkpoints = run.join("checkpoints");
        Sample {
            seconds: since.as_secs_f64(),
            life,
            rss_mib: of("VmRSS:") / 1024.0,
            handles: fs::read_dir(proc.join("fd")).expect("it runs").count(),
            threads: of("Threads:") as usize,
            disk_mib: size(run) as f64 / MIB,
            records_mib: size(&run.join("records")) as f64 / MIB,
            checkpoints: fs::read_dir(&checkpoints).map_or(0, Iterator::count),
            checkpoints_mib: size(&checkpoints) as f64 / MIB,
            generation: report["generation"].as_u64().unwrap_or(0) as u32,
            positions: report["positions"].as_u64().unwrap_or(0),
            cpu_seconds: ticks / TICKS,
        }
    }
}

/// What is seen in a part of the time.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The most memory.
    pub rss_mib: f64,
    /// The most handles.
    pub handles: usize,
    /// Bytes, without checkpoints.
    pub disk_per_position: f64,
    /// The most checkpoints, but for those that are kept for good.
    pub extra_checkpoints: usize,
    /// Positions a second of processor time, in the middle life of all.
    pub speed: f64,
}

/// One of four parts of the time.
pub fn quarter(samples: &[Sample], number: usize) -> Seen {
    let quarter = samples.len() / 4;
    let part = &samples[number * quarter..(number + 1) * quarter];
    let (first, last) = (&part[0], &part[part.len() - 1]);
    let mut speeds: Vec<f64> = speeds(part).into_iter().map(|(_, speed)| speed).collect();
    speeds.sort_by(f64::total_cmp);
    let growth = |value: fn(&Sample) -> f64| value(last) - value(first);
    let extra = |sample: &Sample| sample.checkpoints - (sample.generation / super::MILESTONE) as usize;
    Seen {
        rss_mib: part.iter().map(|sample| sample.rss_mib).fold(0.0, f64::max),
        handles: part.iter().map(|sample| sample.handles).max().unwrap_or(0),
        disk_per_position: MIB * growth(|sample| sample.disk_mib - sample.checkpoints_mib)
            / growth(|sample| sample.positions as f64).max(1.0),
        extra_checkpoints: part.iter().map(extra).max().unwrap_or(0),
        speed: speeds[speeds.len() / 2],
    }
}

/// The end of each life in seconds, and the positions that it played in a second of its processor time. What a
/// process repeats of the one before is not in it.
pub fn speeds(samples: &[Sample]) -> Vec<(f64, f64)> {
    let lives = samples.chunk_by(|a, b| a.life == b.life).filter(|life| life.len() > 1);
    let speed = |life: &[Sample]| {
        let (first, last) = (&life[0], &life[life.len() - 1]);
        let positions = last.positions - first.positions;
        (last.seconds, positions as f64 / (last.cpu_seconds - first.cpu_seconds).max(1e-3))
    };
    lives.map(speed).collect()
}
