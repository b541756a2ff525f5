//! The curve of threads: how many times the work of one they do.

use anyhow::{Result, ensure};
use plotters::prelude::Color;

use super::chart::{CURVE, ChartAxis, Frame, GridLines, INK, MARGIN, OTHER};

/// In pixels.
const HEIGHT: u32 = 400;

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
    let frame = Frame {
        height: HEIGHT,
        right: MARGIN,
        lines: GridLines::Across,
        x: ChartAxis { name: "threads", range: 0.0..right, number: |threads| format!("{threads:.0}") },
        y: ChartAxis { name: "times one thread", range: 0.0..top, number: |speedup| format!("{speedup:.1}") },
    };
    frame.svg(|chart, _| {
        let in_full = right.min(top);
        chart.lines([[(0.0, 0.0), (in_full, in_full)]], INK.mix(0.3))?;
        for (points, colour) in [(&expected, OTHER), (&measured, CURVE)] {
            chart.curve(points.iter().copied(), colour)?;
            chart.dots(points.iter().copied(), 4, colour)?;
        }
        Ok(())
    })
}
