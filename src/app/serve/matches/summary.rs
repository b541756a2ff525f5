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

/// What goes on in it, in a word; `games` are played. What was begun in the terminal does not say how many are wanted.
pub(super) fn standing(texts: Texts, contest: &Contest, activity: &Activity, games: usize) -> &'static str {
    let wanted = contest.order.as_ref().map(|order| order.games.next_multiple_of(2) as usize);
    texts.text(match activity {
        Activity::Running => "contest.running",
        Activity::Starting => "contest.starting",
        Activity::Failed(_) => "contest.failed",
        Activity::Idle => match wanted {
            None => "contest.idle",
            Some(wanted) if games < wanted => "contest.stopped",
            Some(_) => "contest.done",
        },
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::app::serve::{
        folders::MatchId,
        matches::order::{MatchOrder, MoveBudget},
        texts::Language,
    };

    #[test]
    fn a_report_does_not_say_that_no_game_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let id = MatchId::try_from("one".to_owned()).unwrap();
        let mut contest = Contest { id, root: folder.path().into(), settings: None, order: None };
        let stands = |contest: &Contest, games| {
            standing(Texts::new(Language::English), contest, &Activity::Idle, games)
        };
        assert_eq!(stands(&contest, 100), "Not being played");
        // Ctrl-C in a terminal leaves one too.
        fs::write(contest.report(), "<!DOCTYPE html>").unwrap();
        assert_eq!(stands(&contest, 0), "Not being played");
        contest.order = Some(MatchOrder {
            what: What::Ladder { run: "runs/a".into() },
            budget: MoveBudget::Sims(1),
            games: 3,
            cores: 1,
        });
        assert_eq!([0, 3, 4].map(|games| stands(&contest, games)), ["Stopped", "Stopped", "Finished"]);
    }
}
