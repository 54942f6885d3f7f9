//! Damaged repositories of Icechunk: bytes of their files changed, files cut short, bombs and circles. All of it ends,
//! with an error or without, and never in a panic.

use rectilinear_zarr::Error;

use crate::support::repository::{Files, changed, folder, open, refusal};

const KEYS: [&str; 6] = [
    "zarr.json",
    "t2m/zarr.json",
    "t2m/c/0/0/0",
    "t2m/c/2/0/0",
    "surface/wind/c/1/1",
    "surface/deep/er/scalar/c",
];

/// The files of a repository, each one that its root array's chunk needs.
const FILES: [&str; 3] = ["repo", "snapshots/", "manifests/"];

/// Length of what stands before the content.
const HEADER: usize = 39;

/// Asks everything of a repository; what was refused.
fn everything(files: impl Files) -> Vec<Error> {
    let mut opened = match open(files, "{}") {
        Ok(opened) => opened,
        Err(error) => return vec![error],
    };
    let mut refused: Vec<Error> = KEYS.iter().filter_map(|key| opened.place(key).err()).collect();
    refused.extend(["snapshots", "refs"].iter().filter_map(|question| opened.answer(question).err()));
    refused
}

/// The length of the longest file of a kind.
fn longest(set: &'static str, name: &'static str) -> usize {
    let length = std::cell::Cell::new(0);
    everything(changed(set, name, |bytes| {
        length.set(length.get().max(bytes.len()));
        Some(bytes)
    }));
    length.get()
}

#[test]
fn whole_sets_refuse_nothing() {
    for set in ["v2", "plain"] {
        assert_eq!(everything(folder(set)), Vec::new());
    }
}

#[test]
fn any_byte_may_be_another() {
    // Every few of them: what is compressed mostly fails alike.
    for (set, step) in [("v2", 23), ("plain", 7)] {
        for name in FILES {
            let mut refusals = 0;
            for at in (0..longest(set, name)).step_by(step) {
                for byte in [0, 0x7f, 0xff] {
                    let refused = everything(changed(set, name, |mut bytes| {
                        *bytes.get_mut(at).unwrap_or(&mut 0) = byte;
                        Some(bytes)
                    }));
                    refusals += usize::from(!refused.is_empty());
                }
            }
            assert!(refusals > 10, "{set}/{name}: {refusals}");
        }
    }
}

#[test]
fn any_offset_may_be_another() {
    for name in FILES {
        for at in (HEADER..longest("plain", name)).step_by(4) {
            for number in [0_u32, 0x7fff_fff0] {
                everything(changed("plain", name, |mut bytes| {
                    if let Some(place) = bytes.get_mut(at..at + 4) {
                        place.copy_from_slice(&number.to_le_bytes());
                    }
                    Some(bytes)
                }));
            }
        }
    }
}

#[test]
fn files_cut_short_are_refused() {
    for set in ["v2", "plain"] {
        for name in FILES {
            for length in (0..longest(set, name)).step_by(17) {
                let refused = everything(changed(set, name, |mut bytes| {
                    bytes.truncate(length);
                    Some(bytes)
                }));
                // Compressed, the end of a file is its beginning's too; else what is cut off may be wanted of nobody.
                assert!(
                    set == "plain" && length > HEADER || !refused.is_empty(),
                    "{set}/{name} cut to {length}"
                );
            }
        }
    }
}

#[test]
fn circles_of_snapshots_end() {
    // Somewhere the first snapshot says that none was before it.
    let places = longest("plain", "repo") - 4;
    let circles = (HEADER..places).filter(|at| {
        let refused = everything(changed("plain", "repo", |mut bytes| {
            let none = bytes.get_mut(*at..at + 4).filter(|place| *place == [0xff; 4]);
            none.into_iter().for_each(|place| place.copy_from_slice(&0_u32.to_le_bytes()));
            Some(bytes)
        }));
        refused.iter().any(|error| error.to_string().contains("in a circle"))
    });
    assert!(circles.count() > 0);

    // In version 1, a snapshot that is not the one it is named.
    let names: Vec<String> = open(folder("v1"), "{}").expect("a repository").asked;
    let last = names.last().expect("a snapshot").clone();
    let mut opened =
        open(move |file: &str| folder("v1")(if file.starts_with("snapshots/") { &last } else { file }), "{}")
            .expect("a repository");
    let error = opened.answer("snapshots").expect_err("another snapshot");
    assert!(error.to_string().contains("of the file's name"), "{error}");
}

