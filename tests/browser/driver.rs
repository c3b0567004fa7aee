//! One browser under test: its driver's process and its session, from start to end.

use std::any::Any;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::wd::{Capabilities, TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use xtask::engines::{Engine, has_display};

use crate::page::{PATIENCE, Page};
use crate::pictures;

/// How long a driver may take to start. Chosen: a busy machine needs a few seconds.
const START: Duration = Duration::from_secs(60);

/// How long a browser may take for its last picture and to close. A browser that has failed may do neither; then its driver
/// is ended.
const END: Duration = Duration::from_secs(20);

/// What the browser asks pages for: a colour scheme, and less motion or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Dark on light.
    Light,
    /// The same, with less motion: the machine stands still, and the page leaves the processor to the test.
    Calm,
    /// Light on dark, with less motion.
    Dark,
}

impl Scheme {
    /// Whether the browser asks for less motion.
    fn is_calm(self) -> bool {
        self != Scheme::Light
    }
}

/// A browser, its driver and the session between them.
pub struct Browser {
    engine: Engine,
    client: Client,
    driver: Driver,
}

/// The driver's process; it ends when this value is dropped.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        // The process may have ended by itself. Nothing can be done about either failure.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Browser {
    /// Starts the engine's driver on a free port and opens a session with it.
    pub async fn start(engine: Engine, scheme: Scheme) -> Browser {
        if let Some(missing) = engine.missing() {
            panic!("{}: {missing}; ./run test installs it or says how", engine.name());
        }
        let no_display = engine == Engine::WebKit && !has_display();
        assert!(!no_display, "WebKitGTK needs a display: call this under xvfb-run -a");
        let port = free_port();
        let driver = start_driver(engine, scheme, port);
        let client = open_session(engine, scheme, port).await;
        Browser { engine, client, driver }
    }

    /// The lab's page on the site at `base`, not opened yet.
    pub fn page(&self, base: &str) -> Page {
        Page::new(self.engine, self.client.clone(), base)
    }

    /// Runs this script in each page before the page's own scripts. Only Chromium's driver can do that.
    pub async fn run_first(&self, script: &str) {
        let asked = Devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
        self.client.issue_cmd(asked).await.expect("Chromium takes a script for new pages");
    }

    /// The window as it is, if the browser still gives it.
    pub async fn last_picture(&self) -> Option<Vec<u8>> {
        tokio::time::timeout(END, self.client.screenshot()).await.ok()?.ok()
    }

    /// Memory of the browser with all its processes, in MiB, where the system tells it.
    pub fn memory(&self) -> Option<f64> {
        xtask::memory::of_tree(self.driver.0.id())
    }

    /// Ends the session and the driver.
    pub async fn close(self) {
        tokio::time::timeout(END, self.client.close()).await.ok();
    }

    /// Runs a story on the site at `base` and closes the browser, whether the story ended well or not; keeps a picture of
    /// the end, under the story's name.
    ///
    /// # Errors
    /// What the story panicked with.
    pub async fn tell<F: Future<Output = ()> + Send + 'static>(
        self,
        base: &str,
        name: &str,
        story: fn(Page) -> F,
    ) -> Result<(), Box<dyn Any + Send>> {
        let ended = tokio::spawn(story(self.page(base))).await;
        let result = if ended.is_ok() { "end" } else { "failure" };
        let name = format!("{}-{name}-{result}.png", self.engine.name()).to_lowercase();
        if let Some(png) = self.last_picture().await {
            std::fs::write(pictures().join(&name), png).expect("target/ can be written");
        }
        if ended.is_err() {
            println!("{}: the picture of the failure is target/pictures/{name}", self.engine.name());
        }
        self.close().await;
        ended.map_err(|error| error.into_panic())
    }
}

fn free_port() -> u16 {
    let listener = xtask::server::listen(0).expect("some port is free");
    listener.local_addr().expect("it is bound").port()
}

