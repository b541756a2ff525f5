//! An external engine at the board.

use std::{marker::PhantomData, time::Duration};

use anyhow::{Result, anyhow};
use rand::Rng;

use super::{
    EngineSpec, EngineTimeouts,
    engine::{Engine, Wait},
};
use crate::{
    arena::{Forfeit, GameClock, Player, PlayerAction, PlayerBudget, Turn},
    games::rules::{Game, GameId, Reason, RuleSet},
    protocol::{BestMove, GoClocks, GoCommand, PositionText},
};

/// Lets another program play.
///
/// Its process runs from the first game until the player is dropped. After a crash, a hang or an illegal move, each
/// of which costs it the game, it is killed, and started again for the next one.
#[derive(Debug)]
pub struct ExternalPlayer<G> {
    spec: EngineSpec,
    rules: RuleSet,
    budget: PlayerBudget,
    limits: EngineTimeouts,
    engine: Option<Engine>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> ExternalPlayer<G> {
    /// The engine `spec`, for games under `rules`; a budget of simulations counts its nodes. Nothing is started yet.
    pub fn new(spec: EngineSpec, rules: RuleSet, budget: PlayerBudget, limits: EngineTimeouts) -> Self {
        ExternalPlayer { spec, rules, budget, limits, engine: None, game: PhantomData }
    }

    /// The engine, ready for a new game. One that fails to get ready between two games is started again.
    fn ready(&mut self) -> Result<Engine, Forfeit> {
        if let Some(mut engine) = self.engine.take()
            && engine.new_game().is_ok()
        {
            return Ok(engine);
        }
        let mut engine = Engine::start(&self.spec, G::ID, self.rules, self.limits)?;
        engine.new_game()?;
        Ok(engine)
    }

    /// What is left on the clocks; a side without one is taken to have as much as the other.
    fn clocks(&self, turn: &Turn<'_, G>) -> [Duration; 2] {
        let [first, second] = turn.clocks;
        let base = self.clock().map_or(Duration::ZERO, |clock| clock.base);
        [first.or(second).unwrap_or(base), second.or(first).unwrap_or(base)]
    }

    /// The limits of a move, with `left` on the two clocks.
    fn go(&self, left: [Duration; 2]) -> GoCommand {
        let millis = |time: Duration| Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let none = GoCommand::default();
        match self.budget {
            PlayerBudget::Simulations(nodes) => GoCommand { nodes: Some(nodes.into()), ..none },
            PlayerBudget::MoveTime(time) => GoCommand { movetime: millis(time), ..none },
            PlayerBudget::Clock(clock) => {
                let increment = [millis(clock.increment); 2];
                GoCommand { clocks: GoClocks { time: left.map(millis), increment, ..none.clocks }, ..none }
            }
        }
    }

    /// The move or resignation that `engine` answers.
    fn ask(&self, engine: &mut Engine, turn: &Turn<'_, G>) -> Result<PlayerAction<G::Move>, Forfeit> {
        let (dialect, notation) = (self.spec.dialect(), self.spec.notation());
        let side = turn.game.side_to_move();
        let left = self.clocks(turn);
        let limit = match self.budget {
            PlayerBudget::Simulations(_) => self.limits.nodes,
            PlayerBudget::MoveTime(time) => time + self.limits.margin,
            PlayerBudget::Clock(_) => left[side.index()] + self.limits.margin,
        };
        let position = PositionText::of(turn.start, turn.moves, notation).write(dialect);
        let go = self.go(left).write(dialect, side);
        let wait = Wait { limit, is_stopped: turn.is_stopped };
        engine.ask(position, go, wait, |line| answer(&self.spec, turn.game, line))?
    }
}

/// The move or resignation that `line` of the engine `spec` says at `game`, or what is wrong with it; `None` for a line
/// that is no answer.
pub(super) fn answer<G: Game>(
    spec: &EngineSpec,
    game: &G,
    line: &str,
) -> Option<Result<PlayerAction<G::Move>, Forfeit>> {
    let dialect = spec.dialect();
    let best = BestMove::parse(line, dialect)?;
    if best == BestMove::Resign {
        return Some(Ok(PlayerAction::Resign));
    }
    let text = best.word(dialect);
    let mv = spec.notation().read_move(game, text);
    Some(mv.map(PlayerAction::Play).ok_or_else(|| illegal(text, game)))
}

/// A move that is none; a false declaration of victory, which loses too, is one.
fn illegal<G: Game>(text: &str, game: &G) -> Forfeit {
    let text: String = text.chars().take(40).collect();
    Forfeit { reason: Reason::IllegalMove, why: format!("'{text}' is not legal in {}", game.fen()) }
}

impl<G: Game> Player<G> for ExternalPlayer<G> {
    fn begin(&mut self) -> Result<(), Forfeit> {
        self.engine = Some(self.ready()?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, _rng: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.ready()?,
        };
        // One that fails is dropped here.
        let choice = self.ask(&mut engine, turn)?;
        self.engine = Some(engine);
        Ok(choice)
    }

    fn clock(&self) -> Option<GameClock> {
        self.budget.clock()
    }

    fn rules(&self) -> Option<RuleSet> {
        Some(self.rules)
    }
}

/// Starts the engine once, and says what it calls itself.
///
/// # Errors
/// When it cannot be started, does not answer, has not the options that are to be set, or cannot play `game` under
/// `rules`.
pub fn check(spec: &EngineSpec, game: GameId, rules: RuleSet) -> Result<String> {
    let engine = Engine::start(spec, game, rules, EngineTimeouts::default()).and_then(|mut engine| {
        engine.new_game()?;
        Ok(engine)
    });
    let engine = engine.map_err(|Forfeit { why, .. }| anyhow!("'{spec}' cannot play: {why}"))?;
    Ok(engine.name().to_owned())
}
