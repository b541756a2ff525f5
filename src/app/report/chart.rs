//! What all charts have in common: size, axes, letters, colours, and how a curve is drawn.

use std::ops::Range;

use anyhow::Result;
use plotters::coord::types::RangedCoordf64;
use plotters::{
    coord::Shift,
    prelude::{
        Cartesian2d, ChartBuilder, ChartContext, Circle, Color, DrawingArea, IntoDrawingArea, LineSeries,
        PathElement, RGBColor, SVGBackend, ShapeStyle, TRANSPARENT,
    },
};

/// As wide as a page's column, in pixels.
const WIDTH: u32 = 760;
/// Room right of the curves, in pixels, unless something stands there.
pub(super) const MARGIN: u32 = 20;
/// The letters of all text.
pub(super) const FONT: &str = "sans-serif";
/// The colour of text and axes: replaced by that of the page around it.
pub(super) const INK: RGBColor = RGBColor(0, 0, 0);
/// The colours of the curve that is meant, of what it is compared with, and of what was bad: readable on white and on
/// black.
pub(super) const CURVE: RGBColor = RGBColor(46, 134, 193);
pub(super) const OTHER: RGBColor = RGBColor(202, 111, 30);
pub(super) const WORST: RGBColor = RGBColor(202, 62, 48);

/// A point in the numbers of both axes.
pub(super) type Point = (f64, f64);
/// The whole picture, in pixels.
pub(super) type Picture<'svg> = DrawingArea<SVGBackend<'svg>, Shift>;
type Context<'chart, 'svg> =
    ChartContext<'chart, SVGBackend<'svg>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What stands around the curves.
pub(super) struct Frame<'a> {
    /// Of the whole picture, in pixels.
    pub height: u32,
    /// Room right of the curves, in pixels.
    pub right: u32,
    pub lines: GridLines,
    pub x: ChartAxis<'a>,
    pub y: ChartAxis<'a>,
}

/// An axis.
pub(super) struct ChartAxis<'a> {
    pub name: &'a str,
    pub range: Range<f64>,
    /// How its numbers are written.
    pub number: fn(&f64) -> String,
}

/// Lines behind the curves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GridLines {
    None,
    /// One at each number of the y axis.
    Across,
}

/// A chart in which to draw.
pub(super) struct Chart<'chart, 'svg>(Context<'chart, 'svg>);

impl Frame<'_> {
    /// The picture, an SVG element by itself, in which `draw` draws the curves. Text and axes have the colour of the text
    /// around it.
    pub fn svg(&self, draw: impl FnOnce(&mut Chart, &Picture) -> Result<()>) -> Result<String> {
        let mut svg = String::new();
        {
            let picture = SVGBackend::with_string(&mut svg, (WIDTH, self.height)).into_drawing_area();
            let mut context = ChartBuilder::on(&picture)
                .margin(10)
                .margin_right(self.right)
                .x_label_area_size(45)
                .y_label_area_size(60)
                .build_cartesian_2d(self.x.range.clone(), self.y.range.clone())?;
            let mut mesh = context.configure_mesh();
            mesh.disable_x_mesh();
            if self.lines == GridLines::None {
                mesh.disable_y_mesh();
            }
            mesh.light_line_style(TRANSPARENT)
                .bold_line_style(INK.mix(0.15))
                .axis_style(INK)
                .x_desc(self.x.name)
                .y_desc(self.y.name)
                .label_style((FONT, 15))
                .x_label_formatter(&self.x.number)
                .y_label_formatter(&self.y.number)
                .draw()?;
            draw(&mut Chart(context), &picture)?;
            picture.present()?;
        }
        Ok(svg.replace("\"#000000\"", "\"currentColor\""))
    }
}

impl Chart<'_, '_> {
    /// A curve through `points`.
    pub fn curve(&mut self, points: impl IntoIterator<Item = Point>, colour: RGBColor) -> Result<()> {
        self.0.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
        Ok(())
    }

    /// A dot at each of `points`.
    pub fn dots(
        &mut self,
        points: impl IntoIterator<Item = Point>,
        radius: i32,
        colour: RGBColor,
    ) -> Result<()> {
        self.0.draw_series(points.into_iter().map(|point| Circle::new(point, radius, colour.filled())))?;
        Ok(())
    }

    /// Thin straight lines, each from one point to the other.
    pub fn lines(
        &mut self,
        lines: impl IntoIterator<Item = [Point; 2]>,
        style: impl Into<ShapeStyle> + Copy,
    ) -> Result<()> {
        self.0.draw_series(lines.into_iter().map(|line| PathElement::new(line, style)))?;
        Ok(())
    }

    /// Where a point is in the picture, in pixels.
    pub fn pixel(&self, point: Point) -> (i32, i32) {
        self.0.backend_coord(&point)
    }
}

/// A number with two decimals at most.
pub(super) fn hundredths(number: &f64) -> String {
    format!("{}", (number * 100.0).round() / 100.0)
}

/// A difference in Elo.
pub(super) fn elo(elo: &f64) -> String {
    format!("{elo:+.0}")
}
