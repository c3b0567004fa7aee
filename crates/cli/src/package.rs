//! A lesson as a package for a learning platform: SCORM 1.2, SCORM 2004 4th edition or cmi5. The same static files in each, with
//! another manifest. The same input gives the same bytes.
//!
//! Sources: ADL, SCORM 1.2 Content Aggregation Model (2001); ADL, SCORM 2004 4th Edition Content Aggregation Model (2009); cmi5
//! specification, Quartz, first edition (2016), section 13.

use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;

use quick_xml::escape::escape;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};
use zvmlab_lab::lesson::Lesson;

/// The form of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// SCORM 1.2, which every platform reads
    #[value(name = "scorm-1.2")]
    Scorm12,
    /// SCORM 2004, 4th edition
    #[value(name = "scorm-2004")]
    Scorm2004,
    /// cmi5: reports to a learning record store
    Cmi5,
}

impl Form {
    /// Its name in file names, and in the page.
    pub const fn word(self) -> &'static str {
        match self {
            Form::Scorm12 => "scorm-1.2",
            Form::Scorm2004 => "scorm-2004",
            Form::Cmi5 => "cmi5",
        }
    }
}

/// Where the laboratory of a package is.
#[derive(Clone, Copy, Debug)]
pub enum Lab<'a> {
    /// In the package: the files of a built site.
    Within(&'a Path),
    /// On a server, at this address.
    At(&'a str),
}

/// What goes into a package.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The lesson.
    pub lesson: &'a Lesson,
    /// Its text, if it is none of the laboratory's own.
    pub text: Option<&'a str>,
    /// The laboratory.
    pub lab: Lab<'a>,
    /// The cmi5 library, which that form needs.
    pub library: Option<&'a Path>,
}

/// Where the laboratory lies in a package.
const FOLDER: &str = "lab/";

/// The page that a platform opens.
const START: &str = "index.html";

/// The package.
///
/// # Errors
/// Which file cannot be read, in words.
pub fn package(form: Form, parts: &Parts) -> Result<Vec<u8>, String> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let place = match parts.lab {
        Lab::Within(site) => {
            collect(site, FOLDER, &mut files).map_err(|(path, why)| format!("{path}: cannot be read: {why}"))?;
            FOLDER
        }
        Lab::At(address) => address,
    };
    if let Some(text) = parts.text {
        let name = format!("{FOLDER}static/lessons/{}.toml", parts.lesson.id);
        files.push((name, text.as_bytes().to_vec()));
    }
    let page = include_str!("../course/index.html")
        .replace("{{form}}", form.word())
        .replace("{{lesson}}", &escape(&parts.lesson.id))
        .replace("{{lab}}", &escape(place))
        // Last: a title may hold anything, even a placeholder.
        .replace("{{title}}", &escape(&parts.lesson.title));
    for (name, text) in [
        (START, page.as_str()),
        ("course.css", include_str!("../course/course.css")),
        ("course.js", include_str!("../course/course.js")),
        ("scorm.js", include_str!("../course/scorm.js")),
        ("zvm-lab.js", include_str!("../../../static/zvm-lab.js")),
    ] {
        files.push((name.into(), text.as_bytes().to_vec()));
    }
    if form == Form::Cmi5 {
        let library = parts.library.ok_or("cmi5 needs --cmi5-library, the file Cmi5.esm.js of the package @xapi/cmi5")?;
        let read = fs::read(library).map_err(|why| format!("{}: cannot be read: {why}", library.display()))?;
        files.push(("Cmi5.esm.js".into(), read));
        // The npm package has its licence one folder above.
        if let Some(licence) = library.parent().and_then(Path::parent).map(|folder| folder.join("LICENSE.md"))
            && let Ok(text) = fs::read(licence)
        {
            files.push(("Cmi5.LICENSE.md".into(), text));
        }
        files.push(("cmi5.js".into(), include_bytes!("../course/cmi5.js").to_vec()));
    }
    files.sort();
    let (name, manifest) = match form {
        Form::Scorm12 => ("imsmanifest.xml", scorm(parts.lesson, &files, &SCORM_12)),
        Form::Scorm2004 => ("imsmanifest.xml", scorm(parts.lesson, &files, &SCORM_2004)),
        Form::Cmi5 => ("cmi5.xml", structure(parts.lesson)),
    };
    files.insert(0, (name.into(), manifest.into_bytes()));
    zipped(&files).map_err(|why| format!("the package cannot be made: {why}"))
}

/// The files of a folder and of those in it, with their names in the package.
fn collect(folder: &Path, name: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), (String, io::Error)> {
    let at = |path: &Path| path.display().to_string();
    for entry in fs::read_dir(folder).map_err(|why| (at(folder), why))? {
        let path = entry.map_err(|why| (at(folder), why))?.path();
        let inside = format!("{name}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{inside}/"), files)?;
        } else {
            files.push((inside, fs::read(&path).map_err(|why| (at(&path), why))?));
        }
    }
    Ok(())
}

fn zipped(files: &[(String, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    // One time for all: the same files make the same package.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (name, bytes) in files {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// What differs between the manifests of SCORM's versions.
struct Scorm {
    /// The namespaces of the manifest.
    spaces: &'static str,
    /// The name of the schema and its version.
    schema: (&'static str, &'static str),
    /// How the kind of a resource is written.
    kind: &'static str,
}

const SCORM_12: Scorm = Scorm {
    spaces: r#"xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2""#,
    schema: ("ADL SCORM", "1.2"),
    kind: "scormtype",
};

const SCORM_2004: Scorm = Scorm {
    spaces: r#"xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3""#,
    schema: ("ADL SCORM", "2004 4th Edition"),
    kind: "scormType",
};

/// The manifest of a SCORM package: one organisation with one object, and every file.
fn scorm(lesson: &Lesson, files: &[(String, Vec<u8>)], version: &Scorm) -> String {
    let Scorm { spaces, schema: (schema, number), kind } = version;
    let (id, title) = (escape(&lesson.id), escape(&lesson.title));
    let listed: String =
        files.iter().map(|(name, _)| format!("      <file href=\"{}\"/>\n", escape(name.as_str()))).collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="zvmlab-{id}" version="1" {spaces}>
  <metadata>
    <schema>{schema}</schema>
    <schemaversion>{number}</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>{title}</title>
      <item identifier="lesson" identifierref="page">
        <title>{title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:{kind}="sco" href="{START}">
{listed}    </resource>
  </resources>
</manifest>
"#
    )
}

/// The course structure of cmi5: one unit, which is done when the lesson is completed. Its score decides nothing: it is formative.
fn structure(lesson: &Lesson) -> String {
    let (id, title, question) = (escape(&lesson.id), escape(&lesson.title), escape(lesson.question.trim()));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<courseStructure xmlns="https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd">
  <course id="urn:zvmlab:course:{id}">
    <title><langstring lang="en">{title}</langstring></title>
    <description><langstring lang="en">{question}</langstring></description>
  </course>
  <au id="urn:zvmlab:lesson:{id}" moveOn="Completed" launchMethod="AnyWindow">
    <title><langstring lang="en">{title}</langstring></title>
    <description><langstring lang="en">{question}</langstring></description>
    <url>{START}</url>
  </au>
</courseStructure>
"#
    )
}
