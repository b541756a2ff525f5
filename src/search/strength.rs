//! Play below full strength, as people of every level play it.
//!
//! A player of limited strength searches less, and then does not always play the best of what it found: it draws its move
//! from the net's policy and the values found together, flattened by a temperature. So it prefers moves that look natural
//! to those that are good for a reason that is hard to see, as a person does, and never plays far worse than its strength
//! on purpose.

use rand::{Rng, RngExt};

use super::{AlphaBeta, Evaluation, Evaluator, Query, SearchLimits, SearchObserver, SearchResult};
use crate::{
    base::maths::{exp, exp2, ln, pow},
    games::rules::Game,
};

/// How strong a player of limited strength is, from 0, which moves nearly at random. A higher number is stronger, but for shogi
/// between 9 and 10.5 (`docs/levels.md`). The levels of a game are strengths that were measured to be equally far apart.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Strength(f32);

/// From here on moves that win at once are played, and the opponent's answers are looked at.
const SEES_ANSWERS: f32 = 1.5;
/// From here on moves that lose a piece for nothing are left out.
const KEEPS_PIECES: f32 = 2.5;
/// From here on a player is limited by the nodes that it searches, rather than by the depth.
const BY_NODES: f32 = 10.0;
/// What a search has in nodes there.
const FIRST_NODES: f32 = 500.0;
/// How many moves are candidates there.
const CANDIDATES: usize = 3;
/// How many moves are looked at, those that the net likes most, where their answers are looked at too.
const MOST_MOVES: usize = 40;
/// How many nats of the policy one nat of the [`odds`] is worth.
const ODDS_WEIGHT: f32 = 2.0;
/// The [`odds`] count up to this many nats, for and against.
const MOST_ODDS: f32 = 5.0;

impl Strength {
    /// The greatest: two million nodes a move, which is more than most have time for.
    pub const MAX: f32 = 22.0;

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

    /// Plies that are searched at most.
    fn depth(self) -> u32 {
        match self.0 {
            ..SEES_ANSWERS => 1,
            ..BY_NODES => 2,
            _ => u32::MAX,
        }
    }

    /// Nodes that are searched at most, if that is the limit.
    pub fn nodes(self) -> Option<u64> {
        (self.0 >= BY_NODES).then(|| (FIRST_NODES * exp2(self.0 - BY_NODES)) as u64)
    }

    /// The temperature at which a move is drawn.
    fn temperature(self) -> f32 {
        8.0 * pow(0.7, self.0.min(BY_NODES + 1.0))
    }

    /// How much worse than the best move a move may be, in nats of the [`odds`].
    fn margin(self) -> f32 {
        match self.0 {
            ..SEES_ANSWERS => 2.0 * MOST_ODDS,
            // From all that can be lost to about a piece.
            strength @ ..KEEPS_PIECES => {
                let share = (strength - SEES_ANSWERS) / (KEEPS_PIECES - SEES_ANSWERS);
                2.0 * MOST_ODDS * (1.0 - share) + share
            }
            strength => (1.0 - 0.1 * (strength - KEEPS_PIECES)).max(0.2),
        }
    }
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
    let limits = SearchLimits {
        only: limits.only,
        lines: CANDIDATES,
        nodes: strength.nodes().unwrap_or(u64::MAX).min(limits.nodes),
        depth: limits.depth.min(strength.depth()),
    };
    let mut found = match strength.nodes() {
        Some(_) => search.search(root, &limits, &mut evaluators[..1], &mut || observer.keep_going()),
        None => search_each(search, root, &limits, &mut evaluators[..1], observer),
    };
    let sees_wins = strength.0 >= SEES_ANSWERS;
    let moves: Vec<G::Move> = found.lines.iter().map(|line| line.moves[0]).collect();
    let chosen = match found.lines.iter().position(|line| line.q > 0.0 && line.end == Some(1)) {
        Some(win) if sees_wins => win,
        _ => draw(&found, strength, &priors(root, &moves, &mut evaluators[0]), rng),
    };
    found.lines = vec![found.lines.swap_remove(chosen)];
    found
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
        let limits = SearchLimits { only, lines: 1, nodes: limits.nodes - spent, depth: limits.depth };
        let found = search.search(root, &limits, evaluators, &mut || observer.keep_going());
        match &mut all {
            None => all = Some(found),
            Some(all) => {
                all.nodes += found.nodes;
                all.deepest = all.deepest.max(found.deepest);
                all.lines.extend(found.lines);
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
fn draw<M>(found: &SearchResult<M>, strength: Strength, priors: &[f32], rng: &mut dyn Rng) -> usize {
    let best = found.lines.iter().map(|line| odds(line.q)).fold(-MOST_ODDS, f32::max);
    let utilities: Vec<f32> = found
        .lines
        .iter()
        .zip(priors)
        .map(|(line, prior)| match odds(line.q) >= best - strength.margin() {
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
        search::Wdl,
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
            let mut next = game.clone();
            next.play(found.mv());
            wins += usize::from(next.outcome().is_some());
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
        for strength in [SEES_ANSWERS, 5.0, BY_NODES, 13.0] {
            assert_eq!(played(MATE, strength).1, 100, "strength {strength}");
        }
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
        assert_eq!(Strength::new(BY_NODES + 1.0).unwrap().nodes(), Some(1000));
        assert_eq!(Strength::new(3.0).unwrap().nodes(), None);
    }
}
