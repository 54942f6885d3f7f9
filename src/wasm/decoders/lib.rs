//! Module with one decoder, which a Cargo feature selects: decodes with its codec, and does nothing else.
//!
//! Invariant: only packed bytes cross, so that a loader of a few lines serves all such modules
//! (`src/web/codecs/stages.js`).
#![cfg(all(
    target_arch = "wasm32",
    any(
        feature = "grib",
        feature = "hdf5filters",
        feature = "jpeg2000",
        feature = "lzma",
        feature = "pcodec",
        feature = "zfp"
    )
))]

use wasm_bindgen::prelude::wasm_bindgen;

/// Answers whether this module decodes what the head of a message asks for.
#[wasm_bindgen(js_name = supportReply)]
#[must_use]
pub fn support_reply(message: &[u8]) -> Vec<u8> {
    rectilinear_zarr::codec::codec_support(message)
}

/// Decodes the bytes of a message; returns the packed answer.
#[wasm_bindgen(js_name = decodeParcel)]
#[must_use]
pub fn decode_parcel(message: &[u8]) -> Vec<u8> {
    rectilinear_zarr::codec::codec_answer(message)
}
