//! Pruning of the tree: down to the subtree that the next search reuses, and of the nodes with the fewest visits when
//! the memory is full.

use std::collections::BTreeMap;

use super::{
    node::{NodeId, ROOT},
    sync::atomic::Ordering::Relaxed,
    tree::Tree,
};

/// Nodes with up to so many visits, which most are, are counted in a list; the others in a map.
const MAX_LISTED: u32 = u16::MAX as u32;

/// Stands for the new name of a node that is not kept.
const GONE: NodeId = NodeId::MAX;

impl Tree {
    /// Makes `id` the root and drops all that is not below it. `false`, and nothing changes, if the node has no edges.
    pub fn keep_subtree(&mut self, id: NodeId) -> bool {
        if !self.node(id).is_expanded() {
            return false;
        }
        if id != ROOT {
            self.compact(id, 0);
            self.sort_root();
        }
        true
    }

    /// Prunes the nodes with the fewest visits, so that at least half of the room for edges is free: they lose their
    /// moves and what is below, and keep their own values.
    pub fn prune_least_visited(&mut self) {
        self.compact(ROOT, self.visits_worth_keeping());
    }

    /// The least number such that the nodes with more visits have no more than half of the edges that there is room
    /// for, and are no more than half of the nodes.
    fn visits_worth_keeping(&self) -> u32 {
        // The edges of all nodes that were visited so often, and the nodes behind their moves.
        let mut listed = vec![(0, 0); MAX_LISTED as usize + 1];
        let mut mapped: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for node in (ROOT..self.nodes.used()).map(|id| self.node(id)).filter(|node| node.is_expanded()) {
            let visits = node.visits();
            let (edges, nodes) = match listed.get_mut(visits as usize) {
                Some(size) => size,
                None => mapped.entry(visits).or_default(),
            };
            *edges += u64::from(node.len.load(Relaxed));
            *nodes += u64::from(node.opened.load(Relaxed));
        }
        let (mut edges, mut nodes) =
            (u64::from(self.edges.capacity() / 2), u64::from(self.nodes.capacity() / 2));
        let listed = (0..MAX_LISTED + 1).zip(listed).rev();
        for (visits, (len, opened)) in mapped.into_iter().rev().chain(listed) {
            match (edges.checked_sub(len), nodes.checked_sub(opened)) {
                (Some(edges_left), Some(nodes_left)) => (edges, nodes) = (edges_left, nodes_left),
                _ => return visits,
            }
        }
        0
    }

    /// Makes `root` the root, keeps the edges of those nodes below it that were visited more than `visits` times, and
    /// moves what is kept together. No descent may be under way.
    fn compact(&mut self, root: NodeId, visits: u32) {
        let names = self.name_kept(root, visits);
        self.move_edges(&names);
        self.move_nodes(&names);
    }

    /// The new name of each node, and takes the edges from those that lose them. A child's name, old and new, is
    /// greater than its parent's.
    fn name_kept(&self, root: NodeId, visits: u32) -> Vec<NodeId> {
        let mut names = vec![GONE; self.nodes.used() as usize];
        names[root as usize] = ROOT;
        let mut next = ROOT;
        for id in root..self.nodes.used() {
            if names[id as usize] == GONE {
                continue;
            }
            names[id as usize] = next;
            next += 1;
            let node = self.node(id);
            if id == root || node.visits() > visits {
                for edge in self.opened_and_next(id).0 {
                    names[edge.child() as usize] = ROOT;
                }
            } else {
                node.collapse();
            }
        }
        names
    }

