//! Arrays through codecs of imagecodecs, virtual-tiff, ccic and zarr-n5 read as those packages read them.
#![cfg(feature = "rare")]

use std::borrow::Cow;
use std::path::PathBuf;

use crate::support::{Stored, crc32, document_with, little, text};
use rectilinear_zarr::Error;
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::metadata::ArrayMetadata;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    crate::support::neighbours("codecs")
}

/// The arrays that this build has the features for.
fn arrays() -> Vec<Value> {
    listed().0
}

/// All arrays: those that this build has the features for, and the others.
fn listed() -> (Vec<Value>, Vec<Value>) {
    let list = std::fs::read(folder().join("index.json")).expect("the list of arrays");
    let list: Vec<Value> = serde_json::from_slice(&list).expect("a list");
    let features = [
        ("blosc-snappy", cfg!(feature = "blosc-snappy")),
        ("jpeg2000", cfg!(feature = "jpeg2000")),
        ("lzma", cfg!(feature = "lzma")),
        ("zfp", cfg!(feature = "zfp")),
    ];
    let is_here =
        |entry: &Value| entry["feature"].as_str().is_none_or(|needed| features.contains(&(needed, true)));
    list.into_iter().partition(is_here)
}

fn opened(entry: &Value) -> Stored {
    let name = text(entry, "name");
    Stored::open(&folder().join(format!("{name}.zarr"))).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn arrays_are_read_as_their_writers_read_them() {
    for entry in arrays() {
        let name = text(&entry, "name");
        let (shape, values) = opened(&entry).get(&[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(json!(shape), entry["shape"], "{name}");
        assert_eq!(Some(crc32(&values)), entry["crc32"].as_u64(), "{name}: the values differ");
    }
}

#[test]
fn a_pixel_of_each_tiff_is_where_gdal_puts_it() {
    let pixel = [70, 100].map(AxisSelection::Index);
    for name in ["tiff-deflate-predictor", "tiff-lzw", "tiff-zstd"] {
        let values = opened(&json!({ "name": name })).get(&pixel).unwrap().1;
        assert_eq!(values, 87u16.to_le_bytes(), "{name}");
    }
}

/// The first chunk of an array, changed.
fn changed(entry: &Value, mut change: impl FnMut(&mut Vec<u8>)) -> rectilinear_zarr::Result<()> {
    let stored = opened(entry);
    let plan = stored.array.plan(&[]).unwrap();
    let task = plan.tasks().next().unwrap().unwrap();
    let keys = ["c/0", "c/0/0", "c/0/0/0", "c/0/0/0/0", "0.0", "0/0", "0/0/0"];
    let mut chunk = keys.iter().find_map(|key| std::fs::read(stored.folder.join(key)).ok()).expect("a chunk");
    change(&mut chunk);
    stored.array.check_answer(&task, chunk.len())?;
    stored.array.decode(&task, Some(Cow::Owned(chunk))).map(drop)
}

#[test]
fn chunks_that_are_cut_short_are_refused_by_the_name_of_the_codec() {
    let expected = [
        ("imagecodecs-bz2", "imagecodecs_bz2"),
        ("imagecodecs-deflate", "imagecodecs_deflate"),
        ("imagecodecs-deflate-raw", "imagecodecs_deflate"),
        ("imagecodecs-lz4", "imagecodecs_lz4"),
        ("imagecodecs-lz4-header", "imagecodecs_lz4"),
        ("imagecodecs-lzw", "imagecodecs_lzw"),
        ("imagecodecs-packbits", "imagecodecs_packbits"),
        ("imagecodecs-zlib", "imagecodecs_zlib"),
        ("imagecodecs-zstd", "imagecodecs_zstd"),
        ("imagecodecs-delta-i2", "bytes"),
        ("imagecodecs-floatpred-f4", "numcodecs.zlib"),
        ("tiff-rgb-lzw", "imagecodecs_lzw"),
        ("log-bins-ccic", "bytes"),
    ];
    for (name, codec) in expected {
        let error = changed(&json!({ "name": name }), |chunk| chunk.truncate(chunk.len() / 2)).unwrap_err();
        let Error::Codec(error) = error else { panic!("{name}: {error}") };
        let other = error.codec.replace("numcodecs.", "imagecodecs_");
        assert!(
            error.codec == codec || other == codec.replace("numcodecs.", "imagecodecs_"),
            "{name}: {error}"
        );
        assert!(!error.coords.is_empty(), "{name}: {error}");
    }
}

#[test]
fn no_change_of_a_byte_makes_a_decoder_panic() {
    let mut rng = fastrand::Rng::with_seed(11);
    for entry in arrays() {
        for _ in 0..60 {
            let _ = changed(&entry, |chunk| {
                for _ in 0..rng.usize(1..4) {
                    let at = rng.usize(..chunk.len());
                    chunk[at] = rng.u8(..);
                }
                if rng.bool() {
                    chunk.truncate(rng.usize(..chunk.len()));
                }
            });
        }
    }
}

/// The error of opening an array of 8 x 6 items with these codecs before `bytes`.
fn refused(data_type: &str, codecs: &[Value]) -> Error {
    let codecs: Vec<Value> = codecs.iter().cloned().chain([little()]).collect();
    let document = document_with(&[8, 6], &json!([[4, 4], [6]]), data_type, &json!(codecs));
    let mut document: Value = serde_json::from_slice(&document).unwrap();
    document["fill_value"] = match data_type {
        "bool" => json!(false),
        "string" => json!(""),
        _ => json!(0),
    };
    let document = document.to_string().into_bytes();
    let metadata =
        ArrayMetadata::parse(&document).and_then(|found| Array::new(found, "", DEFAULT_MAX_CHUNK_BYTES));
    let readable = metadata.and_then(|array| array.readable());
    readable.err().unwrap_or_else(|| panic!("{data_type} {codecs:?} is read"))
}

#[test]
fn configurations_that_cannot_be_right_are_refused_where_they_are() {
    let codec = |name: &str, configuration: Value| json!({ "name": name, "configuration": configuration });
    let delta = |configuration: Value| codec("imagecodecs_delta", configuration);
    let cases = [
        ("int16", delta(json!({ "axis": 2 })), "/codecs/0/configuration/axis"),
        ("int16", delta(json!({ "axis": -3 })), "/codecs/0/configuration/axis"),
        ("int16", delta(json!({ "dist": 2 })), "/codecs/0/configuration/dist"),
        ("int16", delta(json!({ "dtype": "<i4" })), "/codecs/0/configuration/dtype"),
        ("int16", delta(json!({ "shape": [6, 4] })), "/codecs/0/configuration/shape"),
        ("bool", delta(json!({})), "/codecs/0/configuration"),
        ("string", codec("HorizontalDeltaCodec", json!({})), "/codecs/0"),
        ("int16", codec("imagecodecs_floatpred", json!({})), "/codecs/0/configuration"),
        ("float32", codec("imagecodecs_floatpred", json!({ "axis": 0 })), "/codecs/0/configuration/axis"),
        ("float32", codec("imagecodecs_floatpred", json!({ "dist": 0 })), "/codecs/0/configuration/dist"),
        ("float32", codec("numcodecs.log_bins", json!({ "low": 1 })), "/codecs/0/configuration/high"),
        (
            "float32",
            codec("numcodecs.log_bins", json!({ "low": 3, "high": 2 })),
            "/codecs/0/configuration/high",
        ),
        ("float32", codec("numcodecs.log_bins", json!({ "low": "a", "high": 2 })), "/codecs/0/configuration"),
        ("float64", codec("numcodecs.log_bins", json!({ "low": 1, "high": 2 })), "/codecs/0/configuration"),
    ];
    for (data_type, codec, place) in cases {
        let error = refused(data_type, std::slice::from_ref(&codec));
        let Error::InvalidMetadata { path, .. } = &error else { panic!("{codec}: {error}") };
        assert_eq!(path, place, "{codec}: {error}");
    }
    for (codecs, mention) in [
        (vec![codec("HorizontalDeltaCodec", json!({ "axis": 1 }))], "axis"),
        (
            vec![codec("imagecodecs_floatpred", json!({})), codec("transpose", json!({ "order": [1, 0] }))],
            "transpose",
        ),
        (vec![codec("imagecodecs_jetraw", json!({}))], "imagecodecs_jetraw"),
    ] {
        let error = refused("float32", &codecs);
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(mention), "{error}");
    }
}

#[test]
fn names_may_have_the_prefixes_that_writers_put_before_them() {
    for name in ["imagecodecs_lzw", "numcodecs.imagecodecs_lzw"] {
        let codecs = json!(["virtual_tiff.HorizontalDeltaCodec", little(), name]);
        let document = document_with(&[8, 6], &json!([[4, 4], [6]]), "int16", &codecs);
        assert!(Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).is_ok(), "{name}");
    }
}

#[test]
fn n5_blocks_that_are_no_chunks_are_refused() {
    let block = |mode: u16, axes: &[u32]| {
        let axes = axes.iter().flat_map(|edge| edge.to_be_bytes());
        let count = 2u16;
        mode.to_be_bytes().into_iter().chain(count.to_be_bytes()).chain(axes).collect::<Vec<u8>>()
    };
    let n5 = json!({ "name": "n5-raw" });
    for (what, chunk, mention) in [
        ("a short header", vec![0; 7], "7 bytes"),
        ("a mode of nobody", block(3, &[4, 5]), "mode 3"),
        ("another number of axes", vec![0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5], "3 axes"),
        ("too few items", block(0, &[4, 5]), "20 bytes"),
        ("a block of two chunks", block(0, &[8, 5]), "a chunk of shape [4, 5]"),
        ("a huge block", block(0, &[u32::MAX, u32::MAX]), "[4294967295, 4294967295]"),
    ] {
        let error = changed(&n5, |old| old.clone_from(&chunk)).unwrap_err();
        assert!(matches!(error, Error::Codec(_)), "{what}: {error}");
        assert!(error.to_string().contains(mention), "{what}: {error}");
    }
    for (mode, what) in [(1, "varying length"), (2, "objects")] {
        let error = changed(&n5, |old| old.clone_from(&block(mode, &[4, 5]))).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }) && error.to_string().contains(what), "{error}");
    }
}

