//! A search that asks for the policy of a position only when it comes back to it.

use super::*;
use sanki::search::PolicyAsked;

/// Hash's answers, for a search that asks as told; counts the policies that it was asked for.
struct Asked {
    when: PolicyAsked,
    policies: usize,
}

impl<G: Game> Evaluator<G> for Asked {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        self.policies += queries.iter().filter(|query| !query.moves.is_empty()).count();
        Hash.evaluate(queries, out);
    }

    fn policy_asked(&self) -> PolicyAsked {
        self.when
    }
}

/// What a search found, and how many policies it asked for.
fn found<G: Game>(mut search: Search<G>, when: PolicyAsked) -> (impl PartialEq + std::fmt::Debug, usize) {
    let mut evaluator = Asked { when, policies: 0 };
    run(&mut search, &mut evaluator);
    let moves: Vec<_> = search.root_moves().collect();
    let (wdl, prior) = (search.root_wdl(), search.root_prior_wdl());
    let tree = (search.nodes(), search.deepest(), search.simulations());
    ((moves, search.best_move(), wdl, prior, tree), evaluator.policies)
}

fn compare<G: Game>(start: &G, config: &SearchConfig) {
    let (mut at_once, mut later) = (0, 0);
    for game in positions(start, 4).iter().step_by(5) {
        for simulations in [1, 2, 37, 300] {
            let search = || {
                let mut search = Search::new(config.clone());
                search.start(game, simulations, Noise::Explore, &mut Rng::seed_from_u64(1));
                search
            };
            let (expected, all) = found(search(), PolicyAsked::WithValue);
            let (same, some) = found(search(), PolicyAsked::OnReturn);
            assert_eq!(same, expected, "{simulations} simulations of {}", game.fen());
            (at_once, later) = (at_once + all, later + some);
        }
    }
    assert!(later < at_once * 3 / 4, "{later} policies instead of {at_once}");
}

#[test]
fn the_search_finds_the_same_with_fewer_policies() {
    let mates = PuctConfig { root_widening: 8, mate_visits: 4, ..PuctConfig::default() };
    for config in [gumbel(), puct(), SearchConfig::Puct(mates)] {
        compare(&minishogi_start(), &config);
        compare(&Four::empty(), &config);
    }
}

/// A stop is heeded only where no walk is under way, so that the tree can be kept, or given up in part.
#[test]
fn a_search_that_is_stopped_goes_on_as_if_it_had_not_been() {
    let game = minishogi_start();
    let search = |more: &mut dyn FnMut() -> bool| {
        let mut evaluator = Asked { when: PolicyAsked::OnReturn, policies: 0 };
        let mut search = Search::new(puct());
        search.start(&game, 500, Noise::None, &mut Rng::seed_from_u64(0));
        while !search.is_over() {
            run_while(&mut search, &mut evaluator, &mut *more);
        }
        search.root_moves().collect::<Vec<_>>()
    };
    assert_eq!(search(&mut || false), search(&mut || true));
}

/// Positions whose moves were forgotten get them back.
#[test]
fn a_full_tree_is_searched_on() {
    let mut evaluator = Asked { when: PolicyAsked::OnReturn, policies: 0 };
    let mut search = Search::with_memory(puct(), 1);
    search.start(&minishogi_start(), 60_000, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, &mut evaluator);
    assert_eq!(search.simulations(), 60_000);
    let visits: u32 = search.root_moves().map(|mv| mv.visits).sum();
    assert_eq!(visits, 60_000);
}
