//! A move out of a position that was visited. What selection asks of the position behind it is copied into the edge:
//! the edges of a node lie side by side in memory, their nodes do not.

use super::{
    node::{Node, NodeId, ROOT},
    sync::atomic::{
        AtomicU16, AtomicU32,
        Ordering::{Acquire, Relaxed, Release},
    },
    value::Proof,
};

/// Index of an edge.
pub(super) type EdgeId = u32;

/// An edge that leads to the root, so that every node on a path has one behind it.
pub(super) const ROOT_EDGE: EdgeId = 0;

/// A move out of an expanded node. All numbers can be read and changed by many threads at once.
///
/// Before there is a child, the move may still change places with others, while the node is
/// [locked](super::node::Node::lock). From then on move and child stay: who sees the child sees the move that leads
/// there.
#[derive(Debug)]
pub(super) struct Edge {
    /// Probability of the move before the search: the bits of an f32.
    prior: AtomicU32,
    /// The node it leads to; [`ROOT`] while there is none.
    child: AtomicU32,
    /// [`Edge::q`]: the bits of an f32.
    q: AtomicU32,
    /// [`Edge::visits`].
    visits: AtomicU32,
    /// [`crate::games::rules::Move::bits`].
    mv: AtomicU16,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Edge>() == 20);

/// [`Edge::q`] while nothing is known of the move.
const UNKNOWN: f32 = f32::NAN;
/// [`Edge::q`] of a move that loses for certain: worse than any value of a search.
const LOST: f32 = f32::NEG_INFINITY;

impl Default for Edge {
    fn default() -> Self {
        Edge {
            prior: AtomicU32::new(0),
            child: AtomicU32::new(ROOT),
            q: AtomicU32::new(UNKNOWN.to_bits()),
            visits: AtomicU32::new(0),
            mv: AtomicU16::new(0),
        }
    }
}

impl Edge {
    /// A move that nothing is known of.
    #[inline(always)]
    pub fn set(&self, mv: u16, prior: f32) {
        self.prior.store(prior.to_bits(), Relaxed);
        self.child.store(ROOT, Relaxed);
        self.q.store(UNKNOWN.to_bits(), Relaxed);
        self.visits.store(0, Relaxed);
        self.mv.store(mv, Relaxed);
    }

    /// Becomes a copy of `other`. No other thread may use either meanwhile.
    pub fn copy_from(&self, other: &Edge) {
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.child.store(other.child.load(Relaxed), Relaxed);
        self.q.store(other.q.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
    }

    /// Changes places with `other`. Neither has a child yet, so that a move and its prior are all there is.
    pub fn swap(&self, other: &Edge) {
        debug_assert!(self.child.load(Relaxed) == ROOT && other.child.load(Relaxed) == ROOT);
        let (mv, prior) = (self.mv.load(Relaxed), self.prior.load(Relaxed));
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        other.mv.store(mv, Relaxed);
        other.prior.store(prior, Relaxed);
    }

    /// Probability of the move before the search, in `0.0..=1.0`.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// The move's bits. They are sure once a [child](Edge::child) was seen, or while the node is locked.
    #[inline(always)]
    pub fn mv(&self) -> u16 {
        self.mv.load(Relaxed)
    }

    /// The node it leads to; [`ROOT`] while there is none.
    #[inline(always)]
    pub fn child(&self) -> NodeId {
        self.child.load(Acquire)
    }

    /// Leads to `child` from now on, of which all is written that others must see.
    #[inline(always)]
    pub fn lead_to(&self, child: NodeId) {
        self.child.store(child, Release);
    }

    /// Expected score of the move in `-1.0..=1.0`, for the side that plays it: what its node says. Negative infinity if
    /// it loses for certain, NaN while nothing is known.
    #[inline(always)]
    pub fn q(&self) -> f32 {
        f32::from_bits(self.q.load(Relaxed))
    }

    /// Visits of its node, those in flight included.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Whether it loses for certain.
    #[inline(always)]
    pub fn is_lost(&self) -> bool {
        self.q() == LOST
    }

    /// Refreshes the copies of the value and the visits of `child`, the node that it leads to. Where several threads do
    /// so at a time, the last visit may be missing until the next one.
    #[inline(always)]
    pub fn refresh(&self, child: &Node) {
        let q = match child.proof() {
            Some(Proof::Win) => LOST,
            _ if child.is_known() => -child.q(),
            _ => UNKNOWN,
        };
        self.q.store(q.to_bits(), Relaxed);
        self.visits.store(child.visits() + child.in_flight(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{
        Wdl,
        node::SingleThread,
        value::{Proven, Value},
    };

    #[test]
    fn an_edge_says_what_its_node_says_from_the_other_side() {
        let (edge, node) = (Edge::default(), Node::default());
        edge.set(7, 0.5);
        edge.refresh(&node);
        assert!(edge.q().is_nan() && edge.visits() == 0 && !edge.is_lost());
        node.add::<SingleThread>(Value::of(Wdl { win: 0.5, draw: 0.25, loss: 0.25 }));
        edge.refresh(&node);
        assert_eq!((edge.q(), edge.visits()), (-0.25, 1));
        assert!(node.prove(Proven { proof: Proof::Win, plies: 1 }));
        edge.refresh(&node);
        assert!(edge.is_lost());
    }
}
