//! The codec `conditional`: every set of applied codecs, headers of one byte and of two, and what is refused.

use std::borrow::Cow;
use std::io::Write;

use rectilinear_zarr::codec::Pipeline;
use rectilinear_zarr::metadata::{ArrayMetadata, DataType, Extension, Json, Value};

fn extensions(text: &str) -> Vec<Extension> {
    let value: Value = Json::parse(text.as_bytes()).expect("JSON");
    let json = Json::root(&value);
    let found: Result<_, _> = json.items().expect("a list").map(Extension::parse).collect();
    found.expect("codecs")
}

fn pipeline(conditional: &str) -> Result<Pipeline, rectilinear_zarr::Error> {
    let codecs = extensions(&format!(
        "[{}, {conditional}]",
        r#"{"name": "bytes", "configuration": {"endian": "little"}}"#
    ));
    Pipeline::parse(&codecs, "/codecs", &DataType::scalar("uint32").expect("a type"), &[0; 4], 1)
}

const THREE: &str = r#"{"name": "conditional", "configuration": {"codecs": [
    {"name": "shuffle", "configuration": {"elementsize": 4}}, {"name": "numcodecs.zlib"}, {"name": "crc32c"}]BITS}}"#;

fn shuffled(bytes: &[u8]) -> Vec<u8> {
    (0..4).flat_map(|byte| bytes.iter().skip(byte).step_by(4).copied().collect::<Vec<_>>()).collect()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn summed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &crc32c::crc32c(bytes).to_le_bytes()].concat()
}

#[test]
fn chunks_decode_whichever_codecs_were_applied() {
    let items: Vec<u8> = (0..1000_u32).flat_map(|item| (item / 3).to_le_bytes()).collect();
    for (bits, header_bytes) in [("", 1), (", \"header_bits\": 8", 1), (", \"header_bits\": 16", 2)] {
        let pipeline = pipeline(&THREE.replace("BITS", bits)).expect("a pipeline");
        for mask in 0..8_u8 {
            let encoders = [shuffled, deflated, summed];
            let applied = encoders.iter().enumerate().filter(|(nth, _)| mask >> nth & 1 == 1);
            let payload = applied.fold(items.clone(), |bytes, (_, encode)| encode(&bytes));
            let mut header = vec![0; header_bytes];
            header[0] = mask;
            let chunk = [header, payload].concat();
            assert!(chunk.len() as u64 <= pipeline.most_encoded(&[1000]).expect("a bound"));
            let decoded = pipeline.decode(Cow::Borrowed(&chunk), &[1000]).expect("a chunk");
            assert_eq!(decoded.bytes, items, "mask {mask}");
            let owned = pipeline.decode(Cow::Owned(chunk), &[1000]).expect("a chunk");
            assert_eq!(owned.bytes, items, "mask {mask}");
        }
    }
}

#[test]
fn damaged_chunks_are_refused() {
    let pipeline = pipeline(&THREE.replace("BITS", "")).expect("a pipeline");
    for (chunk, reason) in [
        (vec![], "a header of 1 bytes"),
        (vec![0b1000, 0, 0, 0, 0], "bit 3 of the header"),
        (vec![0, 0, 0, 0], "3"),
        (vec![1, 0, 0, 0], "3"),
        (vec![0b110, 0, 0, 0, 0, 0, 0, 0, 0], "crc32c"),
    ] {
        let error = pipeline.decode(Cow::Borrowed(&chunk), &[1]).err();
        let text = error.map(|error| error.to_string()).unwrap_or_else(|| panic!("{chunk:?} is decoded"));
        assert!(text.contains(reason), "{chunk:?}: {text}");
    }
}

