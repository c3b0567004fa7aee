//! The static site: builds the web package and lays it out so that any static host can serve it from any sub-path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Background, FEATURES, cargo, flags_of, host, remapped, root, run, say, sources, unreleased};
use crate::editor::{self, Packages};
use crate::licences;
use crate::sizes;
use crate::tools::{self, Form, Host, Tools};

/// The target of the browser.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The licences of what the page contains.
const LICENCES: &str = "static/licences.txt";

/// What the page loads: packages, and the files that they compile to.
pub const PROGRAMS: [(&str, &str); 2] = [("zvmlab-web", "zvmlab_web"), ("zvmlab-engine", "zvmlab_engine")];

/// The lists of functions of [`PROGRAMS`] that a first visit does without; `./run first-visit` writes them.
pub const REST: [&str; 2] = ["web/rest.txt", "web/engine/rest.txt"];

/// How the page is compiled, and where it is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// The page for users: small and fast, in `dist/`.
    Release,
    /// The page for a look at it: compiles soon, and is far larger. It has its own folder, so that nobody takes it for the
    /// other.
    Draft {
        /// Whether its functions keep their names.
        names: bool,
    },
}

impl Site {
    /// The folder that a static host serves.
    pub fn folder(self) -> PathBuf {
        match self {
            Site::Release => root().join("dist"),
            Site::Draft { .. } => root().join("target/draft"),
        }
    }

    /// The profiles in Cargo.toml for [`PROGRAMS`]. For users, one program is compiled to be small and the other to be fast.
    /// A draft uses one profile, so that shared code is compiled once.
    fn profiles(self) -> [&'static str; 2] {
        match self {
            Site::Release => ["page", "release"],
            Site::Draft { .. } => ["dev", "dev"],
        }
    }

    /// Builds the folder from nothing, with these `tools`.
    ///
    /// # Errors
    /// When the tools or a package do not build, or a file cannot be written.
    pub fn build(self, tools: Tools) -> Result<(), String> {
        let rest = REST.map(|list| root().join(list));
        let forms = match self {
            Site::Release => rest.each_ref().map(|list| Form::Divided(list)),
            Site::Draft { names } => [if names { Form::Named } else { Form::Whole }; 2],
        };
        let folder = self.folder();
        self.build_in(&folder, forms, tools)?;
        match self {
            Site::Release => editor::make_small(&folder, &SMALL),
            Site::Draft { .. } => Ok(()),
        }
    }

    /// Builds a folder, with the [`PROGRAMS`] in these forms.
    ///
    /// # Errors
    /// Those of [`Site::build`].
    pub fn build_in(self, folder: &Path, forms: [Form; 2], tools: Tools) -> Result<(), String> {
        // Both at the same time: no build keeps two cores busy to its end, because its last crate waits for all others.
        let (tools, editor) = (tools.build_beside(), editor::fetch_beside());
        let compiled = self.compile();
        // Wait even if compiling failed: otherwise the build of the tools would go on after this program has ended.
        let (built, editor) = (tools.wait(), editor.wait());
        built.and(compiled)?;
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(about(folder))?;
        }
        // All at the same time. Each waits for the others even if it fails.
        let laid_out = PROGRAMS.iter().zip(self.profiles()).zip(forms).map(|(((_, file), profile), form)| {
            // Cargo's own profile for what is not released has a folder of another name.
            let compiled = root().join("target").join(WASM).join(if profile == "dev" { "debug" } else { profile });
            tools::bind_beside(&compiled.join(file).with_extension("wasm"), Host::Web, form, &folder.join("pkg"))
        });
        let laid_out: Vec<_> = laid_out.collect();
        let page = self.put_page(folder, editor);
        let laid_out: Vec<_> = laid_out.into_iter().map(Background::wait).collect();
        page?;
        laid_out.into_iter().collect::<Result<(), String>>()?;
        for (_, file) in PROGRAMS {
            names_no_folder(&folder.join(format!("pkg/{file}_bg.wasm")))?;
        }
        put_bytes(folder)
    }

    /// Puts into the folder what is no program.
    fn put_page(self, folder: &Path, editor: Packages) -> Result<(), String> {
        copy_file(&root().join("index.html"), &folder.join("index.html"))?;
        copy_folder(&root().join("static"), &folder.join("static"))?;
        copy_folder(&root().join("lessons"), &folder.join("static/lessons"))?;
        join_styles(folder)?;
        for script in SCRIPTS {
            drop_comments(&folder.join(script))?;
        }
        run(describing(&folder.join("static/model.html")))?;
        let packages = editor.bundle(folder)?;
        licences::write(&PROGRAMS.map(|(package, _)| package), WASM, &packages, &folder.join(LICENCES))?;
        if self == Site::Release { run(drawing(&folder.join("index.html"))) } else { Ok(()) }
    }

    fn compile(self) -> Result<(), String> {
        let profiles = self.profiles();
        if profiles[0] == profiles[1] {
            return run(compiling(&PROGRAMS.map(|(package, _)| package), profiles[0]));
        }
        // Both at the same time: each is optimised as a whole in the end, which keeps one core busy.
        let [page, engine] = [0, 1].map(|at| compiling_to_divide(PROGRAMS[at].0, profiles[at]));
        let page = Background::start(page);
        let engine = run(engine);
        page.wait().and(engine)
    }
}

