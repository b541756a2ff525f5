//! The page of an improvement: a staircase of Elo, and the cycles.

use anyhow::{Result, ensure};
use maud::{PreEscaped, html};

use super::{
    chart::{self, CURVE, ChartAxis, Frame, GridLines, MARGIN},
    page::{game_name, page},
};
use crate::{
    games::rules::{GameId, RuleSet},
    training::improve::{CycleReport, Kept},
};

/// In pixels.
const HEIGHT: u32 = 360;
/// The least height of the picture, in Elo.
const LEAST_ELO: f64 = 50.0;

/// What the page of an improvement shows.
#[derive(Clone, Copy, Debug)]
pub struct ImprovePage<'a> {
    /// The game.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
    /// All cycles so far.
    pub cycles: &'a [CycleReport],
}

/// The page: over the hours the Elo of the best net, summed over the cycles, and a row for each cycle.
///
/// # Errors
/// When there is no cycle, or a figure is not finite.
pub fn improve_page(shown: &ImprovePage) -> Result<String> {
    let svg = staircase_svg(shown.cycles)?;
    let body = html! {
        p { (game_name(shown.game, shown.rules)) ". The Elo of the matches is summed: a match of the last net against the first
             one mostly shows less." }
        (PreEscaped(svg))
        p { "A net in brackets did not take the best one's place, but scored more than half: the next cycle trains it." }
        table {
            thead {
                tr {
                    th { "cycle" } th { "net" } th { "rate" } th { "positions" } th { "trained" } th { "mean" } th { "kept" }
                    th { "Elo" }
                }
            }
            tbody {
                @for cycle in shown.cycles {
                    tr {
                        td { (cycle.cycle) } td { (cycle.net) } td { (format!("{:.6}", cycle.rate)) } td { (cycle.positions) }
                        td { (cycle.trained) }
                        td { @if let Some(mean) = &cycle.mean { (mean) } @else { "–" } }
                        td { (cycle.outcome()) }
                        td { (format!("{:+.0}", cycle.elo)) }
                    }
                }
            }
        }
    };
    Ok(page("A net that improves", &body))
}

/// The picture, an SVG element by itself.
fn staircase_svg(cycles: &[CycleReport]) -> Result<String> {
    ensure!(!cycles.is_empty(), "there is no cycle to draw");
    ensure!(
        cycles.iter().all(|cycle| cycle.elo.is_finite() && cycle.seconds.is_finite()),
        "a figure is not finite"
    );
    let (mut hours, mut elo) = (0.0, 0.0);
    let (mut stairs, mut gains) = (vec![(0.0, 0.0)], Vec::new());
    for cycle in cycles {
        hours += cycle.seconds / 3600.0;
        stairs.extend([(hours, elo), (hours, cycle.elo)]);
        if cycle.kept != Kept::Best {
            gains.push((hours, cycle.elo));
        }
        elo = cycle.elo;
    }
    let top = 1.1 * stairs.iter().map(|(_, elo)| *elo).fold(LEAST_ELO, f64::max);
    let frame = Frame {
        height: HEIGHT,
        right: MARGIN,
        lines: GridLines::Across,
        x: ChartAxis { name: "hours", range: 0.0..hours * 1.03, number: chart::hundredths },
        y: ChartAxis { name: "Elo", range: 0.0..top, number: chart::elo },
    };
    frame.svg(|chart, _| {
        chart.curve(stairs, CURVE)?;
        chart.dots(gains, 4, CURVE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gain_is_a_step() {
        let cycle = |number: u32, kept, elo| CycleReport {
            cycle: number,
            kept,
            elo,
            seconds: 1800.0,
            net: "sparse-32".into(),
            ..CycleReport::default()
        };
        let cycles = [cycle(1, Kept::Mean, 40.0), cycle(2, Kept::Best, 40.0), cycle(3, Kept::Trained, 65.0)];
        let shown =
            ImprovePage { game: GameId::Dobutsu, rules: GameId::Dobutsu.rule_sets()[0], cycles: &cycles };
        let page = improve_page(&shown).unwrap();
        assert_eq!(page.matches("<circle").count(), 2);
        assert_eq!(page.matches("<tr>").count(), 4);
        assert!(page.contains("+65") && page.contains("trained"), "{page}");
        assert!(improve_page(&ImprovePage { cycles: &[], ..shown }).is_err());
    }
}
