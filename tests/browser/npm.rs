//! The package of npm in a page: what its README leads to, and the project's own page, both bundled.

use std::time::Duration;

use xtask::packed::{CONSUMER, README_PAGE};
use xtask::server::Site;

use crate::driver::{Browser, Scheme};
use crate::page::Page;
use crate::{in_a_runtime, serve_site};

/// The folders of both pages in the test's site: not the root, because they must work from any sub-path.
const READMES: &str = "/some/course/";
const PROJECTS: &str = "/another/course/";

/// How long a page may take, in tenths of a second.
const TENTHS: u32 = 600;

/// Opens both pages in Chromium.
pub fn open() {
    let root = zvmlab_tests::root();
    let site = Site::new(READMES, root.join(README_PAGE).join("site"));
    let base = serve_site(site.and(PROJECTS, root.join(CONSUMER).join("site")));
    in_a_runtime(async {
        let browser = Browser::start(xtask::engines::Engine::Chromium, Scheme::Calm).await;
        let page = browser.page(&base);
        let projects = told(&page, &format!("{base}{PROJECTS}page.html"), "pre", |text| !text.is_empty()).await;
        let readmes = told(&page, &format!("{base}{READMES}page.html"), "output", |text| text.starts_with("ETR ")).await;
        browser.close().await;
        assert_eq!(projects, "nothing is wrong", "the project's page");
        assert!(readmes.contains("tx/s, 95 % from ") && readmes.contains("What limits: "), "the README's page: {readmes}");
    });
}

/// The text of an element of a page, as soon as it is what is awaited, or what it is in the end.
async fn told(page: &Page, address: &str, element: &str, is_it: fn(&str) -> bool) -> String {
    page.load(address).await;
    let script = format!("return document.querySelector('{element}')?.textContent ?? ''");
    let mut text = String::new();
    for _ in 0..TENTHS {
        let told = page.run(&script).await;
        text = told.as_str().unwrap_or_default().trim().to_string();
        if is_it(&text) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    text
}
