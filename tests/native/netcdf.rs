//! NetCDF-3 files: what is read of them is what netCDF4 and scipy read, and damage ends with an error.
#![cfg(feature = "files")]

use std::path::PathBuf;

use rectilinear_zarr::Error;
use rectilinear_zarr::source::{ByteLocation, Format};
use serde_json::{Value, json};

use crate::support::original::Original;
use crate::support::text;

fn sets() -> PathBuf {
    crate::support::neighbours("netcdf")
}

fn entries() -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(sets().join("index.json")).expect("an index")).expect("JSON")
}

fn open(name: &str) -> Original {
    Original::of("netcdf", std::fs::read(sets().join(name)).expect(name))
}

/// The items of a variable as the oracle read them: bytes of numbers, or texts with their lengths.
fn expected(entry: &Value, variable: &Value) -> Vec<u8> {
    let all = std::fs::read(sets().join(text(entry, "values"))).expect("values");
    let at = |nth: usize| usize::try_from(variable["values"][nth].as_u64().unwrap()).unwrap();
    let bytes = all[at(0)..at(0) + at(1)].to_vec();
    if variable["dtype"] != "string" {
        return bytes;
    }
    let texts: Vec<String> = serde_json::from_slice(&bytes).expect("texts");
    let item = |text: &String| [&u32::try_from(text.len()).unwrap().to_le_bytes(), text.as_bytes()].concat();
    texts.iter().flat_map(item).collect()
}

/// Whether two attributes are equal, as the numbers that they are.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => {
            one == other || (one.is_f64() && one.as_f64() == other.as_f64())
        }
        _ => one == other,
    }
}

fn assert_attributes(found: &Value, wanted: &Value, name: &str) {
    let (found, wanted) = (found.as_object().expect(name), wanted.as_object().expect(name));
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>(), "{name}");
    for (key, value) in wanted {
        assert!(is_same(&found[key], value), "{name}: {key} is {}, wanted {value}", found[key]);
    }
}

#[test]
fn every_variable_is_as_netcdf4_reads_it() {
    let (mut files, mut variables) = (0, 0);
    for entry in entries() {
        let document = text(&entry, "document");
        let mut file = open(document);
        file.begin().expect(document);
        let root = file.root().expect(document);
        assert_attributes(&root["attributes"], &entry["attributes"], document);
        let listed = root["consolidated_metadata"]["metadata"].as_object().expect("members");
        let wanted = entry["variables"].as_object().expect("variables");
        assert_eq!(listed.len(), wanted.len(), "{document}");
        for (path, variable) in wanted {
            let name = format!("{document}: {path}");
            let array = file.array(path).expect(&name);
            assert_eq!(json!(array.metadata.shape), variable["shape"], "{name}");
            assert_eq!(array.metadata.data_type.name(), variable["dtype"], "{name}");
            assert_eq!(listed[path]["dimension_names"], variable["dimensions"], "{name}");
            assert_attributes(&listed[path]["attributes"], &variable["attributes"], &name);
            let found = file.read(&array).expect(&name);
            assert!(found == expected(&entry, variable), "{name}: values differ");
            variables += 1;
        }
        files += 1;
    }
    assert!(files >= 100 && variables > 200, "{files} files, {variables} variables");
}

#[test]
fn a_header_takes_one_request_and_a_long_one_a_few() {
    let mut file = open("by-hand.nc");
    file.begin().expect("a header");
    assert_eq!(file.rounds, [[65_536]]);
    assert!(
        matches!(file.place("a/c/0/0"), Ok(ByteLocation::File { span: Some(span), .. }) if span == (2000..2030))
    );
    assert_eq!(file.rounds.len(), 1);
    let mut file = open("long-header.nc");
    file.begin().expect("a header");
    assert!(file.rounds.len() <= 3, "{:?}", file.rounds);
}

#[test]
fn what_is_not_there_is_missing() {
    let mut file = open("by-hand.nc");
    for key in
        ["", "zzz/zarr.json", "a/c/1/0", "a/c/0", "a/c/0/0/0", "a/.zarray", ".zgroup", "a/c/x/0", "zzz/c/0"]
    {
        assert_eq!(file.place(key), Ok(ByteLocation::Missing), "{key}");
    }
}

/// The error of opening these bytes.
fn refusal(bytes: &[u8]) -> Error {
    Original::of("netcdf", bytes.to_vec()).begin().expect_err("an error")
}

#[test]
fn what_is_wrong_is_named() {
    assert!(matches!(refusal(b""), Error::NotFound { .. }));
    assert!(refusal(b"<!doctype html>").to_string().contains("check the address"));
    assert!(refusal(b"CDF\x03\0\0\0\0").to_string().contains("version 3 of NetCDF"));
    let whole = std::fs::read(sets().join("random-00.nc")).expect("a file");
    for length in 4..40 {
        assert!(refusal(&whole[..length]).to_string().contains("within its header"), "{length}");
    }
    // A rank of 2^31, a list of 2^31 dimensions, and one of a wrong tag.
    let start = [b"CDF\x01".as_slice(), &[0; 4]].concat();
    let with =
        |words: &[u32]| [start.clone(), words.iter().flat_map(|word| word.to_be_bytes()).collect()].concat();
    assert!(refusal(&with(&[10, 1 << 31])).to_string().contains("list of dimensions"));
    assert!(refusal(&with(&[9, 1])).to_string().contains("list of dimensions"));
    let variable = |words: &[u32]| with(&[&[0, 0, 0, 0, 11, 1, 1, 0x6100_0000], words].concat());
    assert!(refusal(&variable(&[1 << 31])).to_string().contains("has 2147483648 dimensions"));
    assert!(refusal(&variable(&[1, 0])).to_string().contains("the dimension 0 at place 0"));
    assert!(
        refusal(&variable(&[0, 0, 0, 12, 0, 0])).to_string().contains("no NetCDF type has the number 12")
    );
}

