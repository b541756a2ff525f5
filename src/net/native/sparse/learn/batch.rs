//! A batch as a sparse net on a processor learns it: the rows that its positions and moves touch.
//!
//! All of it follows from the positions. Nothing depends on the weights, so other threads build the next batches while
//! one is learnt.

use std::sync::Arc;

use super::sums::{Sums, Touched};
use crate::{
    games::encode::{Features, Inputs},
    net::Sizes,
};

/// The rows of one or more tensors, one after the other, and the groups that the rows of the first one form.
#[derive(Debug)]
pub struct RowSpace {
    /// Rows of each tensor.
    tensors: Vec<usize>,
    /// Of each grouping: the group of each row of the first tensor, and how many groups there are.
    groupings: Vec<(Vec<usize>, usize)>,
}

impl RowSpace {
    /// The rows of `tensors`, of which this is the number of each one's rows.
    pub fn new(tensors: Vec<usize>) -> Self {
        RowSpace { tensors, groupings: Vec::new() }
    }

    /// Groups the rows of the first tensor: row `r` is in group `group(r)`.
    pub fn grouped(mut self, group: impl Fn(usize) -> usize) -> Self {
        let group_of: Vec<usize> = (0..self.tensors[0]).map(group).collect();
        let groups = group_of.iter().max().map_or(0, |last| last + 1);
        self.groupings.push((group_of, groups));
        self
    }

    fn rows(&self) -> usize {
        self.tensors.iter().sum()
    }
}

/// The rows of a [`RowSpace`] that a batch touches.
#[derive(Clone, Debug, Default)]
pub struct TouchedRows {
    /// Which they are, and the sums that they are terms of.
    pub touched: Touched,
    /// Their numbers in their tensors.
    pub numbers: Vec<usize>,
    /// Where the touched rows of each tensor end.
    pub ends: Vec<usize>,
    /// Of each grouping the groups, as terms of the touched rows.
    pub groups: Vec<Touched>,
    /// A buffer.
    counts: Vec<(u32, u32)>,
}

impl TouchedRows {
    /// Makes the sums those of the moves of each of `count` positions, and numbers the rows that they are made of.
    fn make<I: Iterator<Item = u16>>(&mut self, space: &RowSpace, count: usize, moves: impl Fn(usize) -> I) {
        let sums = &mut self.touched.forward;
        sums.clear();
        for position in 0..count {
            moves(position).for_each(|index| sums.add(usize::from(index)));
            sums.end();
        }
        self.number(space);
    }

    /// Numbers the rows that the sums in `touched.forward` are made of.
    fn number(&mut self, space: &RowSpace) {
        let TouchedRows { touched, numbers, ends, groups, counts } = self;
        touched.renumber(space.rows(), counts);
        numbers.clear();
        ends.clear();
        let mut begin = 0;
        for rows in &space.tensors {
            let first = numbers.len();
            let here = touched.rows[first..].iter().take_while(|&&row| row < begin + rows);
            numbers.extend(here.map(|row| row - begin));
            ends.push(numbers.len());
            begin += rows;
        }
        groups.resize_with(space.groupings.len(), Touched::default);
        for (groups, (group_of, count)) in groups.iter_mut().zip(&space.groupings) {
            groups.forward.clear();
            for &row in &touched.rows {
                if let Some(&group) = group_of.get(row) {
                    groups.forward.add_with(group, 0);
                }
                groups.forward.end();
            }
            groups.renumber(*count, counts);
        }
    }
}

/// Where the rows of a net are.
#[derive(Debug)]
pub struct RowSpaces {
    sizes: Sizes,
    /// Rows of the features, of the scalars, and the bias.
    accumulators: RowSpace,
    /// A row for each move: of the policy, and of the replies.
    moves: RowSpace,
}

impl RowSpaces {
    /// Those of a net of these sizes.
    pub fn new(sizes: Sizes) -> Self {
        let Sizes { planes, squares, scalars, move_planes, inputs, .. } = sizes;
        let mut accumulators = RowSpace::new(vec![sizes.rows(), scalars, 1]).grouped(|row| row / squares);
        if inputs == Inputs::Attacks {
            accumulators = accumulators.grouped(|row| row % (planes * squares));
        }
        let moves = RowSpace::new(vec![move_planes * squares])
            .grouped(|index| index / squares)
            .grouped(|index| index % squares);
        RowSpaces { sizes, accumulators, moves }
    }

    /// Adds a sum of the accumulators, and its factors to `scalars`.
    fn add(&self, features: &Features, sums: &mut Sums, scalars: &mut Vec<f32>) {
        let sizes = &self.sizes;
        assert_eq!(features.scalars.len(), sizes.scalars, "the features fit the game");
        for feature in &features.active {
            sums.add(sizes.row(feature));
            scalars.push(1.0);
        }
        // Most are flags that are not set.
        for (index, &scalar) in features.scalars.iter().enumerate().filter(|(_, scalar)| **scalar != 0.0) {
            sums.add(sizes.rows() + index);
            scalars.push(scalar);
        }
        sums.add(sizes.rows() + sizes.scalars);
        scalars.push(1.0);
        sums.end();
    }
}

/// The rows that the positions and moves of a batch touch. Its buffers serve one batch after the other.
#[derive(Clone, Debug)]
pub struct SparseBatch {
    spaces: Arc<RowSpaces>,
    /// Of the accumulators; a position is a sum.
    pub(super) accumulators: TouchedRows,
    /// One, or a scalar, for each term of the accumulators.
    pub(super) scalars: Vec<f32>,
    /// The moves of a position are a sum.
    pub(super) policy: TouchedRows,
    /// The same of the replies.
    pub(super) replies: TouchedRows,
}

impl SparseBatch {
    /// A batch without positions, for the net whose rows these are.
    pub fn new(spaces: Arc<RowSpaces>) -> Self {
        SparseBatch {
            spaces,
            accumulators: TouchedRows::default(),
            scalars: Vec::new(),
            policy: TouchedRows::default(),
            replies: TouchedRows::default(),
        }
    }

    /// Makes it a batch of `count` positions, on up to three threads of the pool. Of each position `features`, `moves`
    /// and `replies` say its features and the policy indices of the moves and of the replies whose logits its losses
    /// need.
    ///
    /// # Panics
    /// When the features do not fit the net.
    pub fn make<'a, M, R>(
        &mut self,
        count: usize,
        features: impl Fn(usize) -> &'a Features + Sync,
        moves: impl Fn(usize) -> M + Sync,
        replies: impl Fn(usize) -> R + Sync,
    ) where
        M: Iterator<Item = u16>,
        R: Iterator<Item = u16>,
    {
        let SparseBatch { spaces, accumulators, scalars, policy, replies: reply } = self;
        let spaces = &**spaces;
        rayon::join(
            || {
                accumulators.touched.forward.clear();
                scalars.clear();
                for position in 0..count {
                    spaces.add(features(position), &mut accumulators.touched.forward, scalars);
                }
                accumulators.number(&spaces.accumulators);
            },
            || {
                rayon::join(
                    || policy.make(&spaces.moves, count, &moves),
                    || reply.make(&spaces.moves, count, &replies),
                )
            },
        );
    }
}
