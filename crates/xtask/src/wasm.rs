//! Drops a custom section of a wasm file: the `name` section is a third of the download and serves debuggers only.

/// The first eight bytes of a module: magic number and version 1.
const HEADER: &[u8; 8] = b"\0asm\x01\0\0\0";

/// The module without the custom sections called `name`.
///
/// # Errors
/// When the bytes are not a wasm module of version 1.
pub fn without_section(module: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut rest = module.strip_prefix(HEADER).ok_or("not a wasm module of version 1")?;
    let mut kept = HEADER.to_vec();
    while let Some((&id, tail)) = rest.split_first() {
        let (size, body) = leb128(tail).ok_or("a section's size is cut off")?;
        if body.len() < size {
            return Err("a section is cut off".into());
        }
        let (body, after) = body.split_at(size);
        if !(id == 0 && section_name(body) == Some(name.as_bytes())) {
            kept.extend_from_slice(&rest[..rest.len() - after.len()]);
        }
        rest = after;
    }
    Ok(kept)
}

/// The name at the start of a custom section.
fn section_name(body: &[u8]) -> Option<&[u8]> {
    let (length, rest) = leb128(body)?;
    rest.get(..length)
}

/// An unsigned LEB128 number of at most 32 bits, and what follows it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value: u64 = 0;
    for (index, &byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((usize::try_from(value).ok()?, &bytes[index + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section with `id` and `body`, its size written in as many bytes as it takes.
    fn section(id: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![id];
        let mut size = body.len();
        while size >= 0x80 {
            bytes.push(size as u8 | 0x80);
            size >>= 7;
        }
        bytes.push(size as u8);
        bytes.extend_from_slice(body);
        bytes
    }

    fn custom(name: &str, content: &[u8]) -> Vec<u8> {
        section(0, &[&[name.len() as u8], name.as_bytes(), content].concat())
    }

    #[test]
    fn the_named_section_goes_and_the_others_stay() {
        let (types, code) = (section(1, &[7; 300]), section(10, &[9; 20_000]));
        let features = custom("target_features", b"\x01+bulk");
        let module = [&HEADER[..], &types, &custom("name", &[1; 200]), &code, &features, &custom("name", b"")].concat();
        let expected = [&HEADER[..], &types, &code, &features].concat();
        assert_eq!(without_section(&module, "name").expect("it is a module"), expected);
        assert_eq!(without_section(&module, "nothing").expect("it is a module"), module);
    }

    #[test]
    fn broken_modules_are_refused_at_every_length() {
        let module = [&HEADER[..], &section(1, &[7; 300])].concat();
        for length in 0..module.len() {
            let whole = length == HEADER.len();
            assert_eq!(without_section(&module[..length], "name").is_ok(), whole, "cut to {length} bytes");
        }
        assert!(without_section(b"\0asm\x02\0\0\0", "name").is_err());
    }
}
