//! What can be done with a run: stop, go on, extend, cool down.

use std::{ffi::OsString, sync::Arc};

use anyhow::{Context, Result, ensure};
use axum::{
    Form,
    extract::{Path, State},
    response::Redirect,
};
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::serve::{
    cores,
    error::PageError,
    folders::{FolderName, Folders},
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
                label { (number("minutes", 1, EXTENSION)) " " (texts.text("run.minutes")) }
            }
            form method="post" action=(address("cool-down")) {
                button type="submit" #cool-down { (texts.text("run.cool_down")) }
                label { (number("generations", 2, proposed(run))) " " (texts.text("run.generations")) }
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

fn number(name: &str, least: u32, value: u32) -> Markup {
    html! { input type="number" name=(name) min=(least) max="100000" value=(value) required; }
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
    let stop =
        |state: &state::ServerState, run: &Run| state.processes.stop(&run.root).map(|()| run.name.clone());
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
    state.processes.start(&run.root, &going_on(&state.folders, run, changes))?;
    Ok(run.name.clone())
}

/// What `sanki` is started with to go on with a run, whose settings change so: on as many cores as it was ordered with.
fn going_on(folders: &Folders, run: &Run, changes: &[String]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["train".into(), "--out".into(), run.root.clone().into()];
    arguments.extend(changes.iter().flat_map(|change| ["--set".into(), change.into()]));
    arguments.extend(cores::of(folders, &run.name).into_iter().flat_map(cores::arguments));
    arguments
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
        ensure!(generations > 1, "a cool-down takes 2 generations at least");
        let names = (1..).map(|number| format!("{}-cool-{number}", run.name));
        let name = names.into_iter().find(|name| !state.folders.runs.join(name).exists());
        let name = FolderName::try_from(name.context("no name is free")?)?;
        let arguments = cooling(&state.folders, run, &name, generations);
        state.processes.start(&name.of(&state.folders.runs), &arguments)?;
        Run::wait_for(&state.folders, &state.processes, &name)?;
        Ok(name)
    };
    order(state, texts, name, cool).await
}

/// What `sanki` is started with for a cool-down that is called `name`: it has the cores of its run, now and later.
fn cooling(folders: &Folders, run: &Run, name: &FolderName, generations: u32) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["train".into(), "--out".into(), name.of(&folders.runs).into()];
    arguments.extend(["--branch".into(), run.root.clone().into()]);
    arguments.extend(["--cool-down".into(), generations.to_string().into()]);
    if let Some(cores) = cores::of(folders, &run.name) {
        cores::keep(folders, name, cores);
        arguments.extend(cores::arguments(cores));
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::rules::GameId, training::run::RunConfig};

    #[test]
    fn a_run_goes_on_with_its_cores() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders { runs: root.path().into(), matches: "m".into(), games: "g".into() };
        let name = |text: &str| FolderName::try_from(text.to_owned()).unwrap();
        let run = |text: &str| Run {
            name: name(text),
            root: name(text).of(&folders.runs),
            config: RunConfig::parse(GameId::Dobutsu.facts().config, &[]).unwrap(),
        };
        let words = |arguments: Vec<OsString>| arguments.join(" ".as_ref()).into_string().unwrap();
        let first = run("first");
        let terminal = words(going_on(&folders, &first, &[]));
        assert!(!terminal.contains("--threads"), "it was not ordered here: {terminal}");
        cores::keep(&folders, &first.name, 8);
        let longer = words(going_on(&folders, &first, &["budget.minutes=9".to_owned()]));
        assert!(longer.ends_with("first --set budget.minutes=9 --threads 8"), "{longer}");

        let cooled = words(cooling(&folders, &first, &name("cool"), 60));
        assert!(cooled.ends_with("--cool-down 60 --threads 8"), "{cooled}");
        assert!(words(going_on(&folders, &run("cool"), &[])).ends_with("--threads 8"));
    }
}
