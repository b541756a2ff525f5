//! Cutting what is trained into rows, for threads that own them.

use std::ops::Range;

use super::Trained;

/// One of the layout's tensors.
#[derive(Clone, Debug)]
pub struct TensorShape {
    /// Where its numbers begin.
    pub begin: usize,
    /// Where its rows begin.
    pub first: usize,
    /// How many it has.
    pub rows: usize,
    /// Numbers of a row.
    pub width: usize,
    /// Whether weight decay holds for it.
    pub decays: bool,
}

/// Rows that follow one another, or one of them.
pub struct Row<'a> {
    pub weights: &'a mut [f32],
    pub average: &'a mut [f32],
    pub mean: &'a mut [f32],
    pub square: &'a mut [f32],
}

impl Row<'_> {
    /// The same, for a shorter time. Says to the compiler that all are `len` numbers.
    pub fn cut(&mut self, len: usize) -> Row<'_> {
        self.part(0, len)
    }

    /// `len` numbers from `begin` on.
    pub fn part(&mut self, begin: usize, len: usize) -> Row<'_> {
        Row {
            weights: &mut self.weights[begin..][..len],
            average: &mut self.average[begin..][..len],
            mean: &mut self.mean[begin..][..len],
            square: &mut self.square[begin..][..len],
        }
    }
}

/// Rows that follow one another in one tensor, for one thread.
pub struct TensorRows<'a> {
    /// The tensor.
    pub tensor: &'a TensorShape,
    /// The number of the first one in the tensor.
    pub first: usize,
    /// All their numbers.
    pub numbers: Row<'a>,
    /// For each row the step that its numbers are of.
    pub current: &'a mut [u64],
}

/// What is not yet given to a thread.
pub struct Rest<'a> {
    numbers: Row<'a>,
    current: &'a mut [u64],
    /// Numbers and rows before it.
    begin: usize,
    first: usize,
}

impl<'a> Rest<'a> {
    /// All of it.
    pub fn new(trained: &'a mut Trained, current: &'a mut [u64]) -> Self {
        let Trained { weights, average, mean, square } = trained;
        Rest { numbers: Row { weights, average, mean, square }, current, begin: 0, first: 0 }
    }

    /// Takes rows `rows` of `tensor`; what comes before them is left out.
    ///
    /// # Panics
    /// When rows are not taken in order.
    pub fn take(&mut self, tensor: &'a TensorShape, rows: Range<usize>) -> TensorRows<'a> {
        let begin = tensor.begin + rows.start * tensor.width;
        let first = tensor.first + rows.start;
        self.split_off(begin - self.begin, first - self.first);
        let (numbers, current) = self.split_off(rows.len() * tensor.width, rows.len());
        TensorRows { tensor, first: rows.start, numbers, current }
    }

    fn split_off(&mut self, numbers: usize, rows: usize) -> (Row<'a>, &'a mut [u64]) {
        self.begin += numbers;
        self.first += rows;
        let Row { weights, average, mean, square } = &mut self.numbers;
        let [weights, average, mean, square] = [weights, average, mean, square]
            .map(|rest| rest.split_off_mut(..numbers).expect("rows are taken in order"));
        let current = self.current.split_off_mut(..rows).expect("rows are taken in order");
        (Row { weights, average, mean, square }, current)
    }
}
