//! Every setting with every value that it should not have. The keys are those that the config itself names where it
//! meets one that it does not know.

use std::{
    panic::catch_unwind,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sanki::training::run::RunConfig;

use super::{
    runs::{quiet, refused, scratch, survived, tidy, train},
    size,
    tally::{Fate, Tally},
};

const TEXT: &str = include_str!("../../../configs/dobutsu.toml");

/// What decides which other keys there are.
const VARIANTS: [&[&str]; 2] = [
    &[],
    &["net={kind='conv',blocks=1,channels=16}", "selfplay.precision=fp32", "selfplay.search={kind='puct'}"],
];

const VALUES: [&str; 22] = [
    "none",
    "0",
    "-1",
    "1",
    "0.5",
    "-0.0",
    "1e-320",
    "1e308",
    "nan",
    "inf",
    "-inf",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "true",
    "''",
    "\"\\u001b[31mred\"",
    "[]",
    "[1, 2]",
    "{}",
    "1979-05-27T07:32:00Z",
];

/// How long a run with settings that are allowed is looked at, and how soon it has to end when it is told to.
const LOOK: Duration = Duration::from_millis(700);
const PATIENCE: Duration = Duration::from_secs(30);
/// Memory that no setting may ask for: in KiB, of addresses.
const MEMORY: u64 = 16 << 20;

#[derive(Debug)]
struct Case {
    number: usize,
    variant: usize,
    key: String,
    value: &'static str,
}

impl Case {
    fn settings(&self) -> Vec<String> {
        let mut settings: Vec<String> = VARIANTS[self.variant].iter().map(|&text| text.to_owned()).collect();
        settings.push(format!("{}={}", self.key, self.value));
        settings
    }
}

fn parse(settings: &[String]) -> Result<RunConfig, String> {
    RunConfig::parse(TEXT, settings).map_err(|error| format!("{error:#}"))
}

/// The names between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The keys of the table at `path`, from its own complaint of one that it does not have; `None` where `path` is no
/// table.
fn keys_of(variant: usize, path: &str) -> Option<Vec<String>> {
    let mut settings: Vec<String> = VARIANTS[variant].iter().map(|&text| text.to_owned()).collect();
    settings.push(format!("{path}nonsense=1"));
    let error = parse(&settings).expect_err("no table has such a key");
    let (_, expected) = error.split_once("unknown field `nonsense`, expected ")?;
    Some(quoted(expected.split(" (in ").next().unwrap_or(expected)))
}

/// All keys, dotted, tables before what is in them.
fn keys(variant: usize) -> Vec<String> {
    let (mut keys, mut tables) = (Vec::new(), vec![String::new()]);
    while let Some(table) = tables.pop() {
        let Some(inner) = keys_of(variant, &table) else { continue };
        // Which of several kinds it is, a table does not count among its fields.
        let kind = ["net.", "selfplay.search."].contains(&table.as_str()).then(|| "kind".to_owned());
        for key in inner.into_iter().chain(kind) {
            let key = format!("{table}{key}");
            tables.push(format!("{key}."));
            keys.push(key);
        }
    }
    keys
}

/// Whether the config is refused by the name of the key, or read; `None` where it is read.
fn read(case: &Case) -> Option<Fate> {
    let settings = case.settings();
    let last = case.key.rsplit('.').next().expect("a word");
    match catch_unwind(|| parse(&settings)) {
        Err(_) => Some(Fate::Lost("it panics".into())),
        Ok(Ok(_)) => None,
        // A net is named as a whole, such as 0x16.
        Ok(Err(error)) if (error.contains(last) || error.starts_with("bad net")) && !error.contains('\n') => {
            Some(Fate::Refused)
        }
        Ok(Err(error)) => Some(Fate::Lost(format!("the error does not name it: {error}"))),
    }
}

/// `command` with a bound on its memory.
fn bounded(command: &Command) -> Command {
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    shell
}

fn wait(child: &mut Child, time: Duration) -> bool {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > time {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    true
}

/// A run with these settings goes on until it is told to stop, ends, or says what is wrong.
fn run(case: &Case, folder: &Path) -> Fate {
    let settings = case.settings();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let mut child = bounded(&train(folder, &settings)).spawn().unwrap();
    // It listens before it makes its folder.
    let begin = Instant::now();
    while !folder.exists() && child.try_wait().unwrap().is_none() && begin.elapsed() < PATIENCE {
        sleep(Duration::from_millis(5));
    }
    let was_stopped = !wait(&mut child, LOOK);
    if was_stopped {
        let _ = kill(Pid::from_raw(child.id() as i32), Signal::SIGINT);
        if !wait(&mut child, PATIENCE) {
            child.kill().unwrap();
            child.wait().unwrap();
            return Fate::Lost("it does not stop when it is told to".into());
        }
    }
    let output = child.wait_with_output().unwrap();
    let last = case.key.rsplit('.').next().expect("a word");
    match output.status.code() {
        Some(0) => survived(quiet(&output)),
        Some(130) if was_stopped => Fate::Survived,
        _ => refused(&output, &[last, "bad net"]),
    }
}

#[test]
fn every_key_with_every_bad_value() {
    let mut cases = Vec::new();
    for variant in 0..VARIANTS.len() {
        for key in keys(variant) {
            cases.extend(VALUES.map(|value| Case { number: 0, variant, key: key.clone(), value }));
        }
    }
    let mut seen = std::collections::HashSet::new();
    cases.retain(|case| seen.insert((case.settings().pop(), (case.variant == 0 || is_of_kind(&case.key)))));
    cases.iter_mut().enumerate().for_each(|(number, case)| case.number = number);
    let tables = ["budget", "net", "selfplay", "replay", "learner", "play", "evaluation", "checkpoints"];
    for table in tables {
        assert!(cases.iter().any(|case| case.key.starts_with(&format!("{table}."))), "{table} has no keys");
    }
    // All are read; part of them is run as well, allowed or not.
    let share = size(60, 3);
    let wanted = cases.len();
    assert!(wanted >= 1070, "{wanted} configs");
    Tally::of("bad settings", &cases, |case| match (read(case), case.number % share) {
        (Some(Fate::Lost(how)), _) => Fate::Lost(how),
        (Some(fate), 1..) => fate,
        (None, 1..) => Fate::Survived,
        (_, 0) => {
            let folder = scratch(&format!("config-{}", case.number));
            tidy(&folder, run(case, &folder))
        }
    })
    .check(wanted);
}

/// Whether the key may mean something else in another variant.
fn is_of_kind(key: &str) -> bool {
    key.starts_with("net") || key.starts_with("selfplay.search")
}
