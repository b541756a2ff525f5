//! A match: every opening twice, colours swapped.

use std::{
    collections::BTreeMap,
    fmt,
    ops::{ControlFlow, Range},
    sync::atomic::AtomicBool,
};

use anyhow::{Result, ensure};
use serde::Serialize;

use super::{
    Competitor, Conditions, Forfeits, Hypothesis, MatchGame, Opening, Sprt, Tally,
    scheduler::{Pairing, check_players, check_start, play_pairings},
    watch::Watch,
};
use crate::games::rules::{Game, Reason};

/// How a match is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchConfig {
    /// Games to play, two from an opening; an odd number is rounded up.
    pub games: u32,
    /// The test that may end it earlier.
    pub sprt: Option<Sprt>,
    /// How its games are played.
    pub conditions: Conditions,
}

/// The result of a match from the first player's view, with the keys of `match --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// Games played.
    pub games: u32,
    /// Wins, draws, losses and pairs.
    #[serde(flatten)]
    pub tally: Tally,
    /// Share of the points, in `0.0..=1.0`.
    pub score: f64,
    /// The difference in Elo: see [`Tally::elo`].
    pub elo: f64,
    /// Lower end of its 95% interval.
    pub elo_low: f64,
    /// Upper end of its 95% interval.
    pub elo_high: f64,
    /// How likely it is that the first player is the stronger one, in `0.0..=1.0`: see [`Tally::los`].
    pub los: f64,
    /// What the sequential test says, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    /// Different openings among those played.
    pub openings: usize,
    /// Mean length of a game in plies, from the opening.
    pub mean_plies: f64,
    /// Games by the rule that ended them.
    pub reasons: BTreeMap<Reason, u32>,
    /// Games that were not decided on the board.
    pub forfeits: Forfeits,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtResult {
    /// The test's two hypotheses and its error rates.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio of the second hypothesis to the first.
    pub llr: f64,
    /// At or below this the first hypothesis is accepted.
    pub lower: f64,
    /// At or above this the second one is.
    pub upper: f64,
    /// The hypothesis accepted.
    pub accepted: Option<Hypothesis>,
}

impl fmt::Display for SprtResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtResult { test, llr, lower, upper, accepted } = self;
        write!(f, "SPRT {test}: LLR {llr:.2} in {lower:.2} to {upper:.2}, ")?;
        match accepted {
            Some(Hypothesis::H0) => write!(f, "{:+} accepted", test.elo0),
            Some(Hypothesis::H1) => write!(f, "{:+} accepted", test.elo1),
            None => f.write_str("undecided"),
        }
    }
}

/// A match as far as it has been played.
///
/// A sequential test looks at the pairs in the order of their openings, and the match counts those up to its
/// verdict: so its result is the same at any number of threads, although other games may have been finished.
#[derive(Clone, Debug)]
pub struct Match {
    config: MatchConfig,
    /// The first player's name.
    player: String,
    /// By number.
    games: BTreeMap<u32, MatchGame>,
    /// Pairs that the test has seen: those before the first unfinished one.
    seen: Tally,
    accepted: Option<Hypothesis>,
}

impl Match {
    /// A match of `player` against another one, of which `games` were finished earlier.
    ///
    /// # Errors
    /// When one of them was not played by it.
    pub fn new(config: MatchConfig, player: &str, games: Vec<MatchGame>) -> Result<Self> {
        let mut this = Match {
            config,
            player: player.to_owned(),
            games: BTreeMap::new(),
            seen: Tally::default(),
            accepted: None,
        };
        for game in games {
            ensure!(game.half_points(player).is_some(), "'{player}' did not play game {}", game.number);
            this.add(game);
        }
        Ok(this)
    }

    /// Counts a game.
    fn add(&mut self, game: MatchGame) {
        self.games.insert(game.number, game);
        while !self.is_over()
            && let pair @ [Some(_), Some(_)] = self.pair(self.seen.pairs())
        {
            self.seen.add(pair);
            self.accepted = self.config.sprt.and_then(|sprt| sprt.verdict(&self.seen.pentanomial));
        }
    }