    /// Moves the edges of the kept nodes together, in the order in which they lie, so that none is overwritten before
    /// it is moved.
    fn move_edges(&mut self, names: &[NodeId]) {
        let is_kept = |&(id, &name): &(NodeId, &NodeId)| name != GONE && self.node(id).is_expanded();
        let mut kept: Vec<(u32, NodeId)> = Vec::with_capacity((ROOT..).zip(names).filter(is_kept).count());
        let places = (ROOT..).zip(names).filter(is_kept);
        kept.extend(places.map(|(id, _)| (self.node(id).first.load(Relaxed), id)));
        kept.sort_unstable();
        self.free_edges();
        for (from, id) in kept {
            let node = self.node(id);
            let (len, opened) = (node.len.load(Relaxed), node.opened.load(Relaxed));
            let to = self.edges.alloc(len.into()).expect("what lay here before has room");
            assert!(to <= from, "edges at {from} moved back to {to}");
            let (old, new) = (self.edges.slice(from, len.into()), self.edges.slice(to, len.into()));
            for (place, (old, new)) in old.iter().zip(new).enumerate() {
                new.copy_from(old);
                if place < usize::from(opened) {
                    new.refresh(self.node(new.child()));
                    new.lead_to(names[new.child() as usize]);
                }
            }
            node.first.store(to, Relaxed);
        }
    }

    fn move_nodes(&mut self, names: &[NodeId]) {
        let mut kept = 0;
        for (id, &name) in (ROOT..).zip(names) {
            if name != GONE {
                self.node(name).copy_from(self.node(id));
                kept += 1;
            }
        }
        self.nodes.free_from(kept);
    }

    /// Sorts the unopened edges of a root that was none before, which are opened in their order.
    pub(super) fn sort_root(&self) {
        let opened = self.opened_and_next(ROOT).0.len();
        let unopened = &self.edges(ROOT)[opened..];
        let mut sorted: Vec<(u16, f32)> = unopened.iter().map(|edge| (edge.mv(), edge.prior())).collect();
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
        unopened.iter().zip(sorted).for_each(|(edge, (mv, prior))| edge.set(mv, prior));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{
        Wdl,
        node::{Node, SingleThread},
        value::Value,
    };

    /// Moves of a node, and nodes of a line: with all their moves they fill more than half of a tree of 1 MiB.
    const MOVES: u16 = 500;
    const NODES: u32 = 60;

    /// A line of expanded nodes, each the only one below the one before, and all visited very often: a node more often than
    /// the next one by `step`.
    fn line(step: u32) -> Tree {
        let tree = Tree::new(1 << 20);
        let visited = Node::default();
        visit(&visited, MAX_LISTED + 10);
        let mut id = ROOT;
        for place in 0..NODES {
            let node = tree.node(id);
            node.copy_from(&visited);
            visit(node, step * (NODES - place));
            assert!(node.claim());
            tree.expand(id, (0..MOVES).map(|mv| (mv, 1.0 / f32::from(MOVES)))).expect("room");
            let (_, passed) = tree.step(id, 0).expect("room");
            id = passed.node;
        }
        tree
    }

    fn visit(node: &Node, times: u32) {
        (0..times).for_each(|_| node.add::<SingleThread>(Value::of(Wdl::DRAW)));
    }

    fn expanded(tree: &Tree) -> u32 {
        (ROOT..tree.nodes.used()).filter(|&id| tree.node(id).is_expanded()).count() as u32
    }

    #[test]
    fn the_most_visited_half_stays_however_often_that_was_visited() {
        let mut tree = line(1);
        let half = tree.edges.capacity() / 2 / u32::from(MOVES);
        assert_eq!(expanded(&tree), NODES);
        assert!(half < NODES, "there is something to be pruned: {half}");
        tree.prune_least_visited();
        assert_eq!(expanded(&tree), half);
        assert!((half + 1..NODES).all(|_| tree.edges.alloc(MOVES.into()).is_some()), "there is room");
    }

    #[test]
    fn of_nodes_that_were_visited_equally_often_none_but_the_root_stays() {
        let mut tree = line(0);
        tree.prune_least_visited();
        assert_eq!((expanded(&tree), tree.nodes.used()), (1, 2));
    }
}
