//! How threads are divided where one generation is learnt while the next one is played.

/// Of a number of threads some learn, and the others play meanwhile; once all is learnt, all of them play. So no thread
/// waits for a core. How many learn is chosen anew for each generation, by what the last ones took: as many as let learning
/// end before the games run out. Nothing that is learnt or played depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadSplit {
    threads: usize,
    /// Seconds, times threads, that generations took lately; 0 before the first.
    learning: f64,
    playing: f64,
}

/// How much the newest generation counts.
const NEWEST: f64 = 0.5;
/// The share of a generation's time in which it can be learnt: learning begins when the last game of the generation is over,
/// and the net is wanted when the last game of the next one begins.
const WINDOW: f64 = 0.6;

impl ThreadSplit {
    /// Of `threads`, at least one.
    pub fn new(threads: usize) -> Self {
        ThreadSplit { threads: threads.max(1), learning: 0.0, playing: 0.0 }
    }

    /// Threads that learn: all but one at most, where there are several.
    pub fn learning(&self) -> usize {
        let all = self.learning + self.playing;
        // Before anything is measured: as most configs need.
        let share = if all > 0.0 { self.learning / all } else { 0.25 };
        let wanted = (self.threads as f64 * share / WINDOW).ceil() as usize;
        wanted.clamp(1, self.threads.saturating_sub(1).max(1))
    }

    /// A generation took so many seconds, times threads, to learn, and so many to play.
    pub fn add(&mut self, learning: f64, playing: f64) {
        let newest = if self.learning + self.playing > 0.0 { NEWEST } else { 1.0 };
        self.learning += newest * (learning - self.learning);
        self.playing += newest * (playing - self.playing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_learn_as_end_before_the_games_run_out() {
        let cases =
            [(16, 3.0, 7.0, 8), (16, 1.0, 9.0, 3), (2, 0.2, 0.8, 1), (2, 0.9, 0.1, 1), (1, 1.0, 1.0, 1)];
        for (threads, learning, playing, wanted) in
            cases.into_iter().chain([(8, 9.0, 0.0, 7), (4, 0.0, 5.0, 1)])
        {
            let mut split = ThreadSplit::new(threads);
            split.add(learning, playing);
            assert_eq!(split.learning(), wanted, "{threads} threads");
            let all = (learning + playing) / threads as f64;
            assert!(learning / wanted as f64 <= WINDOW * all || wanted == threads.max(2) - 1);
        }
        assert_eq!(ThreadSplit::new(16).learning(), 7);
        assert_eq!(ThreadSplit::new(0).learning(), 1);
    }

    #[test]
    fn it_follows_what_generations_take() {
        let mut split = ThreadSplit::new(16);
        split.add(1.0, 7.0);
        assert_eq!(split.learning(), 4);
        (0..10).for_each(|_| split.add(2.0, 6.0));
        assert_eq!(split.learning(), 7);
    }
}
