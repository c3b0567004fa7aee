//! What charts need from the browser: text widths, colours, pixels and files.

use std::cell::RefCell;

use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use plotters_svg::SVGBackend;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement, HtmlElement, HtmlImageElement,
    Url,
};

use super::paint::{self, Device};
use crate::page::window;
use zvmlab_lab::chart::scene::{Mark, Scene};
use zvmlab_lab::chart::theme::Theme;
use zvmlab_lab::chart::{Chart, layout, table};

/// Width of an exported picture in CSS pixels.
const FILE_WIDTH: f64 = 760.0;

/// Device pixels for each CSS pixel of an exported picture: sharp in print.
const FILE_RATIO: f64 = 2.0;

/// plotters uses whole pixels. A fine raster keeps round shapes of an SVG round.
const SVG_RATIO: f64 = 8.0;

/// The width of a text in CSS pixels, measured on a canvas of its own. plotters would put an element into the page for each text.
pub fn text_width(text: &str, size: f64) -> f64 {
    thread_local! {
        // One for each size: a browser takes longer to choose a font than to measure with it.
        static CONTEXTS: RefCell<Vec<(f64, CanvasRenderingContext2d)>> = const { RefCell::new(Vec::new()) };
    }
    CONTEXTS.with_borrow_mut(|kept| {
        let at = kept.iter().position(|(its, _)| *its == size).or_else(|| {
            let context = new_canvas().and_then(|canvas| context(&canvas))?;
            context.set_font(&format!("{size}px {}", paint::FONT));
            kept.push((size, context));
            Some(kept.len() - 1)
        });
        let Some(at) = at else { return text.chars().count() as f64 * size * 0.56 };
        kept[at].1.measure_text(text).map_or(0.0, |metrics| metrics.width())
    })
}

/// Device pixels for each CSS pixel.
pub fn pixel_ratio() -> f64 {
    window().map_or(1.0, |window| window.device_pixel_ratio()).clamp(0.5, 8.0)
}

/// The colours that the style sheet gives to `element`.
pub fn theme_of(element: &HtmlElement) -> Theme {
    let style = window().and_then(|window| window.get_computed_style(element).ok().flatten());
    Theme::from_style(|name| style.as_ref().and_then(|style| style.get_property_value(name).ok()).unwrap_or_default())
}

/// The size of a scene in the pixels of the screen.
fn pixels(scene: &Scene) -> (u32, u32) {
    let ratio = pixel_ratio();
    ((scene.width * ratio).round() as u32, (scene.height * ratio).round() as u32)
}

/// Gives a canvas the room in the page that a scene takes, so that the page keeps its height when the scene is drawn.
pub fn make_room(canvas: &HtmlCanvasElement, scene: &Scene) {
    let style = canvas.style();
    // Setting a property fails for read-only styles only.
    let _ = style.set_property("width", &format!("{}px", scene.width));
    let _ = style.set_property("height", &format!("{}px", scene.height));
}

/// Draws a scene with a cursor on a canvas, at the pixel ratio of the screen.
pub fn draw(canvas: &HtmlCanvasElement, scene: &Scene, cursor: &[Mark]) {
    // Setting the size clears the canvas, even to the same size. Set it only if it changed, otherwise a redraw would flicker.
    let (width, height) = pixels(scene);
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    make_room(canvas, scene);
    let theme = theme_of(canvas);
    paint_on(canvas, scene, cursor, &theme, pixel_ratio());
}

fn paint_on(canvas: &HtmlCanvasElement, scene: &Scene, cursor: &[Mark], theme: &Theme, ratio: f64) {
    if let Some(context) = context(canvas) {
        context.set_line_join("round");
    }
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return };
    let area = backend.into_drawing_area();
    // A canvas that the browser took away (too little memory) cannot be drawn on. The table still has the numbers.
    let device = Device::canvas(ratio);
    let _ = paint::paint(scene, &area, theme, device).and_then(|()| paint::overlay(cursor, &area, theme, device));
}

/// Saves the chart as a PNG file, with the colours of `like`.
pub fn save_png(chart: &Chart, like: &HtmlElement) {
    let scene = layout::with_caption(chart, FILE_WIDTH, &text_width);
    let Some(canvas) = new_canvas() else { return };
    canvas.set_width((scene.width * FILE_RATIO) as u32);
    canvas.set_height((scene.height * FILE_RATIO).round() as u32);
    paint_on(&canvas, &scene, &[], &theme_of(like), FILE_RATIO);
    let name = file_name(chart, "png");
    let save = Closure::once_into_js(move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into::<Blob>() {
            save_blob(&blob, &name);
        }
    });
    let _ = canvas.to_blob(save.unchecked_ref());
}

