//! 3x3 convolutions with fewer multiplications: Winograd's F(2x2, 3x3) (Lavin and Gray 2016, section 4.1).
//!
//! Two by two outputs are made from four by four inputs, for each channel: both are transformed by additions alone to
//! sixteen points, at which sixteen products stand for the thirty-six of the taps. Over all channels each point is a
//! small matrix product, computed by the tiles of [`conv`](super::conv).

use super::{
    activations::Activations,
    conv::{Tiles, accumulate, block_of, in_blocks, longest},
};
use crate::{
    games::encode::Shape,
    net::native::{
        arch::{Arch, Kernel},
        format::NumberFormat,
        isa::Isa,
        lanes::Lanes,
    },
};

/// Points of a patch of four by four.
const POINTS: usize = 16;

/// A 3x3 convolution's weights at the points.
#[derive(Clone, Debug)]
pub struct Winograd<F: NumberFormat> {
    /// By block of outputs, then point, then input, then lane of the block.
    weights: Vec<F::Weights>,
    /// [`NumberFormat::Input`]s of a square.
    inputs: usize,
    /// Lanes of outputs.
    outputs: usize,
    /// Lanes of a block of outputs: 1 or 2.
    block: usize,
    isa: Isa,
}

/// What lies between the transforms; overwritten by every convolution.
#[derive(Clone, Debug)]
pub struct Patches<F: NumberFormat> {
    /// Patches of two by two squares, along a rank and along a file.
    files: usize,
    ranks: usize,
    /// `[points, patches, lanes of inputs]`.
    inputs: Activations<F>,
    /// `[points, patches, lanes of a block of outputs]`.
    products: Vec<Lanes>,
}

impl<F: NumberFormat> Patches<F> {
    /// For boards of `shape` and `lanes` lanes of channels.
    pub fn new(shape: &Shape, lanes: usize) -> Self {
        let (files, ranks) = (shape.files.div_ceil(2), shape.ranks.div_ceil(2));
        let count = POINTS * files * ranks;
        Patches {
            files,
            ranks,
            inputs: Activations::new(count * lanes),
            products: vec![Lanes::ZERO; 2 * count],
        }
    }

    fn count(&self) -> usize {
        self.files * self.ranks
    }
}

impl<F: NumberFormat> Winograd<F> {
    /// Transforms and packs `weights`, `[9 * channels, outputs]`, for `isa`.
    pub fn new(weights: &[f32], outputs: usize, isa: Isa) -> Self {
        let channels = weights.len() / 9 / outputs;
        let rows = F::pack(&at_points(weights, channels * outputs), outputs);
        let outputs = outputs / Lanes::COUNT;
        let block = block_of(outputs, isa);
        let inputs = rows.len() / POINTS;
        Winograd { weights: in_blocks::<F>(&rows, block), inputs, outputs, block, isa }
    }

    /// `relu(convolution + bias + residual)`, for every square; `bias` and `residual` are as wide as the
    /// output.
    pub fn run(
        &self,
        shape: &Shape,
        input: &Activations<F>,
        bias: &[Lanes],
        residual: Option<&Activations<F>>,
        patches: &mut Patches<F>,
        output: &mut Activations<F>,
    ) {
        let lanes = shape.squares() * self.outputs;
        assert!(output.values().len() == lanes && bias.len() == self.outputs);
        assert!(patches.files == shape.files.div_ceil(2) && patches.ranks == shape.ranks.div_ceil(2));
        let residual = residual.map(Activations::values);
        assert!(residual.is_none_or(|residual| residual.len() == lanes));
        let input = input.values();
        let pass = Pass { conv: self, shape, input, bias, residual, patches, output };
        match self.block {
            2 => self.isa.run(InBlocks::<F, 2>(pass)),
            _ => self.isa.run(InBlocks::<F, 1>(pass)),
        }
    }
}

/// From taps to points: `G w G'`, for each of `size` weights of a tap.
fn at_points(taps: &[f32], size: usize) -> Vec<f32> {
    const G: [[f32; 3]; 4] = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];
    let mut points = Vec::with_capacity(POINTS * size);
    for (up, right) in (0..POINTS).map(|point| (G[point / 4], G[point % 4])) {
        points.extend((0..size).map(|at| {
            let tap = |i: usize, j: usize| up[i] * right[j] * taps[(3 * i + j) * size + at];
            (0..9).map(|k| tap(k / 3, k % 3)).sum::<f32>()
        }));
    }
    points
}

struct Pass<'a, F: NumberFormat> {
    conv: &'a Winograd<F>,
    shape: &'a Shape,
    /// `[squares, lanes of inputs]`.
    input: &'a [Lanes],
    bias: &'a [Lanes],
    residual: Option<&'a [Lanes]>,
    patches: &'a mut Patches<F>,
    output: &'a mut Activations<F>,
}

/// A pass whose blocks are of `B` lanes.
struct InBlocks<'a, F: NumberFormat, const B: usize>(Pass<'a, F>);

impl<F: NumberFormat, const B: usize> Kernel for InBlocks<'_, F, B> {
    #[inline(always)]
    fn run<A: Arch>(mut self, arch: A) {
        self.transform(arch);
        let count = self.0.patches.count();
        let runs = count.div_ceil(longest::<A>(B));
        for block in 0..self.0.conv.outputs / B {
            for point in 0..POINTS {
                for run in 0..runs {
                    let first = count * run / runs;
                    let len = count * (run + 1) / runs - first;
                    self.tile_of::<A, B>(arch, len, Place { block, point, first });
                }
            }
            self.transform_back(arch, block);
        }
    }
}

/// Where a tile of the products stands.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    point: usize,
    /// Its first patch.
    first: usize,
}

