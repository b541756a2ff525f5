//! Runs: the same on any number of threads and however often they are stopped; faults that lose nothing.

mod branches;
mod configs;
mod disk;
mod faults;
mod lag;

use std::{
    fs,
    num::NonZero,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use sanki::{
    games::rules::{dobutsu::Dobutsu, shogi::Minishogi},
    net::{Backend, ModelFile, file::newest},
    training::run::{
        Branch, Checkpoint, GenerationReport, Machine, Observer, RunConfig, RunDir, RunEnd, Trainer,
    },
};

/// A run of seconds: every part of the loop, at its smallest.
fn config(overrides: &[&str]) -> RunConfig {
    let small = [
        "budget.generations=3",
        "net={kind='conv',blocks=1,channels=16}",
        "selfplay.precision=fp32",
        "selfplay.positions_per_generation=250",
        "selfplay.simulations=8",
        "selfplay.quick_simulations=2",
        "selfplay.full_share=0.5",
        "selfplay.max_plies=40",
        "selfplay.resign.max_error=0.9",
        "selfplay.resign.min_measured=1",
        "learner.batch=32",
        "learner.shard=8",
        "replay.window_start=200",
        "evaluation.every=2",
        "evaluation.games=4",
        "evaluation.simulations=4",
        "checkpoints.every=1",
    ];
    let mut all = vec!["budget.positions=1000000"];
    all.extend(small);
    all.extend(overrides);
    let overrides: Vec<String> = all.into_iter().map(str::to_owned).collect();
    RunConfig::parse(include_str!("../../../configs/dobutsu.toml"), &overrides).unwrap()
}

fn machine(workers: usize) -> Machine {
    Machine { workers, backend: Backend::default() }
}

/// Stops the run at the `left`-th thing that it says.
struct Watch<'a> {
    stop: &'a AtomicBool,
    left: usize,
    reports: Vec<GenerationReport>,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, done: f64, _: &str) {
        assert!((0.0..=1.0).contains(&done), "{done}");
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn generation(&mut self, report: &GenerationReport) {
        self.reports.push(report.clone());
    }
}

/// Opens the run in `folder` and goes on until its end or the `steps`-th progress.
fn go_on(config: &RunConfig, folder: &Path, workers: usize, steps: usize) -> (RunEnd, Vec<GenerationReport>) {
    let stop = AtomicBool::new(false);
    let mut watch = Watch { stop: &stop, left: steps, reports: Vec::new() };
    let mut trainer = Trainer::<Dobutsu>::open(config.clone(), folder, machine(workers), None).unwrap();
    let ending = trainer.run(&stop, &mut watch).unwrap();
    (ending, watch.reports)
}

fn final_checkpoint(folder: &Path) -> Checkpoint {
    Checkpoint::read(&newest(folder).unwrap()).unwrap()
}

/// Everything but the time that it took.
fn assert_same(a: &Checkpoint, b: &Checkpoint) {
    assert_eq!(a.state, b.state);
    assert_eq!(a.model.meta, b.model.meta);
    assert!(a.model.model == b.model.model, "the averaged weights differ");
    assert!(a.learner == b.learner, "weights or moments differ");
    assert_eq!(a.config, b.config);
}

fn error_of(config: RunConfig, folder: &Path) -> String {
    let error = Trainer::<Dobutsu>::open(config, folder, machine(1), None).map(|_| ()).unwrap_err();
    format!("{error:#}")
}

#[test]
fn the_same_run_on_one_thread_and_on_two() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let (ending, reports) = go_on(&config(&[]), &one, 1, usize::MAX);
    assert_eq!(ending, RunEnd::Done);
    go_on(&config(&[]), &two, 2, usize::MAX);
    assert_same(&final_checkpoint(&one), &final_checkpoint(&two));
    for generation in 1..=3 {
        let records =
            |run: &Path| fs::read(run.join(format!("records/gen-00000{generation}.records"))).unwrap();
        assert!(records(&one) == records(&two), "the games of generation {generation} differ");
    }

    let last = reports.last().unwrap();
    assert_eq!(last.generation, 3);
    assert!(last.positions > 300 && last.samples > 100 && last.games > 10);
    assert!([last.policy_loss, last.value_loss, last.reply_loss].iter().all(|loss| loss.unwrap() > 0.1));
    assert!(reports[1].elo.is_some() && reports[0].elo.is_none() && last.elo.is_some());
    let reasons: f64 = last.reasons.values().sum();
    assert!((reasons - 1.0).abs() < 1e-9);

    let other = folder.path().join("other");
    go_on(&config(&["seed=2"]), &other, 2, usize::MAX);
    assert_ne!(final_checkpoint(&one).learner, final_checkpoint(&other).learner, "the seed decides");
}

