//! Which moves are visited, and what that teaches.

use super::*;

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
        let value = |weight: fn(&RootMove<Square<5>>) -> f32| -> f32 {
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
    assert_eq!(hash, 0x2f2d_3ccb_3cfb_ed4f, "{hash:#018x}");
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

/// Expects one move alone, and finds every position even.
struct Sharp;

impl<G: Game> Evaluator<G> for Sharp {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            out.wdl = Wdl { win: 0.4, draw: 0.2, loss: 0.4 };
            out.logits.clear();
            out.logits.resize(query.moves.len(), 0.0);
            out.logits.first_mut().into_iter().for_each(|logit| *logit = 30.0);
        }
    }
}

#[test]
fn the_root_opens_another_move_after_so_many_visits() {
    let opened = |root_widening, simulations| {
        let config = SearchConfig::Puct(PuctConfig { root_widening, ..PuctConfig::default() });
        let search = search(config, &Four::empty(), simulations, &mut Sharp);
        search.root_moves().filter(|mv| mv.visits > 0).count() as u32
    };
    assert_eq!(opened(0, 200), 1, "the prior wants no other");
    for (widening, simulations) in
        [(8_u32, 8_u32), (8, 9), (8, 64), (8, 65), (32, 64), (32, 65), (1, 20), (4, 400)]
    {
        // The root has been visited once before the first simulation.
        let expected = (1 + simulations / widening).min(simulations).min(25);
        assert_eq!(opened(widening, simulations), expected, "{widening}, {simulations}");
    }
}

#[test]
fn the_statistics_of_the_best_move_are_those_of_the_root() {
    let (mut agreed, mut others) = (0, 0);
    for game in positions(&minishogi_start(), 6).iter().step_by(3) {
        for simulations in [3, 40, 200] {
            let search = search(puct(), game, simulations, &mut Hash);
            let mut moves: Vec<_> = search.root_moves().collect();
            // The first of several with as many visits leads.
            moves.sort_by_key(|mv| std::cmp::Reverse(mv.visits));
            if moves[0].visits == 0 {
                // Proven at once.
                continue;
            }
            let stats = search.best_move_stats();
            assert_eq!((stats.best, stats.simulations), (search.best_move(), search.simulations()));
            assert_eq!(stats.visits, [moves[0].visits, moves.get(1).map_or(0, |mv| mv.visits)]);
            let leads = |mv: &&RootMove<_>| mv.q.is_some() && mv.q > moves[0].q;
            let rivals = moves.iter().filter(leads).filter(|mv| mv.visits >= moves[0].visits / 10);
            assert_eq!(stats.is_agreed, rivals.count() == 0, "{moves:?}");
            *if stats.is_agreed { &mut agreed } else { &mut others } += 1;
        }
    }
    assert!(agreed > 20 && others > 20, "{agreed} agreed, {others} not");
}
