//! The picture as an SVG file, which stands alone: its colours are written into it.

use std::fmt::Write;

use super::dot::DOT;
use super::{Align, DotForm, Letters, Mark, Scene, Shape, Tone};

impl Tone {
    /// The name of the tone in style sheets.
    pub const fn class(self) -> &'static str {
        match self {
            Tone::Text => "t-text",
            Tone::Quiet => "t-quiet",
            Tone::Ink => "t-ink",
            Tone::Paper => "t-paper",
            Tone::Surface => "t-surface",
            Tone::Border => "t-border",
            Tone::Empty => "t-empty",
            Tone::Running => "t-running",
            Tone::Ready => "t-ready",
            Tone::PageWait => "t-page-wait",
            Tone::FrameWait => "t-frame-wait",
            Tone::IoWait => "t-io-wait",
            Tone::Held => "t-held",
            Tone::Cp => "t-cp",
            Tone::Other => "t-other",
            Tone::Spin => "t-spin",
            Tone::Valid => "t-valid",
            Tone::AgeList => "t-age-list",
            Tone::Reading => "t-reading",
            Tone::Cache => "t-cache",
            Tone::Base => "t-base",
            Tone::Alias => "t-alias",
            Tone::Queued => "t-queued",
            Tone::Busy => "t-busy",
            Tone::Limit => "t-limit",
            Tone::Sent => "t-sent",
            Tone::Changed => "t-changed",
            Tone::Arriving => "t-arriving",
        }
    }
}

impl Mark {
    /// The classes of its element.
    pub fn class(&self) -> String {
        let form = match &self.shape {
            Shape::Line(_) => "line",
            Shape::Text(_, _, Letters::Heading, _) => "letters heading",
            Shape::Text(_, _, Letters::Name, _) => "letters name",
            Shape::Text(_, _, Letters::Small, _) => "letters small",
            Shape::Drum(..) => "drum",
            Shape::Box(..) | Shape::Cells(..) | Shape::Slices(..) => "fill",
        };
        format!("{form} {}", self.tone.class())
    }

    /// Its outline as the data of a path; none for a text.
    pub fn path(&self) -> Option<String> {
        let mut path = String::new();
        match &self.shape {
            Shape::Box(x, y, w, h, r) => rounded(&mut path, *x, *y, *w, *h, *r),
            Shape::Cells(w, h, corners) => {
                corners.iter().for_each(|(x, y)| _ = write!(path, "M{} {}h{}v{}h{}z", n(*x), n(*y), n(*w), n(*h), n(-w)));
            }
            Shape::Slices(y, h, pieces) => {
                pieces.iter().for_each(|(x, w)| _ = write!(path, "M{} {}h{}v{}h{}z", n(*x), n(*y), n(*w), n(*h), n(-w)));
            }
            Shape::Line(points) => points.iter().enumerate().for_each(|(at, (x, y))| {
                _ = write!(path, "{}{} {}", if at == 0 { 'M' } else { 'L' }, n(*x), n(*y));
            }),
            Shape::Drum(x, y, w, h) => {
                let (rx, ry) = (n(w / 2.0), n(5.0));
                _ = write!(path, "M{} {}v{}a{rx} {ry} 0 0 0 {} 0v{}", n(*x), n(y + 5.0), n(h - 10.0), n(*w), n(10.0 - h));
                _ = write!(path, "a{rx} {ry} 0 0 0 {} 0a{rx} {ry} 0 0 0 {} 0", n(-w), n(*w));
            }
            Shape::Text(..) => return None,
        }
        Some(path)
    }
}

/// A box with round corners, if it is large enough for them.
fn rounded(path: &mut String, x: f64, y: f64, w: f64, h: f64, r: f64) {
    let (w, h) = (w.max(0.0), h.max(0.0));
    let r = r.min(w / 2.0).min(h / 2.0);
    let a = format!("a{} {} 0 0 1 ", n(r), n(r));
    _ = write!(
        path,
        "M{} {}h{}{a}{} {}v{}{a}{} {}",
        n(x + r),
        n(y),
        n(w - 2.0 * r),
        n(r),
        n(r),
        n(h - 2.0 * r),
        n(-r),
        n(r)
    );
    _ = write!(path, "h{}{a}{} {}v{}{a}{} {}z", n(2.0 * r - w), n(-r), n(-r), n(2.0 * r - h), n(r), n(-r));
}

