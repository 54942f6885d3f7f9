//! Everything that zarrs writes is read as zarrs reads it, or refused by name.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../native/support/mod.rs"]
mod support;

use std::ops::Range;
use std::path::Path;

use fastrand::Rng;
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::metadata::{CodecEntry, DataType};
use rectilinear_zarr_reads_zarrs::Written;
use serde_json::{Value, json};
use support::{Stored, little};

/// A document of an array whose fields a test changes.
fn document(data_type: &Value, codecs: &Value) -> Value {
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [9, 7, 5],
        "data_type": data_type,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [4, 3, 4] } },
        "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
        "fill_value": 0,
        "codecs": codecs,
        "attributes": { "units": "K" },
    })
}

/// A document with other fields.
fn with(mut document: Value, fields: &[(&str, Value)]) -> Value {
    for (name, value) in fields {
        document[*name] = value.clone();
    }
    document
}

fn rectilinear(shape: Value, chunk_shapes: Value) -> [(&'static str, Value); 2] {
    let configuration = json!({ "kind": "inline", "chunk_shapes": chunk_shapes });
    [("shape", shape), ("chunk_grid", json!({ "name": "rectilinear", "configuration": configuration }))]
}

fn written(name: &str, document: &Value) -> Written {
    Written::new(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), document)
}

/// That both read the same: the whole, and random boxes.
fn compare(name: &str, written: &Written) -> Stored {
    let stored = Stored::open(&written.folder).unwrap_or_else(|error| panic!("{name}: {error}"));
    let whole: Vec<Range<u64>> = written.shape().iter().map(|&extent| 0..extent).collect();
    let (shape, values) = stored.get(&[]).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(shape, written.shape(), "{name}");
    // The high bits of small integers mean nothing; zarrs extends the sign into them.
    let mask = match stored.array.metadata.data_type.name() {
        "int2" | "uint2" => 0b11,
        "int4" | "uint4" => 0b1111,
        _ => 0xff,
    };
    let masked = |values: Vec<u8>| values.iter().map(|byte| byte & mask).collect::<Vec<_>>();
    assert!(masked(values) == masked(written.read(&whole)), "{name}: the whole array differs");

    let mut rng = Rng::with_seed(5);
    for _ in 0..12 {
        let ranges: Vec<Range<u64>> = whole
            .iter()
            .map(|axis| {
                let start = rng.u64(0..=axis.end);
                start..rng.u64(start..=axis.end)
            })
            .collect();
        let bound = |bound: u64| Some(i64::try_from(bound).unwrap());
        let slice = |range: &Range<u64>| AxisSelection::Slice {
            start: bound(range.start),
            stop: bound(range.end),
            step: 1,
        };
        let (_, values) = stored.get(&ranges.iter().map(slice).collect::<Vec<_>>()).unwrap();
        assert!(masked(values) == masked(written.read(&ranges)), "{name}: {ranges:?} differs");
    }
    stored
}

fn same(name: &str, document: &Value) -> Stored {
    compare(name, &written(name, document))
}

fn codec(name: &str, configuration: &Value) -> Value {
    json!({ "name": name, "configuration": configuration })
}

#[test]
fn codecs_from_bytes_to_bytes() {
    let float = |codec: &Value| document(&json!("float32"), &json!([little(), codec]));
    for (name, configuration) in [
        ("gzip", json!({ "level": 6 })),
        ("zstd", json!({ "level": 3, "checksum": true })),
        ("zstd", json!({ "level": 19, "checksum": false })),
        ("crc32c", json!({})),
        ("numcodecs.adler32", json!({})),
        ("numcodecs.bz2", json!({ "level": 5 })),
        ("numcodecs.fletcher32", json!({})),
        ("numcodecs.shuffle", json!({ "elementsize": 4 })),
        ("numcodecs.zlib", json!({ "level": 9 })),
    ] {
        same(name, &float(&codec(name, &configuration)));
    }
    for compressor in ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"] {
        for shuffle in ["noshuffle", "shuffle", "bitshuffle"] {
            for blocksize in [0, 64] {
                let configuration = json!({
                    "cname": compressor, "clevel": 5, "shuffle": shuffle, "typesize": 4, "blocksize": blocksize,
                });
                same(
                    &format!("blosc-{compressor}-{shuffle}-{blocksize}"),
                    &float(&codec("blosc", &configuration)),
                );
            }
        }
    }
    let chain = json!([
        little(),
        codec("numcodecs.shuffle", &json!({ "elementsize": 4 })),
        "crc32c",
        codec("zstd", &json!({ "level": 1, "checksum": true })),
        codec("gzip", &json!({ "level": 1 })),
        "crc32c"
    ]);
    same("chain", &document(&json!("float32"), &chain));
}

