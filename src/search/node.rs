//! A position that was visited, and what is known of it. All numbers can be read and changed by many threads at once.

use super::{
    Wdl,
    sync::{
        atomic::{
            AtomicU8, AtomicU16, AtomicU32, AtomicU64,
            Ordering::{AcqRel, Acquire, Relaxed, Release},
        },
        hint,
    },
    value::{ONE, Proof, Proven, Value},
};

/// Index of a node.
pub(super) type NodeId = u32;

/// The root, which has no parent.
pub(super) const ROOT: NodeId = 0;

/// How the numbers of a node are changed.
pub(super) trait Access {
    /// Adds to a sum.
    fn add(sum: &AtomicU64, by: u64);
    /// Counts one more.
    fn count(counter: &AtomicU32);
    /// Whether descents in flight are counted.
    const COUNTS_IN_FLIGHT: bool;
    /// Counts a descent that goes through a node.
    fn enter(node: &Node);
    /// Ends the count of a descent that went through a node.
    fn leave(node: &Node);
}

/// One descent at a time: plain loads and stores are enough.
pub(super) struct SingleThread;

/// Many descents at a time.
pub(super) struct MultiThread;

impl Access for SingleThread {
    const COUNTS_IN_FLIGHT: bool = false;

    #[inline(always)]
    fn add(sum: &AtomicU64, by: u64) {
        sum.store(sum.load(Relaxed) + by, Relaxed);
    }

    #[inline(always)]
    fn count(counter: &AtomicU32) {
        counter.store(counter.load(Relaxed) + 1, Relaxed);
    }

    #[inline(always)]
    fn enter(_: &Node) {}

    #[inline(always)]
    fn leave(_: &Node) {}
}

impl Access for MultiThread {
    const COUNTS_IN_FLIGHT: bool = true;

    #[inline(always)]
    fn add(sum: &AtomicU64, by: u64) {
        sum.fetch_add(by, Relaxed);
    }

    #[inline(always)]
    fn count(counter: &AtomicU32) {
        counter.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn enter(node: &Node) {
        node.in_flight.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn leave(node: &Node) {
        node.in_flight.fetch_sub(1, Relaxed);
    }
}

/// A position that was visited, or that is known for certain.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The mean of what the visits said: the bits of an f32.
    mean: AtomicU32,
    visits: AtomicU32,
    /// What is known for certain: the proof, and above its eight bits the plies to the end; 0 while nothing is.
    proven: AtomicU32,
    /// Descents that went through here and are not backed up yet (lc0: visits in flight).
    in_flight: AtomicU16,
    /// How many edges have a node: the first ones.
    pub(super) opened: AtomicU16,
    wins: AtomicU64,
    losses: AtomicU64,
    /// The evaluator's own opinion, for the side to move here: the bits of an f32.
    raw_q: AtomicU32,
    /// The edges are `first..first + len`; `len` is 0 until the node is expanded.
    pub(super) first: AtomicU32,
    pub(super) len: AtomicU16,
    /// Edges that lead to no proven node yet.
    unproven: AtomicU16,
    /// 1 while a thread has it evaluated, or opens an edge.
    busy: AtomicU8,
    /// 1 where a move leads to a proven draw.
    draw: AtomicU8,
    /// 1 once a thread has asked which moves end the game.
    examined: AtomicU8,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 48);

impl Node {
    /// Forgets everything.
    pub fn reset(&self) {
        self.copy_from(&Node::default());
    }

