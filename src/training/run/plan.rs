//! Settings for a number of worker cores, with which learner and workers are both busy.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::{Machine, RunConfig, records::sound_games, train_speed};
use crate::training::learner::Learner;
use crate::{
    games::encode::Encode,
    net::{Model, NetConfig, Precision, SparseConfig},
    training::{
        replay::Window,
        selfplay::{GameRecord, MOST_SIMULATIONS, Plan, play_all},
    },
};

/// Worker cores for which the nets of the configs are meant.
const CORES_OF_CONFIGS: f64 = 16.0;
/// The width of a wider net is a multiple of this.
const HIDDEN_STEP: usize = 64;
/// Games that each core plays in a generation, or more: then few cores wait long for the last one.
const GAMES_A_CORE: f64 = 24.0;
/// Generations that the smallest window holds.
const GENERATIONS_IN_WINDOW: u64 = 4;
/// How much larger than the smallest the largest window is, at least.
const WINDOW_GROWTH: u64 = 10;
/// Batches of positions that the learner is measured on.
const BATCHES: u64 = 4;
/// The learner's share of the time that is planned; the rest is room for games that are longer or positions that are more.
const BUSY: f64 = 0.95;

/// How fast this machine is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// Positions of self-play a second of one core's processor time.
    pub positions_per_core_s: f64,
    /// Samples a second that the learner learns, on all its threads.
    pub samples_per_s: f64,
    /// Positions a second that the learner takes in, on all its threads: it checks their moves, and encodes those that teach.
    pub taken_in_per_s: f64,
    /// Searched positions of a game, on average.
    pub positions_per_game: f64,
}

/// What to set for a number of worker cores, and what to expect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The worker cores.
    pub cores: u32,
    /// How often a position is learnt.
    pub reuse: f64,
    /// Simulations of a full search.
    pub simulations: u32,
    /// Simulations of a quick one.
    pub quick_simulations: u32,
    /// Positions of a generation.
    pub positions_per_generation: u32,
    /// The smallest window.
    pub window_start: u64,
    /// The largest.
    pub window_max: u64,
    /// Positions a second of all workers.
    pub positions_per_s: f64,
    /// The share of its time that the learner takes games in and learns, in `0.0..=1.0`.
    pub learner_busy: f64,
}

/// The net for a number of worker cores: that of the config, or a wider one for more cores than configs are meant for. By its
/// width a sparse net knows more; sixteen times the cores are given twice the width.
pub fn net_for(net: &NetConfig, cores: u32) -> NetConfig {
    match net {
        NetConfig::Sparse(config) => {
            let times = (f64::from(cores) / CORES_OF_CONFIGS).sqrt().sqrt().max(1.0);
            let wide = (config.hidden as f64 * times / HIDDEN_STEP as f64).round() as usize * HIDDEN_STEP;
            NetConfig::Sparse(SparseConfig { hidden: wide.max(config.hidden), ..config.clone() })
        }
        net @ NetConfig::Conv(_) => net.clone(),
    }
}

/// The settings for `cores` worker cores like those of this machine, whose rates with `config` are `rates`. What the
/// learner cannot keep up with, first positions are learnt less often, down to once, then searches become larger.
pub fn advise(config: &RunConfig, rates: &Rates, cores: u32) -> Advice {
    let (selfplay, replay) = (&config.selfplay, &config.replay);
    let full_share = f64::from(selfplay.full_share);
    let positions_per_s = f64::from(cores) * rates.positions_per_core_s;
    // Of the learner's time, for a position: to take it in, and to learn it once.
    let (take_in, learn) = (1.0 / rates.taken_in_per_s, full_share / rates.samples_per_s);
    let reuse = replay.reuse.min(((BUSY / positions_per_s - take_in) / learn).max(1.0));
    // To two digits, downwards, but not to nothing.
    let reuse = if reuse < replay.reuse { ((reuse * 10.0).floor() / 10.0).max(1.0) } else { reuse };
    let busy = positions_per_s * (take_in + reuse * learn);
    let times = (busy / BUSY).max(1.0);
    let larger = |simulations: u32| ((f64::from(simulations) * times).ceil() as u32).min(MOST_SIMULATIONS);
    let simulations = larger(selfplay.simulations);
    let slower = f64::from(simulations) / f64::from(selfplay.simulations);
    let generation =
        (f64::from(cores) * GAMES_A_CORE * rates.positions_per_game / 1000.0).ceil() as u32 * 1000;
    let generation = generation.max(selfplay.positions_per_generation);
    let taught = (f64::from(generation) * full_share) as u64;
    let window_start = replay.window_start.max(GENERATIONS_IN_WINDOW * taught);
    Advice {
        cores,
        reuse,
        simulations,
        quick_simulations: larger(selfplay.quick_simulations),
        positions_per_generation: generation,
        window_start,
        window_max: replay.window_max.max(WINDOW_GROWTH * window_start),
        positions_per_s: positions_per_s / slower,
        learner_busy: busy / slower,
    }
}

