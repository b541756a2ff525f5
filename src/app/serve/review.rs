//! *Review*: the lists of games that can be looked at: one's own, those of matches, and self-play.

use axum::{
    extract::{self, Query},
    response::{Html, IntoResponse},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    error::PageError,
    explore,
    folders::{FolderName, MatchId},
    games,
    layout::{Page, page},
    names,
    runs::Run,
    sources::{self, GameLocation},
    state::{SharedState, blocking},
    texts::Texts,
};
use crate::{
    arena::SavedGame,
    games::{
        records::Record,
        rules::{GameId, Outcome, Verdict},
    },
};

/// Games of a list at most; the others are on its further pages.
const LISTED: usize = 100;
/// MiB of a file that may be brought.
const MOST_UPLOADED: &str = "1";

/// Which part of a list.
#[derive(Deserialize)]
pub(super) struct ListQuery {
    /// How many games stand before it.
    #[serde(default)]
    from: usize,
}

/// A row of a list.
struct Row {
    source: GameLocation,
    game: GameId,
    players: [String; 2],
    outcome: Option<Outcome>,
    plies: usize,
}

impl Row {
    fn own((id, game): (FolderName, SavedGame)) -> Self {
        Row {
            source: GameLocation::Own(id),
            game: game.game,
            outcome: game.outcome().ok().flatten(),
            plies: game.moves.split_ascii_whitespace().count(),
            players: [game.first, game.second],
        }
    }

    fn of(source: GameLocation, record: Record) -> Self {
        let Record { game, players, outcome, moves, .. } = record;
        Row { source, game, players, outcome, plies: moves.len() }
    }
}

/// One's own games, and the way to all others.
pub(super) async fn show(
    extract::State(state): SharedState,
    texts: Texts,
    Query(ListQuery { from }): Query<ListQuery>,
) -> Result<impl IntoResponse, PageError> {
    let look = move || {
        let folders = &state.folders;
        let own = games::newest(folders, from.saturating_add(LISTED + 1));
        let rows: Vec<Row> = own.into_iter().map(Row::own).collect();
        let runs = Run::all(folders).into_iter().filter(|run| !sources::generations(run).is_empty());
        let runs: Vec<FolderName> = runs.map(|run| run.name).collect();
        Ok((rows, sources::matches(folders), runs))
    };
    let (rows, matches, runs) = blocking(texts, look).await?;
    let body = html! {
        (upload(texts))
        h2 { (texts.text("review.own")) }
        (list(texts, &rows, from, "/review"))
        (folders(texts, "review.matches", matches.iter().map(|id| (id.to_string(), format!("matches/{}", id.in_address())))))
        (folders(texts, "review.selfplay", runs.iter().map(|name| (name.to_string(), format!("runs/{}", name.in_address())))))
    };
    let title = texts.text("page.review");
    Ok(page(
        texts,
        Page { title, part: "/review", body, script: Some("upload.js"), texts: &["upload"], data: None },
    ))
}

/// The games of a match.
pub(super) async fn show_match(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
    Query(ListQuery { from }): Query<ListQuery>,
) -> Result<Html<String>, PageError> {
    let id = MatchId::try_from(id).map_err(|_| PageError::missing(texts))?;
    let place = format!("/review/matches/{}", id.in_address());
    let title = id.to_string();
    let look = move || {
        let records = sources::of_match(&state.folders, &id)?;
        let row = |record: Record| Row::of(GameLocation::Match(id.clone(), record.number), record);
        Ok(records.into_iter().map(row).collect::<Vec<_>>())
    };
    let rows = blocking(texts, look).await?;
    if rows.is_empty() {
        return Err(PageError::missing(texts));
    }
    let body = html! { (explore::link(texts, &place)) (list(texts, &rows, from, &place)) };
    Ok(below(texts, &title, body))
}

/// The generations of a run.
pub(super) async fn show_run(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(name): extract::Path<String>,
) -> Result<Html<String>, PageError> {
    let name = FolderName::try_from(name).map_err(|_| PageError::missing(texts))?;
    let title = name.to_string();
    let look = move || Ok(Run::open(&state.folders, &name).map(|run| (sources::generations(&run), name)));
    let (generations, name) = blocking(texts, look).await?.ok_or_else(|| PageError::missing(texts))?;
    let body = html! {
        @if !generations.is_empty() { (explore::link(texts, &format!("/review/runs/{}", name.in_address()))) }
        ul.generations {
            @for generation in generations {
                li {
                    a href=(format!("/review/runs/{name}/{generation}")) {
                        (texts.fill("review.generation", &[("generation", &generation.to_string())]))
                    }
                }
            }
        }
    };
    Ok(below(texts, &title, body))
}

