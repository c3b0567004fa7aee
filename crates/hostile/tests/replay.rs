//! Every input that once broke something, again: `corpus/KIND/`.

use std::fs;
use std::path::Path;

use zvmlab_hostile::kind::Kind;

#[test]
fn what_failed_once_does_not_fail_again() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut tried = 0;
    for folder in fs::read_dir(&corpus).expect("the corpus is there").flatten() {
        let name = folder.file_name().into_string().expect("a folder of the corpus is named for a kind");
        // The acts of a page are replayed in a browser.
        let Some(kind) = Kind::named(&name) else { continue };
        for file in fs::read_dir(folder.path()).expect("a folder").flatten() {
            let bytes = fs::read(file.path()).expect("a file");
            println!("{name}/{}", file.file_name().display());
            kind.try_input(&bytes);
            tried += 1;
        }
    }
    assert!(tried > 0, "the corpus holds something");
}
