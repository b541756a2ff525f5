//! *Openings*: what was played in the games of a match or a run, position by position, and how those games ended.

use std::collections::HashMap;

use axum::{
    extract::{self, Query},
    response::Html,
};
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    error::PageError,
    folders::{FolderName, MatchId},
    layout::{Page, faces_choice, page},
    runs::Run,
    sources,
    state::{SharedState, found},
    texts::Texts,
};
use crate::{
    app::report::BoardData,
    arena::{Endings, Explorer},
    games::{
        book::position_key,
        notation::{Notate, style_in, write, write_line},
        records::Record,
        rules::{Game, Side},
    },
    with_game,
};

/// Plies of each game that count.
const PLIES: usize = 60;
/// Games of a run, at most: the newest.
const MOST_GAMES: usize = 2000;
/// Starts that are offered, at most: matches begin at many.
const MOST_STARTS: usize = 50;

/// Where in the games.
#[derive(Deserialize)]
pub(super) struct PlaceQuery {
    /// The start, as a FEN; the one of most games without it.
    start: Option<String>,
    /// The moves since then, with spaces between.
    #[serde(default)]
    moves: String,
}

/// Of a match or a ladder.
pub(super) async fn of_match(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
    Query(query): Query<PlaceQuery>,
) -> Result<Html<String>, PageError> {
    let id = MatchId::try_from(id).map_err(|_| PageError::missing(texts))?;
    let home = format!("/review/matches/{}", id.in_address());
    let title = id.to_string();
    let look = move || {
        let records = sources::of_match(&state.folders, &id)?;
        Ok(Source { title, home, records }.screen(texts, &query))
    };
    found(texts, look).await
}

/// Of the newest games of a run.
pub(super) async fn of_run(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(name): extract::Path<String>,
    Query(query): Query<PlaceQuery>,
) -> Result<Html<String>, PageError> {
    let name = FolderName::try_from(name).map_err(|_| PageError::missing(texts))?;
    let home = format!("/review/runs/{}", name.in_address());
    let title = name.to_string();
    let look = move || {
        let Some(run) = Run::open(&state.folders, &name) else { return Ok(None) };
        let mut records = Vec::new();
        for generation in sources::generations(&run) {
            if records.len() >= MOST_GAMES {
                break;
            }
            records.extend(sources::of_generation(&state.folders, &name, generation)?);
        }
        records.truncate(MOST_GAMES);
        Ok(Source { title, home, records }.screen(texts, &query))
    };
    found(texts, look).await
}

/// The way to the openings of games that are listed at `home`.
pub(super) fn link(texts: Texts, home: &str) -> Markup {
    html! { p { a href=(format!("{home}/openings")) { (texts.text("openings.title")) } } }
}

/// Games, all of one kind.
struct Source {
    title: String,
    /// Where they are listed.
    home: String,
    records: Vec<Record>,
}

impl Source {
    /// The screen of a place in the games; `None` where there are no games or no such place.
    fn screen(&self, texts: Texts, query: &PlaceQuery) -> Option<Html<String>> {
        let game = self.records.first()?.game;
        with_game!(game, G => self.screen_of::<G>(texts, query))
    }

    fn screen_of<G: Notate>(&self, texts: Texts, query: &PlaceQuery) -> Option<Html<String>> {
        let starts = self.starts();
        let start = query.start.as_deref().or(starts.first().map(|(fen, _)| *fen))?;
        let place = Place::<G>::follow(self.records.first()?, start, &query.moves)?;
        let mut explorer = Explorer::<G>::default();
        // A game that cannot be played again is left out: its own page says what is wrong.
        self.records.iter().for_each(|record| _ = explorer.add_record(record, PLIES));
        let rows = place.rows(&explorer, texts, |moves| self.address(start, moves));
        let body = html! {
            div.play.review.openings {
                p.hint { (texts.fill("openings.about", &[("games", &explorer.games().to_string())])) }
                @if starts.len() > 1 { (self.choice(texts, &starts, start)) }
                (self.way(texts, start, &place))
                div #table {
                    div { div #board.board {} (faces_choice(texts)) }
                    div.side { (table(texts, &rows)) }
                }
                p { a href=(self.home) { (texts.text("openings.back")) } }
            }
        };
        let data = json!({
            "board": BoardData::of(G::ID).labelled(style_in::<G>(texts.language().code())),
            "fen": place.game.fen(),
            "turn": place.game.side_to_move().index(),
            "moves": rows,
        });
        let title = format!("{}: {}", texts.text("openings.title"), self.title);
        let sections = ["board", "pieces"];
        let script = Some("openings.js");
        Some(page(
            texts,
            Page { title: &title, part: "/review", body, script, texts: &sections, data: Some(data) },
        ))
    }

