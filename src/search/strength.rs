//! Play below full strength, as people of every level play it.
//!
//! A player of limited strength searches less, and then does not always play the best of what it found: it draws its move
//! from the net's policy and the values found together, flattened by a temperature. So it prefers moves that look natural
//! to those that are good for a reason that is hard to see, as a person does, and never plays far worse than its strength
//! on purpose.

use std::ops::Range;

use rand::{Rng, RngExt};

use super::{
    AlphaBeta, Evaluation, Evaluator, Query, SearchLimits, SearchObserver, SearchResult, mate::wins_at_once,
};
use crate::{
    base::maths::{exp, exp2, ln, pow},
    games::rules::Game,
};

/// How strong a player of limited strength is, from 0, which moves nearly at random. A higher number is stronger. The levels
/// of a game are strengths that were measured to be equally far apart (`docs/levels.md`).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Strength(f32);

/// From here on moves that win at once are played.
const SEES_WINS: f32 = 0.5;
/// In this range a player begins to look at the opponent's answers, first before a few of its moves, in the end before each.
/// From its end on, moves that lose a piece for nothing are left out.
const CARE: Range<f32> = 1.0..2.0;
/// In this range it begins to search by nodes, rather than two plies of every move.
const BY_NODES: Range<f32> = 8.0..10.0;
/// What a search has in nodes up to the end of that range. From there on they double with each 1.
const FIRST_NODES: f32 = 1000.0;
/// About what the [`MOST_MOVES`] and their answers take.
const NODES_OF_TWO_PLIES: u64 = 30_000;
/// How many moves are candidates of a search by nodes.
const CANDIDATES: usize = 3;
/// Nodes for one of these moves, at most. A hundred answers and the captures behind them take some hundred; where a board is full
/// of captures they would take minutes.
const NODES_OF_A_MOVE: u64 = 3_000;
/// How many moves are looked at, those that the net likes most, where their answers are looked at too.
const MOST_MOVES: usize = 40;
/// How many nats of the policy one nat of the [`odds`] is worth.
const ODDS_WEIGHT: f32 = 2.0;
/// The [`odds`] count up to this many nats, for and against.
const MOST_ODDS: f32 = 5.0;
/// The temperature at which a move is drawn, in the range [`CARE`].
const TEMPERATURE: f32 = 16.0;

impl Strength {
    /// The greatest: two million nodes a move, which is more than most have time for.
    pub const MAX: f32 = 21.0;

    /// The strength of that number.
    ///
    /// # Errors
    /// When it does not lie in `0.0..=`[`Strength::MAX`].
    pub fn new(strength: f32) -> Result<Self, String> {
        if (0.0..=Self::MAX).contains(&strength) {
            return Ok(Strength(strength));
        }
        Err(format!("strength = {strength}: must lie in 0..={}", Self::MAX))
    }

    /// How the next move is found, drawn at random where a player has begun to do more, but does not yet do it always.
    fn effort(self, rng: &mut dyn Rng) -> Effort {
        let share = |range: &Range<f32>| ((self.0 - range.start) / (range.end - range.start)).clamp(0.0, 1.0);
        let drawn = rng.random::<f32>();
        if drawn < share(&BY_NODES) {
            Effort::Nodes(self.nodes())
        } else if drawn < share(&CARE) {
            Effort::Answers
        } else {
            Effort::OwnMoves
        }
    }

    /// About how many nodes a search has at most.
    pub fn most_nodes(self) -> u64 {
        NODES_OF_TWO_PLIES.max(self.nodes())
    }

    /// What a search by nodes has.
    fn nodes(self) -> u64 {
        let doublings = (self.0 - BY_NODES.end).max(0.0);
        (FIRST_NODES * exp2(doublings)) as u64
    }

    /// The temperature at which a move is drawn.
    fn temperature(self) -> f32 {
        match self.0 {
            strength if strength < CARE.start => TEMPERATURE * pow(4.0, CARE.start - strength),
            strength => TEMPERATURE * pow(0.6, (strength.min(BY_NODES.end + 1.0) - CARE.end).max(0.0)),
        }
    }

    /// How much worse than the best move a move may be, in nats of the [`odds`]. At the end of [`CARE`] that is a
    /// piece or more.
    fn margin(self, effort: Effort) -> f32 {
        match effort {
            Effort::OwnMoves => 2.0 * MOST_ODDS,
            Effort::Answers | Effort::Nodes(_) => (1.0 - 0.1 * (self.0 - CARE.end)).clamp(0.2, 1.0),
        }
    }
}

/// What a player looks at before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// Each of its own moves.
    OwnMoves,
    /// The opponent's answers to them as well.
    Answers,
    /// What a search finds in so many nodes.
    Nodes(u64),
}

