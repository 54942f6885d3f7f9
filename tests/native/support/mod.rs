//! Reads of the committed fixtures through the planner, from files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

pub mod archives;
pub mod hdf5;
pub mod http_driver;
pub mod original;
pub mod repository;
pub mod rows;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rectilinear_zarr::codec::{Answer, AnswerKind, HEAD, answers, unpack_answers};
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::metadata::{ArrayMetadata, DataType, Json, Proposal};
use rectilinear_zarr::network::{ByteRange, Request};
use rectilinear_zarr::output::Decoded;
use rectilinear_zarr::read::{
    Array, ChunkLocation, DEFAULT_MAX_CHUNK_BYTES, Decoder, Job, JobBatch, Output, Plan, Task, parcel,
};
use rectilinear_zarr::{Error, Result};
use serde_json::Value;

/// Bytes of a file in a range, or the error that a host's answer would be.
pub fn served(file: &[u8], range: &ByteRange) -> Result<Vec<u8>> {
    let found = range.of_length(file.len() as u64).ok_or_else(|| Error::Store {
        key: "file".to_owned(),
        status: Some(416),
        range: None,
        reason: format!("no bytes {range:?}"),
    })?;
    Ok(file[usize::try_from(found.start).unwrap()..usize::try_from(found.end).unwrap()].to_vec())
}

/// Folder of the oracle's fixtures.
pub fn fixtures() -> PathBuf {
    archives::unpacked(Path::new(env!("CARGO_MANIFEST_DIR"))).join("fixtures")
}

/// Folder of the fixtures of a system of `tests/neighbours`.
pub fn neighbours(system: &str) -> PathBuf {
    archives::unpacked(Path::new(env!("CARGO_MANIFEST_DIR"))).join("neighbours").join(system)
}

/// Cases of a list; `index.json` and `broken.json` include those of the enabled codec features.
pub fn cases(file: &str) -> Vec<Value> {
    let mut cases = list(file);
    if ["index.json", "broken.json"].contains(&file) {
        let features = [
            ("lzma", cfg!(feature = "lzma")),
            ("pcodec", cfg!(feature = "pcodec")),
            ("zfp", cfg!(feature = "zfp")),
        ];
        for (feature, _) in features.into_iter().filter(|(_, is_here)| *is_here) {
            cases.extend(optional_cases(file, feature));
        }
    }
    cases
}

/// Cases of a list that need a feature.
pub fn optional_cases(file: &str, feature: &str) -> Vec<Value> {
    list(&file.replace(".json", &format!("-{feature}.json")))
}

fn list(file: &str) -> Vec<Value> {
    let text = std::fs::read(fixtures().join(file)).expect(file);
    serde_json::from_slice::<Vec<Value>>(&text).expect(file)
}

/// Names of the codecs with a module of their own that this build lacks, each with its module.
pub fn lacking_modules() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lacking = rectilinear_zarr::metadata::CodecEntry::all()
        .map(|(_, entry)| entry)
        .filter(|entry| entry.is_on_demand() && !entry.is_here);
    lacking.flat_map(|entry| entry.names.iter().map(|name| (*name, entry.module)))
}

/// Converts JSON of serde_json to the library's.
pub fn ours(value: &Value) -> rectilinear_zarr::metadata::Value {
    Json::parse(value.to_string().as_bytes()).expect("JSON")
}

/// Converts the library's JSON to serde_json's.
pub fn theirs(value: &rectilinear_zarr::metadata::Value) -> Value {
    serde_json::from_str(&value.to_string()).expect("JSON")
}

pub fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_else(|| panic!("{field} of {case}"))
}

/// An array in a folder.
pub struct Stored {
    pub folder: PathBuf,
    pub array: Array,
}

impl Stored {
    pub fn open(folder: &Path) -> Result<Self> {
        Self::accepting(folder, &[])
    }

    fn accepting(folder: &Path, proposals: &[Proposal]) -> Result<Self> {
        let (metadata, key) = match std::fs::read(folder.join("zarr.json")) {
            Ok(document) => (ArrayMetadata::parse(&document), "zarr.json"),
            Err(_) => (Self::parse_v2(folder), ".zarray"),
        };
        let array = metadata.map(|metadata| metadata.accepting(proposals));
        let array = array.and_then(|metadata| Array::new(metadata, "", DEFAULT_MAX_CHUNK_BYTES));
        let array = array.and_then(|array| array.readable().map(|()| array));
        Ok(Self { array: array.map_err(|error| error.in_document(key))?, folder: folder.to_owned() })
    }

