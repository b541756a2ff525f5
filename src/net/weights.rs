//! Weights as named tensors in one flat vector, and as safetensors bytes.

use std::collections::{BTreeMap, HashMap};

use half::f16;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};

/// The numbers that written weights are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32-bit floats, exactly those in memory.
    Single,
    /// 16-bit floats (IEEE 754 binary16), rounded to the nearest: 11 significant bits. What is beyond their largest,
    /// 65504, becomes that.
    Half,
}

/// One tensor of a [`Layout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// The path of the field: `blocks.0.first.weight`.
    pub name: String,
    /// Its dimensions.
    pub shape: Vec<usize>,
}

impl Width {
    fn dtype(self) -> Dtype {
        match self {
            Width::Single => Dtype::F32,
            Width::Half => Dtype::F16,
        }
    }

    fn bytes(self, values: &[f32]) -> Vec<u8> {
        let half = |value: f32| f16::from_f32(value.clamp(f16::MIN.to_f32(), f16::MAX.to_f32()));
        match self {
            Width::Single => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Width::Half => values.iter().flat_map(|&value| half(value).to_le_bytes()).collect(),
        }
    }
}

impl TensorSpec {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows of a matrix; what is no matrix is one row.
    pub fn rows(&self) -> usize {
        if self.is_matrix() { self.shape[0] } else { 1 }
    }

    /// Whether it has two dimensions: weights, not gains or biases.
    pub fn is_matrix(&self) -> bool {
        self.shape.len() == 2
    }
}

/// The tensors of a network in the order of its fields; a flat vector holds their values one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    tensors: Vec<TensorSpec>,
}

/// Why bytes are no weights for this network.
#[derive(Debug, thiserror::Error)]
pub enum BadWeights {
    /// Truncated, damaged, or no safetensors at all.
    #[error("no readable safetensors: {0}")]
    Format(String),
    /// A tensor is missing.
    #[error("tensor '{0}' is missing")]
    Missing(String),
    /// A tensor is of another type or shape.
    #[error("tensor '{name}' is {found}, not {expected}")]
    Mismatch {
        /// The tensor.
        name: String,
        /// Type and shape as found.
        found: String,
        /// Type and shape as expected.
        expected: String,
    },
    /// A tensor that the network does not have.
    #[error("tensor '{0}' is unknown to this net")]
    Unknown(String),
    /// A value is infinite or not a number.
    #[error("tensor '{0}' holds a value that is not finite")]
    NonFinite(String),
    /// The description of the network is missing or wrong.
    #[error("bad description of the net: {0}")]
    Metadata(String),
}

impl Layout {
    /// The layout of `tensors`, in this order.
    pub fn new(tensors: Vec<TensorSpec>) -> Self {
        Layout { tensors }
    }

    /// The tensors, in order.
    pub fn tensors(&self) -> &[TensorSpec] {
        &self.tensors
    }

    /// Number of values of all tensors.
    pub fn len(&self) -> usize {
        self.tensors.iter().map(TensorSpec::len).sum()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a tensor is called `name`.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// The place among the tensors of that called `name`.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.tensors.iter().position(|spec| spec.name == name)
    }

    /// Cuts a flat vector into its tensors.
    ///
    /// # Panics
    /// When `values` is shorter than [`Layout::len`].
    pub fn split<'a>(&'a self, values: &'a [f32]) -> impl Iterator<Item = (&'a TensorSpec, &'a [f32])> {
        let mut rest = values;
        self.tensors.iter().map(move |spec| {
            let (head, tail) = rest.split_at(spec.len());
            rest = tail;
            (spec, head)
        })
    }

    /// Reads the tensors called `prefix` + name out of `file`.
    ///
    /// # Errors
    /// Names the first tensor that is missing, of another type or shape, or not finite.
    pub fn read(&self, file: &TensorFile<'_>, prefix: &str) -> Result<Vec<f32>, BadWeights> {
        let mut values = Vec::with_capacity(self.len());
        for spec in &self.tensors {
            values.extend(file.tensor(&format!("{prefix}{}", spec.name), &spec.shape)?);
        }
        Ok(values)
    }
}

