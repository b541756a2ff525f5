//! What all pages share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::games::rules::{GameId, RuleSet};

/// The style of all pages, the boards included.
pub(crate) const STYLE: &str = include_str!("page.css");
/// Nothing is loaded from anywhere, whatever a page says.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' data:; img-src data:";

/// A whole page with `body` under its title.
pub(super) fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, POLICY, &[STYLE]))
            body {
                header { h1 { (title) } }
                main { (body) }
                footer { p { "Made by sanki " (env!("CARGO_PKG_VERSION")) "." } }
            }
        }
    };
    page.into_string()
}

/// The head of a page that is one file, with what its `policy` (Content Security Policy, level 3) allows.
pub(crate) fn head(title: &str, policy: &str, styles: &[&str]) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            link rel="icon" href="data:,";
            style { @for style in styles { (PreEscaped(style)) } }
        }
    }
}

/// The game and its rules, as a sentence begins.
pub(super) fn game_name(game: GameId, rules: RuleSet) -> String {
    let name = game.as_str();
    let (initial, rest) = name.split_at(1);
    format!("{}{rest}, rules “{rules}”", initial.to_ascii_uppercase())
}

/// Half points as points: `1½`.
pub(super) fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// A share as percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A table that scrolls by itself where the screen is too narrow, reachable by keyboard.
pub(super) fn scrolling(label: &str, table: &Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { (table) } }
}
