//! AdamW and the weights' average, row by row, in place.
//!
//! # Rows without a gradient
//! A batch touches a part of a sparse net's rows. Those that it leaves alone still move: the moments fade, their
//! quotient still moves the weight, the weight decays and the average follows. All of that depends on nothing but the
//! row's own numbers and the steps' factors, so it is put off until the row is wanted, and then made up for at once.
//! Let `m`, `v`, `w` and `a` be the moments, the weight and its average after the row's last step, and `u = m /
//! (sqrt(v) + e)`. A step without a gradient multiplies `m` by `beta1`, `v` by `beta2` and so `u` by `beta1 /
//! sqrt(beta2)`; `w` and `a` become sums of `w`, `a` and `u` with factors that are the same for all rows. So do many
//! such steps, with the products of their factors ([`CatchUp`]).
//!
//! That is AdamW but for one thing: `e`, which is `epsilon` times the root of `1 - beta2^step` of the first step that
//! is put off, fades with the root of `v` until the row has a gradient again, where AdamW would hold `epsilon` fixed.
//! It matters only where the root of the mean square gradient is near `epsilon`; there the step is the larger one.

mod factors;
mod rows;

use std::borrow::Cow;

use factors::{CatchUp, Factors};
use rayon::prelude::*;
use rows::{Rest, TensorShape};
use serde::{Deserialize, Serialize};

use crate::net::{
    gradient::{Section, WeightRows},
    weights::Layout,
};

/// Decoupled weight decay (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, algorithm 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamWConfig {
    /// Decay of the mean of the gradient, in `0.0..1.0`.
    pub beta1: f32,
    /// Decay of the mean of its square, in `0.0..1.0`.
    pub beta2: f32,
    /// Added to the root of the mean square.
    pub epsilon: f32,
    /// Shrinks weights by this fraction of the learning rate a step; gains and biases do not decay.
    pub weight_decay: f32,
}

impl Default for AdamWConfig {
    /// Untuned.
    fn default() -> Self {
        AdamWConfig { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.01 }
    }
}

/// What a step changes, in the order of the layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// Weights.
    pub weights: Vec<f32>,
    /// What follows them slowly.
    pub average: Vec<f32>,
    /// Mean of the gradient.
    pub mean: Vec<f32>,
    /// Mean of its square.
    pub square: Vec<f32>,
}

impl Trained {
    /// Before the first step.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Trained { average: weights.clone(), mean: zeros.clone(), square: zeros, weights }
    }
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stride {
    /// The learning rate.
    pub rate: f32,
    /// What the gradient is multiplied with first.
    pub scale: f32,
    /// Decay of the average.
    pub average_decay: f32,
}

/// Weights in training.
#[derive(Clone, Debug)]
pub struct Optimizer {
    config: AdamWConfig,
    tensors: Vec<TensorShape>,
    trained: Trained,
    /// Steps so far.
    steps: u64,
    /// For each row the step that its numbers are of.
    current: Vec<u64>,
    /// The steps since all rows were of one, fewer than [`MOST_BEHIND`].
    past: Vec<Factors>,
    /// What makes up for the last step, the last two, and so on; first for none.
    catch_up: Vec<CatchUp>,
}

/// Rows are fewer steps behind than this: then all of them catch up.
const MOST_BEHIND: usize = 64;

/// Numbers that one thread takes at a time, about. The last bits of a norm hang on it.
const TASK: usize = 1 << 14;
/// The same in a step, which few numbers of a small net take part in.
const STEP_TASK: usize = 1 << 12;
/// Parts of a norm that a thread takes at least.
const PARTS_TOGETHER: usize = 4;

impl Optimizer {
    /// `steps` steps after the beginning, at `trained`, whose tensors are those of `layout`.
    pub fn new(config: AdamWConfig, layout: &Layout, trained: Trained, steps: u64) -> Self {
        let (mut begin, mut first) = (0, 0);
        let tensors = layout.tensors().iter().map(|spec| {
            let (rows, width) = (spec.rows(), spec.len() / spec.rows());
            // Weights are matrices; what is no matrix is a gain or a bias.
            let tensor = TensorShape { begin, first, rows, width, decays: spec.is_matrix() };
            begin += spec.len();
            first += rows;
            tensor
        });
        Optimizer::of(config, tensors.collect(), trained, steps)
    }

