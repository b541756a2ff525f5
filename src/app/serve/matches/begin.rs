//! How a match or a ladder is begun.

use std::sync::Arc;

use axum::{
    Form,
    extract::State,
    response::{IntoResponse, Redirect, Response},
};

use super::{PART, forms::Filled, list, order::MatchOrder};
use crate::app::serve::{
    error::PageError,
    folders::BadName,
    state::{self, SharedState, blocking},
    texts::Texts,
};

/// Starts a match, or shows the forms again with what is wrong.
pub(super) async fn start_match(
    State(state): SharedState,
    texts: Texts,
    Form(filled): Form<Filled>,
) -> Result<Response, PageError> {
    let order = move |filled: &Filled, state: &state::ServerState| {
        let (order, game) = filled.a_match(texts, state)?;
        Ok((order, game.to_string()))
    };
    start(texts, state, filled, order).await
}

/// Starts a ladder, or shows the forms again with what is wrong.
pub(super) async fn start_ladder(
    State(state): SharedState,
    texts: Texts,
    Form(filled): Form<Filled>,
) -> Result<Response, PageError> {
    let order = move |filled: &Filled, state: &state::ServerState| {
        let (order, run) = filled.a_ladder(texts, state)?;
        Ok((order, format!("{run}-ladder")))
    };
    start(texts, state, filled, order).await
}

/// Begins what `order` makes of the form, in a folder whose name begins as it says.
async fn start(
    texts: Texts,
    state: Arc<state::ServerState>,
    filled: Filled,
    order: impl FnOnce(&Filled, &state::ServerState) -> Result<(MatchOrder, String), String> + Send + 'static,
) -> Result<Response, PageError> {
    blocking(texts, move || {
        let ordered = order(&filled, &state).and_then(|(order, name)| {
            let order = order.permit(&state.engines).map_err(|forbidden| forbidden.words(texts))?;
            Ok((order, name))
        });
        Ok(match ordered {
            Ok((order, name)) => match order.begin(&state, &name) {
                Ok(name) => Redirect::to(&format!("{PART}/{}", name.in_address())).into_response(),
                // That of the run is too long for the ladder's to begin with it.
                Err(error) if error.is::<BadName>() => PageError::refused(texts, error).into_response(),
                Err(error) => return Err(error),
            },
            Err(words) => list::page_of(texts, &state, &filled, Some(&words)).into_response(),
        })
    })
    .await
}
