//! HDF5 files of fixtures, read through the store that each is, and compared with what h5py read.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;

use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::metadata::{DataType, Kind};
use rectilinear_zarr::network::ByteRange;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, EncodedInput, Output, Plan};
use rectilinear_zarr::source::{ByteLocation, InputRequest, Resolution, VirtualStore, system};
use rectilinear_zarr::{Error, Result};
use serde_json::Value;

use super::{contents, items, neighbours, served, text};

/// More rounds than any key of these files takes.
const MANY: usize = 60;

/// Entries of the index of a set.
pub fn entries(set: &str) -> Vec<Value> {
    let index = std::fs::read(neighbours(set).join("index.json")).expect("an index");
    serde_json::from_slice(&index).expect("JSON")
}

/// Bytes of a file of a set, which may be packed.
pub fn stored(set: &str, name: &str) -> Vec<u8> {
    let bytes = std::fs::read(neighbours(set).join(name)).expect(name);
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut whole = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut whole).expect("gzip");
    whole
}

/// A file, the store that it is, and what that asked for.
pub struct File {
    bytes: Vec<u8>,
    pub store: Box<dyn VirtualStore>,
    pub rounds: Vec<Vec<ByteRange>>,
}

impl File {
    pub fn open(set: &str, name: &str) -> Self {
        Self::of(stored(set, name))
    }

    pub fn of(bytes: Vec<u8>) -> Self {
        let store = system("hdf5", &Default::default()).expect("a store");
        Self { bytes, store, rounds: Vec::new() }
    }

    /// Where keys are, once the store was told what it needs; all of them are looked up in each round.
    pub fn places(&mut self, keys: &[String]) -> Result<Vec<ByteLocation>> {
        for _ in 0..MANY {
            let (mut places, mut needs) = (Vec::new(), Vec::<InputRequest>::new());
            for key in keys {
                match self.store.find(key)? {
                    Resolution::Place(place) => places.push(place),
                    Resolution::Needs(more) => needs.extend(more),
                }
            }
            if needs.is_empty() {
                return Ok(places);
            }
            self.provide(needs)?;
        }
        panic!("no end of rounds for {keys:?}");
    }

    pub fn provide(&mut self, mut needs: Vec<InputRequest>) -> Result<()> {
        let mut seen = HashSet::new();
        needs.retain(|need| seen.insert(need.number));
        self.rounds.push(needs.iter().map(|need| need.range.clone()).collect());
        for need in needs {
            assert_eq!(need.url, "");
            assert!(need.number < 1 << 53);
            // A host refuses a range that begins beyond the end, and shortens one that ends there.
            let bytes = match &need.range {
                ByteRange::UpTo(range) if range.start > 0 && range.start >= self.bytes.len() as u64 => None,
                range => Some(served(&self.bytes, range)?),
            };
            let bytes = match &need.encoding {
                Some(encoding) => Some(EncodedInput::new(encoding)?.decode(&bytes.expect("a chunk"))?),
                None => bytes,
            };
            self.store.tell(need.number, bytes.as_deref())?;
        }
        Ok(())
    }

    /// Bytes that were asked for so far.
    pub fn asked(&self) -> u64 {
        let lengths = self.rounds.iter().flatten().map(|range| match range {
            ByteRange::Span(span) | ByteRange::UpTo(span) => span.end - span.start,
            _ => panic!("{range:?}"),
        });
        lengths.sum()
    }

    pub fn bytes(&mut self, key: &str) -> Result<Option<Vec<u8>>> {
        let place = self.places(&[key.to_owned()])?.remove(0);
        self.at(place)
    }

    pub fn at(&self, place: ByteLocation) -> Result<Option<Vec<u8>>> {
        match place {
            ByteLocation::Missing => Ok(None),
            ByteLocation::Inline(bytes) => Ok(Some(bytes)),
            ByteLocation::File { url, span } => {
                assert_eq!(url, "");
                served(&self.bytes, &ByteRange::Span(span.expect("a part of the file"))).map(Some)
            }
            object @ ByteLocation::Object { .. } => panic!("{object:?} is no part of an HDF5 file"),
        }
    }

