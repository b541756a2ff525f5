//! A game on the desk, the search that may be under way there, and the net that plays.

use std::{
    mem,
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
};

use super::{
    Thinker,
    command::Go,
    desk::Desk,
    nets::{self, Choice},
    task::{Control, Task, Voice},
};
use crate::{
    games::rules::{GameId, RuleSet, Side},
    net::{ModelFile, PlayTable},
    with_game,
};

/// The place of one game under one rule set.
pub struct Seat {
    game: GameId,
    rules: RuleSet,
    state: State,
    /// The net that plays, by what it was chosen by.
    loaded: Option<(Option<PathBuf>, PlayTable)>,
    /// The net that was read last, by what it was chosen by.
    model: Option<(Option<PathBuf>, Option<ModelFile>)>,
}

enum State {
    Idle(Box<dyn Thinker>),
    Busy(JoinHandle<Box<dyn Thinker>>, Arc<Control>, Box<Asked>),
    /// Only while one becomes the other, and after a search that has failed.
    Empty,
}

/// What a search was asked for, and in which position.
pub struct Asked {
    /// The words.
    pub go: Go,
    /// Whose turn it is.
    pub side: Side,
    /// After so many plies.
    pub ply: u32,
}

impl Seat {
    /// With the start of a game, and without a net.
    pub fn new(game: GameId, rules: RuleSet) -> Self {
        let thinker: Box<dyn Thinker> = with_game!(game, G => Box::new(Desk::<G>::new(rules)));
        Seat { game, rules, state: State::Idle(thinker), loaded: None, model: None }
    }

    /// Whether it is for this game under these rules.
    pub fn is_for(&self, (game, rules): (GameId, RuleSet)) -> bool {
        (self.game, self.rules) == (game, rules)
    }

    /// What thinks here, while it does not.
    pub fn idle(&mut self) -> Option<&mut Box<dyn Thinker>> {
        match &mut self.state {
            State::Idle(thinker) => Some(thinker),
            State::Busy(..) | State::Empty => None,
        }
    }

    /// What a search under way was asked for, and how it is told to end.
    pub fn asked(&self) -> Option<(&Asked, &Control)> {
        match &self.state {
            State::Busy(_, control, asked) => Some((asked, control)),
            State::Idle(_) | State::Empty => None,
        }
    }

    /// Whether a search goes on.
    pub fn is_busy(&self) -> bool {
        matches!(&self.state, State::Busy(search, ..) if !search.is_finished())
    }

    /// Begins a search on a thread of its own, if none is under way.
    pub fn think(&mut self, task: Task, asked: Asked, voice: Voice) {
        self.state = match mem::replace(&mut self.state, State::Empty) {
            State::Idle(mut thinker) => {
                let control = Arc::new(Control::default());
                let told = control.clone();
                let search = thread::spawn(move || {
                    thinker.think(&task, &told, &voice);
                    thinker
                });
                State::Busy(search, control, Box::new(asked))
            }
            state => state,
        };
    }

    /// Ends a search that is under way, which says its answer. Whether all is well.
    pub fn rest(&mut self) -> bool {
        self.state = match mem::replace(&mut self.state, State::Empty) {
            State::Busy(search, control, _) => {
                control.stop();
                search.join().map_or(State::Empty, State::Idle)
            }
            state => state,
        };
        matches!(self.state, State::Idle(_))
    }

    /// Plays with the net that is named, or found in `folders`, and searches as `play` says; what there is to tell of it.
    pub fn play_with(
        &mut self,
        weights: Option<&Path>,
        play: &PlayTable,
        folders: &[PathBuf],
    ) -> Vec<String> {
        let mut notes = Vec::new();
        let wanted = (weights.map(Path::to_owned), play.clone());
        if self.loaded.as_ref() == Some(&wanted) {
            return notes;
        }
        if self.model.as_ref().is_none_or(|(named, _)| named.as_deref() != weights) {
            let Choice { model, notes: told, .. } = nets::choose(self.game, self.rules, weights, folders);
            self.model = Some((wanted.0.clone(), model));
            notes = told;
        }
        let model = self.model.as_ref().and_then(|(_, model)| model.as_ref());
        if let State::Idle(thinker) = &mut self.state
            && let Err(why) = thinker.load(model, play)
        {
            notes.push(format!("{why}: it plays by the rules alone"));
        }
        self.loaded = Some(wanted);
        notes
    }
}
