//! *New run*: what is trained, for how long, and what to expect of it.

use std::{fs, num::NonZero, path::PathBuf, sync::Arc, thread};

use anyhow::{Context, Result, anyhow};
use axum::{
    Form, Json,
    extract::{Query, State},
    response::{Html, IntoResponse, Redirect, Response},
};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    error::PageError,
    folders::{FolderName, Folders},
    layout::{Page, page},
    nets::NetId,
    runs::Run,
    state::{self, SharedState, blocking},
    texts::Texts,
};
use crate::{
    games::rules::GameId,
    net::{Backend, ModelFile},
    training::run::{Bytes, ConfigFile, DiskUse, RunConfig, free_bytes_near},
};

/// How long a run may be, in minutes: a try, five minutes, an hour, a night.
const LENGTHS: [(u32, &str); 4] =
    [(1, "new.one_minute"), (5, "new.five_minutes"), (60, "new.one_hour"), (480, "new.one_night")];
/// The length that is chosen at first.
const USUAL: u32 = 5;
/// Where the form says that the run begins with the weights of the published net.
const PUBLISHED: &str = "published";

/// Where the form says that the GPU learns.
const GPU: &str = "gpu";

/// What the form was filled in with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RunOrder {
    game: Option<GameId>,
    rules: String,
    minutes: Option<u32>,
    cores: Option<NonZero<usize>>,
    name: String,
    /// Whether it begins with the weights of the published net.
    from: String,
    /// What learns: [`GPU`], or the processor.
    device: String,
    /// The settings, where they were edited.
    config: String,
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

impl RunOrder {
    fn game(&self) -> GameId {
        self.game.unwrap_or(GameId::Dobutsu)
    }

    fn minutes(&self) -> u32 {
        self.minutes.unwrap_or(USUAL)
    }

    fn cores(&self) -> usize {
        self.cores.map_or_else(cores, NonZero::get)
    }

    fn text(&self) -> &str {
        if self.config.trim().is_empty() { self.own_config() } else { &self.config }
    }

