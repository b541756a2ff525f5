//! A game on the engine's desk: its position, its net and its search.

use std::time::Duration;

use super::{
    answer::Best,
    deepening::Deepening,
    perft,
    position::{Line, PositionText},
    stage::{Figures, Stage},
    task::{Control, Refused, Task, Voice, Waits, Work},
    tree::Tree,
};
use crate::{
    arena::{Dialect, Notation},
    encode::Encode,
    net::{AnyEvaluator, Backend, ModelFile, PlayConfig, PlaySearch, PlayTable},
    rules::{Declaration, RuleSet, Side},
    store::printable,
};

/// What a session does with a game, whichever it is.
pub trait Thinker: Send {
    /// Takes a position, its moves in the first of `notations` that fits, and says which did.
    ///
    /// # Errors
    /// Says what is wrong; the position before it stays.
    fn read(&mut self, text: &PositionText, notations: &[Notation]) -> Result<Notation, String>;
    /// Plays with `model` from now on, by the rules alone without one, and searches as `play` says.
    ///
    /// # Errors
    /// Says why it cannot; then it plays by the rules alone.
    fn load(&mut self, model: Option<&ModelFile>, play: &PlayTable) -> Result<(), String>;
    /// Forgets what the last search has found.
    fn forget(&mut self);
    /// What is unusual about the position that the game began at, if something is ([`crate::rules::Game::unusual`]).
    fn unusual(&self) -> Option<String>;
    /// Whose turn it is, and how many plies were played.
    fn turn(&self) -> (Side, u32);
    /// The board and its FEN, a line each.
    fn show(&self) -> Vec<String>;
    /// Does what it is told to, and says the answer.
    fn think(&mut self, task: &Task, control: &Control, voice: &Voice);
}

/// The search of a desk, and what it remembers.
enum Mind<G: Encode> {
    Tree(Box<Tree<G>>),
    AlphaBeta(Deepening<G>),
}

/// Which search does a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Tree,
    AlphaBeta,
}

/// The search for a move, the same whatever limits it. Where it is left to us, alpha-beta, but where the visits of all
/// moves are to be told, which only a tree has.
fn kind(kind: PlaySearch, task: &Task) -> Kind {
    match kind {
        PlaySearch::AlphaBeta => Kind::AlphaBeta,
        PlaySearch::Auto if !task.move_stats => Kind::AlphaBeta,
        PlaySearch::Auto | PlaySearch::Puct | PlaySearch::Gumbel => Kind::Tree,
    }
}

/// The desk of `G`.
pub struct Desk<G: Encode> {
    line: Line<G>,
    judges: Vec<AnyEvaluator>,
    play: PlayConfig,
    /// Of the kind that was asked for last, so that there is memory for one.
    mind: Mind<G>,
}

impl<G: Encode> Desk<G> {
    /// With the start of a game under `rules`, and without a net.
    pub fn new(rules: RuleSet) -> Self {
        let start = Line::read(rules, &PositionText::STANDARD, &[Notation::Own]);
        let play = PlayTable::default().complete_without_net(G::ID);
        let (line, _) = start.expect("every game has a start");
        let mind = Mind::Tree(Box::new(Tree::new(&play)));
        Desk { line, judges: vec![AnyEvaluator::Even], play, mind }
    }

    /// Makes the mind one of this kind, anew where it was of another.
    fn change_mind(&mut self, kind: Kind) {
        match (kind, &self.mind) {
            (Kind::Tree, Mind::Tree(_)) | (Kind::AlphaBeta, Mind::AlphaBeta(_)) => {}
            (Kind::Tree, _) => self.mind = Mind::Tree(Box::new(Tree::new(&self.play))),
            (Kind::AlphaBeta, _) => self.mind = Mind::AlphaBeta(Deepening::new(&self.play)),
        }
    }

    /// Finds the best move and says it.
    fn find_move(&mut self, task: &Task, control: &Control, voice: &Voice) {
        self.change_mind(kind(self.play.kind, task));
        let Desk { line, judges, mind, .. } = self;
        let stage = Stage { line, task, control, voice };
        let moves = stage.allowed();
        if moves.is_empty() {
            control.wait(task.waits);
            if voice.dialect == Dialect::Uci {
                voice.say(&stage.nothing(Figures::default()).line(voice.dialect));
            }
            voice.say(&Best::Nothing.line(voice.dialect));
            return;
        }
        let wins = line.game.declaration() == Some(Declaration::Win);
        if wins && voice.dialect == Dialect::Usi && task.waits != Waits::ForStop {
            control.wait(task.waits);
            voice.say(&Best::Win.line(voice.dialect));
            return;
        }
        let best = match mind {
            Mind::Tree(tree) => tree.find(&stage, &moves, judges),
            Mind::AlphaBeta(deepening) => deepening.find(&stage, &moves, judges),
        };
        let answer = best.get(1).map(|&mv| stage.write(mv));
        voice.say(&Best::Move(stage.write(best[0]), answer).line(voice.dialect));
    }