#[test]
fn n5_codecs_are_those_of_n5() {
    let reversed = json!({ "name": "transpose", "configuration": { "order": [1, 0] } });
    let kept = json!({ "name": "transpose", "configuration": { "order": [0, 1] } });
    let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
    for codecs in [
        json!([]),
        json!([big]),
        json!([kept, big]),
        json!([reversed, little()]),
        json!([reversed, big, "zstd", "zstd"]),
        json!([reversed, big, big]),
    ] {
        let codec = json!({ "name": "n5_default", "configuration": { "codecs": codecs } });
        let document = document_with(&[8, 6], &json!([[4, 4], [6]]), "int16", &json!([codec]));
        let Err(error) = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES) else {
            panic!("no codecs of N5")
        };
        let Error::InvalidMetadata { path, .. } = &error else { panic!("{error}") };
        assert!(path.starts_with("/codecs/0/configuration/codecs"), "{error}");
    }
}

#[test]
#[cfg(feature = "zfp")]
fn parameters_of_zfp_are_checked_where_they_are() {
    for (data_type, configuration, place) in [
        ("float32", json!({}), "mode"),
        ("float32", json!({ "mode": "fast" }), "mode"),
        ("float32", json!({ "mode": "fixed_rate" }), "rate"),
        ("float32", json!({ "mode": "fixed_rate", "rate": -1 }), "rate"),
        ("float32", json!({ "mode": "fixed_accuracy", "tolerance": "small" }), "tolerance"),
        ("float32", json!({ "mode": "fixed_precision", "precision": 1.5 }), "precision"),
        ("float16", json!({ "mode": "reversible" }), ""),
        ("int4", json!({ "mode": "reversible" }), ""),
    ] {
        let codec = json!({ "name": "zfp", "configuration": configuration });
        let document = document_with(&[8, 6], &json!([[4, 4], [6]]), data_type, &json!([codec]));
        let Err(error) = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES) else {
            panic!("no parameters of ZFP")
        };
        let Error::InvalidMetadata { path, .. } = &error else { panic!("{error}") };
        let wanted = format!("/codecs/0/configuration/{place}");
        assert_eq!(path, wanted.trim_end_matches('/'), "{error}");
    }
}

