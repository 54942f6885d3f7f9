//! Filters of HDF5 that no codec of Zarr is: values as h5py reads them, and damage that is an error.

use std::borrow::Cow;

use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use serde_json::{Value, json};

use crate::support::hdf5::{File, differences, entries, read_all, stored};
use crate::support::text;

const SET: &str = "hdf5filters";

#[test]
fn filters_of_every_kind_give_what_h5py_reads() {
    let entries = entries(SET);
    let arrays: usize = entries.iter().map(|entry| entry["arrays"].as_array().unwrap().len()).sum();
    assert!(arrays > 400, "{arrays} arrays");
    let found: Vec<String> = entries.iter().flat_map(|entry| differences(SET, entry)).collect();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found[..found.len().min(40)].join("\n"));
}

#[test]
fn the_set_has_every_filter_and_chunks_without_it() {
    let mut named = std::collections::BTreeSet::new();
    for entry in entries(SET) {
        let mut file = File::open(SET, text(&entry, "path"));
        let root = file.json("").unwrap();
        for document in root["consolidated_metadata"]["metadata"].as_object().unwrap().values() {
            named.extend(codecs(document));
        }
    }
    for name in ["bitshuffle", "lz4", "lzf", "nbit", "scaleoffset", "szip"] {
        assert!(named.contains(&format!("hdf5.{name}")), "{name} of {named:?}");
    }
}

fn codecs(document: &Value) -> Vec<String> {
    let all = document["codecs"].as_array().unwrap();
    all.iter().map(|codec| text(codec, "name").to_owned()).collect()
}

/// Chunks of a filter, with the arrays that they are of: stored bytes whose codecs are that filter alone.
fn chunks(filter: &str) -> Vec<(Array, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in entries(SET) {
        let mut file = File::open(SET, text(&entry, "path"));
        let root = file.json("").unwrap();
        for (path, document) in root["consolidated_metadata"]["metadata"].as_object().unwrap() {
            if codecs(document) != ["bytes", filter] {
                continue;
            }
            let array = file.array(path).unwrap();
            let keys: Vec<String> =
                array.plan(&[]).unwrap().tasks().take(2).map(|task| task.unwrap().key().to_owned()).collect();
            for key in keys {
                found.extend(file.bytes(&key).unwrap().map(|bytes| (file.array(path).unwrap(), bytes)));
            }
        }
    }
    found
}

#[test]
fn damaged_chunks_are_errors_or_values() {
    let mut random = fastrand::Rng::with_seed(5);
    for filter in ["bitshuffle", "lz4", "lzf", "nbit", "scaleoffset", "szip"] {
        let chunks = chunks(&format!("hdf5.{filter}"));
        assert!(chunks.len() > 8, "{filter}: {} chunks", chunks.len());
        let (mut read, mut refused) = (0, 0);
        for _ in 0..10_000 {
            let (array, whole) = &chunks[random.usize(0..chunks.len())];
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(0..bytes.len());
                // Heads are short and say most.
                let at = if random.bool() { at } else { at % 24 };
                bytes[at] = [0, 1, 0xff, 0x80, random.u8(..)][random.usize(0..5)];
            }
            match random.u8(0..8) {
                0 => bytes.truncate(random.usize(0..bytes.len())),
                1 => bytes.extend_from_slice(whole),
                _ => {}
            }
            let plan = array.plan(&[]).unwrap();
            let task = plan.tasks().next().unwrap().unwrap();
            match array.decode(&task, Some(Cow::Owned(bytes))) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert_eq!(error.name(), "CodecError", "{filter}: {error}");
                    assert!(error.to_string().contains(&format!("hdf5.{filter}")), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 500, "{filter}: {refused} refused, {read} read");
    }
}

#[test]
fn damaged_files_are_errors_or_values() {
    let mut random = fastrand::Rng::with_seed(6);
    let files: Vec<Vec<u8>> = entries(SET).iter().map(|entry| stored(SET, text(entry, "path"))).collect();
    let mut read = 0;
    for _ in 0..60 {
        let mut bytes = files[random.usize(0..files.len())].clone();
        for _ in 0..random.usize(1..200) {
            let at = random.usize(0..bytes.len());
            bytes[at] = random.u8(..);
        }
        read += read_all(bytes);
    }
    assert!(read > 100, "{read} were read");
}

/// An array of four numbers with a filter of these values.
fn with_values(name: &str, values: &Value) -> rectilinear_zarr::Result<Array> {
    let codec = json!({ "name": format!("hdf5.{name}"), "configuration": { "values": values } });
    let codecs = json!([crate::support::little(), codec]);
    let document = crate::support::document_with(&[4], &json!([[4]]), "int32", &codecs);
    Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES)
}

#[test]
fn values_that_no_filter_has_are_refused_where_they_are() {
    let deep: Vec<u32> = [9, 0, 4].into_iter().chain([2, 4].repeat(30)).chain([1, 4, 0, 9, 0]).collect();
    for (name, values) in [
        ("bitshuffle", json!([0, 4, 0, 0, 2])),
        ("bitshuffle", json!([0, 4, 4, 12, 2])),
        ("bitshuffle", json!([0, 4, 4, 0, 9])),
        ("bitshuffle", json!([0, 4, 4_294_967_295_u64, 4_294_967_288_u64, 2])),
        ("bitshuffle", json!([0, 4, 4_294_967_296_u64, 0, 2])),
        ("scaleoffset", json!([2, 0, 4])),
        ("scaleoffset", json!([1, 0, 4, 1, 4, 0, 0, 0])),
        ("scaleoffset", json!([2, 0, 4, 0, 3, 0, 0, 0])),
        ("szip", json!([32, 0, 32, 4])),
        ("szip", json!([32, 3, 32, 4])),
        ("szip", json!([32, 4, 25, 4])),
        ("szip", json!([32, 4, 32, 2])),
        ("nbit", json!([8, 0, 4])),
        ("nbit", json!([8, 0, 4, 1, 4, 0, 30, 3])),
        ("nbit", json!([8, 0, 4, 3, 4, 9, 0])),
        ("nbit", json!(deep)),
    ] {
        let error = with_values(name, &values).expect_err(name);
        assert_eq!(error.name(), "InvalidMetadataError", "{name} {values}: {error}");
        assert!(error.to_string().contains("/codecs/1/configuration/values"), "{error}");
    }
    with_values("szip", &json!([32, 4, 32, 4])).expect("values of szip");
}

/// Few bytes that say they are many take no memory for these.
#[test]
fn heads_do_not_decide_how_much_memory_is_taken() {
    let array = with_values("lz4", &json!([0])).unwrap();
    let plan = array.plan(&[]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let mut chunk = (1_u64 << 40).to_be_bytes().to_vec();
    chunk.extend((1_u32 << 31).to_be_bytes());
    let error = array.decode(&task, Some(Cow::Owned(chunk))).expect_err("too long");
    assert_eq!(error.name(), "CodecError", "{error}");
}
