//! *New run*: what is trained, for how long, and what to expect of it.

use std::sync::Arc;

use axum::{
    Form, Json,
    extract::{Query, State},
    response::{Html, IntoResponse, Redirect, Response},
};
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{
    error::{PageError, Refusal},
    layout::{Page, page},
    nets::NetId,
    run_order::{GPU, PUBLISHED, RunOrder, most_cores},
    state::{self, SharedState, blocking},
    texts::Texts,
};
use crate::{
    games::rules::GameId,
    net::{Backend, ModelFile},
    training::run::{Bytes, DiskUse, free_bytes_near},
};

/// How long a run may be, in minutes: a try, five minutes, an hour, a night.
const LENGTHS: [(u32, &str); 4] =
    [(1, "new.one_minute"), (5, "new.five_minutes"), (60, "new.one_hour"), (480, "new.one_night")];

/// Shows the form.
pub(super) async fn show(
    State(state): SharedState,
    texts: Texts,
    Query(order): Query<RunOrder>,
) -> Html<String> {
    form(texts, &state, &order, None)
}

/// Starts what was ordered, or shows the form again with what is wrong.
pub(super) async fn start(
    State(state): SharedState,
    texts: Texts,
    Form(order): Form<RunOrder>,
) -> Result<Response, PageError> {
    let (shared, ordered) = (Arc::clone(&state), order.clone());
    let started = blocking(texts, move || Ok(ordered.start(&shared))).await?;
    Ok(match started {
        Ok(name) => Redirect::to(&format!("/runs/{}", name.in_address())).into_response(),
        Err(error) => form(texts, &state, &order, Some(&format!("{error:#}"))).into_response(),
    })
}

fn form(texts: Texts, state: &state::ServerState, order: &RunOrder, error: Option<&str>) -> Html<String> {
    let text = |key| texts.text(key);
    let title = text("new.title");
    let body = html! {
        @if let Some(error) = error { p.failed role="alert" { (error) } }
        form.order method="post" action="/new" {
            (field(text("new.game"), &games(texts, order.game())))
            (field(text("new.rules"), &rules(texts, order)))
            (field(text("new.minutes"), &lengths(texts, order.minutes())))
            (field(text("new.cores"), &numbers("cores", most_cores(), order.cores())))
            @if let Some(gpu) = Backend::gpu_name() { (field(text("new.learns"), &devices(texts, gpu, order))) }
            (field(text("new.from"), &html! {
                select name="from" {
                    option value="" { (text("new.from_nothing")) }
                    @if NetId::Published(order.game()).path(&state.folders).is_some() {
                        option value=(PUBLISHED) selected[order.from == "published"] { (text("new.from_published")) }
                    }
                }
            }))
            (field(text("new.name"), &html! {
                input name="name" value=(order.name) maxlength="100" placeholder=(text("new.name_own"));
            }))
            p.expect #expect role="status" { (text("new.measuring")) }
            details open[error.is_some() && !order.config.is_empty()] {
                summary { (text("new.settings")) }
                p { (text("new.settings_about")) }
                textarea #config name="config" rows="24" spellcheck="false" aria-label=(text("new.settings")) {
                    (order.text())
                }
            }
            p { button.main type="submit" #train { (text("new.train")) } }
        }
    };
    let page_of = Page {
        title,
        part: "/",
        body,
        script: Some("new.js"),
        texts: &["new"],
        data: Some(json!({ "config": order.own_config(), "game": order.game(), "device": order.device })),
    };
    page(texts, page_of)
}

fn field(label: &str, input: &Markup) -> Markup {
    html! { label { span { (label) } (input) } }
}

fn games(texts: Texts, chosen: GameId) -> Markup {
    html! {
        select name="game" #game {
            @for game in GameId::ALL {
                option value=(game) selected[game == chosen] { (texts.game(game)) }
            }
        }
    }
}

fn rules(texts: Texts, order: &RunOrder) -> Markup {
    html! {
        select name="rules" {
            @for rules in order.game().rule_sets() {
                option value=(rules) selected[rules.as_str() == order.rules] { (texts.rules(*rules)) }
            }
        }
    }
}

fn lengths(texts: Texts, chosen: u32) -> Markup {
    let is_usual = LENGTHS.iter().any(|(minutes, _)| *minutes == chosen);
    html! {
        select name="minutes" #minutes {
            @for (minutes, key) in LENGTHS {
                option value=(minutes) selected[minutes == chosen] { (texts.text(key)) }
            }
            @if !is_usual { option value=(chosen) selected { (chosen) } }
        }
    }
}

/// What can learn: the processor, or the GPU of this name.
fn devices(texts: Texts, gpu: &str, order: &RunOrder) -> Markup {
    html! {
        select name="device" #device {
            option value="" { (texts.text("new.processor")) }
            option value=(GPU) selected[order.device == GPU] { (gpu) }
        }
    }
}

fn numbers(name: &str, most: usize, chosen: usize) -> Markup {
    html! {
        select name=(name) id=(name) {
            @for number in 1..=most { option value=(number) selected[number == chosen] { (number) } }
        }
    }
}

/// What to expect of an order: positions a second on this machine, the positions that the published net has seen, and the
/// room on the disk.
pub(super) async fn expect(
    State(state): SharedState,
    texts: Texts,
    Json(order): Json<RunOrder>,
) -> Result<Json<Value>, Refusal> {
    let config = order.config().map_err(|error| Refusal::bad(format!("{error:#}")))?;
    let figures = move || {
        let free = free_bytes_near(&state.folders.runs);
        let speed = state.speeds.measure(&config, order.cores().min(most_cores()))?;
        let published = NetId::Published(config.game).path(&state.folders);
        let published =
            published.and_then(|path| ModelFile::read(&path).ok()).map(|file| file.meta.positions);
        let minutes = config.budget.minutes.unwrap_or_default();
        let disk = DiskUse::of(&config, (60.0 * minutes * speed) as u64).total();
        Ok(json!({
            "positions_per_s": speed,
            "published": published,
            "disk": Bytes(disk).to_string(),
            "free": free.map(|free| Bytes(free).to_string()),
            "fits": free.is_none_or(|free| disk <= free),
        }))
    };
    Ok(Json(blocking(texts, figures).await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::serve::{folders::Folders, texts::Language};

    #[test]
    fn the_card_that_can_learn_is_named() {
        let shown = devices(Texts::new(Language::English), "A card", &RunOrder::default()).into_string();
        assert!(shown.contains("A card") && !shown.contains("selected"), "{shown}");
    }

    #[test]
    fn a_script_hears_in_words_what_is_wrong_with_an_order() {
        let folders = Folders { runs: "r".into(), matches: "m".into(), games: "g".into() };
        let state = Arc::new(state::ServerState::for_tests(folders, "no/such/sanki".into()));
        let order = RunOrder { config: "game = \"chess\"".to_owned(), ..RunOrder::default() };
        let asked = async {
            let answer = expect(State(state), Texts::new(Language::English), Json(order)).await;
            let body = answer.unwrap_err().into_response().into_body();
            axum::body::to_bytes(body, 1 << 16).await.unwrap()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let words = String::from_utf8(runtime.block_on(asked).to_vec()).unwrap();
        assert!(words.contains("chess") && !words.contains("<html"), "{words}");
    }
}
