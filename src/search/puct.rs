//! Selection by PUCT.

use super::{
    PuctConfig,
    tree::{NodeId, Proof, Tree},
};

/// The place of the move to visit next from an expanded node that is not proven. Moves that lose for
/// certain are not visited.
pub(super) fn select<M: Copy>(tree: &Tree<M>, id: NodeId, config: &PuctConfig) -> usize {
    let node = tree.node(id);
    let visits = node.visits as f32;
    let exploration = (((1.0 + visits + config.c_base) / config.c_base).ln() + config.c_init) * visits.sqrt();
    let mut best = (f32::NEG_INFINITY, None);
    let mut seen = 0.0;
    for (place, (edge, child)) in tree.opened(id).enumerate() {
        seen += edge.prior;
        if child.proof == Some(Proof::Win) {
            continue;
        }
        let score = child.wdl().flip().q() + exploration * edge.prior / (1.0 + child.visits as f32);
        if score > best.0 || best.1.is_none() {
            best = (score, Some(place));
        }
    }
    if let Some(place) = node.next_unopened() {
        let fpu = node.wdl().q() - config.fpu_reduction * seen.sqrt();
        let score = fpu + exploration * tree.edges(id)[place].prior;
        if score > best.0 || best.1.is_none() {
            best = (score, Some(place));
        }
    }
    best.1.expect("a node is proven once all its moves lose")
}
