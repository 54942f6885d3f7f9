//! Metadata from a place inside another document, as consolidated ones keep it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use rectilinear_zarr::codec::{LEFT_OUT, LeftOut};
use rectilinear_zarr::metadata::{ArrayMetadata, Json};
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use rectilinear_zarr::{Error, Result};
use serde_json::{Value, json};
use support::{document_with, little};

/// Opens the array `t` of a consolidated document.
fn open(consolidated: &Value) -> Result<Array> {
    let root = Json::root(consolidated);
    let members = root.required("metadata")?;
    let metadata = ArrayMetadata::from_v3(members.required("t")?)?;
    Array::new(metadata, "t", DEFAULT_MAX_CHUNK_BYTES)
}

fn consolidated(codecs: &Value) -> Value {
    let array: Value =
        serde_json::from_slice(&document_with(&[4], &json!([[2, 2]]), "int16", codecs)).unwrap();
    json!({ "metadata": { "t": array } })
}

fn blamed(consolidated: &Value) -> String {
    match open(consolidated).unwrap_err() {
        Error::InvalidMetadata { path, .. } => path,
        error => panic!("{error}"),
    }
}

#[test]
fn an_array_opens_from_a_place_in_a_document() {
    let array = open(&consolidated(&json!([little()]))).unwrap();
    assert_eq!((array.metadata.zarr_format, array.keys.path()), (3, "t"));
    assert_eq!(array.metadata.shape, [4]);
}

#[test]
fn errors_point_from_the_start_of_the_document() {
    assert_eq!(blamed(&consolidated(&json!([]))), "/metadata/t/codecs");
    assert_eq!(blamed(&consolidated(&json!([little(), little()]))), "/metadata/t/codecs/1");
    let mut wrong = consolidated(&json!([little()]));
    wrong["metadata"]["t"]["shape"] = json!([-1]);
    assert_eq!(blamed(&wrong), "/metadata/t/shape/0");
    wrong = consolidated(&json!([little()]));
    wrong["metadata"]["t"]["fill_value"] = json!(70_000);
    assert_eq!(blamed(&wrong), "/metadata/t/fill_value");
}

#[test]
fn numbers_in_quotes_are_what_rust_reads() {
    let fill_value = |text: &str| {
        let zarray = json!({
            "zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<f8", "order": "C",
            "compressor": null, "filters": null, "fill_value": text,
        });
        ArrayMetadata::from_v2(Json::root(&zarray), None).ok().map(|metadata| metadata.fill_value)
    };
    let numbers = [
        "0",
        "-0",
        "1",
        "+1",
        "007",
        "1.",
        ".5",
        "-.5",
        "+0.50",
        "00.1",
        " 2.5 ",
        "1e5",
        "1E+05",
        "1.e-5",
        "-9999.0",
        "9007199254740993",
        "0.1",
        "1.7976931348623157e308",
        "5e-324",
        "123456789012345678901234567890",
    ];
    for text in numbers {
        let number: f64 = text.trim().parse().unwrap();
        assert_eq!(fill_value(text), Some(number.to_le_bytes().to_vec()), "{text:?}");
    }
    for text in
        ["", ".", "-", "+", "1e", "e5", "1e400", "+ 1", "- 1", "1 2", "1..", "0x", "1_0", "--1", "one"]
    {
        assert_eq!(fill_value(text), None, "{text:?}");
    }
}

#[test]
fn a_codec_that_the_package_leaves_out_says_what_to_do() {
    for LeftOut { what, feature, is_here } in LEFT_OUT {
        if is_here || !what.starts_with("numcodecs.") {
            continue;
        }
        let error =
            open(&consolidated(&json!([little(), { "name": what, "configuration": {} }]))).unwrap_err();
        let Error::Unsupported { feature: named, reason } = &error else { panic!("{error}") };
        assert!(named.contains(what), "{error}");
        for words in ["npm package", "write the array anew", "zstd", "build the package", feature] {
            assert!(reason.contains(words), "{words:?} is not in {error}");
        }
    }
}
