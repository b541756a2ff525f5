//! The page of a match.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, bail};
use maud::{Markup, html};

use super::{
    board::BoardData,
    games::{self, reason_name},
    page::{game_name, page, percent, points, scrolling},
};
use crate::{
    arena::{Forfeits, MatchGame, MatchResult, Tally},
    games::rules::{GameId, RuleSet, Side},
};

/// What the page of a match shows.
#[derive(Clone, Copy, Debug)]
pub struct MatchPage<'a> {
    /// The heading.
    pub title: &'a str,
    /// The game played.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
    /// The names of the first player, from whose view the result is, and of the other.
    pub players: [&'a str; 2],
    /// The result.
    pub result: &'a MatchResult,
    /// The games that count for it.
    pub games: &'a [MatchGame],
}

/// The page of a match, a whole HTML file.
///
/// # Errors
/// When a game was not played by these players or not by these rules.
pub fn match_page(match_page: &MatchPage<'_>) -> Result<String> {
    let MatchPage { title, game, rules, players: [player, opponent], result, games } = *match_page;
    let counted =
        games.iter().map(|game| Counted::new(game, player, opponent)).collect::<Result<Vec<_>>>()?;
    let by_reason = breakdown(&counted, |counted| counted.game.reason);
    let by_side = breakdown(&counted, |counted| counted.side.index());
    let sides = BoardData::of(game).sides;
    let body = html! {
        p { (game_name(game, rules)) ". Results are from the view of " strong { (player) } " against "
            strong { (opponent) } "." }
        (summary(result))
        section aria-labelledby="pairs-title" {
            h2 #pairs-title { "Pairs of games" }
            p { "Both games of an opening together, colours swapped, by the points made." }
            (pentanomial(&result.tally))
        }
        section aria-labelledby="sides-title" {
            h2 #sides-title { "By side" }
            (breakdown_table("Side", &by_side, |&side: &usize| sides[side].to_owned()))
        }
        section aria-labelledby="reasons-title" {
            h2 #reasons-title { "By reason" }
            (breakdown_table("Ended by", &by_reason, |&reason| reason_name(reason)))
        }
        (openings(&counted))
        (games::section(game, rules, games)?)
    };
    Ok(page(title, &body))
}

fn summary(result: &MatchResult) -> Markup {
    let Tally { wins, draws, losses, .. } = result.tally;
    html! {
        dl.summary {
            div { dt { "Score" } dd { (percent(result.score)) span { "+" (wins) " =" (draws) " −" (losses) } } }
            div { dt { "Elo" } dd { (format!("{:+.0}", result.elo))
                span { "95%: " (result.tally.elo().interval_in_words()) } } }
            @if result.forfeits != Forfeits::default() {
                div { dt { "Not decided on the board" }
                    dd { (result.forfeits.total()) span { "+" (result.forfeits.wins) " −" (result.forfeits.losses) } } }
            }
            div { dt { "Likelihood of superiority" } dd { (percent(result.los)) } }
            div { dt { "Games" } dd { (result.games) span { "openings " (result.openings) ", plies a game "
                (format!("{:.1}", result.mean_plies)) } } }
        }
        @if let Some(warning) = result.forfeits.warning(result.games) {
            p.warning role="note" { strong { "Warning: " } (warning) "." }
        }
        @if let Some(sprt) = &result.sprt { p { (sprt) "." } }
    }
}

fn pentanomial(tally: &Tally) -> Markup {
    let most = tally.pentanomial.into_iter().max().unwrap_or_default().max(1);
    html! {
        table.bars {
            thead { tr { th scope="col" { "Points" } th.number scope="col" { "Pairs" } th aria-hidden="true" {} } }
            tbody { @for (count, half_points) in tally.pentanomial.into_iter().zip(0..) { tr {
                th scope="row" { (points(half_points)) }
                td.number { (count) }
                td.chart aria-hidden="true" {
                    span.bar style={ "width:" (format!("{:.1}", 100.0 * f64::from(count) / f64::from(most))) "%" } {}
                }
            } } }
        }
    }
}

