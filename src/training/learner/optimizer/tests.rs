//! Steps by hand, and rows that are left behind.

use rand::RngExt;

use super::*;
use crate::net::{Model, testing};

/// A step of `rate` without an average.
fn stride(rate: f32) -> Stride {
    Stride { rate, scale: 1.0, average_decay: 0.0 }
}

/// An optimizer of a vector, of which `gradient` is the gradient.
struct Vector {
    optimizer: Optimizer,
}

impl Vector {
    fn new(config: AdamWConfig, weights: Vec<f32>, decays: bool) -> Self {
        let tensor = TensorShape { begin: 0, first: 0, rows: 1, width: weights.len(), decays };
        Vector { optimizer: Optimizer::of(config, vec![tensor], Trained::new(weights), 0) }
    }

    fn step(&mut self, rate: f32, gradient: &[f32]) -> &[f32] {
        assert!(self.optimizer.step(&stride(rate), &[Section::vector(0, gradient)]));
        &self.optimizer.trained.weights
    }
}

#[test]
fn first_steps_by_hand() {
    // The first step has mean/unbias = g and sqrt(square/unbias) = |g|: a step of the learning rate.
    let config = AdamWConfig { weight_decay: 0.5, ..AdamWConfig::default() };
    let close = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    let mut plain = Vector::new(config.clone(), vec![1.0], false);
    close(plain.step(0.1, &[2.0])[0], 0.9);
    // The second with g = 0: mean .9 * .2 / (1 - .81), square .99 * .04 / (1 - .9801).
    close(plain.step(0.1, &[0.0])[0], 0.9 - 0.1 * (0.18 / 0.19) / (0.0396f32 / 0.0199).sqrt());
    let mut decaying = Vector::new(config, vec![1.0, 1.0], true);
    let weights = decaying.step(0.1, &[-3.0, 0.0]);
    close(weights[0], 1.05);
    close(weights[1], 0.95);
}

#[test]
fn finds_the_minimum_of_a_parabola() {
    let config = AdamWConfig { weight_decay: 0.0, ..AdamWConfig::default() };
    let mut vector = Vector::new(config, vec![5.0, -3.0], true);
    let mut weights = vec![5.0, -3.0];
    for _ in 0..2000 {
        let gradient = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 2.0)];
        weights = vector.step(0.01, &gradient).to_vec();
    }
    assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 2.0).abs() < 1e-2, "{weights:?}");
}

#[test]
fn what_is_not_finite_is_reported() {
    let mut vector = Vector::new(AdamWConfig::default(), vec![3e38, 1.0], false);
    let gradient = [-1.0, 1.0];
    assert!(!vector.optimizer.step(&stride(3e38), &[Section::vector(0, &gradient)]));
}

#[test]
fn rows_left_behind_catch_up() {
    let model = testing::model("sparse-32-attacks", &testing::shape(4, 3), 1);
    let layout = model.layout();
    let config = AdamWConfig { weight_decay: 0.1, ..AdamWConfig::default() };
    let start = Trained::new(model.weights().to_vec());
    // One is told of all rows, the other of those that have a gradient.
    let [mut eager, mut lazy] = [0; 2].map(|_| Optimizer::new(config.clone(), layout, start.clone(), 0));
    let mut rng = testing::rng(1);
    for step in 0..3 * MOST_BEHIND + 7 {
        let mut parts = Vec::new();
        for (tensor, spec) in layout.tensors().iter().enumerate() {
            let width = spec.len() / spec.rows();
            let touched: Vec<usize> = (0..spec.rows()).filter(|_| rng.random_bool(0.04)).collect();
            let values: Vec<f32> =
                touched.iter().flat_map(|_| 0..width).map(|_| rng.random_range(-1.0..1.0)).collect();
            let mut whole = vec![0.0; spec.len()];
            for (i, &row) in touched.iter().enumerate() {
                whole[row * width..][..width].copy_from_slice(&values[i * width..][..width]);
            }
            parts.push((tensor, width, (0..spec.rows()).collect::<Vec<_>>(), whole, touched, values));
        }
        let section = |tensor, width, rows, values| Section { tensor, rows, width, stride: width, values };
        let all: Vec<_> = parts
            .iter()
            .map(|(t, width, rows, whole, ..)| section(*t, *width, &rows[..], &whole[..]))
            .collect();
        let some: Vec<_> = parts
            .iter()
            .map(|(t, width, .., rows, values)| section(*t, *width, &rows[..], &values[..]))
            .collect();
        assert!((norm(&all) - norm(&some)).abs() < 1e-6 * norm(&all));
        let stride = Stride { rate: 1e-2 * (1.0 + step as f32 % 5.0), scale: 0.5, average_decay: 0.9 };
        assert!(eager.step(&stride, &all) && lazy.step(&stride, &some));
        assert!(eager.past.is_empty(), "nothing is put off where every row has a gradient");

        // What is read is that of now, too.
        let tensor = step % layout.tensors().len();
        let TensorShape { rows, width, .. } = lazy.tensors[tensor];
        let (row, mut found, mut expected) = (step % rows, vec![0.0; width], vec![0.0; width]);
        lazy.read(tensor, row, &mut found);
        eager.read(tensor, row, &mut expected);
        assert_close(&found, &expected, 1.0);
    }
    let (found, expected) = (lazy.settled().into_owned(), eager.settled());
    assert_close(&found.weights, &expected.weights, 1.0);
    assert_close(&found.average, &expected.average, 1.0);
    assert_close(&found.mean, &expected.mean, 1e-2);
    assert_close(&found.square, &expected.square, 1e-2);
    // To settle does not change what is settled.
    lazy.settle();
    assert_eq!(*lazy.settled(), found);
}

/// But for the rounding of some hundred steps; `size` is about that of the numbers.
fn assert_close(found: &[f32], expected: &[f32], size: f32) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * expected.abs().max(size), "{found} {expected}");
    }
}

#[test]
fn long_gradients_are_measured_whole() {
    let values: Vec<f32> = (0..3 * TASK + 5).map(|i| (i % 7) as f32).collect();
    let expected = values.iter().map(|&x| f64::from(x * x)).sum::<f64>().sqrt();
    let found = norm(&[Section::vector(0, &values), Section::vector(1, &[3.0, f32::NAN][..1])]);
    let expected = (expected * expected + 9.0).sqrt();
    assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
    assert!(norm(&[Section::vector(0, &[1.0, f32::NAN])]).is_nan());
}

#[test]
fn a_state_is_taken_up_where_it_was() {
    let model = Model::init(&"sparse-32".parse().unwrap(), testing::shape(4, 3), 1);
    let start = Trained::new(model.weights().to_vec());
    let optimizer = Optimizer::new(AdamWConfig::default(), model.layout(), start.clone(), 7);
    assert_eq!((optimizer.steps(), optimizer.settled().into_owned()), (7, start));
}
