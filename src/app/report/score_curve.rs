//! The curve of a game: the first player's expected score, ply by ply.

use anyhow::{Result, ensure};
use plotters::prelude::{
    ChartBuilder, Circle, Color, IntoDrawingArea, LineSeries, PathElement, RGBColor, SVGBackend, TRANSPARENT,
};

/// In pixels, as wide as a page's column.
const SIZE: (u32, u32) = (760, 280);
/// The colour of text and axes: replaced by that of the page around it.
const INK: RGBColor = RGBColor(0, 0, 0);
/// Both are readable on white and on black.
const CURVE: RGBColor = RGBColor(46, 134, 193);
const WORST: RGBColor = RGBColor(202, 62, 48);

/// The picture, an SVG element by itself: `scores` in `0.0..=1.0` at the start and after each ply, with a mark at those
/// plies. What is up and what is down, `axis` says.
///
/// # Errors
/// When a score is not finite.
pub(super) fn score_curve_svg(scores: &[f32], marked: &[usize], axis: &str) -> Result<String> {
    ensure!(scores.iter().all(|score| score.is_finite()), "a score is not finite");
    let end = scores.len().saturating_sub(1).max(1) as f64;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .margin_right(20)
            .x_label_area_size(45)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..end, -0.02..1.02)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .x_desc("plies")
            .y_desc(axis)
            .label_style(("sans-serif", 15))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.1}"))
            .draw()?;
        chart.draw_series([PathElement::new([(0.0, 0.5), (end, 0.5)], INK.mix(0.3))])?;
        let points: Vec<(f64, f64)> =
            scores.iter().enumerate().map(|(ply, &score)| (ply as f64, f64::from(score))).collect();
        chart.draw_series(LineSeries::new(points.iter().copied(), CURVE.stroke_width(2)))?;
        let marks = marked.iter().filter_map(|&ply| points.get(ply));
        chart.draw_series(marks.map(|&point| Circle::new(point, 5, WORST.filled())))?;
        root.present()?;
    }
    Ok(svg.replace("\"#000000\"", "\"currentColor\""))
}
