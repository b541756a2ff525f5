//! A model of what threads that share a tree do at one node: `loom` runs each test in every order that its threads and
//! their memory allow. Compiled under `--cfg loom` only; `tests/search/model.rs` runs it.

use std::sync::Arc;

use loom::thread;

use super::{
    node::{NodeId, ROOT},
    tree::{KnownEnd, PathStep, Tree},
    value::{Proof, Proven},
};
use crate::games::rules::{Move, xiangqi::PalaceMove};

/// The moves of the node that the threads meet at, and what the policy says: two of them change places once the first
/// is opened.
const MOVES: [(u16, f32); 3] = [(1, 0.5), (2, 0.2), (3, 0.3)];

/// The move that wins at once, which is not the one that the policy would open first.
const MATE: KnownEnd = KnownEnd { mv: 2, proof: Proof::Loss, plies: 0 };

/// A tree with an unopened node below its root.
fn tree() -> (Arc<Tree>, NodeId) {
    let tree = Tree::new(1);
    tree.expand(ROOT, [(9, 1.0)].into_iter()).expect("room");
    let (_, passed) = tree.step(ROOT, 0).expect("room");
    tree.expand(passed.node, MOVES.into_iter()).expect("room");
    (Arc::new(tree), passed.node)
}

/// Goes to the first place. What is seen there at once must fit together: the wrong move would be played, and what
/// comes of it taken for what comes of the other.
fn go_down(tree: &Tree, id: NodeId) -> (u16, PathStep) {
    let (mv, passed) = tree.step(id, 0).expect("room");
    let proof = tree.node(passed.node).proof();
    assert_eq!(proof, (mv == MATE.mv).then_some(MATE.proof), "move {mv}: proven before it can be reached");
    (mv, passed)
}

/// The edge still says, once all is quiet, what it said on the way.
fn check(tree: &Tree, (mv, passed): (u16, PathStep)) {
    let edge = tree.edges.get(passed.edge);
    assert_eq!((edge.mv(), edge.child()), (mv, passed.node));
}

/// Each move is at one place, and opened ones have nodes of their own.
fn check_node(tree: &Tree, id: NodeId) {
    let mut moves: Vec<u16> = tree.edges(id).iter().map(|edge| edge.mv()).collect();
    moves.sort_unstable();
    assert_eq!(moves, [1, 2, 3]);
    let mut children: Vec<NodeId> = tree.opened_and_next(id).0.iter().map(|edge| edge.child()).collect();
    assert!(!children.contains(&ROOT));
    children.sort_unstable();
    children.dedup();
    assert_eq!(children.len(), tree.opened_and_next(id).0.len());
}

/// A mate is opened where another thread goes down.
pub fn who_goes_down_while_a_mate_is_opened_goes_by_a_move_to_its_own_node() {
    loom::model(|| {
        let (tree, id) = tree();
        let descending = thread::spawn({
            let tree = tree.clone();
            move || go_down(&tree, id)
        });
        let found = tree.open_ends(id, &[MATE]).expect("room");
        assert_eq!(found, Some(Proven { proof: Proof::Win, plies: 1 }), "the mate is not lost");
        check(&tree, descending.join().expect("it held"));
        check_node(&tree, id);
    });
}

/// Two threads open the same move.
pub fn two_who_open_a_move_come_to_one_node() {
    loom::model(|| {
        let (tree, id) = tree();
        let descending = thread::spawn({
            let tree = tree.clone();
            move || go_down(&tree, id)
        });
        let here = go_down(&tree, id);
        let there = descending.join().expect("it held");
        assert_eq!(here.1.node, there.1.node);
        check(&tree, here);
        check(&tree, there);
        check_node(&tree, id);
    });
}

/// The moves are listed where another thread opens one.
pub fn who_lists_the_moves_while_one_is_opened_sees_each_once() {
    loom::model(|| {
        let (tree, id) = tree();
        let descending = thread::spawn({
            let tree = tree.clone();
            move || go_down(&tree, id)
        });
        let mut moves: Vec<PalaceMove> = Vec::new();
        tree.list_moves(id, &mut moves);
        let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
        bits.sort_unstable();
        assert_eq!(bits, [1, 2, 3]);
        check(&tree, descending.join().expect("it held"));
    });
}
