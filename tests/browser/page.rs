//! The lab's page as a visitor uses it: opening it, waiting for it, reading it, and checking it for errors.

use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use xtask::engines::Engine;

use crate::PAGE;
use crate::driver::{BrowserLog, Scheme};

/// The address of the base run of the 6.4 paging page, with which most stories begin.
pub const PAGING: &str = "?run=V4DVY000";
/// The host of the subject STORBUF whose guests touch twice what fits.
pub const CONSTRAINED: &str = "?run=STORBUF";

/// How often a slider is dragged until the press meets it.
const DRAGS: u32 = 3;

/// The longest wait for anything on the page. Chosen: three times the longest part of a story on two busy cores, of which a wait is a part;
/// and so that a story that hangs can be told again within the time of a whole run.
pub const PATIENCE: Duration = Duration::from_secs(200);

/// The time between two looks at the page: a tenth of the wait so far, within these bounds. Each look takes the page some time,
/// and what takes long is often computed by the page itself.
const LOOKS: [Duration; 2] = [Duration::from_millis(30), Duration::from_millis(250)];

/// Most strokes of Tab between two elements. Chosen: the page has fewer elements that take the focus.
const TABS_MAX: usize = 400;

/// The lab's page in a browser.
pub struct Page {
    engine: Engine,
    client: Client,
    base: String,
}

impl Page {
    /// The page on the site at `base`, not opened yet.
    pub fn new(engine: Engine, client: Client, base: &str) -> Page {
        Page { engine, client, base: base.into() }
    }

    /// The engine that shows it.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The address of the site, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether this engine also tells what does not depend on the engine. Scenarios, links, results and words come from the same
    /// program in each engine, and the goldens hold in all of them. The other engines tell what an engine does itself: painting,
    /// focus and keys, history, what it keeps, frames and messages, workers, a phone's form.
    pub fn tells_all(&self) -> bool {
        self.engine == Engine::Chromium
    }

    /// Prints what is being tested.
    pub fn say(&self, text: &str) {
        println!("  {}: {text}", self.engine.name());
    }

    /// Opens the page with `rest` after its address, and waits for the first settled result.
    pub async fn open(&self, rest: &str) {
        self.load(&format!("{}{PAGE}{rest}", self.base)).await;
        self.until("the first settled result", "return document.body?.dataset.ready === 'true'").await;
    }

    /// The same where the page has something to say about its address: waits for that, and for no result.
    pub async fn open_to_an_alert(&self, rest: &str) {
        self.load(&format!("{}{PAGE}{rest}", self.base)).await;
        let said = "return [...document.querySelectorAll('[role=alert]')].some((alert) => alert.textContent.trim() !== '')";
        self.until("an alert", said).await;
    }

    /// Opens another page of the site.
    pub async fn open_other(&self, path: &str) {
        self.load(&format!("{}{path}", self.base)).await;
    }

