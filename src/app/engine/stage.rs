//! What a search of either kind has before it: the position, what is asked, and how to speak.

use super::{
    answer::{Info, Score},
    position::Line,
    task::{Control, Task, Voice},
};
use crate::{arena::Dialect, games::rules::Game, search::Wdl};

/// A search on its way, without the search itself.
#[derive(Clone, Copy)]
pub struct Stage<'a, G: Game> {
    /// The game so far.
    pub line: &'a Line<G>,
    /// What is to be done.
    pub task: &'a Task,
    /// What is told to it on its way.
    pub control: &'a Control,
    /// How it speaks.
    pub voice: &'a Voice,
}

/// The figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Depth: plies, or of a tree what stands for them.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub deepest: usize,
    /// Positions or simulations.
    pub nodes: u64,
    /// How full the memory is, in thousandths.
    pub fullness: u32,
}

/// A line that is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Told<M> {
    /// Its moves.
    pub moves: Vec<M>,
    /// What it is worth.
    pub score: Score,
    /// The same as probabilities.
    pub wdl: Wdl,
}

impl<G: Game> Stage<'_, G> {
    /// The moves that may be played: those asked for that are legal, without those that are banned.
    pub fn allowed(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.line.game.legal_moves(&mut moves);
        let named = |texts: &[String], mv: &G::Move| texts.contains(&self.write(*mv));
        moves.retain(|mv| !named(&self.task.banned, mv));
        if moves.iter().any(|mv| named(&self.task.only, mv)) {
            moves.retain(|mv| named(&self.task.only, mv));
        }
        moves
    }

    /// A move as the other side writes it.
    pub fn write(&self, mv: G::Move) -> String {
        self.voice.notation.write_move::<G>(mv)
    }

    /// Says what is known.
    pub fn tell(&self, figures: Figures, lines: &[Told<G::Move>]) {
        for (line, place) in lines.iter().zip(1..) {
            let info = Info {
                score: line.score,
                place: (self.voice.dialect == Dialect::Uci || self.task.lines > 1).then_some(place),
                wdl: self.task.show_wdl.then_some(line.wdl),
                line: line.moves.iter().map(|&mv| self.write(mv)).collect(),
                ..self.nothing(figures)
            };
            self.voice.say(&info.line(self.voice.dialect));
        }
    }

    /// The figures without a line; a loss where there is no move.
    pub fn nothing(&self, Figures { depth, deepest, nodes, fullness }: Figures) -> Info {
        let elapsed = self.task.began.elapsed();
        let (place, score, wdl, line) = (None, Score::Loss(0), None, Vec::new());
        Info { depth, deepest, place, score, wdl, nodes, elapsed, full: fullness, line }
    }
}
