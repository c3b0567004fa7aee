//! `serve`: builds the page, then serves it on this machine.

use std::time::Instant;

use xtask::server;

use crate::command::say;
use crate::site::Site;
use crate::tools::{self, Tools};

/// The port tried first. Chosen: most development servers use it.
const FIRST_PORT: u16 = 8080;

/// Builds and serves until the process is ended.
///
/// # Errors
/// When the arguments are not understood, the page does not build or no port is free.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let (first, names) = asked(arguments)?;
    let draft = Site::Draft { names };
    let start = Instant::now();
    say(if tools::page_tool_is_there() {
        "building a draft of the page: what changed is compiled anew, about a quarter of a minute for a change of a view"
    } else {
        "building a draft of the page: three to four minutes the first time on two cores, for tools and page side by side"
    });
    draft.build(Tools::Page)?;
    say(&format!("built in {:.0} s; what users get is smaller and faster: ./run build", start.elapsed().as_secs_f64()));
    let listener = server::listen(first).map_err(|error| format!("port {first} cannot be had: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    if first != 0 && address.port() != first {
        say(&format!("port {first} is taken, so the next free one is used"));
    }
    say("serving target/draft, for this machine only; Ctrl-C ends it");
    println!("http://{address}/");
    server::serve(&listener, server::Site::new("/", draft.folder()));
    Ok(())
}

/// The port tried first, and whether functions keep their names.
fn asked(arguments: &[&str]) -> Result<(u16, bool), String> {
    match arguments {
        ["--names", rest @ ..] | [rest @ .., "--names"] => Ok((port(rest)?, true)),
        rest => Ok((port(rest)?, false)),
    }
}

fn port(arguments: &[&str]) -> Result<u16, String> {
    let text = match arguments {
        [] => return Ok(FIRST_PORT),
        ["--port", text] => text,
        [argument] => argument.strip_prefix("--port=").ok_or_else(|| format!("serve does not know {argument}"))?,
        _ => return Err(format!("serve does not know {}", arguments.join(" "))),
    };
    text.parse().map_err(|_| format!("a port is a number from 0 to 65535, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_where_they_are_asked_for() {
        assert_eq!(asked(&["--port", "9000"]), Ok((9000, false)));
        assert_eq!(asked(&["--names"]), Ok((FIRST_PORT, true)));
        assert_eq!(asked(&["--names", "--port", "9000"]), Ok((9000, true)));
        assert_eq!(asked(&["--port=9000", "--names"]), Ok((9000, true)));
        for bad in [&["--names", "--names"][..], &["--name"], &["--names=1"]] {
            assert!(asked(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_port_is_read_or_refused() {
        assert_eq!(port(&[]), Ok(FIRST_PORT));
        assert_eq!(port(&["--port", "9000"]), Ok(9000));
        assert_eq!(port(&["--port=0"]), Ok(0));
        for bad in [&["--port"][..], &["--port", "65536"], &["--port=x"], &["9000"], &["--port", "1", "2"]] {
            assert!(port(bad).is_err(), "{bad:?}");
        }
    }
}