#[test]
fn a_run_that_is_stopped_again_and_again_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, pieces) = (folder.path().join("whole"), folder.path().join("pieces"));
    // Evaluated generations alone have a checkpoint.
    let rarely = config(&["checkpoints.every=100"]);
    go_on(&rarely, &whole, 2, usize::MAX);
    let mut stops = 0;
    // Longer and longer, so that a phase which is not kept when stopped ends some time.
    while go_on(&rarely, &pieces, 1 + stops % 2, 5 + 2 * stops).0 == RunEnd::Interrupted {
        stops += 1;
        assert!(stops < 1000, "the run never ends");
    }
    assert!(stops >= 5, "only {stops} stops");
    assert_same(&final_checkpoint(&whole), &final_checkpoint(&pieces));
    assert_eq!(listed(&pieces), [1, 2, 3]);
}

/// The generations in the list of figures.
fn listed(folder: &Path) -> Vec<u32> {
    let text = fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str::<GenerationReport>(line).unwrap().generation).collect()
}

/// Copies the run's folder as it is when a generation is done: what a kill would leave.
struct CopyAt<'a> {
    generation: u32,
    from: &'a Path,
    to: &'a Path,
}

impl Observer for CopyAt<'_> {
    fn progress(&mut self, _: f64, _: &str) {}

    fn generation(&mut self, report: &GenerationReport) {
        if report.generation == self.generation {
            copy_folder(self.from, self.to);
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            copy_folder(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

#[test]
fn generations_without_a_checkpoint_are_made_again_from_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let config = config(&["budget.generations=4", "checkpoints.every=100", "evaluation.every=100"]);
    let mut copy = CopyAt { generation: 3, from: &whole, to: &killed };
    let stop = AtomicBool::new(false);
    let mut trainer = Trainer::<Dobutsu>::open(config.clone(), &whole, machine(2), None).unwrap();
    trainer.run(&stop, &mut copy).unwrap();
    assert_eq!(final_checkpoint(&killed).state.generation, 0);
    let played = fs::metadata(killed.join("records/gen-000003.records")).unwrap().modified().unwrap();

    let (_, reports) = go_on(&config, &killed, 2, usize::MAX);
    assert_same(&final_checkpoint(&whole), &final_checkpoint(&killed));
    assert_eq!(listed(&killed), [1, 2, 3, 4]);
    let again = fs::metadata(killed.join("records/gen-000003.records")).unwrap().modified().unwrap();
    assert_eq!(played, again, "the games are those that were there");
    let third = serde_json::from_str::<GenerationReport>(
        fs::read_to_string(killed.join("metrics.jsonl")).unwrap().lines().nth(2).unwrap(),
    );
    assert!(reports[0].seconds > third.unwrap().seconds, "the clock goes on");
}

#[test]
fn checkpoints_are_written_when_due_and_thinned_out() {
    let folder = tempfile::tempdir().unwrap();
    let kept = |settings: &[&str]| {
        go_on(&config(settings), folder.path(), 2, usize::MAX);
        RunDir::create(folder.path()).unwrap().generations().unwrap()
    };
    let mut settings =
        ["budget.generations=5", "checkpoints.every=2", "checkpoints.keep=2", "evaluation.every=100"];
    assert_eq!(kept(&settings), [0, 4, 5], "the end has one, too");
    settings[0] = "budget.generations=7";
    assert_eq!(kept(&settings), [0, 5, 6, 7], "whoever goes on from 6 is measured against 5");
    settings[0] = "budget.generations=10";
    settings[1] = "checkpoints.every=100";
    settings[2] = "checkpoints.keep=1";
    let milestones = [&settings[..], &["checkpoints.milestone_every=8"]].concat();
    assert_eq!(kept(&milestones), [0, 7, 8, 10]);
}

#[test]
fn a_larger_budget_goes_on_without_a_jump_and_another_net_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |end| [end, "learner.schedule.warmup_steps=1000", "learner.schedule.last_fraction=0.0"];
    go_on(&config(&settings("budget.generations=4")), folder.path(), 2, usize::MAX);
    for (setting, key) in [("net.blocks=2", "net.blocks"), ("rules=threefold", "rules"), ("seed=7", "seed")] {
        let error = error_of(config(&[setting]), folder.path());
        assert!(error.contains(&format!("{key} differs")), "{error}");
    }
    let before = final_checkpoint(folder.path());
    let (_, reports) = go_on(&config(&settings("budget.generations=8")), folder.path(), 2, usize::MAX);
    assert_eq!(reports.last().unwrap().generation, 8);
    let before: GenerationReport = serde_json::from_str(&before.metrics).unwrap();
    let steps = (reports[0].samples - before.samples) / 32;
    let rise = reports[0].learning_rate.unwrap() - before.learning_rate.unwrap();
    assert!(rise > 0.0 && rise <= steps as f64 * 1.001 * 0.002 / 1000.0, "{rise} in {steps} steps");
}

#[test]
fn settings_of_play_and_learning_may_change_within_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed, other) =
        (folder.path().join("whole"), folder.path().join("killed"), folder.path().join("other"));
    let sparse = ["checkpoints.every=100", "evaluation.every=100"];
    let first = |end| config(&[&sparse[..], &[end]].concat());
    let changed = ["budget.generations=6", "selfplay.simulations=5", "replay.reuse=2.0", "learner.batch=16"];
    let changed = config(&[&sparse[..], &changed].concat());
    go_on(&first("budget.generations=2"), &whole, 2, usize::MAX);
    copy_folder(&whole, &other);

    // The change, killed after another generation that has no checkpoint.
    let stop = AtomicBool::new(false);
    let mut copy = CopyAt { generation: 4, from: &whole, to: &killed };
    let mut trainer = Trainer::<Dobutsu>::open(changed.clone(), &whole, machine(2), None).unwrap();
    trainer.run(&stop, &mut copy).unwrap();
    drop(trainer);
    go_on(&changed, &killed, 1, usize::MAX);
    let end = final_checkpoint(&whole);
    assert_same(&end, &final_checkpoint(&killed));
    assert_eq!(end.state.past.iter().map(|past| past.until).collect::<Vec<_>>(), [2]);
    // Four samples for each position of the first generations, two for the others, but for a batch.
    let (old, new) = end.state.taught.split_at(2);
    let due = 4 * old.iter().sum::<u64>() + 2 * new.iter().sum::<u64>();
    assert!((due - 16..=due).contains(&end.state.samples), "{} of {due}", end.state.samples);

    // What was played by the older settings, and is not learnt yet, is played by the new ones.
    let mut copy = CopyAt { generation: 4, from: &other, to: &folder.path().join("late") };
    let mut trainer =
        Trainer::<Dobutsu>::open(first("budget.generations=5"), &other, machine(2), None).unwrap();
    trainer.run(&stop, &mut copy).unwrap();
    drop(trainer);
    let late = folder.path().join("late");
    go_on(&changed, &late, 2, usize::MAX);
    assert_same(&end, &final_checkpoint(&late));
    assert!(late.join("records/gen-000003.records.replaced").exists());
    assert_eq!(listed(&late), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn weights_carry_over_between_boards_and_not_between_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("dobutsu");
    go_on(&config(&["budget.generations=1"]), &small, 2, usize::MAX);
    let model = ModelFile::read(&small).unwrap();
    assert!(model.check::<Dobutsu>().is_ok());
    let error = model.check::<Minishogi>().unwrap_err().to_string();
    assert!(error.contains("plays dobutsu, not minishogi"), "{error}");

    let minishogi = |blocks: usize| {
        let net = format!("net={{kind='conv',blocks={blocks},channels=16}}");
        let overrides = [net, "selfplay.precision=fp32".into()];
        RunConfig::parse(include_str!("../../../configs/minishogi.toml"), &overrides).unwrap()
    };
    let large = folder.path().join("minishogi");
    let trainer = Trainer::<Minishogi>::open(minishogi(1), &large, machine(1), Some(&model)).unwrap();
    assert!(trainer.model().model.weights() == model.model.weights());
    let other = folder.path().join("other");
    let error = Trainer::<Minishogi>::open(minishogi(2), &other, machine(1), Some(&model)).map(|_| ());
    let error = format!("{:#}", error.unwrap_err());
    assert!(error.contains("1x16") && error.contains("2x16"), "{error}");
}