    /// Loads an address anew. It goes through another page, because a change of the fragment alone would not load anything.
    pub async fn load(&self, address: &str) {
        self.client.goto("about:blank").await.expect("an empty page can be opened");
        self.client.goto(address).await.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// Waits until a script returns true. A driver may be unable to run it while the page is being replaced: then it is asked again.
    pub async fn until(&self, what: &str, script: &str) {
        let start = Instant::now();
        loop {
            let answer = self.client.execute(script, vec![]).await;
            if matches!(answer, Ok(Value::Bool(true))) {
                return;
            }
            if start.elapsed() > PATIENCE {
                let errors = self.run("return window.zvmlabErrors || null").await;
                panic!("waited {} s for {what}, last {answer:?}; errors on the page: {errors}", PATIENCE.as_secs());
            }
            tokio::time::sleep((start.elapsed() / 10).clamp(LOOKS[0], LOOKS[1])).await;
        }
    }

    /// What a script returns.
    pub async fn run(&self, script: &str) -> Value {
        self.client.execute(script, vec![]).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What a script gives to the callback that is its last argument.
    pub async fn run_async(&self, script: &str) -> Value {
        self.client.execute_async(script, vec![]).await.unwrap_or_else(|error| panic!("a script of the test: {error}"))
    }

    /// The element that a CSS selector finds. Waits for it, because what was just asked for may not be drawn yet.
    pub async fn element(&self, selector: &str) -> Element {
        let there = format!("return document.querySelector({}) !== null", json!(selector));
        self.until(selector, &there).await;
        self.client.find(Locator::Css(selector)).await.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Clicks an element as a person would: once it is in sight and no longer moves. Charts that come into sight take their
    /// height, and move what is below them.
    pub async fn click(&self, selector: &str) {
        for tries in 0.. {
            self.stands_still(selector).await;
            match self.element(selector).await.click().await {
                // It was drawn anew between the two: the new one is meant.
                Err(error) if tries < 3 && error.to_string().contains("stale element") => {}
                clicked => return clicked.unwrap_or_else(|error| panic!("{selector}: {error}")),
            }
        }
    }

    /// Brings an element into sight and waits until it no longer moves.
    async fn stands_still(&self, selector: &str) {
        let stands = format!(
            "const one = document.querySelector({});
             if (!one) return false;
             const seen = () => {{
               const {{ left, top, width, height }} = one.getBoundingClientRect();
               const there = document.elementFromPoint(left + width / 2, top + height / 2);
               return one.contains(there) || one.labels?.[0]?.contains(there) === true;
             }};
             // In a pane that stays while the page moves, each look would move the page further.
             if (!seen()) one.scrollIntoView({{ block: 'center' }});
             const {{ left, top }} = one.getBoundingClientRect();
             const place = `${{left}} ${{top}}`;
             const stands = window.zvmlabTestPlace === place && seen();
             window.zvmlabTestPlace = place;
             return stands",
            json!(selector)
        );
        self.until(&format!("{selector} to stand still in sight"), &stands).await;
    }

    /// Types into a field as a person would: enters it, clears it, types the new text, goes on to the next field.
    pub async fn fill(&self, selector: &str, text: &str) {
        self.stands_still(selector).await;
        let field = self.element(selector).await;
        field.clear().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
        field.send_keys(&format!("{text}\u{e004}")).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Ends the live run that the page began by itself, and chooses a speed for the next one, in simulated seconds for each
    /// second. By script: charts that come into sight take their height and would move the menu away under the pointer.
    pub async fn end_live(&self, speed: &str) {
        let reset = "[...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === 'Reset run')";
        self.until("the live run that the page began", &format!("return {reset}?.disabled === false")).await;
        self.run(&format!("{reset}.click()")).await;
        self.until("no live run", &format!("return {reset}?.disabled === true")).await;
        let choose = format!(
            "const menu = document.querySelector('#speed');
             menu.value = '{speed}';
             menu.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        self.run(&choose).await;
        self.until("the speed", &format!("return document.querySelector('#speed').value === '{speed}'")).await;
    }

    /// The settled ETR, as text and as a number.
    pub async fn etr(&self) -> (String, f64) {
        let value = self.run("return document.querySelector('[data-testid=\"figure-etr\"]')?.dataset.value").await;
        let text = value.as_str().unwrap_or_else(|| panic!("no settled ETR on the page: {value}")).to_string();
        let number = text.parse().unwrap_or_else(|_| panic!("the settled ETR is not a number: {text:?}"));
        (text, number)
    }

    /// Waits until the settled ETR differs from `before` and no experiment is running.
    pub async fn settled_after(&self, before: &str) -> (String, f64) {
        let script = format!(
            "const etr = document.querySelector('[data-testid=\"figure-etr\"]')?.dataset.value;
             const busy = document.querySelector('[data-testid=\"result\"]')?.getAttribute('aria-busy');
             return etr !== undefined && etr !== {} && busy !== 'true'",
            json!(before)
        );
        self.until("another settled result", &script).await;
        self.etr().await
    }

    /// The settled value of one of the main figures.
    pub async fn figure(&self, id: &str) -> f64 {
        let value =
            self.run(&format!("return document.querySelector('[data-testid=\"figure-{id}\"]')?.dataset.value")).await;
        let number = value.as_str().and_then(|text| text.parse().ok());
        number.unwrap_or_else(|| panic!("no settled {id} on the page: {value}"))
    }

    /// Waits until a main figure differs from `before` and no experiment is running.
    pub async fn settled_from(&self, id: &str, before: f64) {
        let script = format!(
            "const value = document.querySelector('[data-testid=\"figure-{id}\"]')?.dataset.value;
             return value !== undefined && Number(value) !== {before}"
        );
        self.until(&format!("another {id} than {before}"), &script).await;
        self.at_rest().await;
    }

    /// Waits until no experiment is running and none begins: a dragged slider or a typed number may have started several
    /// experiments.
    pub async fn at_rest(&self) {
        let idle = "return document.querySelector('[data-testid=\"result\"]')?.getAttribute('aria-busy') !== 'true'";
        self.until("nothing to be run", idle).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        self.until("nothing more to be run", idle).await;
    }

    /// Presses keys in an element, as a reader without a pointer does.
    pub async fn keys(&self, selector: &str, keys: &str) {
        self.run(&format!("document.querySelector({}).focus()", json!(selector))).await;
        self.element(selector).await.send_keys(keys).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses keys in the element that has the focus.
    pub async fn press(&self, keys: &str) {
        let focused = self.client.active_element().await.expect("something has the focus");
        focused.send_keys(keys).await.unwrap_or_else(|error| panic!("{keys:?}: {error}"));
    }

    /// Strikes keys one after the other, as at a keyboard: each goes to the element that has the focus then.
    pub async fn strike(&self, keys: &str) {
        self.strokes(keys.chars().flat_map(|value| [KeyAction::Down { value }, KeyAction::Up { value }])).await;
    }

    /// Strikes Tab with Shift held.
    async fn strike_back(&self) {
        let [shift, tab] = ['\u{e008}', '\u{e004}'];
        let down = [shift, tab].map(|value| KeyAction::Down { value });
        self.strokes(down.into_iter().chain([tab, shift].map(|value| KeyAction::Up { value }))).await;
    }

    /// Strikes a key with Ctrl held.
    pub async fn strike_with_ctrl(&self, value: char) {
        let control = '\u{e009}';
        let down = [control, value].map(|value| KeyAction::Down { value });
        self.strokes(down.into_iter().chain([value, control].map(|value| KeyAction::Up { value }))).await;
    }

    async fn strokes(&self, strokes: impl Iterator<Item = KeyAction>) {
        let hands = strokes.fold(KeyActions::new("keyboard".into()), KeyActions::then);
        self.client.perform_actions(hands).await.unwrap_or_else(|error| panic!("at the keyboard: {error}"));
    }

    /// Strikes Tab, or Tab with Shift where that way is the right one, until the wanted element has the focus; the script calls
    /// it `it`. It does not go round by the controls of the browser itself, where scripts do not see the focus.
    pub async fn tab_to(&self, what: &str, wanted: &str) {
        let there = format!(
            "const is = (it) => Boolean(it && ({wanted})), now = document.activeElement;
             if (is(now)) return 'there';
             const goal = [...document.querySelectorAll('*')].find(is);
             return goal && now?.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_PRECEDING ? 'back' : 'on'"
        );
        for _ in 0..TABS_MAX {
            match self.run(&there).await.as_str() {
                Some("there") => return,
                Some("back") => self.strike_back().await,
                _ => self.strike("\u{e004}").await,
            }
        }
        panic!("{}: {TABS_MAX} strokes of Tab do not lead to {what}", self.engine.name());
    }

    /// The text of an element, with plain spaces only; empty if there is no such element.
    pub async fn text(&self, selector: &str) -> String {
        let text = self.run(&format!("return document.querySelector({})?.textContent ?? ''", json!(selector))).await;
        text.as_str().unwrap_or_default().replace('\u{a0}', " ")
    }

    /// The value of a field.
    pub async fn value(&self, selector: &str) -> String {
        let value = self.run(&format!("return document.querySelector({})?.value ?? ''", json!(selector))).await;
        value.as_str().unwrap_or_default().to_string()
    }

    /// Drags the thumb of a slider to `part` of the slider's width, with the mouse.
    pub async fn drag(&self, selector: &str, part: f64) {
        let held = format!("return document.activeElement?.matches({}) === true", json!(selector));
        // Charts that take their height may move the slider away between a look at it and the press: then the press meets
        // something else, and the slider has no focus.
        for _ in 0..DRAGS {
            self.drag_once(selector, part).await;
            if self.run(&held).await == Value::Bool(true) {
                return;
            }
        }
        panic!("{selector} could not be dragged in {DRAGS} tries");
    }

    async fn drag_once(&self, selector: &str, part: f64) {
        self.stands_still(selector).await;
        let place = format!(
            "const slider = document.querySelector({});
             const {{ left, top, width, height }} = slider.getBoundingClientRect();
             const stands = (slider.value - slider.min) / (slider.max - slider.min);
             // The middle of the thumb, some 8 px from either end, cannot reach the ends of the slider.
             return {{ from: left + 8 + stands * (width - 16), to: left + width * {part}, y: top + height / 2 }}",
            json!(selector)
        );
        let place = self.run(&place).await;
        let at = |key: &str| place[key].as_f64().unwrap_or_else(|| panic!("{selector} has no place: {place}"));
        let moved = |x: f64, ms: u64| PointerAction::MoveTo { duration: Some(Duration::from_millis(ms)), x, y: at("y") };
        let halfway = (at("from") + at("to")) / 2.0;
        let mouse = MouseActions::new("mouse".into())
            .then(moved(at("from"), 0))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(moved(halfway, 100))
            .then(moved(at("to"), 100))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Chooses a word of a knob; the knob is a menu or a row of radio buttons.
    pub async fn choose(&self, selector: &str, word: &str) {
        let is_menu = format!("return document.querySelector({}).tagName === 'SELECT'", json!(selector));
        if self.run(&is_menu).await == Value::Bool(true) {
            // WebKitGTK's driver opens no menu at the edge of the window. It need not stand still: nothing is pressed at a place.
            self.run(&format!("document.querySelector({}).scrollIntoView({{ block: 'center' }})", json!(selector))).await;
            let menu = self.element(selector).await;
            menu.select_by_value(word).await.unwrap_or_else(|error| panic!("{selector}: {word}: {error}"));
        } else {
            self.click(&format!("{selector} input[value=\"{word}\"]")).await;
        }
    }

    /// Whether a switch is on.
    pub async fn is_on(&self, selector: &str) -> bool {
        self.run(&format!("return document.querySelector({}).checked", json!(selector))).await == Value::Bool(true)
    }

    /// The address that a visitor would copy.
    pub async fn link(&self) -> String {
        self.run("return location.href").await.as_str().expect("an address is a text").to_string()
    }

    /// Gives the window a size, without its frame, in pixels.
    pub async fn resize(&self, width: u64, height: u64) {
        let frame = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]").await;
        let outer = |inner: u64, at: usize| (inner + frame[at].as_u64().unwrap_or_default()) as u32;
        self.client.set_window_size(outer(width, 0), outer(height, 1)).await.expect("the window can be resized");
        let is_so = format!("return innerWidth === {width} && innerHeight === {height}");
        self.until(&format!("a window of {width} by {height} pixels"), &is_so).await;
    }

    /// The picture of the window, as PNG.
    pub async fn screenshot(&self) -> Vec<u8> {
        self.is_painted_again().await;
        self.client.screenshot().await.expect("the window can be pictured")
    }

    /// The picture of an element, as PNG.
    pub async fn screenshot_of(&self, selector: &str) -> Vec<u8> {
        self.is_painted_again().await;
        self.element(selector).await.screenshot().await.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Lets WebKitGTK paint the page for some seconds, though nothing on it changes. It takes a picture when it paints next, and
    /// a page that stands still may not be painted again.
    async fn is_painted_again(&self) {
        if self.engine != Engine::WebKit {
            return;
        }
        let repaint = "let left = 200;
             const turn = setInterval(() => {
               left -= 1;
               document.body.style.outline = left % 2 ? '1px solid transparent' : '';
               if (left <= 0) clearInterval(turn);
             }, 30)";
        self.run(repaint).await;
    }

    /// Goes on in the first frame of the page.
    pub async fn enter_frame(&self) {
        self.client.enter_frame(0).await.expect("the page has a frame");
    }

    /// Goes back to the page around the frame.
    pub async fn leave_frame(&self) {
        self.client.enter_parent_frame().await.expect("the frame is in a page");
    }

    /// Stops the live run at this part of the experiment. If there is no live run, one begins.
    pub async fn stand_at(&self, part: &str) {
        self.at_rest().await;
        let go = "const button = [...document.querySelectorAll('.live button')].find((one) => one.textContent.trim() === 'Pause');
             button?.click();
             const time = document.querySelector('#time');
             time.value = String(Math.round(Number(time.max) * PART));
             time.dispatchEvent(new Event('change', { bubbles: true }))";
        self.run(&go.replace("PART", part)).await;
        let there = "const shown = Number(document.querySelector('.live .clock .time')?.textContent.replace(' s', ''));
             return Math.abs(shown - Math.round(Number(document.querySelector('#time').max) * PART)) < 0.01 &&
               document.querySelector('.machine .unit').textContent.includes('paused')";
        self.until(&format!("the instant at {part} of the experiment"), &there.replace("PART", part)).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }

    /// Checks that the browser really asks for the scheme under test.
    pub async fn assert_scheme(&self, scheme: Scheme) {
        let dark = self.run("return matchMedia('(prefers-color-scheme: dark)').matches").await;
        assert_eq!(dark, Value::Bool(scheme == Scheme::Dark), "{}: prefers-color-scheme: dark", self.engine.name());
    }

    /// Checks that nothing went wrong on the page since it was loaded: no error, no rejected promise, no violation of its
    /// policy. The page's first script records these; the check also reads Chromium's own log.
    pub async fn assert_no_errors(&self, when: &str) {
        let errors = self.run("return window.zvmlabErrors || null").await;
        assert_eq!(errors, json!([]), "{}: errors on the page {when}", self.engine.name());
        if self.engine == Engine::Chromium {
            let severe = self.severe_log().await;
            assert!(severe.is_empty(), "errors in Chromium's log {when}: {severe:#?}");
        }
    }

    /// The errors in Chromium's log since the last read, without the missing icon: no page needs to declare one.
    pub async fn severe_log(&self) -> Vec<Value> {
        let log = self.client.issue_cmd(BrowserLog).await.expect("Chromium gives its log");
        let entries = log.as_array().expect("the log is a list").clone();
        let severe = entries.into_iter().filter(|entry| entry["level"] == "SEVERE");
        severe.filter(|entry| !entry["message"].as_str().unwrap_or_default().contains("/favicon.ico")).collect()
    }
}
