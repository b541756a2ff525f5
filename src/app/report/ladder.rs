//! The page of a ladder.

use anyhow::Result;
use maud::{Markup, PreEscaped, html};

use super::{
    Axis, LadderRung, Unit,
    crosstable::CrossTable,
    curve::curve_svg,
    games,
    page::{game_name, page, percent, scrolling},
};
use crate::{
    arena::{Forfeits, MatchGame},
    games::rules::{GameId, RuleSet},
};

/// What the page of a ladder shows.
#[derive(Clone, Copy, Debug)]
pub struct LadderPage<'a> {
    /// The heading.
    pub title: &'a str,
    /// The game played.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
    /// The rating list, in any order.
    pub rungs: &'a [LadderRung],
    /// Games between those in the list.
    pub games: &'a [MatchGame],
}

/// The page of a ladder, a whole HTML file. It has curves where there are checkpoints.
///
/// # Errors
/// When a rating is not finite, somebody played who is not in the list, or a game was not played by these rules.
pub fn ladder_page(ladder: &LadderPage<'_>) -> Result<String> {
    let mut rungs: Vec<&LadderRung> = ladder.rungs.iter().collect();
    rungs.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    let names: Vec<&str> = rungs.iter().map(|rung| &*rung.name).collect();
    let table = CrossTable::new(&names, ladder.games)?;
    let body = html! {
        p { (game_name(ladder.game, ladder.rules)) ". " (rungs.len()) " players, "
            (ladder.games.len()) " games on this page." }
        section aria-labelledby="ratings-title" {
            h2 #ratings-title { "Ratings" }
            @if let Some(warning) = Forfeits::of("", ladder.games).warning(ladder.games.len() as u32) {
                p.warning role="note" { strong { "Warning: " } (warning) "." }
            }
            (scrolling("Rating list", &ratings(&rungs)))
        }
        @if ladder.rungs.iter().any(|rung| rung.checkpoint.is_some()) { (curves(ladder.rungs)?) }
        section aria-labelledby="cross-title" {
            h2 #cross-title { "Cross table" }
            p { "Points of the row’s player against the column’s, of the games on this page." }
            (scrolling("Cross table", &table.markup(&names)))
        }
        (games::section(ladder.game, ladder.rules, ladder.games)?)
    };
    Ok(page(ladder.title, &body))
}

/// The list from the strongest down, with the intervals drawn to one scale.
fn ratings(rungs: &[&LadderRung]) -> Markup {
    let low = rungs.iter().map(|rung| rung.low).fold(f64::INFINITY, f64::min);
    let high = rungs.iter().map(|rung| rung.high).fold(f64::NEG_INFINITY, f64::max);
    let scale = |elo: f64| 2.0 + 96.0 * (elo - low) / (high - low).max(1.0);
    html! {
        table.ratings {
            thead { tr {
                th.number scope="col" { "Place" } th scope="col" { "Player" } th.number scope="col" { "Elo" }
                th.number scope="col" { "95% interval" } th aria-hidden="true" {}
                th.number scope="col" { "Score" } th.number scope="col" { "Games" }
            } }
            tbody { @for (rung, place) in rungs.iter().zip(1..) { tr {
                td.number { (place) }
                th scope="row" { (rung.name) }
                td.number { (format!("{:+.0}", rung.elo)) }
                td.number { (format!("{:+.0} to {:+.0}", rung.low, rung.high)) }
                td.interval aria-hidden="true" { (interval([rung.low, rung.elo, rung.high].map(scale))) }
                td.number { (percent(rung.score)) }
                td.number { (rung.games) }
            } } }
        }
    }
}

/// A line from the first to the last of three places, in percent, with a dot at the one between.
fn interval(places: [f64; 3]) -> Markup {
    let [low, middle, high] = places.map(|place| format!("{place:.1}%"));
    html! {
        svg width="100%" height="14" {
            line x1=(low) x2=(high) y1="7" y2="7" {}
            circle cx=(middle) cy="7" r="4" {}
        }
    }
}

fn curves(rungs: &[LadderRung]) -> Result<Markup> {
    let axes = [
        (Axis::Generation, "Strength over generations"),
        (Axis::Positions, "Strength over positions played"),
        (Axis::Seconds, "Strength over time"),
    ];
    let curves = axes.into_iter().map(|(axis, name)| Ok((name, curve_svg(rungs, axis, Unit::english)?)));
    let curves = curves.collect::<Result<Vec<_>>>()?;
    Ok(html! {
        section aria-labelledby="curve-title" {
            h2 #curve-title { "Strength" }
            p { "Checkpoints with their 95% intervals; the lines across are the other players." }
            @for (name, svg) in curves {
                figure {
                    figcaption { (name) }
                    div.scroll role="img" aria-label=(name) tabindex="0" { (PreEscaped(svg)) }
                }
            }
        }
    })
}
