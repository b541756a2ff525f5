//! What is known for certain: wins, losses, draws, and what follows from them.

use super::*;

#[test]
fn wins_in_one_two_and_three_are_found_and_proven() {
    let positions: Vec<_> =
        positions(&Three::empty(), 60).into_iter().filter(|game| game.ply() >= 2).collect();
    for plies in [1, 3, 5] {
        let wins: Vec<_> = positions.iter().filter(|game| solve(*game) == (1, plies)).take(30).collect();
        assert!(wins.len() >= 3, "{} wins in {plies} plies", wins.len());
        for game in wins {
            for config in [gumbel(), puct()] {
                let search = search(config, game, 2000, &mut Even);
                let mut after = game.clone();
                after.play(search.best_move());
                assert_eq!(solve(&after).0, -1, "{game:?}");
                assert_eq!(search.root_wdl(), Wdl::WIN);
                assert!(search.simulations() < 2000, "a proof ends the search");
                // Several moves may win: what is not proven to has no share.
                let winning = search.root_moves().filter(|mv| mv.q == Some(1.0));
                assert!((winning.map(|mv| mv.policy).sum::<f32>() - 1.0).abs() < 1e-6);
                assert_eq!(root_move(&search, search.best_move()).q, Some(1.0));
            }
        }
    }
}

#[test]
fn what_is_proven_is_true() {
    let mut proven = [0; 3];
    for game in positions(&Three::empty(), 60) {
        let truth = solve(&game).0;
        for config in [gumbel(), puct()] {
            let search = search(config, &game, 3000, &mut Hash);
            if search.simulations() < 3000 {
                proven[(truth + 1) as usize] += 1;
                let known = [Wdl::LOSS, Wdl::DRAW, Wdl::WIN][(truth + 1) as usize];
                assert_eq!(search.root_wdl(), known, "{game:?}");
                let mut after = game.clone();
                after.play(search.best_move());
                assert_eq!(-solve(&after).0, truth, "{game:?}");
            }
        }
    }
    assert!(proven.iter().all(|&n| n > 10), "losses, draws, wins proven: {proven:?}");
}

#[test]
fn a_loss_is_avoided_and_gets_no_policy() {
    // First threatens 0-1-2; only 2 answers.
    let game = Three::after(&[0, 4, 1]);
    for config in [gumbel(), puct()] {
        let search = search(config, &game, 60, &mut Even);
        assert_eq!(search.best_move(), Square(2));
        assert!(root_move(&search, Square(2)).policy > 0.99, "the others lose for certain");
        let lost = search.root_moves().filter(|mv| mv.q == Some(-1.0));
        assert_eq!(lost.map(|mv| mv.policy).sum::<f32>(), 0.0);
        assert!(search.root_wdl().q() > -0.2, "tries that lose do not count: {:?}", search.root_wdl());
    }
}

