//! The curve of a game: the first player's expected score, ply by ply.

use anyhow::{Result, ensure};
use plotters::prelude::Color;

use super::chart::{CURVE, ChartAxis, Frame, GridLines, INK, MARGIN, WORST};

/// In pixels.
const HEIGHT: u32 = 280;

/// The picture, an SVG element by itself: `scores` in `0.0..=1.0` at the start and after each ply, with a mark at those
/// plies. What is up and what is down, `axis` says.
///
/// # Errors
/// When a score is not finite.
pub(super) fn score_curve_svg(scores: &[f32], marked: &[usize], axis: &str) -> Result<String> {
    ensure!(scores.iter().all(|score| score.is_finite()), "a score is not finite");
    let end = scores.len().saturating_sub(1).max(1) as f64;
    let frame = Frame {
        height: HEIGHT,
        right: MARGIN,
        lines: GridLines::None,
        x: ChartAxis { name: "plies", range: 0.0..end, number: |x| format!("{x:.0}") },
        y: ChartAxis { name: axis, range: -0.02..1.02, number: |y| format!("{y:.1}") },
    };
    let points: Vec<(f64, f64)> =
        scores.iter().enumerate().map(|(ply, &score)| (ply as f64, f64::from(score))).collect();
    frame.svg(|chart, _| {
        chart.lines([[(0.0, 0.5), (end, 0.5)]], INK.mix(0.3))?;
        chart.curve(points.iter().copied(), CURVE)?;
        chart.dots(marked.iter().filter_map(|&ply| points.get(ply).copied()), 5, WORST)
    })
}
