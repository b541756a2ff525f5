//! Many players on one rating list, by games between those whose comparison tells most.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, Result, ensure};

use super::{
    Competitor, Conditions, Elo, MatchGame, Meeting, Opening, Ratings, Tally,
    scheduler::{Pairing, check_start, play_pairings},
    watch::Watch,
};
use crate::games::rules::Game;

/// Pairs of games of a round: enough to keep every core busy, few against the games of a whole ladder. The next
/// round is chosen by all results before it, so that the games are the same at any number of threads.
const PAIRS: u32 = 16;

/// Games of a round.
const GAMES: u32 = 2 * PAIRS;

/// How a ladder is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderConfig {
    /// Games to play, two from an opening; an odd number is rounded up.
    pub games: u32,
    /// How they are played.
    pub conditions: Conditions,
}

/// A player's place on the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// The player, by its place in the field.
    pub player: usize,
    /// Its rating, relative to the anchor's.
    pub elo: Elo,
    /// All its games, from its view.
    pub tally: Tally,
}

/// A ladder as far as it has been played.
#[derive(Clone, Debug)]
pub struct Ladder {
    config: LadderConfig,
    names: Vec<String>,
    /// The player whose rating is 0.
    anchor: usize,
    /// By number.
    games: BTreeMap<u32, MatchGame>,
}

impl Ladder {
    /// A ladder of the players called `names`, of which `games` were finished earlier.
    ///
    /// # Errors
    /// When there are not two players, two have the same name, or a game has another player or one against itself.
    pub fn new(
        config: LadderConfig,
        names: Vec<String>,
        anchor: usize,
        games: Vec<MatchGame>,
    ) -> Result<Self> {
        ensure!(names.len() > 1 && anchor < names.len(), "a ladder needs two players");
        for (place, name) in names.iter().enumerate() {
            ensure!(!names[..place].contains(name), "two players are called '{name}'");
        }
        let ladder = Ladder {
            config,
            names,
            anchor,
            games: games.into_iter().map(|game| (game.number, game)).collect(),
        };
        for game in ladder.games.values() {
            ladder.players(game)?;
        }
        Ok(ladder)
    }

    /// The names, by place.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The games played, by number.
    pub fn games(&self) -> impl Iterator<Item = &MatchGame> {
        self.games.values()
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        (0..self.wanted()).all(|number| self.games.contains_key(&number))
    }

    /// Games to play: whole pairs.
    pub fn wanted(&self) -> u32 {
        self.config.games.next_multiple_of(2)
    }

    /// The places of a game's players, the first side's before the second's.
    fn players(&self, game: &MatchGame) -> Result<[usize; 2]> {
        let place = |name: &str| {
            let found = self.names.iter().position(|known| known == name);
            found.with_context(|| format!("'{name}' of game {} is not on this ladder", game.number))
        };
        let places = [place(&game.first)?, place(&game.second)?];
        ensure!(places[0] != places[1], "game {} is of '{}' against itself", game.number, game.first);
        Ok(places)
    }

    /// The results between every two players who met, in the games before number `end` and in those of `held`.
    fn meetings(&self, end: u32, held: &[MatchGame]) -> Vec<Meeting> {
        // The half points of each pair's games, from the view of the player who comes first in the field.
        let mut pairs: BTreeMap<u32, ([usize; 2], [Option<u32>; 2])> = BTreeMap::new();
        for game in self.games.range(..end).map(|(_, game)| game).chain(held) {
            let mut places = self.players(game).expect("checked when it was added");
            places.sort_unstable();
            let (_, pair) = pairs.entry(game.number / 2).or_insert((places, [None; 2]));
            pair[(game.number % 2) as usize] = game.half_points(&self.names[places[0]]);
        }
        let mut tallies: BTreeMap<[usize; 2], Tally> = BTreeMap::new();
        for (places, pair) in pairs.into_values() {
            tallies.entry(places).or_default().add(pair);
        }
        tallies.into_iter().map(|([a, b], tally)| Meeting { a, b, tally }).collect()
    }

    fn ratings(&self, end: u32, held: &[MatchGame]) -> Ratings {
        Ratings::fit(self.names.len(), self.anchor, &self.meetings(end, held))
    }

    /// The list so far, the best player first.
    pub fn ranks(&self) -> Vec<Rank> {
        let ratings = self.ratings(u32::MAX, &[]);
        let meetings = self.meetings(u32::MAX, &[]);
        let rank = |player: usize| {
            let mut tally = Tally::default();
            for meeting in &meetings {
                if meeting.a == player {
                    tally += meeting.tally;
                } else if meeting.b == player {
                    tally += meeting.tally.reversed();
                }
            }
            Rank { player, elo: ratings.interval(player), tally }
        };
        let mut ranks: Vec<Rank> = (0..self.names.len()).map(rank).collect();
        ranks.sort_by(|a, b| b.elo.elo.total_cmp(&a.elo.elo));
        ranks
    }

    /// Plays what is left, with the players of `field` in the order of their names here. `on_game` is told every
    /// game, after it was counted. Once `stop` is set no further move is played.
    ///
    /// # Errors
    /// Those of `on_game`, no openings, and a player that cannot play ([`Broken`](super::Broken)).
    pub fn play<G: Game>(
        &mut self,
        field: &[Competitor<'_, G>],
        openings: &[Opening<G>],
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&Ladder, &MatchGame) -> Result<()>,
    ) -> Result<()> {
        ensure!(!openings.is_empty(), "a ladder needs openings");
        self.games.values().try_for_each(|game| check_start(game, openings))?;
        let conditions = self.config.conditions;
        let mut watch = Watch::default();
        for first in (0..self.wanted()).step_by(GAMES as usize) {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let pairings = self.round(first, openings, watch.held());
            let played =
                play_pairings(&pairings, field, openings, &conditions, stop, &mut watch, &mut |game| {
                    self.keep(game, on_game)?;
                    Ok(ControlFlow::Continue(()))
                })?;
            if played.is_break() {
                return Ok(());
            }
        }
        watch.rest().into_iter().try_for_each(|game| self.keep(game, on_game))
    }

    fn keep(
        &mut self,
        game: MatchGame,
        on_game: &mut dyn FnMut(&Ladder, &MatchGame) -> Result<()>,
    ) -> Result<()> {
        let number = game.number;
        self.games.insert(number, game);
        on_game(self, &self.games[&number])
    }

    /// The games of the round that begins with number `first` which are not played yet. It is chosen by all results
    /// before it, those that are `held` back too: so it does not depend on the order in which games end.
    fn round<G: Game>(&self, first: u32, openings: &[Opening<G>], held: &[MatchGame]) -> Vec<Pairing> {
        let numbers = first..(first + GAMES).min(self.wanted());
        let unplayed: Vec<u32> = numbers.filter(|number| !self.games.contains_key(number)).collect();
        if unplayed.is_empty() {
            return Vec::new();
        }
        let meetings = self.ratings(first, held).most_telling_round(PAIRS as usize, 1);
        let pairing = |number: u32| {
            let (a, b) = meetings[((number - first) / 2) as usize];
            let pairing = Pairing::new(number, [a, b], openings);
            // Earlier games that were lost may have come out otherwise since: a pair that has begun goes on.
            let other = self.games.get(&(number ^ 1)).map(|game| self.players(game).expect("checked"));
            Pairing { sides: other.map_or(pairing.sides, |[first, second]| [second, first]), ..pairing }
        };
        unplayed.into_iter().map(pairing).collect()
    }
}
