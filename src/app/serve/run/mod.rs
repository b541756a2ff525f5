//! *Run*: what a training does and has reached, and what can be done with it.

mod figures;
mod game;
mod orders;
mod panel;
mod workers;

use std::sync::Arc;

use anyhow::{Context, Result};
use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::{Html, Response},
};
use maud::{Markup, html};
use serde_json::json;

use super::{
    error::PageError,
    folders::FolderName,
    layout::{Page, faces_choice, page},
    nets,
    runs::Run,
    sse::{self, EventSource},
    state::{self, SharedState, found},
    texts::Texts,
};
use crate::{app::report::BoardData, training::run::RunDir};

pub(super) use game::game;
pub(super) use orders::{cool_down, extend, go_on, stop};
use panel::Snapshot;

/// Shows the run.
pub(super) async fn show(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
) -> Result<Html<String>, PageError> {
    let show = move || Ok(Run::open(&state.folders, &name).map(|run| whole(texts, &state, &run)));
    found(texts, show).await
}

fn whole(texts: Texts, state: &state::ServerState, run: &Run) -> Html<String> {
    let snapshot = Snapshot::of(run, &state.processes);
    let title = format!("{} ({})", run.name, texts.game(run.config.game));
    let body = html! {
        div.run {
            (sse::panel(texts, &format!("/runs/{}/events", run.name.in_address()), snapshot.panel(texts)))
            div.aside { (watched(texts)) (orders::forms(texts, run)) (nets_list(texts, run)) }
        }
    };
    let page_of = Page {
        title: &title,
        part: "/",
        body,
        script: Some("run.js"),
        texts: &["run", "board", "pieces"],
        data: Some(
            json!({ "board": BoardData::of(run.config.game), "game": format!("/runs/{}/game", run.name.in_address()) }),
        ),
    };
    page(texts, page_of)
}

/// What moves on the page, as it changes.
pub(super) async fn events(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let opened = Arc::clone(&state);
    let run = found(texts, move || Ok(Run::open(&opened.folders, &name))).await?;
    let root = run.root.clone();
    let watched = Watched { name: run.name, texts, state: Arc::clone(&state) };
    Ok(state.watches.stream(texts, &root, &headers, watched))
}

/// A run that is watched.
struct Watched {
    name: FolderName,
    texts: Texts,
    state: Arc<state::ServerState>,
}

impl EventSource for Watched {
    fn mark(&self) -> u64 {
        let root = self.name.of(&self.state.folders.runs);
        let dir = RunDir::at(&root);
        sse::mark(&[dir.metrics(), dir.config()], self.state.processes.activity(&root))
    }

    fn fragment(&self) -> Result<Markup> {
        let run = Run::open(&self.state.folders, &self.name).context("the run is gone")?;
        Ok(Snapshot::of(&run, &self.state.processes).panel(self.texts))
    }
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
            (faces_choice(texts))
        }
    }
}

/// The nets of the run, to play against as it grew.
fn nets_list(texts: Texts, run: &Run) -> Markup {
    let nets = nets::of_run(run);
    html! {
        section aria-labelledby="nets-title" {
            h2 #nets-title { (texts.text("run.nets")) }
            p { a href=(format!("/runs/{}/take", run.name.in_address())) { (texts.text("run.take")) } }
            ul.nets {
                @for net in nets.iter().rev() {
                    li { a href=(format!("/play?net={}", net.id.in_address())) { (panel::trained(texts, net.minutes)) } }
                }
            }
        }
    }
}
