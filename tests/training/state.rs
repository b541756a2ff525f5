//! What a checkpoint says of a run is read back exactly, to the last bit of every number.

use proptest::{
    option,
    prelude::{ProptestConfig, Strategy, any, prop},
    test_runner::TestRunner,
};
use sanki::training::{
    run::{EloPoint, GenerationReport, Idle, PastSettings, PlannedGames, RunClock, State},
    selfplay::Calibration,
};
use serde::{Serialize, de::DeserializeOwned};

/// As many as a state would be saved in a run of weeks.
const CASES: u32 = 10_000;

fn points() -> impl Strategy<Value = EloPoint> {
    let fields = (any::<u32>(), any::<u64>(), any::<f64>(), any::<f64>());
    fields.prop_map(|(generation, positions, score_uniform, elo)| EloPoint {
        generation,
        positions,
        score_uniform,
        elo,
    })
}

fn calibrations() -> impl Strategy<Value = Calibration> {
    let fields = (any::<f32>(), any::<f32>(), any::<u32>());
    fields.prop_map(|(threshold, error, measured)| Calibration { threshold, error, measured })
}

fn states() -> impl Strategy<Value = State> {
    let counts = (any::<u32>(), any::<u64>(), any::<u64>(), any::<u64>(), any::<u32>());
    // A mean of whole numbers, as runs have it, or anything.
    let length = prop::num::f64::ANY.prop_filter("finite", |length| length.is_finite());
    let mean = (1u64..1 << 40, 1u64..1 << 20).prop_map(|(positions, games)| positions as f64 / games as f64);
    let past = (any::<u32>(), any::<String>()).prop_map(|(until, config)| PastSettings { until, config });
    let past = prop::collection::vec(past, 0..3);
    let lists = (prop::collection::vec(any::<u64>(), 0..8), prop::collection::vec(points(), 0..4), past);
    let planned =
        (option::of(any::<u32>()), option::of(any::<f32>().prop_filter("finite", |below| below.is_finite())))
            .prop_map(|(games, resign_below)| PlannedGames { games, resign_below });
    let resign = (option::of(calibrations()), option::of(planned));
    (counts, prop::strategy::Union::new([mean.boxed(), length.boxed()]), resign, lists).prop_map(
        |(
            (generation, positions, games, samples, window_from),
            mean_game_length,
            (resign, planned),
            (taught, elo, past),
        )| {
            State {
                generation,
                positions,
                games,
                samples,
                mean_game_length,
                taught,
                resign,
                planned,
                elo,
                window_from,
                past,
            }
        },
    )
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap();
    assert_eq!(read, *value);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

fn check<S: Strategy>(values: S, property: impl Fn(&S::Value)) {
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let test = |value| {
        property(&value);
        Ok(())
    };
    TestRunner::new(config).run(&values, test).unwrap();
}

#[test]
fn a_state_is_read_back_bit_for_bit() {
    check(states(), comes_back);
}

#[test]
fn the_time_used_is_read_back_bit_for_bit() {
    let clocks = (any::<f64>(), any::<f64>(), any::<f64>(), 1..1000usize);
    let clocks = clocks.prop_map(|(seconds, cpu_seconds, evaluation_seconds, threads)| RunClock {
        seconds,
        cpu_seconds,
        evaluation_seconds,
        idle: Idle::of(seconds / threads as f64, cpu_seconds / 2.0, 1),
    });
    check(clocks, comes_back);
}

#[test]
fn figures_are_read_back_bit_for_bit() {
    let figures = (any::<f64>(), option::of(any::<f64>()), any::<f64>());
    let reports = figures.prop_map(|(seconds, elo, share)| GenerationReport {
        seconds,
        elo,
        reasons: [("repetition".to_owned(), share)].into(),
        ..GenerationReport::default()
    });
    check(reports, comes_back);
}
