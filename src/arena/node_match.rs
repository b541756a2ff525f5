//! How many nodes an opponent needs to hold its own: games against it at one node count after another.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, RangeInclusive},
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, Result, ensure};

use super::{
    Competitor, Conditions, MatchGame, N50, NodeScore, Opening, Tally, next_nodes,
    scheduler::{Pairing, check_players, check_start, play_pairings},
    watch::Watch,
};
use crate::games::rules::Game;

/// Pairs of games at one node count, after which the next count is chosen by all results: enough to tell a score of
/// 80% from one of 50%, few against the games of a whole search.
const PAIRS: u32 = 10;

/// Games at one node count.
const GAMES: u32 = 2 * PAIRS;

/// How N50 is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeMatchConfig {
    /// Games to play, rounded up to whole node counts.
    pub games: u32,
    /// The first node count.
    pub start: u64,
    /// The node counts tried.
    pub range: RangeInclusive<u64>,
    /// How the games are played.
    pub conditions: Conditions,
}

impl NodeMatchConfig {
    /// Games to play: whole rounds.
    pub fn wanted(&self) -> u32 {
        self.games.next_multiple_of(GAMES)
    }
}

/// The search as far as it has been played.
#[derive(Clone, Debug)]
pub struct NodeMatch {
    config: NodeMatchConfig,
    net: String,
    /// The node counts of the rounds, in their order.
    rounds: Vec<u64>,
    /// By number.
    games: BTreeMap<u32, MatchGame>,
}

impl NodeMatch {
    /// A search for the node count at which the opponent scores one half against the player called `net`, of which
    /// `games` were finished earlier.
    ///
    /// # Errors
    /// When one of them was not played by it.
    pub fn new(config: NodeMatchConfig, net: &str, games: Vec<MatchGame>) -> Result<Self> {
        for game in &games {
            ensure!(game.half_points(net).is_some(), "'{net}' did not play game {}", game.number);
        }
        let games = games.into_iter().map(|game| (game.number, game)).collect();
        let mut this = NodeMatch { config, net: net.to_owned(), rounds: Vec::new(), games };
        while this.is_played(this.rounds.len()) {
            this.begin_round(&[]);
        }
        Ok(this)
    }

    fn is_played(&self, round: usize) -> bool {
        numbers(round).all(|number| self.games.contains_key(&number))
    }

    /// Chooses the node count of the next round by the results so far, those of the games that are `held` back too: so it
    /// does not depend on the order in which games end.
    fn begin_round(&mut self, held: &[MatchGame]) {
        let node_scores = self.node_scores(held);
        self.rounds.push(next_nodes(&node_scores, self.config.start, self.config.range.clone()));
    }

    /// The results of all rounds, by node count, with those of the games that are `held` back.
    fn node_scores(&self, held: &[MatchGame]) -> Vec<NodeScore> {
        let held = |number: u32| held.iter().find(|game| game.number == number);
        let game = |number: u32| self.games.get(&number).or_else(|| held(number));
        let mut tallies: BTreeMap<u64, Tally> = BTreeMap::new();
        for (round, &nodes) in self.rounds.iter().enumerate() {
            let tally = tallies.entry(nodes).or_default();
            let half_points = |number| Some(game(number)?.half_points(&self.net).expect("checked"));
            for number in numbers(round).step_by(2) {
                tally.add([half_points(number), half_points(number + 1)]);
            }
        }
        tallies.into_iter().map(|(nodes, tally)| NodeScore { nodes, tally }).collect()
    }

    /// The results so far, by node count.
    pub fn results(&self) -> Vec<NodeScore> {
        self.node_scores(&[])
    }

    /// The node count of the last round; `None` before the first.
    pub fn nodes(&self) -> Option<u64> {
        self.rounds.last().copied()
    }

    /// The count so far; `None` before the first game.
    pub fn n50(&self) -> Option<N50> {
        N50::fit(&self.results())
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        (0..self.wanted()).all(|number| self.games.contains_key(&number))
    }

    /// Games to play: whole rounds.
    pub fn wanted(&self) -> u32 {
        self.config.wanted()
    }

    /// The games played, by number.
    pub fn games(&self) -> impl Iterator<Item = &MatchGame> {
        self.games.values()
    }

    /// Plays what is left, `net` against what `opponent` makes of a node count. The first game from each opening
    /// has the net as the side to move there. `on_game` is told every game, after it was counted. Once `stop` is set
    /// no further move is played.
    ///
    /// # Errors
    /// Those of `on_game` and of `opponent`, no openings, a player that cannot play ([`Broken`](super::Broken)), and
    /// earlier games at another node count than the games before them lead to, as after a game that was lost and had
    /// another result when it was played again.
    pub fn play<'a, G: Game>(
        &mut self,
        net: Competitor<'a, G>,
        opponent: impl Fn(u64) -> Result<Competitor<'a, G>>,
        openings: &[Opening<G>],
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&NodeMatch, &MatchGame) -> Result<()>,
    ) -> Result<()> {
        ensure!(!openings.is_empty(), "a match needs openings");
        self.games.values().try_for_each(|game| check_start(game, openings))?;
        let conditions = self.config.conditions;
        let mut watch = Watch::against_one(&net.name);
        let mut field = [net, opponent(self.config.start)?];
        let wanted = (self.wanted() / GAMES) as usize;
        for round in 0..wanted.max(self.rounds.len()) {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if round == self.rounds.len() {
                self.begin_round(watch.held());
            }
            field[1] = opponent(self.rounds[round])?;
            self.check_round(round, &field, openings)?;
            let pairings = self.pairings(round, openings);
            let played =
                play_pairings(&pairings, &field, openings, &conditions, stop, &mut watch, &mut |game| {
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
        on_game: &mut dyn FnMut(&NodeMatch, &MatchGame) -> Result<()>,
    ) -> Result<()> {
        let number = game.number;
        self.games.insert(number, game);
        on_game(self, &self.games[&number])
    }

    /// Whether the games of a round that are there were played by `field`.
    fn check_round<G: Game>(
        &self,
        round: usize,
        field: &[Competitor<'_, G>; 2],
        openings: &[Opening<G>],
    ) -> Result<()> {
        let mut games = self.games.range(numbers(round));
        games.try_for_each(|(_, game)| check_players(game, field, openings)).with_context(|| {
            let first = numbers(round).start;
            format!(
                "the games from number {first} on were played at another node count than the earlier games lead to: \
                 one of the earlier games was lost, and had another result when it was played again. Search in another \
                 folder, or remove the games from that number on"
            )
        })
    }

    fn pairings<G: Game>(&self, round: usize, openings: &[Opening<G>]) -> Vec<Pairing> {
        let unplayed = numbers(round).filter(|number| !self.games.contains_key(number));
        unplayed.map(|number| Pairing::new(number, [0, 1], openings)).collect()
    }
}

/// The games of a round.
fn numbers(round: usize) -> std::ops::Range<u32> {
    let first = round as u32 * GAMES;
    first..first + GAMES
}
