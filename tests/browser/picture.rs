//! Pictures: whether something can be seen in a screenshot.

use std::collections::BTreeMap;

/// The colours of a PNG, each with the share of the picture that it covers, the largest first.
pub fn colours(png: &[u8]) -> Vec<([u8; 3], f64)> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a screenshot is a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a screenshot fits into memory")];
    let frame = reader.next_frame(&mut pixels).expect("a screenshot is a whole PNG");
    let samples = frame.color_type.samples();
    assert!(samples >= 3, "a screenshot has colours");
    let mut counts: BTreeMap<[u8; 3], u32> = BTreeMap::new();
    for pixel in pixels[..frame.buffer_size()].chunks_exact(samples) {
        *counts.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
    }
    let total = f64::from(frame.width) * f64::from(frame.height);
    let mut shares: Vec<_> = counts.into_iter().map(|(colour, count)| (colour, f64::from(count) / total)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}

/// Checks that a screenshot shows a page: many colours (text alone has dozens, by its smooth edges), and no colour everywhere.
pub fn assert_not_blank(png: &[u8]) {
    let colours = colours(png);
    assert!(colours.len() >= 50, "the screenshot has {} colours only", colours.len());
    assert!(colours[0].1 < 0.98, "one colour covers {:.1} % of the screenshot", colours[0].1 * 100.0);
}

/// How bright a colour is, from 0 to 255; the weights are those of ITU-R BT.601.
pub fn brightness(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(f64::from);
    0.299 * red + 0.587 * green + 0.114 * blue
}
