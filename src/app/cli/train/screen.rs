//! What a run shows while it goes on.

use std::{
    io::{self, Write},
    iter,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::super::tell;
use crate::training::run::{COLUMNS, GenerationReport, Health, Observer};

/// Steps of the bar.
const SCALE: u64 = 1000;

/// A progress bar on stderr, and a line a generation on stdout.
pub(super) struct Screen {
    bar: ProgressBar,
    json: bool,
    health: Health,
}

impl Screen {
    /// Figures are printed as JSON where `json` says so. `health` knows those from before.
    pub fn new(json: bool, health: Health) -> Self {
        let bar = ProgressBar::new(SCALE);
        let style =
            ProgressStyle::with_template("{bar:24} {percent:>3}%  {elapsed} of about {duration}  {msg}");
        bar.set_style(style.expect("the template is fixed"));
        bar.enable_steady_tick(Duration::from_secs(1));
        Screen { bar, json, health }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Says what stands in the lines that follow.
    pub fn begin(&self) {
        tracing::info!("{COLUMNS}");
        if !self.json {
            self.write(COLUMNS);
        }
    }

    /// A line on stdout. The run is worth more than its reader: it goes on where stdout was closed.
    fn write(&self, line: &str) {
        self.bar.suspend(|| writeln!(io::stdout(), "{line}").ok());
    }

    /// A message for a person that the log has, too.
    pub fn note(&self, message: &str) {
        tracing::info!("{message}");
        self.say(message);
    }

    /// A message for a person: on stderr.
    pub fn say(&self, message: &str) {
        self.bar.suspend(|| tell(message));
    }
}

impl Observer for Screen {
    fn progress(&mut self, done: f64, doing: &str) {
        self.bar.set_position((done * SCALE as f64) as u64);
        self.bar.set_message(doing.to_owned());
    }

    fn generation(&mut self, report: &GenerationReport) {
        let evaluation = report.evaluation();
        for line in iter::once(report.to_string()).chain(evaluation) {
            tracing::info!("{line}");
            if !self.json {
                self.write(&line);
            }
        }
        if self.json {
            self.write(&serde_json::to_string(report).expect("figures are plain JSON"));
        }
        for alarm in self.health.add(report) {
            tracing::info!("{alarm}");
            self.say(&format!("warning: {alarm}"));
        }
    }
}
