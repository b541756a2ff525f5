//! A sparse net that learns on a GPU: weights, moments and average stay there, batches are sent, and reports come back.

use std::{collections::VecDeque, sync::mpsc};

use wgpu::{
    BufferDescriptor, BufferUsages, CommandEncoderDescriptor, ComputePass, ComputePassDescriptor, MapMode,
    PollType, SubmissionIndex,
};

use super::{
    batch::GpuBatch,
    device::{Gpu, NoGpu},
    kernels::{Buffers, GpuKernel, Held, compile},
    layout::{CHUNK, GpuLayout, MADE, NORM, REPORT},
    params::{PARAM_WORDS, params},
};
use crate::net::{
    Model, NetConfig, Outputs,
    config::VALUE_HIDDEN,
    on_device::{LearningConstants, OptimizerState, StepRates},
};

/// Steps whose reports wait on the device at most.
const REPORTS: usize = 32;
/// Steps that are sent ahead of the one that the device computes. Their batches take memory.
const AHEAD: usize = 2;

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuReport {
    /// Policy, entropies of its target and of itself, reply, value, targets of win, draw and loss, square and mean of
    /// the score's error, moves left: means over the batch.
    pub losses: [f32; 11],
    /// The gradient's length before it was scaled.
    pub gradient_norm: f64,
    /// Whether it was made. After a step that was not made none is.
    pub made: bool,
}

/// The net, in training.
pub struct GpuLearner {
    gpu: Gpu,
    places: GpuLayout,
    rule: LearningConstants,
    buffers: Buffers,
    kernels: Kernels,
    /// Reports that are on the device.
    waiting: usize,
    sent: VecDeque<SubmissionIndex>,
}

/// In the order of [`OptimizerState`].
const NUMBERS: [Held; 4] = [Held::Weights, Held::Average, Held::Mean, Held::Square];

macro_rules! kernels {
    ($($name:ident: [$($binding:literal),*],)*) => {
        struct Kernels { $($name: GpuKernel,)* }

        impl Kernels {
            fn new(gpu: &Gpu, places: &GpuLayout, buffers: &Buffers) -> Self {
                let module = compile(gpu, places.kernels());
                Kernels { $($name: GpuKernel::new(gpu, &module, stringify!($name), &[$($binding),*], buffers),)* }
            }

            fn bind(&mut self, gpu: &Gpu, buffers: &Buffers) {
                $(self.$name.bind(gpu, buffers);)*
            }
        }
    };
}

// What each kernel of sparse.wgsl uses.
kernels! {
    fold_rows: [2, 6],
    fold_moves: [2, 8],
    sum_up: [0, 1, 5, 10, 13],
    score_moves: [0, 1, 3, 7, 11, 15],
    move_losses: [0, 1, 14, 17, 26],
    value_losses: [0, 1, 3, 11, 19, 22, 24, 26],
    back_to_sums: [0, 1, 2, 3, 7, 10, 16, 18, 21, 23],
    back_to_moves: [0, 1, 11, 16, 28, 30],
    move_rows: [0, 1, 27, 34],
    move_bias: [0, 1, 29, 35],
    move_groups: [34],
    back_to_rows: [0, 1, 9, 28],
    feature_rows: [0, 1, 27, 34],
    feature_groups: [34],
    back_to_hidden: [0, 12, 20, 32],
    back_to_outputs: [0, 18, 20, 23, 32],
    value_rows: [0, 31, 35],
    gradient_squares: [33, 37],
    report: [0, 25, 36, 41],
    decide: [0, 41, 42],
    adamw: [0, 4, 33, 38, 39, 40, 42],
}

impl GpuLearner {
    /// The net of `model`, which must be a sparse one, on the machine's first GPU.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    ///
    /// # Panics
    /// When `model` is no sparse net.
    pub fn new(model: &Model, rule: LearningConstants) -> Result<Self, NoGpu> {
        let NetConfig::Sparse(config) = model.net() else { panic!("a sparse net") };
        let gpu = Gpu::open()?;
        let places = GpuLayout::new(config, model.sizes(), model.layout());
        let mut buffers = Buffers::new(gpu.clone());
        for held in NUMBERS.into_iter().chain([Held::Gradient]) {
            buffers.fit(held, places.len);
        }
        let sizes = [
            (Held::Rows, places.rows() * 4 * places.sums()),
            (Held::Moves, 2 * places.moves() * places.gated),
            (Held::Norms, places.norms()),
            (Held::Reports, REPORTS * REPORT),
            (Held::Params, PARAM_WORDS),
        ];
        for (held, numbers) in sizes {
            buffers.fit(held, numbers);
        }
        let kernels = Kernels::new(&gpu, &places, &buffers);
        let mut learner = GpuLearner {
            gpu,
            places,
            rule,
            buffers,
            kernels,
            waiting: 0,
            sent: VecDeque::with_capacity(AHEAD + 1),
        };
        let weights = model.weights().to_vec();
        let zeros = vec![0.0; weights.len()];
        learner.write(&[weights.clone(), weights, zeros.clone(), zeros]);
        Ok(learner)
    }

