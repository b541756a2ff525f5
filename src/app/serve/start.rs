//! *Start*: the six boards, and the runs.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{Html, IntoResponse},
};
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;

use super::{
    assets,
    error::PageError,
    layout::{Page, faces_choice, page},
    nets::NetId,
    numbers::percent,
    processes::Activity,
    runs::Run,
    state::{self, SharedState, blocking},
    texts::Texts,
};
use crate::{
    app::report::BoardData,
    base::rng::{self, Purpose},
    games::rules::{Game, GameId, Setup},
    with_game,
};

/// What the script draws.
#[derive(Serialize)]
struct Picture {
    board: BoardData,
    /// The start.
    fen: String,
}

/// The boards at the start as JSON, always the same, and their checksum, which is part of their address.
static PICTURES: LazyLock<(Bytes, String)> = LazyLock::new(|| {
    let pictures: Vec<Picture> = GameId::ALL.map(picture).into();
    let json = serde_json::to_vec(&pictures).expect("plain data");
    let checksum = format!("{:08x}", crc32fast::hash(&json));
    (json.into(), checksum)
});

/// Gives the boards. They are no part of the page, so that its words need not wait for them.
pub(super) async fn boards(Path(version): Path<String>) -> impl IntoResponse {
    let kind = HeaderValue::from_static("application/json");
    let kept = assets::kept_for(&version, &PICTURES.1);
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)], PICTURES.0.clone())
}

/// Shows it.
pub(super) async fn show(State(state): SharedState, texts: Texts) -> Result<Html<String>, PageError> {
    blocking(texts, move || Ok(start(texts, &state))).await
}

fn start(texts: Texts, state: &state::ServerState) -> Html<String> {
    let runs = Run::all(&state.folders);
    let body = html! {
        p.about { (texts.text("start.about")) }
        (faces_choice(texts))
        ul.boards { @for game in GameId::ALL { li { (card(texts, state, game)) } } }
        section {
            h2 { (texts.text("start.runs")) }
            @if runs.is_empty() { p.hint { (texts.text("start.no_runs")) } }
            @else { (list(texts, state, &runs)) }
        }
    };
    let page_of = Page {
        title: texts.text("page.start"),
        part: "/",
        body,
        script: Some("start.js"),
        texts: &["board", "pieces"],
        data: Some(json!({ "boards": format!("/boards/{}", PICTURES.1) })),
    };
    page(texts, page_of)
}

fn picture(game: GameId) -> Picture {
    // The standard set-up draws no random numbers.
    let mut rng = rng::stream(0, Purpose::Openings, &[]);
    let fen = with_game!(game, G => G::start(game.rule_sets()[0], Setup::Standard, &mut rng).fen());
    Picture { board: BoardData::of(game), fen }
}

/// A game: its board, and what can be done.
fn card(texts: Texts, state: &state::ServerState, game: GameId) -> Markup {
    let net = NetId::Published(game);
    let has_net = net.path(&state.folders).is_some();
    html! {
        h2 { (texts.game(game)) }
        div.picture id=(format!("picture-{game}")) aria-hidden="true" {}
        p {
            @if has_net { a.button.main href=(format!("/play?net={net}")) { (texts.text("start.play")) } " " }
            a.button href=(format!("/new?game={game}")) { (texts.text("start.train")) }
        }
        @if has_net { p { a.hint href=(format!("/take/{net}")) { (texts.text("start.take")) } } }
    }
}

/// The runs, those that were at work last first.
fn list(texts: Texts, state: &state::ServerState, runs: &[Run]) -> Markup {
    html! {
        div.scroll role="region" aria-label=(texts.text("start.runs")) tabindex="0" {
            table.runs {
                thead { tr {
                    @for key in ["start.run", "start.game", "start.does", "start.done", "start.elo"] {
                        th scope="col" { (texts.text(key)) }
                    }
                } }
                tbody { @for run in runs { (row(texts, state, run)) } }
            }
        }
    }
}

fn row(texts: Texts, state: &state::ServerState, run: &Run) -> Markup {
    let reports = run.reports();
    let done = run.progress(reports.last());
    let doing = match run.activity(&state.processes) {
        Activity::Running => texts.text("run.running"),
        Activity::Starting => texts.text("run.starting"),
        Activity::Failed(_) => texts.text("run.failed"),
        Activity::Idle if done >= 1.0 => texts.text("run.done"),
        Activity::Idle => texts.text("run.stopped"),
    };
    let elo = reports.iter().rev().find_map(|report| report.elo);
    html! {
        tr {
            th scope="row" { a href=(format!("/runs/{}", run.name.in_address())) { (run.name) } }
            td { (texts.game(run.config.game)) }
            td { (doing) }
            td.number { (percent(done)) }
            td.number { @if let Some(elo) = elo { (format!("{elo:+.0}")) } }
        }
    }
}
