//! A result to which items of chunks are copied directly, from WebAssembly memory, a store's bytes or a worker's.
//!
//! Invariant: the result is never read, and each chunk is copied to it once.

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::grid::ChunkSelection;
use crate::js::JsResult;
use crate::js::stores::stored_bytes::StoredBytes;
use crate::js::workers::decoded_chunk::TransferredChunk;
use crate::output::{Decoded, DirectCopy};
use crate::read::Plan;

#[wasm_bindgen(raw_module = "../bridge/scatter.js")]
extern "C" {
    #[wasm_bindgen(js_name = wordsOf)]
    fn words_of(bytes: &JsValue, size: u32) -> JsValue;

    #[wasm_bindgen(catch)]
    fn scatter(source: &[u8], target: &JsValue, walk: &[i32]) -> JsResult<()>;

    #[wasm_bindgen(catch, js_name = scatter)]
    fn scatter_sent(source: &Uint8Array, target: &JsValue, walk: &[i32]) -> JsResult<()>;
}

/// The result's array as a typed array of words, and the plan of copies to it.
pub(crate) struct CopyTarget {
    places: DirectCopy,
    words: JsValue,
    /// The fill value for missing chunks; `None` where the result's zeros already equal it.
    fill: Option<Vec<u8>>,
}

impl CopyTarget {
    /// Makes the target for a plan's result in `bytes`, which are zeros if `is_fresh`; `None` where the plan's items
    /// cannot be copied directly.
    pub(crate) fn new(plan: &Plan<'_>, bytes: &JsValue, is_fresh: bool, least_row: u64) -> Option<Self> {
        if plan.array().metadata.fill_fault.is_some() {
            return None;
        }
        let places = plan.direct_copy(least_row)?;
        let words = words_of(bytes, u32::try_from(places.word()).ok()?);
        let fill = &plan.columns().first()?.fill_value;
        let fill = (!is_fresh || fill.iter().any(|&byte| byte != 0)).then(|| fill.clone());
        (!words.is_undefined()).then_some(Self { places, words, fill })
    }

    /// Copies the selected items of a chunk to the result, or the fill value where the chunk is missing.
    pub(crate) fn put(&self, selection: &ChunkSelection, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        match (chunk, &self.fill) {
            (Some(chunk), _) => {
                let chunk = chunk.in_little_endian();
                scatter(&chunk.bytes, &self.words, &self.places.walk(selection, &chunk.strides))
            }
            (None, Some(fill)) => scatter(fill, &self.words, &self.places.walk(selection, &[])),
            (None, None) => Ok(()),
        }
    }

    /// Copies the selected items of a chunk that a worker sent.
    pub(crate) fn put_sent(&self, selection: &ChunkSelection, chunk: &TransferredChunk) -> JsResult<()> {
        scatter_sent(&chunk.items(), &self.words, &self.places.walk(selection, chunk.strides()))
    }

    /// Copies the selected items of a chunk that is stored as uncompressed items with these strides in bytes; returns
    /// whether the store's bytes are still there.
    pub(crate) fn put_bytes(
        &self,
        selection: &ChunkSelection,
        bytes: &StoredBytes,
        strides: &[usize],
    ) -> JsResult<bool> {
        bytes.scatter(&self.words, &self.places.walk(selection, strides))
    }
}