#[test]
#[cfg(feature = "jpeg2000")]
fn images_are_checked_by_their_header_before_they_are_decoded() {
    // A codestream: two markers, the length of the segment, capabilities, then width and height.
    let image = json!({ "name": "jpeg2k-codestream" });
    let sizes = |at: usize, number: u32| {
        changed(&image, move |chunk| chunk[at..at + 4].copy_from_slice(&number.to_be_bytes())).unwrap_err()
    };
    for (what, error, mention) in [
        ("another width", sizes(8, 21), "1008 bytes"),
        ("a huge image", sizes(12, u32::MAX), "bytes"),
        ("no pixels", sizes(16, 20), "without pixels"),
        ("no image", changed(&image, |chunk| chunk[0] = 0).unwrap_err(), "no JPEG 2000 image"),
        ("half an image", changed(&image, |chunk| chunk.truncate(chunk.len() / 2)).unwrap_err(), "JPEG 2000"),
    ] {
        let Error::Codec(error) = error else { panic!("{what}: {error}") };
        assert_eq!(error.codec, "imagecodecs_jpeg2k", "{what}");
        assert!(error.to_string().contains(mention), "{what}: {error}");
    }
    for (change, mention) in [(6usize, "HTJ2K"), (42, "24 bits"), (43, "different sizes")] {
        let error =
            changed(&image, |chunk| chunk[change] = if change == 42 { 31 } else { 0x40 }).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }) && error.to_string().contains(mention), "{error}");
    }
    for (name, value, mention) in
        [("skipres", json!(1), "lower resolution"), ("planar", json!("yes"), "true or false")]
    {
        let codec = json!({ "name": "imagecodecs_jpeg2k", "configuration": { name: value } });
        let document = document_with(&[8, 6], &json!([[4, 4], [6]]), "int16", &json!([codec]));
        let Err(error) = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES) else {
            panic!("{name} is read")
        };
        assert!(error.to_string().contains(mention), "{error}");
    }
}

