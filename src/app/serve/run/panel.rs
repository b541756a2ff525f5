//! What moves on the page of a run: how far it is, how strong, its figures, and what is wrong.

use maud::{Markup, PreEscaped, html};

use super::{figures, workers};
use crate::{
    app::{
        report::{Axis, LadderRung, Progress, Unit, curve_svg},
        serve::{
            numbers::{duration, grouped, percent},
            processes::{Activity, Processes},
            runs::Run,
            texts::Texts,
        },
    },
    training::run::{Alarm, GenerationReport, Health},
};

/// A run at a moment.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    run: Run,
    activity: Activity,
    reports: Vec<GenerationReport>,
    alarms: Vec<Alarm>,
}

impl Snapshot {
    /// That of `run` now.
    pub(super) fn of(run: &Run, processes: &Processes) -> Self {
        let reports = run.reports();
        let alarms = Health::after(&reports).present();
        Snapshot { run: run.clone(), activity: run.activity(processes), alarms, reports }
    }

    /// The panel in the visitor's language. Its sections have ids, by which they are replaced.
    pub(super) fn panel(&self, texts: Texts) -> Markup {
        html! {
            section #panel data-activity=(self.activity_name()) data-generation=(self.generation()) {
                (self.standing(texts))
            }
            section #strength { (self.strength(texts)) }
            section #alarms { (self.wrong(texts)) }
            section #workers { (workers::table(texts, &self.reports)) }
            section #figures { (figures::table(texts, &self.reports)) }
        }
    }

    fn generation(&self) -> u32 {
        self.reports.last().map_or(0, |report| report.generation)
    }

    fn activity_name(&self) -> &'static str {
        match self.activity {
            Activity::Idle => "idle",
            Activity::Starting => "starting",
            Activity::Running => "running",
            Activity::Failed(_) => "failed",
        }
    }

    /// How far the run is, and what it does.
    fn standing(&self, texts: Texts) -> Markup {
        let done = self.run.progress(self.reports.last());
        let doing = match &self.activity {
            Activity::Running => texts.text("run.running"),
            Activity::Starting => texts.text("run.starting"),
            Activity::Failed(_) => texts.text("run.failed"),
            Activity::Idle if done >= 1.0 => texts.text("run.done"),
            Activity::Idle => texts.text("run.stopped"),
        };
        html! {
            p.standing { strong { (doing) } " " @if let Some(left) = self.left(texts, done) { (left) } }
            progress max="1" value=(format!("{done:.4}")) aria-label=(texts.text("run.progress")) { (percent(done)) }
            @if let Activity::Failed(words) = &self.activity { p.failed role="alert" { (words) } }
            @if let Some(report) = self.reports.last() { p { (so_far(texts, report)) } }
            @else if self.activity.is_busy() { p { (texts.text("run.soon")) } }
        }
    }

    /// The time left at the pace so far.
    fn left(&self, texts: Texts, done: f64) -> Option<String> {
        let seconds = self.reports.last()?.seconds;
        let is_open = self.activity.is_busy() && done > 0.0 && done < 1.0;
        let left = seconds * (1.0 - done) / done;
        is_open.then(|| texts.fill("run.left", &[("time", &duration(texts, left))]))
    }

    /// What the evaluations say.
    fn strength(&self, texts: Texts) -> Markup {
        let evaluated: Vec<&GenerationReport> =
            self.reports.iter().filter(|report| report.elo.is_some()).collect();
        let Some(last) = evaluated.last() else {
            return html! { h2 { (texts.text("run.strength")) } p.hint { (texts.text("run.not_yet")) } };
        };
        let curve =
            curve_svg(&rungs(&evaluated), Axis::Seconds, |unit| of_time(texts, unit)).unwrap_or_default();
        let evaluation = &self.run.config.evaluation;
        let score = last.score_uniform.map(|score| {
            let (low, high) = interval(score, evaluation.games);
            texts.fill(
                "run.against_uniform",
                &[
                    ("score", &percent(score)),
                    ("low", &percent(low)),
                    ("high", &percent(high)),
                    ("games", &evaluation.games.to_string()),
                    ("simulations", &evaluation.simulations.to_string()),
                ],
            )
        });
        html! {
            h2 { (texts.text("run.strength")) }
            p.elo { strong { (format!("{:+.0}", last.elo.unwrap_or_default())) } " " (texts.text("run.elo_above")) }
            @if let Some(score) = score { p { (score) } }
            figure { div.curve { (PreEscaped(curve)) } figcaption { (texts.text("run.curve")) } }
            p.hint { (texts.text("run.elo_about")) }
        }
    }

    /// What is wrong, a sentence each.
    fn wrong(&self, texts: Texts) -> Markup {
        html! {
            @if !self.alarms.is_empty() {
                h2 { (texts.text("run.wrong")) }
                ul.alarms { @for alarm in &self.alarms { li { (sentence(texts, alarm)) } } }
            }
        }
    }
}

