//! Runs in which playing is ahead of learning by a generation.

use std::{fs, sync::atomic::AtomicBool};

use sanki::{
    games::rules::dobutsu::Dobutsu,
    training::{
        run::{Checkpoint, RunConfig, RunDir, RunEnd, Trainer},
        selfplay::sealed_path,
    },
};

use super::{Watch, assert_same, config, final_checkpoint, go_on, machine};

/// What a run with a lag needs to show when and by whom its games are played.
fn ahead(overrides: &[&str]) -> RunConfig {
    let mut all = vec!["selfplay.lag=1", "budget.generations=4", "checkpoints.keep=100"];
    all.extend(overrides);
    config(&all)
}

#[test]
fn with_a_lag_a_generation_is_played_by_the_net_from_before_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let run = RunDir::at(folder.path());
    assert_eq!(go_on(&ahead(&[]), folder.path(), 2, usize::MAX).0, RunEnd::Done);
    let checkpoints: Vec<Checkpoint> =
        (0..=4).map(|generation| Checkpoint::read(&run.checkpoint(generation)).unwrap()).collect();
    assert!(checkpoints[0].player.is_none(), "the first net plays the first generation");
    for pair in checkpoints.windows(2) {
        assert!(pair[1].plays_next().model == pair[0].model.model);
    }
    assert!(!sealed_path(&run.records(), 5).exists(), "what no budget is left for is not played");
}

#[test]
fn a_run_with_a_lag_ends_the_same_however_it_is_stopped_and_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, pieces) = (folder.path().join("whole"), folder.path().join("pieces"));
    go_on(&ahead(&[]), &whole, 2, usize::MAX);
    for (name, rarely) in [("often", &[][..]), ("rarely", &["checkpoints.every=100", "evaluation.every=3"])] {
        let (pieces, config) = (pieces.with_extension(name), ahead(rarely));
        let mut stops = 0;
        while go_on(&config, &pieces, 1 + stops % 2, 5 + 2 * stops).0 == RunEnd::Interrupted {
            stops += 1;
            assert!(stops < 1000, "the run never ends");
        }
        assert!(stops >= 5, "only {stops} stops");
        let [whole, pieces] = [&whole, &pieces].map(|run| final_checkpoint(run));
        assert!(whole.learner == pieces.learner && whole.player == pieces.player, "{name}");
    }
}

#[test]
fn lost_games_of_a_run_with_a_lag_are_played_again_by_the_net_that_played_them() {
    let folder = tempfile::tempdir().unwrap();
    let (run, longer) = (RunDir::at(folder.path()), ahead(&["budget.generations=5"]));
    go_on(&ahead(&[]), folder.path(), 2, usize::MAX);
    let path = sealed_path(&run.records(), 4);
    let games = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    go_on(&longer, folder.path(), 2, usize::MAX);
    assert!(fs::read(&path).unwrap() == games, "other games");
}

#[test]
fn a_lag_may_begin_and_end_within_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [1, 2].map(|workers| {
        let run = folder.path().join(workers.to_string());
        for (generations, lag) in [(2, 0), (4, 1), (6, 0)] {
            let [budget, lag] = [format!("budget.generations={generations}"), format!("selfplay.lag={lag}")];
            assert_eq!(go_on(&config(&[&budget, &lag]), &run, workers, usize::MAX).0, RunEnd::Done);
        }
        final_checkpoint(&run)
    });
    assert_same(&runs[0], &runs[1]);
    assert!(runs[0].player.is_none());
}

/// What is played at the same time does not hold it up, and is not lost.
#[test]
fn with_a_lag_a_loss_that_is_no_number_ends_the_play_too() {
    let folder = tempfile::tempdir().unwrap();
    let wild = ["learner.schedule.peak=1e30", "learner.max_gradient_norm=1e30"];
    let wild = ahead(&wild);
    let stop = AtomicBool::new(false);
    let mut watch = Watch { stop: &stop, left: usize::MAX, reports: Vec::new() };
    let mut trainer = Trainer::<Dobutsu>::open(wild, folder.path(), machine(2), None).unwrap();
    let error = format!("{:#}", trainer.run(&stop, &mut watch).unwrap_err());
    assert!(error.contains("not finite") && error.contains("a lower learner.schedule.peak"), "{error}");
    drop(trainer);
    let (ending, _) = go_on(&ahead(&["learner.schedule.peak=1e-3"]), folder.path(), 2, usize::MAX);
    assert_eq!(ending, RunEnd::Done);
}
