//! The second module: decodes chunks, with every codec, and nothing else.
//!
//! Invariant: what it does with a parcel is what the main module would do if it had the codecs.
#![cfg(target_arch = "wasm32")]

use std::borrow::Cow;
use std::cell::RefCell;

use rectilinear_zarr::error::{Error, Result};
use rectilinear_zarr::read::{Decoder, Parcel, answers};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// The decoder of the last parcel, and its description: many parcels of one array come one after the other.
    static LAST: RefCell<Option<(Vec<u8>, Decoder)>> = const { RefCell::new(None) };
}

/// What there is to say to an array's question whether this module can decode it.
#[wasm_bindgen]
pub fn verdict(question: &[u8]) -> Vec<u8> {
    rectilinear_zarr::read::verdict(question)
}

/// What comes of a parcel of jobs.
#[wasm_bindgen(js_name = decodeParcel)]
pub fn decode_parcel(parcel: &[u8]) -> Vec<u8> {
    LAST.with_borrow_mut(|last| {
        let done = decoded(parcel, last).unwrap_or_else(|error| vec![Err(error)]);
        let mut all = answers(&done);
        done.iter().flatten().for_each(|(decoded, _)| {
            all.extend_from_slice(&decoded.bytes);
            all.extend_from_slice(&decoded.heap);
        });
        all
    })
}

type Done<'a> = Result<(rectilinear_zarr::codec::Decoded<'a>, bool)>;

fn decoded<'a>(parcel: &'a [u8], last: &mut Option<(Vec<u8>, Decoder)>) -> Result<Vec<Done<'a>>> {
    let Some(Parcel { description, jobs }) = Parcel::unpacked(parcel) else {
        let reason = "the two modules of the package are of different versions".to_owned();
        return Err(Error::Unsupported { feature: "what was sent to be decoded".to_owned(), reason });
    };
    if last.as_ref().is_none_or(|(known, _)| known != description) {
        *last = None;
    }
    let (_, decoder) = match last {
        Some(last) => last,
        None => last.insert((description.to_vec(), Decoder::new(description)?)),
    };
    Ok(jobs.iter().map(|sent| decoder.decode(sent.job(), Cow::Borrowed(sent.encoded))).collect())
}
