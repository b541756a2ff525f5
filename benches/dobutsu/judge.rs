//! How many of a net's moves give a win or a draw away.

use std::{fmt, path::Path};

use anyhow::{Result, anyhow, bail};
use rand::SeedableRng;
use rayon::prelude::*;
use sanki::{
    arena::{Forfeit, PlayerAction, RandomPlayer, Turn},
    base::rng::Rng,
    games::rules::dobutsu::Dobutsu,
};

use super::{
    players::{Net, Way},
    sample::sample,
    table::{Table, Value},
};

/// Nodes a move in a net's own games.
const NODES: u32 = 400;

/// Where positions are from. Only those of random games are the same for all nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Games of the net against itself, with alpha-beta.
    OwnGames,
    /// Games of random moves.
    RandomGames,
}

impl Source {
    /// As [`sample()`], with the net where the games are its own.
    pub fn sample(self, count: usize, table: &Table, net: &Net, seed: u64) -> Result<Vec<Dobutsu>> {
        match self {
            Source::OwnGames => sample(count, table, net.player(Way::Nodes(NODES)).as_mut(), seed),
            Source::RandomGames => sample(count, table, &mut RandomPlayer::new(), seed),
        }
    }
}

/// How many of a net's moves were wrong.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// How the moves were chosen.
    pub way: Way,
    /// Where the positions are from.
    pub source: Source,
    /// Positions that the net's run had played.
    pub played: u64,
    /// Positions in which it was asked for a move.
    pub asked: usize,
    /// Moves that turned a win into a draw or a loss.
    pub wins_given_away: usize,
    /// Moves that turned a draw into a loss.
    pub draws_given_away: usize,
}

impl Judgement {
    /// Asks `net` for a move in each of `positions`.
    ///
    /// # Errors
    /// When it does not play.
    pub fn of(net: &Net, way: Way, source: Source, positions: &[Dobutsu], table: &Table) -> Result<Self> {
        let share = positions.len().div_ceil(rayon::current_num_threads()).max(1);
        let chunks = positions.par_chunks(share);
        let values: Vec<_> = chunks.map(|games| values(net, way, games, table)).collect::<Result<_>>()?;
        let values = values.concat();
        let given_away = |value: Value| {
            values.iter().filter(|&&(before, after)| before == value && after < before).count()
        };
        Ok(Judgement {
            way,
            source,
            played: net.file.meta.positions,
            asked: positions.len(),
            wins_given_away: given_away(Value::Won),
            draws_given_away: given_away(Value::Drawn),
        })
    }

    /// The share of the positions, in `0.0..=1.0`, whose value the net gave away.
    pub fn share(&self) -> f64 {
        (self.wins_given_away + self.draws_given_away) as f64 / self.asked.max(1) as f64
    }

    /// Half of the 95% interval of [`Judgement::share`], were the positions independent of each other.
    fn half_interval(&self) -> f64 {
        1.96 * (self.share() * (1.0 - self.share()) / self.asked.max(1) as f64).sqrt()
    }

    /// A row of the table that is printed.
    pub fn row(&self, net: &Path) -> String {
        format!(
            "| {} | {} | {} | {} | {:.2}% ± {:.2} | {} | {} | {} |",
            net.display(),
            self.played,
            self.source,
            self.way,
            100.0 * self.share(),
            100.0 * self.half_interval(),
            self.asked,
            self.wins_given_away,
            self.draws_given_away,
        )
    }
}

/// What each of the positions is worth before and after the net's move.
fn values(net: &Net, way: Way, positions: &[Dobutsu], table: &Table) -> Result<Vec<(Value, Value)>> {
    // These players draw no random numbers.
    let (mut player, mut rng) = (net.player(way), Rng::seed_from_u64(0));
    let failed = |forfeit: Forfeit| anyhow!("the player has failed: {}", forfeit.why);
    let ask = |game: &Dobutsu| {
        player.begin().map_err(failed)?;
        let before = table.value(game.position()).expect("it is sampled from the table");
        match player.choose(&Turn::at(game), &mut rng).map_err(failed)? {
            PlayerAction::Play(mv) => Ok((before, table.value_after(game.position(), mv))),
            PlayerAction::Resign => bail!("the player has resigned"),
        }
    };
    positions.iter().map(ask).collect()
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::OwnGames => "its own games",
            Source::RandomGames => "random games",
        })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Policy => f.write_str("the policy alone"),
            Way::Simulations(simulations) => write!(f, "{simulations} simulations"),
            Way::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Way::Milliseconds(time) => write!(f, "{time} ms"),
        }
    }
}
