//! GPUs by name, and one of them opened for kernels of our own.

use serde::Serialize;
use wgpu::{
    Adapter, Backends, DeviceDescriptor, DeviceType, Features, Instance, InstanceDescriptor, MemoryHints,
    PollType,
};

/// A device that can compute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GpuInfo {
    /// As its driver calls it.
    pub name: String,
    /// What it is: a discrete, integrated or virtual GPU, or a processor that does a GPU's work slowly.
    pub kind: &'static str,
    /// What it is reached through: Vulkan, Metal or DX12.
    pub interface: String,
    /// The driver and its version.
    pub driver: String,
    /// The largest buffer, in bytes.
    pub largest_buffer: u64,
    /// Whether kernels may compute in 16-bit floats.
    pub half: bool,
    /// Whether it has units that multiply small matrices (tensor cores), as its driver says.
    pub matrices: bool,
}

/// No device can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGpu {
    /// None is there, or its driver is missing.
    #[error("no GPU was found: neither Vulkan, Metal nor DX12 has a device here")]
    None,
    /// It does not open.
    #[error("the GPU {name} cannot be used: {why}")]
    Broken {
        /// The device.
        name: String,
        /// What its driver says.
        why: String,
    },
}

/// An open device.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// What it is.
    pub info: GpuInfo,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

impl GpuInfo {
    fn of(adapter: &Adapter) -> Self {
        let info = adapter.get_info();
        let driver = [info.driver, info.driver_info].into_iter().filter(|part| !part.is_empty());
        GpuInfo {
            name: info.name,
            kind: match info.device_type {
                DeviceType::DiscreteGpu => "discrete GPU",
                DeviceType::IntegratedGpu => "integrated GPU",
                DeviceType::VirtualGpu => "virtual GPU",
                DeviceType::Cpu => "processor",
                DeviceType::Other => "device",
            },
            interface: format!("{:?}", info.backend),
            driver: driver.collect::<Vec<_>>().join(" "),
            largest_buffer: adapter.limits().max_buffer_size,
            half: adapter.features().contains(Features::SHADER_F16),
            matrices: adapter.features().contains(Features::EXPERIMENTAL_COOPERATIVE_MATRIX),
        }
    }
}

impl Gpu {
    /// All devices: GPUs first, the fastest kind before the others.
    pub fn list() -> Vec<GpuInfo> {
        adapters().iter().map(GpuInfo::of).collect()
    }

    /// Opens the first device of [`Gpu::list`].
    ///
    /// # Errors
    /// When there is none, or its driver refuses.
    pub fn open() -> Result<Gpu, NoGpu> {
        let adapter = adapters().into_iter().next().ok_or(NoGpu::None)?;
        let info = GpuInfo::of(&adapter);
        let opened = pollster::block_on(adapter.request_device(&DeviceDescriptor {
            label: Some("sanki"),
            required_limits: adapter.limits(),
            memory_hints: MemoryHints::Performance,
            ..DeviceDescriptor::default()
        }));
        match opened {
            Ok((device, queue)) => Ok(Gpu { info, device, queue }),
            Err(error) => Err(NoGpu::Broken { name: info.name, why: error.to_string() }),
        }
    }

    /// Waits until all that was asked for is done.
    pub(super) fn wait(&self) {
        self.device.poll(PollType::wait_indefinitely()).expect("the device answers");
    }
}

fn adapters() -> Vec<Adapter> {
    let instance = Instance::new(InstanceDescriptor::new_without_display_handle_from_env());
    let backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::VirtualGpu => 1,
        DeviceType::IntegratedGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    });
    adapters
}
