//! A net, and the ways in which it can choose a move.

use std::{path::Path, time::Duration};

use anyhow::Result;
use rand::Rng;
use sanki::{
    arena::{AlphaBetaPlayer, Forfeit, Player, PlayerAction, PlayerBudget, SearchPlayer, Turn},
    games::{
        encode::Encode,
        rules::{Game, dobutsu::Dobutsu},
    },
    net::{Backend, LoadedNet, ModelFile, NetEvaluator, PlayConfig, PlayTable},
    search::{Evaluation, Evaluator, Query},
};

/// How a net chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It takes the move with the highest policy.
    Policy,
    /// A tree search of so many simulations.
    Simulations(u32),
    /// Alpha-beta of so many nodes.
    Nodes(u32),
    /// Alpha-beta of so many milliseconds.
    Milliseconds(u64),
}

/// MiB for the tree or the table of one move: it is emptied before each.
const MEMORY: u32 = 16;

/// A net of dobutsu.
pub struct Net {
    /// As it was read.
    pub file: ModelFile,
    play: PlayConfig,
    loaded: LoadedNet,
}

impl Net {
    /// Reads a model, a checkpoint, or a run's newest one.
    ///
    /// # Errors
    /// When it cannot be read or is of another game.
    pub fn read(path: &Path) -> Result<Self> {
        let file = ModelFile::read(path)?;
        file.check::<Dobutsu>()?;
        let play = PlayConfig { threads: 1, memory: MEMORY, ..file.play(&PlayTable::default()) };
        let loaded = Backend::Native.load_in(&file.model, play.precision)?;
        Ok(Net { file, play, loaded })
    }

    /// A player that chooses in this way.
    pub fn player(&self, way: Way) -> Box<dyn Player<Dobutsu>> {
        let evaluator = || NetEvaluator::new(self.loaded.evaluator(Dobutsu::SHAPE));
        let alphabeta = |budget| Box::new(AlphaBetaPlayer::new(&self.play, budget, evaluator));
        match way {
            Way::Policy => Box::new(PolicyPlayer { evaluator: evaluator() }),
            Way::Simulations(simulations) => {
                let budget = PlayerBudget::Simulations(simulations);
                Box::new(SearchPlayer::new(self.play.clone(), budget, evaluator))
            }
            Way::Nodes(nodes) => alphabeta(PlayerBudget::Simulations(nodes)),
            Way::Milliseconds(time) => alphabeta(PlayerBudget::MoveTime(Duration::from_millis(time))),
        }
    }
}

/// Plays the move with the highest policy, without a search.
struct PolicyPlayer<E> {
    evaluator: E,
}

impl<E: Evaluator<Dobutsu>> Player<Dobutsu> for PolicyPlayer<E> {
    fn choose(
        &mut self,
        turn: &Turn<'_, Dobutsu>,
        _: &mut dyn Rng,
    ) -> Result<PlayerAction<<Dobutsu as Game>::Move>, Forfeit> {
        let mut query = Query { game: turn.game.clone(), moves: Vec::new(), policy_only: true };
        turn.game.legal_moves(&mut query.moves);
        let mut answer = [Evaluation::default()];
        self.evaluator.evaluate(&[&query], &mut answer);
        let best = query.moves.iter().zip(&answer[0].logits).max_by(|a, b| a.1.total_cmp(b.1));
        Ok(PlayerAction::Play(*best.expect("a game that is not over has moves").0))
    }
}
