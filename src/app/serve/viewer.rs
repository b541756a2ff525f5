//! A game that is looked at: its board, its moves, what a net says of them, and its downloads.

use anyhow::{Context, Result};
use axum::{
    extract::{self, Query},
    http::header,
    response::{Html, IntoResponse, Response},
};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::{
    error::PageError,
    folders::{FolderName, MatchId},
    layout::{Page, page},
    names,
    nets::Net,
    play::{self, WorkerAddresses},
    review::ending,
    sources::GameLocation,
    state::{SharedState, blocking},
    texts::{Language, Texts},
};
use crate::{
    app::web::{self, GameData, PageWords},
    arena::analysis::{ACCURACY, MISSED_WIN, NOISE, TURNING_POINTS},
    games::{
        notation::{Notate, style_in, write},
        records::{Encoding, Format, Record},
        rules::{Outcome, Reason, Verdict},
    },
    with_game,
};

/// What the scripts read.
#[derive(Serialize)]
struct Data {
    #[serde(flatten)]
    game: GameData,
    #[serde(flatten)]
    link: WorkerAddresses,
    start: String,
    moves: Vec<String>,
    /// The moves as players write them.
    written: Vec<String>,
    /// The start, and what each move led to.
    positions: Vec<Position>,
    outcome: Option<End>,
    judging: Judging,
}

/// By which figures the scripts judge a game: those of `src/arena/analysis`.
#[derive(Serialize)]
struct Judging {
    noise: f32,
    turning_points: usize,
    missed_win: [f32; 2],
    accuracy: [f32; 3],
}

/// A position, as the module tells it, without what only playing needs.
#[derive(Debug, Serialize)]
struct Position {
    fen: String,
    turn: usize,
    check: bool,
}

/// A result, as the module tells it.
#[derive(Serialize)]
struct End {
    winner: Option<usize>,
    reason: Reason,
    points: Option<[f32; 2]>,
}

impl From<Outcome> for End {
    fn from(Outcome { verdict, reason, points }: Outcome) -> Self {
        let winner = match verdict {
            Verdict::Win(side) => Some(side.index()),
            Verdict::Draw => None,
        };
        End { winner, reason, points }
    }
}

/// What an address may ask for instead of the page.
#[derive(Deserialize)]
pub(super) struct ViewQuery {
    #[serde(rename = "as")]
    format: Option<String>,
}

/// One's own game.
pub(super) async fn own(
    state: SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
    Query(wish): Query<ViewQuery>,
) -> Result<Response, PageError> {
    let id = FolderName::try_from(id).map_err(|_| PageError::missing(texts))?;
    answer(state, texts, GameLocation::Own(id), wish).await
}

/// A game of a match.
pub(super) async fn of_match(
    state: SharedState,
    texts: Texts,
    extract::Path((id, number)): extract::Path<(String, u32)>,
    Query(wish): Query<ViewQuery>,
) -> Result<Response, PageError> {
    let id = MatchId::try_from(id).map_err(|_| PageError::missing(texts))?;
    answer(state, texts, GameLocation::Match(id, number), wish).await
}

/// A game of self-play.
pub(super) async fn of_run(
    state: SharedState,
    texts: Texts,
    extract::Path((name, generation, number)): extract::Path<(String, u32, u32)>,
    Query(wish): Query<ViewQuery>,
) -> Result<Response, PageError> {
    let name = FolderName::try_from(name).map_err(|_| PageError::missing(texts))?;
    answer(state, texts, GameLocation::SelfPlay(name, generation, number), wish).await
}

async fn answer(
    extract::State(state): SharedState,
    texts: Texts,
    source: GameLocation,
    wish: ViewQuery,
) -> Result<Response, PageError> {
    let format = match wish.format {
        Some(end) => {
            let known = Format::ALL.into_iter().find(|format| format.end() == end);
            Some(known.ok_or_else(|| PageError::missing(texts))?)
        }
        None => None,
    };
    let look = move || {
        let Some(record) = source.record(&state.folders)? else { return Ok(None) };
        if format.is_some_and(|format| !format.games().contains(&record.game)) {
            return Ok(None);
        }
        let nets = play::of_game(&state.folders, record.game);
        Ok(Some(match format {
            Some(format) => file(format, &record)?,
            None => screen(texts, &source, record, &nets)?.into_response(),
        }))
    };
    blocking(texts, look).await?.ok_or_else(|| PageError::missing(texts))
}

