//! Players that cannot play: their games do not count.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use rand::Rng;
use sanki::{
    arena::{
        Broken, Competitor, Conditions, Forfeit, Ladder, LadderConfig, Match, MatchConfig, MatchGame,
        NodeMatch, NodeMatchConfig, Opening, Player, PlayerAction, RandomPlayer, Turn, embedded,
    },
    games::rules::{
        Reason, RuleSet, Setup,
        dobutsu::{Dobutsu, DobutsuMove},
    },
};

type Made = Box<dyn Player<Dobutsu>>;

/// Fails at its first turn, in which it calls a function.
struct Fails(fn());

impl Player<Dobutsu> for Fails {
    fn choose(
        &mut self,
        _: &Turn<'_, Dobutsu>,
        _: &mut dyn Rng,
    ) -> Result<PlayerAction<DobutsuMove>, Forfeit> {
        (self.0)();
        Err(Forfeit { reason: Reason::IllegalMove, why: "a1a1".to_owned() })
    }
}

fn fails(at_its_turn: fn()) -> Competitor<'static, Dobutsu> {
    Competitor::new("fails", move || -> Made { Box::new(Fails(at_its_turn)) })
}

fn random(name: String) -> Competitor<'static, Dobutsu> {
    Competitor::new(name, || -> Made { Box::new(RandomPlayer::new()) })
}

fn some_openings() -> Vec<Opening<Dobutsu>> {
    embedded(RuleSet::Standard, Setup::Drawn, 100, 1)
}

#[test]
fn who_fails_in_one_round_of_a_ladder_after_another_is_found_and_its_games_do_not_count() {
    // With so many others nobody meets two of them in the first round.
    let others = (0..40).map(|number| random(format!("random {number}")));
    let field: Vec<_> = others.chain([fails(|| ())]).collect();
    for threads in [1, 3] {
        let config =
            LadderConfig { games: 1000, conditions: Conditions { max_plies: 200, seed: 3, threads } };
        let names = field.iter().map(|player| player.name.clone()).collect();
        let mut ladder = Ladder::new(config, names, 0, Vec::new()).expect("a ladder");
        let mut kept = Vec::new();
        let on_game = &mut |_: &Ladder, game: &MatchGame| {
            kept.push(game.clone());
            Ok(())
        };
        let played = ladder.play(&field, &some_openings(), &AtomicBool::new(false), on_game);
        let broken = played.expect_err("one cannot play").downcast::<Broken>().expect("that error");
        assert_eq!(broken.player, "fails");
        assert!(kept.len() >= 30, "the first round was played: {}", kept.len());
        assert!(kept.iter().all(|game| game.first != "fails" && game.second != "fails"));
    }
}

#[test]
fn failures_before_a_stop_do_not_count() {
    static STOP: AtomicBool = AtomicBool::new(false);
    static TURNS: AtomicU32 = AtomicU32::new(0);
    let fails = fails(|| {
        if TURNS.fetch_add(1, Ordering::SeqCst) == 2 {
            STOP.store(true, Ordering::SeqCst);
        }
    });
    let conditions = Conditions { max_plies: 200, seed: 5, threads: 1 };
    let config = MatchConfig { games: 20, sprt: None, conditions };
    let mut played = Match::new(config, "fails", Vec::new()).expect("a match");
    let mut kept = Vec::new();
    let field = [fails, random("random".to_owned())];
    let on_game = &mut |_: &Match, game: &MatchGame| {
        kept.push(game.clone());
        Ok(())
    };
    played.play(&field, &some_openings(), &STOP, on_game).expect("it was stopped");
    assert_eq!((TURNS.load(Ordering::SeqCst), kept.len(), played.tally().games()), (3, 0, 0));
}

/// Plays any legal move, but fails at its first turn in some games, by the order in which they begin.
struct FailsIn {
    games: Range<u32>,
    begun: Arc<AtomicU32>,
    fails: bool,
    random: RandomPlayer<Dobutsu>,
}

impl Player<Dobutsu> for FailsIn {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.fails = self.games.contains(&self.begun.fetch_add(1, Ordering::SeqCst));
        Ok(())
    }

    fn choose(
        &mut self,
        turn: &Turn<'_, Dobutsu>,
        rng: &mut dyn Rng,
    ) -> Result<PlayerAction<DobutsuMove>, Forfeit> {
        if self.fails {
            return Err(Forfeit { reason: Reason::Crash, why: "it ended".to_owned() });
        }
        self.random.choose(turn, rng)
    }
}

const NODE_MATCH_GAMES: u32 = 60;

fn node_match(done: Vec<MatchGame>) -> NodeMatch {
    let conditions = Conditions { max_plies: 200, seed: 3, threads: 1 };
    let config = NodeMatchConfig { games: NODE_MATCH_GAMES, start: 4, range: 1..=64, conditions };
    NodeMatch::new(config, "random", done).expect("a search")
}

/// Searches for the node count of an opponent that fails in these games; with the games that were kept.
fn search_for_one_that_fails_in(games: Range<u32>) -> (NodeMatch, anyhow::Result<()>, Vec<MatchGame>) {
    let begun = Arc::new(AtomicU32::new(0));
    let opponent = |nodes: u64| {
        let (games, begun) = (games.clone(), Arc::clone(&begun));
        Ok(Competitor::new(format!("engine at {nodes}"), move || -> Made {
            let (games, begun) = (games.clone(), Arc::clone(&begun));
            Box::new(FailsIn { games, begun, fails: false, random: RandomPlayer::new() })
        }))
    };
    let (mut played, mut kept) = (node_match(Vec::new()), Vec::new());
    let net = random("random".to_owned());
    let on_game = &mut |_: &NodeMatch, game: &MatchGame| {
        kept.push(game.clone());
        Ok(())
    };
    let ended = played.play(net, opponent, &some_openings(), &AtomicBool::new(false), on_game);
    (played, ended, kept)
}

#[test]
fn who_fails_at_the_end_of_one_node_count_and_at_the_next_is_found_and_its_games_do_not_count() {
    let (_, ended, kept) = search_for_one_that_fails_in(17..NODE_MATCH_GAMES);
    let broken = ended.expect_err("it cannot play").downcast::<Broken>().expect("that error");
    assert!(broken.player.starts_with("engine at ") && broken.games == 4, "{broken}");
    let numbers: Vec<u32> = kept.iter().map(|game| game.number).collect();
    assert_eq!(numbers, (0..17).collect::<Vec<_>>());
}

#[test]
fn who_plays_on_at_the_next_node_count_is_forgiven_and_its_failures_count() {
    for games in [17..20, NODE_MATCH_GAMES - 3..NODE_MATCH_GAMES] {
        let (played, ended, kept) = search_for_one_that_fails_in(games.clone());
        ended.expect("it plays");
        let numbers: Vec<u32> = kept.iter().map(|game| game.number).collect();
        assert_eq!(numbers, (0..NODE_MATCH_GAMES).collect::<Vec<_>>());
        assert!(kept.iter().all(|game| game.forfeiter().is_some() == games.contains(&game.number)));
        // The failures were among the results by which the counts were chosen.
        assert_eq!(node_match(kept).results(), played.results());
    }
}
