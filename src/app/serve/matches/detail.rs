//! One match or ladder, as it goes on.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context, Result};
use axum::{
    Form,
    extract::{Path, State},
    http::{HeaderMap, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    PART,
    folder::{Contest, Games},
    forms::read_games,
    players::{label, short_label},
    score::{MatchScore, RankedPlayer},
    summary::{players, standing},
};
use crate::{
    app::serve::{
        error::PageError,
        folders::MatchId,
        layout::{Page, page},
        processes::Activity,
        sources::GameLocation,
        sse,
        state::{self, SharedState, blocking},
        texts::Texts,
    },
    arena::{Elo, MatchGame, Tally},
    base::store::read_at_most,
};

/// Games that the page lists, the newest; all are in the report.
const LISTED: usize = 100;
/// Bytes of a report at most.
const MOST_REPORT: u64 = 1 << 28;
/// The report is a page of its own: its scripts may do nothing but show it.
const REPORT_POLICY: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline' data:; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The contest that an address names.
fn find(texts: Texts, state: &state::ServerState, id: String) -> Result<Contest, PageError> {
    let id = MatchId::try_from(id).map_err(|_| PageError::missing(texts))?;
    Contest::open(&state.folders, id).ok_or_else(|| PageError::missing(texts))
}

/// Where it is shown.
fn address(contest: &Contest) -> String {
    format!("{PART}/{}", contest.id.in_address())
}

/// Shows it.
pub(super) async fn show(
    State(state): SharedState,
    texts: Texts,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    blocking(texts, move || {
        let contest = match find(texts, &state, id) {
            Ok(contest) => contest,
            Err(missing) => return Ok(missing.into_response()),
        };
        let mut games = Games::default();
        let fragment = fragment(texts, &state, &contest, games.refresh(&contest)?);
        let body = sse::panel(texts, &format!("{}/events", address(&contest)), fragment);
        let title = contest.id.to_string();
        Ok(page(texts, Page { title: &title, part: PART, body, script: Some("live.js"), ..Page::default() })
            .into_response())
    })
    .await
}

/// A contest that somebody watches.
struct Watched {
    texts: Texts,
    state: Arc<state::ServerState>,
    id: MatchId,
    games: Mutex<Games>,
}

impl sse::EventSource for Watched {
    fn mark(&self) -> u64 {
        let contest = Contest::open(&self.state.folders, self.id.clone());
        contest.map_or(0, |contest| contest.mark(&contest.activity(&self.state.processes)))
    }

    fn fragment(&self) -> Result<Markup> {
        let contest = Contest::open(&self.state.folders, self.id.clone()).context("it is gone")?;
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(fragment(self.texts, &self.state, &contest, games.refresh(&contest)?))
    }
}

/// The stream of what happens in it.
pub(super) async fn events(
    State(state): SharedState,
    texts: Texts,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let contest = find(texts, &state, id)?;
    let watched = Watched { texts, state: Arc::clone(&state), id: contest.id, games: Mutex::default() };
    Ok(state.watches.stream(texts, &contest.root, &headers, watched))
}

/// Gives the report.
pub(super) async fn report(
    State(state): SharedState,
    texts: Texts,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let path = find(texts, &state, id)?.report();
    if !path.is_file() {
        return Err(PageError::missing(texts));
    }
    let bytes = blocking(texts, move || {
        read_at_most(&path, MOST_REPORT).with_context(|| format!("cannot read {}", path.display()))
    });
    Ok(([(header::CONTENT_SECURITY_POLICY, REPORT_POLICY)], Html(bytes.await?)).into_response())
}

/// Asks it to end.
pub(super) async fn stop(
    State(state): SharedState,
    texts: Texts,
    Path(id): Path<String>,
) -> Result<Redirect, PageError> {
    let contest = find(texts, &state, id)?;
    let back = Redirect::to(&address(&contest));
    // One that is only starting is waited for.
    let stopped = blocking(texts, move || Ok(state.processes.stop(&contest.root))).await?;
    stopped.map_err(|error| PageError::refused(texts, format!("{error:#}")))?;
    Ok(back)
}

/// How it goes on.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct More {
    games: String,
}

/// Goes on with it, perhaps to more games.
pub(super) async fn go_on(
    State(state): SharedState,
    texts: Texts,
    Path(id): Path<String>,
    Form(more): Form<More>,
) -> Result<Redirect, PageError> {
    let contest = find(texts, &state, id)?;
    let refused = |key| PageError::refused(texts, texts.text(key));
    let (Some(mut order), MatchId::Match(name)) = (contest.order.clone(), contest.id.clone()) else {
        return Err(refused("contest.not_ours"));
    };
    if state.processes.activity(&contest.root).is_busy() {
        return Err(refused("contest.busy"));
    }
    order.games = read_games(texts, &more.games).map_err(|words| PageError::refused(texts, words))?;
    let order = order
        .permit(&state.engines)
        .map_err(|forbidden| PageError::refused(texts, forbidden.words(texts)))?;
    let back = Redirect::to(&address(&contest));
    blocking(texts, move || order.go_on(&state, &name)).await?;
    Ok(back)
}