    fn parse_v2(folder: &Path) -> Result<ArrayMetadata> {
        let zarray =
            std::fs::read(folder.join(".zarray")).expect("every fixture has a zarr.json or a .zarray");
        let zarray = Json::parse(&zarray)?;
        let zattrs = std::fs::read(folder.join(".zattrs")).ok();
        let zattrs = zattrs.map(|zattrs| Json::parse(&zattrs)).transpose()?;
        ArrayMetadata::from_v2(Json::root(&zarray), zattrs.as_ref().map(Json::root))
    }

    pub fn case(case: &Value) -> Result<Self> {
        let folder = fixtures().join(text(case, "path"));
        let asked = case["proposals"].as_array().into_iter().flatten();
        let asked: Vec<Proposal> =
            asked.map(|name| Proposal::named(name.as_str().unwrap()).unwrap()).collect();
        Self::accepting(&folder.join(case["arrayPath"].as_str().unwrap_or("")), &asked)
    }

    pub fn get(&self, selection: &[AxisSelection]) -> Result<(Vec<u64>, Vec<u8>)> {
        self.run(&self.array.plan(selection)?)
    }

    pub fn run(&self, plan: &Plan<'_>) -> Result<(Vec<u64>, Vec<u8>)> {
        // Staging buffers are so small that most results have several.
        let mut output = Output::in_buffers(plan, 256)?;
        for task in plan.tasks() {
            self.put(plan, &task?, &mut output)?;
        }
        let decoded = output.finish();
        Ok((plan.shape(), contents(&plan.columns()[0].data_type, &decoded)))
    }

    fn put(&self, plan: &Plan<'_>, task: &Task, output: &mut Output) -> Result<()> {
        self.each(task, &mut |task, answer| {
            let chunk = plan.array().decode(task, answer.map(Cow::Owned))?;
            output.put(task, chunk.as_ref())
        })
    }

    /// Calls `work` with each chunk of a task and its bytes; a shard has several.
    pub fn each(
        &self,
        task: &Task,
        work: &mut impl FnMut(&Task, Option<Vec<u8>>) -> Result<()>,
    ) -> Result<()> {
        if let Some(request) = self.array.index_request(task) {
            let Some(index) = self.fetch(&request) else { return work(&task.clone().missing(), None) };
            let index = self.array.decode_index(task, &index)?;
            return self.array.inner_tasks(task, &index)?.iter().try_for_each(|inner| self.each(inner, work));
        }
        let answer = match &task.location {
            ChunkLocation::Missing => None,
            ChunkLocation::Stored(request) => self.fetch(request),
        };
        work(task, answer)
    }

    /// Bytes of a request; fewer where the file is shorter.
    fn fetch(&self, request: &Request) -> Option<Vec<u8>> {
        let whole = std::fs::read(self.folder.join(&request.key)).ok()?;
        let range = request.range.of_length(whole.len() as u64).unwrap_or(0..whole.len() as u64);
        Some(whole[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()].to_vec())
    }
}