/// A flat vector's tensors by name.
pub struct Named<'a>(HashMap<&'a str, &'a [f32]>);

impl<'a> Named<'a> {
    /// The tensors that `layout` finds in `values`.
    ///
    /// # Panics
    /// When `values` is shorter than the layout.
    pub fn new(layout: &'a Layout, values: &'a [f32]) -> Self {
        Named(layout.split(values).map(|(spec, values)| (spec.name.as_str(), values)).collect())
    }

    /// The tensor called `name`.
    ///
    /// # Panics
    /// When there is none.
    pub fn get(&self, name: &str) -> &'a [f32] {
        self.find(name).unwrap_or_else(|| panic!("the net has a tensor {name}"))
    }

    /// The tensor called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<&'a [f32]> {
        self.0.get(name).copied()
    }
}

/// Named tensors and a description, read from safetensors bytes.
pub struct TensorFile<'a> {
    tensors: SafeTensors<'a>,
    metadata: String,
}

/// The key of the description in the file's metadata. One key alone: the order of several is not fixed.
const METADATA: &str = "sanki";

/// Whether `bytes` may be safetensors: JSON behind the eight bytes of its length.
pub fn is_safetensors(bytes: &[u8]) -> bool {
    bytes.get(8) == Some(&b'{')
}

impl<'a> TensorFile<'a> {
    /// Reads the header; tensors are read on demand.
    ///
    /// # Errors
    /// When the bytes are truncated, damaged, or lack the description.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BadWeights> {
        let format = |error: safetensors::SafeTensorError| BadWeights::Format(error.to_string());
        let tensors = SafeTensors::deserialize(bytes).map_err(format)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(format)?;
        let metadata = header.metadata().as_ref().and_then(|metadata| metadata.get(METADATA)).cloned();
        let metadata = metadata.ok_or_else(|| BadWeights::Metadata("not written by sanki".into()))?;
        Ok(TensorFile { tensors, metadata })
    }

    /// The description, as it was given to [`write()`].
    pub fn metadata(&self) -> &str {
        &self.metadata
    }

    /// Number of values of all tensors.
    pub fn values(&self) -> usize {
        self.tensors.iter().map(|(_, view)| 8 * view.data().len() / view.dtype().bitsize()).sum()
    }

    /// Names of all tensors.
    pub fn names(&self) -> Vec<&str> {
        self.tensors.names()
    }

    /// The values of the tensor called `name`.
    ///
    /// # Errors
    /// When it is missing, not of this shape, of numbers other than a [`Width`]'s, or holds one that is not finite.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, BadWeights> {
        let view = self.tensors.tensor(name).map_err(|_| BadWeights::Missing(name.to_owned()))?;
        let values: Vec<f32> = match view.dtype() {
            Dtype::F32 if view.shape() == shape => {
                view.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
            }
            Dtype::F16 if view.shape() == shape => {
                view.data().as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect()
            }
            other => {
                return Err(BadWeights::Mismatch {
                    name: name.to_owned(),
                    found: format!("{other:?} {:?}", view.shape()),
                    expected: format!("F32 or F16 {shape:?}"),
                });
            }
        };
        if values.iter().any(|value| !value.is_finite()) {
            return Err(BadWeights::NonFinite(name.to_owned()));
        }
        Ok(values)
    }
}

/// Writes named tensors and a description as safetensors bytes; the same content gives the same bytes.
pub fn write<'a>(
    tensors: impl IntoIterator<Item = (String, &'a [usize], &'a [f32])>,
    metadata: String,
    width: Width,
) -> Vec<u8> {
    let tensors: BTreeMap<String, (Vec<usize>, Vec<u8>)> = tensors
        .into_iter()
        .map(|(name, shape, values)| (name, (shape.to_vec(), width.bytes(values))))
        .collect();
    let views = tensors.iter().map(|(name, (shape, bytes))| {
        let view = TensorView::new(width.dtype(), shape.clone(), bytes);
        (name, view.expect("as many bytes as the shape says"))
    });
    let metadata = [(METADATA.to_owned(), metadata)].into_iter().collect();
    safetensors::serialize(views, Some(metadata)).expect("names are distinct and sizes agree")
}