/// The parts of the page that change.
fn fragment(
    texts: Texts,
    state: &state::ServerState,
    contest: &Contest,
    games: &BTreeMap<u32, MatchGame>,
) -> Markup {
    let activity = contest.activity(&state.processes);
    let first = contest.settings.as_ref().and_then(|settings| settings.players.first());
    let score = MatchScore::of(games, first.map(String::as_str));
    html! {
        (panel(texts, contest, &activity, games.len()))
        (score_part(texts, contest, &score, games.len()))
        (forfeits(texts, games))
        (games_part(texts, contest, games))
    }
}

/// What goes on, and what can be done.
fn panel(texts: Texts, contest: &Contest, activity: &Activity, games: usize) -> Markup {
    let text = |key| texts.text(key);
    let state = match activity {
        Activity::Idle => "idle",
        Activity::Starting => "starting",
        Activity::Running => "running",
        Activity::Failed(_) => "failed",
    };
    let act = |what: &str| format!("{}/{what}", address(contest));
    html! {
        section #panel data-activity=(state) aria-label=(text("contest.panel")) {
            p { (players(texts, contest)) }
            @if let Some(settings) = &contest.settings {
                p.hint { (texts.game(settings.game)) ", "
                    (texts.rules(settings.rules)) }
            }
            p.standing role="status" { (standing(texts, contest, activity, games)) }
            @if let Activity::Failed(words) = activity { p.failed role="alert" { (words) } }
            div.orders {
                @if activity.is_busy() {
                    form method="post" action=(act("stop")) {
                        button type="submit" #stop { (text("contest.stop")) } span.hint { (text("contest.stop_about")) }
                    }
                } @else if let Some(order) = &contest.order {
                    form method="post" action=(act("go-on")) {
                        label { (text("contests.games")) " "
                            input type="number" name="games" #wanted value=(order.games) min="2" max="100000" step="2"; }
                        button type="submit" #go-on { (text("contest.go_on")) }
                        span.hint { (text("contest.go_on_about")) }
                    }
                } @else {
                    p.hint { (text("contest.elsewhere")) " " code { "--out " (contest.root.display()) } }
                }
            }
            @if contest.report().is_file() {
                p { a #report href=(act("report")) { (text("contest.report")) } " "
                    span.hint { (text("contest.report_about")) } }
            }
        }
    }
}

/// The score, or the list.
fn score_part(texts: Texts, contest: &Contest, score: &MatchScore, games: usize) -> Markup {
    let wanted = contest.order.as_ref().map(|order| order.games.next_multiple_of(2) as usize);
    html! {
        section #score aria-labelledby="score-title" data-games=(games) {
            h2 #score-title { (texts.text("contest.score")) }
            @if let Some(wanted) = wanted {
                @let parts = [("played", &games.to_string()[..]), ("games", &wanted.to_string())];
                p { progress max=(wanted) value=(games.min(wanted)) aria-label=(texts.text("contest.score")) {}
                    " " (texts.fill("contest.of_games", &parts)) }
            }
            @match score {
                MatchScore::None => p.hint { (texts.text("contest.no_games")) },
                MatchScore::Match { players, tally, elo } => (match_score(texts, players, tally, elo)),
                MatchScore::Ladder(rungs) => (ladder(texts, rungs)),
            }
        }
    }
}

fn match_score(texts: Texts, players: &[String; 2], tally: &Tally, elo: &Elo) -> Markup {
    let text = |key| texts.text(key);
    let [a, b] = players.each_ref().map(|name| label(texts, name));
    let [low, high] = ends(elo);
    let parts = [("low", &low[..]), ("high", &high)];
    html! {
        p { (texts.fill("contest.view", &[("a", &a), ("b", &b)])) }
        dl.summary {
            div { dt { (text("contest.points")) } dd #points { (percent(tally.score()))
                span { "+" (tally.wins) " =" (tally.draws) " −" (tally.losses) } } }
            div { dt { (text("contest.elo")) } dd #elo { (signed(elo.elo))
                span { (texts.fill("contest.interval", &parts)) } } }
            div { dt { (text("contest.likelihood")) } dd { (percent(tally.los()))
                span { (text("contest.likelihood_about")) } } }
        }
    }
}

