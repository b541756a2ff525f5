//! The curve of a training: strength over its progress.

use anyhow::{Result, ensure};
use plotters::{
    prelude::{Color, Text, TextStyle},
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{
    LadderRung, Progress,
    chart::{self, CURVE, Chart, ChartAxis, FONT, Frame, GridLines, MARGIN, OTHER, Picture},
};

/// What stands below the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Generations.
    Generation,
    /// Positions played.
    Positions,
    /// Wall time.
    Seconds,
}

/// What the numbers below the curve count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Generations.
    Generation,
    /// Positions.
    Positions,
    /// Thousands of them.
    ThousandPositions,
    /// Millions of them.
    MillionPositions,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
}

/// In pixels: high enough for labels a few Elo apart.
const HEIGHT: u32 = 400;
/// Where the names of the other players stand, right of the curve.
const NAMES: u32 = 180;
/// What fits there.
const NAME_LETTERS: usize = 26;
/// From one name to the next.
const NAME_HEIGHT: i32 = 14;

impl Axis {
    fn value(self, progress: Progress) -> f64 {
        match self {
            Axis::Generation => progress.generation.into(),
            Axis::Positions => progress.positions as f64,
            Axis::Seconds => progress.seconds,
        }
    }

    /// What to divide by and what then is counted, for values up to `largest`.
    fn unit(self, largest: f64) -> (f64, Unit) {
        match self {
            Axis::Generation => (1.0, Unit::Generation),
            Axis::Positions if largest >= 2e6 => (1e6, Unit::MillionPositions),
            Axis::Positions if largest >= 2e3 => (1e3, Unit::ThousandPositions),
            Axis::Positions => (1.0, Unit::Positions),
            Axis::Seconds if largest >= 7200.0 => (3600.0, Unit::Hours),
            Axis::Seconds if largest >= 120.0 => (60.0, Unit::Minutes),
            Axis::Seconds => (1.0, Unit::Seconds),
        }
    }
}

impl Unit {
    /// Its name in English.
    pub fn english(self) -> &'static str {
        match self {
            Unit::Generation => "generation",
            Unit::Positions => "positions",
            Unit::ThousandPositions => "thousand positions",
            Unit::MillionPositions => "million positions",
            Unit::Seconds => "seconds",
            Unit::Minutes => "minutes",
            Unit::Hours => "hours",
        }
    }
}

/// The picture, an SVG element by itself: the checkpoints' ratings with their intervals over `axis`, and the other
/// players' as lines across. Text and axes have the colour of the text around it; `name` names the unit below the curve.
///
/// # Errors
/// When there is no checkpoint, or a figure is not finite.
pub fn curve_svg<'a>(rungs: &[LadderRung], axis: Axis, name: impl Fn(Unit) -> &'a str) -> Result<String> {
    let mut points: Vec<(f64, &LadderRung)> =
        rungs.iter().filter_map(|rung| Some((axis.value(rung.checkpoint?), rung))).collect();
    ensure!(!points.is_empty(), "there is no checkpoint to draw");
    for rung in rungs {
        let is_finite = [rung.low, rung.elo, rung.high].iter().all(|elo| elo.is_finite());
        ensure!(is_finite, "the rating of '{}' is not finite", rung.name);
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (divisor, unit) = axis.unit(points[points.len() - 1].0);
    points.iter_mut().for_each(|(x, _)| *x /= divisor);
    ensure!(points.iter().all(|(x, _)| x.is_finite()), "a checkpoint's time is not finite");
    let others = others(rungs);
    let (low, high) = elo_range(&points, &others);
    let end = points[points.len() - 1].0.max(1.0) * 1.03;
    let frame = Frame {
        height: HEIGHT,
        right: if others.is_empty() { MARGIN } else { NAMES },
        lines: GridLines::Across,
        x: ChartAxis { name: name(unit), range: 0.0..end, number: chart::hundredths },
        y: ChartAxis { name: "Elo", range: low..high, number: chart::elo },
    };
    frame.svg(|chart, picture| {
        chart.lines(others.iter().map(|rung| [(0.0, rung.elo), (end, rung.elo)]), OTHER.mix(0.8))?;
        chart.lines(points.iter().map(|&(x, rung)| [(x, rung.low), (x, rung.high)]), CURVE)?;
        let curve = points.iter().map(|&(x, rung)| (x, rung.elo));
        chart.curve(curve.clone(), CURVE)?;
        chart.dots(curve, 3, CURVE)?;
        write_names(chart, picture, &others, end)
    })
}

/// The players that are no checkpoints, from the strongest down.
fn others(rungs: &[LadderRung]) -> Vec<&LadderRung> {
    let mut others: Vec<&LadderRung> = rungs.iter().filter(|rung| rung.checkpoint.is_none()).collect();
    others.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    others
}

/// The names of the other players right of `end`, each beside its line or below the name before.
fn write_names(chart: &Chart, picture: &Picture, others: &[&LadderRung], end: f64) -> Result<()> {
    let style = TextStyle::from((FONT, 13)).color(&OTHER).pos(Pos::new(HPos::Left, VPos::Center));
    let mut free = 0;
    for rung in others {
        let (x, y) = chart.pixel((end, rung.elo));
        let y = y.max(free);
        picture.draw(&Text::new(shortened(&rung.name), (x + 6, y), style.clone()))?;
        free = y + NAME_HEIGHT;
    }
    Ok(())
}

/// All ratings and the checkpoints' intervals, with room above and below.
fn elo_range(points: &[(f64, &LadderRung)], others: &[&LadderRung]) -> (f64, f64) {
    let intervals = points.iter().flat_map(|(_, rung)| [rung.low, rung.elo, rung.high]);
    let elos = || intervals.clone().chain(others.iter().map(|rung| rung.elo));
    let (low, high) = (elos().fold(f64::INFINITY, f64::min), elos().fold(f64::NEG_INFINITY, f64::max));
    let room = ((high - low) * 0.05).max(10.0);
    (low - room, high + room)
}

/// The end of a long name, where the budget stands that tells a player from others.
fn shortened(name: &str) -> String {
    match name.chars().count().saturating_sub(NAME_LETTERS) {
        0 => name.to_owned(),
        more => ['…'].into_iter().chain(name.chars().skip(more + 1)).collect(),
    }
}