    pub fn json(&mut self, path: &str) -> Result<Value> {
        let key = if path.is_empty() { "zarr.json".to_owned() } else { format!("{path}/zarr.json") };
        let document = self.bytes(&key)?.ok_or_else(|| Error::metadata("", "nothing"))?;
        Ok(serde_json::from_slice(&document).expect("JSON"))
    }

    pub fn array(&mut self, path: &str) -> Result<Array> {
        let document =
            self.bytes(&format!("{path}/zarr.json"))?.ok_or_else(|| Error::metadata("", "nothing"))?;
        let array = Array::parse(&document, path, DEFAULT_MAX_CHUNK_BYTES)?;
        array.readable().map(|()| array)
    }

    pub fn read(&mut self, array: &Array) -> Result<Vec<u8>> {
        let plan = array.plan(&[])?;
        self.run(&plan)
    }

    pub fn run(&mut self, plan: &Plan<'_>) -> Result<Vec<u8>> {
        let mut output = Output::in_buffers(plan, 4096)?;
        let mut tasks = Vec::new();
        for task in plan.tasks() {
            tasks.push(task?);
        }
        for tasks in tasks.chunks(256) {
            let keys: Vec<String> = tasks.iter().map(|task| task.key().to_owned()).collect();
            let places = self.places(&keys)?;
            for (task, place) in tasks.iter().zip(places) {
                let bytes = self.at(place)?;
                let chunk = plan.array().decode(task, bytes.map(Cow::Owned))?;
                output.put(task, chunk.as_ref())?;
            }
        }
        Ok(contents(&plan.columns()[0].data_type, &output.finish()))
    }
}

/// Items without the gaps of structs.
fn without_gaps(data_type: &DataType, items: &[u8]) -> Vec<u8> {
    let Kind::Struct(fields) = data_type.kind() else { return items.to_vec() };
    let mut packed = Vec::new();
    for item in items.chunks_exact(data_type.item_size()) {
        for field in fields.iter().filter(|field| !field.name.starts_with("gap_at_")) {
            packed.extend_from_slice(&item[field.offset..field.offset + field.data_type.item_size()]);
        }
    }
    packed
}

