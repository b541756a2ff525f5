//! Replay: samples that say what the records say, from the right player's view, and a window that stays bounded.

use crate::hash_evaluator;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
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
        replay::{Encoder, MoveWeight, ReplayConfig, Sample, Window},
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

/// Of policy indices their shares of the search's policy, in units of 1/65535.
type Shares = BTreeMap<usize, u16>;

/// Every legal move of `game`, which is `ply` of `record`.
fn shares(record: &GameRecord, ply: usize, game: &Dobutsu) -> Shares {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut shares: Shares = moves.iter().map(|&mv| (game.policy_index(mv), 0)).collect();
    let (_, candidates) = record.plies().nth(ply).unwrap();
    for candidate in candidates {
        let mv = *moves.iter().find(|mv| mv.bits() == candidate.mv).expect("a legal move");
        shares.insert(game.policy_index(mv), candidate.share);
    }
    shares
}

/// The same of a sample's policy or reply.
fn learnt(moves: &[MoveWeight]) -> Shares {
    let shares: Shares =
        moves.iter().map(|mv| (usize::from(mv.index), (mv.weight * 65535.0).round() as u16)).collect();
    assert_eq!(shares.len(), moves.len(), "no move twice");
    shares
}

/// `shares` with every policy index changed.
fn moved(shares: &Shares, change: impl Fn(usize, usize) -> (usize, usize)) -> Shares {
    let squares = Dobutsu::SQUARES;
    let index = |(plane, square)| plane * squares + square;
    shares.iter().map(|(&at, &share)| (index(change(at / squares, at % squares)), share)).collect()
}

/// `shares` with left and right swapped.
fn mirrored_shares(shares: &Shares) -> Shares {
    moved(shares, |plane, square| (Dobutsu::mirror_move_plane(plane), Dobutsu::mirror_square(square)))
}

/// Whether `sample` is `game` as it is, and whether it is `game` with left and right swapped: both if that looks alike.
fn orientations(game: &Dobutsu, sample: &Sample) -> [bool; 2] {
    let mut features = Features::default();
    game.features(Inputs::Pieces, &mut features);
    let found = sorted(&sample.features);
    let [is_straight, is_turned] = [found == sorted(&features), found == mirrored(&features)];
    assert!(is_straight || is_turned && game.is_mirrored().is_none());
    [is_straight, is_turned]
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
            let [is_straight, is_turned] = orientations(&game, &sample);
            straight += usize::from(is_straight);
            turned += usize::from(is_turned);

            let expected = shares(&record, ply, &game);
            let total: u32 = expected.values().map(|&share| u32::from(share)).sum();
            assert!(total.abs_diff(65535) < 655, "shares sum to {total}");
            let found = learnt(&sample.policy);
            assert!(is_straight && found == expected || is_turned && found == mirrored_shares(&expected));
            let ended = record.reason != Reason::Adjudicated;
            assert_eq!(sample.moves_left, ended.then_some((record.plies.len() - ply) as f32));
        }
    }
    assert!(straight > 50 && turned > 20, "{straight} straight, {turned} mirrored");
}

#[test]
fn a_game_that_was_given_up_says_nothing_of_its_length() {
    for record in games(4) {
        let resigned = GameRecord { reason: Reason::Resignation, ..record };
        let all = samples(&resigned, &config());
        assert!(!all.is_empty() && all.iter().all(|(_, sample)| sample.moves_left.is_none()));
    }
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
    let records = games(4);
    for value_mix in [0.25, 1.0] {
        let mixed = ReplayConfig { value_mix, ..config() };
        let all =
            records.iter().flat_map(|record| samples(record, &mixed).into_iter().map(move |of| (record, of)));
        for (record, (ply, sample)) in all {
            let mover = if ply % 2 == 0 { Side::First } else { Side::Second };
            let numbers = |wdl: Wdl| [wdl.win, wdl.draw, wdl.loss];
            let result = numbers(Wdl::of(record.verdict, mover));
            let root = numbers(record.plies[ply].root_wdl());
            for (k, found) in numbers(sample.wdl).into_iter().enumerate() {
                assert!((found - (result[k] * (1.0 - value_mix) + root[k] * value_mix)).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn the_reply_is_the_next_policy_turned_round() {
    let (mut checked, mut turned, mut swapped) = (0, 0, 0);
    for record in games(24) {
        for (ply, sample) in samples(&record, &config()) {
            let searched = record.plies.get(ply + 1).is_some_and(|next| next.search == SearchDepth::Full);
            assert_eq!(!sample.reply.is_empty(), searched);
            if !searched {
                continue;
            }
            let (game, next) = positions(&record, ply);
            let expected = shares(&record, ply + 1, &next);
            let expected = moved(&expected, |plane, square| (plane, Dobutsu::SQUARES - 1 - square));
            let is_swapped = next.is_mirrored().unwrap_or(false) != game.is_mirrored().unwrap_or(false);
            let expected = if is_swapped { mirrored_shares(&expected) } else { expected };
            let [is_straight, is_turned] = orientations(&game, &sample);
            let found = learnt(&sample.reply);
            assert!(is_straight && found == expected || is_turned && found == mirrored_shares(&expected));
            checked += found.len();
            turned += usize::from(!is_straight);
            swapped += usize::from(is_swapped);
        }
    }
    assert!(
        checked > 100 && turned > 10 && swapped > 10,
        "only {checked} replies were checked, {turned} samples that were mirrored, {swapped} with a swap"
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
