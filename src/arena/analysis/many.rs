//! Many positions, by many threads.

use std::{
    num::NonZero,
    sync::{Arc, mpsc},
    thread,
};

use super::{AnalysisNet, AnalysisQueue, Effort, Look, LookLimits};
use crate::games::encode::Encode;

/// How positions are looked at, and who hears of it.
pub struct AnalysisOrders<'a> {
    /// How long each is looked at.
    pub effort: Effort,
    /// Threads, each of which looks at a position of its own.
    pub threads: NonZero<usize>,
    /// Hears how many positions were looked at.
    pub on_position: &'a mut dyn FnMut(usize),
    /// Whether to stop.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// What `net` says of each of `games`, none of which may be over, in their order: so many lines each. `None` as soon as
/// it was to stop.
pub fn look_at_all<G: Encode>(
    net: &Arc<AnalysisNet<G>>,
    games: &[G],
    lines: usize,
    orders: AnalysisOrders<'_>,
) -> Option<Vec<Look<G::Move>>> {
    let AnalysisOrders { effort, threads, on_position, is_stopped } = orders;
    let queue = AnalysisQueue::default();
    let (sender, receiver) = mpsc::channel();
    for (number, game) in games.iter().enumerate() {
        let sender = sender.clone();
        queue.push(
            0,
            Box::new(move |desk| {
                if !is_stopped() {
                    let limits = LookLimits { lines, ..LookLimits::best(effort) };
                    let look = desk.analyst(net).look(game, &limits, is_stopped);
                    // Nobody listens any more after a stop.
                    let _ = sender.send((number, look));
                }
            }),
        );
    }
    drop(sender);
    queue.close();
    let mut looks = vec![None; games.len()];
    thread::scope(|scope| {
        for _ in 0..threads.get().min(games.len()) {
            scope.spawn(|| queue.work());
        }
        for ((number, look), done) in receiver.iter().zip(1..) {
            looks[number] = Some(look);
            on_position(done);
        }
    });
    // A search that was stopped has looked at less than was asked for.
    if is_stopped() { None } else { looks.into_iter().collect() }
}