impl<F: NumberFormat, const B: usize> Tiles for InBlocks<'_, F, B> {
    type Place = Place;

    #[inline(always)]
    fn tile<A: Arch, const L: usize>(&mut self, arch: A, Place { block, point, first }: Place) {
        let Pass { conv, patches, .. } = &mut self.0;
        let row = point * patches.count() + first;
        let (weights, _) = conv.weights.as_chunks::<B>();
        let weights = &weights[(block * POINTS + point) * conv.inputs..][..conv.inputs];
        let mut sums = [[Lanes::ZERO; B]; L];
        accumulate::<A, F, L, B, 0, 0>(
            arch,
            &mut sums,
            &patches.inputs.inputs()[row * conv.inputs..],
            weights,
        );
        patches.products[row * B..][..L * B].copy_from_slice(sums.as_flattened());
    }
}

// Loops over indices: over iterators the compiler keeps registers in memory, and closures lack the instructions.
#[expect(clippy::needless_range_loop, reason = "see above")]
impl<F: NumberFormat, const B: usize> InBlocks<'_, F, B> {
    /// `B' d B` of every patch and lane.
    #[inline(always)]
    fn transform<A: Arch>(&mut self, arch: A) {
        let Pass { shape, input, patches, .. } = &mut self.0;
        let (files, count) = (patches.files, patches.count());
        let lanes = input.len() / shape.squares();
        for lane in 0..lanes {
            for rank in 0..patches.ranks {
                // Each patch has two columns in common with the one before it.
                let mut first = [arch.splat(0.0); 4];
                let mut second = column(arch, shape, &input[lane..], lanes, 2 * rank, 0);
                for file in 0..files {
                    let patch = rank * files + file;
                    let third = column(arch, shape, &input[lane..], lanes, 2 * rank, 2 * file + 1);
                    let fourth = column(arch, shape, &input[lane..], lanes, 2 * rank, 2 * file + 2);
                    let mut at = patch * lanes + lane;
                    for y in 0..4 {
                        let row = transformed(arch, [first[y], second[y], third[y], fourth[y]]);
                        for x in 0..4 {
                            let mut values = [Lanes::ZERO];
                            arch.store(row[x], &mut values[0]);
                            patches.inputs.set(arch, at, &values);
                            at += count * lanes;
                        }
                    }
                    (first, second) = (third, fourth);
                }
            }
        }
    }

    /// `A' m A` of every patch, then bias, residual and relu.
    #[inline(always)]
    fn transform_back<A: Arch>(&mut self, arch: A, block: usize) {
        let Pass { conv, shape, bias, residual, patches, output, .. } = &mut self.0;
        let (files, count) = (patches.files, patches.count());
        for patch in 0..count {
            let (rank, file) = (2 * (patch / files), 2 * (patch % files));
            for lane in 0..B {
                let at = block * B + lane;
                let mut rows = [[arch.splat(0.0); 2]; 4];
                let mut product = patch * B + lane;
                for y in 0..4 {
                    let mut m = [arch.splat(0.0); 4];
                    for x in 0..4 {
                        m[x] = arch.load(&patches.products[product]);
                        product += count * B;
                    }
                    rows[y] = transformed_back(arch, m);
                }
                for x in 0..2 {
                    let column = transformed_back(arch, [rows[0][x], rows[1][x], rows[2][x], rows[3][x]]);
                    for y in 0..2 {
                        if rank + y >= shape.ranks || file + x >= shape.files {
                            continue;
                        }
                        let place = ((rank + y) * shape.files + file + x) * conv.outputs + at;
                        let mut sum = arch.add(column[y], arch.load(&bias[at]));
                        if let Some(residual) = residual {
                            sum = arch.add(sum, arch.load(&residual[place]));
                        }
                        let mut values = [Lanes::ZERO];
                        arch.store(arch.max(sum, arch.splat(0.0)), &mut values[0]);
                        output.set(arch, place, &values);
                    }
                }
            }
        }
    }
}

/// The transform of four squares of `file`, the first of them below `rank`; beyond the edges all is zero. `input`
/// begins with the lane of the first square, and there are `lanes` to the next.
#[inline(always)]
fn column<A: Arch>(
    arch: A,
    shape: &Shape,
    input: &[Lanes],
    lanes: usize,
    rank: usize,
    file: usize,
) -> [A::Register; 4] {
    let mut d = [arch.splat(0.0); 4];
    if file < shape.files {
        let first = rank * shape.files + file;
        if rank > 0 {
            d[0] = arch.load(&input[(first - shape.files) * lanes]);
        }
        d[1] = arch.load(&input[first * lanes]);
        if rank + 1 < shape.ranks {
            d[2] = arch.load(&input[(first + shape.files) * lanes]);
        }
        if rank + 2 < shape.ranks {
            d[3] = arch.load(&input[(first + 2 * shape.files) * lanes]);
        }
    }
    transformed(arch, d)
}

/// `[d0 - d2, d1 + d2, d2 - d1, d1 - d3]`.
#[inline(always)]
fn transformed<A: Arch>(arch: A, d: [A::Register; 4]) -> [A::Register; 4] {
    let minus = arch.splat(-1.0);
    [
        arch.mul_add(d[2], minus, d[0]),
        arch.add(d[1], d[2]),
        arch.mul_add(d[1], minus, d[2]),
        arch.mul_add(d[3], minus, d[1]),
    ]
}

/// `[m0 + m1 + m2, m1 - m2 - m3]`.
#[inline(always)]
fn transformed_back<A: Arch>(arch: A, m: [A::Register; 4]) -> [A::Register; 2] {
    let minus = arch.splat(-1.0);
    [arch.add(arch.add(m[0], m[1]), m[2]), arch.mul_add(m[3], minus, arch.mul_add(m[2], minus, m[1]))]
}
