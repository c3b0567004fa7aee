//! Archives whose bytes follow from names, contents and one time alone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use crate::about;

/// What gzip calls a system that it does not know (RFC 1952): otherwise it would name this one.
const ANY_SYSTEM: u8 = 255;

/// Writes the files of `folder` into the archive `to`, in a folder called `name`, all at the time `epoch` (seconds since 1970).
///
/// # Errors
/// When a file cannot be read or written, or is neither file nor folder: a link would lead elsewhere on another machine.
pub fn write(folder: &Path, name: &str, epoch: u64, to: &Path) -> Result<(), String> {
    let file = File::create(to).map_err(|error| about(to, error))?;
    let packed = GzBuilder::new().mtime(0).operating_system(ANY_SYSTEM).write(file, Compression::best());
    let mut archive = Builder::new(packed);
    for path in files(folder)? {
        let contents = fs::read(&path).map_err(|error| about(&path, error))?;
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(contents.len() as u64);
        header.set_mode(if is_program(&path)? { 0o755 } else { 0o644 });
        header.set_mtime(epoch);
        header.set_uid(0);
        header.set_gid(0);
        let within = Path::new(name).join(path.strip_prefix(folder).unwrap_or(&path));
        archive.append_data(&mut header, &within, contents.as_slice()).map_err(|error| about(&path, error))?;
    }
    let ended = archive.into_inner().and_then(flate2::write::GzEncoder::finish).and_then(|file| file.sync_all());
    ended.map_err(|error| about(to, error))
}

/// The files in a folder and all folders in it, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| about(folder, error))? {
        let entry = entry.map_err(|error| about(folder, error))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| about(&path, error))?;
        if kind.is_dir() {
            found.extend(files(&path)?);
        } else if kind.is_file() {
            found.push(path);
        } else {
            return Err(about(&path, "neither a file nor a folder; an archive of a release holds no links"));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(unix)]
fn is_program(file: &Path) -> Result<bool, String> {
    use std::os::unix::fs::PermissionsExt;
    let about_file = fs::metadata(file).map_err(|error| about(file, error))?;
    Ok(about_file.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> Result<bool, String> {
    Ok(file.extension().is_some_and(|ending| ending == "exe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_the_same_whatever_the_order_and_the_time_of_its_files() {
        let place = tempfile::tempdir().unwrap();
        let archives = [["b", "a/c"], ["a/c", "b"]].map(|order| {
            let folder = place.path().join(order.concat().replace('/', "-"));
            fs::create_dir_all(folder.join("a")).unwrap();
            for name in order {
                fs::write(folder.join(name), name).unwrap();
            }
            let to = folder.with_extension("tar.gz");
            write(&folder, "whole", 1_000_000_000, &to).unwrap();
            fs::read(to).unwrap()
        });
        assert_eq!(archives[0], archives[1]);
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archives[0].as_slice()));
        let told: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                (entry.path().unwrap().display().to_string(), header.mtime().unwrap(), header.mode().unwrap())
            })
            .collect();
        let time = 1_000_000_000;
        assert_eq!(told, [("whole/a/c".to_string(), time, 0o644), ("whole/b".to_string(), time, 0o644)]);
    }

    #[cfg(unix)]
    #[test]
    fn programs_stay_programs_and_links_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let program = folder.join("program");
        fs::write(&program, "x").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let to = place.path().join("one.tar.gz");
        write(&folder, "one", 0, &to).unwrap();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(File::open(&to).unwrap()));
        assert_eq!(archive.entries().unwrap().next().unwrap().unwrap().header().mode().unwrap(), 0o755);
        std::os::unix::fs::symlink("/", folder.join("link")).unwrap();
        assert!(write(&folder, "one", 0, &to).unwrap_err().contains("holds no links"));
        assert!(write(&place.path().join("none"), "one", 0, &to).is_err());
    }
}