fn start_driver(engine: Engine, scheme: Scheme, port: u16) -> Driver {
    let mut command = Command::new(engine.driver().expect("it was looked for"));
    command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
    match engine {
        Engine::Chromium => {}
        // Without this, all sessions would use the same port for BiDi, which nothing here needs.
        Engine::Firefox => {
            command.args(["--websocket-port", "0", "--log", "fatal"]);
        }
        Engine::WebKit => {
            // Without a graphics card, a library composites layers in software as a card would. Painting the layers at once
            // takes half the time.
            command.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
            // MiniBrowser takes its colour scheme from GTK's theme.
            command.env("GTK_THEME", if scheme == Scheme::Dark { "Adwaita:dark" } else { "Adwaita" });
            if scheme.is_calm() {
                command.env("XDG_CONFIG_HOME", calm_settings());
                // WebKit compiles a page's busiest functions a second time, better, and a story opens too many pages for that to
                // pay: it took two fifths of the time. What moves runs as its users have it.
                command.env("JSC_useOMGJIT", "0");
                // Wasm that runs while WebKit compiles it beside goes wrong now and then (tell in main.rs). Compiled in the same
                // thread, it does not.
                command.env("JSC_useConcurrentJIT", "0");
            }
        }
    }
    Driver(command.spawn().expect("the driver can be started"))
}

/// A folder with settings of GTK without animations; MiniBrowser passes them on as a request for less motion.
fn calm_settings() -> PathBuf {
    let folder = zvmlab_tests::root().join("target/calm");
    for version in ["gtk-3.0", "gtk-4.0"] {
        let settings = folder.join(version);
        std::fs::create_dir_all(&settings).expect("target/ can be written");
        let text = "[Settings]\ngtk-enable-animations=0\n";
        std::fs::write(settings.join("settings.ini"), text).expect("target/ can be written");
    }
    folder
}

async fn open_session(engine: Engine, scheme: Scheme, port: u16) -> Client {
    let capabilities = capabilities(engine, scheme);
    let start = Instant::now();
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        match builder.connect(&format!("http://127.0.0.1:{port}")).await {
            Ok(client) => {
                // Unasked, a driver gives up a script after 30 s, and a busy machine may need more.
                let patience = TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None);
                client.update_timeouts(patience).await.expect("a driver takes its timeouts");
                return client;
            }
            // The driver is not listening yet.
            Err(_) if start.elapsed() < START => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(error) => panic!("{}: no session: {error}", engine.name()),
        }
    }
}

fn capabilities(engine: Engine, scheme: Scheme) -> Capabilities {
    let dark = scheme == Scheme::Dark;
    let browser = engine.browser().expect("it was looked for").display().to_string();
    let value = match engine {
        Engine::Chromium => {
            #[rustfmt::skip]
            let mut args = vec![
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1200,900",
            ];
            args.push(if dark {
                "--blink-settings=preferredColorScheme=0"
            } else {
                "--blink-settings=preferredColorScheme=1"
            });
            args.extend(scheme.is_calm().then_some("--force-prefers-reduced-motion"));
            json!({
                "browserName": "chrome",
                "goog:chromeOptions": { "binary": browser, "args": args },
                "goog:loggingPrefs": { "browser": "ALL" },
            })
        }
        Engine::Firefox => json!({
            "browserName": "firefox",
            "moz:firefoxOptions": {
                "binary": browser,
                "args": ["-headless", "--width=1200", "--height=900"],
                "prefs": {
                    "layout.css.prefers-color-scheme.content-override": i32::from(!dark),
                    "ui.prefersReducedMotion": i32::from(scheme.is_calm()),
                },
            },
        }),
        Engine::WebKit => json!({
            "browserName": "MiniBrowser",
            "webkitgtk:browserOptions": { "binary": browser, "args": ["--automation"] },
        }),
    };
    let Value::Object(capabilities) = value else { unreachable!("it is written as an object") };
    capabilities
}

/// Chromium's own log of errors since the last call: console errors, refused requests, policy violations. Other engines'
/// drivers have no such command.
#[derive(Debug)]
pub struct BrowserLog;

impl WebDriverCompatibleCommand for BrowserLog {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _url: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// A command of Chromium's developer tools, with what it takes.
#[derive(Debug)]
struct Devtools(&'static str, Value);

impl WebDriverCompatibleCommand for Devtools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _url: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "cmd": self.0, "params": self.1 }).to_string()))
    }
}
