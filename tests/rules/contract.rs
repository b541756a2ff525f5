//! What every game must keep, over random games of each of its rule sets.

use crate::mirror;
use crate::support;

use std::collections::{HashMap, HashSet};

use mirror::{mirror_text, mirrored};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::games::{
    encode::{Encode, Features, Inputs},
    rules::{
        Game, Move, Reason, Setup,
        dobutsu::Dobutsu,
        janggi::Janggi,
        shogi::{Minishogi, Shogi},
        xiangqi::{Minixiangqi, Xiangqi},
    },
};
use support::rows::Three;

/// Games of each rule set.
const GAMES: u64 = 40;
/// Random games that rules let run on are left after so many plies.
const PLIES: u32 = 300;

/// Plays random games under every rule set of `G` and calls `check` at each position, the last included.
fn over_random_games<G: Game>(mut check: impl FnMut(&G, &[G::Move], &mut Xoshiro256PlusPlus)) {
    for &rules in G::ID.rule_sets() {
        for seed in 0..GAMES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = G::start(rules, Setup::Drawn, &mut rng);
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            while !moves.is_empty() && game.ply() < PLIES {
                check(&game, &moves, &mut rng);
                game.play(choose(&moves, &mut rng));
                moves.clear();
                game.legal_moves(&mut moves);
            }
            check(&game, &moves, &mut rng);
        }
    }
}

fn choose<M: Copy>(moves: &[M], rng: &mut Xoshiro256PlusPlus) -> M {
    moves[rng.random_range(0..moves.len())]
}

fn legal<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

fn features<G: Encode>(game: &G) -> Features {
    let mut features = Features::default();
    game.features(Inputs::Attacks, &mut features);
    features.active.sort();
    features
}

fn policy_indices_are_in_range_and_distinct<G: Encode>() {
    over_random_games::<G>(|game, moves, _| {
        let indices: HashSet<usize> = moves.iter().map(|&mv| game.policy_index(mv)).collect();
        assert_eq!(indices.len(), moves.len(), "{}", game.fen());
        assert!(indices.iter().all(|&index| index < G::SHAPE.policy_len()), "{}", game.fen());
    });
}

fn features_are_in_range_and_distinct<G: Encode>() {
    over_random_games::<G>(|game, _, _| {
        let mut features = features(game);
        assert_eq!(features.scalars.len(), G::SCALARS);
        assert!(features.scalars.iter().all(|scalar| (0.0..=1.0).contains(scalar)), "{features:?}");
        let in_range = |plane, square| usize::from(plane) < G::PLANES && usize::from(square) < G::SQUARES;
        assert!(features.active.iter().all(|f| in_range(f.plane, f.square)), "{features:?}");
        let count = features.active.len();
        features.active.dedup();
        assert_eq!(features.active.len(), count, "{}", game.fen());
    });
}

fn feature_hashes_tell_positions_apart<G: Encode>() {
    let mut keys: HashMap<u64, u64> = HashMap::new();
    over_random_games::<G>(|game, _, _| {
        let mut features = features(game);
        let hash = features.hash();
        features.active.reverse();
        assert_eq!(features.hash(), hash, "the order does not count");
        let key = if game.is_mirrored() == Some(true) { mirrored(game).key() } else { game.key() };
        assert_eq!(*keys.entry(hash).or_insert(key), key, "{}", game.fen());
    });
}

/// The kings tell left from right: a position and its mirror image are then encoded alike, otherwise mirrored.
fn a_mirrored_position_has_the_same_or_mirrored_features_and_moves<G: Encode>() {
    assert!(G::MIRROR);
    let (mut alike, mut unlike) = (0, 0);
    over_random_games::<G>(|game, _, _| {
        // Read back first: a FEN has no history, and so the counters start anew on both sides.
        let game = G::from_fen(game.rules(), &game.fen()).expect("its own FEN");
        let mirror = mirrored(&game);
        assert_eq!(mirror.is_mirrored(), game.is_mirrored().map(|is| !is), "{}", game.fen());
        let is_alike = game.is_mirrored().is_some();
        *if is_alike { &mut alike } else { &mut unlike } += 1;
        let mut expected = features(&game);
        for feature in expected.active.iter_mut().filter(|_| !is_alike) {
            feature.square = G::mirror_square(usize::from(feature.square)) as u8;
        }
        expected.active.sort();
        assert_eq!(features(&mirror), expected, "{}", game.fen());
        let indices: HashMap<String, usize> =
            legal(&mirror).into_iter().map(|mv| (mv.to_string(), mirror.policy_index(mv))).collect();
        let moves = legal(&game);
        assert_eq!(indices.len(), moves.len(), "{}", game.fen());
        for mv in moves {
            let index = game.policy_index(mv);
            let (plane, square) = (index / G::SQUARES, index % G::SQUARES);
            let swapped = G::mirror_move_plane(plane) * G::SQUARES + G::mirror_square(square);
            let expected = if is_alike { index } else { swapped };
            assert_eq!(indices[&mirror_text::<G>(&mv.to_string())], expected, "{mv} in {}", game.fen());
        }
    });
    assert!(
        unlike > 0 && (alike > 50 || G::ID == Three::ID),
        "{alike} positions encoded alike, {unlike} not"
    );
}