#[test]
fn a_lost_root_still_has_a_policy_and_a_move() {
    // First threatens 2, 5 and 7: nothing helps.
    let game = Three::after(&[0, 3, 4, 6, 1]);
    assert_eq!(solve(&game).0, -1);
    for config in [gumbel(), puct()] {
        let search = search(config, &game, 500, &mut Even);
        assert_eq!(search.root_wdl(), Wdl::LOSS);
        assert!((search.root_moves().map(|mv| mv.policy).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(children(&game).iter().any(|(mv, _)| *mv == search.best_move()));
    }
}

#[test]
fn a_proven_loss_is_never_chosen_while_there_is_another_move() {
    for game in positions(&Three::empty(), 20) {
        for simulations in [1, 3, 10, 40, 100] {
            for max_considered in [1, 2, 3] {
                let config = SearchConfig::Gumbel(GumbelConfig { max_considered, ..GumbelConfig::default() });
                let search = search(config, &game, simulations, &mut Hash);
                let chosen = root_move(&search, search.best_move());
                assert!(chosen.q != Some(-1.0) || search.root_wdl() == Wdl::LOSS, "{game:?} {chosen:?}");
            }
        }
    }
}

#[test]
fn a_repetition_inside_the_tree_is_a_draw() {
    let start = Dobutsu::start(RuleSet::Threefold, Setup::Standard, &mut Rng::seed_from_u64(0));
    // The giraffes go up and down: the starting position for the second time after four plies.
    let after = |plies: usize| {
        let mut game = start.clone();
        for text in ["c1c2", "a4a3", "c2c1", "a3a4"].iter().cycle().take(plies) {
            game.play(game.parse_move(text).expect("a legal move"));
        }
        game
    };
    for config in [gumbel(), puct()] {
        for (game, text, third) in [(after(7), "a3a4", true), (after(3), "a3a4", false)] {
            let search = search(config.clone(), &game, 60, &mut Hash);
            let back = root_move(&search, game.parse_move(text).expect("a legal move"));
            assert!(back.visits > 0);
            assert_eq!(back.q == Some(0.0), third, "{back:?}");
        }
    }
}

#[test]
fn what_ends_the_game_is_seen_without_a_simulation() {
    let positions = positions(&Three::empty(), 60);
    let wins: Vec<_> = positions.iter().filter(|game| solve(*game) == (1, 1)).collect();
    assert!(wins.len() > 20, "{}", wins.len());
    for game in wins {
        for simulations in [0, 1, 100] {
            for config in [gumbel(), puct()] {
                let search = search(config, game, simulations, &mut Hash);
                let mut after = game.clone();
                after.play(search.best_move());
                assert!(after.outcome().is_some(), "{game:?}");
                assert_eq!(search.simulations(), 0);
            }
        }
    }
}

#[test]
fn a_draw_for_the_taking_bounds_what_a_position_is_worth() {
    /// Thinks that the second side is lost, and that it will not repeat.
    struct Gloom;
    impl Evaluator<Dobutsu> for Gloom {
        fn evaluate(&mut self, queries: &[&Query<Dobutsu>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                let is_second = query.game.side_to_move() == Side::Second;
                out.wdl = if is_second { Wdl::LOSS } else { Wdl::WIN };
                out.logits.clear();
                let repeats = |mv: &DobutsuMove| mv.to_string() == "a3a4";
                out.logits.extend(query.moves.iter().map(|mv| if repeats(mv) { -30.0 } else { 0.0 }));
            }
        }
    }
    let mut game = Dobutsu::start(RuleSet::Threefold, Setup::Standard, &mut Rng::seed_from_u64(0));
    for text in ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1"] {
        game.play(game.parse_move(text).expect("a legal move"));
    }
    let search = search(puct(), &game, 20, &mut Gloom);
    assert_eq!(search.best_move().to_string(), "a3a4");
    assert_eq!(search.root_wdl(), Wdl::DRAW);
    assert!(search.root_moves().filter(|mv| mv.visits > 0).count() > 1, "the others were looked at");
}

#[test]
fn what_is_proven_is_true_where_most_is_forgotten() {
    for game in positions(&Three::empty(), 20).into_iter().filter(|game| game.ply() > 3) {
        let mut search = Search::with_memory(puct(), 1);
        search.start(&game, 50_000, Noise::None, &mut Rng::seed_from_u64(0));
        run(&mut search, &mut Hash);
        let truth = [Wdl::LOSS, Wdl::DRAW, Wdl::WIN][(solve(&game).0 + 1) as usize];
        assert_eq!(search.root_wdl(), truth, "{game:?}");
    }
}

/// `mate_visits = 1`: when a node is visited for the second time, as with larger values at later visits.
#[test]
fn a_mate_is_looked_for_after_so_many_visits() {
    let positions = positions(&minishogi_start(), 20);
    let lost_moves = |mate_visits: u32| -> usize {
        let config = PuctConfig { mate_visits, mate_plies: 5, ..PuctConfig::default() };
        let lost = |game| {
            let search = search(SearchConfig::Puct(config.clone()), game, 50, &mut Even);
            search.root_moves().filter(|mv| mv.q == Some(-1.0)).count()
        };
        positions.iter().map(lost).sum()
    };
    let lost = [1, 2, 3, 5].map(lost_moves);
    assert!(lost.is_sorted_by(|earlier, later| earlier > later), "{lost:?}");
}

/// As a fresh search does, where the position had too few visits for it so far.
#[test]
fn a_mate_is_looked_for_where_the_tree_is_kept() {
    let config = PuctConfig { mate_visits: 64, mate_plies: 5, ..PuctConfig::default() };
    let mut found = 0;
    for game in positions(&minishogi_start(), 20) {
        for (mv, after) in children(&game).into_iter().filter(|(_, after)| after.outcome().is_none()) {
            let fresh = search(SearchConfig::Puct(config.clone()), &after, 1, &mut Even);
            if fresh.root_wdl() != Wdl::WIN {
                continue;
            }
            let mut kept = Search::new(SearchConfig::Puct(config.clone()));
            kept.start(&game, 20, Noise::None, &mut Rng::seed_from_u64(0));
            run(&mut kept, &mut Even);
            kept.start_after(&[mv], &after, 1);
            run(&mut kept, &mut Even);
            assert_eq!(kept.root_wdl(), Wdl::WIN, "{}", after.fen());
            found += 1;
            break;
        }
    }
    assert!(found > 10, "{found}");
}

/// Prefers the moves that come later, but for one that it hardly thinks of.
struct Later;

impl<G: Game> Evaluator<G> for Later {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            out.wdl = Wdl::DRAW;
            let logit = |(place, mv): (usize, &G::Move)| {
                if mv.to_string() == "a3a4" { -4.0 } else { 0.25 * place as f32 }
            };
            out.logits = query.moves.iter().enumerate().map(logit).collect();
        }
    }
}

