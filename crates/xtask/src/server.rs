//! A static server for the built page: 127.0.0.1 only, GET and HEAD, and no header that a plain static host would not send. It
//! answers under the names of this machine alone: a page elsewhere whose name is made to lead here gets nothing. It follows no link
//! out of its folders.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::faults::Fault;

/// How long a connection may stay silent, or take nothing of an answer, before it is closed, in seconds. Chosen; a browser opens
/// another one when it needs it.
const IDLE_S: u64 = 30;

/// The longest request head accepted, in bytes. Chosen: browsers send about a thousand.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// Which folder serves which path.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Path prefix, with a slash at both ends, and its folder; the first match counts.
    mounts: Vec<(String, PathBuf)>,
    /// Path prefix and folder of a host that fails as its address says: `PREFIX/FAULT/FILE/lab/`, with a bar for each slash of the
    /// file's name.
    failing: Option<(String, PathBuf)>,
    /// Every path that was asked for is noted here.
    asked: Option<Arc<Mutex<Vec<String>>>>,
}

/// The server's answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status code and words, as in the status line.
    pub status: &'static str,
    /// The Content-Type.
    pub mime: &'static str,
    /// The address to go to instead, for a folder requested without its slash.
    pub location: Option<String>,
    /// The content.
    pub body: Vec<u8>,
    /// Whether pages of other origins may read it (CORS): the element that they embed, which browsers load as a module.
    pub is_shared: bool,
    /// What is wrong with the host, on purpose.
    pub fault: Option<Fault>,
}

impl Site {
    /// A site that serves `folder` under `prefix`, which starts and ends with a slash.
    pub fn new(prefix: &str, folder: impl Into<PathBuf>) -> Site {
        Site::default().and(prefix, folder)
    }

    /// The same site with one more folder.
    #[must_use]
    pub fn and(mut self, prefix: &str, folder: impl Into<PathBuf>) -> Site {
        assert!(prefix.starts_with('/') && prefix.ends_with('/'), "a prefix has a slash at both ends: {prefix}");
        self.mounts.push((prefix.to_string(), folder.into()));
        self
    }

    /// The same site with a folder whose host fails as the address says.
    #[must_use]
    pub fn and_failing(mut self, prefix: &str, folder: impl Into<PathBuf>) -> Site {
        self.failing = Some((prefix.to_string(), folder.into()));
        self
    }

    /// The same site, which notes the paths that are asked for.
    #[must_use]
    pub fn noting(mut self, asked: &Arc<Mutex<Vec<String>>>) -> Site {
        self.asked = Some(Arc::clone(asked));
        self
    }

    /// The answer of a host that fails; none if the address is not of one.
    fn spoiled(&self, path: &str) -> Option<Answer> {
        let (prefix, folder) = self.failing.as_ref()?;
        let (fault, rest) = path.strip_prefix(prefix.as_str())?.split_once('/')?;
        let (file, rest) = rest.split_once("/lab/")?;
        let (fault, file) = (Fault::named(fault)?, file.replace('|', "/"));
        let answer = file_answer(path, folder, &folder.join(rest));
        let asked = if rest.is_empty() { "index.html" } else { rest };
        Some(if asked == file { answer.with(fault) } else { answer })
    }

    /// The answer to a request for `target`, the path in the request line.
    pub fn answer(&self, method: &str, target: &str) -> Answer {
        if method != "GET" && method != "HEAD" {
            return Answer::text("405 Method Not Allowed", "only GET and HEAD are answered\n");
        }
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let Some(path) = percent_decoded(path) else {
            return Answer::text("400 Bad Request", "the path is not percent-encoded UTF-8\n");
        };
        let climbs = path.split(['/', '\\']).any(|part| part == "..") || path.contains(['\0', '\\']);
        if climbs {
            return Answer::text("403 Forbidden", "a path may not climb out of its folder\n");
        }
        // Two slashes at the beginning of a Location would be the name of another host.
        if path.contains("//") || path.chars().any(char::is_control) {
            return Answer::text("404 Not Found", "nothing is here\n");
        }
        if let Some(answer) = self.spoiled(&path) {
            return answer;
        }
        for (prefix, folder) in &self.mounts {
            if let Some(rest) = path.strip_prefix(prefix.as_str()) {
                return file_answer(&path, folder, &folder.join(rest));
            }
            if path.strip_suffix('/').unwrap_or(&path) == prefix.trim_end_matches('/') {
                return Answer::moved(prefix.clone());
            }
        }
        Answer::text("404 Not Found", "nothing is here\n")
    }
}

