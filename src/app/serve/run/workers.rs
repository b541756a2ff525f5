//! The workers of a run on many machines, as they were in its newest generation.

use maud::{Markup, html};

use crate::{
    app::serve::{numbers::grouped, texts::Texts},
    training::run::{GenerationReport, WorkerFigures},
};

/// Workers that are shown by name, the fastest.
const SHOWN: usize = 20;

/// Who plays, how fast, and what came of it; nothing where the run plays its own games.
pub(super) fn table(texts: Texts, reports: &[GenerationReport]) -> Markup {
    let Some(figures) = reports.last().and_then(|report| report.workers.as_ref()) else { return html! {} };
    let mut rates: Vec<(&String, f64)> =
        figures.games_per_s.iter().map(|(name, rate)| (name, *rate)).collect();
    rates.sort_by(|a, b| b.1.total_cmp(&a.1));
    html! {
        h2 { (texts.text("workers.title")) }
        p { (summary(texts, figures)) }
        @if figures.refused > 0 || figures.shut_out > 0 {
            p role="status" { (texts.fill("workers.bad", &[
                ("refused", &grouped(figures.refused)),
                ("shut_out", &grouped(figures.shut_out.into())),
            ])) }
        }
        table.figures {
            thead { tr {
                th scope="col" { (texts.text("workers.worker")) }
                th.number scope="col" { (texts.text("workers.rate")) }
            } }
            tbody { @for (name, rate) in rates.iter().take(SHOWN) {
                tr { th scope="row" { (name) } td.number { (format!("{rate:.1}")) } }
            } }
        }
    }
}

fn summary(texts: Texts, figures: &WorkerFigures) -> String {
    texts.fill(
        "workers.about",
        &[
            ("workers", &grouped(figures.workers.into())),
            ("threads", &grouped(figures.threads.into())),
            ("again", &grouped(figures.again)),
            ("waiting", &grouped(figures.waiting)),
            ("seconds", &format!("{:.1}", figures.net_seconds)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::serve::texts::Language;

    #[test]
    fn workers_are_shown_the_fastest_first_and_bad_games_where_there_are_any() {
        let mut figures = WorkerFigures {
            workers: 2,
            threads: 5,
            games_per_s: [("<slow>".to_owned(), 1.5), ("fast".to_owned(), 20.25)].into(),
            ..WorkerFigures::default()
        };
        let shown = |figures: &WorkerFigures| {
            let report = GenerationReport { workers: Some(figures.clone()), ..GenerationReport::default() };
            table(Texts::new(Language::English), &[report]).into_string()
        };
        let good = shown(&figures);
        let place = |text: &str| good.find(text).unwrap_or_else(|| panic!("no {text}: {good}"));
        assert!(place("20.2") < place("&lt;slow&gt;") && !good.contains("role=\"status\""), "{good}");
        figures.refused = 3;
        assert!(shown(&figures).contains("role=\"status\""));
        assert_eq!(table(Texts::new(Language::English), &[GenerationReport::default()]).into_string(), "");
    }
}
