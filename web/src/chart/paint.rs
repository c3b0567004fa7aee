//! Paints marks with plotters: on a canvas at any pixel ratio, or as SVG.
//!
//! The layout places everything in CSS pixels. Here each length is multiplied by the pixel ratio, because plotters knows only
//! device pixels.

use plotters::coord::Shift;
use plotters::prelude::{
    Circle, Color, DrawingArea, DrawingAreaErrorKind, DrawingBackend, FontFamily, IntoTextStyle, PathElement, Polygon,
    RGBColor, Rectangle, ShapeStyle, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use zvmlab_lab::chart::scene::{Hatch, Ink, Mark, Rect, Scene, Shape, Side, Spot, dashed, hatched};
use zvmlab_lab::chart::theme::Theme;

/// The font of every chart: the browser's own.
pub const FONT: &str = "system-ui, sans-serif";

/// An error of painting.
type Painted<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// How CSS pixels become pixels of a backend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// Device pixels for each CSS pixel.
    pub ratio: f64,
    /// How much larger than wanted a font must be asked for.
    pub font: f64,
}

impl Device {
    /// A canvas with `ratio` device pixels for each CSS pixel.
    pub fn canvas(ratio: f64) -> Device {
        Device { ratio, font: 1.0 }
    }

    /// An SVG with a raster of `ratio` for each CSS pixel. plotters divides the size of every font there by 1.24.
    pub fn svg(ratio: f64) -> Device {
        Device { ratio, font: 1.24 }
    }
}

/// Where marks are painted, and with what.
struct Painter<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    theme: &'a Theme,
    device: Device,
}

/// Paints `scene` over the whole of `area`.
///
/// # Errors
/// What the backend reports.
pub fn paint<B: DrawingBackend>(scene: &Scene, area: &DrawingArea<B, Shift>, theme: &Theme, device: Device) -> Painted<B> {
    let painter = Painter { area, theme, device };
    area.fill(&painter.color(Ink::Surface))?;
    painter.marks(&scene.marks)
}

/// Paints further marks on top: a cursor.
///
/// # Errors
/// What the backend reports.
pub fn overlay<B: DrawingBackend>(
    marks: &[Mark],
    area: &DrawingArea<B, Shift>,
    theme: &Theme,
    device: Device,
) -> Painted<B> {
    Painter { area, theme, device }.marks(marks)
}

impl<B: DrawingBackend> Painter<'_, B> {
    fn marks(&self, marks: &[Mark]) -> Painted<B> {
        marks.iter().try_for_each(|mark| self.mark(mark))
    }

    fn mark(&self, mark: &Mark) -> Painted<B> {
        match mark {
            Mark::Line { spots, ink, width, dash } => {
                let style = self.stroke(*ink, *width);
                dashed(spots, dash).into_iter().try_for_each(|piece| {
                    let piece: Vec<(i32, i32)> = piece.into_iter().map(|spot| self.place(spot)).collect();
                    self.area.draw(&PathElement::new(piece, style))
                })
            }
            Mark::Fill { rect, ink, hatch } => self.fill(*rect, *ink, *hatch),
            Mark::Outline { rect, ink, width } => {
                let (from, to) = self.corners(*rect);
                let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
                self.area.draw(&PathElement::new(corners, self.stroke(*ink, *width)))
            }
            Mark::Marker { at, shape, ink, radius } => self.marker(*at, *shape, *ink, *radius),
            Mark::Text { at, text, ink, size, along, across } => {
                let style = (FontFamily::Name(FONT), size * self.device.ratio * self.device.font)
                    .with_color(self.color(*ink))
                    .into_text_style(self.area);
                let across = match across {
                    Side::Start => VPos::Top,
                    Side::Middle => VPos::Center,
                    Side::End => VPos::Bottom,
                };
                let along = match along {
                    Side::Start => HPos::Left,
                    Side::Middle => HPos::Center,
                    Side::End => HPos::Right,
                };
                self.area.draw(&Text::new(text.as_str(), self.place(*at), style.pos(Pos::new(along, across))))
            }
        }
    }

    fn fill(&self, rect: Rect, ink: Ink, hatch: Hatch) -> Painted<B> {
        let (from, to) = self.corners(rect);
        if from.0 >= to.0 || from.1 >= to.1 {
            return Ok(());
        }
        self.area.draw(&Rectangle::new([from, to], self.color(ink).filled()))?;
        let over = match ink {
            Ink::Look(look) => self.color(Ink::OnLook(look)),
            _ => self.color(Ink::Text),
        };
        let style = over.mix(0.35).stroke_width(self.thickness(1.0));
        hatched(rect, hatch, 5.0).into_iter().try_for_each(|(from, to)| {
            // Two points on one pixel would draw nothing but cost a call.
            let (from, to) = (self.place(from), self.place(to));
            if from == to { Ok(()) } else { self.area.draw(&PathElement::new([from, to], style)) }
        })
    }

    fn marker(&self, at: Spot, shape: Shape, ink: Ink, radius: f64) -> Painted<B> {
        let color = self.color(ink);
        let corner = |dx: f64, dy: f64| self.place((at.0 + dx * radius, at.1 + dy * radius));
        let polygon = |corners: &[(f64, f64)]| {
            let corners: Vec<(i32, i32)> = corners.iter().map(|&(dx, dy)| corner(dx, dy)).collect();
            self.area.draw(&Polygon::new(corners, color.filled()))
        };
        let strokes = |lines: [[(f64, f64); 2]; 2]| {
            lines.into_iter().try_for_each(|[from, to]| {
                let line = [corner(from.0, from.1), corner(to.0, to.1)];
                self.area.draw(&PathElement::new(line, self.stroke(ink, 2.0)))
            })
        };
        match shape {
            Shape::Circle => {
                let radius = (radius * self.device.ratio).round().max(1.0) as i32;
                self.area.draw(&Circle::new(self.place(at), radius, color.filled()))
            }
            Shape::Square => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Shape::Triangle => polygon(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]),
            Shape::Diamond => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
            Shape::Plus => strokes([[(-1.2, 0.0), (1.2, 0.0)], [(0.0, -1.2), (0.0, 1.2)]]),
            Shape::None => Ok(()),
            Shape::Cross => strokes([[(-0.9, -0.9), (0.9, 0.9)], [(-0.9, 0.9), (0.9, -0.9)]]),
        }
    }

    fn color(&self, ink: Ink) -> RGBColor {
        let (r, g, b) = self.theme.color(ink);
        RGBColor(r, g, b)
    }

    fn stroke(&self, ink: Ink, width: f64) -> ShapeStyle {
        self.color(ink).stroke_width(self.thickness(width))
    }

    fn thickness(&self, width: f64) -> u32 {
        (width * self.device.ratio).round().max(1.0) as u32
    }

    fn place(&self, spot: Spot) -> (i32, i32) {
        ((spot.0 * self.device.ratio).round() as i32, (spot.1 * self.device.ratio).round() as i32)
    }

    fn corners(&self, rect: Rect) -> ((i32, i32), (i32, i32)) {
        (self.place((rect.x, rect.y)), self.place((rect.right(), rect.bottom())))
    }
}
