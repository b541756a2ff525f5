//! Everybody's results against everybody.

use anyhow::{Result, bail};
use maud::{Markup, html};

use super::page::points;
use crate::arena::MatchGame;

/// Half points and games of every player against every other.
pub(super) struct CrossTable {
    /// `[row][column]`, each the half points of the row's player and the games.
    cells: Vec<Vec<(u32, u32)>>,
}

impl CrossTable {
    /// The results of `games` between `names`, in that order.
    ///
    /// # Errors
    /// When somebody else played.
    pub(super) fn new(names: &[&str], games: &[MatchGame]) -> Result<Self> {
        let mut cells = vec![vec![(0, 0); names.len()]; names.len()];
        for game in games {
            let sides = [&*game.first, &*game.second];
            let places = sides.map(|name| names.iter().position(|known| *known == name));
            let ([Some(first), Some(second)], Some(half_points)) = (places, game.half_points(&game.first))
            else {
                bail!(
                    "game {} is between '{}' and '{}', not both in the list",
                    game.ordinal(),
                    sides[0],
                    sides[1]
                );
            };
            for (row, column, half_points) in [(first, second, half_points), (second, first, 2 - half_points)]
            {
                let (sum, games) = &mut cells[row][column];
                *sum += half_points;
                *games += 1;
            }
        }
        Ok(CrossTable { cells })
    }

    /// The table, its columns by the number of the row.
    pub(super) fn markup(&self, names: &[&str]) -> Markup {
        html! {
            table.cross {
                thead { tr {
                    th scope="col" { "Player" }
                    @for (name, place) in names.iter().zip(1..) {
                        th.number scope="col" { abbr title=(name) { (place) } }
                    }
                } }
                tbody { @for ((row, name), place) in self.cells.iter().zip(names).zip(1..) { tr {
                    th scope="row" { (place) ". " (name) }
                    @for &(sum, games) in row {
                        td.number { @if games > 0 { (points(sum)) "/" (games) } }
                    }
                } } }
            }
        }
    }
}
