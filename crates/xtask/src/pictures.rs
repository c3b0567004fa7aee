//! The pictures of the page that `screenshots` takes: their names, and one page that shows all of them side by side.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of all pictures, in the root of the repository.
pub const FOLDER: &str = "target/screenshots";

/// The variable with the name of the engine in which pictures are taken.
pub const ENGINE: &str = "ZVMLAB_ENGINE";

/// The variable with the words that their names must have.
pub const WORDS: &str = "ZVMLAB_WORDS";

/// What a picture shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Picture {
    /// The subject, as it stands in the file's name.
    pub subject: String,
    /// CSS pixels.
    pub width: u64,
    /// CSS pixels.
    pub height: u64,
    /// The engine's name in small letters.
    pub engine: String,
    /// Whether it is in dark colours.
    pub dark: bool,
}

impl Picture {
    /// Its file in [`FOLDER`].
    pub fn file(&self) -> PathBuf {
        let Picture { subject, width, height, engine, dark } = self;
        let scheme = if *dark { "dark" } else { "light" };
        Path::new(engine).join(format!("{subject}-{width}x{height}-{scheme}.png"))
    }

    /// The picture of a file in [`FOLDER`], if it is one.
    pub fn of(file: &Path) -> Option<Picture> {
        let engine = file.parent()?.to_str()?.to_string();
        let mut parts = file.file_name()?.to_str()?.strip_suffix(".png")?.rsplitn(3, '-');
        let dark = match parts.next()? {
            "dark" => true,
            "light" => false,
            _ => return None,
        };
        let (width, height) = parts.next()?.split_once('x')?;
        let subject = parts.next()?.to_string();
        Some(Picture { subject, width: width.parse().ok()?, height: height.parse().ok()?, engine, dark })
    }

    /// Whether its file's name has all these words.
    pub fn has(&self, words: &[&str]) -> bool {
        let name = self.file().display().to_string();
        words.iter().all(|word| name.contains(&word.to_lowercase()))
    }
}

/// A title as it stands in a file's name.
pub fn slug(title: &str) -> String {
    let letters = title.to_lowercase();
    let words = letters.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The style of the page with all pictures.
const STYLE: &str = "\
  body { margin: 1rem; font: 0.85rem/1.35 system-ui, sans-serif; color: #1f2328; background: #d8dee4 }
  table { border-collapse: collapse; width: 100%; table-layout: fixed }
  th, td { padding: 0.25rem; vertical-align: top; text-align: left }
  thead th { position: sticky; top: 0; background: #d8dee4 }
  th:first-child { width: 7rem }
  img { display: block; max-width: 100%; max-height: 26rem; border: 1px solid #57606a }
  ul { margin: 0.25rem 0 0; padding-left: 1rem; overflow-wrap: anywhere; color: #b00020 }";

/// One page with all pictures: a row for each subject and size, a column for each engine and its colours, and below each
/// picture its faults. `missing` says which engines are not on the machine.
pub fn sheet(pictures: &BTreeMap<Picture, Vec<String>>, missing: &[String]) -> String {
    let mut columns: Vec<(&str, bool)> = pictures.keys().map(|picture| (&*picture.engine, picture.dark)).collect();
    let mut rows: Vec<(&str, u64, u64)> =
        pictures.keys().map(|picture| (&*picture.subject, picture.width, picture.height)).collect();
    columns.sort_unstable();
    columns.dedup();
    rows.dedup();
    let faulty = pictures.values().filter(|faults| !faults.is_empty()).count();
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Pictures of the page</title>\n<style>\n{STYLE}\n</style>\n\
         <p>{} pictures, {faulty} of them with faults that a machine can tell. A click shows one in full size.</p>\n",
        pictures.len()
    );
    for one in missing {
        html += &format!("<p>{}</p>\n", escaped(one));
    }
    html += "<table>\n<thead><tr><th></th>";
    for (engine, dark) in &columns {
        html += &format!("<th>{engine}, {}</th>", if *dark { "dark" } else { "light" });
    }
    html += "</tr></thead>\n";
    for (subject, width, height) in rows {
        html += &format!("<tr><th>{subject}<br>{width} × {height}</th>");
        for (engine, dark) in &columns {
            let (subject, engine) = (subject.to_string(), (*engine).to_string());
            let picture = Picture { subject, width, height, engine, dark: *dark };
            html += &pictures.get(&picture).map_or("<td></td>".into(), |faults| cell(&picture, faults));
        }
        html += "</tr>\n";
    }
    html + "</table>\n</html>\n"
}

/// A picture with its faults.
fn cell(picture: &Picture, faults: &[String]) -> String {
    let file = escaped(&picture.file().display().to_string());
    let image = format!("<a href=\"{file}\"><img src=\"{file}\" alt=\"{file}\" loading=\"lazy\"></a>");
    let faults: String = faults.iter().map(|fault| format!("<li>{}</li>", escaped(fault))).collect();
    if faults.is_empty() { format!("<td>{image}</td>") } else { format!("<td>{image}<ul>{faults}</ul></td>") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(subject: &str, width: u64, engine: &str, dark: bool) -> Picture {
        Picture { subject: subject.into(), width, height: 720, engine: engine.into(), dark }
    }

    #[test]
    fn a_file_says_what_its_picture_shows() {
        let one = picture("twenty-five-guests", 1280, "firefox", true);
        assert_eq!(one.file(), Path::new("firefox/twenty-five-guests-1280x720-dark.png"));
        assert_eq!(Picture::of(&one.file()), Some(one.clone()));
        for bad in
            ["index.html", "firefox/paging.png", "firefox/paging-1280x720-grey.png", "firefox/paging-1280x720-dark.txt"]
        {
            assert_eq!(Picture::of(Path::new(bad)), None, "{bad}");
        }
        assert!(one.has(&[]) && one.has(&["Twenty", "firefox"]) && one.has(&["1280x720", "dark"]));
        assert!(!one.has(&["firefox", "light"]));
    }

    #[test]
    fn titles_become_names() {
        for (title, name) in
            [("Paging", "paging"), ("PLDV and VARY", "pldv-and-vary"), ("PR/SM", "pr-sm"), ("SET CU", "set-cu")]
        {
            assert_eq!(slug(title), name);
        }
    }

    #[test]
    fn the_sheet_has_every_picture_once_and_its_faults() {
        let fault = vec!["cut off: a “<b>” & more".to_string()];
        let pictures = BTreeMap::from([
            (picture("paging", 1280, "chromium", false), Vec::new()),
            (picture("paging", 1280, "chromium", true), Vec::new()),
            (picture("paging", 1280, "firefox", false), fault),
            (picture("paging", 1920, "chromium", false), Vec::new()),
        ]);
        let html = sheet(&pictures, &["WebKitGTK: not found".into()]);
        for picture in pictures.keys() {
            let image = format!("<img src=\"{}\"", picture.file().display());
            assert_eq!(html.matches(&image).count(), 1, "{image}");
        }
        assert_eq!(html.matches("<tr><th>").count(), 3, "a head and two rows: {html}");
        assert_eq!(html.matches("<td></td>").count(), 2, "two pictures of the second row were not taken: {html}");
        for wanted in ["4 pictures, 1 of them with faults", "WebKitGTK: not found", "“&lt;b>” &amp; more", "firefox, light"]
        {
            assert!(html.contains(wanted), "{wanted}: {html}");
        }
    }
}