    /// The settings, where they were not edited.
    fn own_config(&self) -> &'static str {
        let facts = self.game().facts();
        facts.gpu_config.filter(|_| self.device == GPU).unwrap_or(facts.config)
    }

    /// What `--set` changes of the settings.
    fn changes(&self) -> Vec<String> {
        let mut changes = vec![format!("budget.minutes={}", self.minutes())];
        changes.extend(["positions", "generations", "cpu_minutes"].map(|key| format!("budget.{key}=none")));
        if self.device == GPU {
            changes.push("learner.backend=\"wgpu\"".to_owned());
        }
        if !self.rules.is_empty() {
            changes.push(format!("rules=\"{}\"", self.rules));
        }
        changes
    }

    /// The settings of the run.
    ///
    /// # Errors
    /// Names the key that is wrong.
    fn config(&self) -> Result<RunConfig> {
        let file = ConfigFile::parse(self.text(), &self.changes())?;
        Ok(if self.from == PUBLISHED { file.config } else { file.choose(self.cores(), None).config })
    }

    /// The folder of the run: the one that is named, or one of its own.
    fn folder(&self, folders: &Folders, game: GameId) -> Result<(FolderName, PathBuf)> {
        let named = self.name.trim();
        let name = match named {
            "" => {
                (1..).map(|number| format!("{game}-{number}")).find(|name| !folders.runs.join(name).exists())
            }
            named => Some(named.to_owned()),
        };
        let name = FolderName::try_from(name.context("no name is free")?)?;
        let folder = name.of(&folders.runs);
        if folder.exists() {
            return Err(anyhow!("{} exists already", folder.display()));
        }
        Ok((name, folder))
    }

    /// Starts the run.
    fn start(&self, state: &state::ServerState) -> Result<FolderName> {
        let config = self.config()?;
        fs::create_dir_all(&state.folders.runs)
            .with_context(|| format!("cannot make {}", state.folders.runs.display()))?;
        let (name, folder) = self.folder(&state.folders, config.game)?;
        let text =
            tempfile::Builder::new().suffix(".toml").tempfile().context("cannot make a temporary file")?;
        fs::write(text.path(), self.text()).context("cannot write a temporary file")?;
        let mut arguments = vec!["train".into(), "--config".into(), text.path().into()];
        arguments.extend(["--out".into(), folder.clone().into()]);
        arguments.extend(["--threads".into(), self.cores().to_string().into()]);
        arguments.extend(self.changes().into_iter().flat_map(|change| ["--set".into(), change.into()]));
        if self.from == PUBLISHED {
            let net =
                NetId::Published(config.game).path(&state.folders).context("there is no published net")?;
            arguments.extend(["--init-from".into(), net.into()]);
        }
        state.processes.start_with(&folder, &arguments, text)?;
        Run::wait_for(&state.folders, &state.processes, &name)?;
        Ok(name)
    }
}

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
            (field(text("new.cores"), &numbers("cores", cores(), order.cores())))
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
        data: Some(json!({ "config": order.own_config() })),
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
    Query(order): Query<RunOrder>,
) -> Result<Json<Value>, PageError> {
    let config = order.config().map_err(|error| PageError::refused(texts, format!("{error:#}")))?;
    let figures = move || {
        let free = free_bytes_near(&state.folders.runs);
        let speed = state.speeds.measure(&config, order.cores().min(cores()))?;
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
    use crate::app::serve::texts::Language;

    #[test]
    fn every_games_settings_take_an_order() {
        for game in GameId::ALL {
            for rules in game.rule_sets() {
                let order = RunOrder {
                    game: Some(game),
                    rules: rules.to_string(),
                    minutes: Some(7),
                    ..RunOrder::default()
                };
                let config = order.config().unwrap();
                assert_eq!((config.game, config.rules, config.budget.minutes), (game, *rules, Some(7.0)));
                assert_eq!(config.budget.positions, None);
            }
        }
    }

    #[test]
    fn a_short_run_from_nothing_takes_the_settings_for_short_runs() {
        let order = |minutes, cores, from: &str| RunOrder {
            game: Some(GameId::Shogi),
            minutes: Some(minutes),
            cores: NonZero::new(cores),
            from: from.to_owned(),
            ..RunOrder::default()
        };
        let net = |minutes, cores, from| order(minutes, cores, from).config().unwrap().net.to_string();
        assert_eq!(net(60, 2, ""), "sparse-128-attacks");
        assert_eq!(net(480, 2, ""), "sparse-256-attacks");
        assert_eq!(net(60, 16, ""), "sparse-256-attacks", "an hour of sixteen cores is a night of two");
        assert_eq!(net(60, 2, PUBLISHED), "sparse-256-attacks", "it has the width of the published net");
    }

    #[test]
    fn what_learns_on_a_gpu_takes_the_settings_for_it() {
        for game in GameId::ALL {
            let order = RunOrder { game: Some(game), device: GPU.to_owned(), ..RunOrder::default() };
            assert_eq!(order.text(), game.facts().gpu_config.unwrap_or(game.facts().config));
            assert_eq!(order.config().unwrap().learner.backend, Some(Backend::Wgpu), "{game}");
        }
        let shown = devices(Texts::new(Language::English), "A card", &RunOrder::default()).into_string();
        assert!(shown.contains("A card") && !shown.contains("selected"), "{shown}");
    }

    #[test]
    fn what_is_wrong_with_an_order_is_named() {
        let order = RunOrder { config: "game = \"chess\"".to_owned(), ..RunOrder::default() };
        assert!(format!("{:#}", order.config().unwrap_err()).contains("chess"));
        let order =
            RunOrder { game: Some(GameId::Dobutsu), rules: "x\"\nseed=1".to_owned(), ..RunOrder::default() };
        assert!(order.config().is_err());
    }

    #[test]
    fn a_run_gets_a_folder_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { runs: folder.path().into(), matches: "m".into(), games: "g".into() };
        let order = |name: &str| RunOrder { name: name.to_owned(), ..RunOrder::default() };
        let named =
            |name: &str| order(name).folder(&folders, GameId::Dobutsu).map(|(name, _)| name.to_string());
        assert_eq!(named("").unwrap(), "dobutsu-1");
        fs::create_dir(folder.path().join("dobutsu-1")).unwrap();
        assert_eq!(named("").unwrap(), "dobutsu-2");
        assert_eq!(named(" first ").unwrap(), "first");
        assert!(named("dobutsu-1").is_err());
        assert!(named("../x").is_err());
    }
}
