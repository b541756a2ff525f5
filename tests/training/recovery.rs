//! What is damaged or lost in a run's folder is made again, and the run ends as if nothing had happened.

use crate::tiny_run;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
};

use sanki::{
    games::rules::{GameId, RuleSet, dobutsu::Dobutsu},
    net::Backend,
    training::{
        run::{GenerationReport, Machine, Observer, RunConfig, RunEnd, State, Trainer},
        selfplay::{Journal, RecordMeta, read_sealed, sealed_path},
    },
};
use tiny_run::{SETTINGS, contents, copy, essence, finish, refuse, resume, said, sanki, train};

type Essence = (State, Vec<u8>, Vec<f32>);

/// The whole history in the window. When the run is stopped it has checkpoints of generations 0, 3 (evaluated), 4 and 5.
const WINDOW: &str = "replay.window_start=20000";

/// Stops the run when a generation is done.
struct StopAfter<'a> {
    generation: u32,
    stop: &'a AtomicBool,
}

impl Observer for StopAfter<'_> {
    fn progress(&mut self, _: f64, _: &str) {}

    fn generation(&mut self, report: &GenerationReport) {
        if report.generation == self.generation {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// The folder called `name`.
fn this(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("recovery").join(name)
}

/// The same, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = this(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

/// A run that was stopped in generation 6, with some games in its journal.
fn stopped() -> &'static Path {
    static RUN: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = folder("stopped");
        let settings: Vec<String> = SETTINGS.iter().chain(&[WINDOW]).map(|&text| text.to_owned()).collect();
        let config = RunConfig::parse(include_str!("../../configs/dobutsu.toml"), &settings).unwrap();
        let machine = Machine { workers: 2, backend: Backend::default() };
        let stop = AtomicBool::new(false);
        let (seed, settings) = (config.seed, config.fingerprint());
        let mut trainer = Trainer::<Dobutsu>::open(config, &folder, machine, None).unwrap();
        let mut watch = StopAfter { generation: 5, stop: &stop };
        assert_eq!(trainer.run(&stop, &mut watch).unwrap(), RunEnd::Interrupted);
        drop(trainer);
        // These games of the next have ended.
        let records = |run: &Path| run.join("records");
        let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 6, seed, settings);
        end();
        let games = read_sealed(&sealed_path(&records(&this("end")), 6), &meta).unwrap();
        let (mut journal, _) = Journal::open(&records(&folder), &meta).unwrap();
        games[..games.len() / 2].iter().for_each(|game| journal.append(game).unwrap());
        folder
    });
    &RUN
}

/// How it ends if nothing is damaged.
fn end() -> &'static Essence {
    static END: LazyLock<Essence> = LazyLock::new(|| {
        let folder = folder("end");
        finish(train(&folder, &[WINDOW]));
        essence(&folder)
    });
    &END
}

/// A copy of the stopped run.
fn stopped_copy(name: &str) -> PathBuf {
    let folder = folder(name);
    copy(stopped(), &folder);
    folder
}

fn flip(bytes: &mut [u8], at: usize) {
    bytes[at] ^= 0x10;
}

/// The warnings in what a program said.
fn warnings(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.trim_start().starts_with("WARN")).collect()
}

/// Replaces a file of a stopped run by what `damage` makes of it, goes on, and checks that the run ends as it should,
/// says so in one line, and keeps what was damaged.
fn mended(name: &str, file: &str, damage: impl FnOnce(&mut Vec<u8>)) {
    let run = stopped_copy(name);
    let path = run.join(file);
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(&path, &bytes).unwrap();
    let output = finish(resume(&run));
    let said = said(&output);
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(matches!(warnings(&said)[..], [line] if line.contains(name)), "{name}: {said}");
    assert!(essence(&run) == *end(), "{file}");
    let kept = path.with_file_name(format!("{name}.damaged"));
    assert!(fs::read(kept).unwrap() == bytes, "{file}: what was there is kept");
}

#[test]
fn a_damaged_journal_is_played_again() {
    let journal = "records/gen-000006.journal";
    let half = fs::read(stopped().join(journal)).unwrap().len() / 2;
    mended("journal-zeros", journal, |bytes| bytes[half..].fill(0));
    mended("journal-flip", journal, |bytes| flip(bytes, half));
    mended("journal-start", journal, |bytes| flip(bytes, 20));
    mended("journal-other", journal, |bytes| *bytes = b"something else ".repeat(100));
}

