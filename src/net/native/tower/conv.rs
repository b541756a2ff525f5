//! Convolutions of a board, 3x3 and 1x1, with their bias, residual and relu.
//!
//! A tile is a run of squares of one rank times a block of outputs, all its sums in registers.

use super::activations::Activations;
use crate::{
    games::encode::Shape,
    net::native::{
        arch::{Arch, Kernel},
        format::NumberFormat,
        isa::Isa,
        lanes::Lanes,
    },
};

/// A convolution's weights, packed in the order in which the tiles read them.
#[derive(Clone, Debug)]
pub struct Conv<F: NumberFormat> {
    /// By block of outputs, then tap, then input, then lane of the block.
    weights: Vec<F::Weights>,
    reach: Reach,
    /// Inputs of a square.
    inputs: usize,
    /// Lanes of outputs.
    outputs: usize,
    /// Lanes of a block of outputs: 1 or 2.
    block: usize,
    isa: Isa,
}

/// How far a convolution looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// 1x1.
    Square,
    /// 3x3.
    Neighbours,
}

impl Reach {
    fn steps(self) -> std::ops::RangeInclusive<isize> {
        match self {
            Reach::Square => 0..=0,
            Reach::Neighbours => -1..=1,
        }
    }

    fn taps(self) -> usize {
        self.steps().count() * self.steps().count()
    }
}

impl<F: NumberFormat> Conv<F> {
    /// Packs `weights`, `[taps * inputs, outputs]`, for `isa`.
    pub fn new(weights: &[f32], outputs: usize, reach: Reach, isa: Isa) -> Self {
        let rows = F::pack(weights, outputs);
        let outputs = outputs / Lanes::COUNT;
        let block = block_of(outputs, isa);
        let inputs = rows.len() / reach.taps();
        Conv { weights: in_blocks::<F>(&rows, block), reach, inputs, outputs, block, isa }
    }

    /// `relu(convolution + bias + residual)`, for every square; `bias` and `residual` are as wide as the
    /// output.
    pub fn run(
        &self,
        shape: &Shape,
        input: &Activations<F>,
        bias: &[Lanes],
        residual: Option<&Activations<F>>,
        output: &mut Activations<F>,
    ) {
        let lanes = shape.squares() * self.outputs;
        assert!(output.values().len() == lanes && bias.len() == self.outputs);
        let residual = residual.map(Activations::values);
        assert!(residual.is_none_or(|residual| residual.len() == lanes));
        let input = input.inputs();
        assert_eq!(input.len(), shape.squares() * self.inputs);
        let pass = Pass { conv: self, shape, input, bias, residual, output };
        match self.block {
            2 => self.isa.run(InBlocks::<F, 2>(pass)),
            _ => self.isa.run(InBlocks::<F, 1>(pass)),
        }
    }
}

/// Lanes of a block, where there are `outputs` lanes of outputs.
pub fn block_of(outputs: usize, isa: Isa) -> usize {
    // Two lanes share the load of each input; AVX2 and less have no registers for that.
    if isa == Isa::Avx512 && outputs.is_multiple_of(2) { 2 } else { 1 }
}

/// Rows of lanes of outputs, as they are read: by block of outputs, then row, then lane of the block.
pub fn in_blocks<F: NumberFormat>(rows: &[Vec<F::Weights>], block: usize) -> Vec<F::Weights> {
    let blocks = (0..rows[0].len()).step_by(block);
    blocks.flat_map(|at| rows.iter().flat_map(move |row| &row[at..at + block])).copied().collect()
}

struct Pass<'a, F: NumberFormat> {
    conv: &'a Conv<F>,
    shape: &'a Shape,
    input: &'a [F::Input],
    bias: &'a [Lanes],
    residual: Option<&'a [Lanes]>,
    output: &'a mut Activations<F>,
}

/// A pass whose blocks are of `B` lanes.
struct InBlocks<'a, F: NumberFormat, const B: usize>(Pass<'a, F>);

impl<F: NumberFormat, const B: usize> Kernel for InBlocks<'_, F, B> {
    #[inline(always)]
    fn run<A: Arch>(mut self, arch: A) {
        let Shape { ranks, files, .. } = *self.0.shape;
        let runs = files.div_ceil(longest::<A>(B));
        for block in 0..self.0.conv.outputs / B {
            for rank in 0..ranks {
                for run in 0..runs {
                    let file = files * run / runs;
                    let len = files * (run + 1) / runs - file;
                    self.tile_of::<A, B>(arch, len, Place { block, rank, file });
                }
            }
        }
    }
}

/// Where a tile stands.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    rank: usize,
    file: usize,
}

