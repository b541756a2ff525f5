//! The parameters of the kernels, sent with each batch.

use super::{
    batch::{GpuBatch, share},
    layout::{CHUNK, GpuLayout},
};
use crate::net::on_device::{LearningConstants, StepRates};

/// Words of a head among the params.
const HEAD_WORDS: usize = 16;
/// Words of the params.
pub const PARAM_WORDS: usize = 2 * HEAD_WORDS + 32;

/// The parameters of a step, in the order of the kernels' `Params`; its report goes to place `slot`.
pub fn params(
    batch: &GpuBatch,
    net: &GpuLayout,
    rule: &LearningConstants,
    pace: &StepRates,
    slot: usize,
) -> Vec<u32> {
    let places = &batch.places;
    let [policy, replies] = &batch.heads;
    let policy_segments = policy.segments.ends.len();
    let all_segments = policy_segments + replies.segments.ends.len();
    let mut params = Vec::with_capacity(PARAM_WORDS);
    let firsts = [(0, 0), (policy.indices.rows.len(), policy_segments)];
    let weights = [1.0, rule.reply];
    for (((head, places), (first, segment)), weight) in
        batch.heads.iter().zip(&places.heads).zip(firsts).zip(weights)
    {
        let share = share(head.with_target);
        params.extend([
            places.ends,
            places.positions,
            places.indices,
            places.targets,
            head.indices.rows.len() as u32,
            first as u32,
            places.segment_ends,
            places.segment_terms,
            places.row_ends,
            head.segments.ends.len() as u32,
            (segment * net.gate()) as u32,
            segment as u32,
            share.to_bits(),
            (share * weight).to_bits(),
            0,
            0,
        ]);
    }
    params.extend([
        batch.len() as u32,
        places.ends,
        places.rows,
        places.factors,
        places.segment_ends,
        places.segment_positions,
        places.segment_factors,
        places.row_ends,
        batch.segments() as u32,
        (all_segments * net.gate()) as u32,
        places.wdl,
        places.left,
        places.left_scales,
        batch.len().div_ceil(CHUNK) as u32,
        net.norms() as u32,
        slot as u32,
    ]);
    let numbers = [
        share(batch.len()),
        0.0,
        rule.value,
        rule.reply,
        rule.moves_left,
        rule.max_norm,
        rule.beta1,
        rule.beta2,
        rule.epsilon,
        pace.rate,
        pace.unbias[0],
        pace.unbias[1],
        pace.decay,
        pace.average_decay,
    ];
    params.extend(numbers.map(f32::to_bits));
    params.resize(PARAM_WORDS, 0);
    params
}