/// `generation 12, 300 000 positions of 4 000 games in 3 minutes`.
fn so_far(texts: Texts, report: &GenerationReport) -> String {
    texts.fill(
        "run.so_far",
        &[
            ("generation", &report.generation.to_string()),
            ("positions", &grouped(report.positions)),
            ("games", &grouped(report.games)),
            ("time", &duration(texts, report.seconds)),
        ],
    )
}

/// An alarm in the visitor's language; in English where its figure has no text yet.
fn sentence(texts: Texts, alarm: &Alarm) -> String {
    let key = format!("alarms.{}", alarm.figure.replace('.', "_"));
    match texts.find(&key) {
        Some(text) => text.replace("{value}", &format!("{:.2}", alarm.value)),
        None => alarm.to_string(),
    }
}

/// The curve's points: the untrained net, from which Elo counts, and those that were evaluated.
fn rungs(evaluated: &[&GenerationReport]) -> Vec<LadderRung> {
    let rung = |elo: f64, checkpoint: Progress| LadderRung {
        name: String::new(),
        elo,
        low: elo,
        high: elo,
        games: 0,
        score: 0.0,
        checkpoint: Some(checkpoint),
    };
    let untrained = rung(0.0, Progress { generation: 0, positions: 0, seconds: 0.0 });
    let others = evaluated.iter().map(|report| {
        let &GenerationReport { generation, positions, seconds, elo, .. } = *report;
        rung(elo.unwrap_or_default(), Progress { generation, positions, seconds })
    });
    [untrained].into_iter().chain(others).collect()
}

/// What a curve over time counts.
fn of_time(texts: Texts, unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => texts.text("times.unit_seconds"),
        Unit::Minutes => texts.text("times.unit_minutes"),
        Unit::Hours => texts.text("times.unit_hours"),
        other => other.english(),
    }
}

/// Wilson's 95% interval of a score over `games` games (Wilson 1927).
fn interval(score: f64, games: u32) -> (f64, f64) {
    const Z: f64 = 1.96;
    let games = f64::from(games.max(1));
    let centre = (score + Z * Z / (2.0 * games)) / (1.0 + Z * Z / games);
    let half =
        Z / (1.0 + Z * Z / games) * (score * (1.0 - score) / games + Z * Z / (4.0 * games * games)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// `after 10 minutes`: a net by the time that trained it.
pub(super) fn trained(texts: Texts, minutes: Option<f64>) -> String {
    match minutes {
        Some(minutes) if minutes > 0.0 => {
            texts.fill("run.trained", &[("time", &duration(texts, 60.0 * minutes))])
        }
        Some(_) => texts.text("run.untrained").to_owned(),
        None => texts.text("run.newest").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::serve::texts::Language;

    #[test]
    fn the_interval_is_wilsons() {
        // Worked by hand for 8 of 10.
        let (low, high) = interval(0.8, 10);
        assert!((low - 0.490).abs() < 1e-3 && (high - 0.943).abs() < 1e-3, "{low} {high}");
        assert!((interval(1.0, 100).1 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn every_alarm_has_a_sentence_in_every_language() {
        let figures: Vec<String> = include_str!("../../../training/run/health.rs")
            .lines()
            .filter_map(|line| line.trim().strip_prefix("figure: \"")?.split('"').next().map(str::to_owned))
            .collect();
        assert!(figures.len() >= 8, "{figures:?}");
        for language in Language::ALL {
            for figure in figures.iter().chain([&"elo".to_owned()]) {
                let key = format!("alarms.{}", figure.replace('.', "_"));
                assert!(Texts::new(language).find(&key).is_some(), "{language:?} {key}");
            }
        }
    }
}
