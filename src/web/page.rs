//! The page: one HTML file with the module, a net and what is needed to play.

use anyhow::{Context, Result, ensure};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

use super::base64;
use crate::{
    net::{ModelFile, ModelMeta, NetConfig},
    report::{BOARD_SCRIPT, Board, STYLE, faces_choice, head, inert},
    rng::{self, Purpose},
    rules::{Game, GameId, RuleSet, Setup, Side, janggi::Formation},
    with_game,
};

/// The module, compressed; `src/web/make` makes it.
pub const MODULE: &[u8] = include_bytes!("sanki.wasm.gz");

const PLAY_STYLE: &str = include_str!("play.css");
const WORKER_SCRIPT: &str = include_str!("worker.js");
const TEXTS_SCRIPT: &str = include_str!("texts.js");
const LINK_SCRIPT: &str = include_str!("link.js");
/// The board to play on.
pub(crate) const PICTURE_SCRIPT: &str = include_str!("picture.js");
const PLAY_SCRIPT: &str = include_str!("play.js");
/// Nothing is loaded from anywhere; the worker is made from the page's own text.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; img-src data:";

/// What the scripts read.
#[derive(Serialize)]
struct Data<'a> {
    board: Board,
    rules: &'a [RuleSet],
    own_rules: RuleSet,
    /// The start, for a picture before the net is there.
    fen: String,
    /// Janggi's set-ups for each side: their letters and their Korean names.
    setups: Vec<[Vec<[&'static str; 2]>; 2]>,
}

/// The page of a model.
///
/// # Errors
/// When it is a tower, which is too slow there, or cannot be compressed.
pub fn page(file: &ModelFile) -> Result<String> {
    let is_sparse = matches!(file.model.net(), NetConfig::Sparse(_));
    ensure!(is_sparse, "a page plays a sparse net, and this one is a tower ({})", file.meta.net);
    let game = file.meta.game;
    let data = Data {
        board: Board::of(game),
        rules: game.rule_sets(),
        own_rules: file.meta.rules,
        fen: with_game!(game, G => start::<G>(file.meta.rules)),
        setups: if game == GameId::Janggi { vec![setups()] } else { Vec::new() },
    };
    let data = serde_json::to_string(&data).context("the game does not serialise")?;
    let model = base64::encode(&file.to_compact()?.to_bytes());
    let name = name(game);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&name, POLICY, &[STYLE, PLAY_STYLE]))
            body.play {
                header { h1 { (name) } }
                noscript { p { "This page needs JavaScript." } }
                (table())
                footer { p { (about(&file.meta)) } }
                script #data type="application/json" { (PreEscaped(inert(&data))) }
                script #module type="text/plain" { (base64::encode(MODULE)) }
                script #worker type="text/plain" { (PreEscaped(WORKER_SCRIPT)) }
                @for script in [TEXTS_SCRIPT, LINK_SCRIPT] {
                    script { (PreEscaped(script)) }
                }
                script #model type="text/plain" { (model) }
                @for script in [BOARD_SCRIPT, PICTURE_SCRIPT, PLAY_SCRIPT] {
                    script { (PreEscaped(script)) }
                }
            }
        }
    };
    Ok(page.into_string())
}

fn name(game: GameId) -> String {
    let (initial, rest) = game.as_str().split_at(1);
    format!("{}{rest}", initial.to_ascii_uppercase())
}

fn about(meta: &ModelMeta) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("Made by sanki {version}: a {} net of {} positions of self-play.", meta.net, meta.positions)
}

fn start<G: Game>(rules: RuleSet) -> String {
    // The standard set-up draws no random numbers.
    G::start(rules, Setup::Standard, &mut rng::stream(0, Purpose::Openings, &[])).fen()
}

fn setups() -> [Vec<[&'static str; 2]>; 2] {
    [Side::First, Side::Second]
        .map(|side| Formation::ALL.map(|formation| [formation.letters(), formation.names(side)[3]]).to_vec())
}

/// The elements that the scripts fill; their words are in `texts.js`.
fn table() -> Markup {
    let button = |id: &str| html! { button type="button" id=(id) data-text=(id) disabled {} };
    let choice = |id: &str| html! { label { span data-text=(id) {} select id=(id) {} } };
    html! {
        main #table {
            div.place {
                p #status role="status" data-state="loading" {}
                p.visually-hidden #said aria-live="polite" {}
                p.player #far {}
                div #board {}
                p.player #near {}
                div.chances role="img" #chances { div #share {} }
                p.hint #thought {}
            }
            div.side {
                div.actions { (button("undo")) (button("pass")) (button("resign")) (button("flip")) }
                form #options {
                    (choice("side")) (choice("level")) (choice("rules")) (choice("setup0")) (choice("setup1"))
                    button type="submit" #begin data-text="begin" disabled {}
                }
                (faces_choice("Pieces", ["characters", "pictograms"]))
                h2 data-text="moves" {}
                ol #moves {}
                p.hint #keys {}
            }
        }
        dialog #promotion { p data-text="promotion" {} div #pieces {} }
    }
}
