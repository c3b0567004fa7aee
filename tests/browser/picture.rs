//! Pictures: tells whether a screenshot shows anything.

use std::collections::BTreeMap;

/// Most colours of a PNG with a table of colours.
const TABLE: usize = 256;

/// Width and height of a PNG, and its pixels.
fn pixels(png: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a screenshot is a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a screenshot fits into memory")];
    let frame = reader.next_frame(&mut pixels).expect("a screenshot is a whole PNG");
    let samples = frame.color_type.samples();
    assert!(samples >= 3, "a screenshot has colours");
    let pixels = pixels[..frame.buffer_size()].chunks_exact(samples).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    (frame.width, frame.height, pixels.collect())
}

/// The colours of a PNG, each with the share of the picture that it covers, the largest first.
pub fn colours(png: &[u8]) -> Vec<([u8; 3], f64)> {
    let (width, height, pixels) = pixels(png);
    let mut counts: BTreeMap<[u8; 3], u32> = BTreeMap::new();
    for pixel in pixels {
        *counts.entry(pixel).or_default() += 1;
    }
    let total = f64::from(width) * f64::from(height);
    let mut shares: Vec<_> = counts.into_iter().map(|(colour, count)| (colour, f64::from(count) / total)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares
}

/// Checks that a screenshot shows a page: many colours (smooth edges give even text dozens), and no colour that covers
/// everything.
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

/// The same picture as a PNG of less than half the size, with a table of colours. A colour outside the table becomes a near
/// one.
pub fn in_few_colours(png: &[u8]) -> Vec<u8> {
    let (width, height, pixels) = pixels(png);
    let all = colours(png);
    let mut tables = (0..=u8::MAX).map(|reach| table(&all, reach));
    let table = tables.find(|table| table.len() <= TABLE).expect("the last reach leaves one colour");
    let nearest = |pixel| (0..table.len()).min_by_key(|&at| distance(table[at], pixel)).unwrap_or_default() as u8;
    let mut known = BTreeMap::new();
    let places: Vec<u8> = pixels.iter().map(|pixel| *known.entry(*pixel).or_insert_with(|| nearest(*pixel))).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(table.concat());
    encoder.set_compression(png::Compression::High);
    // Neighbouring numbers in the table are not similar colours, so a filter that stores differences between pixels would
    // only make the file longer.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().expect("a PNG can be begun");
    writer.write_image_data(&places).expect("a PNG can be written");
    writer.finish().expect("a PNG can be ended");
    file
}

/// The most frequent colours, each farther than `reach` from those before it.
fn table(all: &[([u8; 3], f64)], reach: u8) -> Vec<[u8; 3]> {
    let mut table: Vec<[u8; 3]> = Vec::new();
    for (colour, _) in all {
        if table.iter().all(|known| distance(*known, *colour) > reach) {
            table.push(*colour);
        }
    }
    table
}

/// How far two colours are from each other, in the channel in which they differ most.
fn distance(one: [u8; 3], other: [u8; 3]) -> u8 {
    (0..3).map(|at| one[at].abs_diff(other[at])).max().unwrap_or_default()
}
