//! How a match or a ladder stands.

use std::collections::BTreeMap;

use crate::arena::{Conditions, Elo, Ladder, LadderConfig, Match, MatchConfig, MatchGame, Tally};

/// The player whose rating is 0 on a ladder.
const ANCHOR: &str = "uniform@sims=32";

/// How it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MatchScore {
    /// No game is over yet.
    None,
    /// Two players against each other, from the view of the first.
    Match {
        /// Their names.
        players: [String; 2],
        /// The results.
        tally: Tally,
        /// The difference.
        elo: Elo,
    },
    /// Many, the best first.
    Ladder(Vec<RankedPlayer>),
}

/// A player on a ladder.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RankedPlayer {
    /// Its name.
    pub(super) name: String,
    /// Its rating.
    pub(super) elo: Elo,
    /// Its games.
    pub(super) tally: Tally,
}

/// Settings that only count while games are played.
const CONDITIONS: Conditions = Conditions { max_plies: 1, seed: 0, threads: 1 };

impl MatchScore {
    /// What `games` come to. `first` is how the first player's description begins where it is known.
    pub(super) fn of(games: &BTreeMap<u32, MatchGame>, first: Option<&str>) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in games.values().flat_map(|game| [&game.first, &game.second]) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        match &mut names[..] {
            [] | [_] => MatchScore::None,
            [a, b] => {
                // A description is the name, and perhaps a space and what tells it from others of that name.
                if first.is_some_and(|first| is_of(first, b) && !is_of(first, a)) {
                    names.reverse();
                }
                let [a, b] = names.try_into().expect("two names");
                Self::of_match([a, b], games.values().cloned().collect())
            }
            _ => Self::of_ladder(names, games.values().cloned().collect()),
        }
    }

    fn of_match(players: [String; 2], games: Vec<MatchGame>) -> Self {
        let config = MatchConfig { games: wanted(&games), sprt: None, conditions: CONDITIONS };
        let Ok(played) = Match::new(config, &players[0], games) else { return MatchScore::None };
        let tally = played.tally();
        MatchScore::Match { players, elo: tally.elo(), tally }
    }

    fn of_ladder(names: Vec<String>, games: Vec<MatchGame>) -> Self {
        let anchor = names.iter().position(|name| name == ANCHOR).unwrap_or(0);
        let config = LadderConfig { games: wanted(&games), conditions: CONDITIONS };
        let Ok(ladder) = Ladder::new(config, names, anchor, games) else { return MatchScore::None };
        let rungs = ladder.ranks().into_iter().map(|rank| RankedPlayer {
            name: ladder.names()[rank.player].clone(),
            elo: rank.elo,
            tally: rank.tally,
        });
        MatchScore::Ladder(rungs.collect())
    }
}

/// Games of a contest that has all of `games`.
fn wanted(games: &[MatchGame]) -> u32 {
    games.iter().map(|game| game.number.saturating_add(1)).max().unwrap_or(0)
}

/// Whether a description is that of the player `name`.
fn is_of(description: &str, name: &str) -> bool {
    description.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::{super::folder::tests::game, *};
    use crate::games::rules::{Side, Verdict};

    const WON: Verdict = Verdict::Win(Side::First);

    fn numbered<const N: usize>(games: [MatchGame; N]) -> BTreeMap<u32, MatchGame> {
        games.into_iter().map(|game| (game.number, game)).collect()
    }

    #[test]
    fn a_match_is_seen_from_its_first_player() {
        let games = numbered([game(1, ["b", "a@sims=2"], WON), game(0, ["a@sims=2", "b"], Verdict::Draw)]);
        let score = |first| match MatchScore::of(&games, first) {
            MatchScore::Match { players, tally, .. } => (players, tally.wins, tally.draws, tally.losses),
            other => panic!("{other:?}"),
        };
        assert_eq!(score(Some("a@sims=2 generation 3")), (["a@sims=2".to_owned(), "b".to_owned()], 0, 1, 1));
        assert_eq!(score(Some("b")), (["b".to_owned(), "a@sims=2".to_owned()], 1, 1, 0));
        assert_eq!(score(None).0[0], "a@sims=2", "the first of the first game");
        let many: BTreeMap<u32, MatchGame> =
            (0..9).map(|number| (number, game(number, ["a", "b"], WON))).collect();
        assert!(matches!(MatchScore::of(&many, None), MatchScore::Match { tally, .. } if tally.wins == 9));
        assert_eq!(MatchScore::of(&BTreeMap::new(), None), MatchScore::None);
    }

    #[test]
    fn a_ladder_is_a_list_with_the_best_first() {
        let games = numbered([
            game(0, ["a", ANCHOR], WON),
            game(1, [ANCHOR, "a"], Verdict::Win(Side::Second)),
            game(2, ["a", "random"], WON),
            game(3, ["random", "a"], Verdict::Win(Side::Second)),
            game(4, [ANCHOR, "random"], WON),
            game(5, ["random", ANCHOR], Verdict::Win(Side::Second)),
        ]);
        let MatchScore::Ladder(rungs) = MatchScore::of(&games, None) else { panic!("no ladder") };
        let names: Vec<&str> = rungs.iter().map(|rung| &rung.name[..]).collect();
        assert_eq!(names, ["a", ANCHOR, "random"]);
        assert!(rungs[1].elo.elo.abs() < 1e-9 && rungs[0].tally.wins == 4);
    }
}
