//! The newest games, and the order in which their positions are learnt.

use std::collections::VecDeque;

use rand::seq::SliceRandom;

use super::ReplayConfig;
use crate::selfplay::{GameRecord, SearchKind};

/// A position in the window: the game's place and the ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    game: u32,
    ply: u16,
}

/// The newest games.
#[derive(Debug)]
pub struct Window {
    config: ReplayConfig,
    games: VecDeque<GameRecord>,
    /// Positions of `games` that teach.
    positions: u64,
    /// Positions that teach of all games ever added.
    seen: u64,
    /// How many of those were there when the settings changed last, and how many samples were due of them by then.
    before: (u64, f64),
}

/// A position teaches its policy and its value when its search was a full one.
fn teaches(game: &GameRecord) -> impl Iterator<Item = u16> + '_ {
    let plies = game.plies.iter().enumerate();
    plies.filter(|(_, ply)| ply.search == SearchKind::Full).map(|(i, _)| i as u16)
}

impl Window {
    /// An empty window.
    pub fn new(config: ReplayConfig) -> Self {
        Window { config, games: VecDeque::new(), positions: 0, seen: 0, before: (0, 0.0) }
    }

    /// An empty window whose settings are new: of the first `positions` that teach, `samples` were to be learnt by
    /// older ones.
    pub fn changed(config: ReplayConfig, (positions, samples): (u64, f64)) -> Self {
        Window { before: (positions, samples), ..Window::new(config) }
    }

    /// Counts positions of older games as seen without holding them.
    pub fn skip(&mut self, positions: u64) {
        self.seen += positions;
    }

    /// Adds games, drops the oldest ones beyond the window's size and returns how many positions were new.
    pub fn add(&mut self, mut games: Vec<GameRecord>) -> u64 {
        games.iter_mut().for_each(GameRecord::forget_quick_candidates);
        let new: u64 = games.iter().map(|game| teaches(game).count() as u64).sum();
        self.seen += new;
        self.positions += new;
        self.games.extend(games);
        let room = self.config.window(self.seen);
        while let Some(oldest) = self.games.front() {
            let positions = teaches(oldest).count() as u64;
            if self.positions - positions < room {
                break;
            }
            self.positions -= positions;
            self.games.pop_front();
        }
        new
    }

    /// Positions to draw from.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// All positions that teach, of every game ever added.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The games in the window, the oldest first.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> + Clone {
        self.games.iter()
    }

    /// How many positions to learn after `learnt` were, such that each is learnt `reuse` times on average.
    pub fn due(&self, learnt: u64) -> usize {
        let (positions, samples) = self.before;
        let new = self.seen.saturating_sub(positions);
        ((samples + new as f64 * self.config.reuse) as u64).saturating_sub(learnt) as usize
    }

    /// `count` positions in random order, none twice before all have been drawn.
    pub fn draw(&self, count: usize, rng: &mut impl rand::Rng) -> Vec<Place> {
        let mut all: Vec<Place> = (0u32..)
            .zip(&self.games)
            .flat_map(|(game, record)| teaches(record).map(move |ply| Place { game, ply }))
            .collect();
        let mut drawn = Vec::with_capacity(count);
        while drawn.len() < count && !all.is_empty() {
            all.shuffle(rng);
            drawn.extend(all.iter().copied().take(count - drawn.len()));
        }
        drawn
    }

    /// The game and the ply at `place`.
    pub fn at(&self, place: Place) -> (&GameRecord, usize) {
        (&self.games[place.game as usize], usize::from(place.ply))
    }
}
