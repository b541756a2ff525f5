//! How many of a net's moves give a win or a draw away.

use std::{fmt, path::Path};

use anyhow::{Result, bail};
use rand::SeedableRng;
use rayon::prelude::*;
use sanki::{
    arena::{PlayerAction, RandomPlayer, Turn},
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

/// Where positions are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Games of the net against itself, with alpha-beta.
    OwnGames,
    /// Games of random moves.
    RandomGames,
}

impl Source {
    /// As [`sample()`].
    pub fn sample(self, count: usize, table: &Table, net: &Net, seed: u64) -> Result<Vec<Dobutsu>> {
        match self {
            Source::OwnGames => sample(count, table, net.player(Way::Nodes(NODES)).as_mut(), seed),
            Source::RandomGames => sample(count, table, &mut RandomPlayer::new(), seed),
        }
    }
}

/// What came of a net's moves.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    pub way: Way,
    pub source: Source,
    /// Positions of self-play that the net has learnt from.
    pub learnt: u64,
    pub asked: usize,
    pub wins_given_away: usize,
    pub draws_given_away: usize,
    /// Moves to positions that the table does not know, which are counted as good.
    pub unknown: usize,
}

impl Judgement {
    /// Asks `net` for a move in each of `positions`.
    ///
    /// # Errors
    /// When it does not play.
    pub fn of(
        net: &Net,
        way: Way,
        source: Source,
        positions: &[Dobutsu],
        table: &Table,
        seed: u64,
    ) -> Result<Self> {
        let share = positions.len().div_ceil(rayon::current_num_threads()).max(1);
        let of_thread = |positions: &[Dobutsu]| -> Result<Vec<(Value, Option<Value>)>> {
            let mut player = net.player(way);
            positions
                .iter()
                .map(|game| {
                    let _ = player.begin();
                    let mut rng = Rng::seed_from_u64(seed);
                    match player.choose(&Turn::at(game), &mut rng) {
                        Ok(PlayerAction::Play(mv)) => {
                            let before = table.value(game.position()).expect("it is sampled from the table");
                            Ok((before, table.value_after(game.position(), mv)))
                        }
                        _ => bail!("the player does not play"),
                    }
                })
                .collect()
        };
        let values: Vec<Vec<(Value, Option<Value>)>> =
            positions.par_chunks(share).map(of_thread).collect::<Result<_>>()?;
        let values = values.concat();
        let given_away = |value: Value| {
            values
                .iter()
                .filter(|&&(before, after)| before == value && after.is_some_and(|after| after < before))
                .count()
        };
        Ok(Judgement {
            way,
            source,
            learnt: net.file.meta.positions,
            asked: positions.len(),
            wins_given_away: given_away(Value::Won),
            draws_given_away: given_away(Value::Drawn),
            unknown: values.iter().filter(|(_, after)| after.is_none()).count(),
        })
    }

    /// The share of the positions, in `0.0..=1.0`, whose value the net gave away.
    pub fn share(&self) -> f64 {
        (self.wins_given_away + self.draws_given_away) as f64 / self.asked.max(1) as f64
    }

    /// A row of the table that is printed.
    pub fn row(&self, net: &Path) -> String {
        format!(
            "| {} | {} | {} | {} | {:.2}% | {} | {} | {} | {} |",
            net.display(),
            self.learnt,
            self.source,
            self.way,
            100.0 * self.share(),
            self.asked,
            self.wins_given_away,
            self.draws_given_away,
            self.unknown
        )
    }
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
