//! *Start*: the six boards, and what is under way.

use axum::{extract::State, response::IntoResponse};
use maud::html;

use super::{
    server::Shared,
    shell::{Page, page},
    texts::Texts,
};
use crate::rules::GameId;

/// Shows it.
pub(super) async fn show(State(_): Shared, texts: Texts) -> impl IntoResponse {
    let body = html! {
        p { (texts.text("start.about")) }
        ul.boards { @for game in GameId::ALL { li { (game) } } }
    };
    page(texts, Page { title: texts.text("page.start"), part: "/", body, ..Page::default() })
}
