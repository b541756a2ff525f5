//! Room on the disk: records that nothing needs any more, and a stop before the disk is full.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use sanki::{
    games::rules::dobutsu::Dobutsu,
    training::run::{Branch, DiskFull, RunConfig, RunDir, RunEnd, Trainer},
};

use super::{CopyAt, Watch, assert_same, config, copy_folder, final_checkpoint, go_on, machine};

/// A run whose window holds two generations or three.
fn narrow(more: &[&str]) -> RunConfig {
    let few = [
        "budget.generations=9",
        "replay.window_start=200",
        "replay.window_max=200",
        "checkpoints.every=2",
        "checkpoints.keep=1",
        "checkpoints.milestone_every=4",
        "evaluation.every=100",
    ];
    config(&[&few[..], more].concat())
}

/// The generations of which there are games.
fn kept(folder: &Path) -> BTreeSet<u32> {
    let names = fs::read_dir(folder.join("records")).unwrap().map(|entry| entry.unwrap().file_name());
    let number = |name: std::ffi::OsString| {
        name.to_str()?.strip_prefix("gen-")?.strip_suffix(".records")?.parse().ok()
    };
    names.filter_map(number).collect()
}

/// Those that the windows of the checkpoints in `folder` hold, each of 200 positions.
fn wanted(folder: &Path) -> BTreeSet<u32> {
    let taught = final_checkpoint(folder).state.taught;
    let mut all = BTreeSet::new();
    for checkpoint in RunDir::at(folder).generations().unwrap() {
        let mut held = 0;
        for generation in (1..=checkpoint).rev() {
            if held >= 200 {
                break;
            }
            held += taught[generation as usize - 1];
            all.insert(generation);
        }
    }
    all
}

#[test]
fn games_are_kept_for_the_windows_of_the_kept_checkpoints_and_for_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let to = folder.path().join(name);
        go_on(&narrow(more), &to, 2, usize::MAX);
        to
    };
    let window = run("window", &[]);
    assert_eq!(kept(&window), wanted(&window));
    assert!(kept(&window).len() < 9, "{:?}", kept(&window));
    let all = run("all", &["records.keep=all"]);
    assert_eq!(kept(&all), (1..=9).collect());
    // What is kept on the disk changes no game and no weight.
    let [one, other] = [&window, &all].map(|run| final_checkpoint(run));
    assert!(one.learner == other.learner && one.state.taught == other.state.taught);
}

#[test]
fn what_is_kept_is_enough_after_a_kill_and_in_a_branch() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed, branch] = ["whole", "killed", "branch"].map(|name| folder.path().join(name));
    let stop = AtomicBool::new(false);
    let mut copy = CopyAt { generation: 7, from: &whole, to: &killed };
    let mut trainer = Trainer::<Dobutsu>::open(narrow(&[]), &whole, machine(2), None).unwrap();
    trainer.run(&stop, &mut copy).unwrap();
    assert!(!kept(&killed).contains(&1), "{:?}", kept(&killed));
    go_on(&narrow(&[]), &killed, 2, usize::MAX);
    assert_same(&final_checkpoint(&whole), &final_checkpoint(&killed));

    Branch::read(&whole, Some(4)).unwrap().make(&narrow(&[]), &branch).unwrap();
    assert_eq!(kept(&branch).last(), Some(&4));
    go_on(&narrow(&[]), &branch, 2, usize::MAX);
    assert_same(&final_checkpoint(&whole), &final_checkpoint(&branch));
}

#[test]
fn a_larger_window_begins_with_the_games_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    go_on(&narrow(&[]), folder.path(), 2, usize::MAX);
    let larger = |end: &str| narrow(&["replay.window_max=100000", "replay.window_start=100000", end]);
    for end in ["budget.generations=10", "budget.generations=11"] {
        let (ending, reports) = go_on(&larger(end), folder.path(), 2, usize::MAX);
        assert_eq!((ending, reports.len()), (RunEnd::Done, 1));
    }
    let checkpoint = final_checkpoint(folder.path());
    let newest: BTreeSet<u32> = (checkpoint.state.window_from..=11).collect();
    assert!(newest.len() >= 4 && newest.is_subset(&kept(folder.path())), "{newest:?}");
}

