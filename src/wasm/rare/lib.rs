//! The second module: decodes chunks, with every codec, and nothing else.
//!
//! Invariant: what it does with a parcel is what the main module would do if it had the codecs.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;

use rectilinear_zarr::read::{BatchDecoder, answers};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static DESK: RefCell<BatchDecoder> = const { RefCell::new(BatchDecoder::new()) };
}

/// Answer to an array's question whether this module can decode it.
#[wasm_bindgen]
pub fn verdict(question: &[u8]) -> Vec<u8> {
    rectilinear_zarr::read::verdict(question)
}

/// Answers to a parcel of jobs.
#[wasm_bindgen(js_name = decodeParcel)]
pub fn decode_parcel(parcel: &[u8]) -> Vec<u8> {
    let done = DESK.with_borrow_mut(|desk| desk.open(parcel)).unwrap_or_else(|error| vec![Err(error)]);
    let mut all = answers(&done);
    done.iter().flatten().for_each(|(decoded, _)| {
        all.extend_from_slice(&decoded.bytes);
        all.extend_from_slice(&decoded.heap);
    });
    all
}