/// The game as a file of a format that it can have.
fn file(format: Format, record: &Record) -> Result<Response> {
    let encoding = format.encoding();
    let kind = match encoding {
        Encoding::Utf8 => "text/plain; charset=utf-8",
        Encoding::ShiftJis => "text/plain; charset=shift_jis",
        Encoding::Cp949 => "text/plain; charset=euc-kr",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, "attachment")];
    let (bytes, _) = encoding.encode(&format.write(record)?);
    Ok((headers, bytes).into_response())
}

/// A record played again.
struct Replayed {
    /// The start, and what each move led to.
    positions: Vec<Position>,
    /// The moves as the rules write them, however the record does.
    moves: Vec<String>,
    /// The moves as players write them.
    written: Vec<String>,
}

fn replay<G: Notate>(record: &Record, language: Language) -> Result<Replayed> {
    let mut game = G::from_fen(record.rules, &record.start).context("the start")?;
    let style = style_in::<G>(language.code());
    let tell =
        |game: &G| Position { fen: game.fen(), turn: game.side_to_move().index(), check: game.is_check() };
    let (mut positions, mut moves, mut written) = (vec![tell(&game)], Vec::new(), Vec::new());
    let mut last = None;
    for (text, number) in record.moves.iter().zip(1..) {
        let mv = game.parse_move(text).with_context(|| format!("move {number}"))?;
        moves.push(mv.to_string());
        written.push(write(&game, last, mv, style));
        game.play(mv);
        last = Some(mv);
        positions.push(tell(&game));
    }
    Ok(Replayed { positions, moves, written })
}

fn screen(texts: Texts, source: &GameLocation, record: Record, nets: &[Net]) -> Result<Html<String>> {
    let Replayed { positions, moves, written } =
        with_game!(record.game, G => replay::<G>(&record, texts.language()))?;
    let words = texts.for_playing();
    let [first, second] = record.players.each_ref().map(|name| names::player(texts, name));
    let title = format!("{first} – {second}");
    let rules = texts.rules(record.rules);
    let body = html! {
        div.play.review {
            p {
                (ending(texts, record.outcome)) " · " (rules)
                @if let Some(opening) = &record.opening { " · " (opening) }
            }
            div #table {
                div { (web::place()) (steps(texts)) }
                div.side {
                    (judging(texts, nets))
                    h2 { (texts.text("play.moves")) }
                    ol #moves {}
                    (downloads(texts, source, &record))
                }
            }
            (web::promotion(&words))
        }
    };
    let data = Data {
        game: GameData::new(record.game, record.rules, texts.language().code()),
        link: WorkerAddresses::lazy(),
        start: record.start,
        moves,
        written,
        positions,
        outcome: record.outcome.map(End::from),
        judging: Judging {
            noise: NOISE,
            turning_points: TURNING_POINTS,
            missed_win: MISSED_WIN,
            accuracy: ACCURACY,
        },
    };
    let mut sections = PageWords::SECTIONS.to_vec();
    sections.push("judge");
    let data = serde_json::to_value(data).context("the game does not serialise")?;
    Ok(page(
        texts,
        Page {
            title: &title,
            part: "/review",
            body,
            script: Some("review.js"),
            texts: &sections,
            data: Some(data),
        },
    ))
}

/// The ways through the game, and the way out of it.
fn steps(texts: Texts) -> Markup {
    let step = |id: &str, sign: &str, key: &str| {
        html! { button type="button" data-step=(id) aria-label=(texts.text(key)) { (sign) } }
    };
    html! {
        div.steps {
            (step("first", "«", "judge.to_start"))
            (step("back", "‹", "judge.back"))
            input #ply type="range" min="0" value="0" aria-label=(texts.text("judge.ply"));
            (step("forward", "›", "judge.forward"))
            (step("last", "»", "judge.to_end"))
        }
        div.actions {
            button type="button" #try disabled { (texts.text("judge.try_here")) }
            button type="button" #undo hidden { (texts.text("play.undo")) }
            button type="button" #pass hidden { (texts.text("play.pass")) }
            button type="button" #leave hidden { (texts.text("judge.leave")) }
            button type="button" #flip { (texts.text("play.flip")) }
        }
    }
}

