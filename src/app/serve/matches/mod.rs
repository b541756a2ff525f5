//! *Matches*: who is stronger, by games between nets, yardsticks and other engines.
//!
//! A match or a ladder is a folder, as `sanki match --out` and `sanki ladder --out` make it: `folder` reads it, `order`
//! starts them and keeps what was ordered, `list` and `forms` show what there is and ask for more, `one` shows one of
//! them as it goes on.

mod begin;
mod detail;
mod folder;
mod forms;
mod list;
mod order;
mod players;
mod score;
mod summary;

use std::sync::Arc;

use axum::{
    Router,
    routing::{get, post},
};

use super::state::ServerState;

/// Where its pages are.
const PART: &str = "/contests";

/// Its addresses.
pub(super) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/contests", get(list::show))
        .route("/contests/match", post(begin::start_match))
        .route("/contests/ladder", post(begin::start_ladder))
        .route("/contests/{id}", get(detail::show))
        .route("/contests/{id}/events", get(detail::events))
        .route("/contests/{id}/report", get(detail::report))
        .route("/contests/{id}/stop", post(detail::stop))
        .route("/contests/{id}/go-on", post(detail::go_on))
}
