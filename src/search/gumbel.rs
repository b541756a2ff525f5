//! Selection after "Policy improvement by planning with Gumbel" (Danihelka et al., ICLR 2022).

use super::{
    GumbelConfig,
    edge::Edge,
    node::{Node, NodeId, ROOT},
    tree::Tree,
    value::Proof,
};
use crate::base::maths::exp_of_negative;

/// A visited move as its mover sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    pub prior: f32,
    pub visits: u32,
    pub q: f32,
}

/// The transformation of Q-values into nats (equation 8 of the paper, on Q-values rescaled as in mctx), and
/// the Q-value that completes the unvisited moves of a node (appendix D).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sigma {
    scale: f32,
    top: f32,
    /// The Q-value of an unvisited move.
    pub mixed_q: f32,
}

impl Sigma {
    /// From the evaluator's opinion of the node and its visited moves, without those that surely lose.
    pub fn new(config: &GumbelConfig, raw_q: f32, visited: impl Iterator<Item = Visited>) -> Sigma {
        let (mut visits, mut most, mut prior, mut weighted_q) = (0, 0, 0.0, 0.0);
        let (mut bottom, mut top) = (f32::INFINITY, f32::NEG_INFINITY);
        for mv in visited {
            visits += mv.visits;
            most = most.max(mv.visits);
            prior += mv.prior;
            weighted_q += mv.prior * mv.q;
            bottom = bottom.min(mv.q);
            top = top.max(mv.q);
        }
        // Equation 33: the visited moves by their priors, and the evaluator's opinion as one more visit.
        // Priors so small that they vanish leave that opinion alone.
        let mixed_q = if prior > 0.0 {
            (raw_q + visits as f32 * weighted_q / prior) / (1 + visits) as f32
        } else {
            raw_q
        };
        let (bottom, top) = (bottom.min(mixed_q), top.max(mixed_q));
        let range = (top - bottom).max(config.min_q_range).max(f32::EPSILON);
        Sigma { scale: (config.c_visit + most as f32) * config.c_scale / range, top, mixed_q }
    }

    /// Nats for a Q-value: 0 for the best one, negative below.
    pub fn of(&self, q: f32) -> f32 {
        self.scale * (q - self.top)
    }
}

/// The visited moves of a node, with their places, without those that surely lose.
fn visited(tree: &Tree, id: NodeId) -> impl Iterator<Item = (usize, Visited)> + Clone {
    tree.opened_and_next(id).0.iter().enumerate().filter(|(_, edge)| !edge.is_lost()).map(|(place, edge)| {
        // Of a move whose first visit found no room nothing is known.
        let q = if edge.q().is_nan() { 0.0 } else { edge.q() };
        (place, Visited { prior: edge.prior(), visits: edge.visits(), q })
    })
}

/// The transformation at a node.
pub(super) fn sigma(tree: &Tree, id: NodeId, config: &GumbelConfig) -> Sigma {
    Sigma::new(config, tree.node(id).raw_q(), visited(tree, id).map(|(_, mv)| mv))
}

/// The place of the move to visit next from an expanded node below the root that is not proven: the one whose
/// share of the visits lags most behind the improved policy (equation 14). Moves that surely lose are
/// not visited.
pub(super) fn select(tree: &Tree, id: NodeId, config: &GumbelConfig) -> usize {
    let sigma = sigma(tree, id, config);
    let unvisited_weight = exp_of_negative(sigma.of(sigma.mixed_q));
    let (opened, next) = tree.opened_and_next(id);
    let seen: f32 = opened.iter().map(Edge::prior).sum();
    let (mut total, mut visits) = ((1.0 - seen).max(0.0) * unvisited_weight, 1);
    // The weights are wanted twice, and powers are slow; few nodes have more visited moves than this.
    let mut weights = [0.0; 32];
    for (i, (_, mv)) in visited(tree, id).enumerate() {
        let weight = mv.prior * exp_of_negative(sigma.of(mv.q));
        total += weight;
        visits += mv.visits;
        if let Some(kept) = weights.get_mut(i) {
            *kept = weight;
        }
    }
    // Priors can vanish in f32, and then so does their sum.
    let (weight, share) = (1.0 / total.max(f32::MIN_POSITIVE), 1.0 / visits as f32);

    let mut best = (f32::NEG_INFINITY, None);
    for (i, (place, mv)) in visited(tree, id).enumerate() {
        let own = weights.get(i).copied().unwrap_or_else(|| mv.prior * exp_of_negative(sigma.of(mv.q)));
        let lag = own * weight - mv.visits as f32 * share;
        if lag > best.0 || best.1.is_none() {
            best = (lag, Some(place));
        }
    }
    if let Some(next) = next {
        let lag = next.prior() * unvisited_weight * weight;
        if lag > best.0 || best.1.is_none() {
            best = (lag, Some(opened.len()));
        }
    }
    best.1.expect("a node is proven once all its moves lose")
}