    /// Becomes a copy of `other`. No other thread may use either meanwhile.
    pub fn copy_from(&self, other: &Node) {
        self.mean.store(other.mean.load(Relaxed), Relaxed);
        self.wins.store(other.wins.load(Relaxed), Relaxed);
        self.losses.store(other.losses.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.raw_q.store(other.raw_q.load(Relaxed), Relaxed);
        self.first.store(other.first.load(Relaxed), Relaxed);
        self.len.store(other.len.load(Relaxed), Relaxed);
        self.opened.store(other.opened.load(Relaxed), Relaxed);
        self.unproven.store(other.unproven.load(Relaxed), Relaxed);
        self.in_flight.store(other.in_flight.load(Relaxed), Relaxed);
        self.proven.store(other.proven.load(Relaxed), Relaxed);
        self.busy.store(other.busy.load(Relaxed), Relaxed);
        self.draw.store(other.draw.load(Relaxed), Relaxed);
        self.examined.store(other.examined.load(Relaxed), Relaxed);
    }

    /// Visits that were backed up.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Descents through here that are not backed up yet; not counted with one thread.
    #[inline(always)]
    pub fn in_flight(&self) -> u32 {
        self.in_flight.load(Relaxed).into()
    }

    /// The evaluator's own opinion, in `-1.0..=1.0` for the side to move here.
    pub fn raw_q(&self) -> f32 {
        f32::from_bits(self.raw_q.load(Relaxed))
    }

    #[inline(always)]
    pub fn proof(&self) -> Option<Proof> {
        Proof::from_byte(self.proven.load(Relaxed) as u8)
    }

    /// Plies to the end of the game from a proven win or loss.
    pub fn plies(&self) -> u16 {
        (self.proven.load(Relaxed) >> 8) as u16
    }

    /// Whether a value is known: it was visited or is proven.
    #[inline(always)]
    pub fn is_known(&self) -> bool {
        self.visits() > 0 || self.proof().is_some()
    }

    #[inline(always)]
    pub fn is_expanded(&self) -> bool {
        self.len.load(Acquire) > 0
    }

    /// Whether a move leads to a proven draw, so that the side to move need not accept less.
    #[inline(always)]
    pub fn has_draw(&self) -> bool {
        self.draw.load(Relaxed) != 0
    }

    /// Expected score in `-1.0..=1.0` for the side to move here: what is proven, else the mean over the visits, at
    /// least 0 where a draw is there for the taking. 0 for a node that nothing is known of.
    #[inline(always)]
    pub fn q(&self) -> f32 {
        match self.proof() {
            None => f32::from_bits(self.mean.load(Relaxed)),
            Some(Proof::Draw) => 0.0,
            Some(Proof::Win) => 1.0,
            Some(Proof::Loss) => -1.0,
        }
    }

    /// Sets the mean anew, once it has changed. Where several do so at a time, it may lack the last visit.
    #[inline(always)]
    fn set_mean(&self) {
        let sum = self.wins.load(Relaxed).wrapping_sub(self.losses.load(Relaxed)) as i64;
        let mean = sum as f32 * (1.0 / ONE as f32) / self.visits().max(1) as f32;
        let mean = if self.has_draw() { mean.max(0.0) } else { mean };
        self.mean.store(mean.to_bits(), Relaxed);
    }

    /// The same as probabilities.
    pub fn wdl(&self) -> Wdl {
        if let Some(proof) = self.proof() {
            return proof.wdl();
        }
        let visits = self.visits();
        let mean = |sum: &AtomicU64| (sum.load(Relaxed) as f64 / ONE as f64 / f64::from(visits)) as f32;
        let (win, loss) = (mean(&self.wins), mean(&self.losses));
        if visits == 0 || self.has_draw() && win < loss {
            return Wdl::DRAW;
        }
        Wdl { win, draw: (1.0 - win - loss).max(0.0), loss }
    }

    /// Claims a node without edges for the caller, which alone may give it some. `false` if another thread has claimed
    /// it.
    #[inline(always)]
    pub fn claim(&self) -> bool {
        if self.busy.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            return false;
        }
        let is_free = !self.is_expanded();
        if !is_free {
            self.release();
        }
        is_free
    }