/// The games of a generation.
pub(super) async fn show_generation(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path((name, generation)): extract::Path<(String, u32)>,
    Query(ListQuery { from }): Query<ListQuery>,
) -> Result<Html<String>, PageError> {
    let name = FolderName::try_from(name).map_err(|_| PageError::missing(texts))?;
    let place = format!("/review/runs/{name}/{generation}");
    let words = texts.fill("review.generation", &[("generation", &generation.to_string())]);
    let title = format!("{name}: {words}");
    let look = move || {
        let records = sources::of_generation(&state.folders, &name, generation)?;
        let row =
            |record: Record| Row::of(GameLocation::SelfPlay(name.clone(), generation, record.number), record);
        Ok(records.into_iter().map(row).collect::<Vec<_>>())
    };
    let rows = blocking(texts, look).await?;
    if rows.is_empty() {
        return Err(PageError::missing(texts));
    }
    Ok(below(texts, &title, list(texts, &rows, from, &place)))
}

/// A list by itself.
fn below(texts: Texts, title: &str, list: Markup) -> Html<String> {
    let body = html! { (list) p { a href="/review" { (texts.text("review.back")) } } };
    page(texts, Page { title, part: "/review", body, ..Page::default() })
}

/// Where a file is brought.
fn upload(texts: Texts) -> Markup {
    html! {
        form #upload.upload {
            label for="file" { (texts.text("review.bring")) }
            input #file type="file" accept=".pgn,.kif,.kifu,.ki2,.ki2u,.csa,.gib,.usi,.wxf,.ubb,.json,.txt";
            select #game aria-label=(texts.text("review.game")) {
                option value="" { (texts.text("review.as_it_says")) }
                @for game in GameId::ALL { option value=(game) { (texts.game(game)) } }
            }
            p.hint { (texts.fill("review.formats", &[("size", MOST_UPLOADED)])) }
            p #uploaded role="status" {}
        }
    }
}

/// The way to the games of folders, by their names and addresses; nothing where there are none.
fn folders(texts: Texts, heading: &str, folders: impl ExactSizeIterator<Item = (String, String)>) -> Markup {
    html! {
        @if folders.len() > 0 {
            h2 { (texts.text(heading)) }
            ul { @for (name, address) in folders { li { a href=(format!("/review/{address}")) { (name) } } } }
        }
    }
}

fn list(texts: Texts, rows: &[Row], from: usize, place: &str) -> Markup {
    let shown = rows.iter().skip(from).take(LISTED);
    html! {
        @if rows.is_empty() { p.hint { (texts.text("review.none")) } } @else {
            div.scroll {
                table.games {
                    thead {
                        tr {
                            th { (texts.text("review.game")) }
                            th { (texts.text("review.first")) }
                            th { (texts.text("review.second")) }
                            th { (texts.text("review.result")) }
                            th.number { (texts.text("review.plies")) }
                            th {}
                        }
                    }
                    tbody { @for row in shown { (tell(texts, row)) } }
                }
            }
            p {
                @if from > 0 {
                    a href=(format!("{place}?from={}", from.saturating_sub(LISTED))) { (texts.text("review.newer")) } " "
                }
                @if rows.len() > from.saturating_add(LISTED) {
                    a href=(format!("{place}?from={}", from + LISTED)) { (texts.text("review.more")) }
                }
            }
        }
    }
}

fn tell(texts: Texts, row: &Row) -> Markup {
    let [first, second] = row.players.each_ref().map(|name| names::player(texts, name));
    html! {
        tr {
            td { (texts.game(row.game)) }
            td { (first) }
            td { (second) }
            td { (ending(texts, row.outcome)) }
            td.number { (row.plies) }
            td { a href=(row.source.address()) { (texts.text("review.look")) } }
        }
    }
}

/// How a game ended, in words.
pub(super) fn ending(texts: Texts, outcome: Option<Outcome>) -> String {
    let Some(Outcome { verdict, reason, .. }) = outcome else { return texts.text("review.open").to_owned() };
    let result = match verdict {
        Verdict::Draw => "½–½",
        Verdict::Win(_) => verdict.as_str(),
    };
    let reason = texts.reason(reason);
    format!("{result} ({reason})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::serve::texts::Language, games::records::Format};

    #[test]
    fn the_files_that_are_offered_are_read_and_named() {
        for language in Language::ALL {
            let shown = upload(Texts::new(language)).into_string();
            let (_, accepted) = shown.split_once("accept=\"").expect("endings");
            let ends: Vec<&str> = accepted.split('"').next().unwrap_or_default().split(',').collect();
            for format in Format::ALL {
                assert!(ends.contains(&format!(".{}", format.end()).as_str()), "{format:?} in {ends:?}");
            }
            // A game that was saved, and any format by what stands in it.
            for end in ends.iter().filter(|end| ![".json", ".txt"].contains(end)) {
                assert!(Format::of(&format!("game{end}"), b"").is_some(), "{end}");
            }
            for name in ["PGN", "KIF", "KI2", "CSA", ".gib", "USI", ".wxf", ".ubb"] {
                assert!(shown.contains(name), "{name} in {language:?}: {shown}");
            }
        }
    }
}