    /// Where the games begin, and how many each, that of most games first.
    fn starts(&self) -> Vec<(&str, u32)> {
        let mut counts: HashMap<String, (&str, u32)> = HashMap::new();
        for record in &self.records {
            counts.entry(position_key(&record.start)).or_insert((&record.start, 0)).1 += 1;
        }
        let mut starts: Vec<_> = counts.into_values().collect();
        starts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        starts.truncate(MOST_STARTS);
        starts
    }

    /// The address of the place behind `moves`.
    fn address(&self, start: &str, moves: &[String]) -> String {
        let part = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        format!("{}/openings?start={}&moves={}", self.home, part(start), part(&moves.join(" ")))
    }

    /// The starts to choose from.
    fn choice(&self, texts: Texts, starts: &[(&str, u32)], start: &str) -> Markup {
        html! {
            form method="get" {
                label {
                    span { (texts.text("openings.start")) }
                    " "
                    select name="start" {
                        @for (fen, games) in starts {
                            option value=(fen) selected[*fen == start] { (position_key(fen)) " (" (games) ")" }
                        }
                    }
                }
                " "
                button type="submit" { (texts.text("openings.go")) }
            }
        }
    }

    /// The moves so far, each a way back.
    fn way<G: Notate>(&self, texts: Texts, start: &str, place: &Place<G>) -> Markup {
        let written = place.written(texts);
        html! {
            nav.way aria-label=(texts.text("openings.way")) {
                a href=(self.address(start, &[])) { (texts.text("openings.start")) }
                @for (number, text) in written.iter().enumerate() {
                    " › "
                    a href=(self.address(start, &place.texts[..=number]))
                        aria-current=[(number + 1 == written.len()).then_some("step")] { (text) }
                }
            }
        }
    }
}

/// A position on the way through the games.
struct Place<G: Game> {
    start: G,
    moves: Vec<G::Move>,
    /// The moves as addresses have them.
    texts: Vec<String>,
    game: G,
}

impl<G: Notate> Place<G> {
    /// Plays `moves` from `start` under the rules of `record`. `None` where that cannot be.
    fn follow(record: &Record, start: &str, moves: &str) -> Option<Self> {
        let start = G::from_fen(record.rules, start).ok()?;
        let (mut game, mut played, mut texts) = (start.clone(), Vec::new(), Vec::new());
        for text in moves.split_ascii_whitespace().take(PLIES) {
            let mv = game.parse_move(text).ok()?;
            game.play(mv);
            played.push(mv);
            texts.push(mv.to_string());
        }
        Some(Place { start, moves: played, texts, game })
    }

    /// The moves so far, as players write them.
    fn written(&self, texts: Texts) -> Vec<String> {
        write_line(&self.start, None, &self.moves, style_in::<G>(texts.language().code()))
    }

    /// What was played here.
    fn rows(&self, explorer: &Explorer<G>, texts: Texts, address: impl Fn(&[String]) -> String) -> Vec<Row> {
        let played = explorer.moves(&self.game);
        let here: u32 = played.iter().map(|(_, endings)| endings.games()).sum();
        let style = style_in::<G>(texts.language().code());
        let side = self.game.side_to_move();
        let row = |(mv, endings): (G::Move, Endings)| {
            let way = [&self.texts[..], &[mv.to_string()]].concat();
            Row {
                mv: mv.to_string(),
                written: write(&self.game, self.moves.last().copied(), mv, style),
                address: address(&way),
                games: endings.games(),
                share: f64::from(endings.games()) / f64::from(here),
                ending: Shares::of(endings, side),
            }
        };
        played.into_iter().map(row).collect()
    }
}

