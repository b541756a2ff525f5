//! Matches, their openings and the frozen yardstick.

mod support;

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    arena::{
        Factory, MatchConfig, MatchResult, MoveBudget, Player, RandomPlayer, SearchPlayer, UniformPlayer,
        openings, play_match,
    },
    rules::{Game, Move, Reason, RuleSet, Setup, Verdict, dobutsu::Dobutsu},
    search::{PuctConfig, SearchConfig},
};
use support::{Even, Three, children, mix, solve};

fn config(games: u32) -> MatchConfig {
    MatchConfig { games, max_plies: 200, seed: 5, threads: 2 }
}

fn play(config: &MatchConfig, a: &Factory<'_, Dobutsu>, b: &Factory<'_, Dobutsu>) -> MatchResult {
    let openings = openings(RuleSet::Standard, Setup::Drawn, config.games as usize / 2, 1);
    play_match(&openings, config, a, b, &|_| {}, &AtomicBool::new(false))
}

fn random() -> Box<dyn Player<Dobutsu>> {
    Box::new(RandomPlayer::new())
}

fn uniform(simulations: u32) -> Box<dyn Player<Dobutsu>> {
    Box::new(UniformPlayer::new(simulations))
}

/// Plays the first legal move.
struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, game: &G, _: &mut dyn Rng) -> G::Move {
        children(game)[0].0
    }
}

#[test]
fn openings_are_many_different_and_undecided() {
    let openings: Vec<Dobutsu> = openings(RuleSet::Standard, Setup::Drawn, 300, 9);
    assert_eq!(openings.len(), 300);
    assert_eq!(openings.iter().map(Game::key).collect::<HashSet<_>>().len(), 300);
    for game in &openings {
        assert!(game.outcome().is_none() && game.ply() >= 3);
        let side = game.side_to_move();
        let wins = |child: &Dobutsu, side| child.outcome().is_some_and(|o| o.verdict == Verdict::Win(side));
        assert!(!children(game).iter().any(|(_, child)| wins(child, side)), "{}", game.fen());
        let answers = children(game);
        let survives =
            |child: &Dobutsu| !children(child).iter().any(|(_, grandchild)| wins(grandchild, !side));
        assert!(answers.iter().any(|(_, child)| survives(child)), "{}", game.fen());
    }
}

#[test]
fn openings_depend_on_the_seed_alone() {
    let keys = |seed| -> Vec<u64> {
        openings::<Dobutsu>(RuleSet::Threefold, Setup::Drawn, 50, seed).iter().map(Game::key).collect()
    };
    assert_eq!(keys(1), keys(1));
    assert_ne!(keys(1), keys(2));
}