impl Advice {
    /// The settings that are other than those of `config`, whose net is the one for these cores, as `key=value`.
    pub fn settings(&self, before: &NetConfig, config: &RunConfig) -> Vec<String> {
        let (selfplay, replay) = (&config.selfplay, &config.replay);
        let hidden = |net: &NetConfig| match net {
            NetConfig::Sparse(config) => config.hidden as f64,
            NetConfig::Conv(_) => 0.0,
        };
        let settings = [
            ("net.hidden", hidden(before), hidden(&config.net)),
            ("replay.reuse", replay.reuse, self.reuse),
            ("selfplay.simulations", selfplay.simulations.into(), self.simulations.into()),
            ("selfplay.quick_simulations", selfplay.quick_simulations.into(), self.quick_simulations.into()),
            (
                "selfplay.positions_per_generation",
                selfplay.positions_per_generation.into(),
                self.positions_per_generation.into(),
            ),
            ("replay.window_start", replay.window_start as f64, self.window_start as f64),
            ("replay.window_max", replay.window_max as f64, self.window_max as f64),
        ];
        let changed = settings.into_iter().filter(|(_, before, now)| before != now);
        changed.map(|(key, _, now)| format!("{key}={now}")).collect()
    }
}

/// Measures how fast `machine` plays and learns by `config`, each for about `seconds`, with a net that knows nothing.
///
/// # Errors
/// When no position teaches, what learns is not there, the backend does not have the precision, or a step fails.
pub fn rates<G: Encode>(config: &RunConfig, machine: Machine, seconds: f64) -> Result<Rates> {
    ensure!(
        config.selfplay.full_share > 0.0,
        "selfplay.full_share = 0: no position teaches, so there is no learning to plan for"
    );
    let learns = machine.learns(&config.learner)?;
    let model = Model::init(&config.net, G::SHAPE, config.seed);
    let precision = match config.selfplay.precision {
        Precision::Auto => machine.plays(model.net()).precision_of(&model, Precision::Auto),
        given => given,
    };
    let net = machine.load(&model, precision).context("selfplay.precision")?;
    let (begin, wanted) = (Instant::now(), BATCHES * config.learner.batch as u64);
    let mut window = Window::new(config.replay.holding(wanted), config.net.inputs());
    let (mut positions, mut games, mut cpu_seconds, mut generation) = (0, 0, 0.0, 0);
    let mut taking_in = Duration::ZERO;
    while begin.elapsed().as_secs_f64() < seconds || window.positions() < wanted {
        generation += 1;
        let plan = Plan {
            config: &config.selfplay,
            rules: config.rules,
            seed: config.seed,
            generation,
            games: 8 * machine.workers as u32,
            done: HashSet::new(),
            resign_below: None,
        };
        let (played, work) = play_all::<G>(&plan, &net, machine.workers);
        cpu_seconds += work.cpu_seconds;
        positions += played.iter().map(GameRecord::positions).sum::<usize>();
        games += played.len();
        let begin = Instant::now();
        let sound = sound_games::<G>(&played);
        window.add::<G>(sound);
        taking_in += begin.elapsed();
    }
    let mut learner = Learner::new(config.learner.clone(), &model, G::SHAPE, learns, machine.workers);
    let speed = train_speed::<G>(&mut learner, config, &window, seconds)?;
    Ok(Rates {
        positions_per_core_s: positions as f64 / cpu_seconds,
        samples_per_s: speed.samples_per_s,
        taken_in_per_s: positions as f64 / taking_in.as_secs_f64(),
        positions_per_game: positions as f64 / games as f64,
    })
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;
    use crate::{games::rules::dobutsu::Dobutsu, net::Backend};

    fn config() -> RunConfig {
        RunConfig::parse(include_str!("../../../configs/shogi.toml"), &[]).unwrap()
    }

    const RATES: Rates = Rates {
        positions_per_core_s: 1000.0,
        samples_per_s: 100_000.0,
        taken_in_per_s: 1_000_000.0,
        positions_per_game: 100.0,
    };

    /// What is measured of dobutsu with these settings.
    fn measured(set: &[&str]) -> Result<Rates> {
        let small = ["net.hidden=32", "selfplay.simulations=2", "selfplay.max_plies=40", "learner.batch=128"];
        let set: Vec<String> = small.iter().chain(set).map(|&item| item.to_owned()).collect();
        let config = RunConfig::parse(include_str!("../../../configs/dobutsu.toml"), &set).unwrap();
        let machine = Machine { workers: 1, backend: Backend::Native };
        let (says, said) = mpsc::channel();
        // On a thread of its own, so that the test ends also where the measurement does not.
        thread::spawn(move || says.send(rates::<Dobutsu>(&config, machine, 0.01)));
        said.recv_timeout(Duration::from_secs(30)).expect("the measurement ends")
    }

    #[test]
    fn a_batch_may_be_large_for_the_window() {
        let rates = measured(&["replay.window_start=50", "replay.window_max=100"]).unwrap();
        assert!(rates.samples_per_s > 0.0, "{rates:?}");
    }

    #[test]
    fn where_nothing_teaches_there_is_no_plan() {
        let error = measured(&["selfplay.full_share=0"]).unwrap_err().to_string();
        assert!(error.contains("selfplay.full_share = 0"), "{error}");
    }

    #[test]
    fn the_learner_that_the_settings_name_is_measured() {
        for backend in Backend::ALL.into_iter().filter(|backend| !backend.is_built()) {
            let error = format!("{:#}", measured(&[&format!("learner.backend={backend}")]).unwrap_err());
            let missing = format!("--features {backend}");
            assert!(error.contains("learner.backend") && error.contains(&missing), "{error}");
        }
    }

    #[test]
    fn few_cores_need_nothing_else() {
        let config = config();
        let advice = advise(&config, &RATES, 4);
        assert_eq!(advice.settings(&config.net, &config), [""; 0]);
        // A quarter of the positions teaches, each four times. To take all in takes a tenth of that time.
        assert!((advice.learner_busy - 0.044).abs() < 1e-9 && (advice.positions_per_s - 4000.0).abs() < 1e-9);
    }

    #[test]
    fn positions_are_learnt_less_often_first_and_then_searched_more() {
        let config = config();
        let advice = advise(&config, &RATES, 200);
        assert!((1.0..4.0).contains(&advice.reuse) && advice.simulations == 64, "{advice:?}");
        assert!((0.85..BUSY + 1e-9).contains(&advice.learner_busy), "{advice:?}");
        assert_eq!(advice.positions_per_generation, 480_000);
        assert_eq!(advice.window_start, 480_000);

        let more = advise(&config, &RATES, 1600);
        assert!(more.reuse == 1.0 && more.simulations > 256 && more.quick_simulations > 32, "{more:?}");
        assert!((0.9..BUSY + 1e-9).contains(&more.learner_busy), "{more:?}");
        let settings = more.settings(&config.net, &config);
        assert!(settings.contains(&"replay.reuse=1".to_owned()), "{settings:?}");
        // What it says is a config.
        let text = include_str!("../../../configs/shogi.toml");
        assert_eq!(RunConfig::parse(text, &settings).unwrap().selfplay.simulations, more.simulations);
    }

    #[test]
    fn a_learner_that_stands_nearly_still_has_a_plan_too() {
        let config = config();
        let slow = Rates { samples_per_s: 0.01, ..RATES };
        let settings = advise(&config, &slow, 1600).settings(&config.net, &config);
        RunConfig::parse(include_str!("../../../configs/shogi.toml"), &settings).unwrap();
    }

    #[test]
    fn many_cores_are_given_wider_nets() {
        let net = &config().net;
        let names = [1, 16, 64, 256, 1000].map(|cores| net_for(net, cores).to_string());
        let widths = [256, 256, 384, 512, 704].map(|hidden| format!("sparse-{hidden}-attacks"));
        assert_eq!(names, widths);
    }
}
