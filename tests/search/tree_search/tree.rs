//! The tree: its memory, its threads, and what is kept of it.

use super::*;

/// Whoever plays it needs its value alone; else it is searched like any other.
#[test]
fn a_forced_move_takes_one_simulation_where_it_is_to_be_played() {
    let mut forced = 0;
    for game in positions(&minishogi_start(), 20).into_iter().filter(|game| children(game).len() == 1) {
        let mv = children(&game)[0].0;
        for config in [gumbel(), puct()] {
            let mut search = Search::new(config);
            for (is_played, most) in [(true, 1), (false, 40)] {
                search.start(&game, 40, Noise::None, &mut Rng::seed_from_u64(0));
                if is_played {
                    search.hurry_if_forced();
                }
                run(&mut search, &mut Even);
                let is_proven = search.variations(1)[0].certain.is_some();
                assert!(search.simulations() == most || is_proven && search.simulations() < most);
                assert_eq!(search.best_move(), mv);
                assert_eq!(root_move(&search, mv).policy, 1.0);
            }
        }
        forced += 1;
    }
    assert!(forced > 10, "{forced}");
}

#[test]
fn reused_buffers_change_nothing() {
    let mut fresh_rng = Rng::seed_from_u64(11);
    let mut reused_rng = Rng::seed_from_u64(11);
    for config in [gumbel(), puct()] {
        let mut reused = Search::new(config.clone());
        for (i, game) in positions(&Four::empty(), 3).iter().enumerate() {
            let simulations = [7, 90, 33][i % 3];
            let mut fresh = Search::new(config.clone());
            fresh.start(game, simulations, Noise::Explore, &mut fresh_rng);
            reused.start(game, simulations, Noise::Explore, &mut reused_rng);
            run(&mut fresh, &mut Hash);
            run(&mut reused, &mut Hash);
            assert!(fresh.root_moves().eq(reused.root_moves()));
            assert_eq!(fresh.best_move(), reused.best_move());
            assert_eq!(fresh.root_wdl(), reused.root_wdl());
        }
    }
}

#[test]
fn a_leaf_stays_until_it_is_resolved() {
    let mut search = Search::new(gumbel());
    search.start(&Four::empty(), 4, Noise::None, &mut Rng::seed_from_u64(0));
    assert_eq!(search.next_leaf().expect("the root").game, Four::empty());
    assert_eq!(search.leaf().moves.len(), 25);
    let key = search.next_leaf().expect("the same leaf").game.key();
    assert_eq!(key, Four::empty().key());
    search.resolve(&Evaluation { wdl: Wdl::DRAW, logits: vec![0.0; 25] });
    assert_eq!(search.next_leaf().expect("a child").game.ply(), 1);
    assert_eq!(search.root(), &Four::empty());
    assert_eq!(search.simulations(), 0);
}

#[test]
fn a_full_tree_goes_on_within_its_memory() {
    // Many moves of every node are opened, so that the nodes are what there is no room for.
    let wide = SearchConfig::Puct(PuctConfig { c_init: 50.0, ..PuctConfig::default() });
    for config in [gumbel(), puct(), wide] {
        let mut search = Search::with_memory(config, 1);
        search.start(&Four::empty(), 60_000, Noise::None, &mut Rng::seed_from_u64(0));
        run(&mut search, &mut Hash);
        assert_eq!(search.simulations(), 60_000);
        assert_eq!(search.root_moves().map(|mv| mv.visits).sum::<u32>(), 60_000);
        // A chunk of nodes and one of edges more than was asked for, at most.
        assert!(search.bytes() < (1 << 20) + 600_000, "{}", search.bytes());
    }
}

#[test]
fn the_tree_is_kept_below_the_moves_played() {
    let mut game = Four::empty();
    let mut search = Search::new(puct());
    search.start(&game, 3000, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, &mut Hash);
    let mut since = Vec::new();
    let mut kept = 0;
    for ply in 0..8 {
        let RootMove { mv, visits: before, .. } = search.root_moves().max_by_key(|mv| mv.visits).unwrap();
        since.push(mv);
        game.play(mv);
        if ply % 2 == 1 {
            search.start_after(&since, &game, 500);
            since.clear();
            run(&mut search, &mut Hash);
            let visits = search.root_moves().map(|mv| mv.visits).sum::<u32>();
            assert_eq!(search.simulations(), 500, "only new ones are counted");
            assert!(visits >= 500);
            kept += visits - 500;
            assert_eq!(search.root_moves().count(), children(&game).len());
            assert!((search.root_moves().map(|mv| mv.prior).sum::<f32>() - 1.0).abs() < 1e-5);
        } else {
            assert!(before > 0);
            search.start_after(&since, &game, 500);
            since.clear();
            run(&mut search, &mut Hash);
        }
    }
    assert!(kept > 300, "{kept}");
    // A position that the tree does not hold.
    search.start_after(&[Square(99)], &Four::empty(), 100);
    run(&mut search, &mut Hash);
    assert_eq!(search.root_moves().map(|mv| mv.visits).sum::<u32>(), 100);
}

