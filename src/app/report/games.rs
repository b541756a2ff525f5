//! The games of a page: the list with its filters, the viewer, and the data behind it.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::{
    board::BoardData,
    replay::replay,
    script::{self, Script},
};
use crate::{
    arena::MatchGame,
    games::rules::{GameId, Outcome, Reason, RuleSet, Side, Verdict},
    with_game,
};

/// Draw a position, with the face of the pieces that was chosen.
pub(crate) const BOARD_SCRIPTS: [Script; 2] =
    [Script::new("pieces.js", include_str!("pieces.js")), Script::new("board.js", include_str!("board.js"))];
/// Steps through the games of [`ShownGame`]s.
pub(crate) const STEPS_SCRIPT: Script = Script::new("steps.js", include_str!("steps.js"));
const GAMES_SCRIPT: Script = Script::new("games.js", include_str!("games.js"));

/// A game alone on its page.
pub(super) struct SingleGame<'a> {
    /// Who plays the first side and the second.
    pub(super) players: [&'a str; 2],
    /// Where it began, in Fairy-Stockfish's FEN.
    pub(super) start: &'a str,
    /// The moves since, with spaces between.
    pub(super) moves: &'a str,
    /// How it ended, in words.
    pub(super) ending: String,
}

/// The section with the viewer of one game. `#ply-N` in the address shows it after `N` plies.
///
/// # Errors
/// When the game was not played by `rules`.
pub(super) fn section_alone(game: GameId, rules: RuleSet, alone: SingleGame<'_>) -> Result<Markup> {
    let replay = with_game!(game, G => replay::<G>(rules, alone.start, alone.moves)?);
    let record = ShownGame {
        number: 1,
        first: alone.players[0],
        second: alone.players[1],
        ending: alone.ending,
        note: None,
        turn: replay.turn.index(),
        moves: alone.moves,
        changes: replay.changes,
    };
    Ok(html! {
        section aria-labelledby="games-title" {
            h2 #games-title { "The game" }
            noscript { p { "The board needs JavaScript." } }
            (viewer())
        }
        (scripts(&Data { board: &BoardData::of(game), games: vec![record] })?)
    })
}

/// The data of a page, and what shows it.
fn scripts(data: &Data<'_>) -> Result<Markup> {
    let data = serde_json::to_string(data).context("games do not serialise")?;
    Ok(html! {
        script #data type="application/json" { (PreEscaped(inert(&data))) }
        (script::inline(&[&BOARD_SCRIPTS[..], &[STEPS_SCRIPT, GAMES_SCRIPT]].concat()))
    })
}

/// What the viewer reads.
#[derive(Serialize)]
struct Data<'a> {
    board: &'a BoardData,
    games: Vec<ShownGame<'a>>,
}

/// A game as the viewer reads it.
#[derive(Serialize)]
struct ShownGame<'a> {
    number: u32,
    first: &'a str,
    second: &'a str,
    ending: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    /// The side to move at the start, 0 or 1.
    turn: usize,
    moves: &'a str,
    /// See [`super::replay::ReplayData::changes`].
    changes: String,
}

/// The section with `games`, or nothing where there are none.
///
/// # Errors
/// When a game was not played by `rules`.
pub(super) fn section(game: GameId, rules: RuleSet, games: &[MatchGame]) -> Result<Markup> {
    if games.is_empty() {
        return Ok(html! {});
    }
    let board = BoardData::of(game);
    let records = games.iter().map(|played| record(game, rules, played)).collect::<Result<_>>()?;
    Ok(html! {
        section aria-labelledby="games-title" {
            h2 #games-title { "Games" }
            noscript { p { "The board and the filters need JavaScript." } }
            (viewer())
            (list(games))
        }
        (scripts(&Data { board: &board, games: records })?)
    })
}

/// JSON that cannot end the script element it stands in, nor begin a comment: `<` is nowhere but in strings.
pub(crate) fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn record(game: GameId, rules: RuleSet, played: &MatchGame) -> Result<ShownGame<'_>> {
    let replay = with_game!(game, G => replay::<G>(rules, &played.start, &played.moves));
    let replay = replay.with_context(|| format!("game {}", played.ordinal()))?;
    Ok(ShownGame {
        number: played.ordinal(),
        first: &played.first,
        second: &played.second,
        ending: ending(Outcome { verdict: played.result, reason: played.reason, points: played.points }),
        note: played.note.as_deref(),
        turn: replay.turn.index(),
        moves: &played.moves,
        changes: replay.changes,
    })
}

