//! *Run*: what a training does and has reached, and what can be done with it.

mod figures;
mod game;
mod orders;
mod panel;

use axum::{
    extract::{Path, State},
    response::Html,
};
use maud::{Markup, html};
use serde_json::json;

use super::{
    error::Failure,
    folders::Name,
    nets,
    runs::Run,
    server::{self, Shared, blocking},
    shell::{Page, page},
    texts::Texts,
};
use crate::report::Board;

pub(super) use game::game;
pub(super) use orders::{cool_down, extend, go_on, stop};
pub(super) use panel::Snapshot;

/// Shows the run.
pub(super) async fn show(
    State(state): Shared,
    texts: Texts,
    Path(name): Path<Name>,
) -> Result<Html<String>, Failure> {
    let shown = blocking(texts, move || {
        let Some(run) = Run::open(&state.folders, &name) else { return Ok(None) };
        Ok(Some(whole(texts, &state, &run)))
    });
    shown.await?.ok_or_else(|| Failure::missing(texts))
}

fn whole(texts: Texts, state: &server::State, run: &Run) -> Html<String> {
    let snapshot = Snapshot::of(run, &state.processes);
    let title = format!("{} ({})", run.name, texts.game(run.config.game));
    let body = html! {
        div #live data-events=(format!("/runs/{}/events", run.name)) { (snapshot.panel(texts)) }
        (watched(texts))
        (orders::forms(texts, run))
        (nets_list(texts, run))
    };
    let page_of = Page {
        title: &title,
        part: "/",
        body,
        scripts: &["board.js", "steps.js", "run.js"],
        texts: &["run"],
        data: Some(
            json!({ "board": Board::of(run.config.game), "game": format!("/runs/{}/game", run.name) }),
        ),
    };
    page(texts, page_of)
}

/// Where a game of self-play is shown.
fn watched(texts: Texts) -> Markup {
    html! {
        section.watched aria-labelledby="watched-title" {
            h2 #watched-title { (texts.text("run.game")) }
            p.hint { (texts.text("run.game_about")) }
            div #game-board {}
            p #game-status {}
            button type="button" #pause aria-pressed="false" { (texts.text("run.pause")) }
        }
    }
}

/// The nets of the run, to play against as it grew.
fn nets_list(texts: Texts, run: &Run) -> Markup {
    let nets = nets::of_run(run);
    html! {
        section aria-labelledby="nets-title" {
            h2 #nets-title { (texts.text("run.nets")) }
            p { a href=(format!("/runs/{}/take", run.name)) { (texts.text("run.take")) } }
            ul.nets {
                @for net in nets.iter().rev() {
                    li { a href=(format!("/play?net={}", net.id)) { (panel::trained(texts, net.minutes)) } }
                }
            }
        }
    }
}
