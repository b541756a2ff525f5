//! Ladders, and the search for an opponent's node count.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

use sanki::{
    arena::{
        Competitor, Conditions, Ladder, LadderConfig, MatchGame, NodeMatch, NodeMatchConfig, Opening, Player,
        RandomPlayer, UniformPlayer, embedded,
    },
    games::rules::{RuleSet, Setup, Side, Verdict, dobutsu::Dobutsu},
};

type Made = Box<dyn Player<Dobutsu>>;

fn conditions(threads: usize) -> Conditions {
    Conditions { max_plies: 200, seed: 3, threads }
}

fn some_openings() -> Vec<Opening<Dobutsu>> {
    embedded(RuleSet::Standard, Setup::Drawn, 100, 1)
}

fn uniform(simulations: u32) -> Competitor<'static, Dobutsu> {
    Competitor::new(format!("uniform {simulations}"), move || -> Made {
        Box::new(UniformPlayer::new(simulations))
    })
}

/// From the weakest to the strongest.
fn field() -> Vec<Competitor<'static, Dobutsu>> {
    let random = Competitor::new("random", || -> Made { Box::new(RandomPlayer::new()) });
    [random].into_iter().chain([4, 16, 64].map(uniform)).collect()
}

fn ladder(games: u32, threads: usize, done: Vec<MatchGame>) -> Ladder {
    let names = field().into_iter().map(|player| player.name).collect();
    let config = LadderConfig { games, conditions: conditions(threads) };
    Ladder::new(config, names, 1, done).unwrap()
}

/// The games as they are, but for the time they took.
fn records<'a>(games: impl Iterator<Item = &'a MatchGame>) -> Vec<MatchGame> {
    games.map(|game| MatchGame { seconds: [0.0; 2], ..game.clone() }).collect()
}

fn play(ladder: &mut Ladder, stop_after: usize) -> Vec<MatchGame> {
    let stop = AtomicBool::new(false);
    let mut games = Vec::new();
    let on_game = &mut |_: &Ladder, game: &MatchGame| {
        games.push(game.clone());
        stop.store(games.len() >= stop_after, Ordering::SeqCst);
        Ok(())
    };
    ladder.play(&field(), &some_openings(), &stop, on_game).unwrap();
    games
}

#[test]
fn more_search_stands_higher() {
    let mut ladder = ladder(400, 2, Vec::new());
    let games = play(&mut ladder, usize::MAX);
    assert!(ladder.is_over());
    assert_eq!(games.len(), 400);
    let ranks = ladder.ranks();
    assert_eq!(ranks.iter().map(|rank| rank.player).collect::<Vec<_>>(), [3, 2, 1, 0]);
    assert_eq!(ranks[2].elo.elo, 0.0, "the anchor");
    assert!(ranks[0].elo.low > 0.0 && ranks[3].elo.high < 0.0, "{ranks:?}");
    assert_eq!(ranks.iter().map(|rank| rank.tally.games()).sum::<u32>(), 800, "each game has two players");
    assert!(ranks.iter().all(|rank| rank.tally.games() >= 40), "{ranks:?}");
}

#[test]
fn a_ladder_is_the_same_on_any_threads_and_after_a_stop() {
    let mut whole = ladder(100, 1, Vec::new());
    play(&mut whole, usize::MAX);
    let mut other = ladder(100, 3, Vec::new());
    play(&mut other, usize::MAX);
    assert_eq!(records(whole.games()), records(other.games()));

    let done = play(&mut ladder(100, 2, Vec::new()), 41);
    assert!((41..100).contains(&done.len()));
    let mut again = ladder(100, 2, done.clone());
    let more = play(&mut again, usize::MAX);
    assert_eq!(done.len() + more.len(), 100, "none is played twice");
    assert_eq!(records(whole.games()), records(again.games()));
}

#[test]
fn a_pair_that_has_begun_is_played_to_its_end_whatever_came_before() {
    let games = play(&mut ladder(64, 2, Vec::new()), usize::MAX);
    let (before, after): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.number < 32);
    // The first round came out otherwise, which changes what tells most, and the second was stopped.
    let drawn = before.into_iter().map(|game| MatchGame { result: Verdict::Draw, ..game });
    let begun = after.into_iter().filter(|game| game.number.is_multiple_of(2));
    let mut again = ladder(64, 2, drawn.chain(begun).collect());
    play(&mut again, usize::MAX);
    let games: Vec<&MatchGame> = again.games().collect();
    for pair in games.chunks(2) {
        let players = [pair[0], pair[1]].map(|game| (&game.first, &game.second));
        assert_eq!(players[0], (players[1].1, players[1].0), "from game {}", pair[0].number);
    }
}

