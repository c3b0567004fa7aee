//! Faults of layout that a machine can tell: what lies outside the screen, is cut off, lies over another text, or is too small to
//! be touched. Tests require that there is none; `./run screenshots` names them with each picture.

use serde_json::Value;

use crate::page::Page;

/// The form that the page takes in a window or a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of the bench on one screen.
    Screen,
    /// A phone's.
    Phone,
    /// In a frame of another page, with `?embed=1`.
    Embedded,
}

/// What each script can use: whether an element is seen, and its name for people. What a closed part of the page holds has a place
/// in some engines, but is not seen.
const MEANS: &str = "
    const isSeen = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== 'hidden' && one.clientWidth !== 1 &&
      one.checkVisibility?.() !== false;
    const named = (one) => {
      const kind = [one.tagName.toLowerCase(), ...one.classList].join('.');
      const text = (one.textContent.trim() || one.getAttribute('aria-label') || one.id || '').replace(/\\s+/g, ' ');
      return text ? `${kind} “${text.length > 40 ? text.slice(0, 40) + '…' : text}”` : kind;
    };";

/// Of the bench on one screen, what is not wholly on it; the last two are not on every bench.
pub const OFF_SCREEN: &str = "
    const isInside = ({ top, bottom, left, right }) => top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth + 1;
    const must = ['.bench', '.picture', '.knobs', '.outcome', '.rooms-nav', '.live'];
    const may = ['[data-testid=next-step]', '.headline'].filter((one) => document.querySelector(one));
    return [...must, ...may].filter((one) => {
      const found = document.querySelector(one);
      return !found || !isInside(found.getBoundingClientRect());
    }).map((one) => `${one} is not wholly on the screen`)";

/// Of a phone's first screen, what is missing, lies over what is above it, or ends below the screen.
pub const OFF_PHONE: &str = "
    const names = ['.page > header', '.strip', '.picture', '.live', '.dock'];
    const places = names.map((one) => document.querySelector(one)?.getBoundingClientRect());
    const faults = names.filter((_, at) => !places[at]).map((one) => `${one} is missing`);
    if (faults.length) return faults;
    if (places[0].height >= 60) faults.push('the header has more than one line');
    if (places[0].top < 0) faults.push('the header is above the screen');
    names.forEach((one, at) => {
      if (at > 0 && places[at].top < places[at - 1].bottom - 1) faults.push(`${one} lies over ${names[at - 1]}`);
    });
    if (places[4].bottom > innerHeight + 1) faults.push('.dock ends below the screen');
    return faults";

/// In a frame, the machine.
const OFF_FRAME: &str = "
    const { top, bottom } = document.querySelector('.picture').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight ? [] : [`the machine is at ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight} px`]";

/// What reaches beyond the right edge, the innermost part last. Parts that scroll in their own box do not make the page wider.
const BEYOND_THE_EDGE: &str = "
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const scrolls = (e) => e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
    return [`the page has ${document.documentElement.scrollWidth} px in ${innerWidth}`].concat([...document.querySelectorAll('body *')]
      .filter((e) => !scrolls(e.parentElement) && (e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > innerWidth + 1))
      .slice(-10).map((e) => `${named(e)} ends at ${Math.round(e.getBoundingClientRect().right)} px and has ${e.scrollWidth}`))";

