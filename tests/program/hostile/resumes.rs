//! Resumes, one after the other: what goes on is what would have gone on.

use std::{fs, thread::sleep, time::Duration};

use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use sanki::{
    base::rng::Rng,
    games::{
        encode::Encode,
        rules::{GameId, RuleSet, dobutsu::Dobutsu},
    },
    net::{Backend, Model},
    training::{
        learner::Learner,
        replay::{Sample, Window},
        run::RunConfig,
        selfplay::{RecordMeta, read_sealed, sealed_path},
    },
};

use super::{
    runs::{end, place, quiet, scratch, survived, train},
    size,
    tally::{Fate, Tally},
    tiny_run::{ENDLESS, essence, finish, resume, wait_until_running},
};

/// The config of a run, and the window with its games.
fn window() -> (RunConfig, Window) {
    end();
    let run = place("end");
    let text = fs::read_to_string(run.join("config.toml")).unwrap();
    let config = RunConfig::parse(&text, &[]).unwrap();
    let mut window = Window::new(config.replay.clone(), config.net.inputs());
    for generation in 1..=4 {
        let (seed, settings) = (config.seed, config.fingerprint());
        let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, generation, seed, settings);
        let games = read_sealed(&sealed_path(&run.join("records"), generation), &meta).unwrap();
        window.add::<Dobutsu>(games);
    }
    (config, window)
}

fn learner(config: &RunConfig) -> Learner {
    let model = Model::init(&config.net, Dobutsu::SHAPE, 1);
    Learner::new(config.learner.clone(), &model, Dobutsu::SHAPE, Backend::Native, 1)
}

/// A learner that is saved and loaded before every step, beside one that is left alone.
#[test]
fn a_learner_that_is_loaded_takes_the_same_step() {
    let (config, window) = window();
    let count = size(300, 10_000);
    let mut rng = Rng::seed_from_u64(10);
    let (mut alone, mut resumed) = (learner(&config), learner(&config));
    let mut cases = Vec::new();
    for number in 0..count {
        let saved = resumed.state_bytes();
        resumed = learner(&config);
        resumed.restore(&saved).unwrap();
        let places = window.draw(number % 7 + 1, &mut rng);
        let sample = |place| {
            let mut sample = Sample::default();
            window.sample_into::<Dobutsu>(place, &mut rng, &mut sample);
            sample
        };
        let samples: Vec<Sample> = places.into_iter().map(sample).collect();
        let steps = [&mut alone, &mut resumed].map(|learner| {
            let step = learner.step(&learner.batch_of(&samples), 0.5).unwrap();
            learner.settle().unwrap();
            step
        });
        let is_same =
            steps[0] == steps[1] && (number % 100 > 0 || alone.state_bytes() == resumed.state_bytes());
        cases.push((number, is_same));
    }
    assert!(alone.state_bytes() == resumed.state_bytes());
    Tally::of("resumes of a learner, each with its next step", &cases, |(_, is_same)| match is_same {
        true => Fate::Survived,
        false => Fate::Lost("another step".into()),
    })
    .check(count)
    .all_survive();
}

/// Resumes of one run.
const LIVES: usize = 25;

/// Kills the run of `seed` again and again, lets it end a few generations later, and compares it with one that was left
/// alone. How often it went on, and how it ended.
fn killed_and_resumed(seed: usize) -> (usize, Fate) {
    let seed_setting = format!("seed={seed}");
    let settings = [
        ENDLESS[0],
        ENDLESS[1],
        seed_setting.as_str(),
        "evaluation.every=30",
        "checkpoints.every=3",
        "checkpoints.keep=2",
        "replay.reuse=1",
    ];
    let (alone, killed) = (scratch(&format!("alone-{seed}")), scratch(&format!("resumed-{seed}")));
    let mut child = train(&killed, &settings).spawn().unwrap();
    wait_until_running(&killed, &mut child);
    let mut rng = Rng::seed_from_u64(seed as u64);
    for _ in 1..LIVES {
        sleep(Duration::from_millis(rng.random_range(5..60)));
        assert!(child.try_wait().unwrap().is_none(), "a run without an end ended");
        child.kill().unwrap();
        child.wait().unwrap();
        child = resume(&killed).spawn().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // More than what was played behind the newest checkpoint.
    let ends = format!("budget.generations={}", essence(&killed).0.generation + 10);
    let settings = [&settings[..], &[ends.as_str()]].concat();
    finish(train(&alone, &settings));
    let output = resume(&killed).args(["--set", &ends]).output().unwrap();
    let result = quiet(&output).and_then(|()| match essence(&killed) == essence(&alone) {
        true => Ok(()),
        false => Err(format!("it ends differently (see {})", killed.display())),
    });
    (LIVES, survived(result))
}

#[test]
fn runs_that_are_killed_and_resumed_end_as_if_left_alone() {
    let (runs, wanted) = (size(2, 44), size(30, 1000));
    let runs: Vec<(usize, Fate)> = (1..=runs).into_par_iter().map(killed_and_resumed).collect();
    let resumes: Vec<Fate> = runs.into_iter().flat_map(|(resumes, fate)| vec![fate; resumes]).collect();
    Tally::of("resumes of runs, which end bit for bit as if left alone", &resumes, Fate::clone)
        .check(wanted)
        .all_survive();
}
