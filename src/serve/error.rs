//! What went wrong, as a page.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use maud::html;

use super::{
    shell::{Page, page},
    texts::Texts,
};

/// An answer that is none.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    texts: Texts,
    why: String,
}

impl Failure {
    /// There is no such thing.
    pub(super) fn missing(texts: Texts) -> Self {
        Failure { status: StatusCode::NOT_FOUND, texts, why: texts.text("failure.missing").to_owned() }
    }

    /// What was asked cannot be: `why` says so.
    pub(super) fn refused(texts: Texts, why: impl ToString) -> Self {
        Failure { status: StatusCode::BAD_REQUEST, texts, why: why.to_string() }
    }

    /// It should have gone well: a file that cannot be read, a process that cannot be started.
    pub(super) fn broken(texts: Texts, error: &anyhow::Error) -> Self {
        let why = format!("{error:#}");
        tracing::warn!("{why}");
        Failure { status: StatusCode::INTERNAL_SERVER_ERROR, texts, why }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let title = self.texts.text("failure.title");
        let body = html! { p.failed role="alert" { (self.why) } p { a href="/" { (self.texts.text("failure.back")) } } };
        (self.status, page(self.texts, Page { title, body, ..Page::default() })).into_response()
    }
}