/// Sequential halving over the root's moves, which stand in the order of logit plus Gumbel number
/// (algorithm 2 of the paper; the numbers of visits are mctx's).
#[derive(Clone, Debug, Default)]
pub(super) struct Halving {
    /// Places of the moves still considered.
    considered: Vec<usize>,
    /// The next move to visit, an index of `considered`.
    next: usize,
    /// Visits that each considered move has yet to get in this phase, the round under way included.
    rounds: u32,
    /// The best place never considered so far.
    spare: usize,
    simulations: u32,
    phases: u32,
}

impl Halving {
    /// Considers the first moves of a root that has `moves`, for a budget of `simulations`.
    pub fn start(&mut self, moves: usize, simulations: u32, config: &GumbelConfig) {
        let considered = moves.min(config.max_considered as usize).min(simulations.max(1) as usize);
        self.considered.clear();
        self.considered.extend(0..considered);
        self.next = 0;
        self.spare = considered;
        self.simulations = simulations;
        self.phases = considered.next_power_of_two().ilog2().max(1);
        self.rounds = self.rounds_of_a_phase();
    }

    fn rounds_of_a_phase(&self) -> u32 {
        (self.simulations / (self.phases * self.considered.len() as u32)).max(1)
    }

    /// The place of the root move to visit next. `scores` are logits plus Gumbel numbers, by place. The root
    /// is not proven.
    pub fn next(&mut self, tree: &Tree, scores: &[f32], config: &GumbelConfig) -> usize {
        loop {
            if self.considered.is_empty() {
                // Only moves that were dropped before are left.
                self.considered.extend((0..self.spare).filter(|&place| !surely_loses(tree, place)));
                self.next = 0;
                self.rounds = self.rounds_of_a_phase();
            }
            if self.next == self.considered.len() {
                self.next = 0;
                self.rounds -= 1;
                if self.rounds == 0 {
                    self.halve(tree, scores, config);
                }
            }
            let place = self.considered[self.next];
            if !surely_loses(tree, place) {
                self.next += 1;
                return place;
            }
            // Its visits go to the best move not considered yet.
            if self.spare < tree.edges(ROOT).len() {
                self.considered[self.next] = self.spare;
                self.spare += 1;
            } else {
                self.considered.remove(self.next);
            }
        }
    }

    fn halve(&mut self, tree: &Tree, scores: &[f32], config: &GumbelConfig) {
        let sigma = sigma(tree, ROOT, config);
        let score = |place: usize| score(tree, &sigma, scores, place);
        self.considered.sort_unstable_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
        // Never fewer than two, as in mctx.
        self.considered.truncate((self.considered.len() / 2).max(2));
        self.rounds = self.rounds_of_a_phase();
    }

    /// The place of the best move: among those considered to the end, unless they all surely lose.
    pub fn survivor(&self, tree: &Tree, scores: &[f32], config: &GumbelConfig) -> usize {
        let sigma = sigma(tree, ROOT, config);
        let score = |&place: &usize| score(tree, &sigma, scores, place);
        // From the back, because `max_by` takes the last of equals.
        let considered = self.considered.iter().copied().rev().filter(|&place| !surely_loses(tree, place));
        considered
            .max_by(|a, b| score(a).total_cmp(&score(b)))
            .or_else(|| (0..scores.len()).rev().max_by(|a, b| score(a).total_cmp(&score(b))))
            .expect("the root has moves")
    }
}