#[test]
fn malformed_configurations_are_refused() {
    for (configuration, reason) in [
        (r#"{"codecs": [], "header_bits": 7}"#, "header_bits"),
        (r#"{"codecs": ["crc32c"], "header_bits": 0}"#, "header_bits"),
        (r#"{"codecs": [{"name": "shuffle", "configuration": {"element_size": 4, "more": 1}}]}"#, "more"),
        (r#"{"codecs": [{"name": "shuffle", "configuration": {"element_size": -1}}]}"#, "elementsize"),
        (r#"{"codecs": [], "header_bits": 16384}"#, "header_bits"),
        (r#"{"header_bits": 8}"#, "codecs"),
        (r#"{"codecs": ["bytes"]}"#, "must encode bytes as bytes"),
        (r#"{"codecs": ["nothing"]}"#, "\"nothing\" is not supported"),
        (r#"{"codecs": ["crc32c"], "more": 1}"#, "more"),
    ] {
        let error =
            pipeline(&format!(r#"{{"name": "conditional", "configuration": {configuration}}}"#)).err();
        let text =
            error.map(|error| error.to_string()).unwrap_or_else(|| panic!("{configuration} is accepted"));
        assert!(text.contains(reason), "{configuration}: {text}");
    }
    let nine = [r#""crc32c""#; 9].join(",");
    let text =
        format!(r#"{{"name": "conditional", "configuration": {{"codecs": [{nine}], "header_bits": 8}}}}"#);
    assert!(pipeline(&text).is_err(), "nine codecs need more bits");
}

#[test]
fn without_codecs_the_header_has_no_bytes_unless_bits_are_reserved() {
    for (configuration, header) in [
        (r#"{"codecs": []}"#, 0),
        (r#"{"codecs": [], "header_bits": 0}"#, 0),
        (r#"{"codecs": [], "header_bits": 8}"#, 1),
    ] {
        let pipeline = pipeline(&format!(r#"{{"name": "conditional", "configuration": {configuration}}}"#))
            .expect("a pipeline");
        let chunk = [vec![0; header], vec![7, 0, 0, 0]].concat();
        let decoded = pipeline.decode(Cow::Borrowed(&chunk), &[1]).expect("a chunk");
        assert_eq!(decoded.bytes, vec![7, 0, 0, 0], "{configuration}");
        assert!(pipeline.decode(Cow::Borrowed(&[chunk, vec![0]].concat()), &[1]).is_err(), "{configuration}");
    }
}

#[test]
fn the_example_of_the_specification_is_read() {
    let text = r#"{"name": "conditional", "configuration": {"codecs": [
        {"name": "shuffle", "configuration": {"element_size": 4}}, {"name": "zstd", "configuration": {"level": 5}}]}}"#;
    let pipeline = pipeline(text).expect("a pipeline");
    let items: Vec<u8> = (0..100_u32).flat_map(u32::to_le_bytes).collect();
    for (mask, payload) in [(0, items.clone()), (1, shuffled(&items))] {
        let chunk = [vec![mask], payload].concat();
        assert_eq!(
            pipeline.decode(Cow::Borrowed(&chunk), &[100]).expect("a chunk").bytes,
            items,
            "mask {mask}"
        );
    }
}

#[test]
fn codecs_within_codecs_take_no_longer_than_their_number() {
    let mut text = r#""crc32c""#.to_owned();
    for _ in 0..60 {
        text = format!(r#"{{"name": "conditional", "configuration": {{"codecs": [{text}]}}}}"#);
    }
    let pipeline = pipeline(&text).expect("a pipeline");
    assert!(pipeline.most_encoded(&[1]).is_some());
    let chunk =
        [[vec![1; 60], vec![7, 0, 0, 0]].concat(), crc32c::crc32c(&[7, 0, 0, 0]).to_le_bytes().to_vec()]
            .concat();
    assert_eq!(pipeline.decode(Cow::Borrowed(&chunk), &[1]).expect("a chunk").bytes, vec![7, 0, 0, 0]);
}

#[test]
fn an_index_of_a_shard_needs_one_length() {
    let document = r#"{ "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "fill_value": 0,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [4] } },
        "chunk_key_encoding": { "name": "default" }, "codecs": [{ "name": "sharding_indexed", "configuration": {
        "chunk_shape": [2], "codecs": ["bytes"],
        "index_codecs": [{ "name": "bytes", "configuration": { "endian": "little" } },
                         { "name": "conditional", "configuration": { "codecs": ["crc32c"] } }] } }] }"#;
    let metadata = ArrayMetadata::parse(document.as_bytes()).expect("metadata");
    let found = Pipeline::parse(&metadata.codecs, "/codecs", &metadata.data_type, &[0], 1);
    let text = found.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("index_codecs"), "{text}");
}
