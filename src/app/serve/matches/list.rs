//! All matches and ladders, and the forms for new ones.

use axum::{extract::State, response::Html};
use maud::{Markup, html};

use super::{
    PART,
    folder::Contest,
    forms::{self, Filled},
    summary::{players, standing},
};
use crate::app::serve::{
    error::PageError,
    layout::{Page, page},
    state::{self, SharedState, blocking},
    texts::Texts,
};

/// Contests that are listed at most, those that were at work last.
const MOST: usize = 100;

/// Shows it.
pub(super) async fn show(State(state): SharedState, texts: Texts) -> Result<Html<String>, PageError> {
    blocking(texts, move || Ok(page_of(texts, &state, &Filled::default(), None))).await
}

/// The page, with what is wrong with a form.
pub(super) fn page_of(
    texts: Texts,
    state: &state::ServerState,
    filled: &Filled,
    error: Option<&str>,
) -> Html<String> {
    let text = |key| texts.text(key);
    let all = Contest::all(&state.folders);
    let body = html! {
        p.about { (text("contests.about")) }
        @if let Some(error) = error { p.failed role="alert" { (error) } }
        section aria-labelledby="list-title" {
            h2 #list-title { (text("contests.list")) }
            @if all.is_empty() { p.hint { (text("contests.none")) } } @else { (table(texts, state, &all)) }
        }
        section aria-labelledby="match-title" {
            h2 #match-title { (text("contests.new_match")) }
            (forms::match_form(texts, state, filled))
        }
        section aria-labelledby="ladder-title" {
            h2 #ladder-title { (text("contests.new_ladder")) }
            p { (text("contests.ladder_about")) }
            (forms::ladder_form(texts, state, filled))
        }
    };
    let title = text("page.contests");
    page(texts, Page { title, part: PART, body, script: Some("contests.js"), ..Page::default() })
}

fn table(texts: Texts, state: &state::ServerState, all: &[Contest]) -> Markup {
    let text = |key| texts.text(key);
    html! {
        div.scroll role="group" aria-label=(text("contests.list")) tabindex="0" {
            table {
                thead { tr {
                    th scope="col" { (text("contests.name")) } th scope="col" { (text("contests.game")) }
                    th scope="col" { (text("contests.players")) }
                    th.number scope="col" { (text("contests.games")) } th scope="col" { (text("contests.state")) }
                } }
                tbody {
                    @for contest in all.iter().take(MOST) { (row(texts, state, contest)) }
                }
            }
        }
    }
}

fn row(texts: Texts, state: &state::ServerState, contest: &Contest) -> Markup {
    let activity = contest.activity(&state.processes);
    let games = contest.count();
    html! { tr {
        th scope="row" { a href={ (PART) "/" (contest.id.in_address()) } { (contest.id) } }
        td { @if let Some(settings) = &contest.settings { (texts.game(settings.game)) } }
        td { (players(texts, contest)) }
        td.number { (games) }
        td { (standing(texts, contest, &activity, games)) }
    } }
}
