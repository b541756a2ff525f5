//! The tree that threads share, in every order that they and their memory allow:
//! `RUSTFLAGS="--cfg loom" cargo test --no-default-features --test search`, where this is the only module.

use sanki::search::model;

#[test]
fn who_goes_down_while_a_mate_is_opened_goes_by_a_move_to_its_own_node() {
    model::who_goes_down_while_a_mate_is_opened_goes_by_a_move_to_its_own_node();
}

#[test]
fn two_who_open_a_move_come_to_one_node() {
    model::two_who_open_a_move_come_to_one_node();
}

#[test]
fn who_lists_the_moves_while_one_is_opened_sees_each_once() {
    model::who_lists_the_moves_while_one_is_opened_sees_each_once();
}