fn surely_loses(tree: &Tree, place: usize) -> bool {
    tree.child(&tree.edges(ROOT)[place]).is_some_and(is_won)
}

fn is_won(child: &Node) -> bool {
    child.proof() == Some(Proof::Win)
}

/// Logit plus Gumbel number plus transformed Q-value of a root move; a move that surely loses is below all
/// others.
fn score(tree: &Tree, sigma: &Sigma, scores: &[f32], place: usize) -> f32 {
    match tree.child(&tree.edges(ROOT)[place]) {
        None => scores[place] + sigma.of(sigma.mixed_q),
        Some(child) if is_won(child) => f32::NEG_INFINITY,
        Some(child) => scores[place] + sigma.of(-child.q()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Wdl, node::SingleThread, tree::PathStep};

    fn wdl(q: f32) -> Wdl {
        Wdl { win: (1.0 + q) / 2.0, draw: 0.0, loss: (1.0 - q) / 2.0 }
    }

    fn assert_close(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }

    /// Three moves with priors 1/2, 1/4 and 1/4: the first visited twice and worth 0.4, the second visited once
    /// and worth -0.2, the third never visited. The evaluator's opinion: 0.1.
    fn example() -> Tree {
        let tree = Tree::new(1 << 20);
        assert!(tree.node(ROOT).claim());
        let moves = [(0, 0.5), (1, 0.25), (2, 0.25)].into_iter();
        tree.node(ROOT).set_raw_q(0.1);
        assert_eq!(tree.expand(ROOT, moves), Ok(()));
        tree.back_up::<SingleThread>(&[PathStep::ROOT], wdl(0.1), None);
        for (place, q) in [(0, 0.6), (1, -0.2), (0, 0.2)] {
            visit(&tree, place, q);
        }
        tree
    }

    fn visit(tree: &Tree, place: usize, q: f32) {
        let (_, passed) = tree.step(ROOT, place).expect("room for a few nodes");
        tree.back_up::<SingleThread>(&[PathStep::ROOT, passed], wdl(q).flip(), None);
    }

    #[test]
    fn completed_q_values_by_hand() {
        let tree = example();
        let sigma = sigma(&tree, ROOT, &GumbelConfig::default());
        // (0.1 + 3 * (0.5 * 0.4 - 0.25 * 0.2) / 0.75) / 4
        assert_close(sigma.mixed_q, 0.175);
        // (50 + 2) * 0.1 nats for the range from -0.2 to 0.4
        assert_close(sigma.of(0.4), 0.0);
        assert_close(sigma.of(-0.2), -5.2);
        assert_close(sigma.of(0.175), -5.2 * 0.225 / 0.6);
    }

    #[test]
    fn small_differences_are_not_blown_up() {
        let visited = [0.10, 0.05].map(|q| Visited { prior: 0.5, visits: 1, q });
        let sigma = Sigma::new(&GumbelConfig::default(), 0.075, visited.into_iter());
        assert_close(sigma.of(0.05), -5.1 * 0.05 / 0.2);
    }

    #[test]
    fn visits_follow_the_improved_policy() {
        // By hand: weights 0.5, 0.25 * exp(-5.2) and 0.25 * exp(-1.95), so shares 0.931, 0.003 and 0.066, which
        // the visits' shares 2/4, 1/4 and 0 are taken from.
        let tree = example();
        assert_eq!(select(&tree, ROOT, &GumbelConfig::default()), 0);
        // After 28 more visits to the first move: 0.9676 - 30/32 = 0.0301 for it, 0.0322 for the third.
        for _ in 0..28 {
            visit(&tree, 0, 0.4);
        }
        assert_eq!(select(&tree, ROOT, &GumbelConfig::default()), 2);
    }
}
