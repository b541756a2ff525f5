//! The search of an engine: one of two kinds, with what it remembers.

use crate::{
    games::encode::Encode,
    net::PlayConfig,
    search::{AlphaBeta, GameSearch, Search},
};

/// MiB for the search of a player of limited strength, at most.
const LIMITED_MEMORY: u32 = 16;

/// A search, and what it remembers.
pub enum Searcher<G: Encode> {
    /// A tree search.
    Tree(Box<GameSearch<G>>),
    /// Alpha-beta.
    AlphaBeta(AlphaBeta<G>),
}

impl<G: Encode> Searcher<G> {
    /// Takes the place of what was there, whose memory is given back first: there is room for one.
    pub fn replace(&mut self, make: fn(&PlayConfig) -> Self, play: &PlayConfig) {
        *self = Searcher::AlphaBeta(AlphaBeta::new(0));
        *self = make(play);
    }

    /// A tree search with the settings and the memory of `play`.
    pub fn tree(play: &PlayConfig) -> Self {
        let search = Search::with_memory(play.search.clone(), play.memory);
        Searcher::Tree(Box::new(GameSearch::new(search, play.tree)))
    }

    /// Alpha-beta with the memory of `play`.
    pub fn alphabeta(play: &PlayConfig) -> Self {
        // What a player of limited strength searches needs little memory.
        let most = play.strength.map_or(u32::MAX, |_| LIMITED_MEMORY);
        Searcher::AlphaBeta(AlphaBeta::new(play.memory.min(most) as usize))
    }
}