#[test]
fn a_run_from_before_records_were_removed_keeps_them_all() {
    let folder = tempfile::tempdir().unwrap();
    let older = |end: &str| {
        let mut config = narrow(&[end]);
        config.records = None;
        config
    };
    let taken = |saved: &RunConfig, now: RunConfig| {
        now.settled(Some(saved), || panic!("nothing is measured")).keeps()
    };
    let (before, now) = (older("budget.generations=2"), older("budget.generations=3"));
    assert_eq!(taken(&before, now.clone()), sanki::training::run::Keep::All);
    assert_eq!(taken(&before, narrow(&[])), sanki::training::run::Keep::Window, "what is asked for is done");
    assert_eq!(
        now.settled(None, || panic!("nothing is measured")).keeps(),
        sanki::training::run::Keep::Window
    );
    go_on(&older("budget.generations=2"), folder.path(), 1, usize::MAX);
    let said = fs::read_to_string(folder.path().join("config.toml")).unwrap();
    assert!(said.contains("keep = \"window\""), "a new run says what it does: {said}");
}

#[test]
fn a_run_stops_before_the_disk_is_full_and_goes_on_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, short] = ["whole", "short"].map(|name| folder.path().join(name));
    // Generations without a checkpoint: the stop saves one.
    let config = narrow(&["checkpoints.every=100", "budget.generations=4"]);
    go_on(&config, &whole, 2, usize::MAX);

    let asked = AtomicU32::new(0);
    let free = move |path: &Path| {
        assert!(path.is_dir());
        Ok(if asked.fetch_add(1, Ordering::Relaxed) < 3 { u64::MAX } else { 1_000_000 })
    };
    let stop = AtomicBool::new(false);
    let mut watch = Watch { stop: &stop, left: usize::MAX, reports: Vec::new() };
    let trainer = Trainer::<Dobutsu>::open(config.clone(), &short, machine(2), None).unwrap();
    let mut trainer = trainer.with_free_bytes(Box::new(free));
    let error = trainer.run(&stop, &mut watch).unwrap_err().downcast::<DiskFull>().unwrap();
    assert_eq!(error.free, 1_000_000);
    assert!(error.needed > error.free && error.to_string().contains("1 MB are free"), "{error}");
    drop(trainer);
    assert_eq!(final_checkpoint(&short).state.generation, 3);

    // As left alone, but for the checkpoint, which is also where it is taken up from a copy.
    let copy = folder.path().join("copy");
    copy_folder(&short, &copy);
    for run in [&short, &copy] {
        let (ending, _) = go_on(&config, run, 2, usize::MAX);
        assert_eq!(ending, RunEnd::Done);
        let [found, expected] = [run, &whole].map(|run| final_checkpoint(run));
        assert_eq!(found.state.taught, expected.state.taught);
        assert!(found.learner == expected.learner, "the weights are those of a run that never stopped");
    }
}

