//! The precision in which a net is evaluated fastest: measured, since it depends on the processor. bf16 is 1.7 times as
//! fast as fp32 on one processor with AVX512_BF16, and half as fast on another.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{EncodedQuery, FeatureEvaluator, Isa, Model, NativeNet, NetConfig, Precision};
use crate::{
    games::encode::{Feature, Features, Shape},
    search::Evaluation,
};

/// Measurements of each precision, and how long one lasts at least. The fastest counts: others were disturbed.
const TURNS: usize = 4;
const TURN: Duration = Duration::from_micros(700);
/// The narrower precision changes a net's evaluations a little, so it must be this many times as fast.
const WORTH: f64 = 1.05;
/// Squares of a board where the net does not say: a large one.
const SQUARES: usize = 90;
/// Legal moves of the position that is evaluated, at most.
const MOVES: usize = 32;

/// What was measured in this process, by net and instruction set, so that it has one answer.
static KNOWN: Mutex<Option<HashMap<String, Precision>>> = Mutex::new(None);

/// The precision that `wanted` stands for where `model` is evaluated by hand: [`Precision::Auto`] is the fastest.
///
/// # Panics
/// As [`NativeNet::new`].
pub(super) fn native_precision(model: &Model, wanted: Precision) -> Precision {
    match wanted {
        Precision::Auto => fastest(model, Isa::from_env().expect("the choice was checked at the start")),
        wanted => wanted,
    }
}

/// The precision in which `model` is evaluated fastest with `isa` on this machine: measured in a few milliseconds, once
/// a process for each size of net.
fn fastest(model: &Model, isa: Isa) -> Precision {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = format!("{} with {} on {isa}", model.net(), model.sizes());
    *known.get_or_insert_default().entry(key).or_insert_with(|| measured(model, isa))
}

fn measured(model: &Model, isa: Isa) -> Precision {
    let narrow = match model.net() {
        NetConfig::Conv(_) => Precision::Bf16,
        NetConfig::Sparse(_) => Precision::Int16,
    };
    let shape = shape_for(model);
    let position = [position(&shape)];
    let mut players = [Precision::Fp32, narrow].map(|precision| {
        NativeNet::with_isa(model, precision, isa).expect("its kind of net has it").evaluator(shape)
    });
    let mut seconds = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        for (player, best) in players.iter_mut().zip(&mut seconds) {
            *best = best.min(turn(&mut **player, &position));
        }
    }
    let [single, other] = seconds;
    let taken = choose(single, narrow, other);
    tracing::info!(
        "precision of a {} net: {taken}; fp32 takes {:.1} us a position here, {narrow} {:.1} us",
        model.net(),
        1e6 * single,
        1e6 * other
    );
    taken
}

/// What to take where fp32 needs `single` seconds and `narrow` others.
fn choose(single: f64, narrow: Precision, seconds: f64) -> Precision {
    if single >= WORTH * seconds { narrow } else { Precision::Fp32 }
}

/// Seconds of an evaluation.
fn turn(player: &mut dyn FeatureEvaluator, position: &[EncodedQuery; 1]) -> f64 {
    let mut out = [Evaluation::default()];
    player.evaluate_encoded(position, &mut out);
    let begin = Instant::now();
    for count in 1.. {
        player.evaluate_encoded(position, &mut out);
        let elapsed = begin.elapsed();
        if elapsed >= TURN {
            return elapsed.as_secs_f64() / f64::from(count);
        }
    }
    unreachable!("time passes")
}

/// A board that `model` can evaluate.
fn shape_for(model: &Model) -> Shape {
    let sizes = model.sizes();
    let squares = if sizes.squares > 0 { sizes.squares } else { SQUARES };
    let files = (1..=9).rev().find(|files| squares.is_multiple_of(*files)).unwrap_or(1);
    let (planes, scalars, move_planes) = (sizes.planes, sizes.scalars, sizes.move_planes);
    Shape { planes, scalars, move_planes, ranks: squares / files, files }
}

/// A position with a piece on every third square.
fn position(shape: &Shape) -> EncodedQuery {
    let piece =
        |square: usize| Feature { plane: (square % shape.planes) as u8, square: square as u8, status: 0 };
    let active = (0..shape.squares()).step_by(3).map(piece).collect();
    let step = shape.policy_len().div_ceil(MOVES);
    EncodedQuery {
        features: Features { active, scalars: vec![0.0; shape.scalars] },
        moves: (0..shape.policy_len() as u16).step_by(step).collect(),
        policy_only: false,
    }
}

#[cfg(feature = "program")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Backend, testing};

    #[test]
    fn what_is_faster_is_taken_and_fp32_where_there_is_no_difference() {
        assert_eq!(choose(1.7, Precision::Bf16, 1.0), Precision::Bf16);
        assert_eq!(choose(1.0, Precision::Bf16, 1.7), Precision::Fp32);
        assert_eq!(choose(1.01, Precision::Int16, 1.0), Precision::Fp32);
    }

    #[test]
    fn auto_is_one_that_the_net_has_and_stays_that() {
        for (net, shape) in [("1x16", testing::shape(5, 5)), ("sparse-32", testing::shape(4, 3))] {
            let model = testing::model(net, &shape, 1);
            let taken = Backend::Native.precision_of(&model, Precision::Auto);
            assert!(taken != Precision::Auto && model.net().has(taken), "{net}: {taken}");
            assert_eq!(Backend::Native.precision_of(&model, Precision::Auto), taken);
            assert_eq!(Backend::Flex.precision_of(&model, Precision::Auto), Precision::Fp32);
            // A precision that was asked for stays.
            assert_eq!(Backend::Native.precision_of(&model, Precision::Fp32), Precision::Fp32);
            let judge = |precision| {
                let net = Backend::Native.load_in(&model, precision).expect("it has it");
                let mut out = [Evaluation::default()];
                net.evaluator(shape).evaluate_encoded(&[position(&shape)], &mut out);
                out
            };
            assert_eq!(judge(Precision::Auto), judge(taken));
        }
    }
}
