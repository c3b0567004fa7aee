//! The subjects of the scheduler and of processors: the test opens each from its link, in light and dark, and in a narrow
//! page.

use serde_json::json;

use crate::barriers;
use crate::page::{PAGING, Page};
use crate::subjects::{begins_at, open};

/// Each subject, its ready experiment, and figures that the subject shows.
const SUBJECTS: [(&str, &str, &[&str]); 5] = [
    ("STORBUF", "STORBUF-FITS", &["etr", "pages_per_second", "response_time"]),
    ("Shares", "Excess share, cured", &["group_1_cpu", "group_2_cpu"]),
    ("Locks and yields", "APS9220", &["diag44_normal"]),
    ("PR/SM", "PRSM", &["etr", "total_busy", "prsm_overhead"]),
    ("PLDV and VARY", "PLDV", &["etr", "forgotten_work"]),
];

/// Each link opens its host with the figures of its subject; so does the link that the page then has. No barriers are found.
pub async fn in_light(page: &Page) {
    page.say("each subject of processors from its link");
    page.open(PAGING).await;
    for (title, run, figures) in SUBJECTS {
        begins_at(page, title, run, figures).await;
    }
}

/// The same barriers, looked for in the other colours.
pub async fn in_dark(page: &Page) {
    page.say("each subject of processors in dark");
    for (title, ..) in SUBJECTS {
        open(page, title).await;
        barriers::assert_none(page, &format!("in the subject {title}, in dark")).await;
        page.assert_no_errors(&format!("in the subject {title}, in dark")).await;
    }
}

/// In the frame of 320 px: the test goes to each subject by its link, draws everything on the way down, and checks that it
/// fits.
pub async fn in_a_narrow_page(page: &Page) {
    for (title, ..) in SUBJECTS {
        let link =
            format!("[...document.querySelectorAll('nav.subjects a')].find((one) => one.textContent === {})", json!(title));
        page.run(&format!("{link}.click()")).await;
        page.until(title, &format!("return {link}?.hasAttribute('aria-current')")).await;
        page.at_rest().await;
        barriers::assert_fits(page, &format!("in the subject {title}")).await;
        barriers::go_down(page).await;
        barriers::assert_fits(page, &format!("in the subject {title}, with its charts")).await;
    }
}