/// `1-0, checkmate`.
pub(super) fn ending(Outcome { verdict, reason, points }: Outcome) -> String {
    let ending = format!("{}, {}", verdict.as_str(), reason_name(reason));
    match points {
        Some([first, second]) => format!("{ending} ({first} : {second} points)"),
        None => ending,
    }
}

/// The reason in words.
pub(super) fn reason_name(reason: Reason) -> String {
    reason.as_str().replace('_', " ")
}

/// What chooses the face of the pieces, anywhere on a page with [`BOARD_SCRIPTS`]: its label and the two faces' names.
pub(crate) fn faces_choice(label: &str, [characters, pictograms]: [&str; 2]) -> Markup {
    html! {
        label.faces { (label) " " select name="faces" autocomplete="off" {
            option value="characters" { (characters) }
            option value="pictograms" { (pictograms) }
        } }
    }
}

fn viewer() -> Markup {
    let step = |step: &str, label: &str, sign: &str| {
        html! { button type="button" data-step=(step) aria-label=(label) { (sign) } }
    };
    html! {
        div #viewer role="group" aria-labelledby="game-title" {
            div.table {
                h3 #game-title {}
                p.player #player1 {}
                div #board tabindex="-1" {}
                p.player #player0 {}
                div.steps {
                    (step("first", "Start of the game", "«"))
                    (step("back", "One move back", "‹"))
                    input #ply type="range" min="0" max="0" value="0" aria-label="Plies on the board";
                    (step("forward", "One move on", "›"))
                    (step("last", "End of the game", "»"))
                }
                (faces_choice("Pieces", ["characters", "pictograms"]))
            }
            div.notes {
                p #ending {}
                p.visually-hidden #status aria-live="polite" {}
                ol #moves aria-label="Moves" {}
                p.hint { "Arrow keys step through the game, Home and End go to its ends." }
            }
        }
    }
}

fn list(games: &[MatchGame]) -> Markup {
    let names: BTreeSet<&str> = games.iter().flat_map(|game| [&*game.first, &*game.second]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let place = |name: &str| names.iter().position(|known| *known == name);
    let reasons: BTreeSet<Reason> = games.iter().map(|game| game.reason).collect();
    html! {
        div.filters {
            label { "Player " select #filter-player {
                option value="" { "any" }
                @for (place, name) in names.iter().enumerate() { option value=(place) { (name) } }
            } }
            label { "Won by " select #filter-winner {
                option value="" { "any" }
                @for (place, name) in names.iter().enumerate() { option value=(place) { (name) } }
                option value="draw" { "nobody (draw)" }
            } }
            label { "Ended by " select #filter-reason {
                option value="" { "any" }
                @for &reason in &reasons { option value=(reason) { (reason_name(reason)) } }
            } }
            span #count role="status" {}
        }
        div.scroll.list role="region" aria-label="List of the games" tabindex="0" {
            table #games {
                thead { tr {
                    th scope="col" { "Game" } th scope="col" { "First" } th scope="col" { "Second" }
                    th scope="col" { "Result" } th scope="col" { "Ended by" } th.number scope="col" { "Plies" }
                    th scope="col" { "Opening" }
                } }
                tbody { @for (index, game) in games.iter().enumerate() {
                    tr id={ "row-" (index) } data-first=[place(&game.first)] data-second=[place(&game.second)]
                        data-winner=(winner(game).and_then(place).map_or("draw".to_owned(), |place| place.to_string()))
                        data-reason=(game.reason) {
                        td { a href={ "#game-" (index) } { (game.ordinal()) } }
                        td { (game.first) } td { (game.second) }
                        td { (game.result.as_str()) } td { (reason_name(game.reason)) }
                        td.number { (game.plies()) } td { (game.opening) }
                    }
                } }
            }
        }
    }
}

fn winner(game: &MatchGame) -> Option<&str> {
    match game.result {
        Verdict::Win(Side::First) => Some(&game.first),
        Verdict::Win(Side::Second) => Some(&game.second),
        Verdict::Draw => None,
    }
}
