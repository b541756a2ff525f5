//! The operators of ONNX that we write, computed as the standard words them, one number at a time.

use std::collections::BTreeMap;

use super::proto::{AttributeProto, FLOAT, GraphProto, INT64, NodeProto, TensorProto};

/// A float tensor, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub dims: Vec<usize>,
    pub values: Vec<f32>,
}

/// All values of `graph` by name: constants, `inputs`, and what every node computes from them.
pub fn run(graph: &GraphProto, inputs: &[(&str, Array)]) -> BTreeMap<String, Array> {
    let floats = graph.initializer.iter().filter(|tensor| tensor.data_type == FLOAT);
    let mut values: BTreeMap<_, _> = floats.map(|tensor| (tensor.name.clone(), floats_of(tensor))).collect();
    values.extend(inputs.iter().map(|(name, array)| ((*name).to_owned(), array.clone())));
    for node in &graph.node {
        let output = compute(node, graph, &values);
        assert_eq!(output.values.len(), output.dims.iter().product::<usize>(), "{node:?}");
        let [name] = &node.output[..] else { panic!("one output: {node:?}") };
        assert_eq!(values.insert(name.clone(), output), None, "{name} twice");
    }
    values
}

/// The values of a float constant.
pub fn floats_of(tensor: &TensorProto) -> Array {
    let (values, rest) = tensor.raw_data.as_chunks::<4>();
    assert!(rest.is_empty() && tensor.data_type == FLOAT, "{}", tensor.name);
    let dims: Vec<usize> = tensor.dims.iter().map(|&dim| dim as usize).collect();
    assert_eq!(values.len(), dims.iter().product::<usize>(), "{}", tensor.name);
    Array { dims, values: values.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect() }
}

fn compute(node: &NodeProto, graph: &GraphProto, values: &BTreeMap<String, Array>) -> Array {
    let input = |i: usize| values.get(&node.input[i]).unwrap_or_else(|| panic!("{} {i}", node.name));
    match (node.op_type.as_str(), node.input.len()) {
        ("Conv", 2) => convolve(node, input(0), input(1), None),
        ("Conv", 3) => convolve(node, input(0), input(1), Some(input(2))),
        ("Gemm", 3) => product(input(0), input(1), input(2)),
        ("Add", 2) => add(input(0), input(1)),
        ("Mul", 2) => multiply(input(0), input(1)),
        ("Relu", 1) => {
            Array { values: input(0).values.iter().map(|x| x.max(0.0)).collect(), ..input(0).clone() }
        }
        ("GlobalAveragePool", 1) => pool(input(0), |board| board.iter().sum::<f32>() / board.len() as f32),
        ("GlobalMaxPool", 1) => pool(input(0), |board| board.iter().copied().fold(f32::MIN, f32::max)),
        ("Concat", 2) => join(node, input(0), input(1)),
        ("Flatten", 1) => {
            let Array { dims, values } = input(0).clone();
            Array { dims: vec![dims[0], dims[1..].iter().product()], values }
        }
        ("Unsqueeze", 2) => unsqueeze(input(0), constant_integers(graph, &node.input[1])),
        ("Softmax", 1) => softmax(node, input(0)),
        other => panic!("the interpreter does not know {other:?}"),
    }
}

fn attribute<'a>(node: &'a NodeProto, name: &str) -> &'a AttributeProto {
    node.attribute.iter().find(|attribute| attribute.name == name).expect("an attribute")
}

fn constant_integers(graph: &GraphProto, name: &str) -> Vec<usize> {
    let tensor = graph.initializer.iter().find(|tensor| tensor.name == name).expect("a constant");
    assert_eq!((tensor.data_type, tensor.dims.len()), (INT64, 1));
    let (values, _) = tensor.raw_data.as_chunks::<8>();
    assert_eq!(tensor.dims[0], values.len() as i64);
    values.iter().map(|&bytes| i64::from_le_bytes(bytes) as usize).collect()
}

