//! The curves of a soak, as a picture of four panels.

use std::fmt::Write;

use super::sample::{Sample, speeds};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 110.0;
/// Left of a panel, for the numbers; above it, for its name.
const LEFT: f64 = 60.0;
const ABOVE: f64 = 24.0;

type Curve = Vec<(f64, f64)>;

/// Memory, handles, disk use and speed over the minutes.
pub fn svg(samples: &[Sample]) -> String {
    let of = |value: fn(&Sample) -> f64| -> Curve {
        samples.iter().map(|sample| (sample.seconds, value(sample))).collect()
    };
    let panels: [(&str, Vec<Curve>); 4] = [
        ("memory in use, MiB", vec![of(|sample| sample.rss_mib)]),
        ("open handles", vec![of(|sample| sample.handles as f64)]),
        (
            "disk use, MiB: all files, and all but the games",
            vec![of(|sample| sample.disk_mib), of(|sample| sample.disk_mib - sample.records_mib)],
        ),
        ("positions a second of processor time, a point a life", vec![speeds(samples)]),
    ];
    let end = samples.last().map_or(1.0, |sample| sample.seconds);
    let (width, height) = (LEFT + WIDTH + 20.0, 4.0 * (ABOVE + HEIGHT) + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, (name, curves)) in panels.iter().enumerate() {
        panel(&mut svg, (i + 1) as f64 * (ABOVE + HEIGHT), end, name, curves);
    }
    let minutes = end / 60.0;
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">0</text>", height - 20.0);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{minutes:.0} minutes</text>\n</svg>",
        LEFT + WIDTH,
        height - 20.0
    );
    svg
}

/// One panel, whose lower end is at `bottom`; its numbers begin at 0.
fn panel(svg: &mut String, bottom: f64, end: f64, name: &str, curves: &[Curve]) {
    let most = curves.iter().flatten().map(|&(_, y)| y).fold(f64::MIN_POSITIVE, f64::max);
    let top = bottom - HEIGHT;
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{name}</text>", top - 6.0);
    let _ = writeln!(
        svg,
        "<path d=\"M{LEFT} {top}V{bottom}H{}\" fill=\"none\" stroke=\"gray\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most:.0}</text>\n\
         <text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">0</text>",
        LEFT + WIDTH,
        LEFT - 6.0,
        top + 10.0,
        LEFT - 6.0
    );
    for (curve, colour) in curves.iter().zip(["#2e86c1", "#ca6f1e"]) {
        let points: Vec<String> = curve
            .iter()
            .map(|(x, y)| format!("{:.0},{:.0}", LEFT + WIDTH * x / end, bottom - HEIGHT * y / most))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
    }
}
