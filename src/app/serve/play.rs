//! *Play*: a game against a net of one's choice, in the browser.

use axum::{
    extract::{self, Query},
    response::{IntoResponse, Response},
};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::{
    assets,
    error::PageError,
    folders::{FolderName, Folders},
    games,
    layout::{Page, page},
    nets::{self, Net, NetId},
    runs::Run,
    state::{SharedState, blocking},
    texts::Texts,
};
use crate::{
    app::web::{self, GameData, PageWords},
    arena::SavedGame,
    games::rules::{GameId, RuleSet},
};

/// Minutes of training whose nets are offered as strengths of a run.
const MILESTONES: [f64; 9] = [0.0, 1.0, 3.0, 10.0, 30.0, 60.0, 180.0, 600.0, 1440.0];

/// What an address may say of the net.
#[derive(Deserialize)]
pub(super) struct PlayQuery {
    net: Option<String>,
    game: Option<String>,
}

/// What the scripts read.
#[derive(Serialize)]
struct Data {
    #[serde(flatten)]
    game: GameData,
    #[serde(flatten)]
    link: WorkerAddresses,
    net: String,
    #[serde(rename = "netAddress")]
    net_address: String,
    id: Option<FolderName>,
    kept: Option<SavedGame>,
    /// Which version of the game is `kept`.
    version: Option<String>,
}

/// Where scripts find the worker and the module.
#[derive(Serialize)]
pub(super) struct WorkerAddresses {
    worker: String,
    module: String,
    /// Whether they are needed at once.
    eager: bool,
}

impl WorkerAddresses {
    /// For a page that plays at once.
    pub(super) fn eager() -> Self {
        WorkerAddresses { eager: true, ..Self::lazy() }
    }

    /// For a page that may do without.
    pub(super) fn lazy() -> Self {
        WorkerAddresses {
            worker: assets::address("worker.js"),
            module: assets::address("module.wasm"),
            eager: false,
        }
    }
}

/// A new game.
pub(super) async fn show(
    extract::State(state): SharedState,
    texts: Texts,
    Query(wish): Query<PlayQuery>,
) -> Result<Response, PageError> {
    let shown = blocking(texts, move || Ok(Table::wished(&state.folders, &wish))).await?;
    Ok(match shown {
        Ok(Some(table)) => screen(texts, table),
        Ok(None) => {
            let body = html! { p { (texts.text("play.no_net")) } };
            let title = texts.text("page.play");
            page(texts, Page { title, part: "/play", body, ..Page::default() }).into_response()
        }
        Err(NoNet) => return Err(PageError::missing(texts)),
    })
}

