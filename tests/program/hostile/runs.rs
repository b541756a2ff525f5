//! A run of half a second on dobutsu, and how it must end.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
    thread::{self, JoinHandle, sleep},
    time::{Duration, Instant},
};

use sanki::training::run::State;

use super::{
    tally::Fate,
    tiny_run::{contents, copy, essence, finish, said, train_with},
};

/// All that a run does in as few system calls as it takes: four generations, two of them evaluated, and a checkpoint
/// that is thinned out.
const SETTINGS: [&str; 14] = [
    "budget.positions=1000000",
    "budget.generations=4",
    "net.hidden=32",
    "selfplay.positions_per_generation=100",
    "selfplay.simulations=2",
    "selfplay.max_plies=30",
    "selfplay.resign.min_measured=5",
    "learner.batch=32",
    "replay.window_start=500",
    "evaluation.every=2",
    "evaluation.games=2",
    "evaluation.simulations=1",
    "checkpoints.every=2",
    "checkpoints.keep=1",
];

/// Nothing here takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

pub type Essence = (State, Vec<u8>, Vec<f32>);

/// `sanki train` of the run in `folder`: begins it, or goes on with it.
pub fn train(folder: &Path, settings: &[&str]) -> Command {
    train_with(folder, "1", SETTINGS.iter().chain(settings))
}

/// Where the folder called `name` is.
pub fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name)
}

/// A folder for this test, which is not there yet.
pub fn scratch(name: &str) -> PathBuf {
    let folder = place(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(folder.parent().expect("a parent")).unwrap();
    folder
}

/// How the run ends that is left alone.
pub fn end() -> &'static Essence {
    static END: LazyLock<Essence> = LazyLock::new(|| {
        let folder = scratch("end");
        finish(train(&folder, &[]));
        essence(&folder)
    });
    &END
}

/// A run that was killed in its third generation, with games in its journal.
pub fn killed() -> &'static Path {
    static RUN: LazyLock<PathBuf> = LazyLock::new(|| {
        let whole = scratch("killed-whole");
        // With the same end, as all settings that it hangs on are the same.
        finish(train(&whole, &["checkpoints.keep=100"]));
        let folder = scratch("killed");
        let begin = Instant::now();
        let mut stops = Duration::from_millis(20);
        loop {
            assert!(begin.elapsed() < PATIENCE, "it is never in its third generation");
            copy(&whole, &folder);
            fs::write(folder.join("latest"), "gen-000002.sanki\n").unwrap();
            fs::remove_file(folder.join("checkpoints/gen-000004.sanki")).unwrap();
            for generation in [3, 4] {
                fs::remove_file(folder.join(format!("records/gen-{generation:06}.records"))).unwrap();
            }
            let lines = fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
            let two: String = lines.split_inclusive('\n').take(2).collect();
            fs::write(folder.join("metrics.jsonl"), two).unwrap();
            let mut child = train(&folder, &[]).spawn().unwrap();
            let journal = folder.join("records/gen-000003.journal");
            while !fs::metadata(&journal).is_ok_and(|found| found.len() > 500)
                && child.try_wait().unwrap().is_none()
            {}
            child.kill().unwrap();
            child.wait().unwrap();
            if fs::metadata(&journal).is_ok_and(|found| found.len() > 500) {
                return folder;
            }
            fs::remove_dir_all(&folder).unwrap();
            sleep(stops);
            stops = (2 * stops).min(Duration::from_secs(1));
        }
    });
    &RUN
}

/// What a program did, if it ends in time.
pub fn output(mut command: Command) -> Result<Output, String> {
    let mut child = command.spawn().expect("the program starts");
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if begin.elapsed() > PATIENCE => {
                child.kill().unwrap();
                child.wait().unwrap();
                return Err("it hangs".into());
            }
            None => sleep(Duration::from_millis(2)),
        }
    };
    let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().unwrap());
    Ok(Output { status, stdout, stderr })
}

/// Reads a pipe to its end meanwhile.
fn read(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.expect("a pipe").read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// Whether an error is one line that names one of `names`.
pub fn refused(output: &Output, names: &[&str]) -> Fate {
    let said = said(output);
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    let code = output.status.code();
    let is_named = |line: &&str| names.iter().any(|name| line.contains(name));
    match errors[..] {
        [line] if matches!(code, Some(1 | 2)) && !said.contains("panicked") && is_named(&line) => {
            Fate::Refused
        }
        _ => Fate::Lost(format!("{}, {said}", output.status)),
    }
}

/// Whether a program that succeeded did so in peace.
pub fn quiet(output: &Output) -> Result<(), String> {
    let said = said(output);
    match output.status.success() && !said.contains("panicked") {
        true => Ok(()),
        false => Err(format!("{}, {said}", output.status)),
    }
}

/// Goes on with the run in `folder`, left alone from now on, and checks that it ends as it should.
pub fn goes_on(folder: &Path) -> Result<(), String> {
    let output = output(train(folder, &[]))?;
    quiet(&output)?;
    ends_well(folder)
}

/// Whether the run in `folder` has ended as it should, with its figures, and leaves nothing behind that is not its own.
pub fn ends_well(folder: &Path) -> Result<(), String> {
    if essence(folder) != *end() {
        return Err("it ends differently".into());
    }
    let figures = fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    let generations: Vec<u64> = figures
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["generation"].as_u64().unwrap()
        })
        .collect();
    if generations != [1, 2, 3, 4] {
        return Err(format!("figures of generations {generations:?}"));
    }
    let left: Vec<PathBuf> = contents(folder)
        .into_keys()
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(".writing-") || name.contains(".damaged") || name.ends_with(".journal")
        })
        .collect();
    if left.is_empty() { Ok(()) } else { Err(format!("{left:?} are left")) }
}

/// As a fate.
pub fn survived(result: Result<(), String>) -> Fate {
    result.map_or_else(Fate::Lost, |()| Fate::Survived)
}

/// Removes the folder of a case that went well: hundreds of them are many files.
pub fn tidy(folder: &Path, fate: Fate) -> Fate {
    match fate {
        Fate::Lost(how) => Fate::Lost(format!("{how} (see {})", folder.display())),
        fate => match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Fate::Lost(error.to_string()),
            _ => fate,
        },
    }
}
