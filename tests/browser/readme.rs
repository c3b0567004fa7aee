//! Takes the pictures of the README: chooses the parts of the page, and waits until they are drawn.

use serde_json::json;

use crate::page::Page;
use crate::picture;

/// Width of the window in pixels; in it the result and IBM's figures stand side by side.
const WIDTH: u64 = 1440;

/// First height of the window in pixels. Chosen: more than a picture needs, because charts out of sight are not drawn.
const TALL: u64 = 3000;

/// Margin around a picture, in pixels. Chosen: less than the space between two cards.
const MARGIN: u64 = 12;

/// How often in a row the height must be the same. Chosen: about half a second.
const STILL: u32 = 15;

/// Hides how long this machine took, which is never the same twice, and the scroll bars.
const PLAIN: &str = "const plain = new CSSStyleSheet();
    plain.replaceSync('* { scrollbar-width: none } .result .progress { visibility: hidden }');
    document.adoptedStyleSheets = [plain]";

/// Takes both pictures. No mouse, because the element under it would look different.
pub async fn take_pictures(page: Page) {
    page.open("").await;
    let (before, _) = page.etr().await;
    page.run("document.querySelector('#knob-paging-zhpf').click()").await;
    page.settled_after(&before).await;
    take(&page, "paging", "body", ".result").await;

    page.open("?run=MOVE").await;
    take(&page, "relocation", "#relocation-room", "#chart-relocation-passes").await;
}

/// Takes a picture of the page from the start of one element to the end of another.
async fn take(page: &Page, name: &str, first: &str, last: &str) {
    page.at_rest().await;
    page.run(PLAIN).await;
    // On a busy machine charts may take their height late. A height counts once the window has it and it no longer changes.
    let (mut height, mut measured) = (0, TALL);
    while height != measured {
        height = measured;
        page.resize(WIDTH, height).await;
        measured = measure(page, first, last).await;
    }
    page.assert_no_errors("in the picture").await;
    let png = picture::in_few_colours(&page.screenshot().await);
    let file = zvmlab_tests::root().join("pictures").join(name).with_extension("png");
    std::fs::write(&file, &png).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    page.say(&format!("pictures/{name}.png: {WIDTH} by {height} pixels, {} KB", png.len() / 1000));
}

/// Scrolls to `first` and waits until everything down to `last` is drawn and no longer moves. Returns the height of it all.
async fn measure(page: &Page, first: &str, last: &str) -> u64 {
    let script = format!(
        "const [first, last] = [{}, {}].map((one) => document.querySelector(one));
         scrollBy(0, Math.round(first.getBoundingClientRect().top) - {MARGIN});
         const end = last.getBoundingClientRect().bottom;
         const drawn = [...document.querySelectorAll('canvas')].every((canvas) => {{
             const {{ top, bottom }} = canvas.getBoundingClientRect();
             if (bottom < 0 || top > end) return true;
             if (!canvas.width || !canvas.height) return false;
             const {{ data }} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
             return new Set(new Uint32Array(data.buffer)).size > 2;
         }});
         const height = drawn && document.getAnimations().length === 0 ? Math.ceil(end) + {MARGIN} : 0;
         window.zvmlabTestStill = height > 0 && window.zvmlabTestHeight === height ? window.zvmlabTestStill + 1 : 0;
         window.zvmlabTestHeight = height;
         return window.zvmlabTestStill >= {STILL}",
        json!(first),
        json!(last)
    );
    page.until(&format!("{first} to {last} to be drawn"), &script).await;
    // The next measurement begins at zero.
    page.run("const height = window.zvmlabTestHeight; window.zvmlabTestHeight = 0; return height")
        .await
        .as_u64()
        .expect("a height is a whole number")
}
