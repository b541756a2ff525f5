//! A network as data: what checkpoints hold and evaluators are made from.

use std::sync::Arc;

#[cfg(feature = "program")]
use burn::tensor::Device;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    config::{NetConfig, Sizes},
    weights::{self, BadWeights, Layout, TensorFile, Width},
};
#[cfg(feature = "program")]
use super::{init::Init, network::Network};
use crate::{
    base::rng::{self, Purpose},
    games::encode::Shape,
};

/// In a description, the key of what the weights play.
const PLAYS: &str = "model";
/// The largest of the weights of [`Model::drawn`]: its opinions differ from position to position, and are not certain.
const DRAWN: f32 = 0.25;

/// Why a tower is refused where burn is not built in.
#[cfg(not(feature = "program"))]
pub(super) const NO_TOWERS: &str = "this program was built without burn, and plays sparse nets alone";

/// Kind, sizes and weights. Knows no game.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    header: Header,
    layout: Arc<Layout>,
    weights: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    net: NetConfig,
    sizes: Sizes,
}

/// The description that the weights' file has.
#[derive(Serialize)]
struct Described<'a> {
    #[serde(flatten)]
    header: &'a Header,
    #[serde(rename = "model", skip_serializing_if = "Option::is_none")]
    plays: Option<Value>,
}

impl Model {
    /// A new model with random weights; the same seed gives the same ones.
    ///
    /// # Panics
    /// When `net` fails [`NetConfig::check`] or one of the sizes is zero.
    #[cfg(feature = "program")]
    pub fn init(net: &NetConfig, shape: Shape, seed: u64) -> Self {
        net.check().expect("a checked config");
        Self::random(Header { net: net.clone(), sizes: Sizes::of(net, &shape) }, seed)
    }

    /// Random weights of another net of the same kind, for the same games.
    #[cfg(feature = "program")]
    pub(super) fn fresh(&self, net: &NetConfig, seed: u64) -> Self {
        Self::random(Header { net: net.clone(), sizes: self.sizes() }, seed)
    }

    #[cfg(feature = "program")]
    fn random(header: Header, seed: u64) -> Self {
        let network = header.network(Init::new(seed, &Device::flex()));
        Model { layout: network.layout(), weights: network.weights(), header }
    }

    /// A sparse model with other random weights, which are made without burn and have the same bits everywhere: for
    /// fingerprints.
    ///
    /// # Panics
    /// When `net` fails [`NetConfig::check`] or is a tower.
    pub fn drawn(net: &NetConfig, shape: Shape, seed: u64) -> Self {
        net.check().expect("a checked config");
        let NetConfig::Sparse(sparse) = net else { panic!("{net} is not sparse") };
        let header = Header { net: net.clone(), sizes: Sizes::of(net, &shape) };
        let layout = Arc::new(sparse.layout(&header.sizes));
        let mut rng = rng::stream(seed, Purpose::Weights, &[]);
        let weights = (0..layout.len()).map(|_| rng.random_range(-DRAWN..DRAWN)).collect();
        Model { header, layout, weights }
    }

    /// Kind and size.
    pub fn net(&self) -> &NetConfig {
        &self.header.net
    }

    /// What it shares with its games.
    pub fn sizes(&self) -> Sizes {
        self.header.sizes
    }

    /// Names and shapes of the tensors.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The weights, in the order of the layout.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The same model with other weights.
    ///
    /// # Panics
    /// When there are not as many as before.
    pub fn with_weights(&self, weights: Vec<f32>) -> Self {
        assert_eq!(weights.len(), self.layout.len(), "as many weights as the layout holds");
        Model { header: self.header.clone(), layout: self.layout.clone(), weights }
    }

    /// Whether it can evaluate positions of `shape`.
    pub fn fits(&self, shape: &Shape) -> bool {
        self.header.sizes.fit(shape)
    }

    /// The network in burn, for inference, or for training where `device` is an autodiff one.
    #[cfg(feature = "program")]
    pub fn network(&self, device: &Device) -> Network {
        self.header.network(Init::blank(device)).with_weights(&self.weights)
    }

    /// As safetensors.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.write(None, Width::Single)
    }

    /// As safetensors that also say what they play, which [`Model::from_described`] gives back.
    #[cfg(feature = "program")]
    pub fn to_described(&self, plays: Value) -> Vec<u8> {
        self.write(Some(plays), Width::Single)
    }

    /// As safetensors of 16-bit numbers: half as large, the weights rounded ([`Width::Half`]).
    pub fn to_half_bytes(&self) -> Vec<u8> {
        self.write(None, Width::Half)
    }

    fn write(&self, plays: Option<Value>, width: Width) -> Vec<u8> {
        let described = Described { header: &self.header, plays };
        let header = serde_json::to_string(&described).expect("a plain struct");
        let tensors = self.layout.split(&self.weights);
        weights::write(
            tensors.map(|(spec, values)| (spec.name.clone(), &spec.shape[..], values)),
            header,
            width,
        )
    }

    /// Reads what [`Model::to_bytes`] or [`Model::to_half_bytes`] wrote.
    ///
    /// # Errors
    /// Names the tensor or the part of the description that is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadWeights> {
        Model::from_described(bytes).map(|(model, _)| model)
    }

    /// The same, and what the file says that they play, where it says so.
    ///
    /// # Errors
    /// As [`Model::from_bytes`].
    pub fn from_described(bytes: &[u8]) -> Result<(Self, Option<Value>), BadWeights> {
        let file = TensorFile::new(bytes)?;
        let metadata = |error: &dyn std::fmt::Display| BadWeights::Metadata(error.to_string());
        let mut description: Value = serde_json::from_str(file.metadata()).map_err(|e| metadata(&e))?;
        let plays = description.as_object_mut().and_then(|description| description.remove(PLAYS));
        let header: Header = serde_json::from_value(description).map_err(|e| metadata(&e))?;
        let Sizes { squares, inputs, .. } = header.sizes;
        if !header.sizes.are_sound() {
            return Err(metadata(&format!("sizes that no game has: {}", header.sizes)));
        }
        header.net.check_for(&header.sizes).map_err(|e| metadata(&e))?;
        if (squares > 0) != header.net.is_tied_to_board() || inputs != header.net.inputs() {
            return Err(metadata(&format!("a {} net on {squares} squares", header.net)));
        }
        // Before anything is allocated: a damaged description must not ask for more than the file ever held.
        let (described, held) = (header.net.parameters(&header.sizes), file.values());
        if described > 2 * held {
            return Err(metadata(&format!("{described} parameters described, {held} in the file")));
        }
        let layout = header.layout()?;
        if let Some(name) = file.names().into_iter().find(|name| !layout.contains(name)) {
            return Err(BadWeights::Unknown(name.to_owned()));
        }
        let weights = layout.read(&file, "")?;
        Ok((Model { header, layout, weights }, plays))
    }
}