/// A move that was played: what the script reads, too.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip)]
    written: String,
    /// Of the position behind it.
    address: String,
    #[serde(skip)]
    games: u32,
    /// Of the games that came here.
    share: f64,
    #[serde(skip)]
    ending: Option<Shares>,
}

/// How games ended for the side that moves, of those with a result; the score counts a draw one half.
struct Shares {
    won: f64,
    drawn: f64,
    lost: f64,
    score: f64,
}

impl Shares {
    fn of(endings: Endings, side: Side) -> Option<Self> {
        let score = endings.score(side)?;
        let share = |part: u32| f64::from(part) / f64::from(endings.decided());
        let [won, lost] = [side, !side].map(|side| share(endings.wins[side.index()]));
        Some(Shares { won, drawn: share(endings.draws), lost, score })
    }
}

fn table(texts: Texts, rows: &[Row]) -> Markup {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    html! {
        @if rows.is_empty() { p { (texts.text("openings.none")) } } @else {
            div.scroll {
                table.games {
                    thead {
                        tr {
                            th { (texts.text("openings.move")) }
                            @for key in ["games", "share", "won", "drawn", "lost", "score"] {
                                th.number { (texts.text(&format!("openings.{key}"))) }
                            }
                        }
                    }
                    tbody {
                        @for row in rows {
                            tr {
                                td { a href=(row.address) { (row.written) } }
                                td.number { (row.games) }
                                td.number { (percent(row.share)) }
                                @match &row.ending {
                                    Some(Shares { won, drawn, lost, score }) => {
                                        @for share in [won, drawn, lost, score] { td.number { (percent(*share)) } }
                                    }
                                    None => { @for _ in 0..4 { td.number { "–" } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::serve::texts::Language,
        games::records::{Format, Given},
    };

    fn source() -> Source {
        let games = "position startpos moves 7g7f 3c3d 8h2b+\nposition startpos moves 2g2f 3c3d\n\
                     position startpos moves 7g7f 8c8d\n";
        let records = Format::Usi.read(games, Given::default()).unwrap();
        Source { title: "m".to_owned(), home: "/review/matches/m".to_owned(), records }
    }

    fn screen(start: Option<&str>, moves: &str) -> Option<String> {
        let query = PlaceQuery { start: start.map(str::to_owned), moves: moves.to_owned() };
        source().screen(Texts::new(Language::Japanese), &query).map(|Html(text)| text)
    }

    #[test]
    fn a_place_shows_what_was_played_there_and_the_way_to_it() {
        let start = screen(None, "").expect("there are games");
        assert!(start.contains("3局"), "{start}");
        let links: Vec<&str> = start.matches("openings?start=").collect();
        assert_eq!(links.len(), 3 + 2, "the start, two moves, and both in the data");
        assert!(start.contains("66.7%") && start.contains("moves=c3c4"), "{start}");
        let later = screen(None, "c3c4").expect("it was played");
        assert!(later.contains("50.0%") && later.contains("aria-current=\"step\""), "{later}");
        let end = screen(None, "c3c4 g7g6 b2h8+").expect("a legal way");
        assert!(end.contains(Texts::new(Language::Japanese).text("openings.none")));
    }

    #[test]
    fn what_is_no_place_is_missing() {
        assert_eq!(screen(None, "a1a9"), None);
        assert_eq!(screen(Some("<b>"), ""), None);
        let nothing = Source { records: Vec::new(), ..source() };
        let query = PlaceQuery { start: None, moves: String::new() };
        assert!(nothing.screen(Texts::new(Language::English), &query).is_none());
    }
}