/// Searches `root` as a player of this `strength` and returns what it would play, the line of its move alone.
///
/// The result depends on the position, the limits and `rng` alone, unless `observer` ends the search.
///
/// # Panics
/// As [`AlphaBeta::search`].
pub fn search_limited<G: Game, E: Evaluator<G> + Send>(
    search: &mut AlphaBeta<G>,
    strength: Strength,
    root: &G,
    limits: &SearchLimits<'_, G::Move>,
    evaluators: &mut [E],
    observer: &mut impl SearchObserver<G::Move>,
    rng: &mut dyn Rng,
) -> SearchResult<G::Move> {
    search.forget();
    let effort = strength.effort(rng);
    let (depth, nodes) = match effort {
        Effort::OwnMoves => (1, u64::MAX),
        Effort::Answers => (2, u64::MAX),
        Effort::Nodes(nodes) => (u32::MAX, nodes),
    };
    if strength.0 >= SEES_WINS
        && let Some(win) = win_at_once(root, limits.only)
    {
        return win;
    }
    let limits = SearchLimits {
        only: limits.only,
        lines: CANDIDATES,
        nodes: nodes.min(limits.nodes),
        depth: depth.min(limits.depth),
    };
    let mut found = match effort {
        Effort::Nodes(_) => search.search(root, &limits, &mut evaluators[..1], &mut || observer.keep_going()),
        _ => search_each(search, root, &limits, &mut evaluators[..1], observer),
    };
    let moves: Vec<G::Move> = found.lines.iter().map(|line| line.moves[0]).collect();
    let chosen = draw(&found, strength, effort, &priors(root, &moves, &mut evaluators[0]), rng);
    found.lines = vec![found.lines.swap_remove(chosen)];
    found
}

/// A move that wins before the opponent answers, one of `only` if these are not empty.
fn win_at_once<G: Game>(root: &G, only: &[G::Move]) -> Option<SearchResult<G::Move>> {
    let mut wins = wins_at_once(root).into_iter();
    let win = wins.find(|mv| only.is_empty() || only.contains(mv))?;
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    Some(SearchResult::of_win(win, moves.len()))
}

/// Searches every move by itself, those that the net likes first, as long as `observer` says. Several lines of one search
/// would take longer: for each of them it looks at all other moves.
fn search_each<G: Game, E: Evaluator<G> + Send>(
    search: &mut AlphaBeta<G>,
    root: &G,
    limits: &SearchLimits<'_, G::Move>,
    evaluators: &mut [E],
    observer: &mut impl SearchObserver<G::Move>,
) -> SearchResult<G::Move> {
    let mut moves = limits.only.to_vec();
    if moves.is_empty() {
        root.legal_moves(&mut moves);
    }
    let priors = priors(root, &moves, &mut evaluators[0]);
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]));
    if limits.depth > 1 {
        order.truncate(MOST_MOVES);
    }
    let mut all: Option<SearchResult<G::Move>> = None;
    for place in order {
        let spent = all.as_ref().map_or(0, |all| all.nodes);
        if all.is_some() && (spent >= limits.nodes || !observer.keep_going()) {
            break;
        }
        let only = &[moves[place]];
        let nodes = NODES_OF_A_MOVE.min(limits.nodes - spent);
        let limits = SearchLimits { only, lines: 1, nodes, depth: limits.depth };
        let found = search.search(root, &limits, evaluators, &mut || observer.keep_going());
        match &mut all {
            None => all = Some(found),
            Some(all) => {
                all.nodes += found.nodes;
                all.deepest = all.deepest.max(found.deepest);
                match (all.depth, found.depth) {
                    // A search that finished no depth says nothing of its move.
                    (_, 0) => {}
                    (0, depth) => (all.depth, all.lines) = (depth, found.lines),
                    _ => all.lines.extend(found.lines),
                }
            }
        }
    }
    all.expect("a legal move")
}

/// An expected score in `-1.0..=1.0` as the natural logarithm of the odds to win. A piece is worth about as many nats in an even
/// game as in one that is nearly decided.
fn odds(q: f32) -> f32 {
    (ln(1.0 + q) - ln(1.0 - q)).clamp(-MOST_ODDS, MOST_ODDS)
}

/// The net's log-probabilities of the moves, up to a constant.
fn priors<G: Game, E: Evaluator<G>>(root: &G, moves: &[G::Move], evaluator: &mut E) -> Vec<f32> {
    let moves = moves.to_vec();
    let mut out = [Evaluation::default()];
    evaluator.evaluate(&[&Query { game: root.clone(), moves, policy_only: true }], &mut out);
    let [Evaluation { logits, .. }] = out;
    logits
}