/// A frame of Zstandard that says of so many blocks that each is 128 KiB of zeros.
fn bomb(blocks: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    for nth in 1..=blocks {
        let header = u32::from(nth == blocks) | 1 << 1 | (128 << 10) << 3;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.push(0);
    }
    frame
}

#[test]
fn bombs_are_refused() {
    let declared = [&[0x28, 0xb5, 0x2f, 0xfd, 0xe0][..], &(1_u64 << 40).to_le_bytes(), &[1, 0, 0]].concat();
    for frame in [bomb(4097), declared] {
        for name in FILES {
            let error = refusal(
                changed("v2", name, |mut bytes| {
                    bytes.truncate(HEADER);
                    bytes.extend(&frame);
                    Some(bytes)
                }),
                "{}",
            );
            assert!(error.to_string().contains("536870912"), "{name}: {error}");
        }
    }
}

/// A file as Icechunk wrote it before 1.0: the header that it still has, and MessagePack in a frame of Zstandard.
fn message_pack(kind: u8) -> Vec<u8> {
    // A list of an id, a list and nothing.
    let content = [&[0x93, 0xc4, 12][..], &[7; 12], &[0x90, 0xc0]].concat();
    let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, 17][..], &[17 << 3 | 1, 0, 0], &content].concat();
    let header = [b"ICE\xf0\x9f\xa7\x8aCHUNK".as_slice(), b"ic-0.1.0-a.8            ", &[1, kind, 1]];
    [header.concat(), frame].concat()
}

#[test]
fn repositories_before_1_0_are_named() {
    let named = |error: Error, what: &str| {
        let Error::Unsupported { feature, .. } = &error else { panic!("{what}: {error}") };
        assert!(feature.contains("before 1.0") && feature.contains("MessagePack"), "{what}: {error}");
    };
    let state = br#"{"snapshot":"1CECHNKREP0F1RSTCMT0"}"#;
    // Each state of a branch was a file; a tag was what it is.
    let first = |file: &str| match file {
        "refs/branch.main/ZZZZZZZZ.json" | "refs/tag.v1/ref.json" => Some(state.to_vec()),
        _ => file.starts_with("snapshots/").then(|| message_pack(1)),
    };
    for options in
        ["{}", r#"{"branch": "main"}"#, r#"{"tag": "v1"}"#, r#"{"snapshot": "1CECHNKREP0F1RSTCMT0"}"#]
    {
        named(refusal(first, options), options);
    }
    // A tag that is not there does not hide that the repository is such a one; a deleted one is one of 1.0.
    named(refusal(first, r#"{"tag": "v2"}"#), "a tag that is not there");
    let deleted = |file: &str| if file.ends_with(".deleted") { Some(Vec::new()) } else { first(file) };
    let error = refusal(deleted, r#"{"tag": "v2"}"#);
    assert!(matches!(error, Error::NotFound { .. }) && error.to_string().contains("deleted"), "{error}");
    let manifest = changed("v1", "manifests/", |_| Some(message_pack(2)));
    named(refusal(manifest, "{}"), "a manifest");
    // A branch that is not there is not there, and a page for everything is no state of it.
    for page in [None, Some(b"<!doctype html>".to_vec())] {
        for options in [r#"{"branch": "nope"}"#, r#"{"tag": "nope"}"#] {
            let error = refusal(|_| page.clone(), options);
            assert!(matches!(error, Error::NotFound { .. }), "{error}");
        }
    }
    // A tag is missed by its own name.
    let error = refusal(|_| None, r#"{"tag": "nope"}"#);
    assert!(error.to_string().contains("under refs/tag.nope/ref.json;"), "{error}");
    // What later versions wrote and is damaged stays so.
    let damaged = changed("v1", "manifests/", |mut bytes| {
        bytes.truncate(HEADER);
        bytes[HEADER - 1] = 0;
        bytes.extend([0xff; 40]);
        Some(bytes)
    });
    let error = refusal(damaged, "{}");
    assert!(matches!(error, Error::InvalidMetadata { .. }), "{error}");
}
