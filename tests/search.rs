//! The search on games small enough to know the truth.

mod support;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    rules::{
        Game, RuleSet, Setup, Side,
        dobutsu::{Dobutsu, DobutsuMove},
    },
    search::{
        Certain, Evaluation, Evaluator, GumbelConfig, Noise, PuctConfig, Query, RootMove, Search,
        SearchConfig, Wdl, run, run_together, run_while,
    },
};
use support::{Even, Four, Hash, Square, Three, children, mix, solve};

type Rng = Xoshiro256PlusPlus;

fn gumbel() -> SearchConfig {
    SearchConfig::Gumbel(GumbelConfig::default())
}

fn puct() -> SearchConfig {
    SearchConfig::Puct(PuctConfig::default())
}

fn search<G: Game>(
    config: SearchConfig,
    game: &G,
    simulations: u32,
    evaluator: &mut impl Evaluator<G>,
) -> Search<G> {
    let mut search = Search::new(config);
    search.start(game, simulations, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, evaluator);
    search
}

fn root_move<G: Game>(search: &Search<G>, mv: G::Move) -> RootMove<G::Move> {
    search.root_moves().find(|root_move| root_move.mv == mv).expect("a legal move")
}

/// The positions of random games, none of them over, each once.
fn positions<G: Game>(start: &G, games: usize) -> Vec<G> {
    let mut rng = Rng::seed_from_u64(7);
    let mut positions = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..games {
        let mut game = start.clone();
        while game.outcome().is_none() {
            if seen.insert(game.key()) {
                positions.push(game.clone());
            }
            let children = children(&game);
            game = children[rng.random_range(0..children.len())].1.clone();
        }
    }
    positions
}

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
fn a_single_legal_move_needs_no_more_than_one_simulation() {
    let game = Three::after(&[0, 1, 2, 4, 3, 5, 7, 6]);
    for (config, simulations) in [(gumbel(), 1), (puct(), 0)] {
        let search = search(config, &game, 100, &mut Hash);
        // PUCT sees at the root that the move ends the game.
        assert_eq!(search.simulations(), simulations);
        assert_eq!(search.best_move(), Square(8));
        assert_eq!(search.root_wdl(), Wdl::DRAW);
        assert_eq!(search.root_prior_wdl(), Hash::wdl(&game));
        assert_eq!(root_move(&search, Square(8)).policy, 1.0);
    }
}

#[test]
fn every_simulation_visits_one_root_move() {
    for simulations in [0, 1, 2, 5, 16, 31, 32, 50, 64, 200] {
        for config in [gumbel(), puct()] {
            let search = search(config, &Four::empty(), simulations, &mut Hash);
            assert_eq!(search.simulations(), simulations);
            assert_eq!(search.root_moves().map(|mv| mv.visits).sum::<u32>(), simulations);
            assert_eq!(search.root_moves().count(), 25);
        }
    }
}

