//! Decoding all chunks of an array: the same work natively and in WebAssembly.

use std::borrow::Cow;
use std::collections::HashMap;

use rectilinear_zarr::read::{Array, ChunkLocation, Task};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// An array's chunks, ready to be decoded.
#[wasm_bindgen]
pub struct Chunks {
    array: Array,
    encoded: Vec<(Task, Vec<u8>)>,
}

#[wasm_bindgen]
impl Chunks {
    /// An array that `data.py` wrote: where its values lie, and the values. The codecs, JSON, stand in for the array's
    /// own; an empty string leaves those.
    ///
    /// # Errors
    /// The fault of the metadata, in words.
    #[wasm_bindgen(constructor)]
    pub fn new(places: &str, values: &[u8], codecs: &str) -> Result<Chunks, String> {
        let places: HashMap<String, (usize, usize)> = serde_json::from_str(places).map_err(words)?;
        let value = |key: &str| places.get(key).and_then(|&(start, stop)| values.get(start..stop));
        let document = value("/zarr.json").ok_or("no zarr.json")?;
        let mut document: Value = serde_json::from_slice(document).map_err(words)?;
        if !codecs.is_empty() {
            document["codecs"] = serde_json::from_str(codecs).map_err(words)?;
        }
        let array = Array::parse(document.to_string().as_bytes(), "", u64::MAX).map_err(words)?;
        let tasks: Vec<Task> =
            array.plan(&[]).map_err(words)?.tasks().collect::<Result<_, _>>().map_err(words)?;
        let encoded = tasks.into_iter().filter_map(|task| {
            let ChunkLocation::Stored(request) = &task.location else { return None };
            let chunk = value(&format!("/{}", request.key))?.to_vec();
            Some((task, chunk))
        });
        Ok(Self { encoded: encoded.collect(), array })
    }

    /// Decodes every chunk once, and says how many bytes that gave.
    ///
    /// # Errors
    /// The fault of a chunk, in words.
    pub fn decode(&self) -> Result<usize, String> {
        self.encoded.iter().try_fold(0, |bytes, (task, chunk)| {
            let decoded = self.array.decode(task, Some(Cow::Borrowed(chunk))).map_err(words)?;
            Ok(bytes + decoded.map_or(0, |decoded| decoded.bytes.len()))
        })
    }
}

impl Chunks {
    /// Undoes the shuffle of items of two, four or eight bytes in every chunk, in a plain loop, which compilers make
    /// vectors of where the machine has them, and says how many bytes that gave.
    ///
    /// # Errors
    /// Items of other sizes.
    pub fn unshuffle(&self, item_size: &str) -> Result<usize, String> {
        let undo = match item_size {
            "2" => unshuffled::<2>,
            "4" => unshuffled::<4>,
            "8" => unshuffled::<8>,
            other => return Err(format!("items of {other} bytes")),
        };
        Ok(self.encoded.iter().map(|(_, chunk)| undo(chunk).len()).sum())
    }
}

fn unshuffled<const SIZE: usize>(planes: &[u8]) -> Vec<u8> {
    let mut items = vec![0; planes.len()];
    let count = planes.len() / SIZE;
    let planes: [&[u8]; SIZE] = std::array::from_fn(|byte| &planes[byte * count..][..count]);
    for (nth, item) in items.as_chunks_mut::<SIZE>().0[..count].iter_mut().enumerate() {
        *item = std::array::from_fn(|byte| planes[byte][nth]);
    }
    std::hint::black_box(items)
}

fn words(error: impl ToString) -> String {
    error.to_string()
}