#[test]
#[cfg(feature = "jpeg2000")]
fn damaged_images_are_errors_or_items_and_never_more() {
    let mut random = fastrand::Rng::with_seed(23);
    let (mut refusals, mut tried) = (0, 0);
    for entry in arrays().iter().filter(|entry| text(entry, "name").starts_with("jpeg2k")) {
        for _ in 0..200 {
            tried += 1;
            let done = changed(entry, |image| {
                for _ in 0..random.usize(1..4) {
                    // Most of the damage is in the headers, where it does most.
                    let most = if random.bool() { 200.min(image.len()) } else { image.len() };
                    image[random.usize(..most)] ^= 1 << random.u8(..8);
                }
                if random.u8(..8) == 0 {
                    image.truncate(random.usize(..image.len()));
                }
            });
            match done {
                Ok(()) => {}
                Err(Error::Codec(_) | Error::Unsupported { .. }) => refusals += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(tried > 2000 && refusals > 500, "{refusals} of {tried} are refused");
}

#[test]
fn arrays_that_need_a_feature_are_refused_by_its_name() {
    for entry in listed().1 {
        let name = text(&entry, "name");
        let stored = Stored::open(&folder().join(format!("{name}.zarr")));
        let Err(error) = stored.and_then(|stored| stored.get(&[])) else { panic!("{name} is read") };
        assert_eq!(error.name(), "UnsupportedError", "{name}: {error}");
        // Frames of Blosc say themselves what they are compressed by.
        let feature = text(&entry, "feature");
        let words =
            if feature == "blosc-snappy" { "blosc with snappy".to_owned() } else { format!("{feature:?}") };
        assert!(error.to_string().contains(&words), "{name}: {error}");
    }
}
