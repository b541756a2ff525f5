//! Matches, their openings and the frozen yardstick.

use crate::support;

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    arena::{
        Competitor, Conditions, Forfeit, GameClock, Match, MatchConfig, MatchGame, MatchResult, Opening,
        Player, PlayerAction, PlayerBudget, RandomPlayer, SearchPlayer, Turn, UniformPlayer, embedded,
        extend_openings,
    },
    games::rules::{Game, GameId, Move, Reason, RuleSet, Setup, dobutsu::Dobutsu},
    net::{PlayConfig, PlayTable},
};
use support::{Even, children, mix, rows::Three, solve};

type Made = Box<dyn Player<Dobutsu>>;

fn config(games: u32) -> MatchConfig {
    MatchConfig { games, sprt: None, conditions: Conditions { max_plies: 200, seed: 5, threads: 2 } }
}

fn some_openings(count: usize) -> Vec<Opening<Dobutsu>> {
    embedded(RuleSet::Standard, Setup::Drawn, count, 1)
}

fn field<'a>(
    a: impl Fn() -> Made + Sync + 'a,
    b: impl Fn() -> Made + Sync + 'a,
) -> [Competitor<'a, Dobutsu>; 2] {
    [Competitor::new("a", a), Competitor::new("b", b)]
}

/// A whole match, and its games in the order in which they ended.
fn play_all(config: MatchConfig, field: &[Competitor<'_, Dobutsu>; 2]) -> (Match, Vec<MatchGame>) {
    let mut played = Match::new(config, "a", Vec::new()).unwrap();
    let mut games = Vec::new();
    let openings = some_openings(config.games as usize / 2);
    let on_game = &mut |played: &Match, game: &MatchGame| {
        games.push(game.clone());
        // Games beyond the pair at which a sequential test was decided are kept and do not count.
        let counted = played.tally().games() as usize;
        assert!(counted == games.len() || played.is_over() && counted < games.len(), "told after every game");
        Ok(())
    };
    played.play(field, &openings, &AtomicBool::new(false), on_game).unwrap();
    (played, games)
}

fn play(config: MatchConfig, a: impl Fn() -> Made + Sync, b: impl Fn() -> Made + Sync) -> MatchResult {
    play_all(config, &field(a, b)).0.result()
}

fn random() -> Made {
    Box::new(RandomPlayer::new())
}

fn uniform(simulations: u32) -> Made {
    Box::new(UniformPlayer::new(simulations))
}

/// Plays the first legal move.
struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit> {
        Ok(PlayerAction::Play(children(turn.game)[0].0))
    }
}

#[test]
fn the_result_depends_on_the_seed_and_not_on_the_threads() {
    let play = |threads, seed| {
        let conditions = Conditions { threads, seed, ..config(60).conditions };
        play(MatchConfig { conditions, ..config(60) }, || uniform(8), random)
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
    let result = play(config(100), || Box::new(First), || Box::new(First));
    assert_eq!(result.tally.pentanomial, [0, 0, 50, 0, 0]);
    assert_eq!(result.tally.wins, result.tally.losses);
    assert!(result.tally.wins > 0);
    assert_eq!(result.score, 0.5);
}

#[test]
fn more_search_is_stronger() {
    let against_random = play(config(100), || uniform(128), random);
    assert!(against_random.score > 0.9, "{against_random:?}");
    assert!(against_random.elo_low > 0.0 && against_random.los > 0.99);
    let against_less = play(config(100), || uniform(8), || uniform(128));
    assert!(against_less.score < 0.3, "the score is the first player's: {against_less:?}");
    assert!(against_less.elo_high < 0.0 && against_less.los < 0.01);
}

/// How a sparse net plays dobutsu.
fn usual_play() -> PlayConfig {
    PlayTable::default().complete(GameId::Dobutsu, &"sparse-32".parse().expect("a net"))
}

#[test]
fn our_search_without_a_net_is_no_worse_than_uniform() {
    let ours =
        || -> Made { Box::new(SearchPlayer::new(usual_play(), PlayerBudget::Simulations(64), || Even)) };
    let result = play(config(100), ours, || uniform(64));
    assert!(result.elo_high > 0.0, "{result:?}");
}

#[test]
fn the_ply_cap_adjudicates() {
    let conditions = Conditions { max_plies: 10, ..config(40).conditions };
    let result = play(MatchConfig { conditions, ..config(40) }, || Box::new(First), random);
    let adjudicated = result.reasons[&Reason::Adjudicated];
    assert!(adjudicated > 0 && result.tally.draws >= adjudicated);
    assert!(result.mean_plies <= 10.0);
}

#[test]
fn games_are_recorded_so_that_they_can_be_played_again() {
    let (played, games) = play_all(config(20), &field(|| uniform(16), random));
    assert_eq!(played.games().count(), 20);
    for record in &games {
        let mut game = Dobutsu::from_fen(RuleSet::Standard, &record.start).unwrap();
        for text in record.moves.split(' ') {
            game.play(game.parse_move(text).unwrap());
        }
        let outcome = game.outcome().expect("the end");
        assert_eq!((outcome.verdict, outcome.reason), (record.result, record.reason));
        assert_eq!(record.plies(), game.ply());
    }
    let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..20).collect::<Vec<_>>());
}