/// What it says of each legal move, as a probability.
fn priors<G: Game>(game: &G) -> Vec<(G::Move, f32)> {
    let (mut moves, mut out) = (Vec::new(), [Evaluation::default()]);
    game.legal_moves(&mut moves);
    Later.evaluate(&[&Query { game: game.clone(), moves: moves.clone(), policy_only: false }], &mut out);
    let odds: Vec<f32> = out[0].logits.iter().map(|logit| logit.exp()).collect();
    let total: f32 = odds.iter().sum();
    moves.into_iter().zip(odds).map(|(mv, odds)| (mv, odds / total)).collect()
}

fn assert_priors<G: Game>(search: &Search<G>) {
    for (mv, prior) in priors(search.root()) {
        let found = root_move(search, mv).prior;
        assert!((found - prior).abs() < 1e-5, "{mv}: {found}, not {prior}, in {}", search.root().fen());
    }
}

/// So that mirror images of a position have the same policy, whatever the order of their moves.
#[test]
fn each_of_several_moves_that_end_the_game_has_its_own_prior() {
    let mut seen = 0;
    for game in positions(&Three::empty(), 60) {
        let children = children(&game);
        let wins: Vec<_> = children.iter().filter(|(_, after)| after.outcome().is_some()).collect();
        if wins.len() < 2 {
            continue;
        }
        seen += 1;
        for config in [gumbel(), puct()] {
            let search = search(config, &game, 10, &mut Later);
            assert_priors(&search);
            // They share the improved policy as they share the priors.
            let total: f32 = wins.iter().map(|(mv, _)| root_move(&search, *mv).prior).sum();
            for (mv, _) in &wins {
                let RootMove { prior, policy, .. } = root_move(&search, *mv);
                assert!((policy - prior / total).abs() < 1e-5, "{mv}: {policy}, {prior} in {game:?}");
            }
        }
    }
    assert!(seen > 3, "{seen}");
}

/// A root that was visited only once before it was kept: which moves end the game is found out now.
#[test]
fn a_kept_root_with_a_move_that_ends_the_game_opens_the_likeliest_next() {
    let mut game = Dobutsu::start(RuleSet::Threefold, Setup::Standard, &mut Rng::seed_from_u64(0));
    for text in ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3"] {
        game.play(game.parse_move(text).expect("a legal move"));
    }
    let back = game.parse_move("c2c1").expect("a legal move");
    let mut search = Search::new(puct());
    search.restrict(&[back]);
    search.start(&game, 1, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, &mut Later);
    assert_eq!(root_move(&search, back).visits, 1);

    game.play(back);
    search.restrict(&[]);
    search.start_after(&[back], &game, 1);
    run(&mut search, &mut Later);
    let repeats = game.parse_move("a3a4").expect("a legal move");
    assert_eq!(root_move(&search, repeats).q, Some(0.0), "it draws");
    assert_priors(&search);
    let visited: Vec<_> = search.root_moves().filter(|mv| mv.visits > 0).map(|mv| mv.mv).collect();
    let likeliest = priors(&game).into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b)).expect("a legal move");
    assert_eq!(visited, [likeliest.0]);
}
