//! A run that is killed every minute and whose disk is full every ten, for an hour or as long as `SANKI_SOAK_MINUTES`
//! says, with its memory, handles, disk use and speed as figures and curves:
//!
//! ```sh
//! SANKI_SOAK_OUT=soak unshare -rm cargo test --release --test training soak:: -- --ignored --nocapture
//! ```
//!
//! The disk is a file system in memory of its own, so that it is really full: `unshare` gives the right to mount it.
#![cfg(target_os = "linux")]

mod chart;
mod sample;
use crate::tiny_run;

use std::{
    env, fs,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use sample::{Sample, quarter};
use sanki::training::run::{Checkpoint, RunDir};
use tiny_run::sanki;

/// A life of the run.
const LIFE: Duration = Duration::from_secs(60);
/// Every so many lives the disk is full at the end of one.
const LIVES: u32 = 10;
const TICK: Duration = Duration::from_secs(5);
/// In MiB: what an hour's records take several times.
const DISK: u64 = 2048;
/// Generations from one checkpoint that is kept for good to the next.
const MILESTONE: u32 = 100;

/// A file system in memory, until it is dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: PathBuf) -> Self {
        fs::create_dir_all(&at).unwrap();
        let size = format!("size={DISK}m");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).status().unwrap();
        assert!(mounted.success(), "no right to mount: run it under unshare -rm");
        Disk(at)
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Leaves no byte to others.
    fn fill(&self) {
        let mut filler = File::create(self.filler()).unwrap();
        let block = vec![0; 1 << 20];
        for size in [block.len(), 4096, 1] {
            while filler.write_all(&block[..size]).is_ok() {}
        }
    }

    fn free(&self) {
        fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// The run in `folder` without an end, begun or resumed, on one thread; what it complains of goes to `errors`.
fn start(folder: &Path, errors: &Path) -> Child {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let mut command = sanki(&["train", "--config", config, "--threads", "1", "--out"]);
    command.arg(folder);
    let milestone = format!("checkpoints.milestone_every={MILESTONE}");
    // Twice the usual simulations, so that an hour's games fit the disk, and a window that is soon full.
    let settings = [
        "budget.positions=none",
        "budget.generations=1000000",
        "selfplay.simulations=64",
        "replay.window_max=20000",
        &milestone,
    ];
    for setting in settings {
        command.args(["--set", setting]);
    }
    command.stdout(Stdio::null()).stderr(File::create(errors).unwrap()).spawn().unwrap()
}

fn kill(mut child: Child) {
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Waits until a run ends that cannot write, and checks what it says of that.
fn ends_with_a_full_disk(mut child: Child, errors: &Path) {
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(begin.elapsed() < LIFE, "it goes on with a full disk"),
        }
        sleep(Duration::from_millis(50));
    };
    let said = fs::read_to_string(errors).unwrap();
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(matches!(errors[..], [line] if line.contains("No space left on device")), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

/// What must be alike in two runs at the same generation: all but the time.
fn essence(run: &Path, generation: u32) -> impl PartialEq {
    let checkpoint = Checkpoint::read(&RunDir::at(run).checkpoint(generation)).unwrap();
    (checkpoint.state, checkpoint.learner, checkpoint.model)
}

/// Runs undisturbed up to a generation, and checks that the disturbed run was there as well.
fn compare(disturbed: &Path, generation: u32, folder: &Path) {
    let control = folder.join("control");
    let child = start(&control, &folder.join("control.txt"));
    while !RunDir::at(&control).checkpoint(generation).exists() {
        sleep(TICK);
    }
    kill(child);
    assert!(essence(&control, generation) == essence(disturbed, generation));
}

fn minutes() -> u32 {
    env::var("SANKI_SOAK_MINUTES").map_or(60, |text| text.parse().expect("a number of minutes"))
}

fn check_growth(samples: &[Sample]) {
    let [early, late] = [quarter(samples, 1), quarter(samples, 3)];
    println!("second quarter: {early:?}\nlast quarter:   {late:?}");
    assert!(late.rss_mib <= 1.1 * early.rss_mib, "memory grows");
    assert!(late.handles <= early.handles, "handles grow");
    assert!(late.disk_per_position <= 1.1 * early.disk_per_position, "positions take more of the disk");
    assert!(late.extra_checkpoints <= early.extra_checkpoints + 1, "checkpoints are not thinned out");
    assert!(late.speed >= 0.8 * early.speed, "it slows down");
}

#[test]
#[ignore = "an hour: see above"]
fn an_hour_of_kills_and_full_disks() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soak");
    let out = env::var_os("SANKI_SOAK_OUT").map_or(scratch.clone(), PathBuf::from);
    let disk = Disk::mount(scratch.join("disk"));
    let (run, errors) = (disk.0.join("run"), scratch.join("errors.txt"));
    fs::create_dir_all(&out).unwrap();
    let mut csv = File::create(out.join("soak.csv")).unwrap();
    writeln!(csv, "{}", sample::HEADER).unwrap();
    let (begin, mut samples) = (Instant::now(), Vec::new());
    for life in 1..=minutes() {
        let (child, born) = (start(&run, &errors), Instant::now());
        while born.elapsed() < LIFE {
            sleep(TICK);
            let sample = Sample::take(&run, child.id(), life, begin.elapsed());
            writeln!(csv, "{sample}").unwrap();
            samples.push(sample);
        }
        if life % LIVES == 0 {
            disk.fill();
            ends_with_a_full_disk(child, &errors);
            disk.free();
        } else {
            kill(child);
        }
        assert!(
            fs::read_dir(run.join("records"))
                .unwrap()
                .flatten()
                .all(|entry| { !entry.file_name().to_string_lossy().contains("damaged") })
        );
    }
    let last = samples.last().expect("samples");
    println!("{} lives, {} positions, generation {}", minutes(), last.positions, last.generation);
    fs::write(out.join("soak.svg"), chart::svg(&samples)).unwrap();
    // As far as an undisturbed run is a quarter of the way, or the first that is kept behind that.
    let kept = RunDir::at(&run).generations().unwrap();
    let compared = kept
        .into_iter()
        .find(|&generation| generation > last.generation / 4)
        .expect("it got too little time for a checkpoint");
    compare(&run, compared, &scratch);
    println!("generation {compared} is the same without a kill, bit for bit");
    check_growth(&samples);
}