#[test]
fn a_stopped_match_goes_on_as_if_it_had_not_been() {
    let (whole, _) = play_all(config(40), &field(|| uniform(8), random));
    let openings = some_openings(20);
    let field = field(|| uniform(8), random);

    let mut played = Match::new(config(40), "a", Vec::new()).unwrap();
    played.play(&field, &openings, &AtomicBool::new(true), &mut |_, _| panic!("no game")).unwrap();
    assert_eq!((played.result().games, played.result().score), (0, 0.5));

    let stop = AtomicBool::new(false);
    let mut games = Vec::new();
    let on_game = &mut |_: &Match, game: &MatchGame| {
        games.push(game.clone());
        stop.store(games.len() >= 7, Ordering::SeqCst);
        Ok(())
    };
    played.play(&field, &openings, &stop, on_game).unwrap();
    assert!((7..=9).contains(&games.len()) && !played.is_over());
    assert_eq!(played.tally().games() as usize, games.len());

    let mut again = Match::new(config(40), "a", games.clone()).unwrap();
    let on_game = &mut |_: &Match, game: &MatchGame| {
        assert!(games.iter().all(|done| done.number != game.number), "none is played twice");
        Ok(())
    };
    again.play(&field, &openings, &AtomicBool::new(false), on_game).unwrap();
    assert!(again.is_over());
    assert_eq!(again.result(), whole.result());
    assert!(Match::new(config(40), "somebody else", games).is_err());
}

#[test]
fn a_sequential_test_ends_the_match_at_the_same_pair_on_any_threads() {
    let sprt = Some("0,100".parse().unwrap());
    let result = |threads| {
        let conditions = Conditions { threads, ..config(400).conditions };
        play(MatchConfig { sprt, conditions, ..config(400) }, || uniform(64), random)
    };
    let one = result(1);
    let test = one.sprt.unwrap();
    assert_eq!(test.accepted, Some(sanki::arena::Hypothesis::H1));
    assert!(test.llr >= test.upper && one.games < 100 && one.games == 2 * one.tally.pairs());
    assert_eq!(one, result(4));
}

/// Resigns in its own way at its second move.
struct Quitter(Result<PlayerAction<sanki::games::rules::dobutsu::DobutsuMove>, Forfeit>);

impl Player<Dobutsu> for Quitter {
    fn choose(
        &mut self,
        turn: &Turn<'_, Dobutsu>,
        rng: &mut dyn Rng,
    ) -> Result<PlayerAction<sanki::games::rules::dobutsu::DobutsuMove>, Forfeit> {
        if turn.moves.len() < 2 { RandomPlayer::new().choose(turn, rng) } else { self.0.clone() }
    }
}

#[test]
fn records_of_another_match_are_refused() {
    let (_, games) = play_all(config(4), &field(|| uniform(4), random));
    let field = field(|| uniform(4), random);
    let resume = |games, openings: &[Opening<Dobutsu>]| {
        let mut played = Match::new(config(4), "a", games).unwrap();
        played
            .play(&field, openings, &AtomicBool::new(false), &mut |_, _| Ok(()))
            .map_err(|it| it.to_string())
    };
    let openings = some_openings(2);
    assert_eq!(resume(games.clone(), &openings), Ok(()));
    let others: Vec<_> = openings.iter().rev().cloned().collect();
    assert!(resume(games.clone(), &others).unwrap_err().contains("began at"));
    let mut swapped = games;
    let game = &mut swapped[0];
    std::mem::swap(&mut game.first, &mut game.second);
    assert!(resume(swapped, &openings).unwrap_err().contains("other players"));
}

#[test]
fn players_without_chance_do_not_repeat_their_games() {
    let mut openings: Vec<Opening<Dobutsu>> = embedded(RuleSet::Standard, Setup::Drawn, 10, 1);
    extend_openings(&mut openings, 60, 1);
    assert_eq!(openings.len(), 60);
    assert_eq!(openings.iter().map(|opening| opening.game.key()).collect::<HashSet<_>>().len(), 60);
    assert!(openings.iter().all(|it| it.game.ply() == 0 && it.game.outcome().is_none()));
    let mut fewer: Vec<Opening<Dobutsu>> = embedded(RuleSet::Standard, Setup::Drawn, 10, 1);
    extend_openings(&mut fewer, 30, 1);
    let ids = |openings: &[Opening<Dobutsu>]| openings.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&fewer), ids(&openings[..30]), "the same for any count");
    extend_openings(&mut fewer, 5, 1);
    assert_eq!(fewer.len(), 30, "none is lost");
}

