//! The thread that searches, so that the session can read on.

use std::{
    mem,
    sync::Arc,
    thread::{self, JoinHandle},
};

use super::{
    game_engine::{AnyGameEngine, GameEngine},
    output::EngineOutput,
    request::{SearchControl, SearchRequest},
};
use crate::{
    games::rules::{GameId, RuleSet},
    with_game,
};

/// The engine of one game under one rule set, and the thread on which it searches when it is asked to.
pub struct SearchThread {
    game: (GameId, RuleSet),
    state: ThreadState,
}

enum ThreadState {
    Idle(Box<dyn AnyGameEngine>),
    Busy(JoinHandle<Box<dyn AnyGameEngine>>, Arc<SearchControl>),
    /// While one becomes the other, and after a search that has failed.
    Empty,
}

impl SearchThread {
    /// At the start of a game, and without a net.
    pub fn new(game: GameId, rules: RuleSet) -> Self {
        let engine: Box<dyn AnyGameEngine> = with_game!(game, G => Box::new(GameEngine::<G>::new(rules)));
        SearchThread { game: (game, rules), state: ThreadState::Idle(engine) }
    }

    /// Whether it plays this game under these rules.
    pub fn plays(&self, game: (GameId, RuleSet)) -> bool {
        self.game == game
    }

    /// The engine, while it does not search.
    pub fn engine(&mut self) -> Option<&mut dyn AnyGameEngine> {
        match &mut self.state {
            ThreadState::Idle(engine) => Some(engine.as_mut()),
            ThreadState::Busy(..) | ThreadState::Empty => None,
        }
    }

    /// The control of a search that is under way.
    pub fn control(&self) -> Option<&SearchControl> {
        match &self.state {
            ThreadState::Busy(_, control) => Some(control),
            ThreadState::Idle(_) | ThreadState::Empty => None,
        }
    }

    /// Whether a search goes on.
    pub fn is_searching(&self) -> bool {
        matches!(&self.state, ThreadState::Busy(thread, _) if !thread.is_finished())
    }

    /// Begins a search, if none is under way. It writes its answer to `output`.
    pub fn start(&mut self, request: SearchRequest, output: EngineOutput) {
        self.state = match mem::replace(&mut self.state, ThreadState::Empty) {
            ThreadState::Idle(mut engine) => {
                let control = Arc::new(SearchControl::default());
                let told = control.clone();
                let thread = thread::spawn(move || {
                    engine.search(&request, &told, &output);
                    engine
                });
                ThreadState::Busy(thread, control)
            }
            state => state,
        };
    }

    /// Ends a search that is under way, which then writes its answer. Whether all is well.
    pub fn stop_and_join(&mut self) -> bool {
        self.state = match mem::replace(&mut self.state, ThreadState::Empty) {
            ThreadState::Busy(thread, control) => {
                control.stop();
                thread.join().map_or(ThreadState::Empty, ThreadState::Idle)
            }
            state => state,
        };
        matches!(self.state, ThreadState::Idle(_))
    }
}
