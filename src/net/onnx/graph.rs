//! A graph that grows node by node. Knows no network.

use super::proto::{
    self, AttributeProto, Dimension, DimensionValue, FLOAT, INT, INT64, INTS, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, TypeProtoTensor, ValueInfoProto,
};

/// The oldest operators that have their present form, so that old programs read the file, too.
const OPERATORS: i64 = 14;
/// The file format that came with them (ONNX 1.9, 2021).
const IR_VERSION: i64 = 7;

/// The nodes, constants, inputs and outputs of a model.
///
/// A value is known by its name; each node has one output, which has the node's name.
#[derive(Debug, Default)]
pub struct Graph(proto::GraphProto);

impl Graph {
    /// An empty graph.
    pub fn new(name: &str) -> Self {
        Graph(proto::GraphProto { name: name.to_owned(), ..Default::default() })
    }

    /// Declares an input, `[batch, dims…]`; `doc` tells its user what it means.
    pub fn input(&mut self, name: &str, dims: &[usize], doc: &str) {
        self.0.input.push(value_info(name, dims, doc));
    }

    /// Makes the node called `name` an output, `[batch, dims…]`.
    pub fn output(&mut self, name: &str, dims: &[usize], doc: &str) {
        self.0.output.push(value_info(name, dims, doc));
    }

    /// Adds constant numbers, row by row; returns the name.
    pub fn floats(&mut self, name: &str, dims: &[usize], values: &[f32]) -> String {
        assert_eq!(values.len(), dims.iter().product::<usize>(), "as many values as {name}'s shape says");
        self.constant(name, dims, FLOAT, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Adds a list of whole numbers, which some operators take as a parameter; returns the name.
    pub fn integers(&mut self, name: &str, values: &[i64]) -> String {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, &[values.len()], INT64, bytes)
    }

    fn constant(&mut self, name: &str, dims: &[usize], data_type: i32, raw_data: Vec<u8>) -> String {
        let dims = dims.iter().map(|&dim| dim as i64).collect();
        self.0.initializer.push(TensorProto { dims, data_type, name: name.to_owned(), raw_data });
        name.to_owned()
    }

    /// Adds a node; returns the name.
    pub fn node(&mut self, op: &str, name: &str, inputs: &[&str]) -> String {
        self.node_with(op, name, inputs, &[])
    }

    /// Adds a node with attributes; returns the name.
    pub fn node_with(
        &mut self,
        op: &str,
        name: &str,
        inputs: &[&str],
        attributes: &[AttributeProto],
    ) -> String {
        self.0.node.push(NodeProto {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![name.to_owned()],
            name: name.to_owned(),
            op_type: op.to_owned(),
            attribute: attributes.to_vec(),
        });
        name.to_owned()
    }

    /// The model that computes this graph. `metadata` describes it to programs.
    pub fn into_model(self, metadata: Vec<proto::StringStringEntryProto>) -> proto::ModelProto {
        proto::ModelProto {
            ir_version: IR_VERSION,
            producer_name: env!("CARGO_PKG_NAME").to_owned(),
            producer_version: env!("CARGO_PKG_VERSION").to_owned(),
            graph: Some(self.0),
            opset_import: vec![OperatorSetIdProto { domain: String::new(), version: OPERATORS }],
            metadata_props: metadata,
        }
    }
}

/// An attribute that is a number.
pub fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i: Some(value), ints: Vec::new(), r#type: INT }
}

/// An attribute that is a list of numbers.
pub fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i: None, ints: values.to_vec(), r#type: INTS }
}

/// Of float tensors, as all inputs and outputs are.
fn value_info(name: &str, dims: &[usize], doc: &str) -> ValueInfoProto {
    let fixed = dims.iter().map(|&dim| DimensionValue::Fixed(dim as i64));
    let sizes = std::iter::once(DimensionValue::Named("batch".to_owned())).chain(fixed);
    let dim = sizes.map(|size| Dimension { value: Some(size) }).collect();
    let tensor = TypeProtoTensor { elem_type: FLOAT, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { tensor_type: Some(tensor) }),
        doc_string: doc.to_owned(),
    }
}
