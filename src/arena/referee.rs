//! One game: whose turn it is, what the clocks show, and who has won.

use std::time::{Duration, Instant};

use rand::Rng;

use super::{Forfeit, Player, PlayerAction, Turn};
use crate::games::rules::{Game, Outcome, Reason, Side};

/// How far a clock may be overdrawn: what the messages of another process take on a busy machine.
const CLOCK_MARGIN: Duration = Duration::from_millis(100);

/// A finished game.
#[derive(Clone, Debug)]
pub struct FinishedGame<M> {
    /// Who won and by what.
    pub outcome: Outcome,
    /// The moves from the start.
    pub moves: Vec<M>,
    /// What each side has used, the first side's before the second's.
    pub used: [Duration; 2],
    /// What a player did that lost it the game.
    pub note: Option<String>,
}

/// Plays from `start`, which must not be over, to the end of the game, with the player of the first side first.
/// A game that has lasted `max_plies` is adjudicated. `None` as soon as `is_stopped` says so.
pub fn play_game<'a, G: Game>(
    start: &'a G,
    players: [&'a mut (dyn Player<G> + 'a); 2],
    max_plies: u32,
    rng: &mut dyn Rng,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<FinishedGame<G::Move>> {
    let mut table = Table::new(start, players);
    if let Some(outcome) = table.begin() {
        return Some(table.finish(outcome));
    }
    loop {
        let capped = || (table.game.ply() >= max_plies).then(|| table.game.adjudicate());
        if let Some(outcome) = table.game.outcome_or_declaration().or_else(capped) {
            return Some(table.finish(outcome));
        }
        if is_stopped() {
            return None;
        }
        let outcome = table.turn(rng, is_stopped);
        // A player that was told to stop is not judged by what it did then.
        if let Some(outcome) = outcome.filter(|_| !is_stopped()) {
            return Some(table.finish(outcome));
        }
    }
}

/// A game under way.
struct Table<'a, G: Game> {
    start: &'a G,
    players: [&'a mut (dyn Player<G> + 'a); 2],
    game: G,
    moves: Vec<G::Move>,
    clocks: [Option<Duration>; 2],
    used: [Duration; 2],
    note: Option<String>,
}

impl<'a, G: Game> Table<'a, G> {
    fn new(start: &'a G, players: [&'a mut (dyn Player<G> + 'a); 2]) -> Self {
        let clocks = [0, 1].map(|side: usize| players[side].clock().map(|clock| clock.base));
        let (game, used) = (start.clone(), [Duration::ZERO; 2]);
        Table { start, players, game, moves: Vec::new(), clocks, used, note: None }
    }

    /// Prepares both players; the outcome if one cannot play.
    fn begin(&mut self) -> Option<Outcome> {
        for side in [Side::First, Side::Second] {
            if let Err(forfeit) = self.players[side.index()].begin() {
                return Some(self.forfeited(side, forfeit));
            }
        }
        None
    }

    /// Lets the side to move use its turn; the outcome if that ended the game.
    fn turn(&mut self, rng: &mut dyn Rng, is_stopped: &(dyn Fn() -> bool + Sync)) -> Option<Outcome> {
        let side = self.game.side_to_move();
        let player = &mut self.players[side.index()];
        let (start, moves, game, clocks) = (self.start, &*self.moves, &self.game, self.clocks);
        let turn = Turn { start, moves, game, clocks, is_stopped };
        let begin = Instant::now();
        let choice = player.choose(&turn, rng);
        let time = begin.elapsed();
        self.used[side.index()] += time;
        let increment = player.clock().map_or(Duration::ZERO, |clock| clock.increment);
        match choice {
            Err(forfeit) => Some(self.forfeited(side, forfeit)),
            Ok(PlayerAction::Resign) => Some(Outcome::win(!side, Reason::Resignation)),
            Ok(PlayerAction::Play(mv)) => {
                if let Some(left) = &mut self.clocks[side.index()] {
                    if time > *left + CLOCK_MARGIN {
                        let why = format!("{time:.1?} for {mv} with {left:.1?} on the clock");
                        return Some(self.forfeited(side, Forfeit { reason: Reason::Timeout, why }));
                    }
                    *left = left.saturating_sub(time) + increment;
                }
                self.game.play(mv);
                self.moves.push(mv);
                None
            }
        }
    }

    fn forfeited(&mut self, side: Side, forfeit: Forfeit) -> Outcome {
        self.note = Some(forfeit.why);
        Outcome::win(!side, forfeit.reason)
    }

    fn finish(self, outcome: Outcome) -> FinishedGame<G::Move> {
        FinishedGame { outcome, moves: self.moves, used: self.used, note: self.note }
    }
}
