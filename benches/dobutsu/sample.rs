//! Positions to ask a player about, from games of two kinds.

use std::collections::HashSet;

use anyhow::{Result, bail};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use sanki::{
    arena::{Player, PlayerAction, RandomPlayer, Turn},
    base::rng::Rng,
    games::rules::{
        Game, RuleSet, Setup,
        dobutsu::{Dobutsu, Position},
    },
};

use super::{
    numbering::number_of,
    solver::takes_lion,
    table::{Table, Value},
};

/// Random moves that a net's own games begin with, at most.
const OPENING_PLIES: u32 = 6;
/// A game is left after so many plies.
const MOST_PLIES: u32 = 200;
/// One of so many positions of a game is taken.
const ONE_OF: u32 = 4;
/// Games without a new position after which there are no more.
const PATIENCE: u32 = 1000;

/// Takes `count` different positions from games between `player` and itself, which begin with some random moves, in which
/// the side to move can go wrong: it wins or draws, not by taking the lion at once, and not with every move.
///
/// # Errors
/// When the games have too few such positions, or the player fails.
pub fn sample(
    count: usize,
    table: &Table,
    player: &mut dyn Player<Dobutsu>,
    seed: u64,
) -> Result<Vec<Dobutsu>> {
    let (mut rng, mut random) = (Rng::seed_from_u64(seed), RandomPlayer::new());
    let (mut positions, mut seen, mut in_vain): (Vec<Dobutsu>, _, _) = (Vec::new(), HashSet::new(), 0);
    while positions.len() < count {
        let mut game = Dobutsu::start(RuleSet::Standard, Setup::Standard, &mut rng);
        let opening = rng.random_range(0..=OPENING_PLIES);
        let before = positions.len();
        if player.begin().is_err() {
            bail!("the player cannot begin");
        }
        while game.outcome().is_none() && game.ply() < MOST_PLIES {
            let position = game.position();
            if game.ply() >= opening
                && can_go_wrong(position, table)
                && rng.random_range(0..ONE_OF) == 0
                && seen.insert(number_of(position))
            {
                // Without the moves before, which the table does not know either.
                positions.push(Dobutsu::from_fen(RuleSet::Standard, &game.fen())?);
            }
            let chooses: &mut dyn Player<Dobutsu> = if game.ply() < opening { &mut random } else { player };
            match chooses.choose(&Turn::at(&game), &mut rng) {
                Ok(PlayerAction::Play(mv)) => game.play(mv),
                Ok(PlayerAction::Resign) => break,
                Err(forfeit) => bail!("the player has failed: {}", forfeit.why),
            }
        }
        in_vain = if positions.len() == before { in_vain + 1 } else { 0 };
        if in_vain == PATIENCE {
            bail!("{PATIENCE} games had no new position; there are {}", positions.len());
        }
    }
    positions.shuffle(&mut rng);
    positions.truncate(count);
    Ok(positions)
}

/// Whether the side to move wins or draws, but not with every move.
fn can_go_wrong(position: &Position, table: &Table) -> bool {
    let Some(value) = table.value(position).filter(|&value| value > Value::Lost && !takes_lion(position))
    else {
        return false;
    };
    let mut is_so = false;
    position.for_each_move(|mv| is_so |= table.value_after(position, mv) < value);
    is_so
}
