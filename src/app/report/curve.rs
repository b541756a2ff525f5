//! The curve of a training: strength over its progress.

use anyhow::{Result, ensure};
use plotters::{
    prelude::{
        ChartBuilder, Circle, Color, IntoDrawingArea, LineSeries, PathElement, RGBColor, SVGBackend,
        TRANSPARENT, Text, TextStyle,
    },
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{LadderRung, Progress};

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

/// In pixels: as wide as a page's column, high enough for labels a few Elo apart.
const SIZE: (u32, u32) = (760, 400);
/// Where the names of the other players stand, right of the curve.
const NAMES: u32 = 180;
/// What fits there.
const NAME_LETTERS: usize = 26;
/// From one name to the next.
const NAME_HEIGHT: i32 = 14;
/// The colour of text and axes: replaced by that of the page around it.
const INK: RGBColor = RGBColor(0, 0, 0);
/// Both are readable on white and on black.
const CURVE: RGBColor = RGBColor(46, 134, 193);
const OTHERS: RGBColor = RGBColor(202, 111, 30);

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
    let mut svg = String::new();
    draw(&mut svg, &points, &others(rungs), name(unit))?;
    Ok(svg.replace("\"#000000\"", "\"currentColor\""))
}

/// The players that are no checkpoints, from the strongest down.
fn others(rungs: &[LadderRung]) -> Vec<&LadderRung> {
    let mut others: Vec<&LadderRung> = rungs.iter().filter(|rung| rung.checkpoint.is_none()).collect();
    others.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    others
}

fn draw(svg: &mut String, points: &[(f64, &LadderRung)], others: &[&LadderRung], unit: &str) -> Result<()> {
    let (low, high) = elo_range(points, others);
    let end = points[points.len() - 1].0.max(1.0) * 1.03;
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .margin_right(if others.is_empty() { 20 } else { NAMES })
        .x_label_area_size(45)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..end, low..high)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.15))
        .axis_style(INK)
        .x_desc(unit)
        .y_desc("Elo")
        .label_style(("sans-serif", 15))
        .x_label_formatter(&|x| format!("{}", (x * 100.0).round() / 100.0))
        .y_label_formatter(&|elo| format!("{elo:+.0}"))
        .draw()?;
    chart.draw_series(
        others.iter().map(|rung| PathElement::new([(0.0, rung.elo), (end, rung.elo)], OTHERS.mix(0.8))),
    )?;
    let intervals = points.iter().map(|&(x, rung)| PathElement::new([(x, rung.low), (x, rung.high)], CURVE));
    chart.draw_series(intervals)?;
    let curve = points.iter().map(|&(x, rung)| (x, rung.elo));
    chart.draw_series(LineSeries::new(curve.clone(), CURVE.stroke_width(2)))?;
    chart.draw_series(curve.map(|point| Circle::new(point, 3, CURVE.filled())))?;
    let style = TextStyle::from(("sans-serif", 13)).color(&OTHERS).pos(Pos::new(HPos::Left, VPos::Center));
    let mut free = 0;
    for rung in others {
        let (x, y) = chart.backend_coord(&(end, rung.elo));
        let y = y.max(free);
        root.draw(&Text::new(shortened(&rung.name), (x + 6, y), style.clone()))?;
        free = y + NAME_HEIGHT;
    }
    root.present()?;
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
