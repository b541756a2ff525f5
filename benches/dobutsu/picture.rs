//! The picture of what nets give away in the course of a run.

use std::path::Path;

use anyhow::{Result, ensure};
use plotters::prelude::{
    BLACK, ChartBuilder, Circle, IntoDrawingArea, IntoLogRange, LineSeries, PathElement, RGBColor,
    SVGBackend, WHITE,
};
use sanki::base::store::write_atomic;

use super::judge::Judgement;

/// Shares below this are drawn here, in percent.
const LEAST: f64 = 0.01;
/// One for each kind of position and way to choose.
const COLOURS: [RGBColor; 6] = [
    RGBColor(202, 62, 48),
    RGBColor(202, 111, 30),
    RGBColor(46, 134, 193),
    RGBColor(125, 60, 152),
    RGBColor(34, 139, 84),
    RGBColor(120, 120, 120),
];

/// Draws a curve for each kind of position and way to choose.
///
/// # Errors
/// When there is no judgement, or the file cannot be written.
pub fn draw(judgements: &[Judgement], path: &Path) -> Result<()> {
    ensure!(!judgements.is_empty(), "there is nothing to draw");
    let mut kinds = Vec::new();
    for judgement in judgements {
        let kind = (judgement.source, judgement.way);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let most = judgements.iter().map(|judgement| judgement.played).max().unwrap_or(0) as f64 / 1e6;
    let mut svg = String::new();
    {
        let picture = SVGBackend::with_string(&mut svg, (760, 420)).into_drawing_area();
        picture.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&picture)
            .margin(15)
            .x_label_area_size(45)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..most.max(1e-3), (LEAST..100.0).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("positions of self-play, millions")
            .y_desc("wins and draws given away, %")
            .draw()?;
        for (&(source, way), colour) in kinds.iter().zip(COLOURS) {
            let of_kind =
                judgements.iter().filter(|judgement| (judgement.source, judgement.way) == (source, way));
            let points: Vec<(f64, f64)> = of_kind
                .map(|judgement| (judgement.played as f64 / 1e6, (100.0 * judgement.share()).max(LEAST)))
                .collect();
            chart
                .draw_series(LineSeries::new(points.iter().copied(), colour))?
                .label(format!("{source}, {way}"))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 15, y)], colour));
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 2, colour)))?;
        }
        chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
        picture.present()?;
    }
    write_atomic(path, svg.as_bytes())
}
