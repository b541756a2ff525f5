//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::games::rules::{
    Game, GameId, Reason, RuleSet, Setup,
    janggi::{Formation, Formations, Janggi},
};

use super::{
    START, legal_moves,
    mirror::{mirror_text, mirrored},
    property::{choices, clones_go_on_alike, count_position, games, play_one, rule_sets, statuses},
    read,
    reference::Reference,
    verdicts::{PerftRow, PositionRow, rows},
};

/// The pieces of a game as [`Reference::content`] has them.
fn content(game: &Janggi) -> Vec<String> {
    game.pieces().map(|(side, kind, square)| format!("{side:?} {} {square}", kind.letter())).collect()
}

/// The moves of the game with left and right swapped, swapped back.
fn moves_of_mirror(game: &Janggi) -> Vec<String> {
    let moves = legal_moves(&mirrored(game));
    let mut moves: Vec<String> = moves.iter().map(|text| mirror_text::<Janggi>(text)).collect();
    moves.sort();
    moves
}

/// Compares a game with the plain rules at every position on the way that `choices` take.
fn follow(mut game: Janggi, choices: &[u16]) {
    let mut plain = Reference::read(game.rules(), &game.fen());
    for &choice in choices {
        count_position();
        let about = || format!("{} {}", game.rules(), game.fen());
        let again = read(game.rules(), &game.fen());
        assert_eq!((again.key(), again.fen()), (game.key(), game.fen()));
        assert_eq!(content(&game), plain.content());
        assert_eq!(statuses(&game), plain.statuses(), "{}", game.fen());
        assert_eq!(game.kings_face(), plain.kings_face(), "{}", about());
        assert_eq!(game.is_check(), plain.is_check(), "{}", about());
        let moves = legal_moves(&game);
        assert_eq!(game.outcome().is_some(), moves.is_empty(), "{}", about());
        let reason = again.outcome().map(|outcome| outcome.reason);
        if matches!(reason, Some(Reason::Bikjang | Reason::MoveLimit)) {
            // A king may have been left in check: the plain rules do not go on.
            return;
        }

        let legal = plain.legal();
        let texts: Vec<String> = legal.iter().map(|(text, _)| text.clone()).collect();
        assert_eq!(legal_moves(&again), texts, "{}", about());
        assert_eq!(again.perft(1), texts.len() as u64, "{}", about());
        assert_eq!(again.outcome().is_none(), !texts.is_empty(), "{}", about());
        assert_eq!(moves_of_mirror(&again), texts, "{}", about());
        if moves.is_empty() {
            return;
        }
        assert_eq!(moves, texts, "{}", about());
        plain = play_one(&mut game, choice, legal).expect("a move is legal");
    }
}

fn formations() -> impl Strategy<Value = Formations> {
    let formation = || prop::sample::select(&Formation::ALL);
    (formation(), formation()).prop_map(|(cho, han)| Formations { cho, han })
}

proptest! {
    #![proptest_config(games(128))]

    #[test]
    fn random_games_follow_the_plain_rules(
        rules in rule_sets::<Janggi>(),
        formations in formations(),
        choices in choices(200),
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        follow(Janggi::start(rules, formations.into(), &mut rng), &choices);
    }
}

/// A few random moves under every rule set from positions rich in checks, screens and bound pieces.
#[test]
fn play_from_sharp_positions_follows_the_plain_rules() {
    let positions = rows::<PositionRow>("janggi_positions.jsonl.zst").into_iter().map(|row| row.fen);
    let perfts = rows::<PerftRow>("janggi_perft.jsonl").into_iter().map(|row| row.fen);
    for (fen, first) in positions.chain(perfts).zip(0u16..) {
        for &rules in GameId::Janggi.rule_sets() {
            follow(read(rules, &fen), &[first, first.wrapping_mul(7919), 3, 5, 1]);
        }
    }
}

/// Random games end under every rule set, the move limit at the latest.
#[test]
fn random_games_end() {
    for &rules in GameId::Janggi.rule_sets() {
        for seed in 0..50 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = Janggi::start(rules, Setup::Drawn, &mut rng);
            let mut moves = Vec::new();
            while game.outcome().is_none() {
                moves.clear();
                game.legal_moves(&mut moves);
                game.play(moves[rand::RngExt::random_range(&mut rng, 0..moves.len())]);
                // Thirty pieces can be taken, and the move limit is 200 plies at most.
                assert!(game.ply() <= 31 * 200, "{rules} {}", game.fen());
            }
        }
    }
}

#[test]
fn clones_of_janggi_go_on_alike() {
    clones_go_on_alike(read(RuleSet::Kakao, START));
}