impl Answer {
    fn text(status: &'static str, body: &str) -> Answer {
        let (mime, body) = ("text/plain; charset=utf-8", body.as_bytes().to_vec());
        Answer { status, mime, location: None, body, is_shared: false, fault: None }
    }

    /// The same answer from a host with a fault.
    fn with(self, fault: Fault) -> Answer {
        let spoiled = match fault {
            Fault::Missing => Answer::text("404 Not Found", "nothing is here\n"),
            Fault::Error => Answer::text("500 Internal Server Error", "made by the test\n"),
            Fault::Empty => Answer { body: Vec::new(), ..self },
            Fault::Short => Answer { body: self.body[..self.body.len() / 2].to_vec(), ..self },
            Fault::Narrow => Answer { body: crate::faults::narrowed(&self.body), ..self },
            Fault::Type => Answer { mime: "application/octet-stream", ..self },
            Fault::Cut | Fault::Slow | Fault::Offline => self,
        };
        Answer { fault: Some(fault), ..spoiled }
    }

    fn moved(location: String) -> Answer {
        Answer {
            location: Some(location),
            ..Answer::text("301 Moved Permanently", "the folder's address ends in a slash\n")
        }
    }
}

/// The content of `file`, or of its `index.html` if it is a folder. Relative links need the slash after a folder's name. A link in
/// the folder that leads out of it is not followed.
fn file_answer(path: &str, folder: &Path, file: &Path) -> Answer {
    let is_inside = folder.canonicalize().and_then(|folder| Ok(file.canonicalize()?.starts_with(folder))).unwrap_or(false);
    if !is_inside {
        return Answer::text("404 Not Found", "nothing is here\n");
    }
    if file.is_dir() && !path.ends_with('/') {
        return Answer::moved(format!("{path}/"));
    }
    if file.is_dir() {
        return file_answer(path, folder, &file.join("index.html"));
    }
    match std::fs::read(file) {
        Ok(body) => {
            let is_shared = file.ends_with("static/zvm-lab.js");
            Answer { status: "200 OK", mime: mime(file), location: None, body, is_shared, fault: None }
        }
        Err(_) => Answer::text("404 Not Found", "nothing is here\n"),
    }
}

/// The media type of a file by its ending. A browser refuses a module or a wasm file that has another media type.
fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" | "toml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The path with its `%xx` resolved; `None` when an escape is broken or the bytes are not UTF-8.
fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

/// Listens on 127.0.0.1, on `first` or, when that is taken, on the next free port after it. Port 0 lets the system choose.
///
/// # Errors
/// When no port from `first` on is free.
pub fn listen(first: u16) -> io::Result<TcpListener> {
    let mut port = first;
    loop {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && port < u16::MAX => port += 1,
            other => return other,
        }
    }
}

/// Serves until the process ends, one thread for each connection.
pub fn serve(listener: &TcpListener, site: Site) {
    let site = Arc::new(site);
    for stream in listener.incoming().flatten() {
        let site = Arc::clone(&site);
        // An error here means that the visitor went away, so there is nobody to tell.
        std::thread::spawn(move || converse(stream, &site).ok());
    }
}

