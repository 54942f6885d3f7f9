//! Decoding for another instance: bytes come in, bytes go out, and neither side holds anything of the other's.
//!
//! Whoever runs jobs elsewhere, in a worker or in another module on this thread, calls this one function there with a
//! parcel of jobs; the parcel describes its array's codecs, so that any instance may be asked, and asked again.

use std::cell::RefCell;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

use super::job_batch::buffer_for;
use crate::js::JsResult;
use crate::read::{BatchDecoder, answers};

thread_local! {
    static DESK: RefCell<BatchDecoder> = const { RefCell::new(BatchDecoder::new()) };
}

/// Answers to a parcel of jobs, in memory that can be transferred: in `buffer` where there is room in it.
#[wasm_bindgen(js_name = decodeParcel, skip_typescript)]
pub fn decode_parcel(parcel: &[u8], buffer: Option<Uint8Array>) -> JsResult<Uint8Array> {
    let done = DESK.with_borrow_mut(|desk| desk.open(parcel))?;
    let head = answers(&done);
    let contents = done.iter().flatten().flat_map(|(decoded, _)| [&*decoded.bytes, &*decoded.heap]);
    Ok(joined(&head, contents, buffer))
}

/// Bytes one after the other, copied out of this instance once.
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
