//! The visitor's language.

use std::convert::Infallible;

use axum::{
    extract::{FromRequestParts, Path},
    http::{HeaderMap, Uri, header, request::Parts},
    response::{IntoResponse, Redirect},
};
use cookie::{Cookie, SameSite, time::Duration};

use super::{
    local::local,
    texts::{Language, Texts},
};

/// The cookie that keeps the choice.
const COOKIE: &str = "language";
/// How long it is kept.
const KEPT: Duration = Duration::days(365);

/// As `texts_of` gives them.
impl<S: Sync> FromRequestParts<S> for Texts {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(texts_of(&parts.headers))
    }
}

/// The texts in the visitor's language: what was chosen, else the first that the browser asks for and that there is, else
/// English.
pub(super) fn texts_of(headers: &HeaderMap) -> Texts {
    let chosen = cookies(headers).filter(|cookie| cookie.name() == COOKIE);
    let chosen = chosen.filter_map(|cookie| Language::of_code(cookie.value())).next();
    Texts::new(chosen.or_else(|| asked(headers)).unwrap_or(Language::English))
}

/// The cookies of a request. There may be several of one name, of which `axum_extra`'s jar would keep one alone: a cookie
/// that another page of this host has set must not hide ours.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = Cookie<'_>> {
    let texts = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(Cookie::split_parse).filter_map(Result::ok)
}

/// The first language of `Accept-Language` that there is. Browsers list them by preference.
fn asked(headers: &HeaderMap) -> Option<Language> {
    let text = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    text.split(',').find_map(|range| Language::of_code(range.trim().get(..2)?))
}

/// Keeps the choice of a language, and goes back to the page on which it was chosen.
pub(super) async fn choose(Path(code): Path<String>, headers: HeaderMap) -> impl IntoResponse {
    let language = Language::of_code(&code).unwrap_or(Language::English);
    let on = Redirect::to(&back(&headers));
    ([(header::SET_COOKIE, cookie(language).to_string())], on)
}

/// The page of ours from which a request comes, by what the browser says of it; the start where it says nothing.
fn back(headers: &HeaderMap) -> String {
    let page = headers.get(header::REFERER).and_then(|page| page.to_str().ok()?.parse::<Uri>().ok());
    let path = page.as_ref().and_then(Uri::path_and_query).map(|path| path.as_str());
    path.and_then(local).unwrap_or("/").to_owned()
}

/// What keeps the choice.
fn cookie(language: Language) -> Cookie<'static> {
    let cookie = Cookie::build((COOKIE, language.code()));
    cookie.path("/").max_age(KEPT).same_site(SameSite::Strict).build()
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
    fn a_choice_leads_back_to_its_page() {
        let back = |page: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::REFERER, page.parse().unwrap());
            back(&headers)
        };
        assert_eq!(back("http://127.0.0.1:7777/review?from=1"), "/review?from=1");
        assert_eq!(back("https://sanki.example/runs/%EB%82%B4"), "/runs/%EB%82%B4");
        for other in
            ["http://127.0.0.1:7777", "http://a//evil.example/", "http://a/\\evil.example", "x", "//a/b"]
        {
            assert_eq!(back(other), "/", "{other}");
        }
        assert_eq!(super::back(&HeaderMap::new()), "/");
    }

    #[test]
    fn the_choice_is_kept_for_a_year_on_every_page() {
        let text = cookie(Language::Korean).to_string();
        assert_eq!(text, "language=ko; SameSite=Strict; Path=/; Max-Age=31536000");
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, "a=b; language=ko; language=ja".parse().unwrap());
        assert_eq!(texts_of(&headers).language(), Language::Korean);
    }
}
