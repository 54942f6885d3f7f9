//! The fixtures as files: the archives in git (`tests/oracle/archives.py` writes them), unpacked once into
//! `target/fixtures`.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Names and bytes of the members of a zip without compression.
fn members(zip: &[u8]) -> Vec<(&str, &[u8])> {
    let end = zip.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").expect("a zip");
    let mut at = number(zip, end + 16, 4);
    (0..number(zip, end + 10, 2))
        .map(|_| {
            let name = &zip[at + 46..][..number(zip, at + 28, 2)];
            let (header, size) = (number(zip, at + 42, 4), number(zip, at + 20, 4));
            let start = header + 30 + number(zip, header + 26, 2) + number(zip, header + 28, 2);
            at += 46 + name.len() + number(zip, at + 30, 2) + number(zip, at + 32, 2);
            (std::str::from_utf8(name).expect("UTF-8"), &zip[start..start + size])
        })
        .collect()
}

fn write(file: &Path, bytes: &[u8]) {
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(file, bytes).expect("a file");
}

/// Writes the members of the archives of a folder, and its JSON files, to another folder.
fn unpack(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the fixtures") {
        let file = entry.expect("an entry").path();
        if file.is_dir() {
            unpack(&file, &to.join(file.file_name().expect("a name")));
        } else if file.extension().is_some_and(|ending| ending == "zip") {
            for (name, bytes) in members(&fs::read(&file).expect("an archive")) {
                write(&to.join(name), bytes);
            }
        } else if file.extension().is_some_and(|ending| ending == "json") {
            write(&to.join(file.file_name().expect("a name")), &fs::read(&file).expect("a list"));
        }
    }
}

/// Folder with `fixtures` and `neighbours` of a repository. Processes and threads that unpack at the same time do not
/// disturb each other.
pub fn unpacked(root: &Path) -> PathBuf {
    let text = fs::read_to_string(root.join("tests/fixtures/digest.txt")).expect("the digest");
    let digest = text.trim();
    let all = root.join("target/fixtures");
    let folder = all.join(digest);
    if folder.exists() {
        return folder;
    }
    let thread = format!("{:?}", std::thread::current().id());
    let own = format!("begun-{digest}-{}-{thread}", std::process::id());
    let begun = all.join(own.replace(['(', ')'], ""));
    unpack(&root.join("tests/fixtures"), &begun.join("fixtures"));
    unpack(&root.join("tests/neighbours/fixtures"), &begun.join("neighbours"));
    if fs::rename(&begun, &folder).is_err() {
        fs::remove_dir_all(&begun).expect("what was begun");
        assert!(folder.exists(), "no folder {}", folder.display());
    }
    for entry in fs::read_dir(&all).expect("a folder").flatten() {
        if !entry.file_name().to_string_lossy().contains(digest)
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        }
    }
    folder
}