/// Equality of JSON in which numbers are compared as floats where one is a float.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// What differs between a file of a set and what was read of it.
pub fn differences(set: &str, entry: &Value) -> Vec<String> {
    let name = text(entry, "path");
    let mut file = File::open(set, name);
    let expected = stored(set, text(entry, "expected"));
    let mut found = Vec::new();
    let root = match file.json("") {
        Ok(root) => root,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let members = root["consolidated_metadata"]["metadata"].as_object().expect("members").clone();
    for group in entry["groups"].as_array().expect("groups") {
        let path = text(group, "path");
        let mut attributes =
            if path.is_empty() { &root["attributes"] } else { &members[path]["attributes"] }.clone();
        // h5py's lists of the set leave these out; another test has their values.
        for name in ["opaque", "reference"] {
            attributes.as_object_mut().unwrap().remove(name);
        }
        if !same(&attributes, &group["attributes"]) {
            found.push(format!("{name}: {path}: attributes {attributes} are not {}", group["attributes"]));
        }
    }
    for wanted in entry["arrays"].as_array().expect("arrays") {
        let path = text(wanted, "path");
        let label = format!("{name}: {path}");
        let Some(document) = members.get(path) else {
            found.push(format!("{label}: not listed"));
            continue;
        };
        let mut wanted = wanted.clone();
        if document["data_type"]["name"] == "null_terminated_bytes"
            && wanted["shape"].as_array().map(Vec::len) > document["shape"].as_array().map(Vec::len)
        {
            // Letters of netCDF are texts along their last axis, with the same bytes.
            let letters = wanted["shape"].as_array_mut().unwrap().pop().unwrap();
            assert_eq!(document["data_type"]["configuration"]["length_bytes"], letters, "{label}");
            wanted["dimensions"].as_array_mut().expect("names of netCDF").pop();
        }
        if document["shape"] != wanted["shape"] {
            found.push(format!("{label}: shape {} is not {}", document["shape"], wanted["shape"]));
            continue;
        }
        let mut attributes = document["attributes"].clone();
        for flags in ["flag_values", "flag_meanings"] {
            if wanted["attributes"].get(flags).is_none() {
                attributes.as_object_mut().unwrap().remove(flags);
            }
        }
        if !same(&attributes, &wanted["attributes"]) {
            found.push(format!("{label}: attributes {attributes} are not {}", wanted["attributes"]));
        }
        if let Some(names) = wanted.get("dimensions")
            && document["dimension_names"] != *names
        {
            found.push(format!("{label}: dimensions {} are not {names}", document["dimension_names"]));
        }
        if text(&wanted, "form") == "none" {
            continue;
        }
        let at = usize::try_from(wanted["at"].as_u64().unwrap()).unwrap();
        let length = usize::try_from(wanted["length"].as_u64().unwrap()).unwrap();
        let expected = &expected[at..at + length];
        let read = file.array(path).and_then(|array| {
            // Of hundreds of thousands of chunks, one of eleven is read.
            let step =
                if length > 1 << 15 && array.metadata.chunk_grid.shape() == [length as u64] { 11 } else { 1 };
            let picked = AxisSelection::Slice { start: None, stop: None, step };
            let picks = if step == 1 { Vec::new() } else { vec![picked] };
            let plan = array.plan(&picks)?;
            let bytes = file.run(&plan)?;
            drop(plan);
            Ok((array, bytes, step))
        });
        let (array, bytes, step) = match read {
            Ok(read) => read,
            Err(error) => {
                found.push(format!("{label}: {error}"));
                continue;
            }
        };
        let is_same = match text(&wanted, "form") {
            "items" if step > 1 => expected.iter().step_by(11).eq(&bytes),
            "items" => without_gaps(&array.metadata.data_type, &bytes) == expected,
            "texts" => {
                let texts: Vec<String> = serde_json::from_slice(expected).unwrap();
                let wanted: Vec<Vec<u8>> = texts.iter().map(|text| counted(text.as_bytes())).collect();
                items(&array, &bytes) == wanted
            }
            _ => {
                let lists: Vec<String> = serde_json::from_slice(expected).unwrap();
                let wanted: Vec<Vec<u8>> = lists.iter().map(|list| counted(&unhexed(list))).collect();
                items(&array, &bytes) == wanted
            }
        };
        if !is_same {
            found.push(format!("{label}: values differ ({})", document["codecs"]));
        }
    }
    found
}

/// Content with its length, as `items` gives it.
fn counted(content: &[u8]) -> Vec<u8> {
    [&u32::try_from(content.len()).unwrap().to_le_bytes(), content].concat()
}

fn unhexed(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Reads all that a file lists, and returns how many arrays had values; errors are what they are.
pub fn read_all(bytes: Vec<u8>) -> usize {
    let mut file = File::of(bytes);
    let Ok(root) = file.json("") else { return 0 };
    let Some(members) = root["consolidated_metadata"]["metadata"].as_object().cloned() else { return 0 };
    let mut read = 0;
    for path in members.keys().take(20) {
        let Ok(array) = file.array(path) else { continue };
        let is_small = |plan: &Plan<'_>| plan.output_size() < 1 << 20 && plan.tasks().take(600).count() < 600;
        if let Ok(plan) = array.plan(&[])
            && is_small(&plan)
        {
            read += usize::from(file.run(&plan).is_ok());
        }
    }
    assert!(file.asked() < 64 << 20, "{} bytes", file.asked());
    read
}