/// Reads all that a damaged file still shows; its bounds hold, and nothing panics.
fn everything(bytes: Vec<u8>) -> usize {
    let mut file = Original::of("netcdf", bytes);
    let Ok(root) = file.begin().and_then(|()| file.root()) else { return 1 };
    let mut failures = 0;
    for path in root["consolidated_metadata"]["metadata"].as_object().expect("members").keys() {
        let items = |shape: &[u64]| shape.iter().try_fold(8_u64, |all, edge| all.checked_mul(*edge));
        match file.array(path) {
            // What is large is not read here.
            Ok(array) if items(&array.metadata.shape).is_some_and(|bytes| bytes < 1 << 20) => {
                failures += usize::from(file.read(&array).is_err());
            }
            Ok(_) => {}
            Err(_) => failures += 1,
        }
    }
    failures
}

#[test]
fn any_byte_may_be_another_and_a_file_may_end_anywhere() {
    let mut failures = 0;
    for name in
        ["random-00.nc", "random-01.nc", "random-02.nc", "records-S1-3-1.nc", "streamed-2.nc", "scipy-1.nc"]
    {
        let whole = std::fs::read(sets().join(name)).expect(name);
        for at in 0..whole.len().min(400) {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut changed = whole.clone();
                changed[at] = byte;
                failures += everything(changed);
            }
            failures += everything(whole[..at].to_vec());
        }
    }
    assert!(failures > 1000, "{failures}");
}

#[test]
fn fill_values_are_those_of_attributes_that_are_numbers_of_the_type() {
    for (name, kind, attribute, wanted) in [
        ("int16", 3_u32, vec![3_u32, 1, 0xfff9_0000], serde_json::json!(-7)),
        ("int16", 3, vec![4, 1, 70_000], serde_json::json!(0)),
        ("int8", 1, vec![6, 1, 0x4059_0000, 0], serde_json::json!(0)),
        ("float32", 5, vec![5, 1, 0x7fc0_0000], serde_json::json!("NaN")),
        ("float64", 6, vec![4, 1, 5], serde_json::json!(5)),
        ("float32", 5, vec![2, 1, 0x6100_0000], serde_json::json!(0)),
    ] {
        // One variable without dimensions, whose only attribute is `_FillValue`.
        let words = [0, 0, 0, 0, 0, 11, 1, 1, 0x6100_0000, 0, 12, 1, 10];
        let mut file = b"CDF\x01".to_vec();
        file.extend(words.iter().flat_map(|word: &u32| word.to_be_bytes()));
        file.extend(b"_FillValue\0\0");
        file.extend(attribute.iter().chain(&[kind, 8, 80]).flat_map(|word| word.to_be_bytes()));
        file.resize(100, 0);
        let mut file = Original::of("netcdf", file);
        file.begin().unwrap();
        let document = &file.root().unwrap()["consolidated_metadata"]["metadata"]["a"];
        assert_eq!((&document["data_type"], &document["fill_value"]), (&name.into(), &wanted));
        file.array("a").unwrap();
    }
}

#[test]
fn first_bytes_and_names_tell_the_format() {
    for (bytes, format) in [
        (b"CDF\x01".as_slice(), Some(Format::NetCdf)),
        (b"CDF\x02....", Some(Format::NetCdf)),
        (b"CDF\x05", Some(Format::NetCdf)),
        (b"CDF\x03", None),
        (b"\x89HDF\r\n\x1a\n\0", Some(Format::Hdf5)),
        (b"II*\0", Some(Format::Tiff)),
        (b"MM\0*", Some(Format::Tiff)),
        (b"II+\0\x08\0\0\0", Some(Format::Tiff)),
        (b"MM\0+\0\x08\0\0", Some(Format::Tiff)),
        (b"II", None),
        (b"", None),
        (b"PK\x03\x04", None),
    ] {
        assert_eq!(Format::of_first_bytes(bytes), format, "{bytes:?}");
    }
    for (path, format) in [
        ("/a.nc", Some(Format::NetCdf)),
        ("/a.NC", Some(Format::NetCdf)),
        ("/a.nc4", Some(Format::Hdf5)),
        ("/a.cdf", Some(Format::NetCdf)),
        ("/a.tif", Some(Format::Tiff)),
        ("/a.ome.TIFF", Some(Format::Tiff)),
        ("/a.h5", Some(Format::Hdf5)),
        ("/a.nc/", None),
        ("/nc", None),
        ("/a.nc/t2m", None),
    ] {
        assert_eq!(Format::likely_at(path), format, "{path}");
    }
}

#[test]
fn an_address_may_lead_into_a_file() {
    for (path, file) in [
        ("/a/t2m.nc/lat", Some("/a/t2m.nc")),
        ("/a/t2m.h5/x/y", Some("/a/t2m.h5")),
        ("/a/t2m.nc", None),
        ("/a/t2m.nc/", None),
        ("/api/records/1/files/d.nc/content", None),
        ("/f/x.h5/download", None),
        ("/store.zarr/granule_01.nc/lat", None),
    ] {
        assert_eq!(Format::file_in(path).map(|(_, end)| &path[..end]), file, "{path}");
    }
}
