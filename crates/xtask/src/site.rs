//! The static site: builds the web package and lays dist/ out so that any static host can serve it from any sub-path.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::engines::found;

use crate::command::{root, run, say};
use crate::{tools, wasm};

/// The folder that a static host serves.
pub fn folder() -> PathBuf {
    root().join("dist")
}

/// Builds dist/ from nothing.
///
/// # Errors
/// When a tool or the web package does not build, or a file cannot be written.
pub fn build() -> Result<(), String> {
    tools::build()?;
    say("building the page in release: about a minute the first time");
    let dist = folder();
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(about(&dist))?;
    }
    let pkg = dist.join("pkg");
    let out = pkg.to_str().ok_or("the path of the repository is not UTF-8")?;
    #[rustfmt::skip]
    let arguments = [
        "build", "web", "--target", "web", "--release", "--mode", "no-install", "--no-pack", "--no-typescript", "--no-opt",
        "--out-dir", out, "--", "--locked",
    ];
    run(tools::wasm_pack(&arguments))?;
    lay_out(&root(), &dist)?;
    drop_names(&pkg)?;
    say(&format!("{} is ready for any static host:", dist.display()));
    print_sizes(&dist);
    Ok(())
}

/// Puts the page and static/ beside the package.
fn lay_out(root: &Path, dist: &Path) -> Result<(), String> {
    copy_file(&root.join("index.html"), &dist.join("index.html"))?;
    copy_folder(&root.join("static"), &dist.join("static"))?;
    // wasm-pack hides its output from git; a host that publishes a git branch would lose it.
    let ignore = dist.join("pkg/.gitignore");
    if ignore.exists() { fs::remove_file(&ignore).map_err(about(&ignore)) } else { Ok(()) }
}

/// Names the file that an error of the system is about.
fn about(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(about(from))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(about(to))?;
    for file in files(from).map_err(about(from))? {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        fs::create_dir_all(target.parent().unwrap_or(to)).map_err(about(&target))?;
        copy_file(&file, &target)?;
    }
    Ok(())
}

/// Drops the names of functions from every wasm file of the package.
fn drop_names(pkg: &Path) -> Result<(), String> {
    let files = files(pkg).map_err(about(pkg))?;
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "wasm")) {
        let module = fs::read(&file).map_err(about(&file))?;
        let smaller = wasm::without_section(&module, "name").map_err(|reason| format!("{}: {reason}", file.display()))?;
        fs::write(&file, smaller).map_err(about(&file))?;
    }
    Ok(())
}

/// Every file below a folder, in the order of their names.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// One line a file: its bytes, and its bytes after brotli where that can be had.
fn print_sizes(dist: &Path) {
    let files = files(dist).unwrap_or_default();
    let (mut raw_sum, mut brotli_sum) = (0, Some(0));
    for file in files {
        let Ok(content) = fs::read(&file) else { continue };
        let brotli = brotli_bytes(&content);
        raw_sum += content.len();
        brotli_sum = brotli_sum.zip(brotli).map(|(sum, bytes)| sum + bytes);
        print_size(&file.strip_prefix(dist).unwrap_or(&file).display().to_string(), content.len(), brotli);
    }
    print_size("all files", raw_sum, brotli_sum);
}

fn print_size(name: &str, raw: usize, brotli: Option<usize>) {
    let brotli = brotli.map_or("not measured, brotli is not installed".into(), |bytes| format!("{bytes:>9} bytes"));
    println!("  {name:<28} raw {raw:>9} bytes   brotli {brotli}");
}

/// The size after brotli at its best level, by the `brotli` command or by node, whichever is there.
fn brotli_bytes(content: &[u8]) -> Option<usize> {
    let mut command = if let Some(brotli) = found("brotli") {
        let mut command = Command::new(brotli);
        command.args(["-q", "11", "-c"]);
        command
    } else {
        let script = "process.stdout.write(require('zlib').brotliCompressSync(require('fs').readFileSync(0)))";
        let mut command = Command::new(found("node")?);
        command.args(["-e", script]);
        command
    };
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let content = content.to_vec();
    // Written from a thread of its own: the child may answer before it has read everything.
    let writer = std::thread::spawn(move || input.write_all(&content));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    output.status.success().then_some(output.stdout.len())
}
