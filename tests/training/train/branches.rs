//! Branches of a run.

use sanki::training::run::saved_config;

use super::*;

#[test]
fn a_branch_cools_down() {
    for lag in ["selfplay.lag=0", "selfplay.lag=1"] {
        cools_down(lag);
    }
}

fn cools_down(lag: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (run, cooled) = (folder.path().join("run"), folder.path().join("cooled"));
    let steady = config(&["learner.schedule.decay_from=1.0", "learner.schedule.warmup_steps=1", lag]);
    let (_, reports) = go_on(&steady, &run, 2, usize::MAX);
    let peak = f64::from(steady.learner.schedule.peak);
    assert!(reports.iter().all(|report| (report.learning_rate.unwrap() / peak - 1.0).abs() < 1e-6));

    let branch = Branch::read(&run, Some(2)).unwrap();
    let set = branch.cool_down(NonZero::new(4).unwrap()).unwrap();
    let config = RunConfig::parse(branch.config(), &set).unwrap();
    branch.make(&config, &cooled).unwrap();
    assert_eq!(saved_config(&cooled).unwrap(), Some(config.to_toml()), "whenever it begins");
    let (ending, reports) = go_on(&config, &cooled, 2, usize::MAX);
    assert_eq!(ending, RunEnd::Done);
    let rates: Vec<f64> = reports.iter().map(|report| report.learning_rate.unwrap() / peak).collect();
    assert_eq!(rates.len(), 4);
    assert!((rates[0] - 1.0).abs() < 1e-6, "{rates:?}");
    assert!(rates.is_sorted_by(|a, b| a > b), "{rates:?}");
    // A generation's steps have the rate of its beginning.
    assert!(rates[3] < 0.2, "{rates:?}");
    let single = branch.cool_down(NonZero::new(1).unwrap()).unwrap_err();
    assert!(single.to_string().contains("2 are the fewest"), "{single}");
    let untrained = Branch::read(&run, Some(0)).unwrap().cool_down(NonZero::new(2).unwrap()).unwrap_err();
    assert!(untrained.to_string().contains("learnt nothing"), "{untrained}");
}

#[test]
fn a_branch_cools_down_from_a_generation_without_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let few = ["learner.batch=256", "replay.reuse=1", "budget.generations=8", "checkpoints.keep=8"];
    let (_, reports) = go_on(&config(&few), &run, 2, usize::MAX);
    let pair =
        reports.windows(2).find(|pair| pair[0].learning_rate.is_some() && pair[1].learning_rate.is_none());
    let pair = pair.expect("a generation with too few samples for a step");
    let set =
        Branch::read(&run, Some(pair[1].generation)).unwrap().cool_down(NonZero::new(2).unwrap()).unwrap();
    assert!(set.contains(&format!("learner.schedule.peak={:?}", pair[0].learning_rate.unwrap())), "{set:?}");
}

#[test]
fn a_folder_with_files_in_it_takes_no_branch() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let config = config(&[]);
    go_on(&config, &run, 1, usize::MAX);
    let refused = Branch::read(&run, None).unwrap().make(&config, &run).unwrap_err();
    let error = format!("{refused:#}");
    assert!(error.ends_with("a branch wants a folder of its own"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_branch_shares_games_and_checkpoints_with_the_run_on_the_disk() {
    use std::os::unix::fs::MetadataExt;

    let folder = tempfile::tempdir().unwrap();
    let (run, to) = (folder.path().join("run"), folder.path().join("branch"));
    let config = config(&[]);
    go_on(&config, &run, 2, usize::MAX);
    Branch::read(&run, None).unwrap().make(&config, &to).unwrap();
    let branch = RunDir::at(&to);
    let folders = [branch.records(), branch.checkpoint(1).parent().unwrap().to_owned()];
    for file in folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = file.unwrap().path();
        assert_eq!(fs::metadata(&path).unwrap().nlink(), 2, "{}", path.display());
    }
}
