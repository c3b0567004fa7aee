//! A guided trial: libFuzzer changes inputs, and goes on with those that reach code that none reached before. The environment names
//! the kind.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use zvmlab_hostile::kind::Kind;

/// Names the kind of input.
const KIND: &str = "ZVMLAB_HOSTILE_KIND";

static CHOSEN: OnceLock<Kind> = OnceLock::new();

fuzz_target!(init: {
    let name = std::env::var(KIND).unwrap_or_default();
    let kind = Kind::named(&name).unwrap_or_else(|| panic!("{KIND} is {name:?}, which is no kind of input"));
    CHOSEN.set(kind).expect("it is set once");
}, |bytes: &[u8]| {
    if let Some(kind) = CHOSEN.get() {
        kind.try_input(bytes);
    }
});