#[test]
fn damaged_games_that_were_not_learnt_are_played_again() {
    let run = stopped_copy("unlearnt");
    // As a run that was killed behind its last checkpoint leaves it.
    fs::write(run.join("latest"), "gen-000004.sanki\n").unwrap();
    let path = run.join("records/gen-000005.records");
    let mut bytes = fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    flip(&mut bytes, half);
    fs::write(&path, &bytes).unwrap();
    let output = finish(resume(&run));
    assert_eq!(warnings(&said(&output)).len(), 1, "{}", said(&output));
    assert!(essence(&run) == *end());
    assert!(fs::read(path.with_extension("records.damaged")).unwrap() == bytes);
}

#[test]
fn records_of_the_window_are_played_again_where_the_net_is_kept() {
    for generation in [1, 4, 5] {
        let file = format!("records/gen-{generation:06}.records");
        let whole = fs::read(stopped().join(&file)).unwrap();
        mended(&format!("window-{generation}"), &file, |bytes| {
            let half = bytes.len() / 2;
            flip(bytes, half);
        });
        let run = this(&format!("window-{generation}"));
        assert!(fs::read(run.join(file)).unwrap() == whole, "the very games");
    }
    let run = stopped_copy("window-missing");
    fs::remove_file(run.join("records/gen-000005.records")).unwrap();
    finish(resume(&run));
    assert!(essence(&run) == *end());
}

#[test]
fn lost_records_are_refused_by_name_and_gone_on_without_where_that_is_meant() {
    let run = stopped_copy("lost");
    // The net of generation 1 played it.
    let lost = run.join("records/gen-000002.records");
    let mut bytes = fs::read(&lost).unwrap();
    bytes.truncate(100);
    fs::write(&lost, &bytes).unwrap();
    let before = contents(&run.join("records"));
    // Settings that change put the games of generation 6 aside, but not before it is known that the run goes on.
    let mut changed = resume(&run);
    changed.args(["--set", "selfplay.simulations=9"]);
    for command in [resume(&run), changed] {
        let error = refuse(command);
        assert!(
            error.contains("gen-000002.records") && error.contains("help: --without-lost-records"),
            "{error}"
        );
        assert!(contents(&run.join("records")) == before, "all is left as it is");
    }

    let again = folder("lost-again");
    copy(&run, &again);
    let go_on = |run: &Path| {
        let mut command = resume(run);
        command.arg("--without-lost-records");
        finish(command)
    };
    let said = said(&go_on(&run));
    assert!(matches!(warnings(&said)[..], [line] if line.contains("gen-000002.records")), "{said}");
    go_on(&again);
    assert_eq!(essence(&run).0.generation, 8);
    assert!(essence(&run) == essence(&again) && essence(&run) != *end());
}

#[test]
fn damaged_figures_are_put_aside() {
    let file = "metrics.jsonl";
    let list = fs::read_to_string(stopped().join(file)).unwrap();
    let third = list.match_indices('\n').nth(1).unwrap().0 + 10;
    mended("metrics", file, |bytes| bytes[third] = 0xff);
    let run = this("metrics");
    let text = fs::read_to_string(run.join(file)).unwrap();
    let listed: Vec<u32> =
        text.lines().map(|line| serde_json::from_str::<GenerationReport>(line).unwrap().generation).collect();
    assert_eq!(listed, [1, 2, 4, 5, 6, 7, 8]);
    assert!(text.lines().take(2).eq(list.lines().take(2)), "what reads is as it was");
}

#[test]
fn a_run_finds_its_newest_checkpoint() {
    for (name, text) in [
        ("latest-garbage", &b"\xff\x00\x00"[..]),
        ("latest-empty", b""),
        ("latest-other", b"gen-000009.sanki\n"),
        ("latest-cut", b"gen-0000"),
    ] {
        mended(name, "latest", |bytes| *bytes = text.to_vec());
    }
    let run = stopped_copy("latest-missing");
    fs::remove_file(run.join("latest")).unwrap();
    assert_eq!(warnings(&said(&finish(resume(&run)))).len(), 1);
    assert!(essence(&run) == *end());
}

