//! The curve of threads: how many times the work of one they do.

use anyhow::{Result, ensure};
use plotters::prelude::{
    ChartBuilder, Circle, Color, IntoDrawingArea, LineSeries, PathElement, RGBColor, SVGBackend, TRANSPARENT,
};

/// In pixels, as wide as a page's column.
const SIZE: (u32, u32) = (760, 400);
/// The colour of text and axes: replaced by that of the page around it.
const INK: RGBColor = RGBColor(0, 0, 0);
/// Both are readable on white and on black.
const CURVE: RGBColor = RGBColor(46, 134, 193);
const EXPECTED: RGBColor = RGBColor(202, 111, 30);

/// The picture, an SVG element by itself: `measured` and `expected` speedups, pairs of threads and of how many times the
/// work of one thread they do, and a line where all threads count in full.
///
/// # Errors
/// When nothing was measured, or a figure is not finite.
pub fn scale_svg(measured: &[(usize, f64)], expected: &[(usize, f64)]) -> Result<String> {
    let points = |pairs: &[(usize, f64)]| -> Vec<(f64, f64)> {
        pairs.iter().map(|&(threads, speedup)| (threads as f64, speedup)).collect()
    };
    let (measured, expected) = (points(measured), points(expected));
    ensure!(!measured.is_empty(), "nothing was measured");
    let all = || measured.iter().chain(&expected);
    ensure!(all().all(|(_, speedup)| speedup.is_finite()), "a speedup is not finite");
    let largest = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(1.0, f64::max);
    let (right, top) = (largest(|point| point.0) * 1.03, largest(|point| point.1) * 1.1);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .margin_right(20)
            .x_label_area_size(45)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..right, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.15))
            .axis_style(INK)
            .x_desc("threads")
            .y_desc("times one thread")
            .label_style(("sans-serif", 15))
            .x_label_formatter(&|threads| format!("{threads:.0}"))
            .y_label_formatter(&|speedup| format!("{speedup:.1}"))
            .draw()?;
        let in_full = right.min(top);
        chart.draw_series([PathElement::new([(0.0, 0.0), (in_full, in_full)], INK.mix(0.3))])?;
        for (points, colour) in [(&expected, EXPECTED), (&measured, CURVE)] {
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, colour.filled())))?;
        }
        root.present()?;
    }
    Ok(svg.replace("\"#000000\"", "\"currentColor\""))
}
