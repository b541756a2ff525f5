//! Looks out for players that cannot play at all: a match of them would only count their failures.

use std::{
    collections::{BTreeMap, HashMap},
    mem,
};

use super::MatchGame;

/// A player that failed in the first moves of this many games in a row cannot play. These are two pairs: both sides of
/// two openings.
const MOST_FAILURES: usize = 4;
/// A player that made this many moves has begun to play.
const FIRST_MOVES: u32 = 3;

/// A player cannot play: the match ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{player}' failed in its first moves in {games} games in a row; the last time: {why}")]
pub struct Broken {
    /// Its name.
    pub player: String,
    /// How many games those are.
    pub games: usize,
    /// What it did in the last of them: a program's last words, an illegal move.
    pub why: String,
}

/// What is known of a player's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has not ended.
    Awaited,
    /// The player failed in its first moves.
    Failed,
    /// The other player did, before this one had made its first moves.
    Idle,
    /// The player has shown that it can play.
    Played,
}

/// Hears the games of a match as they end, and hands them on. A game in which a player failed in its first moves is held
/// back until that player has shown that it can play, or nothing more is to come: so nothing is won against a player that
/// cannot play.
#[derive(Debug, Default)]
pub struct Watch {
    /// By player, what is known of its games, by their numbers.
    games: HashMap<String, BTreeMap<u32, State>>,
    held: Vec<MatchGame>,
    /// The player that meets one opponent under several names, if there is one.
    against_one: Option<String>,
}

/// The name under which an opponent with several names is known.
const OPPONENT: &str = "";

impl Watch {
    /// One for games of `player` against one opponent under several names: what it shows under one of them counts for
    /// all.
    pub fn against_one(player: &str) -> Self {
        Watch { against_one: Some(player.to_owned()), ..Watch::default() }
    }

    /// The name under which the player called `name` is known here.
    fn known<'a>(&self, name: &'a str) -> &'a str {
        if self.against_one.as_ref().is_some_and(|player| player != name) { OPPONENT } else { name }
    }

    /// Takes note of a game that is to be played.
    pub fn expect(&mut self, number: u32, players: [&str; 2]) {
        for player in players {
            let player = self.known(player).to_owned();
            self.games.entry(player).or_default().insert(number, State::Awaited);
        }
    }

    /// Hears of a game that has ended, and hands on those that count from now on.
    ///
    /// # Errors
    /// When a player cannot play. Games that are held back then never count.
    pub fn hear(&mut self, game: MatchGame) -> Result<Vec<MatchGame>, Broken> {
        let failed = game.forfeiter().filter(|player| moves_of(&game, player) < FIRST_MOVES);
        let failed = failed.map(str::to_owned);
        let mut released = Vec::new();
        for player in [&game.first, &game.second] {
            let state = match &failed {
                Some(failed) if failed == player => State::Failed,
                Some(_) if moves_of(&game, player) < FIRST_MOVES => State::Idle,
                _ => State::Played,
            };
            let known = self.known(player).to_owned();
            let games = self.games.entry(known).or_default();
            games.insert(game.number, state);
            if state == State::Played {
                games
                    .values_mut()
                    .filter(|state| **state == State::Failed)
                    .for_each(|state| *state = State::Played);
                released.extend(self.release(player));
            }
        }
        match failed {
            None => released.push(game),
            Some(player) => {
                let games = failures_around(&self.games[self.known(&player)], game.number);
                if games >= MOST_FAILURES {
                    let why = game.note.unwrap_or_else(|| format!("{} at once", game.reason));
                    return Err(Broken { player, games, why });
                }
                self.held.push(game);
            }
        }
        Ok(released)
    }

    /// Takes the games that are held back since `player` failed.
    fn release(&mut self, player: &str) -> Vec<MatchGame> {
        let all = mem::take(&mut self.held);
        let failed =
            |game: &MatchGame| game.forfeiter().map(|name| self.known(name)) == Some(self.known(player));
        let (released, held) = all.into_iter().partition(failed);
        self.held = held;
        released
    }

    /// What is held back.
    pub fn held(&self) -> &[MatchGame] {
        &self.held
    }

    /// Hands on what is held back: its players are to play no more games that could show what they can.
    pub fn rest(&mut self) -> Vec<MatchGame> {
        mem::take(&mut self.held)
    }
}

/// The moves that `player` made.
fn moves_of(game: &MatchGame, player: &str) -> u32 {
    let side_to_move_is_first = game.start.split_whitespace().nth(1) != Some("b");
    let moves_first = (game.first == player) == side_to_move_is_first;
    if moves_first { game.plies().div_ceil(2) } else { game.plies() / 2 }
}

