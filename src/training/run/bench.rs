//! How fast a network learns.

use std::{collections::BTreeMap, sync::atomic::AtomicBool, time::Instant};

use anyhow::Result;
use serde::Serialize;

use super::{
    GenerationReport, Observer, RunConfig,
    laps::Laps,
    learning::{Detail, LearningJob},
    watch::Watch,
};
use crate::training::learner::{Learner, NonFinite};
use crate::{
    base::rng::{self, Purpose},
    games::encode::Encode,
    training::replay::{Sample, Window},
};

/// What [`train_speed`] measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainSpeed {
    /// Samples a second, from the games to the settled weights.
    pub samples_per_s: f64,
    /// Samples a second of steps alone, one batch over and over, prepared once: what a GPU can do.
    pub steps_alone_per_s: f64,
    /// Bytes of memory on a GPU, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_bytes: Option<u64>,
    /// Seconds of processor time a million samples.
    pub cpu_seconds_per_million: f64,
    /// Samples a step.
    pub batch: usize,
    /// Threads of the learner.
    pub threads: usize,
    /// Positions that the samples are drawn from.
    pub positions: u64,
    /// The parts of the work, by name.
    pub phases: BTreeMap<&'static str, Phase>,
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Seconds of wall time a million samples.
    pub seconds: f64,
    /// Threads that were busy in it, on average.
    pub threads: f64,
}

/// An observer that ignores all.
struct Unseen;

impl Observer for Unseen {
    fn progress(&mut self, _: f64, _: &str) {}

    fn generation(&mut self, _: &GenerationReport) {}
}

/// Makes `learner` learn the positions of `window` by `config` for about `seconds`: generation by generation as a run would,
/// but for the games.
///
/// # Errors
/// When a step fails.
pub fn train_speed<G: Encode>(
    learner: &mut Learner,
    config: &RunConfig,
    window: &Window,
    seconds: f64,
) -> Result<TrainSpeed> {
    let (stop, mut unseen) = (AtomicBool::new(false), Unseen);
    let watch = Watch::new(&mut unseen, 0.0);
    let mut learn = |generation: u32| {
        let detail = Detail::PartsOfSteps;
        let job =
            LearningJob { config, window, generation, samples: 0, progress: 0.0, may_stop: false, detail };
        anyhow::Ok(job.learn::<G>(learner, &stop, &watch)?.expect("nobody stops it"))
    };
    // The first one finds no buffers.
    learn(0)?;
    let (mut laps, mut samples, mut spent) = (Laps::start(), 0, 0.0);
    for generation in 1.. {
        let learnt = learn(generation)?;
        laps.absorb(&learnt.laps);
        samples += learnt.samples;
        spent += learnt.seconds;
        if spent >= seconds {
            break;
        }
    }
    let steps_alone_per_s = steps_alone::<G>(learner, config, window, seconds / 2.0)?;
    let millions = samples as f64 / 1e6;
    let cpu_seconds: f64 = laps.parts().values().map(|lap| lap.cpu_seconds).sum();
    let phases = laps.parts().iter().map(|(name, lap)| {
        let phase = Phase { seconds: lap.seconds / millions, threads: lap.cpu_seconds / lap.seconds };
        (name.trim_start_matches("learn."), phase)
    });
    Ok(TrainSpeed {
        samples_per_s: samples as f64 / spent,
        steps_alone_per_s,
        device_bytes: learner.device_bytes(),
        cpu_seconds_per_million: cpu_seconds / millions,
        batch: config.learner.batch,
        positions: window.positions(),
        phases: phases.collect(),
        threads: learner.threads(),
    })
}

/// Samples a second of steps on one batch of `window`, in about `seconds`.
fn steps_alone<G: Encode>(
    learner: &mut Learner,
    config: &RunConfig,
    window: &Window,
    seconds: f64,
) -> Result<f64, NonFinite> {
    let mut rng = rng::stream(config.seed, Purpose::Bench, &[]);
    let mut samples = vec![Sample::default(); config.learner.batch];
    let places = window.draw(samples.len(), &mut rng);
    for (place, sample) in places.iter().zip(&mut samples) {
        window.sample_into::<G>(*place, &mut rng, sample);
    }
    let batch = &learner.batch_of(&samples);
    let (begin, mut steps) = (Instant::now(), 0);
    while steps == 0 || begin.elapsed().as_secs_f64() < seconds {
        learner.learn(batch, 0.0)?;
        steps += 1;
    }
    // A GPU is behind.
    learner.finish()?;
    Ok((steps * samples.len()) as f64 / begin.elapsed().as_secs_f64())
}
