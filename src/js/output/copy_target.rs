//! A result that chunks are copied to item by item, as they come, from wherever they are.
//!
//! Invariant: nothing is read of the result, and each chunk is copied to it once.

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::grid::ChunkSelection;
use crate::js::JsResult;
use crate::js::stores::readable_source::StoredBytes;
use crate::js::workers::decoded_chunk::TransferredChunk;
use crate::output::Decoded;
use crate::read::{CopyPlan, Plan};

#[wasm_bindgen(raw_module = "./scatter.js")]
extern "C" {
    #[wasm_bindgen(js_name = wordsOf)]
    fn words_of(bytes: &JsValue, size: u32) -> JsValue;

    #[wasm_bindgen(catch)]
    fn scatter(source: &[u8], target: &JsValue, walk: &[i32]) -> JsResult<()>;

    #[wasm_bindgen(catch, js_name = scatter)]
    fn scatter_sent(source: &Uint8Array, target: &JsValue, walk: &[i32]) -> JsResult<()>;
}

/// The result's array, as words.
pub(crate) struct CopyTarget {
    places: CopyPlan,
    words: JsValue,
    /// One item, which is written where there is no chunk; nothing where it is there already.
    fill: Option<Vec<u8>>,
}

impl CopyTarget {
    /// A plan's result in these bytes, all of which are zeros if they are fresh; nothing where it is not made so.
    pub(crate) fn new(plan: &Plan<'_>, bytes: &JsValue, is_fresh: bool, least_row: u64) -> Option<Self> {
        let places = plan.scatter(least_row)?;
        let words = words_of(bytes, u32::try_from(places.word()).ok()?);
        let fill = &plan.columns().first()?.fill_value;
        let fill = (!is_fresh || fill.iter().any(|&byte| byte != 0)).then(|| fill.clone());
        (!words.is_undefined()).then_some(Self { places, words, fill })
    }

    /// Puts what is wanted of a chunk in its place, or the fill value where there is none.
    pub(crate) fn put(&self, wanted: &ChunkSelection, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        match (chunk, &self.fill) {
            (Some(chunk), _) => scatter(&chunk.bytes, &self.words, &self.places.walk(wanted, &chunk.strides)),
            (None, Some(fill)) => scatter(fill, &self.words, &self.places.walk(wanted, &[])),
            (None, None) => Ok(()),
        }
    }

    /// Puts what is wanted of a chunk in its place from where it was sent to.
    pub(crate) fn put_sent(&self, wanted: &ChunkSelection, chunk: &TransferredChunk) -> JsResult<()> {
        scatter_sent(&chunk.items(), &self.words, &self.places.walk(wanted, chunk.strides()))
    }

    /// Puts what is wanted of a chunk that is stored as its items, these bytes apart; whether its bytes are still there.
    pub(crate) fn put_bytes(
        &self,
        wanted: &ChunkSelection,
        bytes: &StoredBytes,
        strides: &[usize],
    ) -> JsResult<bool> {
        bytes.scatter(&self.words, &self.places.walk(wanted, strides))
    }
}
