//! What went wrong, as a page.

use axum::{
    extract::rejection::BytesRejection,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use maud::html;

use super::{
    layout::{Page, page},
    texts::Texts,
};

/// An answer that is none.
#[derive(Debug)]
pub(super) struct PageError {
    status: StatusCode,
    texts: Texts,
    why: String,
}

impl PageError {
    /// There is no such thing.
    pub(super) fn missing(texts: Texts) -> Self {
        PageError { status: StatusCode::NOT_FOUND, texts, why: texts.text("failure.missing").to_owned() }
    }

    /// Nothing is to be seen there: the address takes orders alone.
    pub(super) fn not_so(texts: Texts) -> Self {
        PageError { status: StatusCode::METHOD_NOT_ALLOWED, ..PageError::missing(texts) }
    }

    /// What was asked cannot be: `why` says so.
    pub(super) fn refused(texts: Texts, why: impl ToString) -> Self {
        PageError { status: StatusCode::BAD_REQUEST, texts, why: why.to_string() }
    }

    /// It should have gone well: a file that cannot be read, a process that cannot be started.
    pub(super) fn broken(texts: Texts, error: &anyhow::Error) -> Self {
        let why = format!("{error:#}");
        tracing::warn!("{why}");
        PageError { status: StatusCode::INTERNAL_SERVER_ERROR, texts, why }
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let title = self.texts.text("failure.title");
        let body = html! { p.failed role="alert" { (self.why) } p { a href="/" { (self.texts.text("failure.back")) } } };
        (self.status, page(self.texts, Page { title, body, ..Page::default() })).into_response()
    }
}

/// An answer to a script that is none: its words, without a page around them.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    why: String,
}

impl Refusal {
    /// What was sent cannot be: `why` says so.
    pub(super) fn bad(why: impl ToString) -> Self {
        Refusal { status: StatusCode::BAD_REQUEST, why: why.to_string() }
    }

    /// There is no such thing.
    pub(super) fn missing(texts: Texts) -> Self {
        Refusal { status: StatusCode::NOT_FOUND, why: texts.text("failure.missing").to_owned() }
    }

    /// What is there has changed since the script looked at it.
    pub(super) fn changed(texts: Texts) -> Self {
        Refusal { status: StatusCode::PRECONDITION_FAILED, why: texts.text("keep.changed").to_owned() }
    }

    /// What was sent did not come whole, mostly because it is too large.
    pub(super) fn of_body(texts: Texts, rejection: &BytesRejection) -> Self {
        let status = rejection.status();
        let why = match status {
            StatusCode::PAYLOAD_TOO_LARGE => texts.text("upload.too_large").to_owned(),
            _ => rejection.body_text(),
        };
        Refusal { status, why }
    }
}

impl From<PageError> for Refusal {
    fn from(PageError { status, why, .. }: PageError) -> Self {
        Refusal { status, why }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, self.why).into_response()
    }
}
