//! Did behaviour change? The snapshot at the end of each golden run, as text that a person can compare. The same in debug and
//! release builds, natively, in node and in browsers.
//!
//! After a change that is meant to change behaviour, mint them again: `ZVMLAB_MINT=1 cargo test -p zvmlab-laws --test golden`.

#[cfg(not(target_arch = "wasm32"))]
use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use zvmlab::Scenario;
use zvmlab::experiment;

fn check(name: &str, scenario: &str, expected: &str) {
    let scenario = Scenario::parse(scenario).expect("a golden scenario is valid");
    let outcome = experiment::run(&scenario, 1).expect("a golden scenario is valid");
    let mut actual = serde_json::to_string_pretty(&outcome.snapshot).expect("a snapshot is plain numbers and texts");
    actual.push_str(&format!("\ndigest {:016x}\n", outcome.digest));
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("ZVMLAB_MINT").is_some() {
        let path = format!("{}/../../tests/golden/{name}/expected.txt", env!("CARGO_MANIFEST_DIR"));
        return std::fs::write(path, actual).expect("the golden folder can be written");
    }
    let difference = actual.lines().zip(expected.lines()).position(|(actual, expected)| actual != expected);
    if let Some(line) = difference {
        let line_of = |text: &str| text.lines().nth(line).unwrap_or_default().to_string();
        panic!("{name}, line {}: expected {:?}, got {:?}", line + 1, line_of(expected), line_of(&actual));
    }
    assert_eq!(actual.len(), expected.len(), "{name}: one of the two is longer");
}

/// One test for each golden folder.
macro_rules! golden {
    ($($test:ident: $name:literal,)*) => {$(
        #[test]
        fn $test() {
            check(
                $name,
                include_str!(concat!("../../../tests/golden/", $name, "/scenario.toml")),
                include_str!(concat!("../../../tests/golden/", $name, "/expected.txt")),
            );
        }
    )*};
}

golden! {
    small_command: "small-command",
    small_6_3: "small-6.3",
    small_transport_aliases: "small-transport-aliases",
    published_v4dya001: "published-V4DYA001",
    set_cu: "set-cu",
    guest_zhpf: "guest-zhpf",
    devices: "devices",
    storbuf: "storbuf",
    below_2gb: "below-2gb",
    above_2gb: "above-2gb",
    needle: "needle",
    expanded_storage: "expanded-storage",
    flashcopy: "flashcopy",
    mdc_arbiter: "mdc-arbiter",
    page_release: "page-release",
    contiguous_frames: "contiguous-frames",
    clients_and_servers: "clients-and-servers",
    limits: "limits",
    diag44_fast_path: "diag44-fast-path",
    spin_lock: "spin-lock",
    pldv: "pldv",
    relocation: "relocation",
    relocation_throttled: "relocation-throttled",
    relocation_cancelled: "relocation-cancelled",
}
