//! The figures of a run: each with its course and one plain sentence.

use maud::{Markup, html};

use crate::{
    app::serve::{
        numbers::{grouped, percent},
        sparkline::sparkline,
        texts::Texts,
    },
    training::run::{Bytes, DeviceFigures, GenerationReport},
};

/// How a figure is written.
#[derive(Clone, Copy)]
enum Form {
    Decimal,
    Percent,
    Whole,
}

/// A figure: the key of its texts, where it comes from, and how it is written.
struct Figure {
    key: &'static str,
    of: fn(&GenerationReport) -> Option<f64>,
    form: Form,
}

const FIGURES: [Figure; 11] = [
    Figure { key: "policy_loss", of: |report| report.policy_loss, form: Form::Decimal },
    Figure { key: "value_loss", of: |report| report.value_loss, form: Form::Decimal },
    Figure { key: "policy_entropy", of: |report| report.policy_entropy, form: Form::Decimal },
    Figure { key: "breadth", of: |report| report.breadth, form: Form::Percent },
    Figure { key: "game_length", of: |report| Some(report.game_length), form: Form::Whole },
    Figure { key: "first_score", of: |report| Some(report.first_score), form: Form::Percent },
    Figure { key: "draws", of: |report| Some(report.draws), form: Form::Percent },
    Figure { key: "positions_per_s", of: |report| report.positions_per_s, form: Form::Whole },
    Figure { key: "samples_per_s", of: |report| report.samples_per_s, form: Form::Whole },
    Figure { key: "idle_share", of: |report| report.idle_share, form: Form::Percent },
    Figure { key: "device_load", of: |report| Some(report.device.as_ref()?.load), form: Form::Percent },
];

impl Form {
    fn write(self, value: f64) -> String {
        match self {
            Form::Decimal => format!("{value:.3}"),
            Form::Percent => percent(value),
            Form::Whole => grouped(value.round().max(0.0) as u64),
        }
    }
}

/// The figures of the newest generation, with their courses, and how its games ended.
pub(super) fn table(texts: Texts, reports: &[GenerationReport]) -> Markup {
    let Some(last) = reports.last() else { return html! {} };
    let text = |key: &str, more: &str| texts.find(&format!("figures.{key}{more}")).unwrap_or_default();
    html! {
        h2 { (texts.text("run.figures")) }
        @if let Some(device) = &last.device { p { (learns_on(texts, device)) } }
        div.scroll role="region" aria-label=(texts.text("run.figures")) tabindex="0" {
            table.figures {
                tbody { @for figure in &FIGURES {
                    @let values: Vec<f64> = reports.iter().filter_map(figure.of).collect();
                    @if let Some(value) = values.last() {
                        tr {
                            th scope="row" { (text(figure.key, "")) }
                            td.number { (figure.form.write(*value)) }
                            td { (sparkline(&values, texts.text("run.course"))) }
                            td.hint { (text(figure.key, "_about")) }
                        }
                    }
                } }
            }
        }
        h2 { (texts.text("run.endings")) }
        (endings(texts, last))
    }
}

/// The device that learns, and how much of its memory that takes.
fn learns_on(texts: Texts, device: &DeviceFigures) -> String {
    let name = ("device", device.name.as_str());
    match device.bytes {
        Some(bytes) => texts.fill("figures.learns_on_with", &[name, ("memory", &Bytes(bytes).to_string())]),
        None => texts.fill("figures.learns_on", &[name]),
    }
}

/// The reasons for which games ended, the most frequent first.
fn endings(texts: Texts, report: &GenerationReport) -> Markup {
    let mut reasons: Vec<(&String, f64)> =
        report.reasons.iter().map(|(reason, share)| (reason, *share)).collect();
    reasons.sort_by(|a, b| b.1.total_cmp(&a.1));
    html! {
        table.bars { tbody { @for (reason, share) in reasons {
            tr {
                th scope="row" { (texts.find(&format!("reasons.{reason}")).unwrap_or(reason)) }
                td.number { (percent(share)) }
                td.chart {
                    svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                        rect.bar width=(format!("{:.1}", 100.0 * share)) height="8" {}
                    }
                }
            }
        } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::serve::texts::Language;

    #[test]
    fn every_figure_has_a_name_and_a_sentence() {
        for figure in &FIGURES {
            for more in ["", "_about"] {
                let key = format!("figures.{}{more}", figure.key);
                assert!(Texts::new(Language::English).find(&key).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn the_table_shows_the_newest_figures() {
        let report = |generation, loss| GenerationReport {
            generation,
            policy_loss: Some(loss),
            draws: 0.25,
            reasons: [("checkmate".to_owned(), 0.9), ("to_and_fro".to_owned(), 0.1)].into(),
            ..GenerationReport::default()
        };
        let shown = table(Texts::new(Language::English), &[report(1, 3.5), report(2, 1.25)]).into_string();
        assert!(shown.contains("1.250") && !shown.contains("3.500") && shown.contains("25%"), "{shown}");
        assert!(shown.contains("sparkline"), "{shown}");
    }

    #[test]
    fn the_device_that_learns_is_named() {
        let device = DeviceFigures { name: "A card".to_owned(), bytes: Some(200 << 20), load: 0.4 };
        let report = GenerationReport { device: Some(device), ..GenerationReport::default() };
        let shown = table(Texts::new(Language::English), &[report]).into_string();
        for part in ["A card", "210 MB", "40%"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }
}
