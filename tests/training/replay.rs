//! Replay: samples that say what the records say, from the right player's view, and a window that stays bounded.

use crate::hash_evaluator;

use std::{
    collections::{HashMap, HashSet},
    sync::atomic::AtomicBool,
};

use hash_evaluator::HashNet;
use sanki::{
    base::rng::{Purpose, stream},
    games::{
        encode::{Encode, Features, Inputs},
        rules::{Game, Move, Reason, RuleSet, Side, Verdict, dobutsu::Dobutsu},
    },
    net::Precision,
    search::{GumbelConfig, SearchConfig, Wdl},
    training::{
        replay::{Encoder, ReplayConfig, Sample, Window},
        selfplay::{
            GameRecord, HandicapConfig, Plan, ResignConfig, SearchDepth, SelfPlayConfig, Workers, evaluator,
            play,
        },
    },
};

fn games(count: u32) -> Vec<GameRecord> {
    let config = SelfPlayConfig {
        positions_per_generation: 400,
        lag: 0,
        games_per_worker: 5,
        simulations: 16,
        quick_simulations: 4,
        full_share: 0.7,
        opening_plies: 4,
        max_plies: 60,
        cache_positions: 0,
        precision: Precision::Fp32,
        handicap: HandicapConfig::default(),
        resign: ResignConfig { max_error: 0.0, played_out: 0.0, min_measured: 1 },
        search: SearchConfig::Gumbel(GumbelConfig::default()),
    };
    let plan = Plan {
        config: &config,
        rules: RuleSet::Standard,
        seed: 5,
        generation: 1,
        games: count,
        done: HashSet::new(),
        resign_below: None,
    };
    let mut games = Vec::new();
    let stop = AtomicBool::new(false);
    let keep = |game| {
        games.push(game);
        Ok(())
    };
    play::<Dobutsu, _>(&plan, &Workers::all(1), || evaluator(None, Box::new(HashNet)), &stop, keep).unwrap();
    games
}

fn config() -> ReplayConfig {
    ReplayConfig { window_start: 100, window_exponent: 0.5, window_max: 300, reuse: 3.0, value_mix: 0.0 }
}

/// The position at `ply`, and the one after it.
fn positions(record: &GameRecord, ply: usize) -> (Dobutsu, Dobutsu) {
    let mut game = Dobutsu::from_fen(record.rules, &record.start).unwrap();
    let mut before = game.clone();
    for past in &record.plies[..=ply] {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        before = game.clone();
        game.play(*moves.iter().find(|mv| mv.bits() == past.mv).unwrap());
    }
    (before, game)
}

fn sorted(features: &Features) -> Features {
    let mut features = features.clone();
    features.active.sort_unstable();
    features
}

fn mirrored(features: &Features) -> Features {
    let mut features = features.clone();
    for feature in &mut features.active {
        feature.square = Dobutsu::mirror_square(feature.square.into()) as u8;
    }
    sorted(&features)
}

/// All samples of a record's full searches with their plies, several of each.
fn samples(record: &GameRecord, config: &ReplayConfig) -> Vec<(usize, Sample)> {
    let mut rng = stream(1, Purpose::Replay, &[]);
    let game = Encoder::<Dobutsu>::new(Inputs::Pieces).encode(record.clone());
    let full = record.plies.iter().enumerate().filter(|(_, ply)| ply.search == SearchDepth::Full);
    assert!((0..game.positions()).map(|number| game.ply(number)).eq(full.map(|(ply, _)| ply)));
    let mut sample = |number| {
        let mut sample = Sample::default();
        game.sample_into::<Dobutsu>(number, config.value_mix, &mut rng, &mut sample);
        (game.ply(number), sample)
    };
    (0..game.positions()).flat_map(|number| [number; 6]).map(&mut sample).collect()
}

#[test]
fn samples_are_the_positions_mirrored_only_if_nothing_tells_left_from_right() {
    let (mut straight, mut turned) = (0, 0);
    for record in games(8) {
        for (ply, sample) in samples(&record, &config()) {
            let (game, _) = positions(&record, ply);
            let mut features = Features::default();
            game.features(Inputs::Pieces, &mut features);
            let found = sorted(&sample.features);
            assert!(
                found == sorted(&features) || found == mirrored(&features) && game.is_mirrored().is_none()
            );
            straight += usize::from(found == sorted(&features));
            turned += usize::from(found == mirrored(&features));

            let total: f32 = sample.policy.iter().map(|entry| entry.weight).sum();
            assert!((total - 1.0).abs() < 1e-2, "shares sum to {total}");
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let legal: HashSet<usize> = moves.iter().map(|&mv| game.policy_index(mv)).collect();
            assert_eq!(sample.policy.len(), legal.len(), "every legal move is listed");
            if found == sorted(&features) && found != mirrored(&features) {
                assert!(sample.policy.iter().all(|entry| legal.contains(&usize::from(entry.index))));
            }
            let ended = record.reason != Reason::Adjudicated;
            assert_eq!(sample.moves_left, ended.then_some((record.plies.len() - ply) as f32));
        }
    }
    assert!(straight > 50 && turned > 20, "{straight} straight, {turned} mirrored");
}

