//! Decoding for another instance of the module: it sends bytes and receives bytes, and holds no references.
//!
//! This function runs in a worker, or in another module on the main thread, with a batch of jobs. The batch describes
//! its array's codecs, so any instance can decode it.

use std::cell::RefCell;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

use super::job_batch::buffer_for;
use crate::js::JsResult;
use crate::parts::{Calls, Loaded, later};
use crate::read::{BatchDecoder, ChainPlanner, answers};

thread_local! {
    static DECODER: RefCell<BatchDecoder> = const { RefCell::new(BatchDecoder::new()) };
    static PLANNER: RefCell<ChainPlanner> = const { RefCell::new(ChainPlanner::new()) };
}

/// Plans the jobs of a batch from its head, without the head's length.
#[wasm_bindgen(js_name = planParcel, skip_typescript)]
pub fn plan_parcel(head: &[u8]) -> JsResult<Vec<u8>> {
    Ok(planned(Loaded::get()?, head))
}

#[later]
fn planned(_: Loaded<Calls>, head: &[u8]) -> Vec<u8> {
    PLANNER.with_borrow_mut(|planner| planner.plan(head))
}

/// Decodes a batch of jobs. The answers are in memory that can be transferred: in `buffer` if it is large enough.
#[wasm_bindgen(js_name = decodeParcel, skip_typescript)]
pub fn decode_parcel(parcel: &[u8], buffer: Option<Uint8Array>) -> JsResult<Uint8Array> {
    decoded(Loaded::get()?, parcel, buffer)
}

#[later]
fn decoded(_: Loaded<Calls>, parcel: &[u8], buffer: Option<Uint8Array>) -> JsResult<Uint8Array> {
    let done = DECODER.with_borrow_mut(|decoder| decoder.open(parcel))?;
    let head = answers(&done);
    let contents = done.iter().flatten().flat_map(|(decoded, _)| [&*decoded.bytes, &*decoded.heap]);
    Ok(joined(&head, contents, buffer))
}

/// Copies parts one after the other out of this instance's memory.
fn joined<'a>(
    head: &'a [u8],
    contents: impl Iterator<Item = &'a [u8]> + Clone,
    buffer: Option<Uint8Array>,
) -> Uint8Array {
    let all = std::iter::once(head).chain(contents);
    let size = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX);
    let length = all.clone().map(size).fold(0, u32::saturating_add);
    let bytes = buffer_for(length, buffer).subarray(0, length);
    let mut at = 0;
    for part in all {
        bytes.subarray(at, at + size(part)).copy_from(part);
        at += size(part);
    }
    bytes
}
