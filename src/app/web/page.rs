//! The page: one HTML file with the module, a net and what is needed to play.

use anyhow::{Context, Result, ensure};
use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::Value;

use crate::{
    app::report::{BOARD_SCRIPTS, BoardData, STYLE, Script, faces_choice, head, inert, inline},
    base::rng::{self, Purpose},
    games::{
        notation::style_in,
        rules::{Game, GameId, RuleSet, Setup, Side, janggi::Formation},
    },
    net::{ModelFile, ModelMeta, NetConfig},
    with_game,
};

/// The module, compressed; `src/app/web/make` makes it.
pub const MODULE: &[u8] = include_bytes!("sanki.wasm.gz");

pub(crate) const PLAY_STYLE: &str = include_str!("play.css");
pub(crate) const WORKER_SCRIPT: &str = include_str!("worker.js");
/// What draws a game and lets it be played, and last the screen to play on. They build upon [`BOARD_SCRIPTS`].
pub(crate) const SCRIPTS: [Script; 10] = [
    Script::new("shared.js", include_str!("shared.js")),
    Script::new("link.js", include_str!("link.js")),
    Script::new("moves.js", include_str!("moves.js")),
    Script::new("picture.js", include_str!("picture.js")),
    Script::new("arrows.js", include_str!("arrows.js")),
    Script::new("game.js", include_str!("game.js")),
    Script::new("drag.js", include_str!("drag.js")),
    Script::new("clock.js", include_str!("clock.js")),
    Script::new("share.js", include_str!("share.js")),
    Script::new("play.js", include_str!("play.js")),
];
/// Nothing is loaded from anywhere; the worker is made from the page's own text.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; worker-src blob:; img-src data:";

/// The words of a page in one language: texts by section and key.
#[derive(Clone, Debug)]
pub struct PageWords {
    /// The language, as HTML names it.
    pub language: &'static str,
    /// The texts, at least those of [`PageWords::SECTIONS`].
    pub sections: Value,
}

