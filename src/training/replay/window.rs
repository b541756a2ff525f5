//! The newest games, and the order in which their positions are learnt.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::{EncodedGame, Encoder, ReplayConfig, Sample};
use crate::{
    games::encode::{Encode, Inputs},
    training::selfplay::{GameRecord, Resignations},
};

/// A position in the window: the game's place, and the position's number among those of the game that teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowIndex {
    game: u32,
    number: u16,
}

/// Games that a thread encodes at least, once it has the buffers for it.
const ENCODED_TOGETHER: usize = 2;
/// Places that a thread finds at least.
const PLACES_TOGETHER: usize = 1024;

/// The newest games.
#[derive(Debug)]
pub struct Window {
    config: ReplayConfig,
    inputs: Inputs,
    games: VecDeque<EncodedGame>,
    /// Where the positions of each game end among all that were ever in the window.
    ends: VecDeque<u64>,
    /// Where those of the first game begin.
    begin: u64,
    /// What the games say of resigning.
    resignations: Resignations,
    /// Positions that teach of all games ever added.
    seen: u64,
    /// How many of those were there when the settings changed last, and how many samples were due of them by then.
    before: (u64, f64),
}

impl Window {
    /// An empty window for a net with `inputs`.
    pub fn new(config: ReplayConfig, inputs: Inputs) -> Self {
        Window {
            config,
            inputs,
            games: VecDeque::new(),
            ends: VecDeque::new(),
            begin: 0,
            resignations: Resignations::default(),
            seen: 0,
            before: (0, 0.0),
        }
    }

    /// An empty window whose settings are new: of the first `positions` that teach, `samples` were to be learnt by
    /// older ones.
    pub fn changed(config: ReplayConfig, inputs: Inputs, (positions, samples): (u64, f64)) -> Self {
        Window { before: (positions, samples), ..Window::new(config, inputs) }
    }

    /// Counts positions of older games as seen without holding them.
    pub fn skip(&mut self, positions: u64) {
        self.seen += positions;
    }

    /// Adds games, drops the oldest ones beyond the window's size and returns how many positions were new. A position
    /// teaches its policy and its value when its search was a full one.
    ///
    /// # Panics
    /// When a game fails [`check_record`](super::check_record).
    pub fn add<G: Encode>(&mut self, games: Vec<GameRecord>) -> u64 {
        let encoder = || Encoder::<G>::new(self.inputs);
        let games = games.into_par_iter().with_min_len(ENCODED_TOGETHER);
        let games: Vec<EncodedGame> = games.map_init(encoder, Encoder::encode).collect();
        let before = self.end();
        for game in games {
            self.ends.push_back(self.end() + game.positions() as u64);
            self.resignations.add(game.record());
            self.games.push_back(game);
        }
        let new = self.end() - before;
        self.seen += new;
        let room = self.config.window(self.seen);
        while let Some(&end) = self.ends.front()
            && self.end() - end >= room
        {
            self.begin = end;
            self.ends.pop_front();
            let oldest = self.games.pop_front().expect("an end for each game");
            self.resignations.remove(oldest.record());
        }
        new
    }

    /// Where the positions of the last game end.
    fn end(&self) -> u64 {
        self.ends.back().copied().unwrap_or(self.begin)
    }

    /// Positions to draw from.
    pub fn positions(&self) -> u64 {
        self.end() - self.begin
    }

    /// All positions that teach, of every game ever added.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// The games in the window, the oldest first, without the candidates of their searches.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> + Clone {
        self.games.iter().map(EncodedGame::record)
    }

    /// What the games in the window say of resigning.
    pub fn resignations(&self) -> &Resignations {
        &self.resignations
    }

    /// How many positions to learn after `learnt` were, such that each is learnt `reuse` times on average.
    pub fn due(&self, learnt: u64) -> usize {
        let (positions, samples) = self.before;
        let new = self.seen.saturating_sub(positions);
        ((samples + new as f64 * self.config.reuse) as u64).saturating_sub(learnt) as usize
    }

    /// `count` positions in random order, none twice before all have been drawn. On all threads of the pool; the order does
    /// not depend on how many there are.
    pub fn draw(&self, count: usize, rng: &mut impl rand::Rng) -> Vec<WindowIndex> {
        let place = |position: usize| {
            let position = self.begin + position as u64;
            let game = self.ends.partition_point(|&end| end <= position);
            let begin = game.checked_sub(1).map_or(self.begin, |before| self.ends[before]);
            WindowIndex { game: game as u32, number: (position - begin) as u16 }
        };
        let all = self.positions() as usize;
        let mut drawn = Vec::with_capacity(count);
        while drawn.len() < count && all > 0 {
            let wanted = (count - drawn.len()).min(all);
            let positions = rand::seq::index::sample(rng, all, wanted).into_vec();
            drawn.par_extend(positions.into_par_iter().with_min_len(PLACES_TOGETHER).map(place));
        }
        drawn
    }

    /// Makes `sample` one of the position at `place`; see [`EncodedGame::sample_into`].
    pub fn sample_into<G: Encode>(&self, place: WindowIndex, rng: &mut impl rand::Rng, sample: &mut Sample) {
        let game = &self.games[place.game as usize];
        game.sample_into::<G>(place.number.into(), self.config.value_mix, rng, sample);
    }
}