/// Draws one of the lines found.
fn draw<M>(
    found: &SearchResult<M>,
    strength: Strength,
    effort: Effort,
    priors: &[f32],
    rng: &mut dyn Rng,
) -> usize {
    let best = found.lines.iter().map(|line| odds(line.q)).fold(-MOST_ODDS, f32::max);
    let utilities: Vec<f32> = found
        .lines
        .iter()
        .zip(priors)
        .map(|(line, prior)| match odds(line.q) >= best - strength.margin(effort) {
            true => (prior + ODDS_WEIGHT * odds(line.q)) / strength.temperature(),
            false => f32::NEG_INFINITY,
        })
        .collect();
    let most = utilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = utilities.iter().map(|utility| exp(f64::from(utility - most))).collect();
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    drawn.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng as SeededRng,
        games::rules::{Move, RuleSet, shogi::Minishogi},
        search::{PvLine, Wdl},
    };

    /// Knows nothing, and prefers the moves that come first.
    struct First;

    impl<G: Game> Evaluator<G> for First {
        fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                (out.wdl, out.logits) =
                    (Wdl::DRAW, (0..query.moves.len()).map(|place| -(place as f32)).collect());
            }
        }
    }

    /// In a hundred searches of the position: how many different moves are played, and how many of the hundred win at once.
    fn played(fen: &str, strength: f32) -> (usize, usize) {
        let game = Minishogi::from_fen(RuleSet::Standard, fen).unwrap();
        let (mut search, mut rng) = (AlphaBeta::new(1), SeededRng::seed_from_u64(1));
        let strength = Strength::new(strength).unwrap();
        let (mut moves, mut wins) = (HashSet::new(), 0);
        for _ in 0..100 {
            let limits = SearchLimits::UNLIMITED;
            let found =
                search_limited(&mut search, strength, &game, &limits, &mut [First], &mut || true, &mut rng);
            assert_eq!(found.lines.len(), 1, "the line of the move alone");
            moves.insert(found.mv().bits());
            wins += usize::from(game.after(found.mv()).outcome().is_some());
        }
        (moves.len(), wins)
    }

    /// A gold before the king mates.
    const MATE: &str = "4k/5/4G/5/K4[G] w - - 0 1";
    /// Nothing is to be won soon.
    const QUIET: &str = "4k/5/5/5/K4[Gg] w - - 0 1";

    #[test]
    fn a_mate_in_one_is_seen_from_some_strength_on() {
        let (kinds, wins) = played(MATE, 0.0);
        assert!(kinds > 5 && wins < 50, "{kinds} moves, {wins} wins");
        for strength in [SEES_WINS, 1.5, 5.0, 9.0, 13.0] {
            assert_eq!(played(MATE, strength).1, 100, "strength {strength}");
        }
    }

    #[test]
    fn better_scores_and_higher_priors_are_drawn_more_often() {
        let line = |mv: u8, q| PvLine { moves: vec![mv], q, end: None, score: 0, depth: 1 };
        let lines = vec![line(0, 0.60), line(1, 0.55)];
        let found = SearchResult { lines, depth: 1, deepest: 1, nodes: 2, fullness: 0 };
        let (strength, rng) = (Strength::new(11.0).unwrap(), &mut SeededRng::seed_from_u64(1));
        let mut firsts = |priors: [f32; 2]| {
            (0..1000).filter(|_| draw(&found, strength, Effort::Nodes(1), &priors, rng) == 0).count()
        };
        let (by_score, by_prior) = (firsts([0.0, 0.0]), firsts([0.0, 1.0]));
        assert!(by_score > 700 && by_prior < 300, "{by_score} and {by_prior} of 1,000");
    }

    #[test]
    fn the_stronger_a_player_the_fewer_moves_it_considers() {
        let kinds = [0.0, 5.0, 9.0, 11.0].map(|strength| played(QUIET, strength).0);
        assert!(kinds[0] > kinds[1] && kinds[1] > kinds[2] && kinds[2] >= kinds[3], "{kinds:?}");
        assert!(kinds[3] <= CANDIDATES, "{kinds:?}");
    }

    #[test]
    fn a_strength_has_a_range() {
        assert!(Strength::new(-0.1).is_err() && Strength::new(Strength::MAX + 1.0).is_err());
        assert!(Strength::new(f32::NAN).is_err());
        assert!(Strength::new(Strength::MAX).is_ok());
    }

    /// How often of a thousand times a player looks at its own moves alone, at the answers, and by nodes.
    fn efforts(strength: f32) -> [usize; 3] {
        let (strength, mut rng) = (Strength::new(strength).unwrap(), SeededRng::seed_from_u64(1));
        let mut found = [0; 3];
        for _ in 0..1000 {
            found[match strength.effort(&mut rng) {
                Effort::OwnMoves => 0,
                Effort::Answers => 1,
                Effort::Nodes(_) => 2,
            }] += 1;
        }
        found
    }

    #[test]
    fn a_stronger_player_does_more_before_more_of_its_moves() {
        for (strength, only) in
            [(0.0, 0), (CARE.start, 0), (CARE.end, 1), (BY_NODES.start, 1), (BY_NODES.end, 2)]
        {
            assert_eq!(efforts(strength)[only], 1000, "strength {strength}");
        }
        let (some, more) = (efforts(1.25), efforts(1.75));
        assert!((200..300).contains(&some[1]) && (700..800).contains(&more[1]), "{some:?} {more:?}");
        let some = efforts(9.0);
        assert!(some[0] == 0 && (450..550).contains(&some[2]), "{some:?}");
        let doubled = Strength::new(BY_NODES.end + 1.0).unwrap().effort(&mut SeededRng::seed_from_u64(1));
        assert_eq!(doubled, Effort::Nodes(2 * FIRST_NODES as u64));
    }
}
