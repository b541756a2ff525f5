//! A batch for a sparse net that learns on a GPU: words of 32 bits that are sent in one piece.

use crate::{
    games::encode::Features,
    net::{MOVES_LEFT_UNIT, Sizes},
};

/// Terms of a row that one unit sums, at most. The last bits of the gradient depend on it.
const SEGMENT: usize = 128;

/// Positions with their targets. Its buffers serve one batch after the other.
#[derive(Clone, Debug)]
pub struct GpuBatch {
    sizes: Sizes,
    rows: PositionRows,
    factors: Vec<f32>,
    pub(super) heads: [HeadMoves; 2],
    wdl: Vec<f32>,
    left: Vec<f32>,
    with_left: usize,
    left_scales: Vec<f32>,
    segments: Segments,
    segment_factors: Vec<f32>,
    /// What is sent, and where its parts begin.
    pub(super) words: Vec<u32>,
    pub(super) places: BatchOffsets,
}

/// The moves of one head.
#[derive(Clone, Debug, Default)]
pub struct HeadMoves {
    pub(super) indices: PositionRows,
    targets: Vec<f32>,
    /// Positions that have moves.
    pub(super) with_target: usize,
    pub(super) segments: Segments,
}

/// For each position the rows that it has.
#[derive(Clone, Debug, Default)]
pub struct PositionRows {
    ends: Vec<u32>,
    pub(super) rows: Vec<u32>,
    positions: Vec<u32>,
}

/// For each row its terms, in their order, cut into segments.
#[derive(Clone, Debug, Default)]
pub struct Segments {
    row_ends: Vec<u32>,
    pub(super) ends: Vec<u32>,
    terms: Vec<u32>,
    next: Vec<u32>,
}

/// Where parts of a batch are among its words.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchOffsets {
    pub ends: u32,
    pub rows: u32,
    pub factors: u32,
    pub segment_ends: u32,
    pub segment_positions: u32,
    pub segment_factors: u32,
    pub row_ends: u32,
    pub wdl: u32,
    pub left: u32,
    pub left_scales: u32,
    pub heads: [HeadOffsets; 2],
}

/// The same of a head's moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadOffsets {
    pub ends: u32,
    pub positions: u32,
    pub indices: u32,
    pub targets: u32,
    pub segment_ends: u32,
    pub segment_terms: u32,
    pub row_ends: u32,
}

/// A position's moves or replies with their targets, which need not add up to one.
pub trait MoveTargets: Iterator<Item = (u16, f32)> {}
impl<T: Iterator<Item = (u16, f32)>> MoveTargets for T {}

impl GpuBatch {
    /// A batch without positions, for a net of these sizes.
    pub fn new(sizes: Sizes) -> Self {
        GpuBatch {
            sizes,
            rows: PositionRows::default(),
            factors: Vec::new(),
            heads: [HeadMoves::default(), HeadMoves::default()],
            wdl: Vec::new(),
            left: Vec::new(),
            with_left: 0,
            left_scales: Vec::new(),
            segments: Segments::default(),
            segment_factors: Vec::new(),
            words: Vec::new(),
            places: BatchOffsets::default(),
        }
    }

    /// Positions.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Rows that its positions have, all together.
    pub(super) fn segments(&self) -> usize {
        self.segments.ends.len()
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.factors.clear();
        for head in &mut self.heads {
            head.indices.clear();
            head.targets.clear();
            head.with_target = 0;
        }
        [&mut self.wdl, &mut self.left, &mut self.left_scales].into_iter().for_each(Vec::clear);
        self.with_left = 0;
    }

    /// Adds a position with its targets: its moves, the replies to it, win, draw and loss, and plies to the end.
    ///
    /// # Panics
    /// When the features do not fit the net.
    pub fn add(
        &mut self,
        features: &Features,
        moves: impl MoveTargets,
        replies: impl MoveTargets,
        wdl: [f32; 3],
        left: Option<f32>,
    ) {
        let GpuBatch { sizes, rows, factors, heads, .. } = self;
        assert_eq!(features.scalars.len(), sizes.scalars, "the features fit the game");
        for feature in &features.active {
            rows.rows.push(sizes.row(feature) as u32);
            factors.push(1.0);
        }
        // Most are flags that are not set.
        for (index, &scalar) in features.scalars.iter().enumerate().filter(|(_, scalar)| **scalar != 0.0) {
            rows.rows.push((sizes.rows() + index) as u32);
            factors.push(scalar);
        }
        rows.rows.push((sizes.rows() + sizes.scalars) as u32);
        factors.push(1.0);
        rows.end();
        let [policy, reply] = heads;
        policy.add(moves);
        reply.add(replies);
        self.wdl.extend(wdl);
        self.left.push(left.map_or(0.0, |plies| plies / MOVES_LEFT_UNIT));
        self.left_scales.push(if left.is_some() { 1.0 } else { 0.0 });
        self.with_left += usize::from(left.is_some());
    }

