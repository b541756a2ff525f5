//! Random starts. Drawn here and not by burn, whose generator is global and shared between threads.

use burn::{
    module::Param,
    tensor::{Device, Tensor, TensorData},
};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::base::maths::{cos, ln};

/// A source of new parameters.
pub struct Init<'a> {
    rng: Option<Xoshiro256PlusPlus>,
    device: &'a Device,
}

impl<'a> Init<'a> {
    /// Parameters on `device`; the same seed gives the same parameters.
    pub fn new(seed: u64, device: &'a Device) -> Self {
        Init { rng: Some(Xoshiro256PlusPlus::seed_from_u64(seed)), device }
    }

    /// Parameters that are about to be overwritten: zeros where [`Init::new`] would draw.
    pub fn blank(device: &'a Device) -> Self {
        Init { rng: None, device }
    }

    /// Independent normal values.
    pub fn normal(&mut self, shape: [usize; 2], deviation: f32) -> Param<Tensor<2>> {
        let mut values = vec![0.0; shape[0] * shape[1]];
        if let Some(rng) = &mut self.rng {
            values.fill_with(|| deviation * standard_normal(rng));
        }
        self.param(values, shape)
    }

    /// Normal values of variance `1 / rows`: the variance of the input is kept.
    pub fn fan_in(&mut self, shape: [usize; 2]) -> Param<Tensor<2>> {
        self.normal(shape, 1.0 / (shape[0] as f32).sqrt())
    }

    /// Zeros.
    pub fn zeros(&mut self, shape: [usize; 2]) -> Param<Tensor<2>> {
        self.param(vec![0.0; shape[0] * shape[1]], shape)
    }

    /// One value, `len` times.
    pub fn constant(&mut self, len: usize, value: f32) -> Param<Tensor<1>> {
        self.param(vec![value; len], [len])
    }

    fn param<const D: usize>(&self, values: Vec<f32>, shape: [usize; D]) -> Param<Tensor<D>> {
        Param::from_data(TensorData::new(values, shape), self.device)
    }
}

/// Box and Muller's transform (1958), of which one of the two values is used.
fn standard_normal<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    let radius = (-2.0 * ln(1.0 - rng.random::<f64>())).sqrt();
    (radius * cos(std::f64::consts::TAU * rng.random::<f64>())) as f32
}
