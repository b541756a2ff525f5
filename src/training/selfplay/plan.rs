//! What a generation is to play, and who plays which game.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU32, Ordering},
};

use super::config::SelfPlayConfig;
use crate::games::rules::RuleSet;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// How.
    pub config: &'a SelfPlayConfig,
    /// Under which rule set.
    pub rules: RuleSet,
    /// The run's seed.
    pub seed: u64,
    /// The generation that the games belong to.
    pub generation: u32,
    /// Games `0..games` are played, but for `done`.
    pub games: u32,
    /// Numbers of games that exist already.
    pub done: HashSet<u32>,
    /// A side whose expected score falls below this resigns, in games open to it.
    pub resign_below: Option<f32>,
}

/// Where threads get the numbers of the games that they play.
pub trait GameQueue: Sync {
    /// The next number, if there is one now.
    fn next(&self) -> Option<u32>;

    /// Waits for a number, for a thread that has no game left; `false` when there will be none.
    fn wait(&self) -> bool;
}

/// The numbers of a plan, each once.
pub(super) struct PlanQueue<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) next: AtomicU32,
}

impl GameQueue for PlanQueue<'_> {
    fn next(&self) -> Option<u32> {
        loop {
            // Asked again and again at the end of a generation, the count must not overflow.
            if self.next.load(Ordering::Relaxed) >= self.plan.games {
                return None;
            }
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index < self.plan.games && !self.plan.done.contains(&index) {
                return Some(index);
            }
        }
    }

    fn wait(&self) -> bool {
        false
    }
}