#[test]
fn the_value_is_the_result_for_the_side_to_move() {
    let mut seen = HashMap::new();
    for record in games(12) {
        for (ply, sample) in samples(&record, &config()) {
            let mover = if ply % 2 == 0 { Side::First } else { Side::Second };
            let expected = match record.verdict {
                Verdict::Draw => Wdl::DRAW,
                Verdict::Win(side) if side == mover => Wdl::WIN,
                Verdict::Win(_) => Wdl::LOSS,
            };
            assert_eq!(sample.wdl, expected);
            *seen.entry(format!("{expected:?}")).or_insert(0) += 1;
        }
    }
    assert!(seen.len() >= 2, "only {seen:?}");
}

#[test]
fn the_value_mixes_in_the_search_as_told() {
    let record = &games(1)[0];
    let mixed = ReplayConfig { value_mix: 1.0, ..config() };
    for (ply, sample) in samples(record, &mixed) {
        let wdl = record.plies[ply].root_wdl();
        assert_eq!(sample.wdl, wdl);
    }
}

#[test]
fn the_reply_is_the_next_policy_turned_round() {
    let (mut checked, mut swapped) = (0, 0);
    for record in games(8) {
        for (ply, sample) in samples(&record, &config()) {
            let searched = record.plies.get(ply + 1).is_some_and(|next| next.search == SearchDepth::Full);
            assert_eq!(!sample.reply.is_empty(), searched);
            let (game, next) = positions(&record, ply);
            let mut features = Features::default();
            game.features(Inputs::Pieces, &mut features);
            let straight = sorted(&sample.features) == sorted(&features);
            if !searched || !straight || sorted(&features) == mirrored(&features) {
                continue;
            }
            let squares = Dobutsu::SQUARES;
            let is_swapped = next.is_mirrored().unwrap_or(false) != game.is_mirrored().unwrap_or(false);
            swapped += usize::from(is_swapped);
            let mut moves = Vec::new();
            next.legal_moves(&mut moves);
            let replies: HashSet<usize> = moves.iter().map(|&mv| next.policy_index(mv)).collect();
            for entry in &sample.reply {
                let (plane, square) =
                    (usize::from(entry.index) / squares, usize::from(entry.index) % squares);
                let turned = squares - 1 - square;
                let index = if is_swapped {
                    Dobutsu::mirror_move_plane(plane) * squares + Dobutsu::mirror_square(turned)
                } else {
                    plane * squares + turned
                };
                assert!(replies.contains(&index));
                checked += 1;
            }
        }
    }
    assert!(
        checked > 100 && swapped > 10,
        "only {checked} replies were checked, {swapped} positions with a swap"
    );
}

#[test]
fn the_window_grows_as_told_and_forgets_the_oldest() {
    let config = config();
    assert_eq!(config.window(60), 60);
    assert_eq!(config.window(100), 100);
    assert_eq!(config.window(400), 200);
    assert_eq!(config.window(1_000_000), 300);

    let mut window = Window::new(config.clone(), Inputs::Pieces);
    let mut rng = stream(2, Purpose::Replay, &[]);
    let mut seen = 0;
    for _ in 0..10 {
        let seen_before = seen;
        let new = window.add::<Dobutsu>(games(10));
        seen += new;
        assert_eq!(window.seen(), seen);
        let longest = window.games().map(|game| game.plies.len() as u64).max().unwrap();
        let room = config.window(seen);
        assert!(window.games().all(|game| game.plies().all(|(_, candidates)| candidates.is_empty())));
        assert!(window.positions() >= room && window.positions() < room + longest);

        let all = window.positions() as usize;
        let drawn = window.draw(all, &mut rng);
        assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), all, "none twice before all were drawn");
        let twice = window.draw(2 * all, &mut rng);
        let mut counts = HashMap::new();
        twice.iter().for_each(|place| *counts.entry(place).or_insert(0) += 1);
        assert!(counts.values().all(|&count| count == 2));
        assert_eq!(window.due(0), (3 * seen) as usize);
        assert_eq!(window.due(3 * seen - 5), 5);
        assert_eq!(new, seen - seen_before);
    }
}
