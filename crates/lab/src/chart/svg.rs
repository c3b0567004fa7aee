//! A chart as an SVG file, which stands alone: its colours are written into it. The page paints the same marks on a canvas.

use std::fmt::Write;

use super::Chart;
use super::layout::with_caption;
use super::scene::{Hatch, Ink, Mark, Scene, Shape, Side, Spot, dashed, hatched};
use super::theme::Theme;

/// Width of a letter for each unit of its height, mean over a text. Chosen: that of common sans-serif fonts, rounded up.
const LETTER: f64 = 0.56;

/// The chart with its title and its origin as a file, as wide as `width` CSS pixels.
pub fn file(chart: &Chart, width: f64) -> String {
    let measure = |text: &str, size: f64| text.chars().count() as f64 * size * LETTER;
    drawn(&with_caption(chart, width, &measure), &chart.title)
}

/// A scene as a file.
fn drawn(scene: &Scene, title: &str) -> String {
    let (w, h) = (n(scene.width), n(scene.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" font-family=\"system-ui,sans-serif\"><title>{}</title><rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>",
        escaped(title),
        color(Ink::Surface)
    );
    scene.marks.iter().for_each(|mark| element(&mut out, mark));
    out + "</svg>\n"
}

fn element(out: &mut String, mark: &Mark) {
    match mark {
        Mark::Line { spots, ink, width, dash } => {
            dashed(spots, dash).iter().for_each(|piece| line(out, piece, &color(*ink), *width));
        }
        Mark::Fill { rect, ink, hatch } => {
            let (x, y, w, h) = (n(rect.x), n(rect.y), n(rect.w.max(0.0)), n(rect.h.max(0.0)));
            _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{}\"/>", color(*ink));
            if *hatch != Hatch::Plain {
                let over = if let Ink::Look(look) = ink { Ink::OnLook(*look) } else { Ink::Text };
                out.push_str("<g opacity=\"0.35\">");
                hatched(*rect, *hatch, 5.0).iter().for_each(|(from, to)| line(out, &[*from, *to], &color(over), 1.0));
                out.push_str("</g>");
            }
        }
        Mark::Outline { rect, ink, width } => {
            let (x, y, w, h) = (n(rect.x), n(rect.y), n(rect.w.max(0.0)), n(rect.h.max(0.0)));
            let stroke = color(*ink);
            _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{}\"/>",
                n(*width)
            );
        }
        Mark::Marker { at, shape, ink, radius } => marker(out, *at, *shape, &color(*ink), *radius),
        Mark::Text { at, text, ink, size, along, across } => {
            let anchor = match along {
                Side::Start => "start",
                Side::Middle => "middle",
                Side::End => "end",
            };
            // Parts of a letter's height between its base line and the spot.
            let down = match across {
                Side::Start => 0.8,
                Side::Middle => 0.35,
                Side::End => -0.2,
            };
            let (x, y, fill) = (n(at.0), n(at.1 + down * size), color(*ink));
            _ = write!(
                out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
                n(*size),
                escaped(text)
            );
        }
    }
}

fn line(out: &mut String, spots: &[Spot], stroke: &str, width: f64) {
    let points: Vec<String> = spots.iter().map(|(x, y)| format!("{},{}", n(*x), n(*y))).collect();
    _ = write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{}\"/>",
        points.join(" "),
        n(width)
    );
}

/// The forms of the page, with the same corners.
fn marker(out: &mut String, at: Spot, shape: Shape, fill: &str, radius: f64) {
    let corner = |(dx, dy): &(f64, f64)| (at.0 + dx * radius, at.1 + dy * radius);
    let mut polygon = |corners: &[(f64, f64)]| {
        let points: Vec<String> = corners.iter().map(corner).map(|(x, y)| format!("{},{}", n(x), n(y))).collect();
        _ = write!(out, "<polygon points=\"{}\" fill=\"{fill}\"/>", points.join(" "));
    };
    let strokes = match shape {
        Shape::Circle => {
            _ = write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\"/>", n(at.0), n(at.1), n(radius));
            return;
        }
        Shape::Square => return polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        Shape::Triangle => return polygon(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]),
        Shape::Diamond => return polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        Shape::Plus => [[(-1.2, 0.0), (1.2, 0.0)], [(0.0, -1.2), (0.0, 1.2)]],
        Shape::Cross => [[(-0.9, -0.9), (0.9, 0.9)], [(-0.9, 0.9), (0.9, -0.9)]],
        Shape::None => return,
    };
    strokes.iter().for_each(|[from, to]| line(out, &[corner(from), corner(to)], fill, 2.0));
}

fn color(ink: Ink) -> String {
    let (r, g, b) = Theme::default().color(ink);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A length with one digit after the point.
fn n(length: f64) -> String {
    let tenths = (length * 10.0).round() / 10.0;
    format!("{tenths}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::Rect;

    #[test]
    fn every_kind_of_mark_is_drawn_and_words_are_escaped() {
        let rect = Rect::new(1.0, 2.0, 30.0, 40.0);
        let mut marks = vec![
            Mark::Line { spots: vec![(0.0, 0.0), (10.04, 5.0)], ink: Ink::Look(0), width: 2.0, dash: &[] },
            Mark::Fill { rect, ink: Ink::Look(1), hatch: Hatch::Rising },
            Mark::Outline { rect, ink: Ink::Grid, width: 1.0 },
        ];
        let text = "a < b & c".into();
        marks.push(Mark::Text { at: (0.0, 10.0), text, ink: Ink::Text, size: 10.0, along: Side::End, across: Side::Middle });
        for shape in [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Plus, Shape::Cross, Shape::None]
        {
            marks.push(Mark::Marker { at: (5.0, 5.0), shape, ink: Ink::Look(2), radius: 4.0 });
        }
        let file = drawn(&Scene { width: 100.0, height: 50.0, marks, ..Scene::default() }, "<T>");
        for wanted in
            ["<title>&lt;T&gt;</title>", "points=\"0,0 10,5\"", "a &lt; b &amp; c</text>", "opacity=\"0.35\"", "<circle "]
        {
            assert!(file.contains(wanted), "{wanted}: {file}");
        }
        assert_eq!(file.matches("<polygon").count(), 3, "square, triangle, diamond");
        assert!(file.ends_with("</svg>\n"));
    }
}