/// Saves the chart as an SVG file, with the colours of `like`.
pub fn save_svg(chart: &Chart, like: &HtmlElement) {
    let scene = layout::with_caption(chart, FILE_WIDTH, &text_width);
    save_text(&svg(&scene, &theme_of(like)), "image/svg+xml", &file_name(chart, "svg"));
}

/// A scene as SVG.
pub fn svg(scene: &Scene, theme: &Theme) -> String {
    let (width, height) = ((scene.width * SVG_RATIO) as u32, (scene.height * SVG_RATIO) as u32);
    let mut out = String::new();
    {
        let area = SVGBackend::with_string(&mut out, (width, height)).into_drawing_area();
        // Writing to a string does not fail.
        let _ = paint::paint(scene, &area, theme, Device::svg(SVG_RATIO)).and_then(|()| area.present());
    }
    // The view box keeps the fine raster. The size is the intended one.
    let size = |width, height| format!("width=\"{width}\" height=\"{height}\"");
    out.replacen(&size(width, height), &size(scene.width as u32, scene.height as u32), 1)
}

/// Saves the chart's numbers as a CSV file.
pub fn save_csv(chart: &Chart) {
    save_text(&table::csv(chart), "text/csv", &file_name(chart, "csv"));
}

fn file_name(chart: &Chart, extension: &str) -> String {
    format!("zvmlab-{}.{extension}", chart.id)
}

/// Saves an SVG as a PNG file, with its own colours, at the pixel ratio of files; `size` in CSS pixels.
pub fn save_as_png(svg: &str, size: (f64, f64), name: &'static str) {
    let Ok(image) = HtmlImageElement::new() else { return };
    let drawn = image.clone();
    let draw = Closure::once_into_js(move || {
        let Some(canvas) = new_canvas() else { return };
        let (width, height) = (size.0 * FILE_RATIO, size.1 * FILE_RATIO);
        canvas.set_width(width as u32);
        canvas.set_height(height as u32);
        let Some(context) = context(&canvas) else { return };
        if context.draw_image_with_html_image_element_and_dw_and_dh(&drawn, 0.0, 0.0, width, height).is_err() {
            return;
        }
        let save = Closure::once_into_js(move |blob: JsValue| {
            if let Ok(blob) = blob.dyn_into::<Blob>() {
                save_blob(&blob, name);
            }
        });
        let _ = canvas.to_blob(save.unchecked_ref());
    });
    image.set_onload(Some(draw.unchecked_ref()));
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{}", String::from(js_sys::encode_uri_component(svg))));
}

fn save_text(text: &str, kind: &str, name: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        save_blob(&blob, name);
    }
}

fn save_blob(blob: &Blob, name: &str) {
    let Ok(address) = Url::create_object_url_with_blob(blob) else { return };
    let link = window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("a").ok())
        .and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    // The browser has the blob when the click returns, but WebKit reads it a moment later.
    gloo_timers::callback::Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
}

fn new_canvas() -> Option<HtmlCanvasElement> {
    window()?.document()?.create_element("canvas").ok()?.dyn_into().ok()
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab_lab::chart::scene::{Ink, Rect, Side};

    #[test]
    fn an_svg_has_the_size_that_is_meant_and_its_words() {
        let text = Mark::Text {
            at: (10.0, 20.0),
            text: "Pages < slots".into(),
            ink: Ink::Text,
            size: 12.0,
            along: Side::Start,
            across: Side::Middle,
        };
        let frame = Mark::Outline { rect: Rect::new(1.0, 1.0, 90.0, 40.0), ink: Ink::Grid, width: 1.0 };
        let scene = Scene { width: 100.0, height: 50.0, marks: vec![frame, text], ..Scene::default() };
        let svg = svg(&scene, &Theme::default());
        assert!(svg.starts_with("<svg width=\"100\" height=\"50\" viewBox=\"0 0 800 400\""), "{svg}");
        assert!(svg.contains("Pages &lt; slots"), "{svg}");
        assert!(svg.contains("font-size=\"95.9"), "a font of 12 px on a raster of 8, but for plotters' rounding: {svg}");
        assert!(svg.trim_end().ends_with("</svg>"), "{svg}");
    }
}
