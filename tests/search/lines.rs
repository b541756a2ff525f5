//! What alpha-beta says of its lines: their order, their depths, and how far they were looked at.

use std::{
    thread,
    time::{Duration, Instant},
};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::rules::{Game, RuleSet, Setup, shogi::Minishogi},
    search::{AlphaBeta, Evaluation, Evaluator, Query, SearchLimits, SearchResult},
};

use crate::support::{Hash, children, rows::Three};

fn start() -> Minishogi {
    Minishogi::start(RuleSet::Standard, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0))
}

fn search<G: Game>(game: &G, nodes: u64, lines: usize) -> SearchResult<G::Move> {
    let limits = SearchLimits { nodes, lines, ..SearchLimits::UNLIMITED };
    AlphaBeta::new(1).search(game, &limits, &mut [Hash], &mut || true)
}

#[test]
fn behind_the_first_line_the_others_are_sorted_and_each_has_its_depth() {
    let mut mixed = 0;
    for nodes in (300..4_000).step_by(37) {
        let SearchResult { lines, depth, .. } = search(&start(), nodes, 4);
        assert!(lines[1..].is_sorted_by_key(|line| -line.score), "{nodes}: {lines:?}");
        // Those of an iteration that was interrupted, and those of the one before.
        let is_new = |depth_of_line: u32| depth_of_line == depth + 1;
        assert!(lines.iter().all(|line| line.depth == depth || is_new(line.depth)), "{nodes}: {lines:?}");
        if lines.iter().any(|line| is_new(line.depth)) {
            assert!(is_new(lines[0].depth), "{nodes}: the new one is played: {lines:?}");
        } else {
            assert!(lines[0].score >= lines[1].score, "{nodes}: {lines:?}");
        }
        mixed += usize::from(lines.iter().any(|line| line.depth != lines[0].depth));
    }
    assert!(mixed > 10, "{mixed} searches ended with lines of two depths");
}

/// However few nodes there are for several lines.
#[test]
fn a_win_at_once_is_the_first_line() {
    // A gold before the king mates.
    let game = Minishogi::from_fen(RuleSet::Standard, "4k/5/4G/5/K4[G] w - - 0 1").expect("a position");
    for nodes in 1..200 {
        let found = search(&game, nodes, 3);
        assert_eq!(found.lines[0].end, Some(1), "{nodes}: {found:?}");
    }
    let limits = SearchLimits { lines: 20, depth: 3, ..SearchLimits::UNLIMITED };
    let found = AlphaBeta::new(1).search(&game, &limits, &mut [Hash], &mut || true);
    assert_eq!(found.depth, 3, "a mate in one line does not end the search of the others");
}

#[test]
fn before_anything_is_searched_the_score_is_the_evaluators() {
    let mut far_from_even = 0;
    for (_, game) in children(&start()) {
        let found = search(&game, 1, 1);
        assert_eq!((found.depth, found.lines[0].depth, found.nodes), (0, 0, 1));
        let expected = Hash::wdl(&game).q();
        assert!((found.lines[0].q - expected).abs() < 0.01, "{found:?}, not {expected}");
        far_from_even += usize::from(expected.abs() > 0.05);
    }
    assert!(far_from_even > 0);
}

/// Every line of tic-tac-toe with two empty squares is two plies long, and the rules decide it there.
#[test]
fn a_position_that_the_rules_decide_counts_for_the_longest_line() {
    fn walk(game: &Three, seen: &mut usize) {
        if game.ply() < 7 {
            for (_, after) in children(game).iter().filter(|(_, after)| after.outcome().is_none()) {
                walk(after, seen);
            }
        } else if children(game).iter().all(|(_, after)| after.outcome().is_none()) {
            let found = search(game, 1_000, 1);
            assert_eq!(found.deepest, 2, "{game:?}: {found:?}");
            *seen += 1;
        }
    }
    let mut seen = 0;
    walk(&Three::after(&[4, 0, 1, 7]), &mut seen);
    assert!(seen > 10, "{seen}");
}

/// Panics when it is asked, if it is that of the main thread.
#[derive(Clone, Copy, PartialEq)]
enum Fragile {
    Main,
    Helper,
}

impl<G: Game> Evaluator<G> for Fragile {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        assert!(*self == Fragile::Helper, "as it should in this test");
        Hash.evaluate(queries, out);
    }
}

#[test]
fn a_panic_of_the_main_thread_ends_the_helpers() {
    let search = thread::spawn(|| {
        let mut evaluators = [Fragile::Main, Fragile::Helper];
        AlphaBeta::new(1).search(&start(), &SearchLimits::UNLIMITED, &mut evaluators, &mut || true).nodes
    });
    let begin = Instant::now();
    while !search.is_finished() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the helper goes on");
        thread::sleep(Duration::from_millis(5));
    }
    assert!(search.join().is_err());
}
