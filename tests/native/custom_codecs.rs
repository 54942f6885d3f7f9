//! Custom codecs: what the registry is asked, and what stands for them among an array's codecs.

use crate::support::{document_with, little, ours};
use rectilinear_zarr::metadata::{ArrayMetadata, CodecKind, CustomCodec, Extension, Json};
use serde_json::{Value, json};

fn v3(codecs: &Value) -> ArrayMetadata {
    ArrayMetadata::parse(&document_with(&[4], &json!([[2, 2]]), "int16", codecs)).unwrap()
}

fn v2(dtype: &str, filters: &Value, compressor: &Value) -> ArrayMetadata {
    let zarray = json!({
        "zarr_format": 2, "shape": [4], "chunks": [2], "dtype": dtype, "fill_value": 0, "order": "C",
        "filters": filters, "compressor": compressor,
    });
    ArrayMetadata::from_v2(Json::root(&ours(&zarray)), None).unwrap()
}

fn entry(name: &str, kind: &str) -> Value {
    json!({ "slot": 0, "name": name, "kind": kind, "dataType": "int32" })
}

fn names(metadata: &ArrayMetadata) -> Vec<String> {
    let name = |codec: &Extension| CustomCodec::of(codec).map_or(codec.name.clone(), |codec| codec.name);
    metadata.codecs.iter().map(name).collect()
}

fn with(metadata: ArrayMetadata, found: &Value) -> ArrayMetadata {
    metadata.with_custom(&ours(found))
}

#[test]
fn the_registry_is_told_the_array_and_its_codecs() {
    let metadata = v3(&json!([little(), { "name": "a", "configuration": { "x": 1 } }, "b"]));
    let query: Value = serde_json::from_str(&metadata.codecs_query().to_string()).unwrap();
    let codecs =
        json!([little(), { "name": "a", "configuration": { "x": 1 } }, { "name": "b", "configuration": {} }]);
    assert_eq!(query, json!({ "dataType": "int16", "itemSize": 2, "shape": [2], "codecs": codecs }));
}

#[test]
fn entries_stand_where_the_codecs_stood() {
    let metadata =
        with(v3(&json!(["a", little(), "b"])), &json!([entry("a", "array_to_array"), null, entry("b", "x")]));
    let found: Vec<_> = metadata.codecs.iter().map(CustomCodec::of).collect();
    let codec = |name: &str, kind| {
        let encoded_type = rectilinear_zarr::metadata::DataType::scalar("int32");
        Some(CustomCodec { name: name.to_owned(), kind, encoded_type })
    };
    assert_eq!(found, [codec("a", CodecKind::ArrayToArray), None, codec("b", CodecKind::BytesToBytes)]);
    assert_eq!(metadata.codecs[2].pointer, "/codecs/2");
}

#[test]
fn codecs_of_inner_chunks_follow_their_shards_and_those_of_an_index_stay() {
    let inner = json!({ "name": "sharding_indexed", "configuration": {
        "chunk_shape": [1], "codecs": [little(), "a"], "index_codecs": [little(), "a"],
    }});
    let outer = json!({ "name": "sharding_indexed", "configuration": {
        "chunk_shape": [2], "codecs": [inner, "b"], "index_codecs": [little()],
    }});
    let found = json!([null, null, null, entry("a", "bytes_to_bytes"), null, entry("c", "bytes_to_bytes")]);
    let metadata = with(v3(&json!([outer, "c"])), &found);
    assert_eq!(names(&metadata), ["sharding_indexed", "c"]);
    let written = metadata.codecs[0].settings();
    let listed = written.value().to_string();
    let outer: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(outer["codecs"][1], json!("b"));
    let inner = &outer["codecs"][0]["configuration"];
    assert_eq!(inner["codecs"][1]["configuration"], entry("a", "bytes_to_bytes"));
    assert_eq!(inner["index_codecs"][1], json!("a"));
}

#[test]
fn zarr_v2_has_its_bytes_after_the_filters_and_none_beside_a_codec_that_makes_bytes() {
    let (first, second) = (json!({ "id": "first" }), json!({ "id": "second" }));
    let filters =
        |found: Value| names(&with(v2(">i2", &json!([first, second]), &json!({ "id": "zlib" })), &found));
    let zlib = "numcodecs.zlib";
    assert_eq!(filters(json!([])), ["bytes", "numcodecs.first", "numcodecs.second", zlib]);
    let array = |name: &str| entry(name, "array_to_array");
    assert_eq!(filters(json!([null, array("first")])), ["first", "bytes", "numcodecs.second", zlib]);
    assert_eq!(filters(json!([null, array("first"), array("second")])), ["first", "second", "bytes", zlib]);
    assert_eq!(
        filters(json!([null, array("first"), entry("second", "array_to_bytes")])),
        ["first", "second", zlib]
    );
    assert_eq!(
        filters(json!([null, entry("first", "bytes_to_bytes")])),
        ["bytes", "first", "numcodecs.second", zlib]
    );
    let compressed = with(v2("<i2", &Value::Null, &first), &json!([null, entry("first", "array_to_bytes")]));
    assert_eq!(names(&compressed), ["first"]);
}

#[test]
fn an_answer_that_does_not_fit_replaces_nothing() {
    for found in [json!(null), json!({}), json!([]), json!([5, "x", [], null, null])] {
        assert_eq!(names(&with(v3(&json!(["a", little()])), &found)), ["a", "bytes"], "{found}");
    }
}