impl PageWords {
    /// The sections that playing needs.
    pub const SECTIONS: [&'static str; 8] =
        ["board", "pieces", "play", "levels", "rules", "reasons", "sides", "handicaps"];

    /// The text of `key`, such as `play.undo`.
    ///
    /// # Panics
    /// Where there is none.
    fn text(&self, key: &str) -> &str {
        let (section, name) = key.split_once('.').expect("a section and a name");
        self.sections[section][name].as_str().unwrap_or_else(|| panic!("no text {key}"))
    }
}

/// What the scripts read of a game.
#[derive(Serialize)]
pub(crate) struct GameData {
    board: BoardData,
    rules: &'static [RuleSet],
    own_rules: RuleSet,
    /// The start, for a picture before the net is there.
    fen: String,
    /// Janggi's set-ups for each side: their letters and their names.
    setups: Vec<[Vec<[&'static str; 2]>; 2]>,
    /// The names of the handicaps, and the side that gives: 0 or 1.
    handicaps: Vec<&'static str>,
    giver: usize,
}

impl GameData {
    /// Of `game`, for a net of the rules `own_rules`, in a language.
    pub(crate) fn new(game: GameId, own_rules: RuleSet, language: &str) -> Self {
        GameData {
            board: BoardData::of(game).labelled(with_game!(game, G => style_in::<G>(language))),
            rules: game.rule_sets(),
            own_rules,
            fen: with_game!(game, G => start::<G>(own_rules)),
            setups: if game.facts().setups.is_empty() { Vec::new() } else { vec![setups(language)] },
            handicaps: game.facts().handicaps.list.iter().map(|handicap| handicap.name).collect(),
            giver: game.facts().handicaps.giver.index(),
        }
    }
}

/// What the scripts of a page that is one file read beside: nothing is to be waited for.
#[derive(Serialize)]
struct Data {
    #[serde(flatten)]
    game: GameData,
    eager: bool,
}

/// The page of a model.
///
/// # Errors
/// When it is a tower, which is too slow there, or cannot be compressed.
pub fn page(file: &ModelFile, words: &PageWords) -> Result<String> {
    let is_sparse = matches!(file.model.net(), NetConfig::Sparse(_));
    ensure!(is_sparse, "a page plays a sparse net, and this one is a tower ({})", file.meta.net);
    let game = file.meta.game;
    let data = Data { game: GameData::new(game, file.meta.rules, words.language), eager: true };
    let data = serde_json::to_string(&data).context("the game does not serialise")?;
    let model = BASE64.encode(&file.to_compact()?.to_bytes());
    let name = name(game);
    let page = html! {
        (DOCTYPE)
        html lang=(words.language) {
            (head(&name, POLICY, &[STYLE, PLAY_STYLE]))
            body.play {
                header { h1 { (name) } }
                noscript { p { "This page needs JavaScript." } }
                main { (table(words)) }
                footer { p { (about(&file.meta)) } }
                script #data type="application/json" { (PreEscaped(inert(&data))) }
                script #texts type="application/json" { (PreEscaped(inert(&words.sections.to_string()))) }
                script #module type="text/plain" { (BASE64.encode(MODULE)) }
                script #worker type="text/plain" { (PreEscaped(WORKER_SCRIPT)) }
                // Before the net: the scripts begin while that is read.
                (inline(&[&BOARD_SCRIPTS[..], &SCRIPTS].concat()))
                script #model type="text/plain" { (model) }
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

fn setups(language: &str) -> [Vec<[&'static str; 2]>; 2] {
    // By where the bishops stand, in hangul or as it is said.
    let name = if language == "ko" { 2 } else { 3 };
    [Side::First, Side::Second].map(|side| {
        Formation::ALL.map(|formation| [formation.letters(), formation.names(side)[name]]).to_vec()
    })
}

/// What the scripts fill: the board with what is said of it, and the game's own choices.
pub(crate) fn table(words: &PageWords) -> Markup {
    let button =
        |id: &str| html! { button type="button" id=(id) disabled { (words.text(&format!("play.{id}"))) } };
    let label = |id: &str| html! { span { (words.text(&format!("play.{id}"))) } };
    let choice = |id: &str| html! { label { (label(id)) select id=(id) {} } };
    let number = |id: &str, most: u32| {
        html! { label { (label(id)) input #(id) type="number" min="0" max=(most) value="0" inputmode="numeric"; } }
    };
    html! {
        div #table {
            (place())
            div.side {
                div.actions {
                    @for id in ["undo", "pass", "declare", "hint", "resign", "flip", "share"] { (button(id)) }
                    button type="button" #view aria-pressed="false" disabled { (words.text("play.view")) }
                }
                form #options {
                    (choice("side")) (choice("level")) (choice("rules")) (choice("handicap")) (choice("setup0")) (choice("setup1"))
                    div.pair { (number("minutes", 180)) (number("increment", 60)) }
                    button type="submit" #begin disabled { (words.text("play.begin")) }
                }
                (faces_choice(words.text("board.faces"), ["board.characters", "board.pictograms"].map(|key| words.text(key))))
                h2 { (words.text("play.moves")) }
                ol #moves {}
                p.hint { (words.text("board.keys")) }
            }
        }
        (promotion(words))
    }
}

/// The board with its players, and what is said of the position.
pub(crate) fn place() -> Markup {
    let player = |id: &str| html! { p.player #(id) { span.name {} span.clock role="timer" {} } };
    html! {
        div.place {
            p #status role="status" data-state="loading" {}
            (player("far"))
            div #board {}
            (player("near"))
            div.chances role="img" #chances { div #wins {} div #draws {} div #losses {} }
            p.hint #thought {}
            p.visually-hidden #announced aria-live="polite" {}
        }
    }
}

/// The choice between promoting and not.
pub(crate) fn promotion(words: &PageWords) -> Markup {
    html! { dialog #promotion { p { (words.text("play.promotion")) } div #pieces {} } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::report::broken_imports;

    #[test]
    fn the_scripts_import_what_others_export() {
        assert_eq!(broken_imports(&[&BOARD_SCRIPTS[..], &SCRIPTS].concat()), [""; 0]);
    }
}
