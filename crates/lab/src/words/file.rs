//! A file of a reader as text, or what is wrong with it: one answer for the page and the command line.

/// The longest file of a scenario or a lesson in bytes: 256 KiB.
pub const SCENARIO_BYTES_MAX: u64 = 256 << 10;

/// The longest file that the page opens, in bytes: 16 MiB. Chosen: a browser keeps some 5 MB for a site, so no file of saved hosts is as
/// long.
pub const BYTES_MAX: u64 = 16 << 20;

/// What a file is told that has more than `most` bytes.
pub fn too_long(most: u64) -> String {
    format!("longer than {most} bytes; no file of this laboratory is that long")
}

/// The text in `bytes`, without the byte order mark that some editors put in front.
///
/// # Errors
/// Why the bytes are no text, or that there is nothing in them.
pub fn text(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("not UTF-8 text from byte {} on", error.utf8_error().valid_up_to()))?;
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() { Err("empty: there is no text in it".into()) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_is_read() {
        assert_eq!(text(b"level = \"6.4\"".to_vec()).as_deref(), Ok("level = \"6.4\""));
        assert_eq!(text(b"\xef\xbb\xbf# mark".to_vec()).as_deref(), Ok("# mark"));
        for empty in [&b""[..], b" \n\t", b"\xef\xbb\xbf\n"] {
            assert_eq!(text(empty.to_vec()), Err("empty: there is no text in it".into()), "{empty:?}");
        }
        assert_eq!(text(b"ab\xff".to_vec()), Err("not UTF-8 text from byte 2 on".into()));
    }
}
