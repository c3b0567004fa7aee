//! What clippy says of what cargo compiles.

use std::process::{Command, Stdio};

use crate::command::line;

/// Has cargo compile, and shows what clippy says of it. What was compiled before is not compiled again, but cargo tells again what was
/// said of it.
///
/// # Errors
/// When something does not compile, or clippy says anything.
pub fn none_in(mut compiling: Command) -> Result<(), String> {
    compiling.args(["--quiet", "--message-format=json"]);
    let line = line(&compiling);
    println!("  $ {line}");
    let told = compiling.stderr(Stdio::inherit()).output().map_err(|error| format!("{line}: {error}"))?;
    let told_lines = String::from_utf8_lossy(&told.stdout).into_owned();
    let said: Vec<String> = told_lines.lines().filter_map(said).collect();
    said.iter().for_each(|text| println!("{text}"));
    match (told.status.success(), said.len()) {
        (true, 0) => Ok(()),
        (true, all) => Err(format!("{line}: clippy says {all} things; it is to say nothing")),
        (false, _) => Err(format!("{line}: {}", told.status)),
    }
}

/// What a line of cargo's messages says of the sources, as a person reads it; nothing if it tells of something else.
fn said(line: &str) -> Option<String> {
    if !line.starts_with(r#"{"reason":"compiler-message""#) {
        return None;
    }
    let (_, rest) = line.split_once(r#""rendered":""#)?;
    let mut text = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => match letters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'u' => {
                    let code = letters.by_ref().take(4).collect::<String>();
                    text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::command;

    const WARNING: &str = r#"{"reason":"compiler-message","package_id":"a","message":{"rendered":"warning: unused `a`\n  --> \"x\"\u0021\n","level":"warning"}}"#;

    #[test]
    fn a_message_is_read_as_a_person_reads_it() {
        assert_eq!(said(WARNING).as_deref(), Some("warning: unused `a`\n  --> \"x\"!\n"));
        assert_eq!(said(r#"{"reason":"compiler-artifact","message":{"rendered":"no"}}"#), None);
        assert_eq!(said(r#"{"reason":"compiler-message","message":{"rendered":"no end"#), None);
    }

    #[test]
    fn a_compilation_that_says_something_has_failed() {
        let tells = |text: &str, ends: &str| command("sh", &["-c", &format!("printf '%s\\n' '{text}'; exit {ends}")]);
        assert_eq!(none_in(tells(r#"{"reason":"build-finished","success":true}"#, "0")), Ok(()));
        let warned = none_in(tells(WARNING, "0")).expect_err("it said something");
        assert!(warned.ends_with("clippy says 1 things; it is to say nothing"), "{warned}");
        assert!(none_in(tells("", "101")).is_err());
    }
}