    /// Reads the rows backwards and packs everything, once all positions were added. Then the batch can be learnt.
    pub fn pack(&mut self) {
        let GpuBatch { sizes, rows, factors, segments, segment_factors, .. } = self;
        segments.read(rows, sizes.rows() + sizes.scalars + 1);
        segment_factors.clear();
        segment_factors.extend(segments.terms.iter().map(|&term| factors[term as usize]));
        // A row needs the positions of its terms alone.
        segments.terms.iter_mut().for_each(|term| *term = rows.positions[*term as usize]);
        let share = share(self.with_left);
        self.left_scales.iter_mut().for_each(|scale| *scale *= share);
        let moves = sizes.move_planes * sizes.squares;
        for head in &mut self.heads {
            head.segments.read(&head.indices, moves);
        }
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        let mut put = |part: &[u32], zero_first: Lead| {
            let begin = words.len() as u32;
            if matches!(zero_first, Lead::Zero) {
                words.push(0);
            }
            words.extend_from_slice(part);
            begin
        };
        let heads = self.heads.each_ref().map(|head| HeadOffsets {
            ends: put(&head.indices.ends, Lead::Zero),
            positions: put(&head.indices.positions, Lead::None),
            indices: put(&head.indices.rows, Lead::None),
            targets: put(bytemuck::cast_slice(&head.targets), Lead::None),
            segment_ends: put(&head.segments.ends, Lead::Zero),
            segment_terms: put(&head.segments.terms, Lead::None),
            row_ends: put(&head.segments.row_ends, Lead::Zero),
        });
        self.places = BatchOffsets {
            ends: put(&self.rows.ends, Lead::Zero),
            rows: put(&self.rows.rows, Lead::None),
            factors: put(bytemuck::cast_slice(&self.factors), Lead::None),
            segment_ends: put(&self.segments.ends, Lead::Zero),
            segment_positions: put(&self.segments.terms, Lead::None),
            segment_factors: put(bytemuck::cast_slice(&self.segment_factors), Lead::None),
            row_ends: put(&self.segments.row_ends, Lead::Zero),
            wdl: put(bytemuck::cast_slice(&self.wdl), Lead::None),
            left: put(bytemuck::cast_slice(&self.left), Lead::None),
            left_scales: put(bytemuck::cast_slice(&self.left_scales), Lead::None),
            heads,
        };
        self.words = words;
    }
}

/// Whether a zero comes before a list of ends.
enum Lead {
    Zero,
    None,
}

impl HeadMoves {
    fn add(&mut self, moves: impl MoveTargets) {
        let before = self.targets.len();
        for (index, target) in moves {
            self.indices.rows.push(index.into());
            self.targets.push(target);
        }
        self.with_target += usize::from(self.targets.len() > before);
        self.indices.end();
    }
}

impl PositionRows {
    fn clear(&mut self) {
        [&mut self.ends, &mut self.rows, &mut self.positions].into_iter().for_each(Vec::clear);
    }

    /// Ends a position.
    fn end(&mut self) {
        self.positions.resize(self.rows.len(), self.ends.len() as u32);
        self.ends.push(self.rows.len() as u32);
    }
}

impl Segments {
    /// The terms of each of a table's `rows` rows.
    fn read(&mut self, terms: &PositionRows, rows: usize) {
        let Segments { row_ends, ends, terms: sorted, next } = self;
        next.clear();
        next.resize(rows, 0);
        terms.rows.iter().for_each(|&row| next[row as usize] += 1);
        [&mut *row_ends, &mut *ends].into_iter().for_each(Vec::clear);
        let mut end = 0;
        for count in next.iter_mut() {
            let begin = end;
            end += *count;
            *count = begin;
            ends.extend((begin..end).step_by(SEGMENT).map(|first| (first + SEGMENT as u32).min(end)));
            row_ends.push(ends.len() as u32);
        }
        sorted.resize(terms.rows.len(), 0);
        for (term, &row) in terms.rows.iter().enumerate() {
            let place = &mut next[row as usize];
            sorted[*place as usize] = term as u32;
            *place += 1;
        }
    }
}

/// One over a count, or zero.
pub fn share(count: usize) -> f32 {
    if count == 0 { 0.0 } else { 1.0 / count as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_cut_into_segments() {
        let mut terms = PositionRows::default();
        for position in 0..SEGMENT as u32 + 2 {
            terms.rows.extend([3, position % 2]);
            terms.end();
        }
        let mut segments = Segments::default();
        segments.read(&terms, 5);
        let half = SEGMENT as u32 / 2 + 1;
        let all = SEGMENT as u32 + 2;
        assert_eq!(segments.row_ends, [1, 2, 2, 4, 4]);
        assert_eq!(segments.ends, [half, all, all + SEGMENT as u32, 2 * all]);
        assert_eq!(segments.terms[..3], [1, 5, 9]);
        assert_eq!(segments.terms[half as usize..][..2], [3, 7]);
        assert_eq!(segments.terms[all as usize..][..3], [0, 2, 4]);
    }
}
