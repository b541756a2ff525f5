//! Positions and moves as tensors.

use burn::tensor::{DType, Device, Int, Tensor, TensorData};
use ndarray::Array2;

use crate::games::encode::{Features, Shape};

/// Positions on one kind of board, and the moves whose logits are asked for.
pub struct Batch<'a> {
    /// The game's sizes.
    pub shape: &'a Shape,
    /// The positions, which fit the shape.
    pub positions: Vec<&'a Features>,
    /// For each move its position's place in the batch and its policy index.
    pub moves: Vec<(usize, u16)>,
    /// The same for the opponent's replies, as the opponent sees them.
    pub replies: Vec<(usize, u16)>,
}

/// A batch as planes, for convolutions.
pub struct ConvInput {
    /// `[batch * squares, planes]`: one where a feature is active.
    pub planes: Tensor<2>,
    /// `[batch, scalars]`.
    pub scalars: Tensor<2>,
    /// How convolutions are computed.
    pub taps: Taps,
    /// Positions.
    pub batch: usize,
    /// Squares of the board.
    pub squares: usize,
    /// Ranks of the board.
    pub ranks: usize,
    /// Files of the board.
    pub files: usize,
}

/// How a 3x3 convolution is computed.
pub enum Taps {
    /// Every square's neighbours are gathered, and multiplied with the weights as one matrix. `[batch * squares * 9]`:
    /// for every square its neighbours' rows by tap, left to right, then upwards; the number of rows stands for a
    /// neighbour beyond the edge.
    Gathered(Box<Tensor<1, Int>>),
    /// The same matrix, cut out of the board with an edge of zeros: on a GPU 4.6 times as fast as burn's own
    /// convolution (10x128 in fp32 on an H100: 18,272 positions a second against 3,961).
    Sliced,
}

impl Taps {
    /// The fastest way on `device`.
    fn on(device: &Device, shape: &Shape, batch: usize) -> Self {
        if device.clone().inner() == Device::flex() {
            return Taps::Gathered(Box::new(indices(neighbours(shape, batch), device)));
        }
        Taps::Sliced
    }
}

impl ConvInput {
    /// Scatters the positions, in numbers of this type.
    pub fn new(batch: &Batch, device: &Device, dtype: DType) -> Self {
        let (shape, positions) = (batch.shape, &batch.positions);
        let taps = Taps::on(device, shape, positions.len());
        let few = shape.planes < i32::BITS as usize;
        let planes = match taps {
            Taps::Sliced if few => planes_from_bits(batch, device),
            _ => planes(batch, device),
        };
        let scalars = positions.iter().flat_map(|position| &position.scalars).copied().collect::<Vec<f32>>();
        let scalars =
            Tensor::<2>::from_data(TensorData::new(scalars, [positions.len(), shape.scalars]), device);
        ConvInput {
            planes: planes.cast(dtype),
            scalars: scalars.cast(dtype),
            taps,
            batch: positions.len(),
            squares: shape.squares(),
            ranks: shape.ranks,
            files: shape.files,
        }
    }
}

/// `[batch * squares, planes]`.
fn planes(batch: &Batch, device: &Device) -> Tensor<2> {
    let (shape, squares) = (batch.shape, batch.shape.squares());
    let rows = batch.positions.len() * squares;
    let mut planes = Array2::<f32>::zeros((rows, shape.planes));
    for (i, features) in batch.positions.iter().enumerate() {
        for f in &features.active {
            planes[[i * squares + usize::from(f.square), usize::from(f.plane)]] = 1.0;
        }
    }
    Tensor::from_data(TensorData::new(planes.into_raw_vec_and_offset().0, [rows, shape.planes]), device)
}

/// The same, of a word for each square, which is what goes over to a GPU: a bit for each plane, of which there are
/// fewer than bits.
fn planes_from_bits(batch: &Batch, device: &Device) -> Tensor<2> {
    let (planes, squares) = (batch.shape.planes, batch.shape.squares());
    let rows = batch.positions.len() * squares;
    let mut words = vec![0i32; rows];
    for (i, features) in batch.positions.iter().enumerate() {
        for f in &features.active {
            words[i * squares + usize::from(f.square)] |= 1 << f.plane;
        }
    }
    let bits = (0..planes).map(|plane| 1 << plane).collect();
    let bits = indices(bits, device).reshape([1, planes]).expand([rows, planes]);
    let words = indices(words, device).reshape([rows, 1]).expand([rows, planes]);
    words.bitwise_and(bits).not_equal_elem(0).float()
}

/// MoveIndices of a batch of positions, one after the other.
pub struct MoveIndices {
    /// `[moves]`: the row of the move's square, `position * squares + square`.
    pub squares: Tensor<1, Int>,
    /// `[moves]`: the move plane.
    pub planes: Tensor<1, Int>,
}

impl MoveIndices {
    /// From pairs of a position's place in the batch and a policy index, on a board of `squares`.
    pub fn new(squares: usize, moves: &[(usize, u16)], device: &Device) -> Self {
        let (rows, planes): (Vec<i32>, Vec<i32>) = moves
            .iter()
            .map(|&(position, index)| (position, usize::from(index)))
            .map(|(position, index)| {
                ((position * squares + index % squares) as i32, (index / squares) as i32)
            })
            .unzip();
        MoveIndices { squares: indices(rows, device), planes: indices(planes, device) }
    }
}

/// Indices as a tensor.
pub fn indices(values: Vec<i32>, device: &Device) -> Tensor<1, Int> {
    let len = values.len();
    Tensor::from_data(TensorData::new(values, [len]), device)
}

/// The taps of a 3x3 convolution as steps of (rank, file), in the order of the weights.
pub fn taps() -> impl Iterator<Item = (isize, isize)> {
    (-1..=1).flat_map(|rank| (-1..=1).map(move |file| (rank, file)))
}

/// The square a step away, if it is on the board.
pub fn neighbour(shape: &Shape, square: usize, (rank, file): (isize, isize)) -> Option<usize> {
    let rank = (square / shape.files).checked_add_signed(rank).filter(|&rank| rank < shape.ranks)?;
    let file = (square % shape.files).checked_add_signed(file).filter(|&file| file < shape.files)?;
    Some(rank * shape.files + file)
}

fn neighbours(shape: &Shape, batch: usize) -> Vec<i32> {
    let squares = shape.squares();
    let board: Vec<Option<usize>> =
        (0..squares).flat_map(|square| taps().map(move |tap| neighbour(shape, square, tap))).collect();
    let beyond = (batch * squares) as i32;
    (0..batch)
        .flat_map(|i| board.iter().map(move |at| at.map_or(beyond, |at| (i * squares + at) as i32)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_a_corner() {
        let shape = Shape { planes: 1, scalars: 1, move_planes: 1, ranks: 4, files: 3 };
        let all = neighbours(&shape, 2);
        assert_eq!(all.len(), 2 * 12 * 9);
        // The first square of the second position: nothing to the left, nothing below.
        assert_eq!(all[12 * 9..13 * 9], [24, 24, 24, 24, 12, 13, 24, 15, 16]);
    }
}
