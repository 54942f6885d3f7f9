//! Chunk keys by templates: what zarr-template 0.1.0 and generic_cke write, and what is refused.

use rectilinear_zarr::Error;
use rectilinear_zarr::metadata::{ArrayMetadata, ChunkKeyEncoding, Json, Value};

fn encoding(format: &str, separator: Option<&str>, chunks: &[u64]) -> Result<ChunkKeyEncoding, Error> {
    let separator = separator.map_or(String::new(), |text| format!(",\"separator\":{text:?}"));
    let text = format!("{{\"name\":\"template\",\"configuration\":{{\"format\":{format:?}{separator}}}}}");
    let value: Value = Json::parse(text.as_bytes()).expect("JSON");
    ChunkKeyEncoding::parse(Json::root(&value), chunks)
}

#[test]
fn keys_are_those_of_the_reference() {
    for (format, separator, coords, key) in [
        ("c/{*}", Some("/"), &[1, 2, 3][..], "c/1/2/3"),
        ("{*}", Some("."), &[1, 2, 3], "1.2.3"),
        ("c/{0:02}/{*}", Some("/"), &[1, 2, 3], "c/01/2/3"),
        ("c/{-1}/{*}", Some("/"), &[1, 2, 3], "c/3/1/2"),
        ("{0}/{2}_{1}.jpeg", None, &[10, 11, 12], "10/12_11.jpeg"),
        ("c{*:03}", Some("-"), &[7, 1234], "c007-1234"),
        ("{{{0}}}", None, &[5], "{5}"),
        ("a{{b}}{0}", None, &[5], "a{b}5"),
        ("{*}x{1}", Some("/"), &[1, 2, 3], "1/3x2"),
        (
            "potato{0}-{2}/{4:03}_{*},{-1}suffix",
            Some(":"),
            &[0, 1, 2, 3, 4, 5, 6],
            "potato0-2/004_1:3:5,6suffix",
        ),
        ("{0:064}", None, &[u64::MAX], &format!("{:064}", u64::MAX)),
        ("chunk", None, &[], "chunk"),
        ("{*}{0}", Some("/"), &[7], "7"),
    ] {
        let chunks = vec![u64::MAX; coords.len()];
        let found = encoding(format, separator, &chunks).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(found.key(coords), key, "{format}");
    }
}

#[test]
fn an_axis_of_one_chunk_may_be_left_out() {
    assert_eq!(encoding("t{1}", None, &[1, 9]).expect("a template").key(&[0, 4]), "t4");
    assert!(encoding("t{1}", None, &[2, 9]).is_err());
}

#[test]
fn formats_that_are_malformed_or_ambiguous_are_refused() {
    let long = "x".repeat(1025);
    for (format, separator, reason) in [
        ("{*}/{*}", Some("/"), "names {*} twice"),
        ("{0}{0}{1}", None, "names {0} twice"),
        ("{0}{-2}{1}", None, "names {0} twice"),
        ("{0", None, "no partner"),
        ("0}", None, "no partner"),
        ("{}", None, "none of"),
        ("{ 0 }", None, "none of"),
        ("{+0}", None, "none of"),
        ("{-0}", None, "none of"),
        ("{01}", None, "none of"),
        ("{0:}{1}", None, "none of"),
        ("{0:0}{1}", None, "none of"),
        ("{0:2}{1}", None, "none of"),
        ("{0:00}{1}", None, "none of"),
        ("{0:065}{1}", None, "more than 64 digits"),
        ("{2}", None, "beyond the array's 2 axes"),
        ("{-3}", None, "beyond the array's 2 axes"),
        ("{99999999999999999999999}", None, "none of"),
        ("{0}", None, "axis 1 has 9 chunks"),
        ("{*}", Some(&long), "more than 1024 bytes"),
        ("{*}", None, "separator"),
        ("/{0}/{1}", None, "a segment that is empty"),
        ("{0}/{1}/", None, "a segment that is empty"),
        ("{0}//{1}", None, "a segment that is empty"),
        ("{0}/../{1}", None, "a segment that is empty"),
        ("./{0}/{1}", None, "a segment that is empty"),
        ("{*}", Some("/../"), "a segment that is empty"),
        (&long, None, "more than 1024 bytes"),
    ] {
        let Err(error) = encoding(format, separator, &[9, 9]) else { panic!("{format} is accepted") };
        let text = error.to_string();
        assert!(matches!(error, Error::InvalidMetadata { .. }), "{format}: {text}");
        assert!(text.contains(reason), "{format}: {text}");
    }
    for format in ["", "zarr.json", "{*}"] {
        assert!(encoding(format, Some("/"), &[]).is_err(), "{format:?}");
    }
}

#[test]
fn two_chunks_never_have_one_key() {
    for (format, separator) in [("{0}{1}", None), ("{*}", Some("")), ("{*}", Some("0")), ("{0}1{1}", None)] {
        let error =
            encoding(format, separator, &[12, 12]).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("two chunks may have one key"), "{format}: {error}");
        assert!(encoding(format, separator, &[10, 12]).is_ok(), "{format}: numbers of one digit");
    }
    assert_eq!(encoding("{0:02}{1}", None, &[12, 12]).expect("padded").key(&[1, 11]), "0111");
    assert!(encoding("{0:02}{1}", None, &[101, 12]).is_err());
}

#[test]
fn an_array_has_the_keys_of_its_template() {
    let document =
        br#"{ "zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint8", "fill_value": 0,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [2, 4] } },
        "chunk_key_encoding": { "name": "template", "configuration": { "format": "rows/{0:03}" } },
        "codecs": [{ "name": "bytes" }] }"#;
    let array = ArrayMetadata::parse(document).expect("an array whose second axis has one chunk");
    assert_eq!(array.chunk_keys.key(&[1, 0]), "rows/001");
    let text = String::from_utf8_lossy(document).replace("{0:03}", "{0:03}/{0}");
    let error =
        ArrayMetadata::parse(text.as_bytes()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("/chunk_key_encoding/configuration/format"), "{error}");
}