/// Result of a job.
pub type Done = Result<(Decoded<'static>, bool)>;

/// Results of jobs, each with its bytes, that are packed, sent to another decoder and sent back.
pub fn travelled(array: &Array, jobs: &[(Job<'_>, &[u8])]) -> Vec<Done> {
    let packed: Vec<Vec<u8>> = jobs.iter().map(|(job, bytes)| job.packed(bytes.len())).collect();
    let mut sent = parcel(&array.description(), packed.iter().map(Vec::as_slice));
    jobs.iter().for_each(|(_, bytes)| sent.extend(*bytes));

    let came = JobBatch::unpacked(&sent).expect("a parcel");
    let decoder = Decoder::new(came.description).unwrap();
    let done: Vec<_> =
        came.jobs.iter().map(|sent| decoder.decode(sent.job(), Cow::Borrowed(sent.encoded))).collect();
    let mut back = answers(&done);
    for (decoded, _) in done.iter().flatten() {
        back.extend(&*decoded.bytes);
        back.extend(&*decoded.heap);
    }

    let (length, rest) = back.split_first_chunk::<HEAD>().unwrap();
    let (head, mut contents) = rest.split_at(usize::try_from(u64::from_le_bytes(*length)).unwrap());
    let mut next = |count: usize| {
        let (bytes, rest) = contents.split_at(count);
        contents = rest;
        Cow::Owned(bytes.to_vec())
    };
    let rebuilt = unpack_answers(head).expect("answers").into_iter().map(|answer| {
        let Answer { kind, strides, items, heap } = answer?;
        Ok((
            Decoded { bytes: next(items), strides, heap: next(heap), reversed: None },
            kind == AnswerKind::Whole,
        ))
    });
    let rebuilt = rebuilt.collect();
    assert!(contents.is_empty(), "nothing is left over");
    rebuilt
}

/// Bytes of the items; for items of variable length, each one's length and content, as `vlen` codecs write them.
pub fn contents(data_type: &DataType, decoded: &Decoded<'_>) -> Vec<u8> {
    if !data_type.is_variable() {
        return decoded.bytes.to_vec();
    }
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let items = decoded.bytes.chunks_exact(8).flat_map(|item| {
        let (start, length) = (number(&item[..4]) as usize, number(&item[4..]) as usize);
        [&item[4..], &decoded.heap[start..start + length]].concat()
    });
    items.collect()
}

/// Splits the bytes of [`Stored::get`] into items.
pub fn items<'a>(array: &Array, contents: &'a [u8]) -> Vec<&'a [u8]> {
    let data_type = &array.metadata.data_type;
    if !data_type.is_variable() {
        return contents.chunks_exact(data_type.item_size()).collect();
    }
    let (mut found, mut rest) = (Vec::new(), contents);
    while let Some(length) = rest.first_chunk() {
        let (item, after) = rest.split_at(4 + u32::from_le_bytes(*length) as usize);
        found.push(item);
        rest = after;
    }
    found
}

/// Parses a selection of the fixtures: `[null, 3, {"slice": [0, null, 2]}, [4, -1], [true, false]]`.
pub fn selection(json: &Value) -> Vec<AxisSelection> {
    let axis = |axis: &Value| match axis {
        Value::Null => AxisSelection::All,
        Value::Number(index) => AxisSelection::Index(index.as_i64().unwrap()),
        Value::Array(list) if list.first().is_some_and(Value::is_boolean) => {
            AxisSelection::Mask(list.iter().map(|flag| flag.as_bool().unwrap()).collect())
        }
        Value::Array(list) => AxisSelection::List(list.iter().map(|index| index.as_i64().unwrap()).collect()),
        slice => {
            let [start, stop, step] = [0, 1, 2].map(|part| slice["slice"][part].as_i64());
            AxisSelection::Slice { start, stop, step: step.unwrap_or(1) }
        }
    };
    json.as_array().expect("a selection is a list").iter().map(axis).collect()
}

pub fn crc32(bytes: &[u8]) -> u64 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().into()
}

/// Name and message of the JavaScript error.
pub fn described(error: &Error) -> (&'static str, String) {
    (error.name(), error.to_string())
}

/// Makes a `zarr.json` of uncompressed float32 on a rectilinear grid.
pub fn document(shape: &[u64], chunk_shapes: &Value) -> Vec<u8> {
    document_with(shape, chunk_shapes, "float32", &serde_json::json!([little()]))
}

/// The codec `bytes`, little endian.
pub fn little() -> Value {
    serde_json::json!({ "name": "bytes", "configuration": { "endian": "little" } })
}

/// Makes a `zarr.json` on a rectilinear grid.
pub fn document_with(shape: &[u64], chunk_shapes: &Value, data_type: &str, codecs: &Value) -> Vec<u8> {
    let document = serde_json::json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {
            "name": "rectilinear",
            "configuration": { "kind": "inline", "chunk_shapes": chunk_shapes },
        },
        "chunk_key_encoding": { "name": "default" },
        "fill_value": 7,
        "codecs": codecs,
    });
    document.to_string().into_bytes()
}
