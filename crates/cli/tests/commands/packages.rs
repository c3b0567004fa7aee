//! `zvmlab lesson package`: what is in a package, and what is refused.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use zip::ZipArchive;

use super::{refuses, stdout, zvmlab};

/// A lesson of a teacher's own.
fn own_lesson() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lessons/07-shares.toml");
    let text = fs::read_to_string(folder).expect("the lesson is there");
    text.replace("id = \"shares\"", "id = \"my-shares\"")
        .replace("title = \"A share is not a limit\"", "title = \"Mine & <yours>\"")
}

/// The names in a package, and the text of one file.
fn inside(package: &Path, wanted: &str) -> (Vec<String>, String) {
    let mut archive = ZipArchive::new(File::open(package).expect("a package")).expect("an archive");
    let names = archive.file_names().map(|name| name.expect("a name").into_owned()).collect();
    let mut text = String::new();
    archive.by_name(wanted).expect(wanted).read_to_string(&mut text).expect("text");
    (names, text)
}

#[test]
fn a_package_has_the_laboratory_and_a_manifest_of_every_file() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().display().to_string();
    let site = home.path().join("site");
    fs::create_dir_all(site.join("static/lessons")).expect("folders");
    fs::write(site.join("index.html"), "the laboratory").expect("a file");
    fs::write(site.join("static/lessons/07-shares.toml"), "a lesson").expect("a file");
    let library = home.path().join("Cmi5.esm.js");
    fs::write(&library, "export default class {}").expect("a file");
    let own = home.path().join("my.toml");
    fs::write(&own, own_lesson()).expect("a file");
    let [site, library, own] = [&site, &library, &own].map(|path| path.display().to_string());

    let made = || zvmlab(&["lesson", "package", &own, "--site", &site, "--cmi5-library", &library, "--to", &path]);
    assert_eq!(stdout(&made()).lines().count(), 3, "three forms");
    let package = |form: &str| home.path().join(format!("my-shares-{form}.zip"));
    let before = fs::read(package("scorm-1.2")).expect("a package");
    made();
    assert_eq!(fs::read(package("scorm-1.2")).expect("a package"), before, "the same twice");

    for (form, manifest, version) in
        [("scorm-1.2", "imsmanifest.xml", "<schemaversion>1.2<"), ("scorm-2004", "imsmanifest.xml", "2004 4th Edition")]
    {
        let (names, text) = inside(&package(form), manifest);
        assert!(text.contains(version) && text.contains("<title>Mine &amp; &lt;yours&gt;</title>"), "{text}");
        for name in names.iter().filter(|name| *name != manifest) {
            assert!(text.contains(&format!("<file href=\"{name}\"/>")), "{form}: {name} is not in the manifest");
        }
        assert!(
            names.iter().any(|name| name == "lab/index.html") && !names.iter().any(|name| name == "cmi5.js"),
            "{names:?}"
        );
        let (_, page) = inside(&package(form), "index.html");
        let data = format!("data-lesson=\"my-shares\" data-form=\"{form}\" data-lab=\"lab/\"");
        assert!(page.contains(&data) && page.contains("<title>Mine &amp; &lt;yours&gt;</title>"), "{page}");
        assert_eq!(inside(&package(form), "lab/static/lessons/my-shares.toml").1, own_lesson());
    }
    let (names, text) = inside(&package("cmi5"), "cmi5.xml");
    assert!(text.contains("<au id=\"urn:zvmlab:lesson:my-shares\" moveOn=\"Completed\""), "{text}");
    assert!(names.iter().any(|name| name == "Cmi5.esm.js"), "{names:?}");

    let small =
        zvmlab(&["lesson", "package", "shares", "--lab", "https://lab.example/", "--form", "scorm-1.2", "--to", &path]);
    assert_eq!(stdout(&small).lines().count(), 1);
    let (names, page) = inside(&home.path().join("shares-scorm-1.2.zip"), "index.html");
    assert!(page.contains("data-lab=\"https://lab.example/\"") && names.iter().all(|name| !name.contains('/')), "{names:?}");
}

#[test]
fn what_cannot_be_a_package_is_said() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().display().to_string();
    let own = home.path().join("my.toml");
    let put = |text: String| fs::write(&own, text).expect("a file");
    let file = own.display().to_string();
    fs::create_dir_all(home.path().join("static/lessons")).expect("folders");
    let with = |more: &[&str]| zvmlab(&[&["lesson", "package"], more].concat());
    refuses(&with(&["shares", "--site", "/nowhere"]), "--site /nowhere: this is no built laboratory");
    refuses(&with(&["shares", "--lab", "http://lab.example/"]), "begins with https:// and ends with /");
    refuses(&with(&["shares", "--site", &path, "--form", "cmi5", "--to", &path]), "cmi5 needs --cmi5-library");
    put(own_lesson());
    refuses(&with(&[&file, "--lab", "https://lab.example/"]), "a lesson of your own needs --site");
    put(own_lesson().replace("my-shares", "aliases"));
    refuses(&with(&[&file, "--site", &path]), "the laboratory has a lesson “aliases”");
    refuses(&with(&["shares", "--site", &path, "--form", "scorm", "--to", &path]), "scorm-1.2");
}
