//! The data type `ndarray`: what the reference package writes, other shapes, damaged chunks and malformed metadata.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rectilinear_zarr::codec::Pipeline;
use rectilinear_zarr::metadata::{ArrayMetadata, DataType, Json};
use serde_json::{Value, json};

fn bytes(text: &Value) -> Vec<u8> {
    STANDARD.decode(text.as_str().expect("text")).expect("base64")
}

fn document(data_type: &Value, codec: &str, fill: &Value) -> Value {
    json!({
        "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": data_type, "fill_value": fill,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [4] } },
        "chunk_key_encoding": { "name": "default" }, "codecs": [codec],
    })
}

fn pipeline(metadata: &ArrayMetadata) -> Result<Pipeline, rectilinear_zarr::Error> {
    Pipeline::parse(
        &metadata.codecs,
        "/codecs",
        &metadata.data_type,
        &metadata.fill_value,
        metadata.shape.len(),
    )
}

fn opened(document: &Value) -> Result<(ArrayMetadata, Pipeline), rectilinear_zarr::Error> {
    let metadata = ArrayMetadata::parse(document.to_string().as_bytes())?;
    if let Some(fault) = metadata.refusal.clone().or_else(|| metadata.fill_fault.clone()) {
        return Err(fault);
    }
    let pipeline = pipeline(&metadata)?;
    Ok((metadata, pipeline))
}

fn pairs() -> Value {
    json!({ "name": "ndarray", "configuration": { "dtype": "float32", "shape": [null, 2] } })
}

/// Contents of the items of a decoded chunk.
fn contents(
    pipeline: &Pipeline,
    chunk: &[u8],
    shape: &[u64],
) -> Result<Vec<Vec<u8>>, rectilinear_zarr::Error> {
    let decoded = pipeline.decode(Cow::Borrowed(chunk), shape)?;
    let number = |part: &[u8]| u32::from_le_bytes(part.try_into().expect("four bytes")) as usize;
    let item = |reference: &[u8]| {
        let (start, length) = (number(&reference[..4]), number(&reference[4..]));
        decoded.heap[start..start + length].to_vec()
    };
    Ok(decoded.bytes.chunks_exact(8).map(item).collect())
}