/// A game as the first player counts it.
struct Counted<'a> {
    game: &'a MatchGame,
    /// Its side.
    side: Side,
    half_points: u32,
}

impl<'a> Counted<'a> {
    fn new(game: &'a MatchGame, player: &str, opponent: &str) -> Result<Self> {
        let (MatchGame { first, second, .. }, number) = (game, game.ordinal());
        let side = match [&**first, &**second] {
            names if names == [player, opponent] => Side::First,
            names if names == [opponent, player] => Side::Second,
            _ => bail!("game {number} is between '{first}' and '{second}', not '{player}' and '{opponent}'"),
        };
        let half_points = game.half_points(player).expect("it played");
        Ok(Counted { game, side, half_points })
    }
}

/// Losses, draws and wins of each part of the games that `part` tells apart.
fn breakdown<K: Ord>(games: &[Counted<'_>], part: impl Fn(&Counted<'_>) -> K) -> BTreeMap<K, [u32; 3]> {
    let mut parts: BTreeMap<K, [u32; 3]> = BTreeMap::new();
    for counted in games {
        parts.entry(part(counted)).or_default()[counted.half_points as usize] += 1;
    }
    parts
}

fn breakdown_table<K>(what: &str, parts: &BTreeMap<K, [u32; 3]>, name: impl Fn(&K) -> String) -> Markup {
    html! {
        table.bars {
            thead { tr { th scope="col" { (what) } th.number scope="col" { "Won" } th.number scope="col" { "Drawn" }
                th.number scope="col" { "Lost" } th aria-hidden="true" {} } }
            tbody { @for (part, &[lost, drawn, won]) in parts { tr {
                th scope="row" { (name(part)) }
                td.number { (won) } td.number { (drawn) } td.number { (lost) }
                td.chart aria-hidden="true" { (shares([won, drawn, lost])) }
            } } }
        }
    }
}

/// One bar of three colours.
fn shares(results: [u32; 3]) -> Markup {
    let games = f64::from(results.iter().sum::<u32>().max(1));
    html! {
        span.shares {
            @for (count, class) in results.into_iter().zip(["won", "drawn", "lost"]) {
                span class=(class) style={ "width:" (format!("{:.1}", 100.0 * f64::from(count) / games)) "%" } {}
            }
        }
    }
}

/// The games of one opening, by their places.
struct FromOpening<'a> {
    name: &'a str,
    games: Vec<usize>,
}

/// Openings in the order in which they were played, told apart by their positions.
fn openings(games: &[Counted<'_>]) -> Markup {
    let mut openings: Vec<FromOpening<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (place, Counted { game, .. }) in games.iter().enumerate() {
        let opening = *known.entry(&game.start).or_insert_with(|| {
            openings.push(FromOpening { name: &game.opening, games: Vec::new() });
            openings.len() - 1
        });
        openings[opening].games.push(place);
    }
    let table = html! {
        table {
            thead { tr { th scope="col" { "Opening" } th.number scope="col" { "Points" } th scope="col" { "Games" } } }
            tbody { @for opening in &openings { (opening_row(opening, games)) } }
        }
    };
    html! {
        section aria-labelledby="openings-title" {
            h2 #openings-title { "By opening" }
            details {
                summary { "Openings: " (openings.len()) }
                (scrolling("Results by opening", &table))
            }
        }
    }
}

fn opening_row(opening: &FromOpening<'_>, games: &[Counted<'_>]) -> Markup {
    let sum = opening.games.iter().map(|&place| games[place].half_points).sum();
    html! { tr {
        th scope="row" { (opening.name) }
        td.number { (points(sum)) "/" (opening.games.len()) }
        td { @for &place in &opening.games {
            @let Counted { game, side, .. } = &games[place];
            a.result href={ "#game-" (place) } { (game.ordinal()) ": " (game.result.as_str()) ", "
                @match side { Side::First => "first", Side::Second => "second" } } " "
        } }
    } }
}