fn ladder(texts: Texts, rungs: &[RankedPlayer]) -> Markup {
    let text = |key| texts.text(key);
    html! {
        p.hint { (text("contest.ladder_about")) }
        div.scroll role="group" aria-label=(text("contest.score")) tabindex="0" {
            table #ladder {
                thead { tr {
                    th.number scope="col" { (text("contest.rank")) } th scope="col" { (text("contest.player")) }
                    th.number scope="col" { (text("contest.elo")) } th scope="col" { (text("contest.interval_title")) }
                    th.number scope="col" { (text("contests.games")) } th.number scope="col" { (text("contest.points")) }
                } }
                tbody { @for (rung, rank) in rungs.iter().zip(1..) { tr {
                    td.number { (rank) }
                    th scope="row" { (label(texts, &rung.name)) }
                    td.number { (signed(rung.elo.elo)) }
                    td { (signed(rung.elo.low)) " … " (signed(rung.elo.high)) }
                    td.number { (rung.tally.games()) }
                    td.number { (percent(rung.tally.score())) }
                } } }
            }
        }
    }
}

/// How many games the board did not decide, if there are any.
fn forfeits(texts: Texts, games: &BTreeMap<u32, MatchGame>) -> Markup {
    let forfeits = games.values().filter(|game| game.forfeiter().is_some()).count();
    let parts = [("forfeits", &forfeits.to_string()[..]), ("games", &games.len().to_string())];
    html! { @if forfeits > 0 { p.failed #forfeits { (texts.fill("contest.forfeits", &parts)) } } }
}

/// The newest games.
fn games_part(texts: Texts, contest: &Contest, games: &BTreeMap<u32, MatchGame>) -> Markup {
    let text = |key| texts.text(key);
    html! {
        section #games aria-labelledby="games-title" hidden[games.is_empty()] {
            h2 #games-title { (text("contest.games")) }
            @if games.len() > LISTED {
                p.hint { (texts.fill("contest.listed", &[("number", &LISTED.to_string())])) }
            }
            div.scroll.list role="group" aria-label=(text("contest.games")) tabindex="0" {
                table {
                    thead { tr {
                        th.number scope="col" { (text("contest.number")) }
                        th scope="col" { (text("contest.first")) } th scope="col" { (text("contest.second")) }
                        th scope="col" { (text("contest.result")) } th scope="col" { (text("contest.reason")) }
                        th.number scope="col" { (text("contest.plies")) }
                    } }
                    tbody { @for game in games.values().rev().take(LISTED) { (game_row(texts, contest, game)) } }
                }
            }
        }
    }
}

fn game_row(texts: Texts, contest: &Contest, game: &MatchGame) -> Markup {
    let number = game.number + 1;
    let address = GameLocation::Match(contest.id.clone(), number).address();
    html! { tr {
        td.number { a href=(address) { (number) } }
        td { (short_label(texts, &game.first)) } td { (short_label(texts, &game.second)) }
        td.result { (game.result.as_str()) }
        td { (texts.reason(game.reason)) @if let Some(note) = &game.note { " (" (note) ")" } }
        td.number { (game.plies()) }
    } }
}

/// The ends of the interval; one that is open is infinite.
fn ends(elo: &Elo) -> [String; 2] {
    let [low, high] = elo.ends();
    [low.map_or("−∞".to_owned(), signed), high.map_or("+∞".to_owned(), signed)]
}

/// With its sign, as numbers are set.
fn signed(number: f64) -> String {
    format!("{number:+.0}").replace('-', "−")
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::{super::folder::tests::game, *};
    use crate::{
        app::serve::texts::Language,
        games::rules::{Reason, Side, Verdict},
    };

    #[test]
    fn games_that_the_board_did_not_decide_are_named() {
        let said = |reason| {
            let game = MatchGame { reason, ..game(0, ["a", "b"], Verdict::Win(Side::First)) };
            let games = BTreeMap::from([(0, game)]);
            forfeits(Texts::new(Language::English), &games).into_string()
        };
        assert!(said(Reason::Crash).contains("1 of 1 games were decided by a crash"));
        assert_eq!(said(Reason::Checkmate), "");
    }

    #[test]
    fn numbers_have_their_signs() {
        assert_eq!([3.4, -3.4, 0.0].map(signed), ["+3", "−3", "+0"]);
        assert_eq!(percent(0.5), "50.0%");
    }

    #[test]
    fn an_open_end_is_shown_as_such() {
        let ends = |low, high| ends(&Elo { elo: 0.0, low, high });
        assert_eq!(ends(-3.4, 3.4), ["−3", "+3"]);
        assert_eq!(ends(140.0, 1199.8), ["+140", "+∞"]);
        assert_eq!(ends(-1199.8, -140.0), ["−∞", "−140"]);
    }
}
