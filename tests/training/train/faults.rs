//! Faults that stop a run are named and lose nothing.

use super::*;

#[test]
fn lost_records_of_older_settings_are_played_again_by_those() {
    let folder = tempfile::tempdir().unwrap();
    go_on(&config(&["budget.generations=2", "checkpoints.keep=9"]), folder.path(), 2, usize::MAX);
    let changed = config(&["budget.generations=4", "checkpoints.keep=9", "selfplay.simulations=5"]);
    go_on(&changed, folder.path(), 2, usize::MAX);
    for generation in [2, 3] {
        let file = folder.path().join(format!("records/gen-00000{generation}.records"));
        let whole = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        Trainer::<Dobutsu>::open(changed.clone(), folder.path(), machine(2), None).unwrap();
        assert!(fs::read(&file).unwrap() == whole, "generation {generation}");
    }
}

#[test]
fn one_run_at_a_time_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = Trainer::<Dobutsu>::open(config(&[]), folder.path(), machine(1), None).unwrap();
    assert!(error_of(config(&[]), folder.path()).contains("another run"));
    drop(first);
    Trainer::<Dobutsu>::open(config(&[]), folder.path(), machine(1), None).unwrap();
}

#[test]
fn a_damaged_checkpoint_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    go_on(&config(&["budget.generations=1"]), folder.path(), 2, usize::MAX);
    let file = newest(folder.path()).unwrap();
    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() - 9] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &flipped, b"something else".as_slice(), &[]] {
        fs::write(&file, damaged).unwrap();
        let error = error_of(config(&[]), folder.path());
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(error.contains(name), "{error}");
        assert_eq!(fs::read(&file).unwrap(), damaged, "what is there stays");
    }
}

/// With random weights in place of those that it began with, it would be another run.
#[test]
fn a_run_whose_only_checkpoint_is_the_first_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let [net, whole, killed] = ["net", "whole", "killed"].map(|name| folder.path().join(name));
    go_on(&config(&["budget.generations=1", "seed=9"]), &net, 2, usize::MAX);
    let init = ModelFile::read(&net).unwrap();
    let config = config(&["checkpoints.every=100", "evaluation.every=100"]);
    let stop = AtomicBool::new(false);
    let mut copy = CopyAt { generation: 2, from: &whole, to: &killed };
    let mut trainer = Trainer::<Dobutsu>::open(config.clone(), &whole, machine(2), Some(&init)).unwrap();
    trainer.run(&stop, &mut copy).unwrap();
    assert_eq!(RunDir::at(&killed).generations().unwrap(), [0]);
    fs::remove_file(killed.join("latest")).unwrap();
    go_on(&config, &killed, 2, usize::MAX);
    assert_same(&final_checkpoint(&whole), &final_checkpoint(&killed));
}

#[test]
fn lost_records_are_played_again_by_the_net_that_played_them() {
    let folder = tempfile::tempdir().unwrap();
    go_on(&config(&["budget.generations=2"]), folder.path(), 2, usize::MAX);
    let open = || Trainer::<Dobutsu>::open(config(&[]), folder.path(), machine(2), None).map(drop);
    for generation in [1, 2] {
        let file = folder.path().join(format!("records/gen-00000{generation}.records"));
        let whole = fs::read(&file).unwrap();
        for damaged in [&whole[..whole.len() / 2], b"something else", &[]] {
            fs::write(&file, damaged).unwrap();
            open().unwrap();
            assert!(fs::read(&file).unwrap() == whole, "generation {generation}");
        }
        fs::remove_file(&file).unwrap();
        open().unwrap();
        assert!(fs::read(&file).unwrap() == whole, "generation {generation}");
    }
    fs::remove_file(folder.path().join("records/gen-000002.records")).unwrap();
    fs::remove_file(folder.path().join("checkpoints/gen-000001.sanki")).unwrap();
    let error = format!("{:#}", open().unwrap_err());
    assert!(error.contains("are lost") && error.contains("gen-000002.records is missing"), "{error}");
}

#[test]
fn a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let wild = config(&["learner.schedule.peak=1e30", "learner.max_gradient_norm=1e30"]);
    let stop = AtomicBool::new(false);
    let mut watch = Watch { stop: &stop, left: usize::MAX, reports: Vec::new() };
    let mut trainer = Trainer::<Dobutsu>::open(wild, folder.path(), machine(2), None).unwrap();
    let error = format!("{:#}", trainer.run(&stop, &mut watch).unwrap_err());
    assert!(error.contains("not finite") && error.contains("intact"), "{error}");
    let kept = final_checkpoint(folder.path());
    assert!(kept.model.model.weights().iter().all(|weight| weight.is_finite()));
    drop(trainer);
    // The way on that it names.
    assert!(error.contains("a lower learner.schedule.peak"), "{error}");
    let tame = config(&["learner.schedule.peak=1e-3"]);
    let (ending, reports) = go_on(&tame, folder.path(), 2, usize::MAX);
    assert_eq!((ending, reports.len()), (RunEnd::Done, 3));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = error_of(config(&[]), &file.path().join("run"));
    assert!(error.contains(file.path().to_str().unwrap()), "{error}");
}
