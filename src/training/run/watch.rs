//! What a run reports while it works: how far it is, and what it is doing, in one line for play and learning together.

use std::sync::{Arc, Mutex, PoisonError};

use super::report::GenerationReport;

/// What a run reports while it works.
pub trait Observer: Send {
    /// How far the run is, in `0.0..=1.0`, and what it is doing.
    fn progress(&mut self, done: f64, doing: &str);
    /// A generation is done, its games are safe on disk.
    fn generation(&mut self, report: &GenerationReport);
}

/// The line of a generation.
pub(super) struct Watch<'a>(Mutex<Line<'a>>);

struct Line<'a> {
    observer: &'a mut dyn Observer,
    progress: f64,
    learning: String,
    playing: Arc<Mutex<String>>,
}

impl<'a> Watch<'a> {
    /// For a generation that begins when the run is so far, in `0.0..=1.0`.
    pub fn new(observer: &'a mut dyn Observer, progress: f64) -> Self {
        Watch(Mutex::new(Line { observer, progress, learning: String::new(), playing: Arc::default() }))
    }

    /// What learning does; nothing any more when empty.
    pub fn learning(&self, doing: String) {
        self.say(|line| line.learning = doing);
    }

    /// What self-play does is in `said`; nothing any more when empty.
    pub fn listen_to(&self, said: Arc<Mutex<String>>) {
        self.say(|line| line.playing = said);
    }

    /// Self-play has said something.
    pub fn said(&self) {
        self.say(|_| {});
    }

    fn say(&self, change: impl FnOnce(&mut Line)) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut line);
        let Line { observer, progress, learning, playing } = &mut *line;
        let playing = playing.lock().unwrap_or_else(PoisonError::into_inner);
        let doing: Vec<&str> =
            [&**learning, &**playing].into_iter().filter(|doing| !doing.is_empty()).collect();
        if !doing.is_empty() {
            observer.progress(*progress, &doing.join("; "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lines(Vec<String>);

    impl Observer for Lines {
        fn progress(&mut self, _: f64, doing: &str) {
            self.0.push(doing.to_owned());
        }

        fn generation(&mut self, _: &GenerationReport) {}
    }

    #[test]
    fn play_and_learning_share_the_line() {
        let mut lines = Lines(Vec::new());
        let watch = Watch::new(&mut lines, 0.5);
        watch.learning("batch 1".into());
        let said = Arc::new(Mutex::new("game 1".to_owned()));
        watch.listen_to(Arc::clone(&said));
        watch.learning(String::new());
        said.lock().unwrap().clear();
        watch.said();
        assert_eq!(lines.0, ["batch 1", "batch 1; game 1", "game 1"]);
    }
}