/// Answers the requests of one connection, one after the other.
fn converse(mut stream: TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(IDLE_S)))?;
    stream.set_write_timeout(Some(Duration::from_secs(IDLE_S)))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(Request { method, target, host }) = request(&mut reader)? {
        if let Some(mut asked) = site.asked.as_ref().and_then(|asked| asked.lock().ok()) {
            asked.push(target.clone());
        }
        let answer = match host.as_deref().is_none_or(is_here) {
            true => site.answer(&method, &target),
            false => Answer::text("421 Misdirected Request", "this server answers for 127.0.0.1 and localhost\n"),
        };
        std::thread::sleep(answer.fault.map_or(Duration::ZERO, Fault::wait));
        if answer.fault == Some(Fault::Offline) {
            return Ok(());
        }
        let mut head = format!("HTTP/1.1 {}\r\nContent-Type: {}\r\n", answer.status, answer.mime);
        if let Some(location) = &answer.location {
            head += &format!("Location: {location}\r\n");
        }
        if answer.is_shared {
            head += "Access-Control-Allow-Origin: *\r\n";
        }
        head += &format!("Content-Length: {}\r\n\r\n", answer.body.len());
        stream.write_all(head.as_bytes())?;
        if answer.fault == Some(Fault::Cut) {
            return stream.write_all(&answer.body[..answer.body.len() / 2]);
        }
        if method != "HEAD" {
            stream.write_all(&answer.body)?;
        }
    }
    Ok(())
}

/// Whether a Host header names this machine.
fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|here| here.eq_ignore_ascii_case(name))
}

/// What a visitor asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Request {
    method: String,
    target: String,
    /// The Host header.
    host: Option<String>,
}