    /// Keeps the others from opening edges here, and from moving them, until [`Node::release`]; those who only look are
    /// not kept.
    #[inline(always)]
    pub fn lock(&self) {
        while self.busy.compare_exchange_weak(0, 1, Acquire, Relaxed).is_err() {
            hint::spin_loop();
        }
    }

    /// Ends a claim or a lock.
    #[inline(always)]
    pub fn release(&self) {
        self.busy.store(0, Release);
    }

    /// Notes the evaluator's own opinion. The caller has claimed the node.
    #[inline(always)]
    pub fn set_raw_q(&self, raw_q: f32) {
        self.raw_q.store(raw_q.to_bits(), Relaxed);
    }

    /// Gives the node `len` edges from `first` on. The caller has claimed it.
    pub fn set_edges(&self, first: u32, len: u16) {
        self.first.store(first, Relaxed);
        self.opened.store(0, Relaxed);
        self.unproven.store(len, Relaxed);
        // Last, because with it all of that can be seen.
        self.len.store(len, Release);
    }

    /// Takes the edges away; what the visits said stays.
    pub fn collapse(&self) {
        self.len.store(0, Relaxed);
        self.opened.store(0, Relaxed);
        self.draw.store(0, Relaxed);
        self.examined.store(0, Relaxed);
        self.set_mean();
    }

    /// Whether the caller is the first to ask which moves end the game here.
    #[inline(always)]
    pub fn examine(&self) -> bool {
        self.examined.load(Relaxed) == 0 && self.examined.swap(1, Relaxed) == 0
    }

    /// Stores that a move leads to a proven draw.
    pub fn set_draw(&self) {
        self.draw.store(1, Release);
        self.set_mean();
    }

    /// Adds a visit with its value.
    #[inline(always)]
    pub fn add<A: Access>(&self, value: Value) {
        A::add(&self.wins, value.win);
        A::add(&self.losses, value.loss);
        A::count(&self.visits);
        self.set_mean();
    }

    /// Stores a proof. `false` if there was one already.
    pub fn prove(&self, proven: Proven) -> bool {
        let packed = u32::from(proven.plies) << 8 | proven.proof as u32;
        self.proven.compare_exchange(0, packed, Release, Relaxed).is_ok()
    }

    /// Counts one more move that leads to a proven node. Whether it was the last.
    pub fn count_proof(&self) -> bool {
        self.unproven.fetch_sub(1, AcqRel) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_exact_over_very_many_visits() {
        let node = Node::default();
        // As far as f32 tells them: 0.97 and 0.01.
        let value = Value::of(Wdl { win: 0.97, draw: 0.02, loss: 0.01 });
        for _ in 0..100_000_000 {
            node.add::<SingleThread>(value);
        }
        assert_eq!(node.visits(), 100_000_000);
        let wdl = node.wdl();
        assert!((wdl.win - 0.97).abs() < 1e-6 && (wdl.loss - 0.01).abs() < 1e-6, "{wdl:?}");
        assert!((node.q() - 0.96).abs() < 1e-6);
    }

    #[test]
    fn a_draw_bounds_a_value_from_below() {
        let node = Node::default();
        node.add::<MultiThread>(Value::of(Wdl { win: 0.1, draw: 0.1, loss: 0.8 }));
        assert!((node.q() + 0.7).abs() < 1e-6);
        node.set_draw();
        assert_eq!((node.q(), node.wdl()), (0.0, Wdl::DRAW));
        node.add::<MultiThread>(Value::of(Wdl::WIN));
        assert!((node.q() - 0.15).abs() < 1e-6);
    }

    #[test]
    fn what_is_proven_first_stays() {
        let node = Node::default();
        let proven = |proof, plies| Proven { proof, plies };
        assert!(node.prove(proven(Proof::Loss, 4)));
        assert!(!node.prove(proven(Proof::Win, 1)));
        assert_eq!((node.proof(), node.plies(), node.q()), (Some(Proof::Loss), 4, -1.0));
    }
}
