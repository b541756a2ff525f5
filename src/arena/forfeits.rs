//! Games that a crash, a hang or an illegal move decided: they are counted apart, since they say nothing of strength.

use serde::Serialize;

use super::MatchGame;

/// How many games a crash, a hang (a loss on time) or an illegal move decided, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forfeits {
    /// Games that the other player lost so.
    pub wins: u32,
    /// Games that the first player lost so.
    pub losses: u32,
}

impl Forfeits {
    /// Those among `games`, from the view of `player`.
    pub fn of<'a>(player: &str, games: impl IntoIterator<Item = &'a MatchGame>) -> Self {
        let mut forfeits = Forfeits::default();
        for loser in games.into_iter().filter_map(MatchGame::forfeiter) {
            let count = if loser == player { &mut forfeits.losses } else { &mut forfeits.wins };
            *count += 1;
        }
        forfeits
    }

    /// All of them.
    pub fn total(self) -> u32 {
        self.wins + self.losses
    }

    /// What to say beside a figure of strength that rests on `games` games; `None` where the board decided them all.
    pub fn warning(self, games: u32) -> Option<String> {
        let total = self.total();
        (total > 0).then(|| {
            format!(
                "{total} of {games} games were decided by a crash, a hang or an illegal move: they count as won and lost, \
                 but say nothing of strength"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{Reason, Side, Verdict};

    fn game(result: Verdict, reason: Reason) -> MatchGame {
        let text = r#"{"number":0,"opening":"","first":"a","second":"b","start":"","moves":"","result":"1-0",
            "reason":"crash","seconds":[0,0]}"#;
        let game: MatchGame = serde_json::from_str(text).expect("a game");
        MatchGame { result, reason, ..game }
    }

    #[test]
    fn only_what_the_board_did_not_decide_is_counted() {
        use Reason::{Checkmate, Crash, IllegalMove, Repetition, Resignation, Timeout};
        let [won, lost] = [Side::First, Side::Second].map(Verdict::Win);
        let games = [
            game(won, Crash),
            game(won, Timeout),
            game(lost, IllegalMove),
            game(won, Checkmate),
            game(lost, Resignation),
            game(Verdict::Draw, Repetition),
        ];
        let forfeits = Forfeits::of("a", &games);
        assert_eq!(forfeits, Forfeits { wins: 2, losses: 1 });
        assert_eq!(Forfeits::of("b", &games), Forfeits { wins: 1, losses: 2 });
        assert!(forfeits.warning(6).is_some_and(|text| text.starts_with("3 of 6 games ")));
        assert_eq!(Forfeits::of("a", &games[3..]).warning(3), None);
    }
}
