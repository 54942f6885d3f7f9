//! Blosc frames as numcodecs wrote them decode to what it was given; changed at random, they are refused or read.
#![cfg(feature = "blosc")]

use std::borrow::Cow;
use std::collections::HashMap;

use crate::support::{cases, crc32, document_with, fixtures, text};
use rectilinear_zarr::Result;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Output};
use serde_json::{Value, json};

struct Frames {
    bytes: Vec<u8>,
    index: Vec<Value>,
    arrays: HashMap<u64, Array>,
}

impl Frames {
    fn open() -> Self {
        let bytes = std::fs::read(fixtures().join("blosc/frames.bin")).unwrap();
        let index = cases("blosc/index.json");
        let arrays =
            index.iter().map(|entry| (number(entry, "length"), array(number(entry, "length")))).collect();
        Self { bytes, index, arrays }
    }

    fn frame(&self, entry: &Value) -> &[u8] {
        let [offset, bytes] = ["offset", "bytes"].map(|field| usize::try_from(number(entry, field)).unwrap());
        &self.bytes[offset..offset + bytes]
    }

    /// Decodes a frame as the only chunk of an array of bytes.
    fn decode(&self, length: u64, frame: &[u8]) -> Result<Vec<u8>> {
        let array = &self.arrays[&length];
        let plan = array.plan(&[])?;
        let mut output = Output::new(&plan)?;
        for task in plan.tasks() {
            let task = task?;
            let chunk = plan.array().decode(&task, Some(Cow::Borrowed(frame)))?;
            output.put(&task, chunk.as_ref())?;
        }
        Ok(output.finish().bytes.into_owned())
    }
}

fn number(entry: &Value, field: &str) -> u64 {
    entry[field].as_u64().unwrap()
}

fn array(length: u64) -> Array {
    let blosc = json!({ "name": "blosc", "configuration": {
        "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0,
    } });
    // An axis without items has no chunk to decode: the frame that holds nothing is left to the unit tests.
    let document = document_with(&[length], &json!([[length.max(1)]]), "uint8", &json!(["bytes", blosc]));
    Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap()
}

#[test]
fn every_frame_holds_what_numcodecs_was_given() {
    let frames = Frames::open();
    let mut contents = HashMap::new();
    for entry in &frames.index {
        let name = text(entry, "content");
        let content = contents
            .entry(name)
            .or_insert_with(|| std::fs::read(fixtures().join(format!("blosc/{name}.bin"))).unwrap());
        let length = number(entry, "length");
        let decoded =
            frames.decode(length, frames.frame(entry)).unwrap_or_else(|error| panic!("{entry}: {error}"));
        let expected = content.iter().copied().cycle().take(usize::try_from(length).unwrap());
        assert!(decoded.iter().copied().eq(expected), "{entry}");
        assert_eq!(crc32(&decoded), number(entry, "crc32"), "{entry}");
    }
}

/// Facts of the frames' headers, so that no case is lost by an encoder that thinks better of it.
#[test]
fn the_frames_are_of_every_kind() {
    let frames = Frames::open();
    let mut kinds: HashMap<String, usize> = HashMap::new();
    for entry in &frames.index {
        let header = frames.frame(entry);
        let [length, block_size] =
            [4, 8].map(|at| u32::from_le_bytes(header[at..at + 4].try_into().unwrap()));
        let flags = header[2];
        let blocks = if length > block_size { "blocks" } else { "block" };
        let kind = match (flags & 2 != 0, flags & 0x10 == 0) {
            (true, _) => "stored".to_owned(),
            (false, split) => {
                let streams = if split { "split" } else { "whole" };
                format!("{} filter {} {streams} {blocks}", flags >> 5, flags & 5)
            }
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let inner = [0, 1, 3, 4];
    for kind in inner.iter().flat_map(|inner| [0, 1, 4].map(|filter| format!("{inner} filter {filter}"))) {
        assert!(kinds.contains_key(&format!("{kind} whole blocks")), "{kind}: {kinds:?}");
        // zstd is never split.
        let streams = if kind.starts_with('4') { "whole" } else { "split" };
        assert!(kinds.contains_key(&format!("{kind} {streams} block")), "{kind}: {kinds:?}");
    }
    for inner in [0, 1, 3] {
        assert!(kinds.contains_key(&format!("{inner} filter 1 split blocks")), "{inner}: {kinds:?}");
    }
    assert!(kinds["stored"] > 20, "{kinds:?}");
}

#[test]
fn frames_changed_at_random_never_panic() {
    let frames = Frames::open();
    let small: Vec<&Value> = frames.index.iter().filter(|entry| number(entry, "length") < 6_000).collect();
    let mut random = fastrand::Rng::with_seed(3);
    let (mut read, mut refused) = (0, 0);
    for round in 0..8_000 {
        let entry = small[round % small.len()];
        let mut frame = frames.frame(entry).to_vec();
        match random.u8(..8) {
            0 => frame.truncate(random.usize(..=frame.len())),
            1 => frame.extend((0..random.usize(1..40)).map(|_| random.u8(..))),
            kind => {
                // Most of what can go wrong begins in the header, the starts and the first stream.
                let reach = if kind < 5 { frame.len().min(64) } else { frame.len() };
                for _ in 0..random.usize(1..6) {
                    let at = random.usize(..reach);
                    frame[at] = if random.bool() { random.u8(..) } else { frame[at] ^ 1 << random.u8(..8) };
                }
            }
        }
        if random.bool() && frame.len() >= 16 {
            // Past the first check, so that others meet what is wrong.
            let length = u32::try_from(frame.len()).unwrap();
            frame[12..16].copy_from_slice(&length.to_le_bytes());
        }
        match frames.decode(number(entry, "length"), &frame) {
            Ok(decoded) => {
                assert_eq!(decoded.len() as u64, number(entry, "length"));
                read += 1;
            }
            Err(error) => {
                let expected = matches!(error.name(), "CodecError" | "UnsupportedError");
                assert!(expected, "{entry}: {error}");
                refused += 1;
            }
        }
    }
    assert!(read > 500 && refused > 2_000, "{read} read, {refused} refused");
}