#[test]
fn settings_are_taken_from_the_checkpoint_where_the_file_is_damaged() {
    let length = fs::read(stopped().join("config.toml")).unwrap().len();
    mended("config-cut", "config.toml", |bytes| bytes.truncate(length / 2));
    mended("config-empty", "config.toml", Vec::clear);
    mended("config-zeros", "config.toml", |bytes| bytes[length / 2..].fill(0));
    let run = stopped_copy("config-missing");
    fs::remove_file(run.join("config.toml")).unwrap();
    assert_eq!(warnings(&said(&finish(resume(&run)))).len(), 1);
    assert!(essence(&run) == *end());
    assert!(fs::read(run.join("config.toml")).unwrap() == fs::read(stopped().join("config.toml")).unwrap());
}

/// As on a disk that cannot be read just now: to measure against another net would be another run.
#[test]
fn a_net_that_cannot_be_read_is_waited_for() {
    let run = stopped_copy("unreadable");
    // The evaluation of generation 6 is against it.
    let (path, elsewhere) = (run.join("checkpoints/gen-000003.sanki"), run.with_extension("elsewhere"));
    fs::rename(&path, &elsewhere).unwrap();
    fs::create_dir(&path).unwrap();
    let error = refuse(resume(&run));
    assert!(error.contains("gen-000003.sanki"), "{error}");
    fs::remove_dir(&path).unwrap();
    fs::rename(&elsewhere, &path).unwrap();
    finish(resume(&run));
    assert!(essence(&run) == *end());
}

/// `sanki train --branch`.
fn branch(from: &str, to: &Path) -> Command {
    let mut command = sanki(&["train", "--threads", "2", "--branch", from, "--out"]);
    command.arg(to);
    command
}

#[test]
fn a_branch_that_could_not_begin_cools_down_later() {
    let (run, to) = (stopped_copy("branch-lost"), folder("branch-lost-cooled"));
    // The net of generation 1, which played it, is not kept.
    fs::remove_file(run.join("records/gen-000002.records")).unwrap();
    let mut command = branch(run.to_str().unwrap(), &to);
    command.args(["--cool-down", "2"]);
    let error = refuse(command);
    assert!(
        error.contains("help: sanki train --out ") && error.contains(" --without-lost-records"),
        "{error}"
    );
    let mut again = resume(&to);
    again.arg("--without-lost-records");
    finish(again);
    assert_eq!(essence(&to).0.generation, 7, "two generations after 5");
}

#[test]
fn the_same_command_goes_on_with_a_run_that_began_with_a_net() {
    let [net, other, run] = ["init-net", "init-other", "init-run"].map(folder);
    finish(train(&net, &["budget.generations=1"]));
    finish(train(&other, &["budget.generations=1", "seed=9"]));
    let begin = |from: &Path, budget: &str| {
        let mut command = train(&run, &[budget]);
        command.arg("--init-from").arg(from);
        command
    };
    let output = finish(begin(&net, "budget.generations=1"));
    assert!(!said(&output).contains("goes on with the run"), "{}", said(&output));
    let output = finish(begin(&net, "budget.generations=2"));
    assert!(said(&output).contains("goes on with the run"), "{}", said(&output));
    assert!(!said(&output).contains("was spent already"), "{}", said(&output));
    let output = finish(begin(&net, "budget.generations=2"));
    assert!(said(&output).contains("budget.generations was spent already"), "{}", said(&output));
    assert_eq!(essence(&run).0.generation, 2);
    let error = refuse(begin(&other, "budget.generations=3"));
    assert!(error.contains("began with another net"), "{error}");
    let error = refuse(begin(&run, "budget.generations=3"));
    assert!(error.contains("began with another net"), "{error}");
    assert_eq!(essence(&run).0.generation, 2);
}

