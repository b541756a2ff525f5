//! What can be done with a run: stop, go on, extend, cool down.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use axum::{
    Form,
    extract::{Path, State},
    response::Redirect,
};
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::serve::{
    error::PageError,
    folders::FolderName,
    processes,
    runs::Run,
    state::{self, SharedState, found},
    texts::Texts,
};

/// The least generations of a cool-down that the page proposes.
const COOL_DOWN: u32 = 60;
/// Minutes that it proposes to add.
const EXTENSION: u32 = 30;

/// The forms below the figures.
pub(super) fn forms(texts: Texts, run: &Run) -> Markup {
    let address = |order: &str| format!("/runs/{}/{order}", run.name.in_address());
    html! {
        section.orders aria-label=(texts.text("run.orders")) {
            form method="post" action=(address("stop")) {
                button type="submit" #stop { (texts.text("run.stop")) } " " span.hint { (texts.text("run.stop_about")) }
            }
            form method="post" action=(address("go-on")) {
                button type="submit" #go-on { (texts.text("run.go_on")) }
            }
            form method="post" action=(address("extend")) {
                button type="submit" #extend { (texts.text("run.extend")) }
                label { (number("minutes", EXTENSION)) " " (texts.text("run.minutes")) }
            }
            form method="post" action=(address("cool-down")) {
                button type="submit" #cool-down { (texts.text("run.cool_down")) }
                label { (number("generations", proposed(run))) " " (texts.text("run.generations")) }
                span.hint { (texts.text("run.cool_down_about")) }
            }
        }
    }
}

/// The generations of a cool-down that the page proposes: a third of those that the run has had, so that its rate falls
/// over a quarter of the whole (`docs/measured.md`).
fn proposed(run: &Run) -> u32 {
    let had = run.generations().last().copied().unwrap_or(0);
    COOL_DOWN.max(had / 3)
}

fn number(name: &str, value: u32) -> Markup {
    html! { input type="number" name=(name) min="1" max="100000" value=(value) required; }
}

/// Does something with a run, and goes to the page of the run that it names.
async fn order(
    state: Arc<state::ServerState>,
    texts: Texts,
    name: FolderName,
    act: impl FnOnce(&state::ServerState, &Run) -> Result<FolderName> + Send + 'static,
) -> Result<Redirect, PageError> {
    let act = move || Ok(Run::open(&state.folders, &name).map(|run| act(&state, &run)));
    match found(texts, act).await? {
        Err(error) => Err(PageError::refused(texts, format!("{error:#}"))),
        Ok(name) => Ok(Redirect::to(&format!("/runs/{}", name.in_address()))),
    }
}

/// Asks the run to end, with everything saved.
pub(in crate::app::serve) async fn stop(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
) -> Result<Redirect, PageError> {
    let stop = |_: &state::ServerState, run: &Run| processes::stop(&run.root).map(|()| run.name.clone());
    order(state, texts, name, stop).await
}

/// Goes on with a run that was stopped.
pub(in crate::app::serve) async fn go_on(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
) -> Result<Redirect, PageError> {
    order(state, texts, name, |state, run| train(state, run, &[])).await
}

/// More time.
#[derive(Deserialize)]
pub(in crate::app::serve) struct Extension {
    minutes: u32,
}

/// Goes on with a run for longer.
pub(in crate::app::serve) async fn extend(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
    Form(Extension { minutes }): Form<Extension>,
) -> Result<Redirect, PageError> {
    let extend = move |state: &state::ServerState, run: &Run| {
        let used = run.newest_report().map_or(0.0, |report| report.seconds / 60.0);
        let none = ["positions", "generations", "cpu_minutes"].map(|key| format!("budget.{key}=none"));
        train(
            state,
            run,
            &[&[format!("budget.minutes={:.3}", used + f64::from(minutes))], &none[..]].concat(),
        )
    };
    order(state, texts, name, extend).await
}

fn train(state: &state::ServerState, run: &Run, changes: &[String]) -> Result<FolderName> {
    ensure!(!run.activity(&state.processes).is_busy(), "{} is at work", run.name);
    let mut arguments = vec!["train".into(), "--out".into(), run.root.clone().into()];
    arguments.extend(changes.iter().flat_map(|change| ["--set".into(), change.into()]));
    state.processes.start(&run.root, &arguments)?;
    Ok(run.name.clone())
}

/// How long a cool-down lasts.
#[derive(Deserialize)]
pub(in crate::app::serve) struct CoolDown {
    generations: u32,
}

/// Begins a run of its own with a falling learning rate: the net to publish.
pub(in crate::app::serve) async fn cool_down(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
    Form(CoolDown { generations }): Form<CoolDown>,
) -> Result<Redirect, PageError> {
    let cool = move |state: &state::ServerState, run: &Run| {
        let names = (1..).map(|number| format!("{}-cool-{number}", run.name));
        let name = names.into_iter().find(|name| !state.folders.runs.join(name).exists());
        let name = FolderName::try_from(name.context("no name is free")?)?;
        let folder = name.of(&state.folders.runs);
        let mut arguments = vec!["train".into(), "--out".into(), folder.clone().into()];
        arguments.extend(["--branch".into(), run.root.clone().into()]);
        arguments.extend(["--cool-down".into(), generations.to_string().into()]);
        state.processes.start(&folder, &arguments)?;
        Run::wait_for(&state.folders, &state.processes, &name)?;
        Ok(name)
    };
    order(state, texts, name, cool).await
}
