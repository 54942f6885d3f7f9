//! Every name of <https://github.com/zarr-developers/zarr-extensions>, as of 14 July 2026 and of the proposals that
//! writers use since: the data types, grids, keys and codecs open as its pages write them.

use rectilinear_zarr::codec::Pipeline;
use rectilinear_zarr::metadata::ArrayMetadata;
use serde_json::{Value, json};

/// Opens an array of four items and makes the stages of its codecs.
fn open(changes: &Value) -> Result<(), rectilinear_zarr::Error> {
    let mut document = json!({
        "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint16", "fill_value": 0,
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [4] } },
        "chunk_key_encoding": { "name": "default" },
        "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }],
    });
    for (name, value) in changes.as_object().unwrap() {
        document[name] = value.clone();
    }
    let metadata = ArrayMetadata::parse(document.to_string().as_bytes())?;
    if let Some(fault) = metadata.refusal.clone().or_else(|| metadata.fill_fault.clone()) {
        return Err(fault);
    }
    let ArrayMetadata { codecs, data_type, fill_value, shape, .. } = &metadata;
    Pipeline::parse(codecs, "/codecs", data_type, fill_value, shape.len()).map(drop)
}

#[test]
fn every_registered_data_type_opens() {
    let numbers = [
        "int2",
        "int4",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint2",
        "uint4",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "bfloat16",
        "float16",
        "float32",
        "float64",
        "float4_e2m1fn",
        "float6_e2m3fn",
        "float6_e3m2fn",
        "float8_e3m4",
        "float8_e4m3",
        "float8_e4m3b11fnuz",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
    ]
    .map(|name| (json!(name), json!(1)));
    let complex = [
        "complex64",
        "complex128",
        "complex_bfloat16",
        "complex_float16",
        "complex_float32",
        "complex_float64",
        "complex_float4_e2m1fn",
        "complex_float6_e2m3fn",
        "complex_float6_e3m2fn",
        "complex_float8_e3m4",
        "complex_float8_e4m3",
        "complex_float8_e4m3b11fnuz",
        "complex_float8_e4m3fnuz",
        "complex_float8_e5m2",
        "complex_float8_e5m2fnuz",
        "complex_float8_e8m0fnu",
    ]
    .map(|name| (json!(name), json!([1, 2])));
    let time = json!({ "unit": "s", "scale_factor": 10 });
    let fields =
        json!([{ "name": "x", "data_type": "float32" }, { "name": "y", "data_type": { "name": "int8" } }]);
    let others = [
        (json!("bool"), json!(true)),
        (json!("float8_e8m0fnu"), json!(1)),
        (json!("r24"), json!([1, 2, 3])),
        (json!({ "name": "numpy.datetime64", "configuration": time }), json!("NaT")),
        (json!({ "name": "numpy.timedelta64", "configuration": time }), json!(5)),
        (json!({ "name": "fixed_length_utf32", "configuration": { "length_bytes": 16 } }), json!("foo")),
        (json!({ "name": "struct", "configuration": { "fields": fields } }), json!({ "x": 1.5, "y": 2 })),
        (
            json!({ "name": "structured", "configuration": { "fields": [["x", "float32"], ["y", "float32"]] } }),
            json!("AAAAAAAAAAA="),
        ),
    ];
    for (data_type, fill_value) in numbers.into_iter().chain(complex).chain(others) {
        let opened = open(&json!({ "data_type": data_type, "fill_value": fill_value }));
        assert_eq!(opened, Ok(()), "{data_type}");
    }
    let ndarray = json!({ "name": "ndarray", "configuration": { "dtype": "float32", "shape": [null, 2] } });
    for (data_type, fill_value, codec) in [
        (json!("string"), json!("foo"), "vlen-utf8"),
        (json!("bytes"), json!([1, 2, 3]), "vlen-bytes"),
        (json!("bytes"), json!("AQID"), "vlen-bytes"),
        (ndarray, json!(""), "vlen-ndarray"),
    ] {
        let opened = open(&json!({ "data_type": data_type, "fill_value": fill_value, "codecs": [codec] }));
        assert_eq!(opened, Ok(()), "{data_type}");
    }
}

#[test]
fn every_registered_codec_opens() {
    let bytes = json!({ "name": "bytes", "configuration": { "endian": "little" } });
    let to_arrays = [
        json!({ "name": "transpose", "configuration": { "order": [0] } }),
        json!({ "name": "bitround", "configuration": { "keepbits": 4 } }),
        json!({ "name": "reshape", "configuration": { "shape": [2, -1] } }),
        json!({ "name": "scale_offset", "configuration": { "scale": 2 } }),
        json!({ "name": "cast_value", "configuration": { "data_type": "uint8", "rounding": "towards-zero", "out_of_range": "wrap" } }),
    ];
    let compressions = [
        json!({ "name": "blosc", "configuration": { "cname": "lz4", "clevel": 1, "shuffle": "shuffle", "typesize": 2, "blocksize": 0 } }),
        json!({ "name": "conditional", "configuration": { "codecs": [{ "name": "zstd", "configuration": { "level": 5 } }] } }),
        json!({ "name": "crc32c" }),
        json!({ "name": "gzip", "configuration": { "level": 1 } }),
        json!({ "name": "zstd", "configuration": { "level": 1, "checksum": true } }),
    ];
    let gzip = json!({ "name": "gzip", "configuration": { "level": 6 } });
    let transpose = json!({ "name": "transpose", "configuration": { "order": [0] } });
    let to_bytes = [
        json!({ "name": "sharding_indexed", "configuration": {
            "chunk_shape": [2], "codecs": [bytes], "index_codecs": [bytes, "crc32c"], "index_location": "end" } }),
        json!({ "name": "n5_default", "configuration": { "codecs": [transpose, { "name": "bytes", "configuration": { "endian": "big" } }, gzip] } }),
    ];
    let pipelines = to_arrays.into_iter().map(|codec| vec![codec, bytes.clone()]);
    let pipelines = pipelines.chain(compressions.into_iter().map(|codec| vec![bytes.clone(), codec]));
    for codecs in pipelines.chain(to_bytes.into_iter().map(|codec| vec![codec])) {
        assert_eq!(open(&json!({ "codecs": codecs })), Ok(()), "{codecs:?}");
    }
    assert_eq!(open(&json!({ "data_type": "int4", "codecs": ["packbits"] })), Ok(()));
    let zfp = json!({ "name": "zfp", "configuration": { "mode": "reversible" } });
    let opened = open(&json!({ "data_type": "int32", "codecs": [zfp] }));
    assert_eq!(opened.is_ok(), cfg!(feature = "zfp"), "{opened:?}");
}

#[test]
fn every_registered_grid_and_every_key_encoding_opens() {
    for (name, configuration) in [
        ("default", json!({ "separator": "." })),
        ("v2", json!({ "separator": "/" })),
        ("template", json!({ "format": "{0:04}/chunk" })),
    ] {
        let encoding = json!({ "name": name, "configuration": configuration });
        assert_eq!(open(&json!({ "chunk_key_encoding": encoding })), Ok(()), "{name}");
    }
    let grid =
        json!({ "name": "rectilinear", "configuration": { "kind": "inline", "chunk_shapes": [[1, 3]] } });
    assert_eq!(open(&json!({ "chunk_grid": grid })), Ok(()));
}