fn convolve(node: &NodeProto, x: &Array, weight: &Array, bias: Option<&Array>) -> Array {
    let [batch, inputs, height, width] = x.dims[..] else { panic!("a board: {node:?}") };
    let [outputs, rows, tall, wide] = weight.dims[..] else { panic!("a kernel: {node:?}") };
    assert_eq!(inputs, rows);
    let ints = |name| attribute(node, name).ints.iter().map(|&i| i as usize).collect::<Vec<_>>();
    assert_eq!(ints("kernel_shape"), [tall, wide]);
    let [top, left, bottom, right] = ints("pads")[..] else { panic!("pads: {node:?}") };
    let dims = [batch, outputs, height + top + bottom + 1 - tall, width + left + right + 1 - wide];
    let mut values = Vec::new();
    for place in 0..dims.iter().product() {
        let (column, row) = (place % dims[3], place / dims[3] % dims[2]);
        let (output, example) = (place / dims[3] / dims[2] % outputs, place / dims[3] / dims[2] / outputs);
        let mut sum = bias.map_or(0.0, |bias| bias.values[output]);
        for tap in 0..inputs * tall * wide {
            let (right, down, input) = (tap % wide, tap / wide % tall, tap / wide / tall);
            let (Some(row), Some(column)) =
                ((row + down).checked_sub(top), (column + right).checked_sub(left))
            else {
                continue;
            };
            if row < height && column < width {
                let at = ((example * inputs + input) * height + row) * width + column;
                sum += x.values[at] * weight.values[output * inputs * tall * wide + tap];
            }
        }
        values.push(sum);
    }
    Array { dims: dims.to_vec(), values }
}

fn product(x: &Array, weight: &Array, bias: &Array) -> Array {
    let [batch, inputs] = x.dims[..] else { panic!("vectors: {x:?}") };
    let [rows, outputs] = weight.dims[..] else { panic!("a matrix: {weight:?}") };
    assert_eq!((inputs, &bias.dims[..]), (rows, &[outputs][..]));
    let sum = |example: usize, output: usize| {
        let terms = (0..inputs).map(|i| x.values[example * inputs + i] * weight.values[i * outputs + output]);
        bias.values[output] + terms.sum::<f32>()
    };
    let values = (0..batch * outputs).map(|place| sum(place / outputs, place % outputs)).collect();
    Array { dims: vec![batch, outputs], values }
}

/// A sum of two boards, or of a board and a number for each of its channels.
fn add(x: &Array, y: &Array) -> Array {
    let board: usize = x.dims[2..].iter().product();
    let repeated = if x.dims == y.dims { 1 } else { board };
    if repeated != 1 {
        assert_eq!(y.dims, [x.dims[0], x.dims[1], 1, 1]);
    }
    let values = x.values.iter().enumerate().map(|(i, value)| value + y.values[i / repeated]).collect();
    Array { values, ..x.clone() }
}

/// The product of two arrays of one shape, number by number.
fn multiply(x: &Array, y: &Array) -> Array {
    assert_eq!(x.dims, y.dims);
    Array { values: x.values.iter().zip(&y.values).map(|(x, y)| x * y).collect(), ..x.clone() }
}

fn pool(x: &Array, over: impl Fn(&[f32]) -> f32) -> Array {
    let board: usize = x.dims[2..].iter().product();
    Array { dims: vec![x.dims[0], x.dims[1], 1, 1], values: x.values.chunks(board).map(over).collect() }
}

fn join(node: &NodeProto, x: &Array, y: &Array) -> Array {
    assert_eq!((attribute(node, "axis").i, &x.dims[2..]), (Some(1), &y.dims[2..]));
    let rows = |array: &Array| array.values.len() / array.dims[0];
    let pairs = x.values.chunks(rows(x)).zip(y.values.chunks(rows(y)));
    let mut dims = x.dims.clone();
    dims[1] += y.dims[1];
    Array { dims, values: pairs.flat_map(|(x, y)| [x, y].concat()).collect() }
}

fn unsqueeze(x: &Array, axes: Vec<usize>) -> Array {
    let mut dims = x.dims.clone();
    axes.into_iter().for_each(|axis| dims.insert(axis, 1));
    Array { dims, values: x.values.clone() }
}

fn softmax(node: &NodeProto, x: &Array) -> Array {
    assert_eq!((attribute(node, "axis").i, x.dims.len()), (Some(1), 2));
    let row = |row: &[f32]| {
        let total: f32 = row.iter().map(|x| x.exp()).sum();
        row.iter().map(|x| x.exp() / total).collect::<Vec<_>>()
    };
    Array { values: x.values.chunks(x.dims[1]).flat_map(row).collect(), ..x.clone() }
}