#[test]
fn sequential_halving_divides_the_visits_as_in_the_paper() {
    let visits = |simulations| {
        let search = search(gumbel(), &Four::empty(), simulations, &mut Hash);
        let mut visits: Vec<_> = search.root_moves().map(|mv| mv.visits).filter(|&n| n > 0).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        visits
    };
    assert_eq!(visits(5), [1; 5]);
    assert_eq!(visits(16), [1; 16]);
    // 16 moves once, 8 once, 4 twice.
    assert_eq!(visits(32), [4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
    // 16 moves once, 8 twice, 4 four times, 2 eight times.
    assert_eq!(visits(64), [15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
}

/// Wants to hold the middle, and likes every move the same.
struct Middle;

impl Evaluator<Four> for Middle {
    fn evaluate(&mut self, queries: &[&Query<Four>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            let holds = |side| query.game.stones(side) >> 12 & 1 == 1;
            let side = query.game.side_to_move();
            out.wdl = match (holds(side), holds(!side)) {
                (true, _) => Wdl { win: 0.7, draw: 0.2, loss: 0.1 },
                (_, true) => Wdl { win: 0.1, draw: 0.2, loss: 0.7 },
                _ => Wdl { win: 0.4, draw: 0.2, loss: 0.4 },
            };
            out.logits.clear();
            out.logits.resize(query.moves.len(), 0.0);
        }
    }
}

#[test]
fn values_are_seen_from_the_right_side() {
    let middle = Square(12);
    let all = SearchConfig::Gumbel(GumbelConfig { max_considered: 25, ..GumbelConfig::default() });
    for config in [all, puct()] {
        // First takes the middle; Second, to move, takes it away.
        for (game, side) in [(Four::empty(), Side::First), (Four::after(&[0]), Side::Second)] {
            assert_eq!(game.side_to_move(), side);
            let search = search(config.clone(), &game, 100, &mut Middle);
            assert_eq!(search.best_move(), middle, "{side:?}");
            assert!(root_move(&search, middle).q.unwrap() > 0.5, "{side:?}");
            assert!(search.root_wdl().q() > 0.2, "{side:?}: {:?}", search.root_wdl());
            assert!((search.root_wdl().draw - 0.2).abs() < 0.01);
        }
        let taken = Four::after(&[12]);
        assert_eq!(search(config, &taken, 1, &mut Middle).root_prior_wdl().q(), 0.1 - 0.7);
    }
}

#[test]
fn the_improved_policy_improves() {
    // Every move is visited once, so that its Q-value is the evaluator's own of the position behind it.
    let config = SearchConfig::Gumbel(GumbelConfig { max_considered: 25, ..GumbelConfig::default() });
    for game in positions(&Four::empty(), 20).into_iter().filter(|game| game.ply() < 6) {
        let moves = children(&game).len() as u32;
        let search = search(config.clone(), &game, moves, &mut Hash);
        let value = |weight: fn(&RootMove<Square>) -> f32| -> f32 {
            search.root_moves().map(|mv| weight(&mv) * mv.q.expect("every move was visited")).sum()
        };
        assert!(value(|mv| mv.policy) > value(|mv| mv.prior), "{game:?}");
        assert!((search.root_wdl().q() - value(|mv| mv.policy)).abs() < 1e-4);
    }
}

#[test]
fn gumbel_without_noise_follows_value_over_prior_and_with_noise_samples() {
    let game = Four::empty();
    let mut first_considered = std::collections::BTreeSet::new();
    let mut rng = Rng::seed_from_u64(3);
    let mut search = Search::new(gumbel());
    for _ in 0..20 {
        search.start(&game, 1, Noise::Explore, &mut rng);
        run(&mut search, &mut Even);
        first_considered.insert(search.best_move());
        assert!(
            search.root_moves().all(|mv| (mv.prior - 0.04).abs() < 1e-6),
            "noise leaves the priors alone"
        );
    }
    assert!(
        first_considered.len() > 8,
        "sampled without replacement from an even prior: {first_considered:?}"
    );
}

#[test]
fn puct_visits_equal_moves_in_proportion_to_their_priors() {
    /// All positions are alike; the moves' logits are the logarithms of 1, 2, 3, …
    struct Ramp;
    impl Evaluator<Four> for Ramp {
        fn evaluate(&mut self, queries: &[&Query<Four>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                out.wdl = Wdl::DRAW;
                out.logits.clear();
                out.logits.extend(query.moves.iter().map(|mv| (f32::from(mv.0) + 1.0).ln()));
            }
        }
    }
    let config = SearchConfig::Puct(PuctConfig { fpu_reduction: 0.0, ..PuctConfig::default() });
    let search = search(config, &Four::empty(), 650, &mut Ramp);
    for mv in search.root_moves() {
        let expected = 650.0 * mv.prior;
        assert!((mv.visits as f32 - expected).abs() < 3.0, "{mv:?}: {expected}");
        assert!((mv.policy - mv.visits as f32 / 650.0).abs() < 1e-6);
    }
    assert_eq!(search.best_move(), Square(24));
}

#[test]
fn puct_explores_with_noise_only_when_asked() {
    let mut rng = Rng::seed_from_u64(5);
    let mut visits = |noise| {
        let mut search = Search::new(puct());
        search.start(&Four::empty(), 60, noise, &mut rng);
        run(&mut search, &mut Hash);
        let mut visits: Vec<_> = search.root_moves().map(|mv| (mv.mv, mv.visits)).collect();
        visits.sort_unstable();
        visits
    };
    assert_eq!(visits(Noise::None), visits(Noise::None));
    assert_ne!(visits(Noise::Explore), visits(Noise::Explore));
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
fn what_is_proven_is_true_where_most_is_forgotten() {
    for game in positions(&Three::empty(), 20).into_iter().filter(|game| game.ply() > 3) {
        let mut search = Search::with_memory(puct(), 1);
        search.start(&game, 50_000, Noise::None, &mut Rng::seed_from_u64(0));
        run(&mut search, &mut Hash);
        let truth = [Wdl::LOSS, Wdl::DRAW, Wdl::WIN][(solve(&game).0 + 1) as usize];
        assert_eq!(search.root_wdl(), truth, "{game:?}");
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
        let mv = search.best_move();
        since.push(mv);
        game.play(mv);
        let before = root_move(&search, mv).visits;
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
            search.start(&game, 100_000, Noise::None, &mut Rng::seed_from_u64(0));
            let mut evaluators: Vec<Hash> = (0..threads).map(|_| Hash).collect();
            run_together(&mut search, &mut evaluators, batch, &|| true);
            let truth = [Wdl::LOSS, Wdl::DRAW, Wdl::WIN][(solve(&game).0 + 1) as usize];
            assert_eq!(search.root_wdl(), truth, "{game:?}");
        }
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

/// One number for all that a search decides. It changes when the search changes, and then on purpose.
#[test]
fn fingerprint() {
    let mut rng = Rng::seed_from_u64(1);
    let mut hash = 0;
    for config in [gumbel(), puct()] {
        let mut search = Search::new(config);
        for (i, game) in positions(&Four::empty(), 4).iter().enumerate() {
            let noise = if i % 2 == 0 { Noise::None } else { Noise::Explore };
            search.start(game, 20 + i as u32, noise, &mut rng);
            run(&mut search, &mut Hash);
            let mut visits: Vec<_> = search.root_moves().map(|mv| (mv.mv, mv.visits)).collect();
            visits.sort_unstable();
            for (mv, visits) in visits {
                hash = mix(hash ^ u64::from(mv.0) << 32 ^ u64::from(visits));
            }
            hash = mix(hash ^ u64::from(search.best_move().0));
        }
    }
    assert_eq!(hash, 0xc392_cb6b_7501_ddb0, "{hash:#018x}");
}

#[test]
fn configs_are_read_and_checked() {
    let read = |text: &str| toml::from_str::<SearchConfig>(text);
    assert_eq!(read("kind = 'gumbel'").unwrap(), gumbel());
    assert_eq!(read("kind = 'puct'").unwrap(), puct());
    for config in [gumbel(), puct()] {
        assert_eq!(read(&toml::to_string(&config).unwrap()).unwrap(), config);
        assert_eq!(config.check(), Ok(()));
    }
    let error = read("kind = 'puct'\nc_scale = 1.0").unwrap_err().to_string();
    assert!(error.contains("c_scale"), "{error}");
    assert!(read("kind = 'alphabeta'").is_err());

    let bad = read("kind = 'gumbel'\nmax_considered = 0").unwrap();
    assert_eq!(bad.check().unwrap_err().to_string(), "max_considered = 0: must be at least 1");
    for line in ["c_init = 0.0", "c_base = -1.0", "noise_fraction = 1.5", "root_temperature = 0.0"] {
        let bad = read(&format!("kind = 'puct'\n{line}")).unwrap();
        let key = line.split_once(' ').unwrap().0;
        assert_eq!(bad.check().unwrap_err().key, key);
    }
}

#[test]
fn only_the_moves_named_are_searched_until_none_is() {
    // First wins with 2 alone; all its other moves lose to 5.
    let game = Three::after(&[0, 3, 1, 4]);
    let mut search = Search::new(puct());
    let mut start = |only: &[Square]| {
        search.restrict(only);
        search.start_after(&[], &game, 500);
        run(&mut search, &mut Even);
        let mut moves: Vec<Square> = search.root_moves().map(|mv| mv.mv).collect();
        moves.sort_unstable();
        (moves, search.best_move(), search.root_wdl())
    };
    let all = (vec![Square(2), Square(5), Square(6), Square(7), Square(8)], Square(2), Wdl::WIN);
    assert_eq!(start(&[]), all);
    let (moves, _, wdl) = start(&[Square(6), Square(8)]);
    assert_eq!((moves, wdl), (vec![Square(6), Square(8)], Wdl::LOSS));
    assert_eq!(start(&[Square(5)]).1, Square(5));
    assert_eq!(start(&[]), all);
}

#[test]
fn variations_tell_what_is_certain_of_the_best_moves() {
    let game = Three::after(&[0, 3, 1, 4]);
    let mut search = Search::new(puct());
    search.start(&game, 2000, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, &mut Even);
    let lines = search.variations(9);
    assert_eq!((lines[0].moves.as_slice(), lines[0].certain), (&[Square(2)][..], Some(Certain::Win(1))));
    assert_eq!(search.winning_line(), Some(vec![Square(2)]));
    assert_eq!(search.variations(1).len(), 1);

    // Where no move wins, the loss that takes longest comes first, and shows how it comes about.
    search.restrict(&[Square(6), Square(8)]);
    search.start_after(&[], &game, 2000);
    run(&mut search, &mut Even);
    for line in search.variations(9) {
        assert_eq!((line.certain, line.moves.last()), (Some(Certain::Loss(2)), Some(&Square(5))));
        assert_eq!((line.moves.len(), line.wdl), (2, Wdl::LOSS));
    }
    assert_eq!(search.winning_line(), None);
}

#[test]
fn variations_are_lines_of_legal_moves_best_first() {
    for game in positions(&Four::empty(), 3).into_iter().step_by(7) {
        let search = search(puct(), &game, 300, &mut Hash);
        let lines = search.variations(5);
        assert_eq!(lines[0].moves[0], search.best_move());
        let is_open = |line: &&sanki::search::Variation<Square>| line.certain.is_none();
        assert!(lines.iter().skip(1).filter(is_open).is_sorted_by_key(|line| std::cmp::Reverse(line.visits)));
        for line in &lines {
            let root_move = root_move(&search, line.moves[0]);
            assert_eq!(line.visits, root_move.visits);
            let mut after = game.clone();
            for &mv in &line.moves {
                let mut legal = Vec::new();
                after.legal_moves(&mut legal);
                assert!(legal.contains(&mv));
                after.play(mv);
            }
        }
        // What ends the game is known without a walk.
        assert!(search.deepest() + 1 >= lines.iter().map(|line| line.moves.len()).max().unwrap());
    }
}

/// The whole way of a mate is told, also where the tree has only its first move.
#[test]
fn a_mate_is_told_to_its_end() {
    let mut told = 0;
    for game in positions(&minishogi_start(), 20) {
        let config = PuctConfig { mate_visits: 8, mate_plies: 5, ..PuctConfig::default() };
        let search = search(SearchConfig::Puct(config), &game, 50, &mut Even);
        let Some(line) = search.winning_line() else { continue };
        let mut end = game.clone();
        for &mv in &line {
            assert!(end.outcome().is_none());
            end.play(mv);
        }
        let won = end.outcome_or_declaration().map(|outcome| outcome.verdict);
        assert_eq!(won, Some(sanki::rules::Verdict::Win(game.side_to_move())), "{}: {line:?}", game.fen());
        told += usize::from(line.len() > 1);
    }
    assert!(told > 10, "{told}");
}

fn minishogi_start() -> sanki::rules::shogi::Minishogi {
    Game::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(0))
}
