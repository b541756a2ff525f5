//! Where games are played: as many at once as there are threads, each with players of its own.

use std::{
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
};

use anyhow::{Result, ensure};

use super::{MatchGame, Opening, Player, referee::play_game, saved::check_unseen, watch::Watch};
use crate::{
    base::rng::{Purpose, stream},
    games::rules::{Game, Outcome, Reason, RuleSet, Side},
};

/// Makes a player; every thread makes its own.
pub type Factory<'a, G> = dyn Fn() -> Box<dyn Player<G>> + Sync + 'a;

/// A participant.
pub struct Competitor<'a, G: Game> {
    /// Unlike those of the others.
    pub name: String,
    /// Makes the player.
    pub factory: Box<Factory<'a, G>>,
}

impl<'a, G: Game> Competitor<'a, G> {
    /// The player that `factory` makes.
    pub fn new(name: impl Into<String>, factory: impl Fn() -> Box<dyn Player<G>> + Sync + 'a) -> Self {
        Competitor { name: name.into(), factory: Box::new(factory) }
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// No other has it: its random numbers depend on it.
    pub number: u32,
    /// The contenders by their places, the first side's before the second's.
    pub sides: [usize; 2],
    /// The place of the opening.
    pub opening: usize,
}

impl Pairing {
    /// Game `number` between the contenders at the places `a` and `b`: two games in a row have the same opening, and
    /// in the first one `a` is the side to move there. Openings are used again once all were used.
    pub fn new<G: Game>(number: u32, [a, b]: [usize; 2], openings: &[Opening<G>]) -> Self {
        let opening = (number / 2) as usize % openings.len();
        let a_is_first = (openings[opening].game.side_to_move() == Side::First) == number.is_multiple_of(2);
        Pairing { number, sides: if a_is_first { [a, b] } else { [b, a] }, opening }
    }
}

/// Whether a game from a record began where game `game.number` does.
///
/// # Errors
/// When it did not: the record is of another match, or damaged.
pub fn check_start<G: Game>(game: &MatchGame, openings: &[Opening<G>]) -> Result<()> {
    let opening = &openings[Pairing::new(game.number, [0, 1], openings).opening];
    let (number, start) = (game.number, opening.game.fen());
    ensure!(game.start == start, "game {number} in the record began at '{}', not at '{start}'", game.start);
    Ok(())
}

/// Whether a game from a record was played by `field`: the one at the first place has the move in even games.
///
/// # Errors
/// When it was not: the record is of another match, or damaged.
pub fn check_players<G: Game>(
    game: &MatchGame,
    field: &[Competitor<'_, G>; 2],
    openings: &[Opening<G>],
) -> Result<()> {
    let number = game.number;
    let sides = Pairing::new(number, [0, 1], openings).sides.map(|place| &field[place].name);
    ensure!(sides == [&game.first, &game.second], "game {number} in the record has other players");
    Ok(())
}

/// Whether a game from a record can have been played: its moves are legal, nothing follows the end of the game or its
/// adjudication after `max_plies`, and where one of them ended it, that gave its result.
///
/// # Errors
/// When it cannot: the record is damaged.
pub fn check_moves<G: Game>(rules: RuleSet, max_plies: u32, game: &MatchGame) -> Result<()> {
    let mut position = G::from_fen(rules, &game.start)?;
    for text in game.moves.split_ascii_whitespace() {
        let mv = position.parse_move(text)?;
        ensure!(position.outcome().is_none(), "game {} goes on after its end", game.number);
        position.play(mv);
    }
    ensure!(position.ply() <= max_plies, "game {} goes on after its adjudication", game.number);
    let said = Outcome { verdict: game.result, reason: game.reason, points: game.points };
    let ends = match position.outcome_or_declaration() {
        Some(outcome) => outcome == said,
        None if position.ply() == max_plies => position.adjudicate() == said,
        None => said.reason != Reason::Adjudicated && check_unseen(&position, said).is_ok(),
    };
    ensure!(ends, "game {} does not end as it says", game.number);
    Ok(())
}

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Plies from its opening after which a game is adjudicated.
    pub max_plies: u32,
    /// Of the players' random numbers.
    pub seed: u64,
    /// Games at once, at least one. Where no player goes by time the games do not depend on it.
    pub threads: usize,
}

/// Plays `pairings` in their order and hands each game to `on_game` as it ends and `watch` lets it, which may end the
/// play. So does setting `stop`. Games that have not ended then are lost. `Continue` if nothing has ended the play: then
/// those that `watch` still holds back may count, if no more are to come.
///
/// # Errors
/// Those of `on_game` and of `watch`, which end the play too.
pub fn play_pairings<G: Game>(
    pairings: &[Pairing],
    field: &[Competitor<'_, G>],
    openings: &[Opening<G>],
    conditions: &Conditions,
    stop: &AtomicBool,
    watch: &mut Watch,
    on_game: &mut dyn FnMut(MatchGame) -> Result<ControlFlow<()>>,
) -> Result<ControlFlow<()>> {
    for pairing in pairings {
        watch.expect(pairing.number, pairing.sides.map(|place| field[place].name.as_str()));
    }
    let mut hand_on = |games: Vec<MatchGame>| {
        for game in games {
            if on_game(game)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let is_stopped = || stop.load(Ordering::Relaxed) || ended.load(Ordering::Relaxed);
    let work = |games: mpsc::SyncSender<MatchGame>| {
        let mut seats = Seats::new(field);
        while let Some(pairing) = pairings.get(next.fetch_add(1, Ordering::Relaxed)) {
            let opening = &openings[pairing.opening];
            let Some(game) = play_pairing(pairing, &mut seats, opening, conditions, &is_stopped) else {
                return;
            };
            if games.send(game).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        // Without a buffer no thread runs ahead of what is kept and counted.
        let (sender, games) = mpsc::sync_channel(0);
        for _ in 0..conditions.threads.max(1) {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        for game in games {
            let heard = watch.hear(game).map_err(anyhow::Error::from).and_then(&mut hand_on);
            if !matches!(heard, Ok(ControlFlow::Continue(()))) {
                ended.store(true, Ordering::Relaxed);
                return heard;
            }
        }
        Ok(if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
}

/// The players of one thread, each made when it is first needed.
struct Seats<'a, G: Game> {
    field: &'a [Competitor<'a, G>],
    players: Vec<Option<Box<dyn Player<G>>>>,
}

impl<'a, G: Game> Seats<'a, G> {
    fn new(field: &'a [Competitor<'a, G>]) -> Self {
        Seats { field, players: field.iter().map(|_| None).collect() }
    }

    /// The players at two different places.
    fn pair(&mut self, sides: [usize; 2]) -> [&mut dyn Player<G>; 2] {
        for place in sides {
            self.players[place].get_or_insert_with(|| (self.field[place].factory)());
        }
        match self.players.get_disjoint_mut(sides) {
            Ok([Some(first), Some(second)]) => [&mut **first, &mut **second],
            _ => panic!("nobody plays against himself"),
        }
    }
}

fn play_pairing<G: Game>(
    pairing: &Pairing,
    seats: &mut Seats<'_, G>,
    opening: &Opening<G>,
    conditions: &Conditions,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<MatchGame> {
    let number = u64::from(pairing.number);
    let mut rng = stream(conditions.seed, Purpose::Match, &[number / 2, number % 2]);
    let [first, second] = pairing.sides.map(|place| seats.field[place].name.clone());
    let players = seats.pair(pairing.sides);
    let played = play_game(&opening.game, players, conditions.max_plies, &mut rng, is_stopped)?;
    let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
    Some(MatchGame {
        number: pairing.number,
        opening: opening.id.clone(),
        first,
        second,
        start: opening.game.fen(),
        moves: moves.join(" "),
        result: played.outcome.verdict,
        reason: played.outcome.reason,
        points: played.outcome.points,
        seconds: played.used.map(|used| used.as_secs_f32()),
        note: played.note,
    })
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{Setup, Verdict, janggi::Janggi},
    };

    const MAX_PLIES: u32 = 4;

    /// A game that was adjudicated, by the points of both sides.
    fn adjudicated(rules: RuleSet) -> MatchGame {
        let mut game = Janggi::start(rules, Setup::Standard, &mut Rng::seed_from_u64(1));
        let (start, mut played) = (game.fen(), Vec::new());
        while game.ply() < MAX_PLIES {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let mv = moves[moves.len() / 2];
            played.push(mv.to_string());
            game.play(mv);
        }
        let Outcome { verdict, reason, points } = game.adjudicate();
        MatchGame {
            number: 0,
            opening: String::new(),
            first: "a".to_owned(),
            second: "b".to_owned(),
            start,
            moves: played.join(" "),
            result: verdict,
            reason,
            points,
            seconds: [0.0; 2],
            note: None,
        }
    }

    #[test]
    fn an_adjudicated_game_has_the_length_and_the_result_of_one() {
        let rules = Janggi::ID.rule_sets()[0];
        let good = adjudicated(rules);
        let is_good = |game: &MatchGame, max_plies| check_moves::<Janggi>(rules, max_plies, game).is_ok();
        assert!(is_good(&good, MAX_PLIES));
        assert!(!is_good(&good, MAX_PLIES + 1), "it ended too early");
        assert!(!is_good(&MatchGame { moves: String::new(), ..good.clone() }, MAX_PLIES));
        assert!(!is_good(&MatchGame { points: Some([1.0, 2.0]), ..good.clone() }, MAX_PLIES));
        for side in [Side::First, Side::Second] {
            let result = Verdict::Win(side);
            assert_eq!(is_good(&MatchGame { result, ..good.clone() }, MAX_PLIES), result == good.result);
        }
        assert!(!is_good(&good, MAX_PLIES - 1), "it goes on after its adjudication");
        // A player can give up at any time, unless the game has ended.
        let resigned = MatchGame {
            result: Verdict::Win(Side::First),
            reason: Reason::Resignation,
            points: None,
            ..good
        };
        assert!(is_good(&resigned, MAX_PLIES + 1) && !is_good(&resigned, MAX_PLIES));
        assert!(!is_good(&resigned, MAX_PLIES - 1), "it goes on after its adjudication");
    }

    #[test]
    fn what_a_player_did_gives_no_draw_and_no_points() {
        let rules = Janggi::ID.rule_sets()[0];
        let played = adjudicated(rules);
        let is_good = |reason, result, points| {
            let game = MatchGame { reason, result, points, ..played.clone() };
            check_moves::<Janggi>(rules, MAX_PLIES + 1, &game).is_ok()
        };
        for reason in [Reason::Resignation, Reason::Timeout, Reason::IllegalMove, Reason::Crash] {
            for result in [Side::First, Side::Second].map(Verdict::Win) {
                assert!(is_good(reason, result, None), "{reason}");
                assert!(!is_good(reason, result, Some([72.0, 73.5])), "{reason}");
            }
            assert!(!is_good(reason, Verdict::Draw, None), "{reason}");
        }
    }
}
