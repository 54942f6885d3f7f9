//! Mistakes of zarrita 0.7.5, and what it made needlessly dear, and the test of ours that holds each.
//!
//! A fixture is read by the native tests and in Chromium; a title is that of a browser test.

use std::path::Path;

use crate::support::{cases, text};

/// Where a trap is tested.
enum Held {
    /// An array of this index, or of a list of broken ones.
    Fixture(&'static str, &'static str),
    /// A test with these words in a file below tests/browser.
    Test(&'static str, &'static str),
}

use Held::{Fixture, Test};

const TRAPS: &[(&str, Held)] = &[
    ("a rectilinear grid: TypeError", Fixture("index.json", "rectilinear-single")),
    ("a shard's index at its start: garbage", Fixture("index.json", "sharded-index-start")),
    ("a transpose outside a shard: ignored", Fixture("index.json", "sharded-transposed")),
    ("nested shards: unknown codec", Fixture("index.json", "sharded-nested")),
    ("a corrupt crc32c: decoded", Fixture("broken.json", "chunk-crc32c-checksum")),
    ("a truncated chunk: decoded", Fixture("broken.json", "chunk-bytes-truncated")),
    ("a host that ignores ranges: zeros", Test("network/cross-origin", "ranges are ignored")),
    (
        "HEAD without a length, or refused: an error",
        Test("network/cross-origin", "HEAD and preflights are refused"),
    ),
    (
        "HEAD answered otherwise: the whole shard for each chunk",
        Test("network/cross-origin", "HEAD is answered with"),
    ),
    ("one reader's abort: the neighbours' too", Test("network/sharing", "one of two readers leaves")),
    (
        "an abort where ranges are joined: the neighbours' too",
        Test("network/sharing", "joined ranges: the reader of one leaves"),
    ),
    (
        "the same chunk twice at once: fetched twice",
        Test("network/sharing", "ten reads of one chunk at once ask for it once"),
    ),
    ("10,000 chunks: as many requests at once", Test("network/turns", "10,000 chunks are")),
    ("fill value 0x7fc00001: a large number", Fixture("index.json", "fill-nan-payload")),
    ("an axis of length zero: throws", Fixture("index.json", "zero-regular")),
    ("an axis of length zero in edges: throws", Fixture("index.json", "zero-rectilinear")),
    ("a data type given as an object: TypeError", Fixture("index.json", "meta-data-type-object")),
    ("datetime64", Fixture("index-dtypes.json", "dtype-datetime-ns")),
    ("complex64", Fixture("index-dtypes.json", "dtype-complex64")),
    ("structs", Fixture("index-dtypes.json", "dtype-struct")),
    ("raw bits", Fixture("index-dtypes.json", "dtype-raw")),
    ("text of a fixed length", Fixture("index-dtypes.json", "dtype-utf32")),
];

#[test]
fn every_trap_has_a_test() {
    let browser = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    for (trap, held) in TRAPS {
        match held {
            Fixture(index, name) => {
                assert!(cases(index).iter().any(|case| text(case, "name") == *name), "{trap}: no {name}");
            }
            Test(file, title) => {
                let tests = std::fs::read_to_string(browser.join(format!("{file}.test.mjs"))).expect(file);
                assert!(tests.contains(title), "{trap}: {file} has no {title:?}");
            }
        }
    }
}

#[test]
fn an_empty_slice_is_read_of_every_array_that_has_an_axis() {
    for case in cases("index.json").iter().filter(|case| case["shape"] != serde_json::json!([])) {
        let selections = case["selections"].as_array().expect("selections");
        assert!(selections.iter().any(|one| one["items"] == 0), "{}", text(case, "name"));
    }
}

#[test]
fn an_integer_alone_drops_the_first_axis_only() {
    let planes = |case: &&serde_json::Value| case["shape"].as_array().is_some_and(|shape| shape.len() == 2);
    let short = |one: &serde_json::Value| {
        one["selection"].as_array().is_some_and(|axes| axes.len() == 1 && axes[0].is_i64())
            && one["shape"].as_array().is_some_and(|shape| shape.len() == 1)
    };
    let index = cases("index.json");
    let found = index.iter().filter(planes).flat_map(|case| case["selections"].as_array().unwrap());
    assert!(found.filter(|one| short(one)).count() > 0, "get([1]) of an array of two axes");
}
