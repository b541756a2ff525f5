//! What all screens share: the head, the way to the other screens, the languages.

use axum::response::Html;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::{
    assets,
    texts::{Language, Texts},
};
use crate::app::report::{self, inert};

/// A screen.
#[derive(Default)]
pub(super) struct Page<'a> {
    /// Its heading.
    pub(super) title: &'a str,
    /// The part of the site that it belongs to: a path among [`PARTS`].
    pub(super) part: &'a str,
    /// What is below the heading.
    pub(super) body: Markup,
    /// The name of its script among the assets, which imports others.
    pub(super) script: Option<&'a str>,
    /// The sections of texts that its scripts use, as `TEXTS`.
    pub(super) texts: &'a [&'a str],
    /// What its scripts read, as `DATA`.
    pub(super) data: Option<Value>,
}

/// The parts of the site: their addresses and the keys of their names.
const PARTS: [(&str, &str); 4] =
    [("/", "page.start"), ("/play", "page.play"), ("/review", "page.review"), ("/contests", "page.contests")];

/// The screen as a page.
pub(super) fn page(texts: Texts, page: Page<'_>) -> Html<String> {
    let Page { title, part, body, script, .. } = page;
    let text = |key| texts.text(key);
    let language = texts.language();
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – Sanki" }
                link rel="icon" href="data:,";
                style { (PreEscaped(assets::STYLE.as_str())) }
                @if let Some(script) = script {
                    script type="module" async src=(assets::address("later.js")) data-entry=(assets::address(script)) {}
                }
            }
            body {
                a.skip href="#main" { (text("page.skip")) }
                header.site {
                    a.home href="/" { "Sanki " span lang="zh-Hant" { "三棋" } }
                    nav aria-label=(text("page.parts")) {
                        @for (address, key) in PARTS {
                            a href=(address) aria-current=[(address == part).then_some("page")] { (text(key)) }
                        }
                    }
                    nav.languages aria-label=(text("page.languages")) {
                        @for other in Language::ALL {
                            a href=(format!("/language/{}", other.code())) lang=(other.code()) rel="nofollow"
                                aria-current=[(other == language).then_some("true")] { (other.name()) }
                        }
                    }
                }
                main #main { h1 { (title) } (body) }
                footer { p { (texts.fill("page.version", &[("version", env!("CARGO_PKG_VERSION"))])) } }
                // Behind what is to be seen: the scripts come later anyway.
                @if !page.texts.is_empty() { (data("texts", &texts.sections(page.texts))) }
                @if let Some(value) = &page.data { (data("data", value)) }
            }
        }
    };
    Html(page.into_string())
}

/// What chooses the face of the pieces, for any screen with a board (a script that imports board.js, the sections
/// `board` and `pieces` of texts).
pub(super) fn faces_choice(texts: Texts) -> Markup {
    report::faces_choice(
        texts.text("board.faces"),
        [texts.text("board.characters"), texts.text("board.pictograms")],
    )
}

/// What a script reads: no script itself, whatever it holds.
fn data(id: &str, value: &Value) -> Markup {
    html! { script id=(id) type="application/json" { (PreEscaped(inert(&value.to_string()))) } }
}
