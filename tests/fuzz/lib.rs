//! Common parts of the fuzz targets: reading an array whose every chunk is the same untrusted bytes, in bounded memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use peak_alloc::PeakAlloc;
use rectilinear_zarr::Result;
use rectilinear_zarr::network::Request;
use rectilinear_zarr::read::{Array, ChunkLocation, Output, Plan, Task};
use rectilinear_zarr::source::{ByteLocation, Resolution, VirtualStore, system};
use serde_json::{Value, json};

#[path = "../native/support/archives.rs"]
mod archives;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The largest chunk, and the largest result, that is read here: 1 MiB.
pub const MAX_CHUNK_BYTES: u64 = 1 << 20;

/// The most memory beside what an input declares: some times the largest chunk and the decoders' tables.
const SLACK: usize = 24 << 20;

/// The most memory of pco and ZFP, whose decoders take as much at once as few bytes tell them to.
const LARGE_SLACK: usize = 256 << 20;
const LARGE: [&str; 2] = ["numcodecs.pcodec", "numcodecs.zfpy"];

/// Starts of the names of Icechunk's files that the target of that name changes.
pub const ICECHUNK: [&str; 3] = ["repo", "snapshots/", "manifests/"];

/// Folder with the fixtures of `tests/oracle` and of `tests/neighbours`.
pub fn fixtures() -> PathBuf {
    archives::unpacked(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// The files of a repository that are not compressed, by their names, read once.
///
/// # Panics
/// Where the fixtures are not there.
pub fn icechunk_files() -> &'static HashMap<String, Vec<u8>> {
    static FILES: OnceLock<HashMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let root = fixtures().join("neighbours/icechunk/plain");
        let mut files =
            HashMap::from([("repo".to_owned(), std::fs::read(root.join("repo")).expect("a file"))]);
        for folder in &ICECHUNK[1..] {
            for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
                let entry = entry.expect("an entry");
                let name = format!("{folder}{}", entry.file_name().to_string_lossy());
                files.insert(name, std::fs::read(entry.path()).expect("a file"));
            }
        }
        files
    })
}

/// Does some work on so many untrusted bytes, and sees that it takes no more memory than they may.
///
/// # Panics
/// Where it does.
pub fn bounded(input: usize, work: impl FnOnce()) {
    bounded_by(SLACK + 100 * input, input, work);
}

/// Opens bytes as an original file of a format, and looks up its documents and the first chunks of its arrays.
///
/// # Panics
/// Where that takes more memory than the bytes may, or does not end.
pub fn read_original(format: &str, file: &[u8]) {
    bounded(file.len(), || {
        let mut store = system(format, &Default::default()).expect("a store");
        let Some(root) = looked_up(&mut *store, file, "zarr.json") else { return };
        let root: Value = serde_json::from_slice(&root).expect("a document");
        let members = root["consolidated_metadata"]["metadata"].as_object().expect("members");
        for (path, document) in members.iter().take(20) {
            let axes = document["shape"].as_array().map_or(0, Vec::len);
            for chunk in [vec!["0"; axes], vec!["1"; axes]] {
                let key = [&[path.as_str(), "c"], &chunk[..]].concat().join("/");
                looked_up(&mut *store, file, &key);
            }
            if let Ok(array) = Array::parse(document.to_string().as_bytes(), path, MAX_CHUNK_BYTES) {
                let _ = array.readable();
            }
        }
    });
}

/// Bytes of a key that the index itself holds, once it was told what it needs of a file.
fn looked_up(store: &mut dyn VirtualStore, file: &[u8], key: &str) -> Option<Vec<u8>> {
    for _ in 0..2000 {
        match store.find(key).ok()? {
            Resolution::Place(ByteLocation::Inline(bytes)) => return Some(bytes),
            Resolution::Place(_) => return None,
            Resolution::Needs(needs) => {
                for need in needs {
                    let found = need.range.of_length(file.len() as u64).filter(|found| !found.is_empty());
                    let bytes = found.map(|found| &file[found.start as usize..found.end as usize]);
                    // A chunk is decoded by codecs, which have targets of their own: any bytes are given for it.
                    let decoded = need.encoding.map(|encoding| vec![7; encoding.bytes as usize]);
                    store.tell(need.number, decoded.as_deref().or(bytes)).ok()?;
                }
            }
        }
    }
    panic!("no end of rounds for {key}");
}

