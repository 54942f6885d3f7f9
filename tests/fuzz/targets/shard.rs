//! Shards whose index says anything, alone and in each other.
#![no_main]

use rectilinear_zarr_fuzz::{document, read};
use serde_json::{Value, json};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&choice, shard)) = input.split_first() else { return };
    let at = if choice & 1 == 0 { "start" } else { "end" };
    let index = if choice & 2 == 0 { json!(["bytes"]) } else { json!(["bytes", "crc32c"]) };
    let sharding = |chunk_shape: Value, codecs: Value| {
        json!([{ "name": "sharding_indexed", "configuration": {
            "chunk_shape": chunk_shape, "codecs": codecs, "index_codecs": index, "index_location": at } }])
    };
    let (data_type, inner) = match choice >> 2 & 3 {
        0 => ("uint8", json!(["bytes"])),
        1 => ("uint16", json!([{ "name": "transpose", "configuration": { "order": [1, 0] } }, "bytes"])),
        2 => ("string", json!(["vlen-utf8"])),
        _ => ("uint8", json!(["bytes", "crc32c"])),
    };
    let mut codecs = if choice >> 4 & 1 == 0 {
        sharding(json!([2, 2]), inner)
    } else {
        sharding(json!([2, 4]), sharding(json!([1, 2]), inner))
    };
    if choice >> 5 & 1 == 1 {
        // A codec after it: the shard is decoded whole.
        codecs = json!([codecs[0], { "name": "numcodecs.shuffle", "configuration": { "elementsize": 1 } }]);
    }
    let fill = if data_type == "string" { json!("") } else { json!(1) };
    read(&document(data_type, &[8, 8], &[4, 4], &fill, &codecs), shard);
});