/// Failures in a row among a player's games, the game with this number among them. Games in which it had no turn to fail do
/// not end a row.
fn failures_around(games: &BTreeMap<u32, State>, number: u32) -> usize {
    let is_in_a_row = |state: &&State| matches!(state, State::Failed | State::Idle);
    let before = games.range(..number).rev().map(|game| game.1).take_while(is_in_a_row);
    let after = games.range(number..).map(|game| game.1).take_while(is_in_a_row);
    before.chain(after).filter(|state| **state == State::Failed).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{Reason, Side, Verdict};

    /// Game `number`, in which "bad" plays the first side in even ones, and fails after `plies` plies where it fails.
    fn game(number: u32, plies: usize, fails: bool) -> MatchGame {
        let is_first = number.is_multiple_of(2);
        let [first, second] = if is_first { ["bad", "good"] } else { ["good", "bad"] }.map(str::to_owned);
        let bad = if is_first { Side::First } else { Side::Second };
        MatchGame {
            number,
            opening: String::new(),
            first,
            second,
            start: "gle/1c1/1C1/ELG[-] w 0 1".to_owned(),
            moves: vec!["b2b3"; plies].join(" "),
            result: Verdict::Win(!bad),
            reason: if fails { Reason::Crash } else { Reason::LionHome },
            points: None,
            seconds: [0.0; 2],
            note: fails.then(|| "it ended: out of cheese".to_owned()),
        }
    }

    fn expecting(games: u32) -> Watch {
        let mut watch = Watch::default();
        (0..games).for_each(|number| watch.expect(number, ["good", "bad"]));
        watch
    }

    const NONE: [u32; 0] = [];

    fn numbers(games: Result<Vec<MatchGame>, Broken>) -> Vec<u32> {
        games.expect("it plays").iter().map(|game| game.number).collect()
    }

    #[test]
    fn who_always_fails_at_once_is_broken_and_its_games_do_not_count() {
        let mut watch = expecting(10);
        // In any order.
        for number in [1, 3, 0] {
            assert_eq!(numbers(watch.hear(game(number, 2, true))), NONE);
        }
        let broken = watch.hear(game(2, 4, true)).unwrap_err();
        assert_eq!((broken.player.as_str(), broken.games), ("bad", 4));
        assert!(broken.to_string().ends_with("it ended: out of cheese"), "{broken}");
    }

    #[test]
    fn who_has_played_is_forgiven() {
        let mut watch = expecting(20);
        for number in 0..3 {
            assert_eq!(numbers(watch.hear(game(number, 0, true))), NONE);
        }
        assert_eq!(numbers(watch.hear(game(3, 30, false))), [0, 1, 2, 3]);
        for number in 4..7 {
            assert_eq!(numbers(watch.hear(game(number, 0, true))), NONE);
        }
        // A failure later in a game shows that it can play too.
        assert_eq!(numbers(watch.hear(game(7, 30, true))), [4, 5, 6, 7]);
        assert_eq!(numbers(watch.hear(game(8, 0, true))), NONE);
        assert_eq!(watch.rest().len(), 1, "nothing more is to come");
    }

    #[test]
    fn an_opponent_is_one_player_under_all_its_names() {
        let named = |game: MatchGame, nodes: u32| {
            let name = |name: String| if name == "bad" { format!("bad at {nodes}") } else { name };
            MatchGame { first: name(game.first), second: name(game.second), ..game }
        };
        let mut watch = Watch::against_one("good");
        (0..8).for_each(|number| watch.expect(number, ["good", &format!("bad at {number}")]));
        for number in 0..3 {
            assert_eq!(numbers(watch.hear(named(game(number, 0, true), number))), NONE);
        }
        assert_eq!(numbers(watch.hear(named(game(3, 30, false), 3))), [0, 1, 2, 3]);
        for number in 4..7 {
            assert_eq!(numbers(watch.hear(named(game(number, 0, true), number))), NONE);
        }
        let broken = watch.hear(named(game(7, 0, true), 7)).unwrap_err();
        assert_eq!((broken.player.as_str(), broken.games), ("bad at 7", 4));
    }

    #[test]
    fn only_games_in_a_row_count() {
        let mut watch = expecting(20);
        // Game 2 has not ended.
        for number in [0, 1, 3, 4] {
            assert_eq!(numbers(watch.hear(game(number, 0, true))), NONE);
        }
        assert!(watch.hear(game(2, 0, true)).is_err());
    }

    #[test]
    fn of_two_that_fail_both_are_told_apart() {
        let mut watch = expecting(20);
        // The first mover fails, and the other has no turn.
        let other = |number: u32| {
            let game = game(number, 0, true);
            MatchGame { result: Verdict::Win(Side::Second), ..game }
        };
        let heard = (0..20).find_map(|number| watch.hear(other(number)).err()).expect("an end");
        assert_eq!((heard.player.as_str(), heard.games), ("bad", 4));
    }
}