/// A game that is kept, where it stood.
pub(super) async fn show_kept(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, PageError> {
    let id = FolderName::try_from(id).map_err(|_| PageError::missing(texts))?;
    let table = blocking(texts, move || Ok(Table::kept(&state.folders, id))).await?;
    table.map(|table| screen(texts, table)).ok_or_else(|| PageError::missing(texts))
}

/// A net that is asked for and is not there.
struct NoNet;

/// Who plays what.
struct Table {
    net: Net,
    rules: RuleSet,
    nets: Vec<Group>,
    kept: Option<(FolderName, SavedGame)>,
}

impl Table {
    /// What an address asks for, or any net; `None` where there are none at all.
    fn wished(folders: &Folders, wish: &PlayQuery) -> Result<Option<Self>, NoNet> {
        let game: Option<GameId> = wish.game.as_deref().and_then(|game| game.parse().ok());
        let net = match &wish.net {
            Some(id) => Some(find(folders, &id.parse().map_err(|()| NoNet)?).ok_or(NoNet)?),
            None => nets::all(folders).into_iter().find(|net| game.is_none_or(|game| net.game == game)),
        };
        Ok(net.map(|net| Self::with(folders, net, None)))
    }

    fn kept(folders: &Folders, id: FolderName) -> Option<Self> {
        let game = games::read(folders, &id)?;
        let own = game.seating.as_ref().and_then(|seating| seating.net.parse().ok());
        let own = own.and_then(|net| find(folders, &net)).filter(|net| net.game == game.game);
        // The net may be gone; the game goes on with another.
        let net = own.or_else(|| nets::all(folders).into_iter().find(|net| net.game == game.game))?;
        Some(Self::with(folders, net, Some((id, game))))
    }

    fn with(folders: &Folders, net: Net, kept: Option<(FolderName, SavedGame)>) -> Self {
        let rules = match &net.id {
            NetId::Published(game) => game.rule_sets()[0],
            NetId::Run(name, _) => {
                Run::open(folders, name).map_or(net.game.rule_sets()[0], |run| run.config.rules)
            }
        };
        Table { nets: groups(folders, &net), rules, net, kept }
    }
}

/// The net of that name, if it is there and a browser can play with it.
pub(super) fn find(folders: &Folders, id: &NetId) -> Option<Net> {
    id.path(folders)?;
    match id {
        NetId::Run(name, Some(_)) => {
            nets::of_run(&Run::open(folders, name)?).into_iter().find(|net| net.id == *id)
        }
        _ => nets::all(folders).into_iter().find(|net| net.id == *id),
    }
}

/// Nets that are offered together.
pub(super) struct Group {
    /// The run; `None` of the published ones.
    run: Option<FolderName>,
    nets: Vec<Net>,
}

/// All nets that are offered: the published ones, and of each run the newest and some of before. `chosen` is among them.
fn groups(folders: &Folders, chosen: &Net) -> Vec<Group> {
    let (published, newest): (Vec<Net>, Vec<Net>) =
        nets::all(folders).into_iter().partition(|net| matches!(net.id, NetId::Published(_)));
    let of_run = |net: Net| {
        let NetId::Run(name, _) = &net.id else { unreachable!("the published ones are apart") };
        let run = Run::open(folders, name);
        let mut nets = milestones(run.as_ref().map(nets::of_run).unwrap_or_default());
        nets.insert(0, net.clone());
        Group { run: Some(name.clone()), nets }
    };
    let mut groups: Vec<Group> = newest.into_iter().map(of_run).collect();
    groups.insert(0, Group { run: None, nets: published });
    if !groups.iter().any(|group| group.nets.iter().any(|net| net.id == chosen.id)) {
        let own = |group: &&mut Group| matches!(&chosen.id, NetId::Run(name, _) if group.run.as_ref() == Some(name));
        if let Some(group) = groups.iter_mut().find(own) {
            group.nets.push(chosen.clone());
        }
    }
    groups.retain(|group| !group.nets.is_empty());
    groups
}

/// Of a run's nets the last one before each milestone.
fn milestones(nets: Vec<Net>) -> Vec<Net> {
    let minutes = |net: &Net| net.minutes.unwrap_or(f64::INFINITY);
    let mut places: Vec<usize> = MILESTONES
        .iter()
        .filter_map(|&milestone| nets.iter().rposition(|net| minutes(net) <= milestone))
        .collect();
    places.dedup();
    places.into_iter().map(|place| nets[place].clone()).collect()
}

/// The nets of one game for a choice of another screen.
pub(super) fn of_game(folders: &Folders, game: GameId) -> Vec<Net> {
    nets::all(folders).into_iter().filter(|net| net.game == game).collect()
}

/// What a net is called.
pub(super) fn name(texts: Texts, net: &Net) -> String {
    let game = texts.game(net.game);
    match &net.id {
        NetId::Published(_) => game.to_owned(),
        NetId::Run(run, None) => texts.fill("nets.newest", &[("run", run.as_str()), ("game", game)]),
        NetId::Run(run, Some(generation)) => {
            let generation = generation.to_string();
            let minutes = net.minutes.map_or_else(|| "?".to_owned(), minutes_text);
            texts.fill(
                "nets.after",
                &[("run", run.as_str()), ("minutes", &minutes), ("generation", &generation)],
            )
        }
    }
}

/// Minutes, with a digit behind the point where they are few.
fn minutes_text(minutes: f64) -> String {
    if minutes < 10.0 { format!("{minutes:.1}") } else { format!("{minutes:.0}") }
}

fn screen(texts: Texts, table: Table) -> Response {
    let words = texts.for_playing();
    let game = texts.game(table.net.game);
    let title = texts.fill("play.title", &[("game", game)]);
    let body = html! {
        div.play {
            (choice(texts, &table))
            (web::table(&words))
            p.hint #kept role="status" data-state="none" {}
            p { a #to-review href="/review" hidden { (texts.text("play.to_review")) } }
        }
    };
    let (id, kept) = table.kept.unzip();
    let data = Data {
        game: GameData::new(table.net.game, table.rules, texts.language().code()),
        link: WorkerAddresses::eager(),
        net: table.net.id.to_string(),
        net_address: table.net.id.file(),
        id,
        version: kept.as_ref().map(games::version),
        kept,
    };
    let mut sections = PageWords::SECTIONS.to_vec();
    sections.push("keep");
    let data = serde_json::to_value(data).expect("plain structs");
    page(
        texts,
        Page {
            title: &title,
            part: "/play",
            body,
            script: Some("keep.js"),
            texts: &sections,
            data: Some(data),
        },
    )
    .into_response()
}

/// The choice of the net, which opens a table of its own.
fn choice(texts: Texts, table: &Table) -> Markup {
    let option = |net: &Net| {
        html! { option value=(net.id) selected[net.id == table.net.id] { (name(texts, net)) } }
    };
    html! {
        form #choice method="get" action="/play" {
            label {
                span { (texts.text("play.opponent")) }
                select #net name="net" {
                    @for group in &table.nets {
                        @let label = group.run.as_ref().map_or(texts.text("nets.published"), FolderName::as_str);
                        optgroup label=(label) { @for net in &group.nets { (option(net)) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(generation: u32, minutes: f64) -> Net {
        let name = FolderName::try_from("first".to_owned()).unwrap();
        Net { id: NetId::Run(name, Some(generation)), game: GameId::Dobutsu, minutes: Some(minutes) }
    }

    #[test]
    fn a_runs_strengths_are_its_nets_before_the_milestones() {
        let nets = [(0, 0.0), (1, 0.4), (2, 0.9), (3, 2.0), (4, 9.0), (5, 9.9), (6, 70.0)];
        let nets = nets.map(|(generation, minutes)| net(generation, minutes)).to_vec();
        let kept: Vec<String> = milestones(nets).iter().map(|net| net.id.to_string()).collect();
        assert_eq!(kept, ["run:first@0", "run:first@2", "run:first@3", "run:first@5", "run:first@6"]);
        assert!(milestones(Vec::new()).is_empty());
    }
}