fn the_game_is_over_exactly_when_no_move_is_legal<G: Game>() {
    let mut over = 0;
    over_random_games::<G>(|game, moves, _| {
        assert_eq!(game.outcome().is_some(), moves.is_empty(), "{}", game.fen());
        over += u32::from(moves.is_empty());
    });
    assert!(over > 0, "no random game of {} ended by rule", G::ID);
}

fn a_fen_is_read_back<G: Game>() {
    over_random_games::<G>(|game, moves, _| {
        let read = G::from_fen(game.rules(), &game.fen()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (read.fen(), read.key(), read.side_to_move()),
            (game.fen(), game.key(), game.side_to_move())
        );
        assert_eq!((read.is_check(), read.ply()), (game.is_check(), 0));
        // Without its history a game may go on where a repetition or a count had ended it.
        // It may also be over where checks put off a limit, of which the FEN does not tell.
        let at_limit = read.outcome().is_some_and(|outcome| outcome.reason == Reason::MoveLimit);
        if !moves.is_empty() && !at_limit {
            assert_eq!(legal(&read), moves, "{}", game.fen());
        }
    });
}

fn a_game_replayed_from_its_texts_is_the_same<G: Game>() {
    for &rules in G::ID.rule_sets() {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        let mut game = G::start(rules, Setup::Drawn, rng);
        let mut replay = G::from_fen(rules, &game.fen()).expect("its own FEN");
        let mut moves = legal(&game);
        while !moves.is_empty() && game.ply() < PLIES {
            let mv = choose(&moves, rng);
            replay.play(replay.parse_move(&mv.to_string()).expect("the same moves are legal"));
            game.play(mv);
            moves = legal(&game);
            assert_eq!((replay.key(), replay.fen(), replay.ply()), (game.key(), game.fen(), game.ply()));
            assert_eq!(replay.outcome(), game.outcome());
        }
    }
}

fn clone_from_is_clone<G: Game>() {
    let mut buffer: Option<G> = None;
    over_random_games::<G>(|game, moves, rng| {
        let clone = game.clone();
        let buffer = buffer.get_or_insert_with(|| game.clone());
        buffer.clone_from(game);
        assert_eq!(format!("{buffer:?}"), format!("{clone:?}"));
        if !moves.is_empty() {
            buffer.play(choose(moves, rng));
        }
    });
}

fn moves_are_read_back_and_have_distinct_bits<G: Game>() {
    over_random_games::<G>(|game, moves, rng| {
        assert!(moves.iter().all(|&mv| G::Move::from_bits(mv.bits()) == mv), "{}", game.fen());
        let bits: HashSet<u16> = moves.iter().map(|mv| mv.bits()).collect();
        assert_eq!(bits.len(), moves.len(), "{}", game.fen());
        let texts: HashSet<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), moves.len(), "{}", game.fen());
        if !moves.is_empty() {
            let mv = choose(moves, rng);
            assert_eq!(game.parse_move(&mv.to_string()), Ok(mv), "{}", game.fen());
        }
        assert!(game.parse_move("").is_err());
    });
}

fn perft_counts_the_legal_moves<G: Game>() {
    over_random_games::<G>(|game, moves, _| {
        assert_eq!(game.perft(0), 1);
        if !moves.is_empty() {
            assert_eq!(game.perft(1), moves.len() as u64, "{}", game.fen());
        }
    });
}

macro_rules! contract {
    ($name:ident, $game:ident) => {
        mod $name {
            use super::*;

            checks! { $game:
                policy_indices_are_in_range_and_distinct
                features_are_in_range_and_distinct
                feature_hashes_tell_positions_apart
                a_mirrored_position_has_the_same_or_mirrored_features_and_moves
                the_game_is_over_exactly_when_no_move_is_legal
                a_fen_is_read_back
                a_game_replayed_from_its_texts_is_the_same
                clone_from_is_clone
                moves_are_read_back_and_have_distinct_bits
                perft_counts_the_legal_moves
            }
        }
    };
}

macro_rules! checks {
    ($game:ident: $($check:ident)*) => {
        $(#[test] fn $check() { super::$check::<$game>(); })*
    };
}

contract!(dobutsu, Dobutsu);
contract!(janggi, Janggi);
contract!(minishogi, Minishogi);
contract!(minixiangqi, Minixiangqi);
contract!(shogi, Shogi);
// A game of another crate, of which the library knows no more than it says of itself.
contract!(rows, Three);
contract!(xiangqi, Xiangqi);
