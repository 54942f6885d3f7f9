//! Metadata from a place inside another document, as consolidated ones keep it.

use crate::support::{document_with, little, ours};
use rectilinear_zarr::metadata::{ArrayMetadata, Consolidated, Json, Map, Node};
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use rectilinear_zarr::{Error, Result};
use serde_json::{Value, json};

/// Opens the array `t` of a consolidated document.
fn open(consolidated: &Value) -> Result<Array> {
    let consolidated = ours(consolidated);
    let root = Json::root(&consolidated);
    let members = root.required("metadata")?;
    let metadata = ArrayMetadata::from_v3(members.required("t")?)?;
    Array::new(metadata, "t", DEFAULT_MAX_CHUNK_BYTES).and_then(|array| array.readable().map(|()| array))
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
    wrong["metadata"]["t"]["fill_value"] = json!("seventy");
    match open(&wrong).unwrap().metadata.fill_fault {
        Some(Error::InvalidMetadata { path, .. }) => assert_eq!(path, "/metadata/t/fill_value"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_in_quotes_are_what_rust_reads() {
    let fill_value = |text: &str| {
        let zarray = json!({
            "zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<f8", "order": "C",
            "compressor": null, "filters": null, "fill_value": text,
        });
        let metadata = ArrayMetadata::from_v2(Json::root(&ours(&zarray)), None).ok()?;
        metadata.fill_fault.is_none().then_some(metadata.fill_value)
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
        "1e400",
        "inf",
        "-Infinity",
        "+INF",
    ];
    for text in numbers {
        let number: f64 = text.trim().parse().unwrap();
        assert_eq!(fill_value(text), Some(number.to_le_bytes().to_vec()), "{text:?}");
    }
    for text in ["", ".", "-", "+", "1e", "e5", "+ 1", "- 1", "1 2", "1..", "0x", "1_0", "--1", "one"] {
        assert_eq!(fill_value(text), None, "{text:?}");
    }
}

/// Metadata of an array of a document with some other fields.
fn with(data_type: &str, changes: &Value) -> Result<Array> {
    let document = document_with(&[10, 12], &json!([[4, 6], [5, 7]]), data_type, &json!([little()]));
    let mut document: Value = serde_json::from_slice(&document).unwrap();
    for (name, value) in changes.as_object().unwrap() {
        document[name] = value.clone();
    }
    Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES)
}

#[test]
fn a_truth_may_be_spelled_as_a_number() {
    for number in [
        json!(0),
        json!(1),
        json!(true),
        json!(false),
        json!(0.0),
        json!(2),
        json!(-1),
        json!(0.5),
        json!([1]),
    ] {
        let item = [u8::from(number != json!(0) && number != json!(false) && number != json!(0.0))];
        assert_eq!(
            with("bool", &json!({ "fill_value": number })).unwrap().metadata.fill_value,
            item,
            "{number}"
        );
    }
}

#[test]
fn a_transpose_may_have_a_letter_for_its_order() {
    let strides = |order: Value| {
        let transpose = json!({ "name": "transpose", "configuration": { "order": order } });
        let array = with("int16", &json!({ "codecs": [transpose, little()], "fill_value": 0 }))?;
        Ok::<_, Error>(array.pipeline.stored_strides(&[4, 5]).unwrap())
    };
    assert_eq!(strides(json!("C")).unwrap(), [10, 2]);
    assert_eq!(strides(json!("F")).unwrap(), [2, 8]);
    assert_eq!(strides(json!("F")).unwrap(), strides(json!([1, 0])).unwrap());
    for other in ["A", "K", "f", ""] {
        let error = strides(json!(other)).unwrap_err();
        assert!(error.to_string().contains("configuration/order"), "{error}");
    }
}

#[test]
fn edges_may_be_spelled_with_a_fraction_of_zero() {
    let edges = |rows: Value| {
        let configuration = json!({ "kind": "inline", "chunk_shapes": [rows, 12.0] });
        let grid = json!({ "name": "rectilinear", "configuration": configuration });
        Ok::<_, Error>(with("int16", &json!({ "chunk_grid": grid }))?.metadata.chunk_grid)
    };
    let plain = edges(json!([2, [3, 2], 2])).unwrap();
    assert_eq!(edges(json!([2.0, [3.0, 2.0], 2])).unwrap(), plain);
    assert_eq!(edges(json!(5.0)).unwrap(), edges(json!(5)).unwrap());
    for other in [
        json!(5.5),
        json!([5.5, 5]),
        json!([[5, 1.5], 5]),
        json!(-5.0),
        json!(0.0),
        json!(1e300),
        json!([9.1e15]),
    ] {
        let error = edges(other.clone()).unwrap_err();
        assert_eq!(error.name(), "InvalidMetadataError", "{other}: {error}");
    }
}

#[test]
fn json_that_is_nested_too_deep_is_named_as_that() {
    let nested = |levels: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
    assert!(Json::parse(nested(512).as_bytes()).is_ok());
    let error = Json::parse(nested(513).as_bytes()).unwrap_err().to_string();
    assert!(error.contains("nested too deep at line 1") && !error.contains("not valid JSON"), "{error}");
    // As deep in the documents that a group keeps of others.
    let member = format!(r#"{{"zarr_format":3,"node_type":"group","attributes":{}}}"#, nested(512));
    let group = format!(
        r#"{{"zarr_format":3,"node_type":"group","consolidated_metadata":{{"kind":"inline","metadata":{{"deep":{member}}}}}}}"#
    );
    let group = Node::parse(group.as_bytes()).unwrap().into_group().unwrap();
    let error = group.consolidated.unwrap().node("deep").unwrap().unwrap_err().to_string();
    assert!(error.contains("nested too deep") && error.contains("metadata/deep"), "{error}");
}

#[test]
fn attributes_keep_the_order_in_which_they_are_written() {
    let written = r#"{"units":"K","long_name":"t","_FillValue":-1,"a":{"z":1,"b":[{"y":1,"x":2}],"c":3},"A":NaN,"m":0}"#;
    let names = ["units", "long_name", "_FillValue", "a", "A", "m"];
    let check = |attributes: &Map| {
        assert_eq!(attributes.keys().collect::<Vec<_>>(), names);
        assert_eq!(attributes["a"].as_object().unwrap().keys().collect::<Vec<_>>(), ["z", "b", "c"]);
        assert_eq!(attributes["a"]["b"].to_string(), r#"[{"y":1,"x":2}]"#);
    };
    let array: Value =
        serde_json::from_slice(&document_with(&[4], &json!([[2, 2]]), "int16", &json!([little()]))).unwrap();
    let array = array.to_string();
    let array = format!(r#"{{"attributes":{written},{}"#, &array[1..]);
    check(&Array::parse(array.as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES).unwrap().metadata.attributes);
    let group = format!(
        r#"{{"zarr_format":3,"node_type":"group","attributes":{written},
            "consolidated_metadata":{{"kind":"inline","must_understand":false,"metadata":{{"t":{array}}}}}}}"#
    );
    let group = Node::parse(group.as_bytes()).unwrap().into_group().unwrap();
    check(&group.attributes);
    let member = group.consolidated.unwrap().node("t").unwrap().unwrap();
    check(&member.into_array(&[]).unwrap().attributes);

    let zarray = r#"{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"<i2","compressor":null,"fill_value":0,"order":"C","filters":null}"#;
    let (zarray_json, zattrs) =
        (Json::parse(zarray.as_bytes()).unwrap(), Json::parse(written.as_bytes()).unwrap());
    check(&ArrayMetadata::from_v2(Json::root(&zarray_json), Some(Json::root(&zattrs))).unwrap().attributes);
    let zmetadata = format!(
        r#"{{"zarr_consolidated_format":1,"metadata":{{".zgroup":{{"zarr_format":2}},"t/.zarray":{zarray},"t/.zattrs":{written}}}}}"#
    );
    let consolidated = Consolidated::parse_v2(zmetadata.as_bytes()).unwrap();
    check(&consolidated.node("t").unwrap().unwrap().into_array(&[]).unwrap().attributes);
}

#[test]
fn a_codec_that_a_build_lacks_names_the_feature_that_adds_it() {
    for (name, module) in crate::support::lacking_modules() {
        let error =
            open(&consolidated(&json!([little(), { "name": name, "configuration": {} }]))).unwrap_err();
        let Error::Unsupported { feature: named, reason } = &error else { panic!("{error}") };
        assert!(named.contains(name), "{error}");
        assert!(reason.contains(&format!("the Cargo feature {module:?} adds it")), "{error}");
    }
}

/// An array of structs opens although a field has a title, which nothing here reads.
#[test]
fn a_field_with_a_title_is_unsupported_and_not_invalid() {
    let zarray = r#"{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":[[["long","a"],"<i2"]],"compressor":null,"fill_value":null,"order":"C","filters":null}"#;
    let json = Json::parse(zarray.as_bytes()).unwrap();
    let metadata = ArrayMetadata::from_v2(Json::root(&json), None).unwrap();
    let refusal = metadata.refusal.unwrap().to_string();
    assert!(refusal.contains("title") && refusal.contains("/dtype/0/0"), "{refusal}");
}

/// The fill value, or the words of the fault, of an array of the data type.
fn filled(format: u64, data_type: &str, fill: &Value, more: &Value) -> std::result::Result<Vec<u8>, String> {
    let metadata = if format == 3 {
        with(data_type, &json!({ "fill_value": fill, "codecs": more })).unwrap().metadata
    } else {
        let zarray = json!({ "zarr_format": 2, "shape": [4], "chunks": [4], "dtype": data_type, "order": "C",
            "compressor": null, "filters": more, "fill_value": fill });
        ArrayMetadata::from_v2(Json::root(&ours(&zarray)), None).unwrap()
    };
    match metadata.fill_fault {
        None => Ok(metadata.fill_value),
        Some(fault) => Err(fault.to_string()),
    }
}

/// What zarr-python 2 with numpy 1.26, and zarr-python 3, make of the same values.
#[test]
fn fill_values_in_the_spellings_of_others_mean_what_they_mean_there() {
    let none = Value::Null;
    for (format, name, fill, item) in [
        (2, "|u1", json!(-999_999_999), vec![1]),
        (2, "<i2", json!(65_535), vec![255, 255]),
        (2, "<i4", json!(1_u64 << 31), vec![0, 0, 0, 128]),
        (2, "<u4", json!(-1), vec![255; 4]),
        (2, "<i4", json!([-32_767]), (-32_767_i32).to_le_bytes().to_vec()),
        (2, "<i2", json!(true), vec![1, 0]),
        (2, "<f4", json!("nan"), f32::NAN.to_le_bytes().to_vec()),
        (2, "<f4", json!("-inf"), f32::NEG_INFINITY.to_le_bytes().to_vec()),
        (2, "<f4", json!([1.5]), 1.5_f32.to_le_bytes().to_vec()),
        (2, "<f8", json!(false), vec![0; 8]),
        (2, "|S3", json!("YWJjZA=="), b"abc".to_vec()),
        (2, "<U2", json!("abc"), vec![97, 0, 0, 0, 98, 0, 0, 0]),
    ] {
        assert_eq!(filled(format, name, &fill, &none), Ok(item.clone()), "{name} {fill}");
        if let (b'<', Some(fill)) = (name.as_bytes()[0], Some(fill).filter(|fill| !fill.is_array()))
            && let Some(kind) = [
                ("<i2", "int16"),
                ("<i4", "int32"),
                ("<u4", "uint32"),
                ("<f4", "float32"),
                ("<f8", "float64"),
            ]
            .iter()
            .find_map(|(two, three)| (*two == name).then_some(*three))
        {
            assert_eq!(filled(3, kind, &fill, &json!([little()])), Ok(item), "{kind} {fill}");
        }
    }
    assert_eq!(filled(2, "|O", &json!(0), &json!([{ "id": "vlen-bytes" }])), Ok(Vec::new()));
    assert_eq!(filled(3, "string", &json!(0), &json!(["vlen-utf8"])), Ok(b"0".to_vec()));
    for (name, fill) in
        [("int32", json!(1.5)), ("uint8", json!("x")), ("float32", json!("")), ("int64", json!(null))]
    {
        let fault = filled(3, name, &fill, &json!([little()])).unwrap_err();
        assert!(fault.contains("/fill_value") && fault.contains(name), "{fault}");
    }
    let long = "A".repeat(2 << 20);
    let fault = filled(2, "|O", &json!(long), &json!([{ "id": "vlen-bytes" }])).unwrap_err();
    assert!(fault.contains("at most 1048576"), "{fault}");
}

#[test]
fn text_that_zarr_python_3_0_wrote_in_format_2_is_of_any_length() {
    for (dtype, codec, name) in
        [("<U2", "vlen-utf8", "string"), ("|S2", "vlen-bytes", "variable_length_bytes")]
    {
        let zarray = json!({ "zarr_format": 2, "shape": [2], "chunks": [2], "dtype": dtype, "order": "C",
            "compressor": null, "filters": [{ "id": codec }], "fill_value": "" });
        let metadata = ArrayMetadata::from_v2(Json::root(&ours(&zarray)), None).unwrap();
        assert_eq!((metadata.data_type.name(), metadata.refusal.clone()), (name, None));
        assert!(Array::new(metadata, "", DEFAULT_MAX_CHUNK_BYTES).unwrap().readable().is_ok(), "{dtype}");
    }
}

#[test]
fn bare_values_null_and_other_writers_names_of_dimensions_are_read() {
    let parse = |zarray: &Value, zattrs: &Value| {
        let (zarray, zattrs) = (ours(zarray), ours(zattrs));
        ArrayMetadata::from_v2(Json::root(&zarray), Some(Json::root(&zattrs))).unwrap()
    };
    let mut zarray = json!({ "zarr_format": 2, "shape": 4, "chunks": 4, "dtype": "<i2", "order": "C",
        "compressor": null, "filters": null, "fill_value": 0, "dimension_separator": null });
    let time = Some(vec![Some("time".to_owned())]);
    let metadata = parse(&zarray, &json!({ "_ARRAY_DIMENSIONS": "time" }));
    assert_eq!((metadata.shape.as_slice(), &metadata.dimension_names), ([4].as_slice(), &time));
    assert_eq!(metadata.chunk_keys.key(&[0]), "0");
    let later = json!({ "_nczarr_array": { "dimension_references": ["/a/time"] } });
    assert_eq!(parse(&zarray, &later).dimension_names, time);
    zarray["_NCZARR_ARRAY"] = json!({ "dimrefs": ["/time"], "storage": "chunked" });
    assert_eq!(parse(&zarray, &json!({})).dimension_names, time);
    zarray["_NCZARR_ARRAY"] = json!({ "dimrefs": ["/y", "/x"] });
    assert_eq!(parse(&zarray, &json!(null)).dimension_names, None);
    let changes = json!({ "attributes": null, "storage_transformers": null, "dimension_names": null });
    assert!(with("int16", &changes).unwrap().metadata.attributes.is_empty());
}

#[test]
fn what_came_in_place_of_json_is_named() {
    for (bytes, words) in [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1".as_slice(), "Git LFS"),
        (b"\x1f\x8b\x08\0", "gzip"),
        (b"\x28\xb5\x2f\xfd\x04", "zstd"),
        (
            b"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>No</Message></Error>",
            "\"AccessDenied\" \"No\"",
        ),
        (b"404: Not Found", "\"404: Not Found\""),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"PK\x03\x04", "zipStore"),
        (b"<html>", "HTML"),
        (b"moved", "\"moved\""),
        (b"{\"a\":", "line 1 column 6"),
        (b"", "line 1 column 1"),
    ] {
        let error = Json::parse(bytes).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(Json::parse(b"\xef\xbb\xbf{}").is_ok());
    assert!(Node::parse(b"\xef\xbb\xbf{\"zarr_format\":3,\"node_type\":\"group\"}").is_ok());
}
