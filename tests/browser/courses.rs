//! Lessons in courses: the example of a course page, and packages in learning platforms. SCORM packages run in scorm-again, cmi5
//! packages report to the record store Ralph.

use std::fs::{self, File};
use std::net::TcpListener;
use std::process::{Child, Command};
use std::time::Duration;

use serde_json::{Value, json};
use zip::ZipArchive;

use crate::page::Page;
use crate::{EMBEDDERS, PAGE, barriers};

/// Where `./run package` leaves packages.
pub const PACKAGES: &str = "target/packages";

/// The folder in it for what was in the packages.
pub const UNPACKED: &str = "unpacked";

/// The address of the packages' files on the site.
pub const PACKAGES_AT: &str = "/packages/";

/// The address of what npm installs for the tests.
pub const NPM_AT: &str = "/npm/";

/// The example of a course page, in the built site.
const COURSE: &str = "static/course/";

/// Finds the lesson's page: within an element of this page, or within the package in a player's frame.
const LESSON: &str = "
    const holder = document.querySelector('zvm-lab') ? document : document.querySelector('iframe')?.contentDocument;
    const lesson = holder?.querySelector('zvm-lab')?.shadowRoot.querySelector('iframe')?.contentDocument;
    const place = lesson?.querySelector('[data-testid=lesson-place]')?.textContent;";

/// All of it.
pub async fn all(page: &Page) {
    a_course_page(page).await;
    if page.tells_all() {
        // What a package does with its platform's interface is the same in each engine.
        unpack();
        in_a_player(page, "scorm-1.2").await;
        in_a_player(page, "scorm-2004").await;
        with_a_record_store(page).await;
    }
}

async fn a_course_page(page: &Page) {
    page.say("an example of a course");
    page.open_other(&format!("{PAGE}{COURSE}")).await;
    page.until("the results", "return document.querySelectorAll('#results tr').length === 3").await;
    barriers::assert_none(page, "in a course").await;
    page.run("document.querySelector('[data-lesson=aliases] .begin').click()").await;
    place_is(page, "step 1 of 7").await;
    press(page, "#lesson-next").await;
    place_is(page, "step 2 of 7").await;
    until_in(page, "the answers", "lesson.querySelectorAll('[name=lesson-choice]').length === 3").await;
    page.run(&format!("{LESSON} lesson.querySelectorAll('[name=lesson-choice]')[1].click()")).await;
    until_in(page, "a choice", "lesson.querySelector('[data-testid=lesson-lock].primary') !== null").await;
    press(page, "[data-testid=lesson-lock]").await;
    until_in(page, "the way on", "lesson.querySelector('#lesson-next.primary') !== null").await;
    press(page, "#lesson-next").await;
    place_is(page, "step 3 of 7").await;
    page.until("a point", "return document.querySelector('#results tr').textContent.endsWith('step 3 of 71 of 4')").await;

    // The course knows how far its learner is, whatever this device remembers.
    page.run(
        "for (const name of Object.keys(localStorage)) if (name.startsWith('zvmlab.lesson.')) localStorage.removeItem(name)",
    )
    .await;
    page.open_other(&format!("{PAGE}{COURSE}")).await;
    page.until("the course", "return document.querySelector('[data-lesson=aliases] .begin').textContent === 'Go on'").await;
    page.run("document.querySelector('[data-lesson=aliases] .begin').click()").await;
    place_is(page, "step 3 of 7").await;
    let kept = page.run("return document.querySelector('#results tr').textContent").await;
    assert!(kept.as_str().is_some_and(|kept| kept.ends_with("1 of 4")), "a point was lost: {kept}");
    page.run("document.getElementById('forget').click()").await;
    page.until("all anew", "return document.querySelector('#results tr')?.textContent.includes('not begun') === true").await;
}

/// Opens the packages as a platform does.
fn unpack() {
    let folder = zvmlab_tests::root().join(PACKAGES);
    for form in ["scorm-1.2", "scorm-2004", "cmi5"] {
        let file = folder.join(format!("spinning-{form}.zip"));
        let open =
            File::open(&file).unwrap_or_else(|error| panic!("{}: {error}; ./run package spinning makes it", file.display()));
        let to = folder.join(UNPACKED).join(form);
        if to.exists() {
            fs::remove_dir_all(&to).expect("the last test's files can go");
        }
        ZipArchive::new(open).expect("an archive").extract(&to).expect("it can be extracted");
    }
}

