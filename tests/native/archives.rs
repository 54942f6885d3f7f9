//! Fixtures are few files in git: archives, which are those that their digest tells.
#![allow(clippy::print_stderr)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::archives::unpacked;

/// Archives and JSON files below a folder, by their names from there.
fn committed(folder: &Path, within: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = format!("{within}{}", file.file_name().unwrap().to_str().unwrap());
        if file.is_dir() {
            committed(&file, &format!("{name}/"), found);
        } else if file.extension().is_some_and(|ending| ending == "zip" || ending == "json") {
            found.insert(name, fs::read(&file).unwrap());
        }
    }
}

#[test]
fn the_digest_is_of_the_committed_fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut crc = flate2::Crc::new();
    for folder in ["tests/fixtures", "tests/neighbours/fixtures"] {
        let mut found = BTreeMap::new();
        committed(&root.join(folder), "", &mut found);
        for (name, bytes) in found {
            crc.update(name.as_bytes());
            crc.update(&bytes);
        }
    }
    let digest = fs::read_to_string(root.join("tests/fixtures/digest.txt")).unwrap();
    assert_eq!(digest, format!("{:08x}\n", crc.sum()), "python tests/oracle/archives.py writes it");
}

#[test]
fn threads_that_unpack_at_the_same_time_find_one_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = root.join(format!("target/fixtures-of-a-copy-{}", std::process::id()));
    fs::create_dir_all(copy.join("tests/neighbours/fixtures")).unwrap();
    fs::create_dir_all(copy.join("tests/fixtures")).unwrap();
    for file in ["digest.txt", "months.json", "months.zip"] {
        fs::copy(root.join("tests/fixtures").join(file), copy.join("tests/fixtures").join(file)).unwrap();
    }
    // What another state of the fixtures left goes.
    fs::create_dir_all(copy.join("target/fixtures/00000000")).unwrap();
    let folders: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| unpacked(&copy))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(folders.iter().all(|folder| *folder == folders[0]), "{folders:?}");
    let month = "fixtures/months/jan.zarr/zarr.json";
    let own = unpacked(root);
    assert_eq!(fs::read(folders[0].join(month)).unwrap(), fs::read(own.join(month)).unwrap());
    assert_eq!(fs::read_dir(copy.join("target/fixtures")).unwrap().count(), 1);
    fs::remove_dir_all(copy).unwrap();
}

#[test]
fn git_tracks_at_most_three_thousand_files() {
    let root = env!("CARGO_MANIFEST_DIR");
    let listed = Command::new("git").args(["-C", root, "ls-files"]).output().expect("git");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let count = listed.stdout.split(|byte| *byte == b'\n').count() - 1;
    assert!((1..=3000).contains(&count), "{count} tracked files");
}