fn compiling(packages: &[&str], profile: &str) -> Command {
    let mut build = cargo(&["build", "--locked", "--lib", "--target", WASM, "--profile", profile]);
    build.args(packages.iter().flat_map(|package| ["--package", package]));
    // The next step must know the folder of the output.
    build.arg("--target-dir").arg(root().join("target"));
    build
}

/// Compiles one package so that it can be divided: the linker leaves where addresses stand.
fn compiling_to_divide(package: &str, profile: &str) -> Command {
    let mut build = cargo(&["rustc", "--locked", "--lib", "--target", WASM, "--profile", profile, "--package", package]);
    build.arg("--target-dir").arg(root().join("target")).args(["--", "-C", "link-arg=--emit-relocs"]);
    build
}

/// Writes the description of the model, which the page fetches when its reader opens it.
fn describing(file: &Path) -> Command {
    let mut write = unreleased(&["run", "--quiet"]);
    write.args(FEATURES).args(["--bin", "zvmlab-documents", "--", "model"]).arg(file);
    write
}

/// Puts the first screen into the page's `index.html`, so that the reader sees it before the program has loaded.
fn drawing(file: &Path) -> Command {
    let mut draw = unreleased(&["run", "--quiet"]);
    draw.args(FEATURES).args(["--bin", "first-screen", "--"]).arg(file);
    draw
}

/// What every visitor loads besides the programs and the page itself, and can be written smaller.
const SMALL: [&str; 6] = [
    "pkg/zvmlab_web.js",
    "pkg/zvmlab_engine.js",
    "static/boot.js",
    "static/first.js",
    "static/worker.js",
    "static/style.css",
];

/// The scripts that every visitor loads. None has text in which a line begins as a comment does.
const SCRIPTS: [&str; 3] = ["static/first.js", "static/boot.js", "static/worker.js"];

/// Leaves out the lines of a script that are comments.
fn drop_comments(script: &Path) -> Result<(), String> {
    let text = fs::read_to_string(script).map_err(about(script))?;
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]);
    fs::write(script, code.collect::<String>()).map_err(about(script))
}

/// A link in `index.html` to a style sheet: what stands before and after its path.
const STYLE: (&str, &str) = ("  <link rel=\"stylesheet\" href=\"", "\">\n");

/// Joins the style sheets of the page, in the order of their links, in the first of them: one file loads sooner, and is a fifth
/// smaller after brotli.
fn join_styles(folder: &Path) -> Result<(), String> {
    let index = folder.join("index.html");
    let mut page = fs::read_to_string(&index).map_err(about(&index))?;
    let mut sheets: Vec<(String, String)> = Vec::new();
    while let Some((before, rest)) = page.split_once(STYLE.0) {
        let (path, after) =
            rest.split_once(STYLE.1).ok_or_else(|| format!("{} has a link without an end", index.display()))?;
        let sheet = folder.join(path);
        sheets.push((path.into(), fs::read_to_string(&sheet).map_err(about(&sheet))?));
        fs::remove_file(&sheet).map_err(about(&sheet))?;
        page = [before, if sheets.len() == 1 { HERE } else { "" }, after].concat();
    }
    let Some((first, _)) = sheets.first() else { return Err(format!("{} has no style sheet", index.display())) };
    let joined = sheets.iter().map(|(_, text)| without_comments(text)).collect::<Result<String, String>>();
    let joined = joined.map_err(|why| format!("{}: {why}", folder.display()))?;
    fs::write(folder.join(first), joined).map_err(about(&folder.join(first)))?;
    fs::write(&index, page.replace(HERE, &[STYLE.0, first, STYLE.1].concat())).map_err(about(&index))
}

/// Stands for the link until all are found.
const HERE: &str = "<!-- style -->";

/// A style sheet without its comments.
fn without_comments(sheet: &str) -> Result<String, String> {
    let (mut left, mut rest) = (String::new(), sheet);
    while let Some((before, after)) = rest.split_once("/*") {
        left.push_str(before.trim_end_matches(' '));
        rest = after.split_once("*/").ok_or("a style sheet has a comment without an end")?.1;
    }
    Ok(left + rest)
}

/// The bar in `index.html` that tells how much of the programs has come.
const BAR: &str = "<progress id=\"loaded\" max=\"1\"";