fn bounded_by(most: usize, input: usize, work: impl FnOnce()) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    let used = MEMORY.peak_usage().saturating_sub(before);
    assert!(used <= most, "{used} bytes of memory for {input} of input");
}

/// Reads a whole array, if it is small, with the same bytes for every chunk.
///
/// # Panics
/// Where that takes more memory than the chunks declare.
pub fn read(document: &[u8], chunk: &[u8]) {
    let input = document.len() + chunk.len();
    let is_large = LARGE.iter().any(|name| document.windows(name.len()).any(|part| part == name.as_bytes()));
    let slack = if is_large { LARGE_SLACK } else { SLACK };
    bounded_by(slack + 100 * input, input, || {
        let Ok(array) = Array::parse(document, "", MAX_CHUNK_BYTES) else { return };
        // Nothing declares how long text is: compressed, it may take 256 MiB before it is refused.
        if array.metadata.data_type.is_variable()
            && !array.metadata.codecs.iter().all(|codec| is_plain(&codec.name))
        {
            return;
        }
        let plan = array.plan(&[]).expect("the whole can be planned");
        if plan.output_size() <= MAX_CHUNK_BYTES && plan.chunks() <= 256 {
            let _ = run(&plan, chunk);
        }
    });
}

fn is_plain(codec: &str) -> bool {
    codec.starts_with("vlen-") || codec == "sharding_indexed"
}

fn run(plan: &Plan<'_>, chunk: &[u8]) -> Result<()> {
    let mut output = Output::new(plan)?;
    for task in plan.tasks() {
        put(plan, &task?, chunk, &mut output)?;
    }
    let _ = output.finish();
    Ok(())
}

fn put(plan: &Plan<'_>, task: &Task, chunk: &[u8], output: &mut Output) -> Result<()> {
    let array = plan.array();
    let answer = |request: &Request| {
        let range = request.range.of_length(chunk.len() as u64)?;
        Some(&chunk[usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?])
    };
    if let Some(request) = array.index_request(task) {
        let Some(index) = answer(&request) else { return Ok(()) };
        let index = array.decode_index(task, index)?;
        return array.inner_tasks(task, &index)?.iter().try_for_each(|inner| put(plan, inner, chunk, output));
    }
    let bytes = match &task.location {
        ChunkLocation::Missing => None,
        ChunkLocation::Stored(request) => answer(request),
    };
    if let Some(bytes) = bytes {
        array.check_answer(task, bytes.len())?;
    }
    output.put(task, array.decode(task, bytes.map(Cow::Borrowed))?.as_ref())
}

/// A `zarr.json` on a regular grid.
#[must_use]
pub fn document(
    data_type: impl Into<Value>,
    shape: &[u64],
    edges: &[u64],
    fill: &Value,
    codecs: &Value,
) -> Vec<u8> {
    let grid = json!({ "name": "regular", "configuration": { "chunk_shape": edges } });
    whole(shape, &data_type.into(), &grid, fill, codecs)
}

/// A `zarr.json` of uint16 on a rectilinear grid, uncompressed.
#[must_use]
pub fn document_on(shape: &[u64], chunk_shapes: &Value) -> Vec<u8> {
    let configuration = json!({ "kind": "inline", "chunk_shapes": chunk_shapes });
    let grid = json!({ "name": "rectilinear", "configuration": configuration });
    whole(
        shape,
        &json!("uint16"),
        &grid,
        &json!(0),
        &json!([{ "name": "bytes", "configuration": { "endian": "little" } }]),
    )
}

