//! A figure's course, as small as a word (Tufte's sparkline).

use std::fmt::Write;

use maud::{Markup, html};

/// The picture's size, in its own units.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 28.0;
/// What the line keeps from the edges.
const EDGE: f64 = 2.0;
/// Points at most: more are no wider than a pixel.
const POINTS: usize = 120;

/// The course of `values`, the oldest first; nothing where there are fewer than two. `label` is for those who cannot
/// see it.
pub(super) fn sparkline(values: &[f64], label: &str) -> Markup {
    if values.len() < 2 {
        return html! {};
    }
    let means = means(values);
    let (low, high) = means
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    let height = if high > low { high - low } else { 1.0 };
    let mut points = String::new();
    for (index, value) in means.iter().enumerate() {
        let x = EDGE + (WIDTH - 2.0 * EDGE) * index as f64 / (means.len() - 1) as f64;
        let y = HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * (value - low) / height;
        write!(points, "{x:.1},{y:.1} ").expect("writing to a string");
    }
    html! {
        svg.sparkline viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            polyline points=(points.trim_end()) fill="none" {}
        }
    }
}

/// `values` with neighbours taken together, where they are too many.
fn means(values: &[f64]) -> Vec<f64> {
    let together = values.len().div_ceil(POINTS);
    values.chunks(together).map(|chunk| chunk.iter().sum::<f64>() / chunk.len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_goes_from_edge_to_edge() {
        let svg = sparkline(&[1.0, 3.0, 2.0], "x").into_string();
        assert!(svg.contains("2.0,26.0 60.0,2.0 118.0,14.0"), "{svg}");
        assert!(sparkline(&[1.0], "x").into_string().is_empty());
        assert!(sparkline(&[5.0, 5.0], "x").into_string().contains("2.0,26.0 118.0,26.0"));
    }

    #[test]
    fn many_values_are_taken_together() {
        assert_eq!(means(&[1.0, 2.0]), [1.0, 2.0]);
        let many: Vec<f64> = (0..1000).map(f64::from).collect();
        assert!(means(&many).len() <= POINTS);
        assert_eq!(means(&many)[0], 4.0);
    }
}
