//! Where a sparse net's tensors are on a GPU, and the constants of its kernels.

use std::fmt::Write;

use crate::{
    games::encode::Inputs,
    net::{
        Sizes, SparseConfig,
        config::VALUE_HIDDEN,
        weights::{Layout, TensorSpec},
    },
};

/// Tensors begin at multiples of this many numbers.
const ALIGNED: usize = 64;
/// Units of a workgroup at most.
const MOST_UNITS: usize = 256;
/// Positions whose part of the value head's gradient is summed by one unit.
pub const CHUNK: usize = 64;
/// Vectors of the gradient that one unit squares.
const NORM_EACH: usize = 16;
/// Numbers of a report, and what they are after the losses.
pub const REPORT: usize = 16;
/// The square of the gradient's length.
pub const NORM: usize = 11;
/// One where the step was made.
pub const MADE: usize = 12;

/// The kernels, without their constants.
const KERNELS: &str = include_str!("sparse.wgsl");

/// Where the tensors of a net are, and its sizes.
#[derive(Clone, Debug)]
pub struct GpuLayout {
    /// The game's sizes.
    pub sizes: Sizes,
    /// Numbers of a gate.
    pub gated: usize,
    /// Where each tensor begins.
    begins: Vec<usize>,
    tensors: Vec<TensorSpec>,
    /// Numbers of all tensors, and of what lies between them.
    pub len: usize,
}

impl GpuLayout {
    /// Those of a net.
    pub fn new(config: &SparseConfig, sizes: Sizes, layout: &Layout) -> Self {
        let mut len = 0;
        let begins = layout.tensors().iter().map(|spec| {
            let begin = len;
            len += spec.len().next_multiple_of(ALIGNED);
            begin
        });
        let begins = begins.collect();
        GpuLayout { sizes, gated: config.gated(), begins, tensors: layout.tensors().to_vec(), len }
    }

    /// Vectors of a gate, of four numbers each.
    pub fn gate(&self) -> usize {
        self.gated / 4
    }

    /// The same of a position's sums.
    pub fn sums(&self) -> usize {
        self.gated
    }

    /// Rows of the accumulators: of features and scalars, and the bias.
    pub fn rows(&self) -> usize {
        self.sizes.rows() + self.sizes.scalars + 1
    }

    /// Policy indices.
    pub fn moves(&self) -> usize {
        self.sizes.move_planes * self.sizes.squares
    }

    /// Numbers of a chunk's part of the value head's gradient.
    pub fn value_partial(&self) -> usize {
        self.gated * VALUE_HIDDEN + VALUE_REST
    }

    /// Workgroups that take the squares of the gradient.
    pub fn norms(&self) -> usize {
        (self.len / 4).div_ceil(MOST_UNITS * NORM_EACH)
    }

    /// The numbers of a flat vector, in the order of the layout, where the kernels want them.
    pub fn spread(&self, values: &[f32]) -> Vec<f32> {
        let mut all = vec![0.0; self.len];
        let mut rest = values;
        for (&begin, spec) in self.begins.iter().zip(&self.tensors) {
            let (own, behind) = rest.split_at(spec.len());
            all[begin..][..spec.len()].copy_from_slice(own);
            rest = behind;
        }
        all
    }

    /// The reverse of [`GpuLayout::spread`].
    pub fn gather(&self, all: &[f32]) -> Vec<f32> {
        let tensors = self.begins.iter().zip(&self.tensors);
        tensors.flat_map(|(&begin, spec)| &all[begin..][..spec.len()]).copied().collect()
    }

    fn begin(&self, name: &str) -> usize {
        let at = self.tensors.iter().position(|spec| spec.name == name);
        at.map_or(0, |at| self.begins[at])
    }

    /// The kernels for this net.
    pub fn kernels(&self) -> String {
        let Sizes { planes, scalars, move_planes, squares, inputs } = self.sizes;
        let mut text = String::new();
        let mut constant = |name: &str, value: usize| {
            writeln!(text, "const {name}: u32 = {value}u;").expect("a string takes all");
        };
        constant("GATED", self.gated);
        constant("G4", self.gate());
        constant("G", self.sums());
        constant("GATE_UNITS", self.gate().min(MOST_UNITS));
        constant("SUM_UNITS", self.sums().min(MOST_UNITS));
        constant("ROWS", self.sizes.rows());
        constant("SCALARS", scalars);
        constant("ALL_ROWS", self.rows());
        constant("SQUARES", squares);
        constant("STATUS_PLANES", inputs.statuses() * planes);
        constant("PLANE_SQUARES", planes * squares);
        constant("MOVES", self.moves());
        constant("MOVE_PLANES", move_planes);
        constant("HIDDEN", VALUE_HIDDEN);
        constant("CHUNK", CHUNK);
        constant("VALUE_REST", VALUE_REST);
        constant("VALUE_PARTIAL", self.value_partial());
        constant("NORM_EACH", NORM_EACH);
        constant("WEIGHTS4", self.len / 4);
        let vectors = ["FEATURES", "FEATURE_PLANES", "FEATURE_SQUARES", "SCALAR_ROWS", "BIAS"];
        let tensors = ["features", "planes", "squares", "scalars", "bias"];
        for (name, tensor) in vectors.into_iter().zip(tensors) {
            constant(name, self.begin(&format!("accumulators.{tensor}")) / 4);
        }
        let numbers = ["VALUE_HIDDEN", "HIDDEN_BIAS", "WDL", "WDL_BIAS", "LEFT", "LEFT_BIAS"];
        let tensors = ["hidden", "hidden_bias", "wdl", "wdl_bias", "moves_left", "moves_left_bias"];
        for (name, tensor) in numbers.into_iter().zip(tensors) {
            constant(name, self.begin(&format!("value.{tensor}")));
        }
        let attacks = inputs == Inputs::Attacks;
        writeln!(text, "const HAS_FEATURE_SQUARES: bool = {attacks};").expect("a string takes all");
        for (name, tensor, unit) in
            [("rows", "moves", 4), ("planes", "planes", 4), ("squares", "squares", 4), ("bias", "bias", 1)]
        {
            let [policy, replies] =
                ["policy", "replies"].map(|head| self.begin(&format!("{head}.{tensor}")) / unit);
            writeln!(
                text,
                "fn head_{name}(head: u32) -> u32 {{ return select({policy}u, {replies}u, head == 1u); }}"
            )
            .expect("a string takes all");
        }
        text + &self.decays() + KERNELS
    }

    /// Whether weight decay holds for a vector: not in what is no matrix.
    fn decays(&self) -> String {
        let tensors = self.begins.iter().zip(&self.tensors).filter(|(_, spec)| !spec.is_matrix());
        let outside = tensors.map(|(begin, spec)| {
            format!("(i < {}u || i >= {}u)", begin / 4, (begin + spec.len().next_multiple_of(ALIGNED)) / 4)
        });
        let outside: Vec<String> = outside.collect();
        format!("fn decays(i: u32) -> bool {{ return {}; }}\n", outside.join(" && "))
    }
}

/// Numbers of the value head behind its hidden layer's weights: four outputs with a bias each, and the hidden bias.
const VALUE_REST: usize = 4 * (VALUE_HIDDEN + 1) + VALUE_HIDDEN;