impl<F: NumberFormat, const B: usize> Tiles for InBlocks<'_, F, B> {
    type Place = Place;

    #[inline(always)]
    fn tile<A: Arch, const L: usize>(&mut self, arch: A, Place { block, rank, file }: Place) {
        let pass = &mut self.0;
        let (conv, files) = (pass.conv, pass.shape.files);
        let (bias, _) = pass.bias.as_chunks::<B>();
        let mut sums = [bias[block]; L];
        let (weights, _) = conv.weights.as_chunks::<B>();
        let taps = &weights[block * conv.reach.taps() * conv.inputs..];
        let mut taps = taps.chunks_exact(conv.inputs);
        for up in conv.reach.steps() {
            for right in conv.reach.steps() {
                let tap = taps.next().expect("weights for every tap");
                let Some(rank) = rank.checked_add_signed(up).filter(|&rank| rank < pass.shape.ranks) else {
                    continue;
                };
                let front = right < 0 && file == 0;
                let back = right > 0 && file + L == files;
                let first = (rank * files + file + usize::from(front)).wrapping_add_signed(right);
                // A tile of one square may have nothing beside it; then nothing is read either.
                let input = pass.input.get(first * conv.inputs..).unwrap_or_default();
                match (front, back) {
                    (true, _) => accumulate::<A, F, L, B, 1, 0>(arch, &mut sums, input, tap),
                    (_, true) => accumulate::<A, F, L, B, 0, 1>(arch, &mut sums, input, tap),
                    _ => accumulate::<A, F, L, B, 0, 0>(arch, &mut sums, input, tap),
                }
            }
        }
        let first = (rank * files + file) * conv.outputs + block * B;
        for (i, mut square) in sums.into_iter().enumerate() {
            let at = first + i * conv.outputs;
            if let Some(residual) = pass.residual {
                let residual = &residual[at..][..B];
                for j in 0..B {
                    square[j].add(arch, &residual[j]);
                }
            }
            for sum in &mut square {
                sum.max(arch, &Lanes::ZERO);
            }
            pass.output.set(arch, at, &square);
        }
    }
}

/// The longest run that a tile with blocks of `block` lanes can have.
#[inline(always)]
pub fn longest<A: Arch>(block: usize) -> usize {
    (A::SUMS / block).min(12)
}

/// What is done tile by tile, each compiled for its length.
pub trait Tiles {
    /// Where a tile stands.
    type Place;

    /// Does the tile of length `L` at `place`.
    fn tile<A: Arch, const L: usize>(&mut self, arch: A, place: Self::Place);

    /// Does the tile of length `len` at `place`, whose blocks are of `B` lanes.
    #[inline(always)]
    fn tile_of<A: Arch, const B: usize>(&mut self, arch: A, len: usize, place: Self::Place) {
        match len {
            1 => self.tile::<A, 1>(arch, place),
            2 => self.tile::<A, 2>(arch, place),
            3 if 3 * B <= A::SUMS => self.tile::<A, 3>(arch, place),
            4 if 4 * B <= A::SUMS => self.tile::<A, 4>(arch, place),
            5 if 5 * B <= A::SUMS => self.tile::<A, 5>(arch, place),
            6 if 6 * B <= A::SUMS => self.tile::<A, 6>(arch, place),
            7 if 7 * B <= A::SUMS => self.tile::<A, 7>(arch, place),
            8 if 8 * B <= A::SUMS => self.tile::<A, 8>(arch, place),
            9 if 9 * B <= A::SUMS => self.tile::<A, 9>(arch, place),
            10 if 10 * B <= A::SUMS => self.tile::<A, 10>(arch, place),
            11 if 11 * B <= A::SUMS => self.tile::<A, 11>(arch, place),
            12 if 12 * B <= A::SUMS => self.tile::<A, 12>(arch, place),
            _ => unreachable!("runs are cut to what the registers hold"),
        }
    }
}

/// Adds one tap's products to the sums of a tile, but for `FRONT` squares at its front and `BACK` at its back.
/// `input` begins at the first square that is read, `tap` has one row for each of a square's inputs.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "over iterators the compiler keeps the sums in memory")]
pub fn accumulate<A, F, const L: usize, const B: usize, const FRONT: usize, const BACK: usize>(
    arch: A,
    sums: &mut [[Lanes; B]; L],
    input: &[F::Input],
    tap: &[[F::Weights; B]],
) where
    A: Arch,
    F: NumberFormat,
{
    const { assert!(FRONT + BACK <= L, "a tile has the squares that it leaves out") };
    let inputs = tap.len();
    assert!(input.len() >= (L - FRONT - BACK) * inputs);
    for (at, weights) in tap.iter().enumerate() {
        for i in FRONT..L - BACK {
            // SAFETY: i - FRONT < L - FRONT - BACK and at < inputs, so that the index is less than their
            // product, which the assertion holds against the length.
            let x = unsafe { *input.get_unchecked((i - FRONT) * inputs + at) };
            for j in 0..B {
                F::add_product(arch, &mut sums[i][j], x, &weights[j]);
            }
        }
    }
}