/// A learner stops after a prediction, comes back on another device, and goes to the end.
async fn in_a_player(page: &Page, form: &str) {
    page.say(&format!("a package for {form}"));
    let player = format!("{EMBEDDERS}player.html?form={form}");
    page.open_other(&player).await;
    predict(page).await;
    page.until("the answer", "return window.calls.some((call) => /student_response|learner_response/.test(call[1]))").await;
    let said = page.run("return window.calls.find((call) => /student_response|learner_response/.test(call[1]))[2]").await;
    assert_eq!(said, "It falls by a fifth to a half.", "a teacher reads the answer in words");
    page.run("window.leave()").await;
    let calls = page.run("return window.calls").await;
    let calls = calls.as_array().expect("calls");
    assert_eq!(calls.first().map(|call| &call[0]), Some(&json!("Initialize")));
    assert_eq!(calls.last().map(|call| &call[0]), Some(&json!("Terminate")), "{:?}", calls.last());
    let refused: Vec<&Value> =
        calls.iter().filter(|call| call.as_array().is_none_or(|call| call.last() != Some(&json!("true")))).collect();
    assert!(refused.is_empty(), "the platform refused {refused:?}");
    let left = kept(page).await;
    assert_eq!((left.status.as_str(), left.exit.as_str()), ("incomplete", "suspend"));
    assert!(left.way.len() < 4096 && left.way.contains("locked"), "{}", left.way);

    page.run("localStorage.clear()").await;
    page.open_other(&player).await;
    place_is(page, "step 2 of 5").await;
    let points = to_the_end(page).await;
    page.run("window.leave()").await;
    let done = kept(page).await;
    assert_eq!(done.status, "completed");
    assert_eq!(done.score.parse(), Ok((points * 100.0 / 3.0).round()), "of 3 points {points}");

    page.open_other(&player).await;
    place_is(page, "end").await;
    press(page, ".lesson-ways button").await;
    place_is(page, "step 5 of 5").await;
    page.run("window.leave()").await;
    let again = kept(page).await;
    assert_eq!((again.status, again.score), (done.status, done.score), "whoever goes back loses nothing");
    page.run("sessionStorage.clear(); localStorage.clear()").await;
}

/// What a player keeps.
struct Kept {
    status: String,
    exit: String,
    score: String,
    way: String,
}

async fn kept(page: &Page) -> Kept {
    let kept = page.run("return window.kept()").await;
    let text = |paths: [&str; 2]| paths.iter().find_map(|path| kept.pointer(path)?.as_str()).unwrap_or_default().to_string();
    Kept {
        status: text(["/core/lesson_status", "/completion_status"]),
        exit: text(["/core/exit", "/exit"]),
        score: text(["/core/score/raw", "/score/raw"]),
        way: text(["/suspend_data", "/suspend_data"]),
    }
}

/// The record store; it ends with the test.
struct Store(Child);