#[test]
fn chunks_of_the_reference_hold_its_items() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../neighbours/fixtures/ndarrays.json")).expect("JSON");
    let mut checked = 0;
    for case in cases
        .iter()
        .filter(|case| !["shards", "rectilinear"].contains(&case["name"].as_str().expect("a name")))
    {
        let (metadata, pipeline) = opened(&case["document"]).expect("metadata");
        let shape = metadata.data_type.item_shape().map(|shape| json!(shape));
        assert_eq!(shape.as_ref(), Some(&case["itemShape"]), "{}", case["name"]);
        assert_eq!(metadata.data_type.name(), "ndarray");
        assert_eq!(metadata.fill_value, bytes(&case["fill"]));
        let described = metadata.data_type.described().to_string();
        let value = Json::parse(described.as_bytes()).expect("JSON");
        let again = DataType::from_described(Json::root(&value)).expect("the same type");
        assert_eq!(again, metadata.data_type, "{described}");
        for (key, chunk) in case["chunks"].as_object().expect("chunks") {
            let at: Vec<usize> = key.split('/').skip(1).map(|part| part.parse().expect("a number")).collect();
            let found = contents(&pipeline, &bytes(chunk), &[2, 2]).expect("items");
            for (nth, item) in found.iter().enumerate() {
                let (row, column) = (2 * at[0] + nth / 2, 2 * at[1] + nth % 2);
                if row < 5 && column < 3 {
                    assert_eq!(
                        *item,
                        bytes(&case["items"][3 * row + column]),
                        "{} {key} {nth}",
                        case["name"]
                    );
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 8 * 11);
}

#[test]
fn damaged_chunks_are_refused() {
    let (_, pipeline) = opened(&document(&pairs(), "vlen-ndarray", &json!(""))).expect("metadata");
    let item = |length: u32, bytes: usize| [length.to_le_bytes().to_vec(), vec![1; bytes]].concat();
    let chunk = |count: u32, items: &[Vec<u8>]| [count.to_le_bytes().to_vec(), items.concat()].concat();
    let good = [item(8, 8), item(0, 0), item(16, 16), item(0, 0)];
    assert_eq!(contents(&pipeline, &chunk(4, &good), &[4]).expect("items")[2], vec![1; 16]);
    for (bytes, reason) in [
        (vec![], "0 bytes"),
        (chunk(3, &good), "3 items"),
        (chunk(u32::MAX, &good), "4294967295 items"),
        (chunk(4, &good[..3]), "end within item 3"),
        (chunk(4, &[item(u32::MAX, 8)]), "end within item 0"),
        (chunk(4, &[item(8, 8), item(12, 12), item(0, 0), item(0, 0)]), "item 1"),
        ([chunk(4, &good), vec![0]].concat(), "1 bytes after"),
    ] {
        let error = contents(&pipeline, &bytes, &[4]).err();
        let text = error.map(|error| error.to_string()).unwrap_or_else(|| panic!("{bytes:?} is decoded"));
        assert!(text.contains(reason) && text.contains("vlen-ndarray"), "{bytes:?}: {text}");
    }
}

#[test]
fn malformed_metadata_are_refused_where_they_are() {
    let refused = |data_type: Value, codec: &str, fill: Value| {
        let found = opened(&document(&data_type, codec, &fill)).err();
        found.map(|error| error.to_string()).unwrap_or_else(|| panic!("{data_type} is read"))
    };
    let shaped = |name: &str, field: &str, shape: Value| json!({ "name": name, "configuration": { "dtype": "float32", field: shape } });
    for (shape, reason) in [
        (json!([]), "at least one length"),
        (json!([null, 0]), "/data_type/configuration/shape/1"),
        (json!([null, true]), "/data_type/configuration/shape/1"),
        (json!([null, 2.5]), "/data_type/configuration/shape/1"),
        (json!(3), "/data_type/configuration/shape"),
        (json!([2, null]), "only the first length may be null"),
        (json!([null, null]), "only the first length may be null"),
        (json!([null, 1_u64 << 52, 1_u64 << 52]), "1048576 bytes"),
        (json!(vec![1; 65]), "64 lengths"),
    ] {
        let text = refused(shaped("ndarray", "shape", shape.clone()), "vlen-ndarray", json!(""));
        assert!(text.contains(reason), "{shape}: {text}");
    }
    let text = refused(shaped("vlen-ndarray", "inner_shape", json!([null])), "vlen-ndarray", json!(""));
    assert!(text.contains("only the first length"), "{text}");
    let text = refused(shaped("vlen-ndarray", "shape", json!([2])), "vlen-ndarray", json!(""));
    assert!(text.contains("shape"), "{text}");
    for dtype in ["string", "bfloat16", "<f4", "int4", "complex_float32"] {
        let text = refused(
            json!({ "name": "ndarray", "configuration": { "dtype": dtype, "shape": [null] } }),
            "vlen-ndarray",
            json!(""),
        );
        assert!(text.contains("/data_type/configuration/dtype"), "{dtype}: {text}");
    }
    let text = refused(json!("ndarray"), "vlen-ndarray", json!(""));
    assert!(text.contains("dtype"), "{text}");
    let text = refused(json!("float32"), "vlen-ndarray", json!(0));
    assert!(text.contains("cannot decode float32"), "{text}");
    let text = refused(shaped("ndarray", "shape", json!([3, 2])), "vlen-ndarray", json!("AAAA"));
    assert!(text.contains("fill value"), "{text}");
    let zeros = STANDARD.encode([0; 24]);
    let text = refused(shaped("ndarray", "shape", json!([3, 2])), "vlen-ndarray", json!(zeros));
    assert!(text.contains("bytes encodes items of one shape"), "{text}");
    let text = refused(pairs(), "bytes", json!(""));
    assert!(text.contains("/codecs"), "{text}");
    for fill in [json!("AAAA"), json!(0), json!(null), json!("not base64"), json!([[1, 2]])] {
        let text = refused(pairs(), "vlen-ndarray", fill.clone());
        assert!(text.contains("fill_value"), "{fill}: {text}");
    }
}

#[test]
fn items_of_one_shape_are_elements_in_a_row() {
    let data_type = json!({ "name": "ndarray", "configuration": { "dtype": "int16", "shape": [3, 2] } });
    let fill: Vec<u8> = (0..12).collect();
    let mut document = document(&data_type, "bytes", &json!(STANDARD.encode(&fill)));
    document["codecs"] = json!([{ "name": "bytes", "configuration": { "endian": "big" } }]);
    let (metadata, pipeline) = opened(&document).expect("metadata");
    assert_eq!(metadata.data_type.item_size(), 12);
    assert_eq!(metadata.data_type.item_shape(), Some(vec![Some(3), Some(2)]));
    assert_eq!(metadata.fill_value, fill);
    let described = metadata.data_type.described().to_string();
    let value = Json::parse(described.as_bytes()).expect("JSON");
    assert_eq!(DataType::from_described(Json::root(&value)).expect("the same"), metadata.data_type);
    let stored: Vec<u8> = (0..24_i16).flat_map(i16::to_be_bytes).collect();
    let decoded = pipeline.decode(Cow::Borrowed(&stored), &[4]).expect("a chunk").into_little_endian();
    let expected: Vec<u8> = (0..24_i16).flat_map(i16::to_le_bytes).collect();
    assert_eq!(decoded.bytes, expected);
}