    /// The half points of the games of a pair that were played.
    fn pair(&self, pair: u32) -> [Option<u32>; 2] {
        [2 * pair, 2 * pair + 1].map(|number| {
            let game = self.games.get(&number)?;
            Some(game.half_points(&self.player).expect("checked when it was added"))
        })
    }

    fn pairs(&self) -> u32 {
        self.config.games.div_ceil(2)
    }

    /// The pairs that count, as far as they were played.
    fn counted(&self) -> Range<u32> {
        let last = self.games.last_key_value().map_or(0, |(number, _)| number / 2 + 1);
        0..if self.accepted.is_some() { self.seen.pairs() } else { last.min(self.pairs()) }
    }

    /// The games that count, by number.
    pub fn games(&self) -> impl Iterator<Item = &MatchGame> {
        self.games.range(..2 * self.counted().end).map(|(_, game)| game)
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        self.accepted.is_some() || self.seen.pairs() >= self.pairs()
    }

    /// The wins, draws, losses and pairs so far.
    pub fn tally(&self) -> Tally {
        let mut tally = self.seen;
        (self.seen.pairs()..self.counted().end).for_each(|pair| tally.add(self.pair(pair)));
        tally
    }

    /// Where the sequential test stands.
    pub fn sprt(&self) -> Option<SprtResult> {
        let test = self.config.sprt?;
        let (lower, upper) = test.bounds();
        Some(SprtResult {
            test,
            llr: test.llr(&self.seen.pentanomial),
            lower,
            upper,
            accepted: self.accepted,
        })
    }

    /// The result so far.
    pub fn result(&self) -> MatchResult {
        let tally = self.tally();
        let mut reasons = BTreeMap::new();
        let mut plies = 0;
        let mut openings: Vec<&str> = Vec::new();
        for game in self.games() {
            *reasons.entry(game.reason).or_default() += 1;
            plies += game.plies();
            openings.push(&game.start);
        }
        openings.sort_unstable();
        openings.dedup();
        let elo = tally.elo();
        MatchResult {
            games: tally.games(),
            tally,
            score: tally.score(),
            elo: elo.elo,
            elo_low: elo.low,
            elo_high: elo.high,
            los: tally.los(),
            sprt: self.sprt(),
            openings: openings.len(),
            mean_plies: f64::from(plies) / f64::from(tally.games().max(1)),
            reasons,
            forfeits: Forfeits::of(&self.player, self.games()),
        }
    }

    /// Plays what is left, the player at the first place of `field` against the one at the second. The first game
    /// from each opening has the first player as the side to move there, the second game the other; with fewer
    /// openings than pairs they are used again. `on_game` is told every game, after it was counted. Once `stop` is
    /// set no further move is played.
    ///
    /// # Errors
    /// Those of `on_game`, no openings, and a player that cannot play ([`Broken`](super::Broken)).
    pub fn play<G: Game>(
        &mut self,
        field: &[Competitor<'_, G>; 2],
        openings: &[Opening<G>],
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&Match, &MatchGame) -> Result<()>,
    ) -> Result<()> {
        ensure!(!openings.is_empty(), "a match needs openings");
        for game in self.games.values() {
            check_start(game, openings)?;
            check_players(game, field, openings)?;
        }
        if self.is_over() {
            return Ok(());
        }
        let pairings = self.pairings(openings);
        let conditions = self.config.conditions;
        let mut watch = Watch::default();
        let mut keep = |game: MatchGame| -> Result<ControlFlow<()>> {
            let number = game.number;
            self.add(game);
            on_game(self, &self.games[&number])?;
            Ok(if self.accepted.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        if play_pairings(&pairings, field, openings, &conditions, stop, &mut watch, &mut keep)?.is_continue()
        {
            watch.rest().into_iter().try_for_each(|game| keep(game).map(|_| ()))?;
        }
        Ok(())
    }

    /// The games that are not played yet.
    fn pairings<G: Game>(&self, openings: &[Opening<G>]) -> Vec<Pairing> {
        let unplayed = (0..2 * self.pairs()).filter(|number| !self.games.contains_key(number));
        unplayed.map(|number| Pairing::new(number, [0, 1], openings)).collect()
    }
}
