//! *Take away*: a net as a file, and how it comes into other programs.

use std::{
    env::{self, consts::EXE_SUFFIX},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Result;
use axum::{
    extract::{Path as Address, Query, State},
    http::header,
    response::{Html, IntoResponse, Response},
};
use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Deserialize;

use super::{
    error::PageError,
    folders::FolderName,
    layout::{Page, page},
    nets::{self, NetId},
    numbers::duration,
    runs::Run,
    state::{self, SharedState, blocking},
    texts::Texts,
};
use crate::{
    app::web,
    games::rules::GameId,
    net::{ModelFile, NetConfig, onnx},
};

/// Kinds of files, as `sanki export` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Html,
    Sanki,
    Onnx,
    Safetensors,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Html, Kind::Sanki, Kind::Onnx, Kind::Safetensors];

    /// How the file's name ends, and the address.
    fn ending(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Sanki => "sanki",
            Kind::Onnx => "onnx",
            Kind::Safetensors => "safetensors",
        }
    }

    fn of_ending(ending: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.ending() == ending)
    }

    /// What it is for.
    fn about(self, texts: Texts) -> &'static str {
        texts.text(match self {
            Kind::Html => "take.html",
            Kind::Sanki => "take.sanki",
            Kind::Onnx => "take.onnx",
            Kind::Safetensors => "take.safetensors",
        })
    }

    /// The file of the net at `path`; a page in the language of `texts`.
    fn bytes(self, path: &Path, texts: Texts) -> Result<Vec<u8>> {
        Ok(match self {
            Kind::Sanki => ModelFile::smallest(path)?,
            Kind::Html => web::page(&ModelFile::read(path)?, &texts.for_playing())?.into_bytes(),
            Kind::Onnx => onnx::to_bytes(&ModelFile::read(path)?),
            Kind::Safetensors => ModelFile::read(path)?.to_safetensors(),
        })
    }
}

/// The programs with boards that take the engine, and the keys of what to do there.
const PROGRAMS: [(&str, &str); 6] = [
    ("ShogiHome, ShogiGUI, Shogidokoro", "take.add_usi"),
    ("LiGround", "take.add_liground"),
    ("Fairyground", "take.add_uci"),
    ("SharkChess", "take.add_ucci"),
    ("XBoard, WinBoard", "take.add_xboard"),
    ("PyChess (fairyfishnet)", "take.add_command"),
];

/// Which checkpoint of a run is taken.
#[derive(Deserialize)]
pub(super) struct CheckpointQuery {
    at: Option<u32>,
}

/// Shows what can be taken of a run.
pub(super) async fn of_run(
    State(state): SharedState,
    texts: Texts,
    Address(name): Address<FolderName>,
    Query(CheckpointQuery { at }): Query<CheckpointQuery>,
) -> Result<Html<String>, PageError> {
    shown(texts, state, NetId::Run(name, at)).await
}

/// Shows what can be taken of any net.
pub(super) async fn of_net(
    State(state): SharedState,
    texts: Texts,
    Address(id): Address<String>,
) -> Result<Html<String>, PageError> {
    let id = id.parse().map_err(|()| PageError::missing(texts))?;
    shown(texts, state, id).await
}

async fn shown(texts: Texts, state: Arc<state::ServerState>, id: NetId) -> Result<Html<String>, PageError> {
    let shown = blocking(texts, move || {
        let Some(path) = id.path(&state.folders) else { return Ok(None) };
        Ok(Some(whole(texts, &state, &id, &path)?))
    });
    shown.await?.ok_or_else(|| PageError::missing(texts))
}

/// Gives a file.
pub(super) async fn download(
    State(state): SharedState,
    texts: Texts,
    Address((id, ending)): Address<(String, String)>,
) -> Result<Response, PageError> {
    let missing = || PageError::missing(texts);
    let id: NetId = id.parse().map_err(|()| missing())?;
    let kind = Kind::of_ending(&ending).ok_or_else(missing)?;
    let name = file_name(&id, kind);
    let bytes = blocking(texts, move || {
        let Some(path) = id.path(&state.folders) else { return Ok(None) };
        kind.bytes(&path, texts).map(Some)
    });
    let bytes = bytes.await?.ok_or_else(missing)?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, attachment(&name)),
    ];
    Ok((headers, bytes).into_response())
}