/// The next request; `None` when the visitor hung up. Of its headers only the host counts, and neither GET nor HEAD has a body.
fn request(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut first: Option<Request> = None;
    let mut head_bytes = 0;
    loop {
        let mut line = String::new();
        let read = io::Read::take(&mut *reader, MAX_HEAD_BYTES as u64).read_line(&mut line)?;
        head_bytes += read;
        if read == 0 {
            return Ok(None);
        }
        if head_bytes > MAX_HEAD_BYTES || !line.ends_with('\n') {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the request's head is too long"));
        }
        let line = line.trim_end();
        if line.is_empty() {
            // An empty line before a request is allowed.
            if first.is_some() {
                return Ok(first);
            }
            continue;
        }
        match &mut first {
            None => {
                let mut words = line.split(' ');
                let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                first = Some(Request { method: method.into(), target: target.into(), host: None });
            }
            Some(request) => {
                if let Some((_, host)) = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("host")) {
                    request.host = Some(host.trim().to_string());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        Site::new("/sub/path/", here).and("/", here.join("src"))
    }

    fn check(target: &str, status: &str) -> Answer {
        let answer = site().answer("GET", target);
        assert!(answer.status.starts_with(status), "{target}: {} instead of {status}", answer.status);
        answer
    }

    #[test]
    fn files_come_from_the_first_folder_that_matches() {
        assert!(check("/sub/path/Cargo.toml", "200").body.starts_with(b"[package]"));
        assert!(check("/lib.rs?x=1", "200").body.starts_with(b"//!"));
        assert!(check("/l%69b.rs", "200").body.starts_with(b"//!"));
        check("/sub/path/lib.rs", "404");
        check("/nothing.html", "404");
    }

    #[test]
    fn no_path_climbs_out() {
        for target in
            ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/sub/path/../../x", "/..%5cCargo.toml", "/a\\..\\b", "/sub/path/.."]
        {
            check(target, "403");
        }
        check("/%zz", "400");
        check("/%2", "400");
        check("/%ff", "400");
        // An absolute path must not replace the folder, nor be the name of another host in a redirect.
        check("//etc/hostname", "404");
        check("//src", "404");
        check("/sub/path//src", "404");
        check("/src%0d%0aLocation:x", "404");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_out_of_the_folder_is_not_followed() {
        let folder = std::env::temp_dir().join(format!("zvmlab-links-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("a folder");
        std::fs::write(folder.join("inner/a.txt"), "a").expect("a file");
        std::os::unix::fs::symlink(folder.join("inner/a.txt"), folder.join("inner/same.txt")).expect("a link");
        std::os::unix::fs::symlink(Path::new(env!("CARGO_MANIFEST_DIR")), folder.join("inner/out")).expect("a link");
        let site = Site::new("/", folder.join("inner"));
        let status = |target: &str| site.answer("GET", target).status;
        assert!(status("/same.txt").starts_with("200"), "a link within the folder");
        assert!(status("/out/Cargo.toml").starts_with("404") && status("/out").starts_with("404"));
        std::fs::remove_dir_all(&folder).expect("it goes");
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for (host, here) in [
            ("localhost:8080", true),
            ("127.0.0.1", true),
            ("[::1]:8080", true),
            ("LOCALHOST", true),
            ("lab.example:8080", false),
            ("127.0.0.1.example", false),
            ("", false),
        ] {
            assert_eq!(is_here(host), here, "{host}");
        }
    }

    #[test]
    fn a_host_fails_with_the_file_that_its_address_names() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let site = Site::new("/", here).and_failing("/faulty/", here);
        let answer = |target: &str| site.answer("GET", target);
        let whole = answer("/src/lib.rs").body;
        for (fault, length) in [("empty", 0), ("short", whole.len() / 2), ("type", whole.len()), ("offline", whole.len())] {
            let spoiled = answer(&format!("/faulty/{fault}/src%7Clib.rs/lab/src/lib.rs"));
            assert_eq!((spoiled.fault, spoiled.body.len()), (Fault::named(fault), length), "{fault}");
            let other = answer(&format!("/faulty/{fault}/src%7Clib.rs/lab/Cargo.toml"));
            assert!(other.fault.is_none() && other.status.starts_with("200"), "{fault}: other files are whole");
        }
        assert!(answer("/faulty/missing/src%7Clib.rs/lab/src/lib.rs").status.starts_with("404"));
        assert!(answer("/faulty/error/src%7Clib.rs/lab/src/lib.rs").status.starts_with("500"));
        assert!(answer("/faulty/wrong/src%7Clib.rs/lab/src/lib.rs").status.starts_with("404"), "there is no such fault");
    }

    #[test]
    fn a_folder_is_asked_for_with_its_slash() {
        assert_eq!(check("/sub/path", "301").location.as_deref(), Some("/sub/path/"));
        assert_eq!(check("/sub/path/src", "301").location.as_deref(), Some("/sub/path/src/"));
        check("/sub/path/src/", "404");
    }

    #[test]
    fn only_reading_is_allowed() {
        assert!(site().answer("POST", "/lib.rs").status.starts_with("405"));
        assert!(site().answer("HEAD", "/lib.rs").status.starts_with("200"));
    }

    #[test]
    fn browsers_get_the_types_they_insist_on() {
        for (name, expected) in
            [("a.wasm", "application/wasm"), ("a.js", "text/javascript"), ("a.css", "text/css"), ("a.html", "text/html")]
        {
            assert!(mime(Path::new(name)).starts_with(expected), "{name}");
        }
    }

    #[test]
    fn other_origins_may_read_the_element_alone() {
        let site = Site::new("/", Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let is_shared = |path| site.answer("GET", path).is_shared;
        assert!(is_shared("/static/zvm-lab.js"));
        assert!(!is_shared("/static/boot.js") && !is_shared("/index.html") && !is_shared("/nothing/static/zvm-lab.js"));
    }

    #[test]
    fn a_taken_port_leads_to_the_next() {
        let taken = listen(0).expect("some port is free");
        let port = taken.local_addr().expect("it is bound").port();
        let next = listen(port).expect("some later port is free");
        assert!(next.local_addr().expect("it is bound").port() > port);
    }

    #[test]
    fn one_connection_carries_several_requests() {
        let listener = listen(0).expect("some port is free");
        let address = listener.local_addr().expect("it is bound");
        std::thread::spawn(move || serve(&listener, site()));
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let mut reader = BufReader::new(stream.try_clone().expect("a socket can be cloned"));
        for (host, status) in
            [("localhost:1", "200 OK"), ("127.0.0.1", "200 OK"), ("lab.example", "421 Misdirected Request")]
        {
            let asked = format!("HEAD /lib.rs HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(asked.as_bytes()).expect("the server reads");
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert_ne!(reader.read_line(&mut head).expect("the server answers"), 0);
            }
            assert!(head.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{head}");
            assert!(head.contains("\r\nContent-Length: "), "{head}");
        }
    }
}