#[test]
fn threads_share_a_tree() {
    for (threads, batch) in [(4, 1), (1, 8), (3, 4)] {
        let mut search = Search::new(puct());
        search.start(&Four::empty(), 20_000, Noise::None, &mut Rng::seed_from_u64(0));
        let mut evaluators: Vec<Hash> = (0..threads).map(|_| Hash).collect();
        run_together(&mut search, &mut evaluators, batch, &|| true);
        assert_eq!(search.simulations(), 20_000);
        assert_eq!(search.root_moves().map(|mv| mv.visits).sum::<u32>(), 20_000, "every visit counts once");
        for game in positions(&Three::empty(), 10).into_iter().filter(|game| game.ply() > 3) {
            let mut search = Search::with_memory(puct(), 1);
            // Far more than a proof takes: while a thread that holds the last leaf is held up, the others go on.
            search.start(&game, 100_000_000, Noise::None, &mut Rng::seed_from_u64(0));
            let mut evaluators: Vec<Hash> = (0..threads).map(|_| Hash).collect();
            run_together(&mut search, &mut evaluators, batch, &|| true);
            let truth = [Wdl::LOSS, Wdl::DRAW, Wdl::WIN][(solve(&game).0 + 1) as usize];
            assert_eq!(search.root_wdl(), truth, "{game:?}");
        }
    }
}

/// Threads that share a tree until it is proven find the truth.
#[test]
fn threads_share_a_small_tree() {
    // Miri takes minutes for each.
    let games = if cfg!(miri) { 1 } else { 2 };
    for game in [Three::after(&[0, 4, 8, 2, 6]), Three::after(&[0, 1, 2, 4, 3])].into_iter().take(games) {
        let mut search = Search::with_memory(puct(), 1);
        search.start(&game, 2_000, Noise::None, &mut Rng::seed_from_u64(0));
        run_together(&mut search, &mut [Hash, Hash, Hash], 1, &|| true);
        let truth = [Wdl::LOSS, Wdl::DRAW, Wdl::WIN][(solve(&game).0 + 1) as usize];
        assert_eq!(search.root_wdl(), truth, "{game:?}");
        assert!(search.simulations() < 2_000, "a proof ends the search");
    }
}

#[test]
fn a_search_is_stopped_where_nothing_needs_an_evaluation() {
    // All moves but those into a proven draw lose: a simulation ends at the root's child.
    let game = positions(&Three::empty(), 60)
        .into_iter()
        .find(|game| game.ply() >= 4 && solve(game).0 == 0)
        .expect("drawn positions");
    let mut search = Search::new(puct());
    search.start(&game, u32::MAX, Noise::None, &mut Rng::seed_from_u64(0));
    let mut left = 200;
    run_while(&mut search, &mut Hash, || {
        left -= 1;
        left > 0
    });
    assert!(search.simulations() <= 200, "one step a question: {}", search.simulations());
}

/// Far more moves than one chunk of the tree holds, again and again.
#[test]
fn a_kept_tree_holds_each_move_once() {
    let mut search = Search::new(puct());
    let mut rng = Rng::seed_from_u64(0);
    for start in positions(&minishogi_start(), 2).into_iter().step_by(3) {
        let mut game = start;
        let mut since = Vec::new();
        search.start(&game, 2000, Noise::None, &mut rng);
        run(&mut search, &mut Hash);
        for _ in 0..20 {
            if game.outcome_or_declaration().is_some() {
                break;
            }
            let mv = search.root_moves().max_by_key(|mv| mv.visits).expect("a legal move").mv;
            game.play(mv);
            since.push(mv);
            if game.outcome_or_declaration().is_some() {
                break;
            }
            search.start_after(&since, &game, 2000);
            since.clear();
            run(&mut search, &mut Hash);
            let mut found: Vec<_> = search.root_moves().map(|mv| mv.mv).collect();
            let mut legal = Vec::new();
            game.legal_moves(&mut legal);
            found.sort_unstable();
            legal.sort_unstable();
            assert_eq!(found, legal, "{}", game.fen());
            for line in search.variations(40) {
                let mut after = game.clone();
                for &mv in &line.moves {
                    let mut legal = Vec::new();
                    after.legal_moves(&mut legal);
                    assert!(legal.contains(&mv), "{:?} after {}", line.moves, game.fen());
                    after.play(mv);
                }
            }
        }
    }
}
