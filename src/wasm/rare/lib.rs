//! Extra codecs module: decodes chunks with every codec, and does nothing else.
//!
//! Invariant: it decodes a batch of jobs exactly as the main module would with the same codecs.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;

use rectilinear_zarr::codec::answers;
use rectilinear_zarr::read::{BatchDecoder, StagePlanner};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static DECODER: RefCell<BatchDecoder> = const { RefCell::new(BatchDecoder::new()) };
    static PLANNER: RefCell<StagePlanner> = const { RefCell::new(StagePlanner::new()) };
}

/// Plans the jobs of a batch from its head, without the head's length.
#[wasm_bindgen(js_name = planParcel)]
pub fn plan_parcel(head: &[u8]) -> Vec<u8> {
    PLANNER.with_borrow_mut(|planner| planner.plan(head))
}

/// Plans the stages that a chunk chooses by the bytes at its start, or all that chunks may choose.
#[wasm_bindgen(js_name = chooseStages)]
pub fn choose_stages(message: &[u8]) -> Vec<u8> {
    rectilinear_zarr::read::choose_stages(message)
}

/// Decodes a batch of jobs; returns the packed answers.
#[wasm_bindgen(js_name = decodeParcel)]
pub fn decode_parcel(parcel: &[u8]) -> Vec<u8> {
    let opened = DECODER.with_borrow_mut(|decoder| decoder.open(parcel));
    let done = match opened {
        // Chunks whose codecs are in several modules are not reduced where they are decoded.
        Ok(jobs) => jobs.into_iter().map(|job| job.done).collect(),
        Err(error) => vec![Err(error)],
    };
    let mut all = answers(&done);
    done.iter().flatten().for_each(|(decoded, _)| {
        all.extend_from_slice(&decoded.bytes);
        all.extend_from_slice(&decoded.heap);
    });
    all
}
