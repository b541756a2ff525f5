//! Random games: on how many a property is tried, what is played in them, and how many positions that makes.

use std::{
    collections::{BTreeMap, HashSet},
    sync::atomic::{AtomicU64, Ordering},
};

use proptest::{
    prelude::{ProptestConfig, any, prop},
    strategy::Strategy,
};
use sanki::games::{
    encode::{Encode, Feature, Features, Inputs},
    rules::{Game, Move, RuleSet, Side},
};

/// `few` games, or as many as the environment variable `PROPTEST_CASES` says.
pub fn games(few: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        ProptestConfig { cases: few, ..config }
    }
}

/// Any rule set of `G`.
pub fn rule_sets<G: Game>() -> impl Strategy<Value = RuleSet> {
    proptest::sample::select(G::ID.rule_sets())
}

/// What [`play_one`] plays in a game of fewer than `plies`.
pub fn choices(plies: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 1..plies)
}

/// Plays the move that `choice` picks and gives what the plain rules have for it in `legal`, their moves; `None`
/// where there is no move.
pub fn play_one<G: Game, P>(game: &mut G, choice: u16, legal: Vec<(String, P)>) -> Option<P> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if moves.is_empty() {
        return None;
    }
    let bits: HashSet<u16> = moves.iter().map(|mv| mv.bits()).collect();
    assert_eq!(bits.len(), moves.len(), "{}", game.fen());
    let mv = moves[usize::from(choice) % moves.len()];
    game.play(mv);
    let (_, next) = legal.into_iter().find(|(text, _)| *text == mv.to_string()).expect("the lists are equal");
    Some(next)
}

/// `clone_from` makes the same game as `clone`, whatever was there before.
pub fn clones_go_on_alike<G: Game>(mut game: G) {
    let play_some = |game: &mut G, plies: usize| {
        for i in 0..plies {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                return;
            }
            game.play(moves[(i * 31) % moves.len()]);
        }
    };
    let mut copy = game.clone();
    assert_eq!(format!("{copy:?}"), format!("{game:?}"));
    play_some(&mut copy, 40);
    play_some(&mut game, 15);
    copy.clone_from(&game);
    play_some(&mut copy, 20);
    play_some(&mut game, 20);
    assert_eq!(format!("{copy:?}"), format!("{game:?}"));
}

/// Counts a position that was compared, and says at every hundred thousandth how many there are by now: with
/// `--nocapture` a long run shows how far it is.
pub fn count_position() {
    static POSITIONS: AtomicU64 = AtomicU64::new(0);
    let count = POSITIONS.fetch_add(1, Ordering::Relaxed) + 1;
    if count.is_multiple_of(100_000) {
        eprintln!("{count} positions compared");
    }
}

/// [`sanki::games::encode::Feature::status`] of each piece by its square.
pub fn statuses<G: Encode>(game: &G) -> BTreeMap<String, u8> {
    let mut features = Features::default();
    game.features(Inputs::Attacks, &mut features);
    let is_mirrored = game.is_mirrored().unwrap_or(false);
    let status = |feature: &Feature| {
        let seen = usize::from(feature.square);
        let seen = if is_mirrored { G::mirror_square(seen) } else { seen };
        let square = match game.side_to_move() {
            Side::First => seen,
            Side::Second => G::SQUARES - 1 - seen,
        };
        let file = char::from(b'a' + (square % G::FILES) as u8);
        (format!("{file}{}", square / G::FILES + 1), feature.status)
    };
    features.active.iter().map(status).collect()
}