/// What the file is called: the game, or the run and the generation.
fn file_name(id: &NetId, kind: Kind) -> String {
    let stem = match id {
        NetId::Published(game) => game.to_string(),
        NetId::Run(name, None) => name.to_string(),
        NetId::Run(name, Some(generation)) => format!("{name}-{generation}"),
    };
    format!("{stem}.{}", kind.ending())
}

/// What stands for itself in a name that is encoded.
const CODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The header that names a download (RFC 6266, and RFC 8187 for letters beyond ASCII).
fn attachment(name: &str) -> String {
    let plain: String = name.chars().map(|letter| if letter.is_ascii() { letter } else { '_' }).collect();
    let coded = percent_encode(name.as_bytes(), &CODED);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{coded}")
}

fn whole(texts: Texts, state: &state::ServerState, id: &NetId, path: &Path) -> Result<Html<String>> {
    let file = ModelFile::read(path)?;
    let game = file.meta.game;
    let name = match id {
        NetId::Published(_) => texts.text("take.published").to_owned(),
        NetId::Run(name, _) => name.to_string(),
    };
    let title = format!("{} – {name} ({})", texts.text("take.title"), texts.game(game));
    let body = html! {
        p.about { (texts.text("take.about")) }
        @if let NetId::Run(name, at) = id {
            @if let Some(run) = Run::open(&state.folders, name) { (checkpoints(texts, &run, *at)) }
        }
        section aria-labelledby="files-title" {
            h2 #files-title { (texts.text("take.files")) }
            (files(texts, id, path, &file)?)
        }
        section aria-labelledby="programs-title" {
            h2 #programs-title { (texts.text("take.programs")) }
            (programs(texts, id, path, game))
        }
    };
    Ok(page(texts, Page { title: &title, part: "/", body, ..Page::default() }))
}

/// The choice of a checkpoint; nothing where there is none.
fn checkpoints(texts: Texts, run: &Run, at: Option<u32>) -> Markup {
    let nets = nets::kept_by(run);
    if nets.is_empty() {
        return html! {};
    }
    html! {
        form.order method="get" action=(format!("/runs/{}/take", run.name.in_address())) {
            label { span { (texts.text("take.checkpoint")) }
                span.pair {
                    select #at name="at" {
                        @for net in nets.iter().rev() {
                            @if let NetId::Run(_, Some(generation)) = net.id {
                                option value=(generation) selected[at == Some(generation)] {
                                    (generation_words(texts, generation, net.minutes))
                                }
                            }
                        }
                    }
                    button type="submit" #choose { (texts.text("take.choose")) }
                }
            }
        }
    }
}

fn generation_words(texts: Texts, generation: u32, minutes: Option<f64>) -> String {
    let words = texts.fill("take.generation", &[("number", &generation.to_string())]);
    match minutes {
        Some(minutes) if generation > 0 => format!("{words}, {}", duration(texts, minutes * 60.0)),
        _ => words,
    }
}

/// The files, with their sizes: exact where they are known without making what takes long.
fn files(texts: Texts, id: &NetId, path: &Path, file: &ModelFile) -> Result<Markup> {
    let is_sparse = matches!(file.model.net(), NetConfig::Sparse(_));
    let compact = ModelFile::compact(path)?.len();
    let size = |kind: Kind| match kind {
        Kind::Sanki => compact,
        // In base 64, as the module is.
        Kind::Html => (compact + web::MODULE.len()) * 4 / 3,
        Kind::Onnx => onnx::to_bytes(file).len(),
        Kind::Safetensors => file.to_safetensors().len(),
    };
    Ok(html! {
        ul.downloads {
            @for kind in Kind::ALL.into_iter().filter(|kind| is_sparse || *kind != Kind::Html) {
                li {
                    a.button download href=(format!("/take/{}/{}", id.in_address(), kind.ending())) id=(format!("take-{}", kind.ending())) {
                        (file_name(id, kind))
                    }
                    " " span { (kind.about(texts)) } " "
                    span.hint { (texts.fill("take.size", &[("size", &megabytes(size(kind)))])) }
                }
            }
        }
        p.hint { (texts.text("take.patience")) }
    })
}

