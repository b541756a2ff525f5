//! TensorBoard's own reader reads what a run writes.

use crate::{short_run, skipped::skipped};

use std::{collections::BTreeSet, env, path::Path, process::Command};

/// Prints the scalar tags of a folder, one a line, each with its number of points and the last step.
const READER: &str = "
import sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1])
events.Reload()
for tag in events.Tags()['scalars']:
    points = events.Scalars(tag)
    print(tag, len(points), points[-1].step)
";

const TAGS: [&str; 25] = [
    "loss/policy",
    "loss/value",
    "loss/value_baseline",
    "loss/reply",
    "loss/moves_left",
    "learn/learning_rate",
    "learn/gradient_norm",
    "learn/samples_per_s",
    "policy/entropy",
    "policy/target_entropy",
    "policy/search_kl",
    "policy/breadth",
    "value/calibration_error",
    "value/search_shift",
    "games/length",
    "games/first_score",
    "games/draws",
    "replay/window",
    "replay/reuse",
    "selfplay/positions_per_s",
    "selfplay/evaluations_per_s",
    "selfplay/cache_hits",
    "elo/score_uniform",
    "elo/summed",
    "elo/evaluation_seconds",
];

fn run_of_two_generations(folder: &Path) {
    let folder = folder.to_str().expect("UTF-8");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    let output = command.args(short_run::arguments(folder)).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn its_own_reader_finds_every_curve() {
    let Ok(python) = env::var("SANKI_TENSORBOARD_PYTHON") else {
        return skipped("SANKI_TENSORBOARD_PYTHON names no Python with tensorboard (.ci/run installs one)");
    };
    let folder = tempfile::tempdir().unwrap();
    run_of_two_generations(folder.path());
    let output = Command::new(python).args(["-c", READER]).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let tag = words.next().unwrap();
        let [points, step] = [(); 2].map(|()| words.next().unwrap().parse::<u64>().unwrap());
        assert!(step > 0, "{line}");
        if !tag.starts_with("elo/") && !tag.starts_with("reason/") {
            assert_eq!(points, 2, "{line}");
        }
        found.insert(tag.to_owned());
    }
    for tag in TAGS {
        assert!(found.contains(tag), "{tag} is missing in {found:?}");
    }
    assert!(found.iter().any(|tag| tag.starts_with("reason/")), "{found:?}");
}