#[test]
fn an_opening_keeps_its_place_however_many_are_wanted() {
    let ids = |count: usize| {
        let mut openings: Vec<Opening<Dobutsu>> = embedded(RuleSet::Standard, Setup::Drawn, 1, 1);
        extend_openings(&mut openings, count, 1);
        openings.iter().map(|opening| opening.id.clone()).collect::<Vec<String>>()
    };
    // Two plies lead to 35 positions at most.
    let most = ids(60);
    for count in [1, 20, 40, 59, 60] {
        assert_eq!(ids(count), most[..count], "{count}");
    }
    let again: Vec<&String> =
        most.iter().enumerate().filter(|(place, id)| most[..*place].contains(id)).map(|(_, id)| id).collect();
    assert!(again.len() >= 24, "{most:?}");
    assert_eq!(again, most[..again.len()].iter().collect::<Vec<_>>(), "they are used again in their order");
}

#[test]
fn who_cannot_go_on_loses_with_the_reason() {
    let forfeit = |reason| Err(Forfeit { reason, why: "because".into() });
    for (end, reason) in [
        (Ok(PlayerAction::Resign), Reason::Resignation),
        (forfeit(Reason::Crash), Reason::Crash),
        (forfeit(Reason::IllegalMove), Reason::IllegalMove),
    ] {
        // With more games the match would end with an error: it never plays.
        let (played, games) = play_all(config(2), &field(|| Box::new(Quitter(end.clone())), random));
        assert_eq!(played.result().tally.losses, 2);
        assert_eq!(played.result().forfeits.losses, if end.is_err() { 2 } else { 0 });
        for game in games {
            assert_eq!(game.reason, reason);
            assert_eq!(game.note.is_some(), end.is_err());
            assert!((2..=3).contains(&game.plies()));
        }
    }
}

/// Thinks too long, once its clock is known.
struct Sleeper;

impl Player<Dobutsu> for Sleeper {
    fn choose(
        &mut self,
        turn: &Turn<'_, Dobutsu>,
        rng: &mut dyn Rng,
    ) -> Result<PlayerAction<sanki::games::rules::dobutsu::DobutsuMove>, Forfeit> {
        let left = turn.clocks[turn.game.side_to_move().index()].expect("it has a clock");
        std::thread::sleep(if turn.moves.len() < 2 { left / 2 } else { left + Duration::from_millis(150) });
        RandomPlayer::new().choose(turn, rng)
    }

    fn clock(&self) -> Option<GameClock> {
        Some(GameClock { base: Duration::from_millis(60), increment: Duration::from_millis(10) })
    }
}

#[test]
fn who_overdraws_the_clock_loses_on_time() {
    let (played, games) = play_all(config(2), &field(|| Box::new(Sleeper), random));
    assert_eq!(played.result().tally.losses, 2);
    for game in games {
        assert_eq!(game.reason, Reason::Timeout);
        let note = game.note.expect("the time and the clock");
        assert!(note.contains("on the clock"), "{note}");
    }
}

#[test]
fn our_search_keeps_to_its_clock() {
    let ours = || -> Made {
        let clock = GameClock { base: Duration::from_secs(3), increment: Duration::from_millis(5) };
        Box::new(SearchPlayer::new(usual_play(), PlayerBudget::Clock(clock), || Even))
    };
    let result = play(config(4), ours, random);
    assert!(!result.reasons.contains_key(&Reason::Timeout), "{result:?}");
}

#[test]
fn json_has_the_keys_that_scripts_rely_on() {
    let result = play(config(20), || uniform(4), random);
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

/// The square that `uniform` takes.
fn chosen(player: &mut UniformPlayer<Three>, game: &Three, rng: &mut dyn Rng) -> u8 {
    match player.choose(&Turn::at(game), rng) {
        Ok(PlayerAction::Play(mv)) => mv.0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn uniform_takes_a_win_and_avoids_a_loss() {
    let mut player = UniformPlayer::new(256);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    // Three of First on 0, 1; Second must answer on 2.
    assert_eq!(chosen(&mut player, &Three::after(&[0, 4, 1]), &mut rng), 2);
    // First wins on 2.
    assert_eq!(chosen(&mut player, &Three::after(&[0, 4, 1, 6]), &mut rng), 2);
    assert_eq!(solve(&Three::after(&[0, 4, 1, 6, 2])).0, -1);
}

#[test]
fn uniform_breaks_ties_by_seed() {
    let mut player = UniformPlayer::new(1);
    let mut seen = HashSet::new();
    for seed in 0..60 {
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        seen.insert(chosen(&mut player, &Three::empty(), rng));
    }
    assert_eq!(seen.len(), 9, "any first move is as good");
}

#[test]
fn uniform_ends_its_search_when_the_match_is_stopped() {
    let (game, asked) = (Three::empty(), AtomicU32::new(0));
    let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) >= 10;
    let turn = Turn { is_stopped: &is_stopped, ..Turn::at(&game) };
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(1);
    let chosen = UniformPlayer::new(1000).choose(&turn, rng);
    assert!(matches!(chosen, Ok(PlayerAction::Play(_))), "any answer will do");
    assert_eq!(asked.load(Ordering::Relaxed), 11, "it does not go on");
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
            let Ok(PlayerAction::Play(mv)) = player.choose(&Turn::at(&game), &mut rng) else {
                panic!("it plays on")
            };
            hash = mix(hash ^ u64::from(mv.bits()));
            game.play(mv);
        }
    }
    assert_eq!(hash, 0xea07_7a67_923d_f443, "{hash:#018x}");
}