#[test]
fn codecs_that_move_items() {
    let big = codec("bytes", &json!({ "endian": "big" }));
    let transpose = |order: Value| codec("transpose", &json!({ "order": order }));
    for (name, codecs) in [
        ("big", json!([big])),
        ("transpose", json!([transpose(json!([2, 0, 1])), big])),
        ("transpose-twice", json!([transpose(json!([1, 2, 0])), transpose(json!([1, 0, 2])), little()])),
    ] {
        same(name, &document(&json!("float64"), &codecs));
    }
    same(
        "big-complex",
        &with(document(&json!("complex128"), &json!([big])), &[("fill_value", json!([1, "NaN"]))]),
    );
}

#[test]
fn short_names_are_written_and_read() {
    let stored = same("short", &document(&json!("uint8"), &json!(["bytes", "crc32c"])));
    let text = std::fs::read_to_string(stored.folder.join("zarr.json")).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["codecs"], json!(["bytes", "crc32c"]), "zarrs writes bare names");
}

/// Parts of the format that this package lacks today are refused; what it learns is compared from then on.
#[test]
fn further_codecs_are_read_or_refused_by_name() {
    let bitround = codec("bitround", &json!({ "keepbits": 7 }));
    let scale = json!({ "offset": 10.0, "scale": 8.0, "dtype": "f4", "astype": "u1" });
    for (name, data_type, codecs) in [
        ("bitround", "float32", json!([bitround, little()])),
        ("reshape", "int16", json!([codec("reshape", &json!({ "shape": [[0, 1], [2]] })), little()])),
        ("packbits", "bool", json!(["packbits"])),
        ("packbits", "int4", json!([codec("packbits", &json!({ "padding_encoding": "first_byte" }))])),
        ("zarrs.squeeze", "int16", json!(["zarrs.squeeze", little()])),
        (
            "numcodecs.fixedscaleoffset",
            "float32",
            json!([codec("numcodecs.fixedscaleoffset", &scale), "bytes"]),
        ),
    ] {
        let fill = match name {
            // zarrs reads a missing chunk as what its filter makes of the fill value: one that it keeps.
            "numcodecs.fixedscaleoffset" => json!(10),
            _ if data_type == "bool" => json!(true),
            _ => json!(0),
        };
        let document = with(document(&json!(data_type), &codecs), &[("fill_value", fill)]);
        let folder = format!("{name}-{data_type}");
        if CodecEntry::named(name).is_some_and(|(_, entry)| entry.is_here) {
            same(&folder, &document);
        } else {
            refused(&written(&folder, &document), name);
        }
    }
}

fn refused(written: &Written, name: &str) {
    let error = Stored::open(&written.folder).err().unwrap_or_else(|| panic!("{name} was read"));
    assert_eq!(error.name(), "UnsupportedError", "{error}");
    assert!(error.to_string().contains(name), "{error}");
}

#[test]
fn shards() {
    let shards = |inner: Value, codecs: Value, index: Value, at: &str| {
        codec(
            "sharding_indexed",
            &json!({
                "chunk_shape": inner, "codecs": codecs, "index_codecs": index, "index_location": at,
            }),
        )
    };
    let checked = || json!([little(), "crc32c"]);
    let zstd = || codec("zstd", &json!({ "level": 1, "checksum": false }));
    let nested = shards(json!([2, 1, 1]), json!([little(), zstd()]), checked(), "start");
    for (name, codecs) in [
        ("shards", json!([shards(json!([2, 3, 2]), json!([little(), zstd()]), checked(), "end")])),
        ("shards-start", json!([shards(json!([2, 1, 2]), json!([little(), zstd()]), checked(), "start")])),
        ("shards-raw", json!([shards(json!([1, 1, 1]), json!([little()]), json!([little()]), "end")])),
        (
            "shards-big-index",
            json!([shards(
                json!([2, 3, 4]),
                json!([little()]),
                json!([codec("bytes", &json!({ "endian": "big" })), "crc32c"]),
                "start"
            )]),
        ),
        (
            "shards-transposed",
            json!([shards(
                json!([2, 3, 2]),
                json!([codec("transpose", &json!({ "order": [2, 1, 0] })), little(), zstd()]),
                checked(),
                "end"
            )]),
        ),
        ("shards-nested", json!([shards(json!([2, 3, 2]), json!([nested]), checked(), "end")])),
        (
            "shards-compressed",
            json!([shards(json!([2, 3, 2]), json!([little()]), checked(), "end"), zstd(), "crc32c"]),
        ),
    ] {
        let document = with(document(&json!("int32"), &codecs), &[("fill_value", json!(-7))]);
        same(name, &document);
        let edges = json!([[[4, 2], 2], [3, 6], 4]);
        same(&format!("{name}-rectilinear"), &with(document, &rectilinear(json!([9, 8, 6]), edges)));
    }
}