#[test]
fn a_game_too_small_gives_the_openings_it_has() {
    let openings: Vec<Three> = openings(RuleSet::Standard, Setup::Drawn, 100_000, 1);
    assert!(openings.len() > 100 && openings.len() < 5478, "{}", openings.len());
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_the_threads() {
    let play = |threads, seed| {
        let config = MatchConfig { threads, seed, ..config(60) };
        play(&config, &|| uniform(8), &random)
    };
    let one = play(1, 5);
    assert_eq!(one, play(2, 5));
    assert_eq!(one, play(5, 5));
    assert_ne!(one, play(1, 6));
    assert_eq!((one.games, one.openings), (60, 30));
    assert_eq!(one.reasons.values().sum::<u32>(), 60);
}

#[test]
fn colours_are_swapped() {
    // Both play alike, so the two games of a pair are the same game, and one player's win is the other's.
    let result = play(&config(100), &|| Box::new(First), &|| Box::new(First));
    assert_eq!(result.tally.pentanomial, [0, 0, 50, 0, 0]);
    assert_eq!(result.tally.wins, result.tally.losses);
    assert!(result.tally.wins > 0);
    assert_eq!(result.score, 0.5);
}

#[test]
fn more_search_is_stronger() {
    let against_random = play(&config(100), &|| uniform(32), &random);
    assert!(against_random.score > 0.9, "{against_random:?}");
    assert!(against_random.elo_low > 0.0);
    let against_less = play(&config(100), &|| uniform(8), &|| uniform(128));
    assert!(against_less.score < 0.3, "the score is the first player's: {against_less:?}");
    assert!(against_less.elo_high < 0.0);
}

#[test]
fn our_search_without_a_net_is_no_worse_than_uniform() {
    let ours = || -> Box<dyn Player<Dobutsu>> {
        Box::new(SearchPlayer::new(
            SearchConfig::Puct(PuctConfig::default()),
            MoveBudget::Simulations(64),
            Even,
        ))
    };
    let result = play(&config(100), &ours, &|| uniform(64));
    assert!(result.elo_high > 0.0, "{result:?}");
}

#[test]
fn the_ply_cap_adjudicates() {
    let config = MatchConfig { max_plies: 10, ..config(40) };
    let openings = openings(RuleSet::Standard, Setup::Drawn, 20, 1);
    let result =
        play_match(&openings, &config, &|| Box::new(First), &random, &|_| {}, &AtomicBool::new(false));
    let adjudicated = result.reasons[&Reason::Adjudicated];
    assert!(adjudicated > 0 && result.tally.draws >= adjudicated);
    assert!(result.mean_plies <= 10.0);
}

#[test]
fn a_stopped_match_keeps_what_was_finished() {
    let openings: Vec<Dobutsu> = openings(RuleSet::Standard, Setup::Drawn, 50, 1);
    let stop = AtomicBool::new(true);
    let result = play_match(&openings, &config(100), &random, &random, &|_| {}, &stop);
    assert_eq!((result.games, result.score), (0, 0.5));

    let stop = AtomicBool::new(false);
    let seen = AtomicU32::new(0);
    let progress = |tally: &sanki::arena::Tally| {
        assert_eq!(tally.games(), seen.fetch_add(1, Ordering::SeqCst) + 1, "told after every game");
        if tally.games() == 10 {
            stop.store(true, Ordering::SeqCst);
        }
    };
    let result = play_match(&openings, &config(100), &random, &random, &progress, &stop);
    assert!((10..=12).contains(&result.games), "{result:?}");
}

#[test]
fn json_has_the_keys_that_scripts_rely_on() {
    let result = play(&config(20), &|| uniform(4), &random);
    let json = serde_json::to_value(&result).unwrap();
    for key in ["games", "wins", "draws", "losses", "score", "elo", "elo_low", "elo_high"] {
        assert!(json[key].is_number(), "{key}: {json}");
    }
    assert_eq!(json["games"], 20);
    assert_eq!(json["pentanomial"].as_array().unwrap().len(), 5);
    let points = json["wins"].as_f64().unwrap() + json["draws"].as_f64().unwrap() / 2.0;
    assert_eq!(json["score"], points / 20.0);
    assert!(json["reasons"]["lion_captured"].is_number(), "{json}");
}

#[test]
fn uniform_takes_a_win_and_avoids_a_loss() {
    let mut player = UniformPlayer::new(256);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    // Three of First on 0, 1; Second must answer on 2.
    assert_eq!(player.choose(&Three::after(&[0, 4, 1]), &mut rng).0, 2);
    // First wins on 2.
    assert_eq!(player.choose(&Three::after(&[0, 4, 1, 6]), &mut rng).0, 2);
    assert_eq!(solve(&Three::after(&[0, 4, 1, 6, 2])).0, -1);
}

#[test]
fn uniform_breaks_ties_by_seed() {
    let mut player = UniformPlayer::new(1);
    let mut chosen = HashSet::new();
    for seed in 0..60 {
        chosen.insert(player.choose(&Three::empty(), &mut Xoshiro256PlusPlus::seed_from_u64(seed)).0);
    }
    assert_eq!(chosen.len(), 9, "any first move is as good");
}

/// The yardstick never changes: if this number does, the change is wrong, not the number.
#[test]
fn uniform_is_frozen() {
    let mut hash = 0;
    for seed in 0..5 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Dobutsu::start(RuleSet::Standard, Setup::Standard, &mut rng);
        let mut player = UniformPlayer::new(40);
        while game.outcome().is_none() && game.ply() < 60 {
            let mv = player.choose(&game, &mut rng);
            hash = mix(hash ^ u64::from(mv.bits()));
            game.play(mv);
        }
    }
    assert_eq!(hash, 0xea07_7a67_923d_f443, "{hash:#018x}");
}