/// Writes into the page how many bytes each of its programs has, so that it can tell how much of them has come, and whether all.
fn put_bytes(folder: &Path) -> Result<(), String> {
    let index = folder.join("index.html");
    let page = fs::read_to_string(&index).map_err(about(&index))?;
    if !page.contains(BAR) {
        return Err(format!("{} lacks {BAR}", index.display()));
    }
    let size = |file: &str| fs::metadata(folder.join(format!("pkg/{file}.wasm"))).map(|data| data.len());
    let mut told = String::new();
    let mut sum = 0;
    for ((_, file), name) in PROGRAMS.iter().zip(["program", "engine"]) {
        let bytes = size(&format!("{file}_bg")).map_err(about(folder))?;
        sum += bytes;
        told += &format!(" data-{name}=\"{bytes}\"");
    }
    // A draft is not divided.
    if let Ok(rest) = size(&format!("{}_rest", PROGRAMS[0].1)) {
        told += &format!(" data-rest=\"{rest}\"");
    }
    let told = format!("max=\"{sum}\"{told}");
    let bar = BAR.replace("max=\"1\"", &told);
    fs::write(&index, page.replace(BAR, &bar)).map_err(about(&index))
}

/// `build`: builds the page in dist/ and prints its sizes.
///
/// # Errors
/// When it does not build.
pub fn build() -> Result<(), String> {
    say("building the page as users get it: two to four minutes the first time on two cores");
    Site::Release.build(Tools::Page)?;
    let dist = Site::Release.folder();
    say(&format!("{} is ready for any static host:", dist.display()));
    sizes::print(&sizes::measured(&dist));
    Ok(())
}

/// `build cli`: builds the command line's program as it can be handed on, and returns its file.
///
/// # Errors
/// When it does not build, or holds a path of this machine.
pub fn build_cli() -> Result<PathBuf, String> {
    let host = host()?;
    let mut build = cargo(&["build", "--locked", "--release", "--package", "zvmlab-cli", "--target", &host]);
    build.env(flags_of(&host), remapped()).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    build.arg("--config").arg("profile.release.strip=true").arg("--target-dir").arg(root().join("target"));
    run(build)?;
    let name = format!("zvmlab{}", std::env::consts::EXE_SUFFIX);
    let (built, file) =
        (root().join("target").join(host).join("release").join(&name), root().join("target/cli").join(&name));
    copy_file(&built, &file)?;
    names_no_folder(&file)?;
    say(&format!("{} is ready", file.display()));
    Ok(file)
}

/// Fails if a program holds the path of this repository or of cargo's sources.
///
/// # Errors
/// When it does, or cannot be read.
pub fn names_no_folder(program: &Path) -> Result<(), String> {
    let bytes = fs::read(program).map_err(about(program))?;
    for folder in sources().into_iter().chain([root()]) {
        let path = folder.to_string_lossy().into_owned();
        if !path.contains(' ') && bytes.windows(path.len()).any(|window| window == path.as_bytes()) {
            return Err(format!("{} holds the path {path}", program.display()));
        }
    }
    Ok(())
}

/// Adds the name of the file to an error of the system.
pub fn about(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Copies a file, into a folder that need not be there yet.
///
/// # Errors
/// When one of them cannot be read or written.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(about(folder))?;
    fs::copy(from, to).map(drop).map_err(about(from))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    for file in sizes::files(from).map_err(about(from))? {
        copy_file(&file, &to.join(file.strip_prefix(from).unwrap_or(&file)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_sheets_become_one_in_the_order_of_their_links() {
        let folder = std::env::temp_dir().join(format!("zvmlab-styles-{}", std::process::id()));
        fs::create_dir_all(folder.join("static")).unwrap();
        let link = |name: &str| format!("{}static/{name}.css{}", STYLE.0, STYLE.1);
        fs::write(folder.join("index.html"), ["<head>\n", &link("b"), "  <i>\n", &link("a"), "</head>"].concat()).unwrap();
        fs::write(folder.join("static/a.css"), "a { top: 0 } /* of a */\n").unwrap();
        fs::write(folder.join("static/b.css"), "/* of b */\nb { top: 0 }\n").unwrap();
        join_styles(&folder).unwrap();
        assert_eq!(fs::read_to_string(folder.join("static/b.css")).unwrap(), "\nb { top: 0 }\na { top: 0 }\n");
        assert_eq!(
            fs::read_to_string(folder.join("index.html")).unwrap(),
            ["<head>\n", &link("b"), "  <i>\n", "</head>"].concat()
        );
        assert!(!folder.join("static/a.css").exists());
        assert!(without_comments("a /* b").is_err());
        let script = folder.join("static/a.js");
        fs::write(&script, "// a\nlet url = 'http://a'; // b\n  // c\n").unwrap();
        drop_comments(&script).unwrap();
        assert_eq!(fs::read_to_string(&script).unwrap(), "let url = 'http://a'; // b\n");
        fs::remove_dir_all(&folder).unwrap();
    }
}