fn whole(shape: &[u64], data_type: &Value, grid: &Value, fill: &Value, codecs: &Value) -> Vec<u8> {
    let document = json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type, "chunk_grid": grid,
        "chunk_key_encoding": "default", "fill_value": fill, "codecs": codecs,
    });
    document.to_string().into_bytes()
}

/// Codecs that have one target: each a data type, by its name or as JSON, and the codecs, as JSON.
pub struct Family {
    /// The target's name.
    pub name: &'static str,
    /// Choices of an input's first byte.
    pub pipelines: &'static [(&'static str, &'static str)],
}

/// One for each kind of decoder; `bytes`, `transpose` and mixtures of all of them are in the target `array`.
pub const FAMILIES: &[Family] = &[
    Family { name: "blosc", pipelines: &[("uint8", r#"["bytes", "blosc"]"#)] },
    Family { name: "bz2", pipelines: &[("uint8", r#"["bytes", "numcodecs.bz2"]"#)] },
    Family {
        name: "checksum",
        pipelines: &[
            ("uint8", r#"["bytes", "crc32c"]"#),
            ("uint8", r#"["bytes", "numcodecs.adler32"]"#),
            ("uint8", r#"["bytes", "numcodecs.crc32"]"#),
            ("uint8", r#"["bytes", "numcodecs.fletcher32"]"#),
            (
                "uint8",
                r#"["bytes", {"name": "numcodecs.jenkins_lookup3", "configuration": {"initval": 0, "prefix": null}}]"#,
            ),
        ],
    },
    Family {
        name: "grib",
        pipelines: &[
            (
                "float64",
                r#"[{"name": "gribberish", "configuration": {"north_up": true, "adjust_longitude_range": true}}]"#,
            ),
            ("float32", r#"["numcodecs.rawgrib"]"#),
        ],
    },
    Family {
        name: "hdf5filters",
        // Filters that state the items of a chunk have forty.
        pipelines: &[
            ("uint8", r#"["bytes", "hdf5.lzf"]"#),
            ("uint8", r#"["bytes", "hdf5.lz4"]"#),
            (
                "uint8",
                r#"["bytes", {"name": "hdf5.bitshuffle", "configuration": {"values": [0, 4, 2, 8, 2]}}]"#,
            ),
            (
                "uint8",
                r#"["bytes", {"name": "hdf5.bitshuffle", "configuration": {"values": [0, 4, 4, 0, 3]}}]"#,
            ),
            ("uint8", r#"["bytes", {"name": "hdf5.szip", "configuration": {"values": [161, 8, 12, 20]}}]"#),
            ("uint8", r#"["bytes", {"name": "hdf5.szip", "configuration": {"values": [149, 4, 32, 40]}}]"#),
            (
                "int32",
                r#"[{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "hdf5.scaleoffset", "configuration": {"values": [2, 0, 40, 0, 4, 1, 0, 1, 7]}}]"#,
            ),
            (
                "float64",
                r#"[{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "hdf5.scaleoffset", "configuration": {"values": [0, 3, 40, 1, 8, 0, 1, 0]}}]"#,
            ),
            (
                "int16",
                r#"[{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "hdf5.nbit", "configuration": {"values": [8, 0, 40, 1, 2, 0, 11, 3], "signed": true}}]"#,
            ),
        ],
    },
    Family {
        name: "filters",
        pipelines: &[
            (
                "int32",
                r#"[{"name": "numcodecs.delta", "configuration": {"dtype": "<i4", "astype": "<i2"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                "float32",
                r#"[{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 1, "scale": 10, "dtype": "<f4", "astype": "<i2"}}, {"name": "bytes", "configuration": {"endian": "big"}}]"#,
            ),
            (
                "float64",
                r#"[{"name": "numcodecs.astype", "configuration": {"encode_dtype": "<f4", "decode_dtype": "<f8"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                "float32",
                r#"[{"name": "numcodecs.log_bins", "configuration": {"low": 0.001, "high": 2000}}, "bytes"]"#,
            ),
            ("float32", r#"["imagecodecs_floatpred"]"#),
            (
                "int16",
                r#"["HorizontalDeltaCodec", "imagecodecs_delta", {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                "int16",
                r#"[{"name": "scale_offset", "configuration": {"scale": 3, "offset": -7}}, {"name": "cast_value", "configuration": {"data_type": "float32", "rounding": "nearest-even", "out_of_range": "clamp"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            ("bool", r#"["numcodecs.packbits", "bytes"]"#),
            (
                r#"{"name": "numpy.timedelta64", "configuration": {"unit": "ms", "scale_factor": 1}}"#,
                r#"[{"name": "numcodecs.delta", "configuration": {"dtype": "<m8[ms]", "astype": "<m8[7s]"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                r#"{"name": "numpy.timedelta64", "configuration": {"unit": "s", "scale_factor": 1}}"#,
                r#"[{"name": "numcodecs.astype", "configuration": {"encode_dtype": "<m8[Y]", "decode_dtype": "<m8[s]"}}, {"name": "numcodecs.delta", "configuration": {"dtype": "<m8[Y]", "astype": "<m8[M]"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                r#"{"name": "numpy.datetime64", "configuration": {"unit": "h", "scale_factor": 1}}"#,
                r#"[{"name": "numcodecs.astype", "configuration": {"encode_dtype": "<M8[5M]", "decode_dtype": "<M8[h]"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                r#"{"name": "numpy.datetime64", "configuration": {"unit": "Y", "scale_factor": 1}}"#,
                r#"[{"name": "numcodecs.astype", "configuration": {"encode_dtype": "<M8[ns]", "decode_dtype": "<M8[Y]"}}, {"name": "numcodecs.delta", "configuration": {"dtype": "<i8"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
            (
                "complex128",
                r#"[{"name": "numcodecs.delta", "configuration": {"dtype": "<c16", "astype": "<c8"}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
            ),
        ],
    },
    Family {
        name: "gzip",
        pipelines: &[("uint8", r#"["bytes", "gzip"]"#), ("uint8", r#"["bytes", "numcodecs.zlib"]"#)],
    },
    Family {
        name: "imagecodecs",
        pipelines: &[
            ("uint8", r#"["bytes", "imagecodecs_lzw"]"#),
            ("uint8", r#"["bytes", "imagecodecs_packbits"]"#),
            ("uint8", r#"["bytes", "imagecodecs_lz4"]"#),
            ("uint8", r#"["bytes", {"name": "imagecodecs_deflate", "configuration": {"raw": true}}]"#),
        ],
    },
    Family {
        name: "jpeg2000",
        pipelines: &[
            ("uint8", r#"["bytes", "imagecodecs_jpeg2k"]"#),
            ("uint16", r#"["imagecodecs_jpeg2k"]"#),
            ("int16", r#"[{"name": "imagecodecs_jpeg2k", "configuration": {"planar": true}}]"#),
        ],
    },
    Family { name: "lz4", pipelines: &[("uint8", r#"["bytes", "numcodecs.lz4"]"#)] },
    Family {
        name: "lzma",
        pipelines: &[
            ("uint8", r#"["bytes", "numcodecs.lzma"]"#),
            ("uint8", r#"["bytes", {"name": "numcodecs.lzma", "configuration": {"format": 2}}]"#),
            (
                "uint8",
                r#"["bytes", {"name": "numcodecs.lzma", "configuration": {"format": 3, "filters": [{"id": 33}]}}]"#,
            ),
            (
                "uint8",
                r#"["bytes", {"name": "numcodecs.lzma", "configuration": {"format": 3, "filters": [{"id": 3, "dist": 4}, {"id": 33}]}}]"#,
            ),
        ],
    },
    Family {
        name: "n5",
        pipelines: &[
            (
                "uint16",
                r#"[{"name": "n5_default", "configuration": {"codecs": [{"name": "transpose", "configuration": {"order": [0]}}, {"name": "bytes", "configuration": {"endian": "big"}}]}}]"#,
            ),
            (
                "uint8",
                r#"[{"name": "n5_default", "configuration": {"codecs": [{"name": "transpose", "configuration": {"order": [0]}}, "bytes", "gzip"]}}]"#,
            ),
        ],
    },
    Family {
        name: "pcodec",
        pipelines: &[
            ("int16", r#"["numcodecs.pcodec"]"#),
            ("uint32", r#"["numcodecs.pcodec"]"#),
            ("int64", r#"["numcodecs.pcodec"]"#),
            ("float16", r#"["numcodecs.pcodec"]"#),
            ("float32", r#"["numcodecs.pcodec"]"#),
            ("float64", r#"["numcodecs.pcodec"]"#),
        ],
    },
    Family {
        name: "shuffle",
        pipelines: &[
            ("uint8", r#"["bytes", {"name": "numcodecs.shuffle", "configuration": {"elementsize": 4}}]"#),
            ("uint8", r#"["bytes", {"name": "numcodecs.shuffle", "configuration": {"elementsize": 3}}]"#),
        ],
    },
    Family { name: "variable", pipelines: &[("string", r#"["vlen-utf8"]"#), ("bytes", r#"["vlen-bytes"]"#)] },
    Family { name: "zstd", pipelines: &[("uint8", r#"["bytes", "zstd"]"#)] },
];

/// Bytes of an item that each pipeline of the family `filters` stores; 0 where a byte holds eight, after one that says how
/// many are padding.
const FILTERED_BYTES: [usize; 13] = [2, 2, 4, 1, 4, 2, 4, 0, 8, 8, 8, 8, 8];

/// Reads a chunk through filters, with as many items as its bytes hold; an input's first byte chooses the filters.
///
/// # Panics
/// As [`read_family`].
pub fn read_filtered(input: &[u8]) {
    let [choice, chunk @ ..] = input else { return };
    let items = match FILTERED_BYTES[usize::from(*choice) % FILTERED_BYTES.len()] {
        0 => chunk.len().saturating_sub(1) * 8,
        bytes => chunk.len() / bytes,
    };
    let items = u16::try_from(items).unwrap_or(u16::MAX);
    let used = match FILTERED_BYTES[usize::from(*choice) % FILTERED_BYTES.len()] {
        0 => chunk.len(),
        bytes => usize::from(items) * bytes,
    };
    read_family(family("filters"), &[&[*choice], &items.to_le_bytes()[..], &chunk[..used]].concat());
}

/// Data types of ZFP's streams, in the order in which the target `zfp` counts them.
pub const ZFP_TYPES: [&str; 4] = ["int32", "int64", "float32", "float64"];

/// The family of this name.
///
/// # Panics
/// Where there is none.
#[must_use]
pub fn family(name: &str) -> &'static Family {
    FAMILIES.iter().find(|family| family.name == name).expect("a family")
}

/// Reads a chunk of one of a family's pipelines; an input's first byte chooses it, two more say how many items it has.
///
/// # Panics
/// Where a pipeline of the family is refused, or decoding takes more memory than the chunk declares.
pub fn read_family(family: &Family, input: &[u8]) {
    let [choice, low, high, chunk @ ..] = input else { return };
    let (data_type, codecs) = family.pipelines[usize::from(*choice) % family.pipelines.len()];
    let items = u64::from(u16::from_le_bytes([*low, *high]));
    let codecs: Value = serde_json::from_str(codecs).expect("JSON");
    let fill = match data_type {
        "string" | "bytes" => json!(""),
        "bool" => json!(false),
        "complex128" => json!([0, 0]),
        _ => json!(0),
    };
    let data_type = serde_json::from_str(data_type).unwrap_or_else(|_| Value::from(data_type));
    let document = document(data_type, &[items], &[items.max(1)], &fill, &codecs);
    Array::parse(&document, "", MAX_CHUNK_BYTES).expect("a pipeline of this build");
    read(&document, chunk);
}
