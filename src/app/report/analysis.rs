//! The page of a game that was judged.

use anyhow::Result;
use maud::{Markup, PreEscaped, html};

use super::{
    board::BoardData,
    games::{SingleGame, ending, section_alone},
    page::{game_name, page, percent, scrolling},
    score_curve::score_curve_svg,
};
use crate::{
    arena::analysis::{Analysis, JudgedMove},
    games::rules::{GameId, Outcome, RuleSet, Side},
};

/// What the page of an analysis shows.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisPage<'a> {
    /// The heading.
    pub title: &'a str,
    /// The game played.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
    /// Who plays the first side and the second.
    pub players: [&'a str; 2],
    /// Where the game began, in Fairy-Stockfish's FEN.
    pub start: &'a str,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
    /// Who judged, and how long.
    pub judge: &'a str,
    /// What was found.
    pub analysis: &'a Analysis,
}

/// The page of an analysis, a whole HTML file.
///
/// # Errors
/// When the moves are not legal by these rules.
pub fn analysis_page(of: &AnalysisPage<'_>) -> Result<String> {
    let AnalysisPage { title, game, rules, players, start, judge, analysis, .. } = *of;
    let sides = BoardData::of(game).sides;
    let turning_points = analysis.turning_points();
    let scores: Vec<f32> = analysis.scores().collect();
    let marked: Vec<usize> = turning_points.iter().map(|mv| mv.ply).collect();
    let axis = format!("score of {}", sides[0]);
    let texts: Vec<&str> = analysis.moves.iter().map(|mv| &*mv.mv).collect();
    let ending = of.outcome.map_or_else(|| "not finished".to_owned(), ending);
    let alone = SingleGame { players, start, moves: &texts.join(" "), ending: ending.clone() };
    let body = html! {
        p { (game_name(game, rules)) ". " strong { (players[0]) } " (" (sides[0]) ") against "
            strong { (players[1]) } " (" (sides[1]) "): " (ending) "." }
        p { "Judged by " (judge) ". A score is the expected result of " (sides[0])
            ", the first player: 1 for a win, 0 for a loss, 0.5 for a draw or an even game." }
        dl.summary {
            @for side in [Side::First, Side::Second] { div {
                dt { "Accuracy of " (sides[side.index()]) }
                dd { @match (analysis.accuracy(side), analysis.mean_loss(side)) {
                    (Some(accuracy), Some(loss)) => { (percent(accuracy.into()))
                        span { "a move lost " (percent(loss.into())) " of a game on average" } }
                    _ => "–"
                } }
            } }
            div { dt { "Moves" } dd { (analysis.moves.len()) span { (analysis.end.words(sides)) " at the end" } } }
        }
        figure { figcaption { "Score of " (sides[0]) " after each ply" }
            div.scroll { (PreEscaped(score_curve_svg(&scores, &marked, &axis)?)) } }
        (turning_points_list(&turning_points, sides))
        (section_alone(game, rules, alone)?)
        section aria-labelledby="moves-title" {
            h2 #moves-title { "All moves" }
            (scrolling("All moves", &table(analysis, sides)))
        }
    };
    Ok(page(title, &body))
}

fn turning_points_list(points: &[&JudgedMove], sides: [&str; 2]) -> Markup {
    html! {
        section aria-labelledby="turning-title" {
            h2 #turning-title { "Turning points" }
            @if points.is_empty() { p { "No move lost anything to speak of." } }
            @else { p { "The moves that lost most." } ol { @for mv in points { li {
                a href={ "#ply-" (mv.ply) } { "Ply " (mv.ply) ", " (sides[mv.side.index()]) ": " (mv.mv) }
                " lost " strong { (percent(mv.loss.into())) } " of a game: before, " (mv.before.words(sides))
                "; after, " (mv.after.words(sides)) ". Better was " strong { (mv.best[0]) }
                @if mv.best.len() > 1 { ", and then " (mv.best[1..].join(" ")) } "."
            } } } }
        }
    }
}

fn table(analysis: &Analysis, sides: [&str; 2]) -> Markup {
    html! {
        table {
            thead { tr {
                th.number scope="col" { "Ply" } th scope="col" { "Side" } th scope="col" { "Move" }
                th.number scope="col" { "Score after" } th.number scope="col" { "Lost" }
                th scope="col" { "Best" } th scope="col" { "Position after" }
            } }
            tbody { @for mv in &analysis.moves { tr {
                td.number { a href={ "#ply-" (mv.ply) } { (mv.ply) } } td { (sides[mv.side.index()]) }
                td { (mv.mv) } td.number { (format!("{:.2}", mv.after.score)) }
                td.number { @if mv.loss > 0.0 { (percent(mv.loss.into())) } }
                td { @if mv.best[0] != mv.mv { (mv.best[0]) } } td { (mv.after.words(sides)) }
            } } }
        }
    }
}