#[test]
fn what_is_advised_for_a_full_disk_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    let (all, every) = (
        ["records.keep=all", "checkpoints.milestone_every=100"],
        ["checkpoints.every=1", "checkpoints.milestone_every=1"],
    );
    for (name, before, advice) in
        [("all", all, "records.keep=window"), ("every", every, "checkpoints.milestone_every=100")]
    {
        let [whole, short] = ["whole", "short"].map(|run| folder.path().join(format!("{name}-{run}")));
        let with = |more: &[&str]| narrow(&[&before[..], &["budget.generations=6"][..], more].concat());
        go_on(&with(&[]), &whole, 2, usize::MAX);

        let run = |config: RunConfig| {
            let stop = AtomicBool::new(false);
            let mut watch = Watch { stop: &stop, left: usize::MAX, reports: Vec::new() };
            let trainer = Trainer::<Dobutsu>::open(config, &short, machine(2), None).unwrap();
            // A disk with room for the games of five generations.
            let free = |path: &Path| Ok(if kept(path).len() < 5 { u64::MAX } else { 0 });
            trainer.with_free_bytes(Box::new(free)).run(&stop, &mut watch)
        };
        for _ in 0..2 {
            let error = run(with(&[])).unwrap_err();
            assert!(error.is::<DiskFull>(), "{name}: {error:#}");
            assert_eq!(kept(&short), (1..=5).collect());
        }
        assert_eq!(run(with(&[advice])).unwrap(), RunEnd::Done, "{name}");
        assert_eq!(kept(&short), wanted(&short), "{name}");
        let [found, expected] = [&short, &whole].map(|run| final_checkpoint(run));
        assert_eq!(found.state.taught, expected.state.taught, "{name}");
        assert!(found.learner == expected.learner, "{name}: the weights are those of a run left alone");
    }
}

#[test]
fn settings_that_change_no_game_are_in_the_newest_checkpoint_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let config = narrow(&[&["budget.generations=2"][..], more].concat());
        go_on(&config, folder.path(), 1, usize::MAX);
        final_checkpoint(folder.path())
    };
    let before = run(&[]);
    for setting in
        ["play.temperature=2.5", "records.keep=all", "checkpoints.milestone_every=7", "evaluation.games=6"]
    {
        let after = run(&[setting]);
        assert_eq!(after.config, fs::read_to_string(folder.path().join("config.toml")).unwrap(), "{setting}");
        assert!(after.config != before.config, "{setting}");
        assert!(after.state == before.state && after.learner == before.learner, "{setting}");
    }
    assert_eq!(run(&["play.temperature=2.5"]).model.meta.play.temperature, Some(2.5));
}

#[test]
fn what_a_run_has_on_the_disk_needs_no_room_again() {
    let folder = tempfile::tempdir().unwrap();
    go_on(&narrow(&["budget.generations=2"]), folder.path(), 2, usize::MAX);
    let longer = narrow(&["budget.generations=1000"]);
    let mut trainer = Trainer::<Dobutsu>::open(longer, folder.path(), machine(1), None).unwrap();
    let bytes = |part: &str| -> u64 {
        let files = fs::read_dir(folder.path().join(part)).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
    };
    let there = bytes("records") + bytes("checkpoints");
    let missing = trainer.disk_use().unwrap().total() - there;
    for (free, has_room) in [(missing, true), (missing - 1, false)] {
        trainer = trainer.with_free_bytes(Box::new(move |_: &Path| Ok(free)));
        assert_eq!(trainer.has_room(), has_room, "{there} of {missing} and more are there");
    }
}

#[test]
fn the_precision_is_measured_once_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let with = |precision: &str, end: &str| config(&[&format!("selfplay.precision={precision}"), end]);
    let taken = |folder: &Path| {
        let checkpoint = final_checkpoint(folder);
        let [saved, file] = [checkpoint.config, fs::read_to_string(folder.join("config.toml")).unwrap()];
        assert_eq!(saved, file);
        assert!(checkpoint.state.past.is_empty(), "nothing has changed within the run");
        RunConfig::parse(&saved, &[]).unwrap().selfplay.precision.to_string()
    };
    let auto = folder.path().join("auto");
    go_on(&with("auto", "budget.generations=1"), &auto, 1, usize::MAX);
    let first = taken(&auto);
    assert!(["fp32", "bf16"].contains(&first.as_str()), "{first}");
    go_on(&with("auto", "budget.generations=2"), &auto, 1, usize::MAX);
    assert_eq!(taken(&auto), first);

    // Of both, one is not what a measurement would give: it stays all the same.
    for forced in ["fp32", "bf16"] {
        let run = folder.path().join(forced);
        go_on(&with(forced, "budget.generations=1"), &run, 1, usize::MAX);
        go_on(&with("auto", "budget.generations=2"), &run, 1, usize::MAX);
        assert_eq!(taken(&run), forced);
    }
}
