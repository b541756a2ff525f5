//! A match or a ladder in a few words.

use super::{folder::Contest, order::What, players::label};
use crate::app::serve::{processes::Activity, texts::Texts};

/// Who plays, in a few words.
pub(super) fn players(texts: Texts, contest: &Contest) -> String {
    let players = contest.settings.as_ref().map(|settings| &settings.players[..]);
    match (contest.order.as_ref().map(|order| &order.what), players) {
        (Some(What::Match { players: [a, b], .. }), _) => against(texts, a, b),
        // Behind its name a player has what tells it from others of that name.
        (None, Some([a, b])) => against(texts, first_word(a), first_word(b)),
        (Some(What::Ladder { .. }), None) => texts.text("contests.ladder").to_owned(),
        (_, Some(players)) => texts.fill("contests.ladder_of", &[("number", &players.len().to_string())]),
        (None, None) => String::new(),
    }
}

fn first_word(text: &str) -> &str {
    text.split_once(" generation ").map_or(text, |(name, _)| name)
}

fn against(texts: Texts, a: &str, b: &str) -> String {
    texts.fill("contests.against", &[("a", &label(texts, a)), ("b", &label(texts, b))])
}

/// What goes on in it, in a word; `games` are played.
pub(super) fn standing(texts: Texts, contest: &Contest, activity: &Activity, games: usize) -> &'static str {
    let wanted = contest.order.as_ref().map(|order| order.games.next_multiple_of(2) as usize);
    texts.text(match activity {
        Activity::Running => "contest.running",
        Activity::Starting => "contest.starting",
        Activity::Failed(_) => "contest.failed",
        Activity::Idle if wanted.is_some_and(|wanted| games < wanted) => "contest.stopped",
        Activity::Idle if wanted.is_none() && !contest.report().is_file() => "contest.stopped",
        Activity::Idle => "contest.done",
    })
}