    /// Looks for a mate, which is the tree's work, and says it.
    fn find_mate(&mut self, limit: Option<Duration>, task: &Task, control: &Control, voice: &Voice) {
        self.change_mind(Kind::Tree);
        let Desk { line, judges, mind, .. } = self;
        let stage = Stage { line, task, control, voice };
        let moves = stage.allowed();
        match mind {
            Mind::Tree(tree) if !moves.is_empty() => tree.find_mate(&stage, limit, &moves, judges),
            _ => voice.say("checkmate nomate"),
        }
    }

    fn count(&self, depth: u32, control: &Control, voice: &Voice) {
        let Some(counts) = perft::divide(&self.line.game, depth, control) else { return };
        for (mv, count) in &counts {
            voice.say(&format!("{}: {count}", voice.notation.write_move::<G>(*mv)));
        }
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        voice.say(&format!("\nNodes searched: {total}\n"));
    }
}

impl<G: Encode> Thinker for Desk<G> {
    fn read(&mut self, text: &PositionText, notations: &[Notation]) -> Result<Notation, String> {
        let (line, notation) = Line::read(self.line.game.rules(), text, notations)?;
        self.line = line;
        Ok(notation)
    }

    fn load(&mut self, model: Option<&ModelFile>, table: &PlayTable) -> Result<(), String> {
        let complete = |table: &PlayTable| match model {
            Some(model) => model.play(table),
            None => table.complete_without_net(G::ID),
        };
        self.play = match complete(table) {
            // It ends by itself, and cannot go on for as long as it takes.
            play if play.kind == PlaySearch::Gumbel => {
                complete(&PlayTable { search: Some(PlaySearch::Puct), ..table.clone() })
            }
            play => play,
        };
        let net = model.map(|model| {
            model.check::<G>().map_err(|error| format!("{error:#}"))?;
            Backend::Native.load_in(&model.model, self.play.precision).map_err(|error| error.to_string())
        });
        let (net, result) = match net.transpose() {
            Ok(net) => (net, Ok(())),
            Err(why) => (None, Err(why)),
        };
        self.judges = (0..self.play.threads).map(|_| AnyEvaluator::of::<G>(net.as_ref())).collect();
        // What it has found, and how much memory it may take, is of the net before.
        self.mind = Mind::Tree(Box::new(Tree::new(&self.play)));
        self.change_mind(match self.play.kind {
            PlaySearch::Auto | PlaySearch::AlphaBeta => Kind::AlphaBeta,
            PlaySearch::Puct | PlaySearch::Gumbel => Kind::Tree,
        });
        if self.line.start.outcome().is_none() {
            match &mut self.mind {
                Mind::Tree(tree) => tree.warm_up(&self.line.start, &mut self.judges),
                Mind::AlphaBeta(deepening) => deepening.warm_up(&self.line.start, &mut self.judges),
            }
        }
        result
    }

    fn forget(&mut self) {
        match &mut self.mind {
            Mind::Tree(tree) => tree.forget(),
            Mind::AlphaBeta(deepening) => deepening.forget(),
        }
    }

    fn unusual(&self) -> Option<String> {
        self.line.start.unusual()
    }

    fn turn(&self) -> (Side, u32) {
        (self.line.game.side_to_move(), self.line.game.ply())
    }

    fn show(&self) -> Vec<String> {
        let game = &self.line.game;
        let mut lines: Vec<String> = game.board().lines().map(str::to_owned).collect();
        lines.push(format!("Fen: {}", game.fen()));
        if game.fen().contains('[') {
            let sfen = Notation::Shogi.write_position(game);
            lines.push(format!("Sfen: {}", sfen.trim_start_matches("sfen ")));
        }
        lines.push(format!("Key: {:016X}", game.key()));
        lines.push(format!("Checkers: {}", if game.is_check() { "yes" } else { "" }));
        lines
    }

    fn think(&mut self, task: &Task, control: &Control, voice: &Voice) {
        match &task.work {
            Work::Move => self.find_move(task, control, voice),
            Work::Mate(limit) => self.find_mate(*limit, task, control, voice),
            Work::Perft(depth) => self.count(*depth, control, voice),
            Work::Refusal(why, asked) => {
                voice.say(&format!("info string no position to search: {}", printable(why)));
                control.wait(task.waits);
                match asked {
                    Refused::Move => voice.say(&Best::Nothing.line(voice.dialect)),
                    Refused::Mate => voice.say("checkmate notimplemented"),
                }
            }
        }
    }
}
