//! Checksums, in the form that `sha256sum --check` reads.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::about;

/// The file of the checksums.
pub const FILE: &str = "SHA256SUMS";

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// When it cannot be read.
pub fn of(file: &Path) -> Result<String, String> {
    let bytes = fs::read(file).map_err(|error| about(file, error))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A line for each file of a folder, by name; the checksums' own file is none of them.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn all(folder: &Path) -> Result<String, String> {
    let entries = fs::read_dir(folder).map_err(|error| about(folder, error))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.retain(|file| !file.ends_with(FILE));
    files.sort();
    let line = |file: &PathBuf| Ok(format!("{}  {}\n", of(file)?, file.file_name().unwrap_or_default().to_string_lossy()));
    files.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("b"), "abc").unwrap();
        fs::write(place.path().join("a"), "").unwrap();
        fs::write(place.path().join(FILE), "old").unwrap();
        // FIPS 180-4: the SHA-256 of no bytes and of "abc".
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
                        ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n";
        assert_eq!(all(place.path()).unwrap(), expected);
        assert!(of(&place.path().join("none")).is_err());
    }
}