#[test]
fn chunk_grids() {
    let base = || document(&json!("int16"), &json!([little()]));
    for (name, shape, edges) in [
        ("lists", json!([9, 7, 5]), json!([[2, 3, 4], [7], [1, 1, 3]])),
        ("runs", json!([9, 7, 5]), json!([[[2, 3], 3], [[3, 1], [4, 1]], [[1, 5]]])),
        ("bare", json!([9, 7, 5]), json!([4, [3, 4], 5])),
        ("overhang", json!([9, 7, 5]), json!([[5, 5], [4, 4], [[3, 2]]])),
        ("long", json!([1000]), json!([[[1, 400], [7, 80], [20, 2]]])),
        ("empty", json!([0, 7]), json!([[3], [4, 3]])),
    ] {
        same(name, &with(base(), &rectilinear(shape, edges)));
    }
    for (name, shape, edges) in [
        ("scalar", json!([]), json!([])),
        ("exact", json!([8, 6]), json!([4, 3])),
        ("larger", json!([3, 2]), json!([10, 10])),
        ("empty-regular", json!([0, 5]), json!([2, 2])),
    ] {
        let grid = json!({ "name": "regular", "configuration": { "chunk_shape": edges } });
        same(name, &with(base(), &[("shape", shape), ("chunk_grid", grid)]));
    }
    let bounded = json!({ "name": "zarrs.regular_bounded", "configuration": { "chunk_shape": [4, 3, 4] } });
    refused(&written("bounded", &with(base(), &[("chunk_grid", bounded)])), "zarrs.regular_bounded");
}

#[test]
fn bytes_past_the_extent_are_not_returned() {
    for (name, grid) in [
        ("shrunk", [("shape", json!([9, 7, 5])), ("attributes", json!({}))]),
        ("shrunk-rectilinear", rectilinear(json!([9, 7, 5]), json!([[2, 3, 4], [4, 4], 5]))),
    ] {
        let mut array = written(name, &with(document(&json!("int16"), &json!([little()])), &grid));
        for shape in [[4, 5, 2], [9, 7, 5]] {
            array.resize(&shape);
            compare(name, &array);
        }
    }
}

#[test]
fn chunk_keys_names_and_attributes() {
    for (name, separator) in [("default", "/"), ("default", "."), ("v2", "/"), ("v2", ".")] {
        let keys = codec(name, &json!({ "separator": separator }));
        let fields = [("chunk_key_encoding", keys), ("dimension_names", json!(["t", null, ""]))];
        let folder = format!("keys-{name}-{}", separator.len() + usize::from(separator == "."));
        let stored = same(&folder, &with(document(&json!("int16"), &json!([little()])), &fields));
        let metadata = stored.array.metadata;
        assert_eq!(json!(metadata.dimension_names), json!(["t", null, ""]));
        assert_eq!(metadata.attributes["units"], "K");
    }
}

#[test]
fn data_types() {
    let hex = |digits: usize| json!(format!("0x{}", "1".repeat(digits)));
    let mut cases: Vec<(Value, Value, Value)> = Vec::new();
    for name in DataType::names() {
        let (fill, codecs) = match name.as_str() {
            "string" => (json!("ÿ–"), json!(["vlen-utf8"])),
            "bytes" | "variable_length_bytes" => (json!([1, 2, 255]), json!(["vlen-bytes"])),
            "bool" => (json!(true), json!(["bytes"])),
            "float16" | "float32" | "float64" => (json!("-Infinity"), json!([little()])),
            // TensorStore's own.
            "float8_e4m3fn" => continue,
            "bfloat16" => (hex(4), json!([little()])),
            name if name.starts_with("float") => (hex(2), json!(["bytes"])),
            "complex64" | "complex128" => (json!(["NaN", -1.5]), json!([little()])),
            "complex_bfloat16" => (json!([hex(4), hex(4)]), json!([little()])),
            name if name.starts_with("int") || name.starts_with("uint") => (json!(1), json!([little()])),
            // The names that have a configuration follow; zarrs lacks some.
            _ => continue,
        };
        cases.push((json!(name), fill, codecs));
    }
    assert!(cases.len() > 25, "the names of data types were recognised");
    for unit in ["ns", "D", "generic"] {
        for name in ["numpy.datetime64", "numpy.timedelta64"] {
            cases.push((
                codec(name, &json!({ "unit": unit, "scale_factor": 10 })),
                json!("NaT"),
                json!([little()]),
            ));
        }
    }
    let part = |name: &str| format!("complex_{name}");
    for name in ["float16", "float32", "float64"].map(part) {
        cases.push((json!(name), json!([1.5, "NaN"]), json!([little()])));
    }
    for name in ["float8_e4m3", "float8_e5m2fnuz", "float6_e3m2fn", "float4_e2m1fn"].map(part) {
        cases.push((json!(name), json!([hex(2), "0x01"]), json!(["bytes"])));
    }
    cases.push((json!("r24"), json!([1, 2, 3]), json!(["bytes"])));
    cases.push((codec("fixed_length_utf32", &json!({ "length_bytes": 8 })), json!("ab"), json!([little()])));
    for (nth, (data_type, fill, codecs)) in cases.iter().enumerate() {
        let name = format!("type-{nth}-{}", data_type.as_str().or(data_type["name"].as_str()).unwrap());
        same(&name, &with(document(data_type, codecs), &[("fill_value", fill.clone())]));
    }
}
