//! Selection by PUCT.

use super::{
    PuctConfig,
    node::{NodeId, Proof, ROOT},
    tree::Tree,
};

/// The place of the move to visit next from an expanded node that is not proven. Moves that lose for certain are not
/// visited. Walks under way count as visits, but not for the value (as in lc0's virtual visits), so that many
/// threads spread out.
#[inline]
pub(super) fn select(tree: &Tree, id: NodeId, config: &PuctConfig) -> usize {
    let node = tree.node(id);
    // The walk that asks is under way here itself, where walks are counted.
    let visits = (node.visits() + node.walks().saturating_sub(1)) as f32;
    let (opened, next) = tree.fan(id);
    if id == ROOT && next.is_some() && is_due(opened.len(), visits, config) {
        return opened.len();
    }
    let exploration = (((1.0 + visits + config.c_base) / config.c_base).ln() + config.c_init) * visits.sqrt();
    let fpu = |seen: f32| node.q() - config.fpu_reduction * seen.sqrt();
    let mut best = (f32::NEG_INFINITY, None);
    let mut seen = 0.0;
    for (place, edge) in opened.iter().enumerate() {
        let child = tree.node(edge.child());
        seen += edge.prior();
        if child.proof() == Some(Proof::Win) {
            continue;
        }
        let started = child.visits() + child.walks();
        let q = if child.is_known() { -child.q() } else { fpu(seen) };
        let score = q + exploration * edge.prior() / (1.0 + started as f32);
        if score > best.0 || best.1.is_none() {
            best = (score, Some(place));
        }
    }
    if let Some(next) = next {
        let score = fpu(seen) + exploration * next.prior();
        if score > best.0 || best.1.is_none() {
            best = (score, Some(opened.len()));
        }
    }
    // All moves lose, which another thread is about to conclude.
    best.1.unwrap_or(0)
}

/// Whether another move of the root is to be tried, whatever its prior, of which `opened` have been.
fn is_due(opened: usize, visits: f32, config: &PuctConfig) -> bool {
    config.root_widening > 0 && visits >= (opened as u32).saturating_mul(config.root_widening) as f32
}