    /// The device, as its driver calls it.
    pub fn device(&self) -> &str {
        self.buffers.device()
    }

    /// Bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        self.buffers.bytes()
    }

    /// An empty batch for this net.
    pub fn batch(&self) -> GpuBatch {
        GpuBatch::new(self.places.sizes)
    }

    /// Goes on from these numbers.
    pub fn write(&mut self, numbers: &OptimizerState) {
        for (held, values) in NUMBERS.into_iter().zip(numbers) {
            let spread = self.places.spread(values);
            self.gpu.queue.write_buffer(self.buffers.get(held), 0, bytemuck::cast_slice(&spread));
        }
        self.revive();
    }

    /// Forgets that a step was not made, and steps behind it with it.
    pub fn revive(&mut self) {
        // Alive, and nothing is broken.
        self.gpu.queue.write_buffer(self.buffers.get(Held::State), 0, bytemuck::cast_slice(&[1u32, 0, 0, 0]));
        self.waiting = 0;
    }

    /// What the steps have led to.
    pub fn read(&self) -> OptimizerState {
        NUMBERS.map(|held| self.places.gather(&self.read_back(held, 0, self.places.len)))
    }

    /// Sends a step on `batch`, which must be packed and not empty. [`GpuLearner::reports`] gives the reports; where no
    /// more of them fit on the device, this returns some.
    pub fn step(&mut self, batch: &GpuBatch, pace: &StepRates) -> Vec<GpuReport> {
        assert!(!batch.is_empty(), "a step needs a sample");
        let reports = if self.waiting == REPORTS { self.reports() } else { Vec::new() };
        self.send(batch, pace);
        self.run(|learner, pass| {
            learner.forward(pass, batch);
            learner.backward(pass, batch);
            learner.update(pass);
        });
        self.waiting += 1;
        reports
    }

    /// The reports of all steps since they were last asked for. Waits until the steps are done.
    pub fn reports(&mut self) -> Vec<GpuReport> {
        let count = std::mem::take(&mut self.waiting);
        if count == 0 {
            return Vec::new();
        }
        let numbers = self.read_back(Held::Reports, 0, count * REPORT);
        self.sent.clear();
        let report = |numbers: &[f32]| GpuReport {
            losses: std::array::from_fn(|i| numbers[i]),
            gradient_norm: f64::from(numbers[NORM]).sqrt(),
            made: numbers[MADE] == 1.0,
        };
        numbers.chunks_exact(REPORT).map(report).collect()
    }

    /// Whether a weight has become infinite or not a number.
    pub fn is_broken(&self) -> bool {
        self.read_back(Held::State, 2, 1)[0].to_bits() != 0
    }

    /// What the net says about a packed batch at the present weights.
    pub fn outputs(&mut self, batch: &GpuBatch) -> Outputs {
        self.send(batch, &StepRates::default());
        self.run(|learner, pass| learner.forward(pass, batch));
        let [policy, replies] = batch.heads.each_ref().map(|head| head.indices.rows.len());
        let logits = self.read_back(Held::Logits, 0, policy + replies);
        let outputs = self.read_back(Held::Outputs, 0, 4 * batch.len());
        let (policy, reply) = logits.split_at(policy);
        let outputs = outputs.as_chunks::<4>().0;
        Outputs {
            policy: policy.to_vec(),
            reply: reply.to_vec(),
            wdl: outputs.iter().flat_map(|&[win, draw, loss, _]| [win, draw, loss]).collect(),
            moves_left: outputs.iter().map(|&[.., left]| left).collect(),
        }
    }

    /// Makes room for a batch and sends it.
    fn send(&mut self, batch: &GpuBatch, pace: &StepRates) {
        let count = batch.len();
        let segments: usize = batch.heads.iter().map(|head| head.segments.ends.len()).sum();
        let partial = segments * self.places.gate() + batch.segments() * self.places.sums();
        let terms: usize = batch.heads.iter().map(|head| head.indices.rows.len()).sum();
        let sizes = [
            (Held::Batch, batch.words.len()),
            (Held::Sums, count * 4 * self.places.sums()),
            (Held::Gates, count * 2 * self.places.gated),
            (Held::Logits, terms),
            (Held::InLogits, terms),
            (Held::Hidden, count * VALUE_HIDDEN),
            (Held::InHidden, count * VALUE_HIDDEN),
            (Held::Outputs, count * 4),
            (Held::InOutputs, count * 4),
            (Held::Losses, count * REPORT),
            (Held::Partial, partial * 4),
            (Held::PartialBias, segments),
            (Held::PartialValue, count.div_ceil(CHUNK) * self.places.value_partial()),
        ];
        let grown =
            sizes.into_iter().fold(false, |grown, (held, numbers)| self.buffers.fit(held, numbers) | grown);
        if grown {
            self.kernels.bind(&self.gpu, &self.buffers);
        }
        let params = params(batch, &self.places, &self.rule, pace, self.waiting);
        self.gpu.queue.write_buffer(self.buffers.get(Held::Params), 0, bytemuck::cast_slice(&params));
        self.gpu.queue.write_buffer(self.buffers.get(Held::Batch), 0, bytemuck::cast_slice(&batch.words));
    }

    /// Has kernels run, once the device is near enough.
    fn run(&mut self, kernels: impl FnOnce(&Self, &mut ComputePass)) {
        if self.sent.len() > AHEAD {
            let submission_index = self.sent.pop_front();
            let waiting = PollType::Wait { submission_index, timeout: None };
            self.gpu.device.poll(waiting).expect("the device answers");
        }
        let mut encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        kernels(self, &mut pass);
        drop(pass);
        self.sent.push_back(self.gpu.queue.submit([encoder.finish()]));
    }

    fn forward(&self, pass: &mut ComputePass, batch: &GpuBatch) {
        let (Kernels { fold_rows, fold_moves, sum_up, .. }, places) = (&self.kernels, &self.places);
        let Kernels { score_moves, move_losses, value_losses, .. } = &self.kernels;
        let terms = batch.heads.iter().map(|head| head.indices.rows.len()).max().unwrap_or(0);
        fold_rows.run(pass, (places.rows() * places.sums()).div_ceil(256), 1);
        fold_moves.run(pass, (places.moves() * places.gate()).div_ceil(256), 2);
        sum_up.run(pass, batch.len(), 1);
        score_moves.run(pass, terms.div_ceil(64), 2);
        move_losses.run(pass, batch.len(), 2);
        value_losses.run(pass, batch.len(), 1);
    }

    fn backward(&self, pass: &mut ComputePass, batch: &GpuBatch) {
        let (Kernels { back_to_sums, back_to_moves, back_to_rows, .. }, places) =
            (&self.kernels, &self.places);
        let Kernels { move_rows, move_bias, move_groups, feature_rows, feature_groups, .. } = &self.kernels;
        let Kernels { back_to_hidden, back_to_outputs, value_rows, .. } = &self.kernels;
        let squares = places.sizes.squares;
        let (rows, chunks) = (places.rows() * places.sums(), batch.len().div_ceil(CHUNK));
        let segments = batch.heads.iter().map(|head| head.segments.ends.len()).max().unwrap_or(0);
        back_to_sums.run(pass, batch.len(), 1);
        back_to_moves.run(pass, segments, 2);
        move_rows.run(pass, (places.moves() * places.gate()).div_ceil(256), 2);
        move_bias.run(pass, places.moves().div_ceil(256), 2);
        move_groups.run(pass, ((places.sizes.move_planes + squares) * places.gate()).div_ceil(64), 2);
        back_to_rows.run(pass, batch.segments(), 1);
        feature_rows.run(pass, rows.div_ceil(256), 1);
        let groups = places.sizes.planes * (places.sizes.inputs.statuses() + squares);
        feature_groups.run(pass, (groups * places.sums()).div_ceil(64), 1);
        let matrix = places.gated * VALUE_HIDDEN;
        back_to_hidden.run_on(pass, [matrix.div_ceil(256) as u32, chunks as u32, 1]);
        back_to_outputs.run_on(pass, [chunks as u32, 1, 1]);
        value_rows.run_on(pass, [places.value_partial().div_ceil(256) as u32, 1, 1]);
    }

    fn update(&self, pass: &mut ComputePass) {
        let Kernels { gradient_squares, report, decide, adamw, .. } = &self.kernels;
        gradient_squares.run_on(pass, [self.places.norms() as u32, 1, 1]);
        report.run_on(pass, [NORM as u32 + 1, 1, 1]);
        decide.run_on(pass, [1, 1, 1]);
        adamw.run(pass, (self.places.len / 4).div_ceil(256), 1);
    }

    /// Copies `count` numbers out, from the `first` on. Waits until all that was asked for is done.
    fn read_back(&self, held: Held, first: usize, count: usize) -> Vec<f32> {
        let size = 4 * count as u64;
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let staging = self.gpu.device.create_buffer(&BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        });
        let mut encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(self.buffers.get(held), 4 * first as u64, &staging, 0, size);
        self.gpu.queue.submit([encoder.finish()]);
        let (done, mapped) = mpsc::channel();
        staging.map_async(MapMode::Read, .., move |result| {
            // The other end is there as long as this function waits.
            let _ = done.send(result);
        });
        self.gpu.wait();
        mapped.recv().expect("the buffer is mapped or not").expect("a buffer that was made to be read");
        let view = staging.get_mapped_range(..).expect("it is mapped");
        let bytes: &[u8] = &view;
        bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }
}
