//! Kernels and their buffers: what each kernel reads and writes, and groups of bindings that are made anew when a
//! buffer grows.

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages, ComputePass,
    ComputePipeline, ComputePipelineDescriptor, PipelineCompilationOptions, ShaderModule,
    ShaderModuleDescriptor, ShaderSource,
};

use super::device::Gpu;

/// Workgroups in one direction at most.
const MOST_GROUPS: u32 = 65_535;

/// Buffers of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    Params,
    Batch,
    Weights,
    Rows,
    Moves,
    Sums,
    Gates,
    Logits,
    InLogits,
    Hidden,
    InHidden,
    Outputs,
    InOutputs,
    Losses,
    Partial,
    PartialBias,
    PartialValue,
    Gradient,
    Norms,
    Mean,
    Square,
    Average,
    Reports,
    State,
}

impl Held {
    /// All of them, in their order.
    pub const ALL: [Held; 24] = [
        Held::Params,
        Held::Batch,
        Held::Weights,
        Held::Rows,
        Held::Moves,
        Held::Sums,
        Held::Gates,
        Held::Logits,
        Held::InLogits,
        Held::Hidden,
        Held::InHidden,
        Held::Outputs,
        Held::InOutputs,
        Held::Losses,
        Held::Partial,
        Held::PartialBias,
        Held::PartialValue,
        Held::Gradient,
        Held::Norms,
        Held::Mean,
        Held::Square,
        Held::Average,
        Held::Reports,
        Held::State,
    ];

    /// The buffer behind a binding of the kernels.
    fn behind(binding: u32) -> Held {
        match binding {
            0 => Held::Params,
            1 => Held::Batch,
            2..=4 => Held::Weights,
            5 | 6 => Held::Rows,
            7 | 8 => Held::Moves,
            9 | 10 => Held::Sums,
            11..=13 => Held::Gates,
            14 | 15 => Held::Logits,
            16 | 17 => Held::InLogits,
            18 | 19 => Held::Hidden,
            20 | 21 => Held::InHidden,
            22 => Held::Outputs,
            23 | 24 => Held::InOutputs,
            25 | 26 => Held::Losses,
            27 | 28 => Held::Partial,
            29 | 30 => Held::PartialBias,
            31 | 32 => Held::PartialValue,
            33..=35 => Held::Gradient,
            36 | 37 => Held::Norms,
            38 => Held::Mean,
            39 => Held::Square,
            40 => Held::Average,
            41 => Held::Reports,
            _ => Held::State,
        }
    }
}

/// All buffers. They grow as batches need it, and what grows loses its content.
pub struct Buffers {
    gpu: Gpu,
    held: Vec<Buffer>,
}

impl Buffers {
    /// As small as can be.
    pub fn new(gpu: Gpu) -> Self {
        let held = Held::ALL.iter().map(|&held| buffer(&gpu, held, 64)).collect();
        Buffers { gpu, held }
    }

    /// One of them.
    pub fn get(&self, held: Held) -> &Buffer {
        &self.held[held as usize]
    }

    /// Makes a buffer hold `numbers` of 32 bits; whether it grew. It grows by a quarter more, so that batches of one
    /// size soon fit.
    pub fn fit(&mut self, held: Held, numbers: usize) -> bool {
        let bytes = 4 * numbers as u64;
        let grows = bytes > self.get(held).size();
        if grows {
            let roomy = bytes + if numbers < 1 << 28 { bytes / 4 } else { 0 };
            // The device has a limit, which the quarter may pass where the numbers do not.
            let most = self.gpu.device.limits().max_storage_buffer_binding_size & !255;
            let size = roomy.next_multiple_of(256).min(most.max(bytes));
            self.held[held as usize] = buffer(&self.gpu, held, size);
        }
        grows
    }

    /// The device that holds them, as its driver calls it.
    pub fn device(&self) -> &str {
        &self.gpu.info.name
    }

    /// Bytes of all.
    pub fn bytes(&self) -> u64 {
        self.held.iter().map(Buffer::size).sum()
    }
}

fn buffer(gpu: &Gpu, held: Held, size: u64) -> Buffer {
    let kind = if held == Held::Params { BufferUsages::UNIFORM } else { BufferUsages::STORAGE };
    let usage = kind | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    gpu.device.create_buffer(&BufferDescriptor {
        label: None,
        size: size.max(1024),
        usage,
        mapped_at_creation: false,
    })
}

/// A kernel that is ready to run.
pub struct GpuKernel {
    pipeline: ComputePipeline,
    bindings: &'static [u32],
    group: BindGroup,
}

impl GpuKernel {
    /// The entry point `name` of `module`, which uses these bindings.
    pub fn new(
        gpu: &Gpu,
        module: &ShaderModule,
        name: &str,
        bindings: &'static [u32],
        buffers: &Buffers,
    ) -> Self {
        let pipeline = gpu.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module,
            entry_point: Some(name),
            compilation_options: PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        let group = bind(gpu, &pipeline, bindings, buffers);
        GpuKernel { pipeline, bindings, group }
    }

    /// Binds buffers that were made anew.
    pub fn bind(&mut self, gpu: &Gpu, buffers: &Buffers) {
        self.group = bind(gpu, &self.pipeline, self.bindings, buffers);
    }

    /// Runs on `groups` workgroups, `depth` times.
    pub fn run(&self, pass: &mut ComputePass, groups: usize, depth: u32) {
        let groups = groups as u32;
        if groups == 0 {
            return;
        }
        let wide = groups.min(MOST_GROUPS);
        self.run_on(pass, [wide, groups.div_ceil(wide), depth]);
    }

    /// Runs on workgroups in three directions.
    pub fn run_on(&self, pass: &mut ComputePass, [x, y, z]: [u32; 3]) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(x, y, z);
    }
}

fn bind(gpu: &Gpu, pipeline: &ComputePipeline, bindings: &[u32], buffers: &Buffers) -> BindGroup {
    let entries: Vec<BindGroupEntry> = bindings
        .iter()
        .map(|&binding| BindGroupEntry {
            binding,
            resource: buffers.get(Held::behind(binding)).as_entire_binding(),
        })
        .collect();
    let layout = &pipeline.get_bind_group_layout(0);
    gpu.device.create_bind_group(&BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// Compiles kernels.
pub fn compile(gpu: &Gpu, text: String) -> ShaderModule {
    let source = ShaderSource::Wgsl(text.into());
    gpu.device.create_shader_module(ShaderModuleDescriptor { label: Some("sparse"), source })
}
