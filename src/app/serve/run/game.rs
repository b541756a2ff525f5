//! One game of self-play, to be watched.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use crate::{
    app::{
        report::replay,
        serve::{
            error::PageError,
            folders::FolderName,
            runs::Run,
            state::{SharedState, found},
            texts::Texts,
        },
    },
    games::rules::{Game, Move},
    training::selfplay::{self, GameRecord},
    with_game,
};

/// Which game is wanted.
#[derive(Deserialize)]
pub(in crate::app::serve) struct WatchQuery {
    /// Games that were watched before: the next one is another.
    #[serde(default)]
    watched: usize,
}

/// A game as the script steps through it.
#[derive(Serialize)]
pub(in crate::app::serve) struct Watched {
    /// The generation that it belongs to.
    generation: u32,
    /// The moves, with spaces between.
    moves: String,
    /// What each of them changed.
    changes: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    result: &'static str,
    /// The rule that decided it, in words.
    reason: String,
}

/// Gives a game of the newest generation that is finished; nothing where there is none yet.
pub(in crate::app::serve) async fn game(
    State(state): SharedState,
    texts: Texts,
    Path(name): Path<FolderName>,
    Query(WatchQuery { watched }): Query<WatchQuery>,
) -> Result<Response, PageError> {
    let game = move || {
        let Some(run) = Run::open(&state.folders, &name) else { return Ok(None) };
        let path = newest_records(&run);
        let games = path.map(|path| selfplay::read_sealed_of_any(&path)).transpose()?.unwrap_or_default();
        let count = games.len().max(1);
        games.get(watched % count).map(|game| watch(texts, game)).transpose().map(Some)
    };
    let game = found(texts, game).await?;
    Ok(game.map_or_else(|| StatusCode::NO_CONTENT.into_response(), |game| Json(game).into_response()))
}

/// The records of the newest generation that is finished.
fn newest_records(run: &Run) -> Option<PathBuf> {
    let newest = run.newest_report()?.generation;
    let folder = run.dir().records();
    let path = selfplay::sealed_path(&folder, newest);
    if path.is_file() {
        return Some(path);
    }
    // Older ones are removed when they are no longer learnt from.
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_file()).max()
}

fn watch(texts: Texts, game: &GameRecord) -> Result<Watched> {
    let outcome = game.outcome();
    let (moves, replayed) = with_game!(game.game, G => {
        let moves: Vec<String> =
            game.plies.iter().map(|ply| <G as Game>::Move::from_bits(ply.mv).to_string()).collect();
        let moves = moves.join(" ");
        let replayed = replay::<G>(game.rules, &game.start, &moves).context("a game of self-play")?;
        (moves, replayed)
    });
    Ok(Watched {
        generation: game.generation,
        moves,
        changes: replayed.changes,
        result: outcome.verdict.as_str(),
        reason: texts.reason(outcome.reason).to_owned(),
    })
}
