//! What the searches of self-play did, summed up.

use serde::{Deserialize, Serialize};

use crate::{
    base::maths::ln,
    search::{RootMove, Wdl},
};

/// A prior below this leaves a move as good as unseen by a search of a few hundred simulations.
pub const SMALL: f32 = 0.01;

/// Sums over searches; means come from dividing by their counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchStats {
    /// Searches, quick and full.
    pub searches: u64,
    /// Full searches.
    pub full: u64,
    /// Positions that were evaluated, by the network or out of the cache; one that was asked for its value first and its
    /// policy later counts once.
    pub evaluations: u64,
    /// Simulations.
    pub simulations: u64,
    /// Sum over full searches of the KL divergence, in nats, of the search's policy from the prior.
    pub policy_kl: f64,
    /// Sum over full searches of the entropy, in nats, of the search's policy.
    pub policy_entropy: f64,
    /// Sum over full searches of the share of the legal moves whose prior is above 1%.
    pub breadth: f64,
    /// Sum over full searches of `|q|` after the search less before: how much the search moved the value.
    pub value_shift: f64,
}

impl SearchStats {
    /// Adds a full search: its root moves, and the root's value before and after.
    pub fn add_full<M>(&mut self, moves: &[RootMove<M>], prior: Wdl, searched: Wdl) {
        self.full += 1;
        self.value_shift += f64::from((searched.q() - prior.q()).abs());
        let mut broad = 0;
        for root_move in moves {
            broad += u32::from(root_move.prior > SMALL);
            let (p, prior) = (f64::from(root_move.policy), f64::from(root_move.prior));
            if p > 0.0 {
                self.policy_kl += p * ln(p / prior.max(1e-12));
                self.policy_entropy -= p * ln(p);
            }
        }
        self.breadth += f64::from(broad) / moves.len() as f64;
    }

    /// Mean KL divergence of a full search's policy from the prior, in nats.
    pub fn mean_policy_kl(&self) -> f64 {
        self.policy_kl / self.full.max(1) as f64
    }

    /// Mean entropy of a full search's policy, in nats.
    pub fn mean_policy_entropy(&self) -> f64 {
        self.policy_entropy / self.full.max(1) as f64
    }

    /// Mean share of the legal moves whose prior is above 1%.
    pub fn mean_breadth(&self) -> f64 {
        self.breadth / self.full.max(1) as f64
    }

    /// Mean change of the root's value by a full search.
    pub fn mean_value_shift(&self) -> f64 {
        self.value_shift / self.full.max(1) as f64
    }
}

impl std::ops::AddAssign for SearchStats {
    fn add_assign(&mut self, rhs: SearchStats) {
        self.searches += rhs.searches;
        self.full += rhs.full;
        self.evaluations += rhs.evaluations;
        self.simulations += rhs.simulations;
        self.policy_kl += rhs.policy_kl;
        self.policy_entropy += rhs.policy_entropy;
        self.breadth += rhs.breadth;
        self.value_shift += rhs.value_shift;
    }
}
