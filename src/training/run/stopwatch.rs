//! How long something takes, on the wall's clock and on the processors'.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// Begins when it is made.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Stopwatch { wall: Instant::now(), cpu: ProcessTime::now().as_duration() }
    }

    /// Seconds of wall time and of processor time since then; begins anew, without a gap.
    pub fn lap(&mut self) -> [f64; 2] {
        let before = std::mem::replace(self, Stopwatch::start());
        let cpu = between(before.cpu, self.cpu);
        [self.wall.duration_since(before.wall), cpu].map(|time| time.as_secs_f64())
    }

    /// Seconds of wall time since then.
    pub fn seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// Seconds of processor time since then, over all cores.
    pub fn cpu_seconds(&self) -> f64 {
        between(self.cpu, ProcessTime::now().as_duration()).as_secs_f64()
    }
}

/// The time between two readings of a clock. Some machines' clocks of the processor run backwards.
fn between(begin: Duration, end: Duration) -> Duration {
    end.saturating_sub(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_runs_backwards_stands_still() {
        let [early, late] = [1, 3].map(Duration::from_secs);
        assert_eq!(between(early, late), Duration::from_secs(2));
        assert_eq!(between(late, early), Duration::ZERO);
        let begin = Stopwatch { wall: Instant::now(), cpu: Duration::MAX };
        assert_eq!(begin.cpu_seconds(), 0.0);
        assert!(Stopwatch::start().seconds() < 60.0);
    }
}