/// What a net says of the game.
fn judging(texts: Texts, nets: &[Net]) -> Markup {
    const EFFORTS: [u32; 4] = [50, 200, 800, 3000];
    html! {
        form #judge {
            h2 { (texts.text("judge.heading")) }
            @if nets.is_empty() { p.hint { (texts.text("play.no_net")) } } @else {
                label {
                    span { (texts.text("judge.net")) }
                    select #net {
                        @for net in nets {
                            option value=(net.id.file()) { (play::name(texts, net)) }
                        }
                    }
                }
                label {
                    span { (texts.text("judge.effort")) }
                    select #effort {
                        @for effort in EFFORTS { option value=(effort) selected[effort == 200] { (effort) } }
                    }
                }
                div.actions {
                    button type="submit" #begin { (texts.text("judge.begin")) }
                    button type="button" #stop hidden { (texts.text("judge.stop")) }
                }
            }
            p.hint #progress role="status" {}
            figure #curve hidden {}
            div #accuracy {}
            div #turning {}
            div #missed {}
        }
    }
}

/// The game as files, in its own formats.
fn downloads(texts: Texts, source: &GameLocation, record: &Record) -> Markup {
    let formats = Format::ALL.into_iter().filter(|format| format.games().contains(&record.game));
    html! {
        h2 { (texts.text("judge.download")) }
        p {
            @for format in formats {
                a href=(format!("{}?as={}", source.address(), format.end()))
                    download=(format!("{}.{}", source.file_name(), format.end())) {
                    (format.end().to_uppercase())
                }
                " "
            }
            @if let GameLocation::Own(id) = source {
                a href=(format!("/games/{id}")) download=(format!("{id}.json")) { "JSON" }
                " · "
                a href=(format!("/play/{id}")) { (texts.text("judge.play_on")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{records::Given, rules::GameId};

    #[test]
    fn a_record_is_shown_with_the_moves_of_its_players() {
        let text = "position startpos moves 7g7f 3c3d 8h2b+\n";
        let record = Format::Usi.read(text, Given::default()).unwrap().remove(0);
        let written =
            |language| with_game!(record.game, G => replay::<G>(&record, language)).unwrap().written;
        assert_eq!(written(Language::Japanese).len(), 3);
        assert!(written(Language::Japanese)[0].contains('歩'), "{:?}", written(Language::Japanese));
        assert!(written(Language::English)[0].is_ascii() && written(Language::Korean)[0].is_ascii());
        let bad = Record { moves: vec!["a1a9".to_owned()], ..record };
        assert!(with_game!(bad.game, G => replay::<G>(&bad, Language::English)).is_err());
    }

    #[test]
    fn a_script_reads_the_moves_as_the_rules_write_them() {
        let record = Record {
            game: GameId::Janggi,
            rules: GameId::Janggi.rule_sets()[0],
            number: 1,
            opening: None,
            tags: Vec::new(),
            players: ["a".to_owned(), "b".to_owned()],
            start: "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1".to_owned(),
            moves: ["a4b4", "pass"].map(str::to_owned).to_vec(),
            outcome: None,
        };
        let replayed = with_game!(record.game, G => replay::<G>(&record, Language::English)).unwrap();
        assert_eq!(replayed.moves, ["a4b4", "e9e9"]);
    }

    #[test]
    fn a_players_name_adds_nothing_to_a_file() {
        let record = Format::Usi.read("position startpos moves 7g7f\n", Given::default()).unwrap().remove(0);
        let evil = Record { players: ["a\n%TORYO".to_owned(), "b".to_owned()], ..record };
        assert_eq!(
            Format::Csa.read(&Format::Csa.write(&evil).unwrap(), Given::default()).unwrap()[0].moves.len(),
            1
        );
        assert!(Format::Kif.write(&evil).unwrap().lines().all(|line| !line.starts_with('%')));
    }
}
