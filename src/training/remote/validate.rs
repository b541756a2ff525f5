//! What a message of a worker is worth.

use async_nats::{HeaderMap, jetstream::Message};

use super::{
    check::{check_game, check_stats},
    ledger::Ledger,
    message::{ORDER, PLAYED_BY, unpack_game},
    names::worker_of,
    run_manifest::RunManifest,
};
use crate::{
    base::store::printable,
    games::encode::Encode,
    training::selfplay::{Plan, PlayedGame},
};

/// A message, judged.
pub enum Judged {
    /// Of an order that is not wanted any more, or of a worker that is shut out.
    Stale,
    /// A game that is there already.
    Twice,
    /// A game to learn from.
    Good { worker: String, game: Box<PlayedGame> },
    /// Something else.
    Bad { worker: String, number: Option<u32>, why: String },
}

/// Judges a message that was handed in for `order`.
pub fn judge<G: Encode>(
    message: &Message,
    plan: &Plan,
    order: &str,
    entry: &RunManifest,
    ledger: &Ledger,
    wants: &(impl Fn(u32) -> bool + Sync),
) -> Judged {
    // A subject that is no worker's cannot be told apart from others of the kind.
    let worker = worker_of(&message.subject).unwrap_or("nobody.without-a-name");
    if ledger.is_out(worker) || header(message, ORDER) != Some(order) {
        return Judged::Stale;
    }
    let bad = |number, error: anyhow::Error| {
        let why = printable(&format!("{error:#}")).into_owned();
        Judged::Bad { worker: worker.to_owned(), number, why }
    };
    let played_by = header(message, PLAYED_BY).unwrap_or("nobody");
    let expected = played_by_us(&entry.program, &entry.machine);
    if !entry.others && played_by != expected {
        return bad(None, anyhow::anyhow!("played by {played_by}, the run is {expected}"));
    }
    let game = match unpack_game(&message.payload, plan.config.max_plies) {
        Ok(game) => game,
        Err(error) => return bad(None, error),
    };
    let number = game.record.index;
    if number < plan.games && !wants(number) {
        return Judged::Twice;
    }
    match check_game::<G>(&game.record, plan).and_then(|()| check_stats(&game.stats)) {
        Ok(()) => Judged::Good { worker: worker.to_owned(), game: Box::new(game) },
        Err(error) => bad(Some(number), error),
    }
}

/// What stands in a header by which program and on which machine a game was played.
pub fn played_by_us(program: &str, machine: &str) -> String {
    format!("{program} on {machine}")
}

fn header<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    let headers: &HeaderMap = message.headers.as_ref()?;
    headers.get(name).map(|value| value.as_str())
}