/// A length with one digit after the point: what an eye can tell.
pub fn n(length: f64) -> String {
    let tenths = (length * 10.0).round() as i64;
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}", tenths as f64 / 10.0) }
}

/// The `text-anchor` of a text.
pub const fn anchor(align: Align) -> &'static str {
    match align {
        Align::Start => "start",
        Align::Middle => "middle",
        Align::End => "end",
    }
}

/// The look of a file, in light colours. Colours with a meaning are Okabe and Ito's, as on the page.
const STYLE: &str = "
.letters{font-family:system-ui,sans-serif;stroke:none}.heading{font-size:12px;font-weight:700}.name{font-size:11px;font-weight:600}
.small{font-size:10.5px}.line{fill:none;stroke-width:1}.drum{stroke:#868e97}.t-text{fill:#1c242c}.t-quiet{fill:#57606a}
.t-surface{fill:#fff;stroke:#d8dde3}.letters{stroke:none}.t-ink{fill:#11161b}.t-paper{fill:#fff}.t-border{stroke:#d8dde3}.t-empty{fill:#e4e8ed}.t-running{fill:#009e73}.t-ready{fill:#f0e442}
.t-page-wait,.t-reading{fill:#d55e00}.t-frame-wait,.t-age-list{fill:#e69f00}.t-io-wait,.t-base,.t-valid{fill:#0072b2}.t-held,.t-spin,.t-cache{fill:#cc79a7}
.t-cp{fill:#868e97}.letters.t-cache{fill:#8c3a68}.t-other{fill:#aeb7c1}.t-alias{fill:#cc79a7}.t-queued{fill:#d55e00}.t-busy,.t-arriving{fill:#56b4e9}.t-sent{fill:#0072b2}.t-changed{fill:#d55e00}.letters.t-changed{fill:#b34700}
.letters.t-arriving{fill:#0072b2}.limits>path:first-of-type{stroke:#d55e00;stroke-width:2.5}
.dot{stroke:#fff;stroke-width:1}";

/// The picture as a file.
pub fn file(scene: &Scene, title: &str) -> String {
    let (w, h) = (n(scene.width), n(scene.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\">"
    );
    _ = write!(
        out,
        "<title>{}</title><style>{STYLE}</style><rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>",
        escaped(title)
    );
    scene.ground.iter().for_each(|mark| element(&mut out, mark));
    for part in &scene.parts {
        let limits = if part.limits { " class=\"limits\"" } else { "" };
        _ = write!(out, "<g{limits}><title>{}: {}</title>", escaped(&part.name), escaped(&part.state));
        part.marks.iter().for_each(|mark| element(&mut out, mark));
        out.push_str("</g>");
    }
    for dot in &scene.dots {
        let (x, y) = dot.course.at(scene.now_ns as f64);
        _ = write!(out, "<path class=\"dot {}\" d=\"{}\"/>", dot.tone.class(), dot_path(dot.form(), x, y));
    }
    out.push_str("</svg>\n");
    out
}

/// The outline of a dot: round for a read, a square for a write, a flat packet for a message.
pub fn dot_path(form: DotForm, x: f64, y: f64) -> String {
    let (d, r) = (n(2.0 * DOT), n(DOT));
    match form {
        DotForm::Square => format!("M{} {}h{d}v{d}h-{d}z", n(x - DOT), n(y - DOT)),
        DotForm::Round => format!("M{} {}a{r} {r} 0 1 1 {d} 0a{r} {r} 0 1 1 -{d} 0", n(x - DOT), n(y)),
        DotForm::Packet => format!("M{} {}h10v5h-10z", n(x - 5.0), n(y - 2.5)),
    }
}

fn element(out: &mut String, mark: &Mark) {
    let class = mark.class();
    match (&mark.shape, mark.path()) {
        (Shape::Text((x, y), align, _, text), _) => {
            let (x, y, anchor, text) = (n(*x), n(*y), anchor(*align), escaped(text));
            _ = write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
        }
        (_, Some(path)) => _ = write!(out, "<path class=\"{class}\" d=\"{path}\"/>"),
        (_, None) => {}
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