#[test]
fn any_kept_checkpoint_can_be_gone_on_from() {
    let settings = [
        "budget.generations=13",
        "selfplay.positions_per_generation=150",
        "checkpoints.every=1",
        "checkpoints.keep=3",
        "evaluation.every=5",
    ];
    let whole = folder("kept");
    finish(train(&whole, &settings));
    let end = essence(&whole);
    let before = contents(&whole);
    let name = whole.to_str().unwrap();
    for generation in [11, 12, 10, 0] {
        let to = folder(&format!("branch-{generation}"));
        let output = finish(branch(&format!("{name}@{generation}"), &to));
        assert!(warnings(&said(&output)).is_empty(), "{}", said(&output));
        assert!(essence(&to) == end, "from generation {generation}");
    }
    assert!(contents(&whole) == before, "the run stays as it is");

    let to = folder("branch-newest");
    finish(branch(name, &to));
    assert!(essence(&to) == end);
    let elsewhere = folder("branch-elsewhere");
    finish(train(&elsewhere, &["budget.generations=1", "seed=9"]));
    for taken in [&to, &elsewhere, &whole] {
        let error = refuse(branch(name, taken));
        assert!(
            error.contains("is there already") && error.contains("continues the run that is there"),
            "{error}"
        );
    }
    let error = refuse(branch(&format!("{name}@7"), &to));
    assert!(error.contains("generation 7") && error.contains("continues the run that is there"), "{error}");
    let error = refuse(branch(&format!("{name}@7"), &folder("branch-none")));
    assert!(error.contains("no checkpoint of generation 7, but of 0, 10, 11, 12, 13"), "{error}");
    let mut other = branch(name, &folder("branch-none"));
    other.args(["--set", "seed=9"]);
    let error = refuse(other);
    assert!(error.contains("seed differs") && error.contains("now it is 9"), "{error}");
    assert!(!error.contains("that is there"), "{error}");
    let mut bad = branch(name, &folder("branch-none"));
    bad.args(["--set", "learner.batch=0"]);
    let error = refuse(bad);
    let named = whole.join("config.toml").display().to_string();
    assert!(error.contains(&named) && !error.contains("branch-none"), "{error}");
    assert!(!this("branch-none").exists());
    let file = whole.join("checkpoints/gen-000013.sanki");
    let output = branch(file.to_str().unwrap(), &folder("branch-none")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--init-from"), "{}", said(&output));

    // A run from before, whose evaluated net is not there any more.
    let old = folder("old");
    copy(&whole, &old);
    fs::write(old.join("latest"), "gen-000011.sanki\n").unwrap();
    fs::remove_file(old.join("checkpoints/gen-000010.sanki")).unwrap();
    let output = finish(resume(&old));
    assert!(said(&output).contains("gen-000010.sanki"), "{}", said(&output));
    assert!(essence(&old).1 == end.1, "the same weights");
}

/// `sanki match` in a folder, and what it says as JSON, but for the folder.
fn play(folder: &Path) -> (String, String) {
    let mut command = sanki(&["match", "uniform@sims=4", "random", "--game", "dobutsu", "--games", "20"]);
    command.args(["--threads", "2", "--json", "--out"]).arg(folder);
    let output = finish(command);
    (String::from_utf8(output.stdout.clone()).unwrap(), said(&output))
}

#[test]
fn damaged_games_of_a_match_are_played_again() {
    let folder = folder("match");
    let (result, _) = play(&folder);
    let games = folder.join("games.jsonl");
    let whole = fs::read_to_string(&games).unwrap();
    let end = whole.find('\n').unwrap();
    let line = &whole[..end];
    let start = whole.find("gle").unwrap();
    let with = |from: &str, to: &str| whole.replacen(from, to, 1).into_bytes();
    let opposite = if line.contains("\"1-0\"") { ("\"1-0\"", "\"0-1\"") } else { ("\"0-1\"", "\"1-0\"") };
    let mut flipped = whole.clone().into_bytes();
    flipped[end / 2] = 0xff;
    for (what, damaged) in [
        ("no UTF-8", flipped),
        ("a line too many", [&b"hello\n"[..], whole.as_bytes()].concat()),
        ("an illegal move", with("\"moves\":\"", "\"moves\":\"a1a1 ")),
        ("another move", with("\"moves\":\"", "\"moves\":\"b1b2")),
        ("another start", [&whole[..start], "xle", &whole[start + 3..]].concat().into_bytes()),
        ("another player", with("\"first\":\"", "\"first\":\"x")),
        ("another winner", with(opposite.0, opposite.1)),
        ("a game twice", [whole.as_bytes(), line.as_bytes(), b"\n"].concat()),
        ("zeros", [&whole.as_bytes()[..end * 3], &[0; 500], b"\n"].concat()),
    ] {
        fs::write(&games, &damaged).unwrap();
        let (again, said) = play(&folder);
        assert_eq!(again, result, "{what}");
        assert!(matches!(warnings(&said)[..], [line] if line.contains("games.jsonl")), "{what}: {said}");
        let kept = folder.join("games.jsonl.damaged");
        assert!(fs::read(&kept).unwrap() == damaged, "{what}");
        fs::remove_file(kept).unwrap();
    }
}