    fn of(config: AdamWConfig, tensors: Vec<TensorShape>, trained: Trained, steps: u64) -> Self {
        let rows = tensors.iter().map(|tensor| tensor.rows).sum();
        let catch_up = CatchUp::all(&config, steps, &[]);
        Optimizer { config, tensors, trained, steps, current: vec![steps; rows], past: Vec::new(), catch_up }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One step against a gradient that is zero but for `sections`, which are in the order of the layout. On all
    /// threads of the pool; the result does not depend on how many there are. Whether all new weights are finite; if
    /// not, the old ones are lost.
    pub fn step(&mut self, stride: &Stride, sections: &[Section<'_>]) -> bool {
        let factors = Factors::new(&self.config, self.steps + 1, stride);
        let Optimizer { tensors, trained, current, catch_up, steps, .. } = self;
        let (catch_up, steps) = (&catch_up[..], *steps);
        let mut rest = Rest::new(trained, current);
        let mut tasks = Vec::new();
        for section in sections {
            let tensor = &tensors[section.tensor];
            for part in section.parts(STEP_TASK) {
                let last = part.rows[part.rows.len() - 1];
                tasks.push((rest.take(tensor, part.rows[0]..last + 1), part));
            }
        }
        let finite = tasks.into_par_iter().map(|(mut rows, gradient)| {
            let TensorShape { width, decays, .. } = *rows.tensor;
            let mut finite = true;
            for (i, number) in gradient.rows.iter().enumerate() {
                let at = number - rows.first;
                let mut row = rows.numbers.part(at * width, width);
                let behind = (steps - rows.current[at]) as usize;
                if behind > 0 {
                    catch_up[behind].all_of(decays, row.cut(width));
                }
                finite &= factors.step(decays, gradient.row(i), row);
                rows.current[at] = steps + 1;
            }
            finite
        });
        let finite = finite.reduce(|| true, |a, b| a & b);
        self.steps += 1;
        self.past.push(factors);
        if sections.iter().map(|section| section.rows.len()).sum::<usize>() == self.current.len() {
            self.past.clear();
        }
        self.catch_up = CatchUp::all(&self.config, self.steps, &self.past);
        if self.past.len() == MOST_BEHIND {
            self.settle();
        }
        finite
    }

    /// Makes all rows those of now. When that is done changes what a row is in its last bits: a run that is to be the
    /// same whenever it is saved does it at the same steps.
    pub fn settle(&mut self) {
        let Optimizer { tensors, trained, current, catch_up, steps, .. } = self;
        let (catch_up, steps) = (&catch_up[..], *steps);
        let mut rest = Rest::new(trained, current);
        let mut tasks = Vec::new();
        for tensor in tensors.iter() {
            let count = (TASK / tensor.width).max(1);
            for first in (0..tensor.rows).step_by(count) {
                tasks.push(rest.take(tensor, first..(first + count).min(tensor.rows)));
            }
        }
        tasks.into_par_iter().for_each(|mut rows| {
            let TensorShape { width, decays, .. } = *rows.tensor;
            for (at, current) in rows.current.iter_mut().enumerate().filter(|(_, current)| **current < steps)
            {
                let behind = (steps - *current) as usize;
                catch_up[behind].all_of(decays, rows.numbers.part(at * width, width));
                *current = steps;
            }
        });
        self.past.clear();
        self.catch_up.truncate(1);
    }

    /// What the steps have led to, all rows made those of now.
    pub fn settled(&self) -> Cow<'_, Trained> {
        if self.past.is_empty() {
            return Cow::Borrowed(&self.trained);
        }
        let mut settled = self.clone();
        settled.settle();
        Cow::Owned(settled.trained)
    }
}

impl WeightRows for Optimizer {
    fn read(&self, tensor: usize, row: usize, out: &mut [f32]) {
        let TensorShape { begin, first, width, decays, .. } = self.tensors[tensor];
        let at = begin + row * width..begin + (row + 1) * width;
        out.copy_from_slice(&self.trained.weights[at.clone()]);
        let behind = (self.steps - self.current[first + row]) as usize;
        if behind > 0 {
            let Trained { mean, square, .. } = &self.trained;
            self.catch_up[behind].weights(decays, out, &mean[at.clone()], &square[at]);
        }
    }
}

/// Euclidean length of a gradient, summed in an order that does not depend on the number of threads.
pub fn norm(sections: &[Section<'_>]) -> f64 {
    let parts: Vec<Section<'_>> = sections.iter().flat_map(|section| section.parts(TASK)).collect();
    let squares: Vec<f64> = parts.par_iter().with_min_len(PARTS_TOGETHER).map(squares).collect();
    squares.iter().sum::<f64>().sqrt()
}

/// In f32 within a row, which is short.
fn squares(section: &Section<'_>) -> f64 {
    let of_row = |row: &[f32]| {
        let (chunks, rest) = row.as_chunks::<16>();
        let mut sums = [0.0f32; 16];
        for chunk in chunks {
            for i in 0..16 {
                sums[i] += chunk[i] * chunk[i];
            }
        }
        f64::from(sums.iter().sum::<f32>()) + f64::from(rest.iter().map(|x| x * x).sum::<f32>())
    };
    (0..section.rows.len()).map(|row| of_row(section.row(row))).sum()
}

#[cfg(test)]
mod tests;
