//! The language of whoever looks.

use std::convert::Infallible;

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Redirect},
};
use serde::Deserialize;

use super::texts::{Language, Texts};

/// The cookie that keeps the choice.
const COOKIE: &str = "language";
/// Seconds that it is kept: a year.
const KEPT: u32 = 31_536_000;

/// The texts in the visitor's language: what was chosen, else the first that the browser asks for and that there is, else
/// English.
impl<S: Sync> FromRequestParts<S> for Texts {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let chosen = cookie(&parts.headers, COOKIE).and_then(Language::of_code);
        Ok(Texts::new(chosen.or_else(|| asked(&parts.headers)).unwrap_or(Language::English)))
    }
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let texts = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The first language of `Accept-Language` that there is. Browsers list them by preference.
fn asked(headers: &HeaderMap) -> Option<Language> {
    let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    text.split(',').find_map(|range| Language::of_code(range.trim().get(..2)?))
}

/// Where to go on after a choice.
#[derive(Deserialize)]
pub(super) struct Back {
    back: Option<String>,
}

/// Keeps the choice of a language.
pub(super) async fn choose(Path(code): Path<String>, Query(Back { back }): Query<Back>) -> impl IntoResponse {
    let language = Language::of_code(&code).unwrap_or(Language::English);
    let cookie = format!("{COOKIE}={}; Path=/; Max-Age={KEPT}; SameSite=Strict", language.code());
    ([(header::SET_COOKIE, cookie)], Redirect::to(&local(back)))
}

/// The path, if it is one of ours.
fn local(path: Option<String>) -> String {
    let is_local = |path: &String| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.bytes().all(|letter| letter.is_ascii_graphic() && letter != b'\\')
    };
    path.filter(is_local).unwrap_or_else(|| "/".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_languages_are_tried_in_their_order() {
        let asked = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, text.parse().unwrap());
            asked(&headers)
        };
        assert_eq!(asked("ko-KR,ko;q=0.9,en;q=0.8"), Some(Language::Korean));
        assert_eq!(asked("de-DE, ja;q=0.5"), Some(Language::Japanese));
        assert_eq!(asked("de"), None);
    }

    #[test]
    fn a_choice_leads_back_to_our_own_pages_only() {
        assert_eq!(local(Some("/runs/a?b=c".to_owned())), "/runs/a?b=c");
        for foreign in [
            "//evil.example/",
            "https://evil.example/",
            "/\\evil.example",
            "",
            "/a\r\nSet-Cookie: b=c",
            "/a\0",
        ] {
            assert_eq!(local(Some(foreign.to_owned())), "/");
        }
    }
}