#[test]
fn ladders_of_nobody_and_games_of_strangers_are_refused() {
    let config = LadderConfig { games: 10, conditions: conditions(1) };
    let new = |names: &[&str], games| {
        Ladder::new(config, names.iter().map(ToString::to_string).collect(), 0, games).map(|_| ())
    };
    assert!(new(&["a", "b"], Vec::new()).is_ok());
    assert!(new(&["a"], Vec::new()).is_err());
    assert!(new(&["a", "b", "a"], Vec::new()).unwrap_err().to_string().contains("'a'"));
    let games = play(&mut ladder(4, 1, Vec::new()), usize::MAX);
    let alone = MatchGame { first: "a".to_owned(), second: "a".to_owned(), ..games[0].clone() };
    assert!(new(&["a", "b"], games).is_err());
    assert!(new(&["a", "b"], vec![alone]).unwrap_err().to_string().contains("against itself"));
}

fn node_match(games: u32, threads: usize, done: Vec<MatchGame>) -> NodeMatch {
    let config = NodeMatchConfig { games, start: 4, range: 1..=1 << 12, conditions: conditions(threads) };
    NodeMatch::new(config, "net", done).unwrap()
}

fn find(node_match: &mut NodeMatch, stop_after: usize) -> Vec<MatchGame> {
    let net = Competitor::new("net", || -> Made { Box::new(UniformPlayer::new(48)) });
    let stop = AtomicBool::new(false);
    let mut games = Vec::new();
    let on_game = &mut |_: &NodeMatch, game: &MatchGame| {
        games.push(game.clone());
        stop.store(games.len() >= stop_after, Ordering::SeqCst);
        Ok(())
    };
    let opponent = |nodes: u64| Ok(uniform(nodes as u32));
    node_match.play(net, opponent, &some_openings(), &stop, on_game).unwrap();
    games
}

#[test]
fn n50_of_a_player_against_itself_is_its_own_count() {
    let mut node_match = node_match(3000, 2, Vec::new());
    let games = find(&mut node_match, usize::MAX);
    assert_eq!(games.len(), 3000);
    let results = node_match.results();
    assert_eq!(results.iter().map(|node_score| node_score.tally.games()).sum::<u32>(), 3000);
    assert!(results.len() > 3, "{results:?}");
    let n50 = node_match.n50().unwrap();
    // Its strength does not grow evenly with the count, so the curve that is fitted is a little off; a fifth of a
    // doubling here.
    assert!((n50.nodes / 48.0).log2().abs() < 0.3, "{n50:?}");
    assert!(n50.high < 1.5 * n50.low, "{n50:?}");
}

#[test]
fn the_node_counts_are_the_same_on_any_threads_and_after_a_stop() {
    let mut whole = node_match(100, 1, Vec::new());
    find(&mut whole, usize::MAX);
    let done = find(&mut node_match(100, 3, Vec::new()), 33);
    let mut again = node_match(100, 2, done.clone());
    let more = find(&mut again, usize::MAX);
    assert_eq!(records(whole.games()), records(again.games()));
    assert_eq!(whole.results(), again.results());
    let numbers: BTreeSet<u32> = done.iter().chain(&more).map(|game| game.number).collect();
    assert_eq!((numbers.len(), done.len() + more.len()), (100, 100));
    let config = NodeMatchConfig { games: 10, start: 4, range: 1..=9, conditions: conditions(1) };
    assert!(NodeMatch::new(config, "somebody else", done).is_err());
}

#[test]
fn games_at_another_node_count_than_the_results_choose_are_refused() {
    let games = find(&mut node_match(60, 2, Vec::new()), usize::MAX);
    assert!(games.iter().any(|game| game.number == 20 && game.half_points("uniform 16").is_some()));
    // The net loses the first round, so that the next count would be a lower one.
    let lost = |game: MatchGame| match game.number {
        0..20 => {
            let winner = if game.first == "net" { Side::Second } else { Side::First };
            MatchGame { result: Verdict::Win(winner), ..game }
        }
        _ => game,
    };
    let lost: Vec<MatchGame> = games.into_iter().map(lost).collect();
    // The record is whole, or a game of the first round was lost and is played again.
    for kept in [0..60, 1..60] {
        let done = lost.iter().filter(|game| kept.contains(&game.number)).cloned().collect();
        let net = Competitor::new("net", || -> Made { Box::new(UniformPlayer::new(48)) });
        let opponent = |nodes: u64| Ok(uniform(nodes as u32));
        let stop = AtomicBool::new(false);
        let mut again = node_match(60, 1, done);
        let refused = again.play(net, opponent, &some_openings(), &stop, &mut |_, _| Ok(()));
        let why = format!("{:#}", refused.expect_err("the counts do not agree"));
        assert!(why.starts_with("the games from number 20 on"), "{why}");
        assert!(why.ends_with("game 20 in the record has other players"), "{why}");
    }
}
