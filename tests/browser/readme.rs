//! Takes the two pictures of the README: chooses host, knobs and instant.

use crate::page::Page;
use crate::picture;

/// Size of the window in pixels: the bench is on one screen.
const SIZE: (u64, u64) = (1440, 900);

/// Hides how long this machine took, which is never the same twice, and the scroll bars.
const PLAIN: &str = "const plain = new CSSStyleSheet();
    plain.replaceSync('* { scrollbar-width: none } .result .progress { visibility: hidden }');
    document.adoptedStyleSheets = [plain]";

/// Takes both pictures. No mouse, because the element under it would look different. The live run stands at an instant, so that the
/// pictures are the same each time.
pub async fn take_pictures(page: Page) {
    page.resize(SIZE.0, SIZE.1).await;
    page.open("").await;
    take(&page, "whole", "0.7").await;

    page.open("?run=MOVE").await;
    take(&page, "relocation", "0.75").await;
}

/// Takes a picture of the window with the live run at this part of the experiment.
async fn take(page: &Page, name: &str, part: &str) {
    page.at_rest().await;
    page.run(PLAIN).await;
    page.stand_at(part).await;
    page.assert_no_errors("in the picture").await;
    let png = picture::in_few_colours(&page.screenshot().await);
    let file = zvmlab_tests::root().join("pictures").join(name).with_extension("png");
    std::fs::write(&file, &png).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    page.say(&format!("pictures/{name}.png: {} by {} pixels, {} KB", SIZE.0, SIZE.1, png.len() / 1000));
}
