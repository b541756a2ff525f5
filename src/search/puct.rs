//! Selection by PUCT.

use super::{
    PuctConfig,
    node::{NodeId, ROOT},
    tree::Tree,
};
use crate::base::maths;

/// The place of the move to visit next from an expanded node that is not proven. Moves that lose for certain are not
/// visited. Descents in flight count as visits, but not for the value (as in lc0's virtual visits), so that many
/// threads spread out.
#[inline]
pub(super) fn select(tree: &Tree, id: NodeId, config: &PuctConfig) -> usize {
    let node = tree.node(id);
    // With many threads the descent that asks is counted here itself.
    let visits = (node.visits() + node.in_flight().saturating_sub(1)) as f32;
    let (opened, next) = tree.opened_and_next(id);
    if id == ROOT && next.is_some() && is_due(opened.len(), visits, config) {
        return opened.len();
    }
    let exploration = (ln_1p((1.0 + visits) / config.c_base) + config.c_init) * visits.sqrt();
    let fpu = |seen: f32| node.q() - config.fpu_reduction * seen.sqrt();
    // The first move if all of them lose, which another thread is about to find.
    let mut best = (f32::NEG_INFINITY, 0);
    let mut seen = 0.0;
    for (place, edge) in opened.iter().enumerate() {
        let prior = edge.prior();
        seen += prior;
        let q = edge.q();
        let q = if q.is_nan() { fpu(seen) } else { q };
        // Negative infinity for a move that loses for certain: it is not chosen.
        let score = q + exploration * prior / (1.0 + edge.visits() as f32);
        if score > best.0 {
            best = (score, place);
        }
    }
    if let Some(next) = next
        && fpu(seen) + exploration * next.prior() > best.0
    {
        return opened.len();
    }
    best.1
}

/// The logarithm of `1 + x`. Most nodes have few visits, for which three terms of its series are exact to 1e-5 and much
/// faster.
#[inline(always)]
fn ln_1p(x: f32) -> f32 {
    if x < 0.07 { x * (1.0 - x * (0.5 - x * (1.0 / 3.0))) } else { maths::ln_1p(x) }
}

/// Whether another move of the root is to be tried, whatever its prior, of which `opened` have been.
fn is_due(opened: usize, visits: f32, config: &PuctConfig) -> bool {
    config.root_widening > 0 && visits >= (opened as u32).saturating_mul(config.root_widening) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_one_on_both_sides_of_its_border() {
        for x in [0.0_f32, 1e-4, 0.03, 0.069, 0.07, 0.071, 1.0, 1e5] {
            assert!((ln_1p(x) - x.ln_1p()).abs() < 1e-5, "{x}");
        }
    }
}