impl Drop for Store {
    fn drop(&mut self) {
        // It may have ended by itself. Nothing can be done about either failure.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The same for cmi5: statements reach a record store, in their order, and it accepts each.
#[expect(clippy::too_many_lines, reason = "one course from its launch to what the store holds")]
async fn with_a_record_store(page: &Page) {
    let root = zvmlab_tests::root();
    let python = root.join("target/lrs/bin/python");
    if !root.join("target/lrs/installed.txt").is_file() {
        return page.say("cmi5 skipped: the record store is missing (./run test \"record store\" installs it)");
    }
    page.say("a package for cmi5");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("some port is free").port();
    let folder = root.join("target/lrs/kept");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the last test's statements can go");
    }
    let mut serve = Command::new(python);
    serve.arg(root.join("tests/lrs/serve.py")).args([&port.to_string(), page.base()]).arg(&folder);
    // It is installed uncompiled, and is started in several browsers.
    serve.env_remove("PYTHONDONTWRITEBYTECODE");
    let _store = Store(serve.spawn().expect("the record store starts"));
    let at = format!("http://127.0.0.1:{port}");

    page.open_other(&format!("{EMBEDDERS}example.css")).await;
    let launch = json!({ "contextTemplate": { "extensions": { "https://w3id.org/xapi/cmi5/context/extensions/sessionid": "one" } },
        "launchMode": "Normal", "moveOn": "Completed", "returnURL": format!("{}{EMBEDDERS}example.css", page.base()) });
    let actor = json!({ "objectType": "Agent", "account": { "homePage": "https://platform.example", "name": "learner-7" } });
    let unit = "urn:zvmlab:lesson:spinning";
    let registration = "0d3a5c1e-9e5b-4b7a-8c38-8f0f5f1c1d11";
    let query = |pairs: &[(&str, &str)]| {
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs.iter().copied()).finish()
    };
    let actor_text = actor.to_string();
    let place = query(&[
        ("activityId", unit),
        ("agent", &actor_text),
        ("registration", registration),
        ("stateId", "LMS.LaunchData"),
    ]);
    let put = format!(
        "const done = arguments[arguments.length - 1];
         fetch('{at}/xAPI/activities/state?{place}', {{ method: 'PUT', headers: {{ 'Content-Type': 'application/json' }}, body: {} }})
           .then(({{ status }}) => done(status), () => done(0))",
        json!(launch.to_string())
    );
    let mut tries = 0;
    while page.run_async(&put).await != json!(204) {
        tries += 1;
        assert!(tries < 200, "the record store does not answer");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let package = |session: &str| {
        let [endpoint, fetch] = [format!("{at}/xAPI/"), format!("{at}/launch/{session}")];
        let launch = [
            ("endpoint", endpoint.as_str()),
            ("fetch", &fetch),
            ("actor", &actor_text),
            ("registration", registration),
            ("activityId", unit),
        ];
        format!("{PACKAGES_AT}cmi5/index.html?{}", query(&launch))
    };
    page.open_other(&package("first")).await;
    predict(page).await;
    page.run("localStorage.clear()").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    page.open_other(&package("second")).await;
    place_is(page, "step 2 of 5").await;
    let points = to_the_end(page).await;
    page.run("document.getElementById('leave').click()").await;
    page.until("the way back", "return location.href.endsWith('example.css')").await;

    let statements = page
        .run_async(&format!(
            "const done = arguments[arguments.length - 1];
             const headers = {{ Authorization: 'Basic ' + btoa('course:for-tests-only'), 'X-Experience-API-Version': '1.0.3' }};
             fetch('{at}/xAPI/statements', {{ headers }}).then((answer) => answer.json()).then(done, (error) => done(String(error)))"
        ))
        .await;
    let statements = statements["statements"].as_array().unwrap_or_else(|| panic!("{statements}")).clone();
    let verbs: Vec<&str> = statements.iter().filter_map(|one| one["verb"]["id"].as_str()?.rsplit('/').next()).collect();
    let wanted = "initialized progressed answered terminated initialized progressed answered progressed";
    assert_eq!(verbs.iter().take(8).copied().collect::<Vec<_>>().join(" "), wanted, "{verbs:?}");
    assert_eq!(
        verbs.iter().rev().take(3).copied().collect::<Vec<_>>(),
        ["terminated", "completed", "progressed"],
        "{verbs:?}"
    );
    assert_eq!(verbs.iter().filter(|verb| **verb == "completed").count(), 1);
    for statement in &statements {
        assert_eq!(
            (&statement["actor"], &statement["context"]["registration"]),
            (&actor, &json!(registration)),
            "{statement}"
        );
        assert!(statement["timestamp"].is_string() && statement["id"].is_string(), "{statement}");
    }
    let completed = statements.iter().find(|one| one["verb"]["id"].as_str().is_some_and(|id| id.ends_with("completed")));
    assert_eq!(completed.map(|one| &one["result"]["score"]["raw"]).and_then(Value::as_f64), Some(points));
    page.run("localStorage.clear()").await;
}

/// From the first step to a prediction that is locked.
async fn predict(page: &Page) {
    place_is(page, "step 1 of 5").await;
    press(page, "#lesson-next").await;
    place_is(page, "step 2 of 5").await;
    answer(page).await;
}

async fn answer(page: &Page) {
    until_in(page, "the answers", "lesson.querySelectorAll('[name=lesson-choice]:enabled').length > 1").await;
    page.run(&format!("{LESSON} lesson.querySelectorAll('[name=lesson-choice]')[1].click()")).await;
    until_in(page, "a choice", "lesson.querySelector('[data-testid=lesson-lock].primary') !== null").await;
    press(page, "[data-testid=lesson-lock]").await;
    until_in(page, "a locked prediction", "lesson.querySelector('[data-testid=lesson-lock]') === null").await;
}

/// From the second step to the end; returns the points.
async fn to_the_end(page: &Page) -> f64 {
    press(page, "#lesson-next").await;
    place_is(page, "step 3 of 5").await;
    answer(page).await;
    press(page, "#lesson-next").await;
    place_is(page, "step 4 of 5").await;
    let resources = "lesson.querySelectorAll('[data-testid=lesson-resources] button')";
    until_in(page, "what may limit", &format!("{resources}.length > 1")).await;
    // One after the other, until one is right and the buttons go.
    for at in 0..12 {
        page.run(&format!("{LESSON} {resources}[{at}]?.click()")).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    until_in(page, "the way on", "lesson.querySelector('#lesson-next.primary') !== null").await;
    press(page, "#lesson-next").await;
    place_is(page, "step 5 of 5").await;
    until_in(page, "the way on", "lesson.querySelector('#lesson-next.primary') !== null").await;
    press(page, "#lesson-next").await;
    place_is(page, "end").await;
    let score = page.run(&format!("{LESSON} return lesson.querySelector('[data-testid=lesson-score]').textContent")).await;
    let points = score.as_str().and_then(|score| score.split(' ').next()?.parse().ok());
    points.unwrap_or_else(|| panic!("no points: {score}"))
}

/// Presses a button of the lesson.
async fn press(page: &Page, selector: &str) {
    page.run(&format!("{LESSON} lesson.querySelector({}).click()", json!(selector))).await;
}

async fn place_is(page: &Page, wanted: &str) {
    until_in(page, wanted, &format!("place === {}", json!(wanted))).await;
}

/// Waits for something in the lesson's page.
async fn until_in(page: &Page, what: &str, condition: &str) {
    page.until(what, &format!("{LESSON} return Boolean(lesson) && ({condition})")).await;
}