/// How to bring the engine into another program.
fn programs(texts: Texts, id: &NetId, path: &Path, game: GameId) -> Markup {
    let weights = match id {
        // The engine finds it by itself.
        NetId::Published(_) => None,
        NetId::Run(..) => Some(std::path::absolute(path).unwrap_or_else(|_| path.to_owned())),
    };
    html! {
        @match engine() {
            Some(engine) => p { (texts.text("take.engine")) " " code #engine { (engine.display()) } },
            None => p.failed { (texts.text("take.no_engine")) },
        }
        @if let Some(weights) = weights {
            p { (texts.text("take.weights")) " " code #weights { "WeightsFile = " (weights.display()) } }
        } @else {
            p { (texts.text("take.finds")) }
        }
        div.scroll role="group" aria-label=(texts.text("take.programs")) tabindex="0" {
            table {
                thead { tr { th scope="col" { (texts.text("take.program")) } th scope="col" { (texts.text("take.do")) } } }
                tbody { @for (program, key) in PROGRAMS { tr {
                    th scope="row" { (program) }
                    td { (texts.fill(key, &[("game", game.as_str())])) }
                } } }
            }
        }
    }
}

/// The engine beside this program, where it was built.
fn engine() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let engine = program.with_file_name(format!("sanki-engine{EXE_SUFFIX}"));
    engine.is_file().then_some(engine)
}

/// `0.4`, `12`: as a size in MB is read.
fn megabytes(bytes: usize) -> String {
    let megabytes = bytes as f64 / 1e6;
    if megabytes < 10.0 { format!("{megabytes:.1}") } else { format!("{megabytes:.0}") }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{app::serve::texts::Language, training::run::RunConfig};

    #[test]
    fn a_choice_of_checkpoints_has_some() {
        let root = tempfile::tempdir().unwrap();
        let tower = ["net={kind='conv',blocks=1,channels=16}", "selfplay.precision=fp32"].map(str::to_owned);
        let run = Run {
            name: FolderName::try_from("first".to_owned()).unwrap(),
            root: root.path().to_owned(),
            config: RunConfig::parse(GameId::Dobutsu.facts().config, &tower).unwrap(),
        };
        let shown = || checkpoints(Texts::new(Language::English), &run, None).into_string();
        assert_eq!(shown(), "");
        let kept = run.dir().checkpoint(20);
        fs::create_dir_all(kept.parent().unwrap()).unwrap();
        fs::write(kept, "").unwrap();
        assert!(shown().contains("<option value=\"20\""), "{}", shown());
    }

    #[test]
    fn files_have_the_names_of_their_nets() {
        let name = |id: &str, kind| file_name(&id.parse().unwrap(), kind);
        assert_eq!(name("published:janggi", Kind::Onnx), "janggi.onnx");
        assert_eq!(name("run:first", Kind::Html), "first.html");
        assert_eq!(name("run:first@40", Kind::Sanki), "first-40.sanki");
        let header = attachment("내 장기-1.sanki");
        assert_eq!(
            header,
            "attachment; filename=\"_ __-1.sanki\"; filename*=UTF-8''%EB%82%B4%20%EC%9E%A5%EA%B8%B0-1.sanki"
        );
        assert!(header.is_ascii());
    }

    #[test]
    fn every_kind_is_found_by_its_ending() {
        Kind::ALL.into_iter().for_each(|kind| assert_eq!(Kind::of_ending(kind.ending()), Some(kind)));
        assert_eq!(Kind::of_ending("exe"), None);
    }

    #[test]
    fn sizes_are_round() {
        assert_eq!([446_474, 10_554_776].map(megabytes), ["0.4", "11"]);
    }
}
