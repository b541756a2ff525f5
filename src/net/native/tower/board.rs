//! What is not a convolution of activations: the stem's sums of rows, pooling, the logits of moves.

use crate::{
    encode::{Feature, Shape},
    net::{
        input::{neighbour, taps},
        native::lanes::{Arch, Kernel, Lanes},
    },
};

/// `output[square] = relu(bias + the rows of the active features that a 3x3 convolution sees from there)`.
pub struct Stem<'a> {
    /// `[9 * planes, lanes of channels]`.
    pub weights: &'a [Lanes],
    /// The game's sizes.
    pub shape: &'a Shape,
    /// The active features.
    pub active: &'a [Feature],
    /// Lanes of channels.
    pub bias: &'a [Lanes],
    /// `[squares, lanes of channels]`.
    pub output: &'a mut [Lanes],
}

impl Kernel for Stem<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let Stem { weights, shape, active, bias, output } = self;
        let lanes = bias.len();
        for square in output.chunks_exact_mut(lanes) {
            square.copy_from_slice(bias);
        }
        for feature in active {
            let (plane, square) = (usize::from(feature.plane), usize::from(feature.square));
            for (tap, (up, right)) in taps().enumerate() {
                // The square that sees this one through the tap.
                let Some(seen_from) = neighbour(shape, square, (-up, -right)) else { continue };
                let row = &weights[(tap * shape.planes + plane) * lanes..][..lanes];
                let sums = &mut output[seen_from * lanes..][..lanes];
                sums.iter_mut().zip(row).for_each(|(sum, row)| sum.add(row));
            }
        }
        output.iter_mut().for_each(|lanes| lanes.max(&Lanes::ZERO));
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
    fn run<A: Arch>(self) {
        let lanes = self.output.len() / 2;
        let (mean, max) = self.output.split_at_mut(lanes);
        let (first, rest) = self.input.split_at(lanes);
        mean.copy_from_slice(first);
        max.copy_from_slice(first);
        for square in rest.chunks_exact(lanes) {
            for ((mean, max), value) in mean.iter_mut().zip(&mut *max).zip(square) {
                mean.add(value);
                max.max(value);
            }
        }
        let squares = (self.input.len() / lanes) as f32;
        mean.iter_mut().flat_map(|lanes| &mut lanes.0).for_each(|value| *value /= squares);
    }
}

/// One logit for each move: the product of its square's and its plane's row, and the plane's bias.
pub struct Logits<'a> {
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

impl Kernel for Logits<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let lanes = self.squares.len() / self.count;
        for (&index, output) in self.moves.iter().zip(self.output) {
            let (plane, square) = (usize::from(index) / self.count, usize::from(index) % self.count);
            let square = &self.squares[square * lanes..][..lanes];
            let row = &self.planes[plane * lanes..][..lanes];
            let mut sums = Lanes::ZERO;
            for (x, w) in square.iter().zip(row) {
                sums.add_products::<A>(x, w);
            }
            *output = sums.sum() + self.bias[plane];
        }
    }
}
