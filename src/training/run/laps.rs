//! Where time goes: the parts of some work, which follow one another.

use std::collections::BTreeMap;

use serde::Serialize;

use super::stopwatch::Stopwatch;

/// What a part took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Lap {
    /// Wall time.
    pub seconds: f64,
    /// Processor time of the whole process.
    pub cpu_seconds: f64,
}

impl Lap {
    fn add(&mut self, other: Lap) {
        self.seconds += other.seconds;
        self.cpu_seconds += other.cpu_seconds;
    }
}

/// The time of each part of some work. A part begins where the one before ended.
#[derive(Clone, Debug)]
pub struct Laps {
    watch: Stopwatch,
    parts: BTreeMap<&'static str, Lap>,
}

impl Laps {
    /// The first part begins now.
    pub fn start() -> Self {
        Laps { watch: Stopwatch::start(), parts: BTreeMap::new() }
    }

    /// A part begins now; what happened since the last end is left out.
    pub fn begin(&mut self) {
        self.watch = Stopwatch::start();
    }

    /// The part `name` ends now, and the next one begins; what happened since the last end is added to it.
    pub fn end(&mut self, name: &'static str) {
        let [seconds, cpu_seconds] = self.watch.lap();
        self.parts.entry(name).or_default().add(Lap { seconds, cpu_seconds });
    }

    /// Adds what others have; the present part goes on.
    pub fn absorb(&mut self, others: &Laps) {
        for (name, lap) in &others.parts {
            self.parts.entry(name).or_default().add(*lap);
        }
    }

    /// The parts by name.
    pub fn parts(&self) -> &BTreeMap<&'static str, Lap> {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_whole() {
        let whole = Stopwatch::start();
        let mut laps = Laps::start();
        for name in ["a", "b", "a"] {
            std::thread::sleep(std::time::Duration::from_millis(2));
            laps.end(name);
        }
        let mut others = Laps::start();
        others.end("b");
        let before = laps.parts()["b"].seconds;
        laps.absorb(&others);
        let parts = laps.parts();
        assert_eq!(parts.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
        assert!(parts["a"].seconds >= 0.004 && before >= 0.002 && parts["b"].seconds > before);
        assert!(parts.values().map(|lap| lap.seconds).sum::<f64>() <= whole.seconds());
    }
}
