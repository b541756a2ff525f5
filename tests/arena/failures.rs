//! Players that cannot play: their games do not count.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rand::Rng;
use sanki::{
    arena::{
        Broken, Competitor, Conditions, Forfeit, Ladder, LadderConfig, Match, MatchConfig, MatchGame,
        Opening, Player, PlayerAction, RandomPlayer, Turn, embedded,
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