impl Header {
    /// The tensors, without building the net where it is sparse.
    fn layout(&self) -> Result<Arc<Layout>, BadWeights> {
        match &self.net {
            NetConfig::Sparse(sparse) => Ok(Arc::new(sparse.layout(&self.sizes))),
            NetConfig::Conv(_) => self.tower_layout(),
        }
    }

    #[cfg(feature = "program")]
    fn tower_layout(&self) -> Result<Arc<Layout>, BadWeights> {
        Ok(self.network(Init::blank(&Device::flex())).layout())
    }

    #[cfg(not(feature = "program"))]
    fn tower_layout(&self) -> Result<Arc<Layout>, BadWeights> {
        Err(BadWeights::Metadata(format!("{} is a tower: {NO_TOWERS}", self.net)))
    }

    #[cfg(feature = "program")]
    fn network(&self, init: Init) -> Network {
        Network::new(&self.net, self.sizes, init)
    }
}

#[cfg(feature = "program")]
#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { planes: 5, scalars: 3, move_planes: 4, ranks: 4, files: 3 };
    const NETS: [&str; 4] = ["1x16", "3x48", "sparse-32", "sparse-96-attacks"];

    fn model(net: &str) -> Model {
        Model::init(&net.parse().unwrap(), SHAPE, 1)
    }

    #[test]
    fn seeds_decide_the_weights() {
        for net in NETS.map(|net| net.parse().unwrap()) {
            assert_eq!(Model::init(&net, SHAPE, 1), Model::init(&net, SHAPE, 1));
            assert_ne!(Model::init(&net, SHAPE, 1).weights(), Model::init(&net, SHAPE, 2).weights());
        }
    }

    #[test]
    fn bytes_round_trip() {
        for model in NETS.map(model) {
            let bytes = model.to_bytes();
            assert_eq!(bytes, model.to_bytes());
            assert_eq!(Model::from_bytes(&bytes).unwrap(), model);
            let network = model.network(&Device::flex());
            assert_eq!(network.weights(), model.weights());
            assert_eq!(network.layout(), *Model::from_bytes(&bytes).unwrap().layout());
        }
    }

    #[test]
    fn half_precision_rounds() {
        for model in NETS.map(model) {
            let mut weights = model.weights().to_vec();
            weights[0] = -1e9;
            let bytes = model.with_weights(weights).to_half_bytes();
            assert!(bytes.len() < model.to_bytes().len() * 6 / 10);
            let read = Model::from_bytes(&bytes).unwrap();
            assert_eq!(read.weights()[0], -65504.0);
            let pairs = read.weights().iter().zip(model.weights()).skip(1);
            // Half a unit in the last place, 2^-11; below 2^-14 numbers have fewer bits, to 2^-25.
            pairs.for_each(|(a, b)| assert!((a - b).abs() <= b.abs() / 2048.0 + 3e-8, "{a} {b}"));
            assert_eq!(read.to_half_bytes(), bytes);
        }
    }

    #[test]
    fn parameters_are_counted_without_building_the_net() {
        for model in NETS.map(model) {
            assert_eq!(model.net().parameters(&model.sizes()), model.layout().len());
        }
    }

    #[test]
    fn damage_is_reported() {
        let bytes = model("1x16").to_bytes();
        for len in [0, 7, 100, bytes.len() - 1] {
            assert!(matches!(Model::from_bytes(&bytes[..len]), Err(BadWeights::Format(_))), "{len}");
        }
        let text = |from: &str, to: &str| {
            assert_eq!(from.len(), to.len());
            let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
            let mut bytes = bytes.clone();
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            Model::from_bytes(&bytes).unwrap_err().to_string()
        };
        assert_eq!(text("stem.bias", "stem.bais"), "tensor 'stem.bais' is unknown to this net");
        assert_eq!(
            text("\\\"planes\\\":5", "\\\"planes\\\":6"),
            "tensor 'stem.weight' is F32 [45, 16], not F32 or F16 [54, 16]"
        );
        assert!(text("\\\"blocks\\\":1", "\\\"blocks\\\":9").contains("parameters described"));
        let mut nan = bytes.clone();
        let end = nan.len();
        nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(matches!(Model::from_bytes(&nan), Err(BadWeights::NonFinite(_))));
    }
}