/// Panes of the bench that scroll sideways.
const SIDEWAYS: &str = "
    return ['.knobs', '.outcome', '.rooms'].map((one) => [one, document.querySelector(one)]).filter(([, one]) => one && isSeen(one))
      .filter(([, one]) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
      .map(([name, one]) => `${name} has ${one.scrollWidth} px in ${one.clientWidth}`)";

/// Text that a box cuts off, also where “…” says so. A box may leave out whole pieces, and cut words that are hidden or transparent: a
/// sign stands for them, or they appear when the box is pointed at, and then it has room for them.
const CUT_OFF: &str = "
    const isPainted = (one) => isSeen(one) && !/^(transparent|rgba\\(.*, 0\\))$/.test(getComputedStyle(one).color);
    const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const boxes = [...document.querySelectorAll('body *')].filter((one) => one.clientWidth > 2 && one.clientHeight > 2 && isSeen(one) &&
      (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3));
    const stays = (box, one) => one === box || (getComputedStyle(one).overflowY === 'visible' && stays(box, one.parentElement));
    const linesOf = (box) => {
      const lines = [];
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.data.trim() || !isPainted(text.parentElement) || !stays(box, text.parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        lines.push({ text: text.data.trim(), places: [...range.getClientRects()] });
      }
      return lines;
    };
    return boxes.flatMap((box) => {
      const { overflowX, overflowY } = getComputedStyle(box);
      const [across, down] = [clips(overflowX), clips(overflowY)];
      if (!across && !down) return [];
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const isIn = (one) => (!across || (one.left >= left - 1 && one.right <= right + 1)) && (!down || (one.top >= top - 3 && one.bottom <= bottom + 3));
      const isOut = (one) => (across && (one.left >= right - 1 || one.right <= left + 1)) || (down && (one.top >= bottom - 3 || one.bottom <= top + 3));
      return linesOf(box)
        .filter(({ places }) => places.length > 0 && !places.every(isIn) && !places.every(isOut))
        .map(({ text }) => `cut off: ${text.slice(0, 60)}, by ${named(box)}`);
    })";

/// Texts of the machine that leave the picture, or run into each other.
const OF_THE_PICTURE: &str = "
    const picture = document.querySelector('.picture').getBoundingClientRect();
    const texts = [...document.querySelectorAll('.picture text')].filter((one) => isSeen(one) && one.textContent.trim())
      .map((one) => ({ words: one.textContent.trim().slice(0, 30), place: one.getBoundingClientRect() }))
      .filter(({ place }) => place.width > 0);
    const out = texts.filter(({ place }) => place.left < picture.left - 1 || place.right > picture.right + 1)
      .map(({ words }) => `“${words}” leaves the picture of the machine`);
    const over = [];
    texts.forEach((one, at) => texts.slice(at + 1).forEach((other) => {
      const width = Math.min(one.place.right, other.place.right) - Math.max(one.place.left, other.place.left);
      const height = Math.min(one.place.bottom, other.place.bottom) - Math.max(one.place.top, other.place.top);
      if (width > -2 && height > Math.min(one.place.height, other.place.height) / 2) over.push(`“${one.words}” and “${other.words}” run into each other in the machine`);
    }));
    return out.concat(over)";

/// Controls that are lower or narrower than 24 pixels. Those in a line of text may be as high as the line.
const TOO_SMALL: &str = "
    const reach = (one) => {
      const boxes = [one, ...(one.labels ?? [])].map((each) => each.getBoundingClientRect());
      const span = (from, to) => Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
      return { width: span('left', 'right'), height: span('top', 'bottom') };
    };
    return [...document.querySelectorAll('button, a[href], select, input, textarea, summary')]
      .filter((one) => isSeen(one) && getComputedStyle(one).display !== 'inline')
      .map((one) => [one, reach(one)])
      .filter(([, { width, height }]) => height < 23.5 || width < 23.5)
      .map(([one, { width, height }]) => `too small: ${named(one)} is ${Math.round(width)} by ${Math.round(height)} px`)";

/// Controls of a phone's page that are lower than 44 pixels, and buttons that are narrower.
const TOO_SMALL_FOR_A_FINGER: &str = "
    return [...document.querySelectorAll(`.page > header :is(button, summary), .strip, .dock button, .live :is(button, select, input),
         .machine > .card-head button, .rooms-nav button, .swiper button, .knobs.open :is(button, select, input[type=range], input[type=number]),
         .findings.open > .sheet-head`)]
      .filter((one) => one.getClientRects().length > 0)
      .map((one) => [one, one.getBoundingClientRect(), one.tagName === 'BUTTON'])
      .filter(([, { width, height }, button]) => height < 43.5 || (button && width < 43.5))
      .map(([one, { width, height }]) => `too small for a finger: ${named(one)} is ${Math.round(width)} by ${Math.round(height)} px`)";

/// What a script finds.
async fn found(page: &Page, script: &str) -> Vec<String> {
    let found = page.run(&format!("{MEANS}{script}")).await;
    let found = found.as_array().unwrap_or_else(|| panic!("a list of faults: {found}"));
    found.iter().filter_map(Value::as_str).map(str::to_string).collect()
}

/// What makes the page wider than its window.
pub async fn beyond_the_edge(page: &Page) -> Vec<String> {
    found(page, BEYOND_THE_EDGE).await
}

/// What a finger cannot touch with ease.
pub async fn too_small_for_a_finger(page: &Page) -> Vec<String> {
    found(page, TOO_SMALL_FOR_A_FINGER).await
}

/// Every fault of the page as it stands, in this form.
pub async fn all(page: &Page, form: Form) -> Vec<String> {
    let (off, small) = match form {
        Form::Screen => (OFF_SCREEN, TOO_SMALL),
        Form::Phone => (OFF_PHONE, TOO_SMALL_FOR_A_FINGER),
        Form::Embedded => (OFF_FRAME, TOO_SMALL),
    };
    let mut faults = Vec::new();
    for script in [off, BEYOND_THE_EDGE, SIDEWAYS, CUT_OFF, OF_THE_PICTURE, small] {
        faults.extend(found(page, script).await);
    }
    faults
}
