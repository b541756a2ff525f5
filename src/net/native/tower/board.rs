//! What is not a convolution of activations: the stem's sums of rows, pooling, the logits of moves.

use super::activations::Activations;
use crate::{
    games::encode::{Feature, Shape},
    net::native::{
        arch::{Arch, Kernel},
        format::NumberFormat,
        lanes::Lanes,
    },
};

/// `output[square] = relu(bias + the rows of the active features that a 3x3 convolution sees from there)`.
pub struct StemSums<'a, F: NumberFormat> {
    /// `[planes, 3, 3, lanes of channels]`: what a feature adds to the squares around its own, by rank, then file.
    pub weights: &'a [Lanes],
    /// The game's sizes.
    pub shape: &'a Shape,
    /// The active features.
    pub active: &'a [Feature],
    /// Lanes of channels.
    pub bias: &'a [Lanes],
    /// The result.
    pub output: &'a mut Activations<F>,
}

impl<F: NumberFormat> Kernel for StemSums<'_, F> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let StemSums { weights, shape: Shape { ranks, files, .. }, active, bias, output } = self;
        let lanes = bias.len();
        let sums = output.values_mut();
        for square in sums.chunks_exact_mut(lanes) {
            square.copy_from_slice(bias);
        }
        for feature in active {
            let (plane, square) = (usize::from(feature.plane), usize::from(feature.square));
            let (rank, file) = (square / files, square % files);
            let around_file = file.saturating_sub(1)..(file + 2).min(*files);
            for around_rank in rank.saturating_sub(1)..(rank + 2).min(*ranks) {
                let step = 3 * (around_rank + 1 - rank) + around_file.start + 1 - file;
                let rows = &weights[(9 * plane + step) * lanes..];
                let sums = &mut sums[(around_rank * files + around_file.start) * lanes..];
                let sums = &mut sums[..around_file.len() * lanes];
                sums.iter_mut().zip(rows).for_each(|(sum, row)| sum.add(arch, row));
            }
        }
        output.update(arch, |lanes| lanes.max(arch, &Lanes::ZERO));
    }
}

/// Mean, then maximum over the board.
pub struct Pool<'a> {
    /// `[squares, lanes of channels]`.
    pub input: &'a [Lanes],
    /// Twice the lanes of channels.
    pub output: &'a mut [Lanes],
}

impl Kernel for Pool<'_> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let lanes = self.output.len() / 2;
        let squares = self.input.len() / lanes;
        let (mean, max) = self.output.split_at_mut(lanes);
        for lane in 0..lanes {
            // Four of each: one would wait for itself.
            let mut sums = [Lanes::ZERO; 4];
            let mut maxima = [self.input[lane]; 4];
            let mut square = 0;
            while square + 4 <= squares {
                for i in 0..4 {
                    let values = &self.input[(square + i) * lanes + lane];
                    sums[i].add(arch, values);
                    maxima[i].max(arch, values);
                }
                square += 4;
            }
            for square in square..squares {
                let values = &self.input[square * lanes + lane];
                sums[0].add(arch, values);
                maxima[0].max(arch, values);
            }
            for i in 1..4 {
                let (sum, maximum) = (sums[i], maxima[i]);
                sums[0].add(arch, &sum);
                maxima[0].max(arch, &maximum);
            }
            mean[lane] = Lanes(sums[0].0.map(|sum| sum / squares as f32));
            max[lane] = maxima[0];
        }
    }
}

/// One logit for each move: the product of its square's and its plane's row, and the plane's bias.
pub struct TowerLogits<'a> {
    /// `[squares, lanes of channels]`.
    pub squares: &'a [Lanes],
    /// `[move planes, lanes of channels]`.
    pub planes: &'a [Lanes],
    /// `[move planes]`.
    pub bias: &'a [f32],
    /// Squares of the board.
    pub count: usize,
    /// Policy indices.
    pub moves: &'a [u16],
    /// As many.
    pub output: &'a mut [f32],
}

impl Kernel for TowerLogits<'_> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let lanes = self.squares.len() / self.count;
        for (&index, output) in self.moves.iter().zip(self.output) {
            let (plane, square) = (usize::from(index) / self.count, usize::from(index) % self.count);
            let square = &self.squares[square * lanes..][..lanes];
            let row = &self.planes[plane * lanes..][..lanes];
            let mut sums = Lanes::ZERO;
            for (x, w) in square.iter().zip(row) {
                sums.add_products(arch, x, w);
            }
            *output = sums.sum() + self.bias[plane];
        }
    }
}
